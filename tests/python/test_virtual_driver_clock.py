"""Faults that would stop the virtual clock of a simulation with a driver of the host, or advance it without need."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

import orlop
from conftest import furnish


ASKED = {
    "latency": lambda simulation: simulation.faults.add(operation="list_organization*", latency="2s"),
    "delay": lambda simulation: simulation.externals.add("list_branches", [{"name": "main"}], delay="2s"),
    "over": lambda simulation: simulation.externals.add("list_branches", error="API rate limit exceeded", over=1),
}


@pytest.mark.parametrize(
    "moved", [lambda simulation, run: simulation.run_until_idle(), lambda simulation, run: run.wait()]
)
def test_an_environment_that_its_own_driver_deploys_at_once_is_named(moved: Any) -> None:
    class Again(orlop.Driver):
        count = 0

        def deploy(self, step: orlop.Step) -> None:
            self.count += 1
            assert self.count < 10_000, "for ever"
            simulation.request("POST", f"/environment/{step.owner}/deploy").check()

    with orlop.Simulation(driver=Again()) as simulation:
        platform = furnish(simulation)
        platform.container()
        run = platform.environment.deploy()
        with pytest.raises(
            orlop.DriverFailed,
            match='^the environment "production" is deployed again and again at 2026-01-01T00:00:00.000Z: '
            "more than 500 deployments of it have begun at this instant",
        ):
            moved(simulation, run)


def test_one_that_is_deployed_again_later_goes_on() -> None:
    class Again(orlop.Driver):
        count = 0

        def deploy(self, step: orlop.Step) -> None:
            step.sleep(60)
            self.count += 1
            simulation.request("POST", f"/environment/{step.owner}/deploy").check()

    driver = Again()
    with orlop.Simulation(driver=driver) as simulation:
        platform = furnish(simulation)
        platform.container()
        platform.environment.deploy()
        simulation.clock.advance(hours=12)
        assert driver.count in (719, 720)


@pytest.mark.parametrize("script", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("is_plain", [False, True])
def test_what_a_method_asks_is_answered_at_its_instant(script: Any, is_plain: bool) -> None:
    statuses = []

    def ask(simulation: orlop.Simulation) -> None:
        assert len(simulation.organizations) == 1
        statuses.append(
            [
                simulation.request("GET", "/account/github/repository/branch", query={"name": "acme/shop"}).status
                for _ in range(2)
            ]
        )

    class Plain(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            ask(simulation)
            step.sleep(5)
            ask(simulation)

    class Awaited(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            ask(simulation)
            await step.sleep(5)
            ask(simulation)

    with orlop.Simulation(driver=Plain() if is_plain else Awaited()) as simulation:
        platform = furnish(simulation)
        platform.container()
        simulation.externals.add("list_branches", [{"name": "main"}])
        script(simulation)
        begun = simulation.now()
        run = platform.environment.deploy().wait()
        assert run.ok and (simulation.now() - begun).total_seconds() == 5
        exceeded = simulation.events.where(kind="simulation.limit_exceeded")
        assert [*statuses, len(exceeded)] == ([[200, 502], [502, 502], 3] if exceeded else [[200, 200], [200, 200], 0])
        ask(simulation)
        assert (simulation.now() - begun).total_seconds() > 5 or exceeded, "outside of the driver it takes its time"


def test_nothing_waits_for_a_task_that_sleeps_beyond_the_end_of_time() -> None:
    class Keeps(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            self._kept = asyncio.create_task(asyncio.sleep(1e14))

    with orlop.Simulation(driver=Keeps()) as simulation:
        platform = furnish(simulation)
        platform.container().deploy()
        assert simulation.run_until_idle() == 0


def test_a_plain_method_that_takes_no_notice_of_a_cancel_ends() -> None:
    class Stubborn(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            while True:
                try:
                    step.sleep(60)
                except Exception:
                    step.progress("once more")

    with orlop.Simulation(driver=Stubborn()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        run = platform.environment.deploy()
        simulation.clock.advance(seconds=90)
        platform.environment.cancel()
        assert not run.wait().ok and web.state == "DEPLOYMENT_ERROR"
        (failure,) = run.failures()
        assert failure.reason.startswith(
            "SystemExit: the method goes on after its step was canceled (test_virtual_driver_clock.py:"
        )
        assert simulation.run_until_idle() == 0


def test_a_loop_of_short_sleeps_goes_on_in_time() -> None:
    class Impatient(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            ends = asyncio.get_running_loop().time() + 1
            while asyncio.get_running_loop().time() < ends:
                await asyncio.sleep(0.0001)

        def restart(self, step: orlop.Step) -> None:
            while simulation.now() < later:
                step.sleep(0.0001)

    with orlop.Simulation(driver=Impatient()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        assert web.deploy().wait().duration == 1
        later = simulation.now() + timedelta(seconds=2)
        assert web.restart().wait().duration == 2
