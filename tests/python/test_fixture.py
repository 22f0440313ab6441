"""The pytest plugin."""

from __future__ import annotations

import pytest

import orlop
from conftest import furnish

pytest_plugins = ["pytester"]


def test_the_fixture_is_a_platform_in_virtual_time(orlop_sim: orlop.Simulation) -> None:
    platform = furnish(orlop_sim)
    platform.container()
    platform.environment.deploy()
    orlop_sim.clock.advance(hours=2)
    assert [event["kind"] for event in orlop_sim.events()].count("service.deployed") == 1


def test_a_failure_names_its_seed(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORLOP_SEED", "1234")
    pytester.makepyfile("def test_fails(orlop_sim):\n    assert orlop_sim.seed == 0\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*run again with: pytest test_a_failure_names_its_seed.py::test_fails --orlop-seed=1234"]
    )
