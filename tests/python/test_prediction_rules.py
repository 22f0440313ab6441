"""The rules that a prediction derives from a history: shared by services, and for single services."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.simulation.prediction.history import History, rules_of
from orlop.simulation.prediction.forks import _KINDS, _Fork, _read, _services
from orlop.simulation.prediction.prediction import PredictedRun, PredictedService, Prediction
from orlop.simulation.traces.states import Subject
from orlop.simulation.traces.subjects import services_of


def subjects(count: int, family: str = "container") -> dict[str, Subject]:
    return {
        f"{family} {number}": Subject(family, f"{family}-{number}", "production", "CONTAINERS")
        for number in range(count)
    }


def ended_steps(services: Iterable[str], each: int, failed: int = 0, kind: str = "deploy") -> list[dict[str, Any]]:
    """Returns events of steps; the first `failed` steps of each service fail. The durations are 1 s, 2 s, …"""
    found: list[dict[str, Any]] = []
    for service in services:
        for number in range(each):
            shared = {"subject": service, "sequence": len(found)}
            detail = (
                {"kind": kind, "status": "ERROR", "reason": f"reason {number % 2}"}
                if number < failed
                else {"kind": kind, "status": "SUCCESS"}
            )
            found.append({**shared, "kind": "step.started", "at": "2026-01-01T12:00:00.000Z"})
            found.append(
                {
                    **shared,
                    "kind": "step.ended",
                    "at": f"2026-01-01T12:{len(found) // 2 % 60:02}:01.000Z",
                    "detail": detail,
                }
            )
    return found


def numbers_in(rules: Iterable[dict[str, Any]]) -> int:
    return sum(len(rule["after"]["values"]) for rule in rules)


@pytest.mark.parametrize(("each", "failed"), [(2, 0), (7, 0), (7, 1), (12, 0), (500, 1)])
def test_rules_grow_with_the_services(each: int, failed: int) -> None:
    """Shared rules are written once, whatever the history: each service has at most two rules for itself, with its
    durations."""
    for count in (10, 40):
        services = subjects(count)
        rules = rules_of(History(ended_steps(services, each, failed)), services)
        own = each - failed if each - failed >= 8 else 0
        assert len(rules) <= 2 + 2 * count
        assert numbers_in(rules) <= 2 * 400 + count * (min(own, 400) + max(10, failed))
        assert len([rule for rule in rules if "name" not in rule]) == 2, "one of all, one of the family"


def test_a_family_that_never_did_a_step_has_two_rules() -> None:
    services = {**subjects(30), **subjects(50, "database")}
    rules = rules_of(History(ended_steps(subjects(30), 2, 1)), services)
    assert [rule["rule"] for rule in rules if rule.get("kind") == "database"] == ["failing deploy of database"]


def test_the_history_is_read_once_for_all_services() -> None:
    class Counted(dict[Any, Any]):
        walks = 0

        def items(self) -> Any:
            self.walks += 1
            return super().items()

    walks = []
    for count in (5, 50):
        services = subjects(count)
        history = History(ended_steps(services, 3, 1))
        history.by_service = counted = Counted(history.by_service)
        rules_of(history, services)
        _services(
            [PredictedRun(0, 1.0, "DEPLOYED", (), (), dict.fromkeys(services, 1.0))],
            services,
            history.ended({"deploy"}),
        )
        walks.append(counted.walks)
    assert walks[0] == walks[1] <= 3


def test_rules_say_what_a_service_did_itself() -> None:
    services = subjects(3)
    first, second, third = services
    history = History([*ended_steps([first], 20, 5), *ended_steps([second], 4)])
    of_service = {rule["rule"]: rule for rule in rules_of(history, services)}
    failing = of_service["failing deploy of container-0"]
    general = (5 + 0.5) / (24 + 1)
    assert (
        failing["probability"] == pytest.approx((5 + 10 * general) / 30, abs=1e-6)
        and failing["fails"] == "reason 0"
        and len(failing["after"]["values"]) == 5
    )
    assert len(of_service["deploy of container-0"]["after"]["values"]) == 15
    assert of_service["failing deploy of container-1"]["probability"] == pytest.approx(10 * general / 14, abs=1e-6)
    assert of_service["failing deploy of container-2"]["probability"] == pytest.approx(general, abs=1e-6)
    assert "deploy of container-1" not in of_service and len(of_service["deploy of container"]["after"]["values"]) == 19
    assert third in services and of_service["failing deploy of container-2"]["after"] == failing["after"], (
        "five are few: all of them are kept"
    )


def test_failures_that_a_service_never_had_are_a_few_typical_ones() -> None:
    services = subjects(2)
    failing = [
        rule
        for rule in rules_of(History(ended_steps(["container 0"], 100)), services)
        if rule["rule"] == "failing deploy of container-1"
    ]
    values = failing[0]["after"]["values"]
    every = sorted(steps := History(ended_steps(["container 0"], 100)).of_all["deploy"].succeeded)
    assert len(values) == 10 and values == sorted(values) and set(values) <= set(steps)
    assert abs(sum(values) / 10 - sum(every) / 100) < 0.05 * every[-1]


def test_a_step_that_runs_already_does_not_fail() -> None:
    """A draw for it is the same in each run: all would fail, or none."""
    with orlop.Simulation(seed=1000) as simulation:
        platform = furnish(simulation)
        for number in range(10):
            platform.container(f"service {number}")
        simulation.rules.add(step="deploy", every=2, after="30s", fails="no connection")
        for _ in range(3):
            platform.environment.redeploy().wait()
        simulation.rules.clear()
        simulation.rules.add(step="deploy", after="1h")
        running = platform.environment.redeploy()
        simulation.clock.advance(seconds=10)
        events = platform.environment.predict("redeploy", runs=2)._traces[0].events
        ended = [
            event["detail"]["status"]
            for event in events
            if event["kind"] == "step.ended" and event["request"] == running.id
        ]
        assert ended == ["SUCCESS"] * 10


@pytest.mark.parametrize("action", ["redeploy", "stop"])
def test_a_run_reads_the_events_that_it_needs(action: str) -> None:
    with orlop.Simulation(seed=1000) as simulation:
        platform = furnish(simulation)
        for number in range(10):
            platform.container(f"service {number}")
            name, url = f"application {number}", "https://github.com/acme/shop.git"
            platform.environment.applications.create(
                name=name, healthchecks={}, git_repository={"url": url, "provider": "GITHUB"}
            )
        simulation.rules.add(after=orlop.uniform("10s", "60s"))
        simulation.rules.add(step="build", every=15, after="30s", fails="no connection")
        for _ in range(5):
            platform.environment.redeploy().wait()
        services = services_of(platform.environment)
        fork = _Fork(
            simulation.snapshot(),
            platform.environment,
            action,
            rules_of(History(simulation.events()), services),
            services,
        )
        found = [fork.run(seed) for seed in range(20)]
        every = [fork._events(seed) for seed in range(20)]
        assert found == [_read(seed, *run, services) for seed, run in enumerate(every)]
        canceled = sum(
            event["kind"] == "service.canceled" and event["subject"] in run.took
            for run, (events, _, _) in zip(found, every, strict=True)
            for event in events
        )
        assert {run.state for run in found} >= (
            {"DEPLOYED", "BUILD_ERROR"} if action == "redeploy" else {"STOPPED"}
        ) and (canceled > 0) == (action == "redeploy")
        assert sum(len(fork._events(seed, _KINDS)[0]) for seed in range(20)) < 0.7 * sum(len(run[0]) for run in every)


def test_the_critical_path_is_what_most_runs_wait_for() -> None:
    services = [PredictedService(name, name, "container", "CONTAINERS", 0.0, 0.0, {}, 0) for name in ("a", "b", "c")]
    runs = [PredictedRun(number, 1.0, "DEPLOYED", (), (name,), {}) for number, name in enumerate("cbbcac")]
    assert Prediction("production", "deploy", runs, services, 0, []).critical_path == ["c"]
    assert Prediction("production", "deploy", runs[:5], services, 0, []).critical_path == ["b"], (
        "of equally many the first by name"
    )
