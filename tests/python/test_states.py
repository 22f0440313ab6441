"""Setting the states of a simulation, and holding resources in them."""

from __future__ import annotations

from typing import Any

import pytest

import orlop
from conftest import Platform, furnish
from test_serve import call


def test_a_state_is_set_and_left(platform: Platform) -> None:
    simulation, web = platform.engine, platform.container()
    assert isinstance(simulation, orlop.Simulation)
    simulation.set_state(web, "RECAP")
    assert web.state == "RECAP"
    simulation.clock.advance(minutes=30)
    assert web.state == "RECAP"
    simulation.advance(web)
    assert web.state == "DEPLOYED"
    simulation.set_state(web, "UNAVAILABLE", lasts="10m")
    simulation.clock.advance(minutes=9)
    assert web.state == "UNAVAILABLE"
    simulation.clock.advance(minutes=1)
    assert web.state == "DEPLOYED"
    simulation.set_state(web, "DEPLOYING")
    simulation.clock.advance(hours=2)
    assert web.state == "DEPLOYMENT_ERROR"


def test_a_state_is_set_over_http() -> None:
    with orlop.Simulation() as simulation, simulation.serve() as url:
        platform = furnish(simulation)
        web = platform.container()
        assert call(url, "POST", "/-/sim/state", {"resource": web.id, "state": "STOPPING"}) == (204, None)
        assert call(url, "GET", f"/container/{web.id}/status")[1]["state"] == "STOPPING"
        status, refused = call(url, "POST", "/-/sim/state", {"resource": web.id, "state": "BUILDING"})
        assert (status, refused["message"]) == (
            409,
            'container "web" cannot be BUILDING: it is not built: only services from a git repository are',
        )


def test_the_cluster_of_an_environment_is_deployed_first() -> None:
    with orlop.Simulation() as simulation:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        shop = organization.projects.create(name="shop").environments.create(name="production", cluster_id=cluster.id)
        stock = shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
        simulation.set_state(stock, "DEPLOYED")
        assert (stock.state, cluster.state()["status"]) == ("DEPLOYED", "DEPLOYED")


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("", 'state must be a state of the resource such as BUILDING, not ""'),
        ("recap", 'the nearest known one is "RECAP"'),
        ("X" * 70_000, "state must be a state of the resource"),
    ],
)
def test_a_wrong_state_is_named(platform: Platform, state: str, said: str) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    with pytest.raises(orlop.Misuse, match=said):
        platform.engine.set_state(platform.container(), state)


@pytest.mark.parametrize("state", ["DEPLOYED", "RECAP"])
def test_a_state_that_is_not_reached_leaves_nothing_under_way(platform: Platform, state: str) -> None:
    simulation, web = platform.engine, platform.container()
    assert isinstance(simulation, orlop.Simulation)
    simulation.capacity(platform.cluster, nodes=0, cpu=1, memory=1024)
    with pytest.raises(
        orlop.Conflict, match=f'container "web" could not be brought into {state}: it was WAITING_RUNNING'
    ):
        simulation.set_state(web, state)
    assert web.state == "CANCELED" and simulation.run_until_idle() == 0
    simulation.capacity.clear()
    simulation.set_state(web, state)
    assert web.state == state


def test_requests_of_a_held_environment_are_queued(platform: Platform) -> None:
    simulation, web = platform.engine, platform.container()
    assert isinstance(simulation, orlop.Simulation)
    simulation.hold(platform.environment, lasts="1h")
    platform.environment.deploy()
    simulation.clock.advance(minutes=59)
    assert web.state == "QUEUED"
    simulation.clock.advance(minutes=1)
    assert web.state == "DEPLOYED"
    with pytest.raises(orlop.Conflict):
        simulation.advance(platform.environment)


def test_rules_match_by_stage_and_collect_results(platform: Platform) -> None:
    simulation, web = platform.engine, platform.container()
    assert isinstance(simulation, orlop.Simulation)
    simulation.rules.add(stage="CONTAINER*", after="2m", recap_after="1m")
    simulation.rules.add(stage="JOB*", fails="never")
    platform.environment.deploy()
    simulation.clock.advance(seconds=90)
    assert web.state == "RECAP"
    simulation.run_until_idle()
    states = [
        event["kind"]
        for event in simulation.events.where(subject=web)
        if event["kind"] in ("service.deploying", "service.recap", "service.deployed")
    ]
    assert states == ["service.deploying", "service.recap", "service.deployed"]


@pytest.mark.parametrize("lasts", ["", -1, float("nan"), True, [], "soon", 1e300])
def test_a_time_that_is_none_is_named_as_it_was_given(platform: Platform, lasts: Any) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    for call in (
        simulation.hold,
        lambda of, **given: simulation.set_state(of, "DEPLOYING", **given),
        simulation.capacity.lose,
    ):
        with pytest.raises(orlop.Misuse, match="^lasts must be "):
            call(platform.cluster, lasts=lasts)
    for nodes in (0, -1, 1.5, "1", None, True):
        with pytest.raises(orlop.Misuse, match="^nodes must be a whole number of 1 to 10000, not "):
            simulation.capacity.lose(platform.cluster, nodes)  # type: ignore[arg-type]


def test_a_refused_state_leaves_all_as_it_was() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        web, worker = platform.container(), platform.container("worker")
        simulation.rules.add(step="deploy", after="1m")
        web.deploy()
        simulation.tick()
        worker.deploy()
        events = simulation.last_event
        with pytest.raises(orlop.Conflict, match='the environment of container "worker" is busy'):
            simulation.set_state(worker, "RECAP")
        assert (worker.state, simulation.last_event) == ("DEPLOYMENT_QUEUED", events)
        simulation.set_state(worker, "CANCELED")
        assert (web.state, worker.state) == ("DEPLOYING", "CANCELED")
        simulation.run_until_idle()
        simulation.rules.add(step="cluster_update", after="1m")
        platform.cluster.edit(description="larger")
        platform.cluster.deploy()
        simulation.tick()
        events = simulation.last_event
        with pytest.raises(orlop.Conflict, match="an environment is linked to it"):
            simulation.set_state(platform.cluster, "DELETED")
        assert (platform.cluster.state()["status"], simulation.last_event) == ("DEPLOYING", events)
