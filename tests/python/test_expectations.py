"""Expectations of a test on a simulation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

import orlop
from conftest import Platform


def simulated(platform: Platform) -> orlop.Simulation:
    assert isinstance(platform.engine, orlop.Simulation)
    return platform.engine


def test_a_state_comes_eventually_and_in_time(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", after="90s")
    web = platform.container()
    platform.environment.deploy()
    begin = simulation.now()
    orlop.expect(simulation).within("90s", web, "DEPLOYED")
    assert simulation.now() - begin == timedelta(seconds=90)
    web.deploy()
    orlop.expect(simulation).eventually(lambda: web.state == "DEPLOYING")
    assert simulation.now() - begin == timedelta(seconds=90)
    orlop.expect(simulation).eventually(web, "DEPLOYED")
    assert simulation.now() - begin == timedelta(seconds=180)


def test_an_expectation_that_fails_shows_what_happened(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", after="90s", fails="no route")
    web = platform.container()
    platform.environment.deploy()
    with pytest.raises(
        orlop.ExpectationFailed,
        match=r'the state "DEPLOYED" of container web did not come true within 89s \(seed 1, virtual time '
        r".*01:29\+00:00\)",
    ):
        orlop.expect(simulation).within("89s", web, "DEPLOYED")
    with pytest.raises(AssertionError, match="(?s)did not come true, and nothing is left to be done.*no route"):
        orlop.expect(simulation).eventually(web, "DEPLOYED")


def test_an_event_is_one_after_the_call(platform: Platform) -> None:
    simulation = simulated(platform)
    web = platform.container()
    web.deploy().wait()
    with pytest.raises(orlop.ExpectationFailed):
        orlop.expect(simulation).eventually(kind="service.deployed", subject=web.id)
    run = web.deploy()
    orlop.expect(simulation).eventually(kind="service.deployed", subject=web.id, request=run.id)


def test_never(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", after="90s")
    web = platform.container()
    web.deploy()
    orlop.expect(simulation).never(web, "DEPLOYED", within="80s")
    with pytest.raises(orlop.ExpectationFailed, match='the state "DEPLOYED" of container web came true'):
        orlop.expect(simulation).never(web, "DEPLOYED")
    orlop.expect(simulation).never(kind="service.deployment_error")


def test_a_cluster_has_a_state_too(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(kind="cluster", after="20m")
    platform.cluster.deploy()
    orlop.expect(simulation).within("20m", platform.cluster, "DEPLOYED")


def test_what_is_no_condition_is_refused(platform: Platform) -> None:
    expected = orlop.expect(simulated(platform))
    web = platform.container()
    calls: list[Callable[[], None]] = [
        lambda: expected.eventually(),
        lambda: expected.eventually(web, "DEPLOYED", kind="service.deployed"),
        lambda: expected.eventually(lambda: True, "DEPLOYED"),
        lambda: expected.eventually(None, "DEPLOYED"),
        lambda: expected.eventually(web),
        lambda: expected.within("soon", web, "DEPLOYED"),
    ]
    for call in calls:
        with pytest.raises(orlop.Misuse):
            call()


@pytest.mark.parametrize("member", ["subject", "request"])
@pytest.mark.parametrize("given", ["web", "0", False, b"", 3, [], None])
def test_an_id_that_no_event_can_have_is_refused(member: str, given: Any, platform: Platform) -> None:
    expected = orlop.expect(simulated(platform))
    for call in (expected.never, expected.eventually, simulated(platform).events.where):
        with pytest.raises(orlop.Misuse, match=f"{member} must be "):
            call(kind="service.*", **{member: given})


def test_ids_may_be_written_in_capitals(platform: Platform) -> None:
    web = platform.container()
    run = platform.environment.deploy()
    simulation = simulated(platform)
    orlop.expect(simulation).eventually(kind="service.deployed", subject=web.id.upper(), request=run.id.upper())
    assert len(simulation.events.where(kind="service.deployed", subject=web.id.upper())) == 1
    assert len(simulation.events.where(kind="service.deployed", subject=web, request=run.id.upper())) == 1


def test_events_are_found_by_their_members(platform: Platform) -> None:
    simulation = simulated(platform)
    web, worker = platform.container("web"), platform.container("worker")
    run = platform.environment.deploy().wait()
    simulation.run_until_idle()
    assert simulation.events() == simulation.events(0)
    assert [event["subject"] for event in simulation.events.where(kind="service.deployed")] == [web.id, worker.id]
    assert {event["kind"] for event in simulation.events.where(subject=web, request=run.id)} >= {
        "service.deploying",
        "service.deployed",
    }
    assert {event["subject"] for event in simulation.events.where(kind="service.*", subject=web.id)} == {web.id}
    assert simulation.events.where(kind="service.deployed", since=simulation.last_event) == []
    assert simulation.events.where(kind="service.stopped") == []


def test_in_order_follows_states_and_events(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    simulation.rules.add(step="deploy", after="1m")
    web = platform.container()
    platform.environment.deploy()
    begin = simulation.now()
    orlop.expect(simulation).in_order(
        (web, "DEPLOYING"), {"kind": "service.deployed", "subject": web.id}, lambda: web.state == "DEPLOYED"
    )
    assert (simulation.now() - begin).total_seconds() == 60
    web.stop()
    with pytest.raises(
        orlop.ExpectationFailed,
        match=r"after the state \"STOPPED\" of container web, the state \"DEPLOYED\" of container web did not "
        r"come true as step 2 of 2",
    ) as failed:
        orlop.expect(simulation).in_order((web, "STOPPED"), (web, "DEPLOYED"))
    assert "It is STOPPED. It was " in str(failed.value) and "container.created web" not in str(failed.value)
    # The right states in the wrong order.
    web.deploy()
    with pytest.raises(orlop.ExpectationFailed, match="step 2 of 2"):
        orlop.expect(simulation).in_order((web, "DEPLOYED"), (web, "DEPLOYING"))


def test_in_order_has_a_bound(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    simulation.rules.add(step="deploy", after="10m")
    web = platform.container()
    platform.environment.deploy()
    with pytest.raises(orlop.ExpectationFailed, match="step 2 of 2"):
        orlop.expect(simulation).in_order((web, "DEPLOYING"), (web, "DEPLOYED"), within="9m")
    orlop.expect(simulation).in_order((web, "DEPLOYING"), (web, "DEPLOYED"), within="2m")


def test_always_holds_or_says_when_it_did_not(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    simulation.rules.add(step="deploy", name="web", after="1m", fails="no space left")
    web, other = platform.container(), platform.container("other")
    platform.environment.deploy()
    orlop.expect(simulation).always(lambda: other.state != "DEPLOYMENT_ERROR", within="30s")
    with pytest.raises(
        orlop.ExpectationFailed, match='the state "DEPLOYING" of container web stopped being true'
    ) as failed:
        orlop.expect(simulation).always(web, "DEPLOYING")
    assert "It is DEPLOYMENT_ERROR. It was DEPLOYMENT_ERROR at 2026-01-01T00:01:00.000Z." in str(failed.value)
    assert "Its last failure: no space left" in str(failed.value)
    assert "service.deployment_error web" in str(failed.value)


def test_an_event_that_did_not_come_names_the_nearest_ones(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    web = platform.container()
    platform.environment.deploy()
    with pytest.raises(
        orlop.ExpectationFailed, match=r"Events that have one of these members: \d+, the last: .* step.ended web"
    ):
        orlop.expect(simulation).eventually(kind="service.stopped", subject=web.id)


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (lambda: True,),
        (lambda: True, 3),
        (lambda: True, {}),
        (lambda: True, {"knd": "x"}),
        (lambda: True, ("web", "DEPLOYED")),
    ],
)
def test_wrong_steps_are_named(steps: tuple[Any, ...], platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    with pytest.raises(orlop.Misuse, match="in_order must have at least 2 steps|step 2 must be a function"):
        orlop.expect(simulation).in_order(*steps)
    with pytest.raises(orlop.Misuse, match="what always holds must be"):
        orlop.expect(simulation).always(None)  # type: ignore[arg-type]


def test_what_could_only_hold_in_vain_is_refused(platform: Platform) -> None:
    simulation = simulated(platform)
    web = platform.container()
    expect = orlop.expect(simulation)
    for query in (orlop.expect(simulation).never, orlop.expect(simulation).eventually, simulation.events.where):
        with pytest.raises(
            orlop.Misuse,
            match=r"kind must be the kind of an event such as service\.deployed, or a pattern for some, not "
            r"'service\.eror'",
        ):
            query(kind="service.eror")
    with pytest.raises(
        orlop.Misuse, match="state must be a state such as DEPLOYED, not 'deployed'; the nearest known one is DEPLOYED"
    ):
        expect.never(web, "deployed")
    with pytest.raises(orlop.Misuse, match="must be a service, an environment or a cluster, not Organization"):
        expect.never(simulation.organizations.find("acme"), "DEPLOYED")

    async def never() -> bool:
        return False

    with pytest.raises(orlop.Misuse, match="must be a function that answers at once"):
        expect.eventually(never)
    engine: Any
    for engine in (None, orlop.AsyncSimulation.over(simulation)):
        with pytest.raises(
            orlop.Misuse,
            match=f"simulation must be an orlop.Simulation, such as sync of an AsyncSimulation, not "
            f"{type(engine).__name__}",
        ):
            orlop.expect(engine)


def test_the_kind_of_an_event_is_a_pattern(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", fails="no route")
    web = platform.container()
    web.deploy()
    with pytest.raises(orlop.ExpectationFailed, match="Events that have one of these members"):
        orlop.expect(simulation).never(kind="*_error")
    web.deploy()
    orlop.expect(simulation).in_order({"kind": "step.start*", "subject": web.id}, {"kind": "service.*error"})


def test_a_deleted_resource_is_in_the_state_deleted(platform: Platform) -> None:
    simulation = simulated(platform)
    web = platform.container()
    web.deploy().wait()
    simulation.rules.add(step="delete", after="90s")
    web.delete()
    with pytest.raises(orlop.ExpectationFailed, match='the state "DELETED" of container web came true'):
        orlop.expect(simulation).never(web, "DELETED")
    orlop.expect(simulation).eventually(web, "DELETED")


def test_what_goes_on_for_ever_is_not_waited_for(platform: Platform) -> None:
    simulation = simulated(platform)
    image: Any = {"image": {"image_name": "acme/report", "tag": "1", "registry_id": platform.registry.id}}
    platform.environment.jobs.create(
        name="report", source=image, schedule={"cronjob": {"scheduled_at": "0 * * * *"}}, healthchecks={}
    )
    platform.environment.deploy()
    orlop.expect(simulation).never(kind="*_error")
    assert simulation.run_until_idle() == 0
    with pytest.raises(
        orlop.ExpectationFailed, match="nothing is left to be done but what goes on for ever, such as cron jobs: within"
    ):
        orlop.expect(simulation).eventually(kind="*_error")
    orlop.expect(simulation).within("2h", kind="step.started")
