"""Conditions at every instant of a run: counts that follow the changes equal counts of all items, at a cost in
proportion to the changes."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import orlop
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play
from orlop.simulation.traces.conditions import Condition
from orlop.simulation.traces.states import Instant, Question, Subject, instants
from test_scenarios import SMALL

SCENARIOS = Path(__file__).parents[2] / "examples" / "scenarios"
RUNS = ["flaky_registry.yml", "month_of_previews.yml", "region_losing_nodes.yml", "whole seconds"]
GROUPS = ("services", "environments", "clusters", "deployments")
PARTS = [
    "state == 'DEPLOYING'",
    "stuck('40s')",
    "lasts('1m') and state != 'DEPLOYED'",
    "seconds > 45",
    "30 <= seconds < 90",
    "seconds == 0",
    "not stuck(20) or seconds >= 100.5",
    "like(name, '*-1') and not (state == 'READY' or lasts('2m'))",
    "running == 'ERROR'",
    "nodes < 2",
    "seconds * 2 > 90",
]


def changes(subjects: Sequence[str], at: int, state: str) -> list[dict[str, Any]]:
    time = f"2026-01-01T00:{at // 60:02}:{at % 60:02}.000Z"
    return [{"at": time, "kind": f"service.{state.lower()}", "subject": subject, "to": state} for subject in subjects]


@functools.cache
def run_of(name: str) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Subject]]:
    """Returns the events of a scenario, or events at whole seconds, so that bounds are met exactly."""
    if name != "whole seconds":
        found = play(document.read(str(SCENARIOS / name)), 5, "names")
        return found.events, found.subjects
    draws = random.Random(3)
    events: list[dict[str, Any]] = []
    for at in range(0, 900, 5):
        events += changes([f"web-{draws.randrange(4)}"], at, draws.choice(["READY", "DEPLOYING", "DEPLOYED"]))
    return events, {}


def asked_of_every_item(instant: Instant, question: Question) -> int:
    return sum(bool(question.part(instant, item)) for item in instant._items[question.group].values())


def values(text: str, name: str) -> list[Any]:
    events, subjects = run_of(name)
    condition = Condition(text)
    return [condition._holds(instant, None) for instant in instants(events, subjects)]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", RUNS)
def test_what_is_counted_is_what_a_look_at_every_item_finds(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{group}.count({part}) * 4 + {group}.any({part}) * 2 + {group}.all({part})" for group in GROUPS]
    found = [values(text, name) for text in texts]
    monkeypatch.setattr(Instant, "count", asked_of_every_item)
    assert found == [values(text, name) for text in texts]
    assert len(found[0]) > 20


@pytest.mark.parametrize("part", PARTS)
def test_each_of_these_conditions_is_true_and_false_of_something(part: str) -> None:
    assert {value for name in RUNS for group in GROUPS for value in values(f"{group}.any({part})", name)} == {
        True,
        False,
    }


@pytest.mark.parametrize("group", ["environments", "deployments"])
@pytest.mark.parametrize(
    "part", ["state == 'STOPPING'", "'STOPPING' != state", "name == 'x' and not state in ('DEPLOYED', 'STOPPING')"]
)
def test_a_state_that_a_request_never_has_is_refused(group: str, part: str) -> None:
    with pytest.raises(
        orlop.Misuse,
        match=f"{group} are DEPLOYING, whatever it does, and never STOPPING; ask for 'DEPLOYING', or services.any",
    ):
        Condition(f"services.any(state == 'STOPPING') or {group}.any({part})")
    Condition(f"{group}.any(state in ('QUEUED', 'DEPLOYING', 'STOPPED', 'CANCELED')) or clusters.any({part})")


def test_environments_of_one_name_have_their_own_deployments() -> None:
    at = "2026-01-01T00:00:00.000Z"
    kinds = [("queued", "d1", "e1"), ("queued", "d2", "e2"), ("started", "d1", "e1"), ("ended", "d1", "e1")]
    events = [
        {"at": at, "kind": f"deployment.{change}", "subject": subject, "owner": owner, "to": "DEPLOYED"}
        for change, subject, owner in kinds
    ]
    subjects = {id: Subject("environment", "production", "production") for id in ("e1", "e2")}
    last = list(instants(events, subjects))[-1]
    assert {id: item.state for id, item in last._items["environments"].items()} == {"e1": "DEPLOYED", "e2": "QUEUED"}
    assert [item.environment for item in last._items["deployments"].values()] == ["production"]


def test_the_cost_follows_what_changes() -> None:
    services = [f"s{number}" for number in range(1000)]
    events = changes(services, 0, "READY")
    for at in range(1, 501):
        events += changes([services[at]], at, "DEPLOYING" if at % 2 else "DEPLOYED")
    looks = 0

    def part(_: Instant, item: Any) -> bool:
        nonlocal looks
        looks += 1
        return item is not None and item.state == "DEPLOYING"

    question = Question("services", part, (3600.0,))
    found = [instant.count(question) for instant in instants(events, {})]
    assert found[-1] == 250 and len(found) == 1002
    assert looks == 1500  # each item once, and each changed one once more; reading every item would be a million


@pytest.mark.parametrize(
    ("statement", "is_ok"),
    [
        ("always: services.count() == 2 and environments.count() == 1 and clusters.count() == 1", True),
        ("eventually: \"clusters.all(state == 'DEPLOYED') and services.all(state == 'READY') and time == 0\"", True),
        ("never: \"services.any(name == 'db-2')\"", False),
        ("always: time == 0 or time >= 600", True),
        ("never: \"services.any(stuck('41m'))\"", True),
        ("never: \"services.any(stuck('39m'))\"", False),
        ("eventually: time == 3000", True),
    ],
)
def test_what_the_setup_made_exists_from_the_beginning_to_the_end(statement: str, is_ok: bool) -> None:
    text = SMALL.replace("{deploy: production}", "{at: 10m, deploy: production}\n  - {at: 10m, hold: db-1}").replace(
        "deployments_end_within: 20m", statement
    )
    outcome = play(document.parse(("until: 50m\n" + text).encode()), 3).outcome
    assert (not outcome.failed) == is_ok, outcome


def test_a_run_without_actions_has_an_instant() -> None:
    text = SMALL.replace("actions:\n  - {deploy: production}\n", "").replace(
        "deployments_end_within: 20m", "eventually: services.count() == 2 and time == 0"
    )
    assert not play(document.parse(text.encode()), 3).outcome.failed
