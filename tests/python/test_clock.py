"""A host's clock that jumps: running steps continue, and durations are measured by a clock that does not jump."""

from __future__ import annotations

import threading

import pytest

import orlop
from conftest import furnish
from test_driver import WITHIN, Recorder

TEN_YEARS = 10 * 365 * 86_400.0


class Jumping:
    """Unix seconds that a test moves; durations are measured by the system's clock."""

    def __init__(self) -> None:
        self.now = 1_767_225_600.0

    def __call__(self) -> float:
        return self.now


class Waiting(Recorder):
    """Keeps each step until the test releases it."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.go = threading.Event()

    def deploy(self, step: orlop.Step) -> None:
        super().deploy(step)
        self.begun.set()
        assert self.go.wait(60)


def reach(engine: orlop.Engine, driver: Waiting) -> None:
    while not driver.begun.wait(0.01):
        engine.tick()
    engine.tick()  # takes the report that the step has begun


@pytest.mark.parametrize("jump", [TEN_YEARS, -TEN_YEARS], ids=["forward", "back"])
def test_a_time_that_jumps_fails_no_running_step(jump: float) -> None:
    clock, driver = Jumping(), Waiting()
    with orlop.Engine(driver=driver, clock=clock, step_deadline="10m", start_deadline="10m") as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy()
        reach(engine, driver)
        clock.now += jump
        for _ in range(20):
            engine.tick()
        assert driver.steps
        driver.go.set()
        assert run.wait(WITHIN).ok
        times = [event["at"] for event in engine.events()]
        assert times == sorted(times)


class ByHand(Jumping):
    def monotonic(self) -> float:
        return self.now


def test_a_clock_that_is_moved_by_hand_passes_deadlines() -> None:
    clock, driver = ByHand(), Waiting()
    with orlop.Engine(driver=driver, clock=clock, step_deadline="10m", start_deadline="10m") as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy()
        reach(engine, driver)
        clock.now += 601
        engine.tick()
        driver.go.set()
        assert not run.wait(WITHIN).ok
        assert "did not end within its time" in str(run.reason)


def test_a_monotonic_that_raises_is_the_callers_error() -> None:
    class Broken(Jumping):
        def monotonic(self) -> float:
            raise ValueError("no clock")

    with pytest.raises(orlop.Error, match="no clock"), orlop.Engine(clock=Broken()) as engine:
        engine.tick()
