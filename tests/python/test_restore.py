"""Simulations that go back, in place, and fork."""

from __future__ import annotations

import pickle

import pytest

import orlop
from conftest import Platform, furnish


def simulated(platform: Platform) -> orlop.Simulation:
    assert isinstance(platform.engine, orlop.Simulation)
    return platform.engine


def test_a_simulation_goes_back_and_does_the_same_again(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", after=orlop.lognormal("40s", sigma=0.4), fails="flaky", times=1)
    web = platform.container()
    before = simulation.snapshot()
    at, events = simulation.now(), simulation.events()

    def go_on() -> list[dict[str, object]]:
        platform.environment.deploy().wait()
        platform.environment.deploy().wait()
        platform.container("later")
        simulation.rules.clear()
        simulation.faults.add(status=503, operation="list_organization")
        simulation.clock.advance(hours=3)
        return simulation.events()

    first = go_on()
    assert web.state == "DEPLOYED"
    simulation.restore(before)
    assert (simulation.now(), simulation.events(), web.state) == (at, events, "READY")
    assert len(simulation.rules) == 1
    assert list(simulation.faults) == []
    assert go_on() == first
    simulation.restore(before)
    assert go_on() == first


def test_running_steps_go_on_where_they_were(platform: Platform) -> None:
    simulation, web = simulated(platform), platform.container()
    simulation.rules.add(step="deploy", after="100s")
    simulation.transitions["cluster"] = "manual"
    run = web.deploy()
    simulation.clock.advance(seconds=10)
    platform.cluster.deploy()
    simulation.clock.advance(seconds=30)
    middle = simulation.snapshot()
    for _ in range(3):
        assert web.state == "DEPLOYING"
        simulation.clock.advance(seconds=59)
        assert web.state == "DEPLOYING"
        simulation.clock.advance(seconds=1)
        assert web.state == "DEPLOYED"
        simulation.advance(platform.cluster)
        assert platform.cluster.state()["status"] == "DEPLOYED"
        simulation.restore(middle)
        assert platform.cluster.state()["status"] == "DEPLOYING"
    assert run.id


def test_a_snapshot_is_bytes_of_then(platform: Platform) -> None:
    simulation = simulated(platform)
    before = simulation.snapshot()
    platform.container()
    assert bytes(before) == before
    assert memoryview(before).nbytes == len(before)
    assert b'"web"' not in bytes(before)
    assert b'"web"' in bytes(simulation.snapshot())
    assert pickle.loads(pickle.dumps(before)) == before
    with orlop.Simulation(seed=1, snapshot=before) as second:
        assert second.events() == simulation.events()[: len(second.events())]


def test_a_later_snapshot_is_gone(platform: Platform) -> None:
    simulation = simulated(platform)
    first = simulation.snapshot()
    platform.container()
    second = simulation.snapshot()
    simulation.restore(second)
    simulation.restore(first)
    with pytest.raises(orlop.Conflict, match="taken by another simulation, or after one that has been restored since"):
        simulation.restore(second)
    simulation.restore(first)


def test_a_snapshot_of_another_simulation_is_taken_in_place(platform: Platform) -> None:
    simulation = simulated(platform)
    with orlop.Simulation(seed=9) as other:
        furnish(other).container("elsewhere")
        other.rules.pack("chaos")
        other.clock.advance(hours=5)
        simulation.restore(other.snapshot())
        assert simulation.now() == other.now()
        assert simulation.events() == other.events()
        assert simulation.rules.to_dict()["pack"] == "chaos"
        simulation.organizations.find("acme").projects.create(name="more")
    with pytest.raises(orlop.Misuse):
        simulation.restore(b"no snapshot")
    assert simulation.organizations.find("acme").projects.find("more").name == "more"


def test_a_fork_goes_its_own_way(platform: Platform) -> None:
    simulation, web = simulated(platform), platform.container()
    simulation.rules.add(step="deploy", after="1m")
    with simulation.fork() as second:
        assert second.events() == simulation.events()
        web.deploy().wait()
        assert second.request("GET", f"/container/{web.id}/status").json()["state"] == "READY"
        second.request("POST", f"/container/{web.id}/deploy")
        second.run_until_idle()
        assert second.events() == simulation.events()


def test_a_file_is_not_restored_in_place(tmp_path: object) -> None:
    with orlop.Simulation(f"sqlite:{tmp_path}/store.db") as simulation:
        before = simulation.snapshot()
        assert isinstance(before, bytes)
        with pytest.raises(orlop.Conflict, match="only a store in memory is restored in place"):
            simulation.restore(before)


def test_a_driver_of_the_host_goes_back_too() -> None:
    class Slow(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await step.sleep(100)

    with orlop.Simulation(driver=Slow()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        before = simulation.snapshot()
        web.deploy()
        simulation.clock.advance(seconds=50)
        simulation.restore(before)
        assert web.state == "READY"
        begun = simulation.now()
        assert web.deploy().wait().ok
        assert (simulation.now() - begun).total_seconds() == 100
