"""For pytest: the fixture `orlop_sim`, a simulation of its own for each test, whose seed is printed when the test fails.

The seed is fixed unless the environment variable ORLOP_SEED gives another one, or says "random".
"""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .simulation import Simulation

_SEED = pytest.StashKey[int]()


@pytest.fixture
def orlop_sim(request: pytest.FixtureRequest) -> Iterator[Simulation]:
    """A platform in memory, in virtual time."""
    from .simulation import Simulation

    given = os.environ.get("ORLOP_SEED", "0")
    seed = secrets.randbits(32) if given == "random" else int(given)
    request.node.stash[_SEED] = seed
    with Simulation(seed=seed) as simulation:
        yield simulation


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: pytest.TestReport = yield  # type: ignore[assignment]
    seed = item.stash.get(_SEED, None)
    if report.failed and seed is not None:
        report.sections.append(("orlop", f"the simulation's seed was {seed}: run again with ORLOP_SEED={seed}"))
    return report  # type: ignore[return-value]
