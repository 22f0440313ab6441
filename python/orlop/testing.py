"""The pytest plugin: the fixture `orlop_sim`, one simulation for each test. The report of a failed test names the seed."""

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
    """A `Simulation` in memory for one test; closed after it. The seed is 0, or the number in the environment variable ORLOP_SEED, or drawn if that is "random"."""
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
