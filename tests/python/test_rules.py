"""Rules, transitions and packs of a simulation."""

from __future__ import annotations

from typing import Any

import pytest

import orlop
from conftest import Platform, furnish
from test_serve import call


def simulated(platform: Platform) -> orlop.Simulation:
    assert isinstance(platform.engine, orlop.Simulation)
    return platform.engine


def test_a_rule_takes_every_member(platform: Platform) -> None:
    rules = simulated(platform).rules
    given: dict[str, Any] = {
        "rule": "everything",
        "kind": "job",
        "step": "execute",
        "name": "nightly-*",
        "attempt": 2,
        "environment": "prod*",
        "mode": "PRODUCTION",
        "project": "shop",
        "organization": "acme",
        "cluster": "europe",
        "cloud": "AWS",
        "region": "eu-*",
        "labels": {"team": "shop"},
        "metadata": {"owner": "ann"},
        "where": {"cpu": 500},
        "probability": 0.5,
        "times": 3,
        "every": 2,
        "until": "2030-01-01T00:00:00.000Z",
        "delay": "2s",
        "after": orlop.lognormal("30s", sigma=0.4, most="5m"),
        "jitter": "1s",
        "outcome": "succeed",
        "outputs": {"HOST": "db"},
        "running": "RUNNING",
        "progress": [{"after": "1s", "text": "pulling"}],
        "log": [{"text": "begun"}],
        "contact_lost_after": orlop.exponential("5s"),
        "contact_back_after": orlop.uniform("10s", "20s"),
        "crash_after": orlop.normal("1h", "5m"),
        "cancel_after": orlop.empirical([1, 2.5, "4s"]),
    }
    rules.add(starts="2029-01-01T00:00:00.000Z", **given)
    assert rules.to_dict()["rules"] == [{**given, "from": "2029-01-01T00:00:00.000Z", "matched": 0, "applied": 0}]
    rules.add(step="deploy", weight=2, outcome="fail", fails="no route")
    assert [rule.get("weight") for rule in rules] == [None, 2]
    assert len(rules) == 2
    rules.clear()
    assert list(rules) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"weight": 0}, "rule.weight must be a number of more than 0, to 1000000000, not 0"),
        ({"probability": 2}, "rule.probability must be a number of 0 to 1, not 2"),
        ({"times": "often"}, 'rule.times must be a whole number of 0 to 4294967295, not "often"'),
        ({"after": {"distribution": "normal"}}, "rule.after.mean is required"),
        ({"labels": ["team"]}, r'rule.labels must be an object of patterns, not \["team"\]'),
        ({"outcome": "silence"}, 'rule.outcome must be succeed, fail, credentials_refused or hang, not "silence"'),
        ({"name": []}, r"rule.name must be text of at most 1024 bytes, not \[\]"),
        ({"times": False}, "rule.times must be a whole number of 0 to 4294967295, not false"),
        (
            {"starts": "2h", "until": "1h"},
            "rule.until must be later than starts, which is 2026-01-01T02:00:00.000Z, not 2026-01-01T01:00:00.000Z",
        ),
        (
            {"starts": ""},
            'rule.starts must be a time like 2026-01-01T12:00:00Z, or a duration from now like "2h", not ""',
        ),
        ({"probability": float("nan")}, "rule.probability must be a finite number, not nan"),
        (
            {"after": {"distribution": "lognormal", "median": 5, "sigma": float("inf")}},
            "rule.after.sigma must be a finite number, not inf",
        ),
        ({"name": "x" * 70_000}, "rule.name must be text of at most 1024 bytes, not "),
    ],
)
def test_a_wrong_member_is_named(given: dict[str, Any], said: str) -> None:
    with orlop.Simulation() as simulation, pytest.raises(orlop.Misuse, match=said):
        simulation.rules.add(**given)


def test_a_document_is_loaded_whole_or_not_at_all() -> None:
    with orlop.Simulation() as simulation:
        simulation.rules.load(
            {"rules": [{"step": "deploy", "after": "40s"}], "transitions": {"cluster": "25m"}, "pack": "realistic"}
        )
        whole = simulation.rules.to_dict()
        assert (len(whole["rules"]), whole["transitions"], whole["pack"]) == (1, {"cluster": "25m"}, "realistic")
        with pytest.raises(orlop.Misuse, match=r"rules\[1\].stpe is not a member of a rule"):
            simulation.rules.load({"rules": [{}, {"stpe": "deploy"}], "pack": "chaos"})
        with pytest.raises(orlop.Misuse, match="the document must be a mapping"):
            simulation.rules.load({"rule": []})
        assert simulation.rules.to_dict() == whole


def test_conditions_on_what_lies_above(platform: Platform) -> None:
    simulation = simulated(platform)
    staging = platform.project.environments.create(name="staging", cluster_id=platform.cluster.id, mode="STAGING")
    simulation.rules.add(
        step="deploy", environment="prod*", cloud="AWS", cluster="eur*", organization="acme", fails="no route"
    )
    platform.container()
    staging.containers.create(
        name="web", registry_id=platform.registry.id, image_name="acme/web", tag="1.0.0", healthchecks={}
    )
    assert not platform.environment.deploy().wait().ok
    assert staging.deploy().wait().ok


def test_transitions_are_manual_timed_or_counted(platform: Platform) -> None:
    simulation = simulated(platform)
    web, worker = platform.container("web"), platform.container("worker")
    simulation.transitions["container"] = "manual"
    platform.environment.deploy()
    simulation.clock.advance(minutes=30)
    assert (web.state, worker.state) == ("DEPLOYING", "DEPLOYING")
    simulation.advance(web)
    assert (web.state, worker.state) == ("DEPLOYED", "DEPLOYING")
    simulation.advance(worker.id)
    with pytest.raises(orlop.Conflict, match="waits to be advanced"):
        simulation.advance(web)
    simulation.transitions["container"] = "30s"
    assert web.deploy().wait().duration == pytest.approx(30, abs=0.1)
    simulation.transitions["container"] = "after 2 reads"
    web.deploy()
    states = [web.state for _ in range(4)]
    assert states[-1] == "DEPLOYED"
    assert "DEPLOYING" in states
    assert simulation.transitions.to_dict() == dict(simulation.transitions) == {"container": "after 2 reads"}
    assert (
        simulation.transitions == {"container": "after 2 reads"}
        and "cluster" not in simulation.transitions
        and simulation.transitions.get("cluster") is None
    )
    del simulation.transitions["container"]
    assert list(simulation.transitions) == []
    simulation.transitions["container"], simulation.transitions["cluster"] = 30, 1.5
    assert dict(simulation.transitions) == {"container": "30s", "cluster": "1500ms"}
    with orlop.Simulation(snapshot=simulation.snapshot()) as other:
        assert other.transitions == simulation.transitions
    simulation.transitions.clear()
    with pytest.raises(orlop.Misuse, match="transitions.container must be immediate, manual"):
        simulation.transitions["container"] = "sometimes"
    with pytest.raises(KeyError):
        del simulation.transitions["container"]


def test_a_workload_crashes_later(platform: Platform) -> None:
    simulation = simulated(platform)
    web = platform.container()
    simulation.rules.add(step="deploy", running="RUNNING", crash_after="2h")
    platform.environment.deploy().wait()
    begin = simulation.now()
    simulation.clock.advance(hours=1)
    changes = simulation.events.where(kind="service.running_changed", subject=web)
    assert [event["to"] for event in changes] == ["RUNNING"]
    orlop.expect(simulation).eventually(kind="service.running_changed", subject=web.id)
    assert (simulation.now() - begin).total_seconds() == 7200
    assert simulation.events.where(kind="service.running_changed", subject=web)[-1]["to"] == "ERROR"


def test_contact_is_lost_and_comes_back(platform: Platform) -> None:
    simulation = simulated(platform)
    platform.container()
    simulation.rules.add(
        rule="flaky network",
        step="deploy",
        after="1m",
        contact_lost_after="5s",
        contact_back_after="25s",
        progress=[{"after": "2s", "text": "pulling"}],
    )
    assert platform.environment.deploy().wait().ok
    texts = str(simulation.events())
    assert "pulling" in texts
    assert 'the rule "flaky network" decides about this step' in texts


def test_packs_give_durations_and_chaos() -> None:
    durations = set()
    for seed in range(5):
        with orlop.Simulation(seed=seed) as simulation:
            simulation.rules.pack("realistic")
            before = simulation.now()
            furnish(simulation)
            durations.add((simulation.now() - before).total_seconds())
    assert len(durations) == 5
    assert all(300 < seconds < 3600 for seconds in durations)  # a cluster of AWS takes about fifteen minutes
    with (
        orlop.Simulation() as simulation,
        pytest.raises(orlop.Misuse, match='pack must be instant, realistic or chaos, not "slow"'),
    ):
        simulation.rules.pack("slow")  # type: ignore[arg-type]


def chaotic(seed: int) -> tuple[str, bytes]:
    with orlop.Simulation(seed=seed) as simulation:
        platform = furnish(simulation)
        simulation.rules.pack("chaos")
        for number in range(20):
            platform.container(f"service-{number}")
        platform.environment.deploy()
        simulation.run_until_idle()
        return str(simulation.events()), simulation.snapshot()


def test_chaos_follows_from_the_seed() -> None:
    runs = [chaotic(seed) for seed in range(6)]
    assert runs == [chaotic(seed) for seed in range(6)]
    assert len({events for events, _ in runs}) == 6
    assert any("chaos: " in events for events, _ in runs)


def test_rules_are_part_of_a_snapshot() -> None:
    with orlop.Simulation(seed=3) as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", name="worker", after=orlop.lognormal("10m", 0.5), times=1)
        simulation.rules.add(step="deploy", every=2, fails="no route")
        platform.container("web")
        platform.container("worker")
        platform.environment.deploy()
        simulation.clock.advance(seconds=30)
        snapshot = simulation.snapshot()
        simulation.run_until_idle()
        events = simulation.events()
        rules = simulation.rules.to_dict()
    with orlop.Simulation(seed=3, snapshot=snapshot) as again:
        again.run_until_idle()
        assert again.events() == events
        assert again.rules.to_dict() == rules
    with orlop.Engine(snapshot=snapshot) as engine:
        assert len(engine.events()) < len(events)


def test_ten_thousand_rules_are_taken() -> None:
    with orlop.Simulation() as simulation:
        simulation.rules.load({"rules": [{"name": f"service-{number}", "after": "1s"} for number in range(10_000)]})
        simulation.rules.add(step="deploy", after="2s")
        platform = furnish(simulation)
        platform.container("service-7").deploy().wait()
        assert sum(rule["applied"] for rule in simulation.rules) == 1


def test_requests_wait_in_queued() -> None:
    with orlop.Simulation(seed=1) as simulation, simulation.serve() as url:
        platform = furnish(simulation)
        web = platform.container()
        rules = simulation.rules
        rules.add(rule="one at a time", environment=platform.environment.name, parallel=1)
        rules.add(rule="late", kind="environment", step="stop", name="*", queued="5m")
        rules.add(step="deploy", kind="container", after="10m")
        assert call(
            url,
            "POST",
            "/-/sim/rules",
            {"kind": "cluster", "queued": {"distribution": "uniform", "least": "1m", "most": "2m"}},
        ) == (204, None)
        assert [rule.get("parallel") for rule in rules] == [1, None, None, None]
        platform.environment.deploy()
        assert web.state == "DEPLOYMENT_QUEUED"
        other = platform.container("other")
        simulation.clock.advance(minutes=1)
        other.deploy()
        assert (web.state, other.state) == ("DEPLOYING", "QUEUED")
        assert call(url, "GET", f"/container/{other.id}/status")[1]["state"] == "QUEUED"
        simulation.run_until_idle()
        assert (web.state, other.state) == ("DEPLOYED", "DEPLOYED")
        platform.environment.stop()
        before = simulation.snapshot()
        assert web.state == "QUEUED"
        simulation.clock.advance(seconds=299)
        assert web.state == "QUEUED"
        simulation.restore(before)
        with simulation.fork() as fork:
            fork.run_until_idle()
            assert fork.request("GET", f"/container/{web.id}/status").json()["state"] == "STOPPED"
        assert web.state == "QUEUED"
        simulation.advance(web)
        assert web.state == "STOPPED"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"queued": "5m", "fails": "x"}, "rule.fails must be left out where queued or parallel is given"),
        ({"parallel": -1}, "rule.parallel must be a whole number"),
        ({"queued": "1m", "kind": "container"}, "rule.kind must be environment or cluster"),
        ({"kind": "environment"}, "rule.kind must be the family of a service or task"),
    ],
)
def test_a_rule_of_requests_that_does_not_fit_is_refused(given: dict[str, Any], said: str) -> None:
    with orlop.Simulation() as simulation, pytest.raises(orlop.Misuse, match=said):
        simulation.rules.add(**given)
