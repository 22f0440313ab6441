"""A driver of the host in virtual time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import threading
import warnings
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest

import orlop
from conftest import furnish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Sleeper(orlop.Driver):
    """Sleeps by every function for that."""

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
        assert [failure.reason for failure in stopped.failures()] == [
            "RuntimeError: the volume is busy (test_virtual_driver.py:46 in stop)"
        ]
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


FROM_INSIDE = {
    "tick": lambda simulation: simulation.tick(),
    "advance": lambda simulation: simulation.clock.advance(seconds=5),
    "run_until_idle": lambda simulation: simulation.run_until_idle(),
    "wait": lambda simulation: next(iter(simulation.organizations.list())).clusters.find("europe").deploy().wait(),
    "snapshot": lambda simulation: simulation.snapshot(),
    "fork": lambda simulation: simulation.fork(),
    "close": lambda simulation: simulation.close(),
    "capacity": lambda simulation: simulation.capacity("x", nodes=1),
    "expect": lambda simulation: orlop.expect(simulation).eventually(lambda: True),
    "drain": lambda simulation: simulation.drain(),
    "POST clock": lambda simulation: simulation.request("POST", "/-/sim/clock?why=not", {"advance": "5s"}),
    "POST state": lambda simulation: simulation.request("POST", "/-/sim/state", {"resource": "x"}),
    "POST record": lambda simulation: simulation.request("POST", "/-/sim/record", {"record": "all"}),
    "DELETE capacity": lambda simulation: simulation.request("DELETE", "/-/sim/capacity"),
    "GET snapshot": lambda simulation: simulation.request("GET", "/-/sim/snapshot"),
    "latency": lambda simulation: simulation.request(
        "GET", "/organization", headers={"x-orlop-fault": '{"latency": "2s"}'}
    ),
    "PUT snapshot": lambda simulation: simulation.request("PUT", "/-/sim/snapshot", b""),
}


@pytest.mark.parametrize("call", FROM_INSIDE.values(), ids=FROM_INSIDE)
@pytest.mark.parametrize("is_plain", [False, True])
def test_a_method_that_waits_for_its_own_simulation_is_refused(call: Any, is_plain: bool) -> None:
    class Plain(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            assert simulation.request("GET", "/organization").status == 200
            call(simulation)

    class Awaited(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            assert simulation.request("GET", "/organization").status == 200
            call(simulation)

    with orlop.Simulation(driver=Plain() if is_plain else Awaited()) as simulation:
        platform = furnish(simulation)
        platform.container()
        run = platform.environment.deploy().wait()
        assert [failure.reason for failure in run.failures()] == [
            "a method of the driver may not move, control, save, restore or close its simulation: time stands "
            "while the method runs"
        ]


def test_what_a_method_hands_to_a_thread_is_waited_for() -> None:
    class Threads(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await asyncio.to_thread(threading.Event().wait, 0.01)
            assert await asyncio.get_running_loop().run_in_executor(None, pow, 2, 3) == 8
            await step.sleep(5)
            await asyncio.to_thread(int, "x")

    with orlop.Simulation(driver=Threads()) as simulation:
        platform = furnish(simulation)
        platform.container()
        begun = simulation.now()
        run = platform.environment.deploy().wait()
        (failure,) = run.failures()
        assert failure.reason.startswith(
            "ValueError: invalid literal for int() with base 10: 'x' (test_virtual_driver.py:"
        )
        assert (simulation.now() - begun).total_seconds() == 5


def test_a_method_may_ask_its_simulation_what_does_not_wait() -> None:
    class Asks(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            for what in ("clock", "capacity", "record", "faults"):
                assert simulation.request("GET", f"/-/sim/{what}").status == 200

    with orlop.Simulation(driver=Asks()) as simulation, orlop.Simulation() as other:
        platform = furnish(simulation)
        platform.container()
        assert platform.environment.deploy().wait().ok
        assert other.request("POST", "/-/sim/clock", {"advance": "5s"}).status == 200
        with pytest.raises(orlop.Misuse, match="path must be"):
            simulation.request("GET", 5)  # type: ignore[arg-type]


def canceled(simulation: orlop.Simulation) -> float:
    """Returns the virtual seconds that `run_until_idle` takes after a step was canceled."""
    platform = furnish(simulation)
    platform.container().deploy()
    simulation.clock.advance(seconds=60)
    platform.environment.cancel()
    return simulation.run_until_idle()


@pytest.mark.parametrize("is_plain", [False, True])
def test_nothing_waits_for_a_sleep_that_was_canceled(is_plain: bool) -> None:
    class Awaited(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await step.sleep(3000)

    class Plain(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            step.sleep(3000)

    with orlop.Simulation(driver=Plain() if is_plain else Awaited()) as simulation:
        assert canceled(simulation) == 0


class Tidy(orlop.Driver):
    """Sleeps during cleanup, too."""

    async def deploy(self, step: orlop.Step) -> None:
        try:
            await step.sleep(60)
        finally:
            await step.sleep(20)


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_method_that_uses_another_engine_that_is_closed_fails_its_step(is_plain: bool) -> None:
    other = orlop.Engine()
    other.close()

    class Awaited(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            other.tick()

    class Plain(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            other.tick()

    with orlop.Simulation(driver=Plain() if is_plain else Awaited()) as simulation:
        platform = furnish(simulation)
        platform.container()
        run = platform.environment.deploy().wait(timeout=10)
        assert [failure.reason for failure in run.failures()] == ["the engine was closed before this call"]


def restored(simulation: orlop.Simulation, snapshot: bytes) -> None:
    simulation.restore(snapshot)


def restored_by_request(simulation: orlop.Simulation, snapshot: bytes) -> None:
    simulation.request("PUT", "/-/sim/snapshot", bytes(snapshot)).check()


def restored_by_http(simulation: orlop.Simulation, snapshot: bytes) -> None:
    with simulation.serve() as url:
        assert (
            urlopen(
                Request(f"{url}/-/sim/snapshot", bytes(snapshot), {"content-type": "application/json"}, method="PUT"),
                timeout=30,
            ).status
            == 204
        )


@pytest.mark.parametrize("go_back", [restored, restored_by_request, restored_by_http])
@pytest.mark.parametrize("driver", [Sleeper, Tidy])
def test_nothing_waits_for_a_sleep_that_a_restore_took_back(
    driver: type[orlop.Driver], go_back: Callable[[orlop.Simulation, bytes], None]
) -> None:
    with orlop.Simulation(driver=driver()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        before = simulation.snapshot()
        web.deploy()
        simulation.clock.advance(seconds=1)
        go_back(simulation, before)
        assert simulation.run_until_idle() == 0


@pytest.mark.parametrize("seconds", [1e14, float("inf")])
def test_a_sleep_beyond_the_end_of_time_ends_with_its_step(seconds: float) -> None:
    class Endless(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await asyncio.sleep(seconds)

    with orlop.Simulation(driver=Endless()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        web.deploy()
        assert simulation.run_until_idle() == 3600
        assert web.state == "DEPLOYMENT_ERROR"


class Knows(Sleeper):
    """A driver with a reference to its simulation, as many have."""

    simulation: orlop.Simulation | None = None


@pytest.mark.parametrize("sleeps", [False, True])
def test_a_simulation_that_was_dropped_ends_with_a_warning(tmp_path: Path, sleeps: bool) -> None:
    others = set(threading.enumerate())
    driver = Knows()
    driver.simulation = orlop.Simulation(tmp_path / "dropped.db", driver=driver)
    platform = furnish(driver.simulation)
    if sleeps:
        platform.container().deploy()
        driver.simulation.clock.advance(seconds=1)
    with pytest.warns(ResourceWarning, match="a simulation with a driver was not closed"):
        del driver, platform
        gc.collect()
    for thread in set(threading.enumerate()) - others:
        thread.join(10)
    assert not set(threading.enumerate()) - others
    with orlop.Simulation(tmp_path / "dropped.db") as again:  # the driver had kept the store open
        assert again.last_event > 0


def test_a_simulation_that_was_closed_or_is_that_of_a_parent_ends_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with orlop.Simulation(driver=Sleeper()) as simulation:
            furnish(simulation).container().deploy()
            simulation.clock.advance(seconds=1)
            child = os.fork()
            if child == 0:
                with warnings.catch_warnings(record=True) as found:
                    warnings.simplefilter("always")
                    simulation.__del__()
                os._exit(len(found))
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            assert simulation.run_until_idle() == 29
        with orlop.Simulation(driver=Sleeper()) as simulation:
            furnish(simulation)
        del simulation
        gc.collect()


class Stubborn(orlop.Driver):
    """Catches its cancellation and continues."""

    async def deploy(self, step: orlop.Step) -> None:
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)


@pytest.mark.parametrize("is_canceled", [False, True])
def test_a_method_that_goes_on_after_its_cancel_does_not_keep_time_moving(is_canceled: bool) -> None:
    with orlop.Simulation(driver=Stubborn()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        web.deploy()
        simulation.clock.advance(minutes=5)
        if is_canceled:
            simulation.request(
                "POST", f"/environment/{platform.environment.id}/cancelDeployment", {"force_cancel": False}
            ).check()
        assert simulation.run_until_idle() <= 2 * 3600
        assert web.state == "DEPLOYMENT_ERROR"
