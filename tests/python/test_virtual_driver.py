"""A host's driver in virtual time."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

import orlop
from conftest import furnish


class Sleeper(orlop.Driver):
    """Sleeps in every way there is."""

    def __init__(self) -> None:
        self._seen: list[str] = []

    async def cluster_create(self, step: orlop.Step) -> None:
        await step.sleep(600)

    async def deploy(self, step: orlop.Step) -> None:
        async with asyncio.TaskGroup() if hasattr(asyncio, "TaskGroup") else _group() as tasks:
            tasks.create_task(asyncio.sleep(20))
            tasks.create_task(step.sleep(30))
        self._seen.append(step.name)
        step.progress("thirty seconds")

    def restart(self, step: orlop.Step) -> None:
        step.sleep(45)
        step.log("restarted")

    def stop(self, step: orlop.Step) -> None:
        step.sleep(10)
        raise RuntimeError("the volume is busy")


class _group:
    async def __aenter__(self) -> Any:
        self.tasks: list[Any] = []
        return self

    def create_task(self, task: Any) -> None:
        self.tasks.append(asyncio.ensure_future(task))

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*self.tasks)


def run(count: int = 4) -> tuple[list[dict[str, Any]], float]:
    with orlop.Simulation(seed=5, driver=Sleeper()) as simulation:
        platform = furnish(simulation)
        for number in range(count):
            platform.container(f"web{number}")
        begun = simulation.now()
        assert platform.environment.deploy().wait().ok
        took = (simulation.now() - begun).total_seconds()
        return simulation.events(), took


def test_a_driver_sleeps_in_virtual_time() -> None:
    events, took = run()
    assert took == 30
    assert sum(event["kind"] == "step.progress" or "thirty" in str(event.get("detail")) for event in events) >= 4


def test_the_same_seed_gives_the_same_events() -> None:
    first, _ = run(20)
    assert all(run(20)[0] == first for _ in range(5))


def test_plain_methods_sleep_too_and_fail() -> None:
    with orlop.Simulation(driver=Sleeper()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        web.deploy().wait()
        begun = simulation.now()
        assert web.restart().wait().ok
        assert (simulation.now() - begun).total_seconds() == 45
        stopped = web.stop().wait()
        assert (stopped.ok, web.state) == (False, "STOP_ERROR")
        assert [failure.reason for failure in stopped.failures()] == ["the volume is busy"]
        assert (simulation.now() - begun).total_seconds() == 55


def test_a_cancel_ends_a_sleep() -> None:
    class Long(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await step.sleep(3000)

        def restart(self, step: orlop.Step) -> None:
            step.sleep(3000)

    others = threading.active_count()
    with orlop.Simulation(driver=Long()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        run = web.deploy()
        simulation.clock.advance(seconds=60)
        platform.environment.cancel()
        assert run.wait().state == "CANCELED"
        assert simulation.now().minute == 1
        simulation.clock.advance(seconds=1)
        assert threading.active_count() < others + 50


def test_rules_are_refused_where_the_driver_is_the_hosts() -> None:
    with orlop.Simulation(driver=Sleeper()) as simulation, pytest.raises(orlop.Conflict):
        simulation.rules.add(after="3s")


def test_a_sleep_outside_of_a_simulation_takes_real_time() -> None:
    class Short(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await step.sleep(0.01)

        def cluster_create(self, step: orlop.Step) -> None:
            step.sleep(0.01)

    with orlop.Engine(driver=Short()) as engine:
        platform = furnish(engine)
        web = platform.container()
        assert web.deploy().wait(timeout=20).ok


def test_one_closes_while_steps_sleep() -> None:
    simulation = orlop.Simulation(driver=Sleeper())
    platform = furnish(simulation)
    platform.container().deploy()
    simulation.clock.advance(seconds=1)
    simulation.close()
