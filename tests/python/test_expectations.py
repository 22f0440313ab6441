"""What a test expects of a simulation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

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


def test_what_does_not_come_is_told_with_what_happened(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", after="90s", fails="no route")
    web = platform.container()
    platform.environment.deploy()
    with pytest.raises(orlop.ExpectationFailed, match=r'the state "DEPLOYED" of container web did not come true within 89s \(seed 1, virtual time .*01:29\+00:00\)'):
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


def test_events_are_found_by_their_members(platform: Platform) -> None:
    simulation = simulated(platform)
    web, worker = platform.container("web"), platform.container("worker")
    run = platform.environment.deploy().wait()
    simulation.run_until_idle()
    assert simulation.events() == simulation.events(0)
    assert [event["subject"] for event in simulation.events.where(kind="service.deployed")] == [web.id, worker.id]
    assert {event["kind"] for event in simulation.events.where(subject=web, request=run.id)} >= {"service.deploying", "service.deployed"}
    assert {event["subject"] for event in simulation.events.where(kind="service.*", subject=web.id)} == {web.id}
    assert simulation.events.where(kind="service.deployed", since=simulation.last_event) == []
    assert simulation.events.where(kind="nothing") == []
