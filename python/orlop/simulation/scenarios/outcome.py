"""The outcome of a run, and the check of its scenario's expectations."""

from __future__ import annotations

import math
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import ENDED_WELL, instant
from ...errors import Misuse
from ...options.arguments import milliseconds
from ...reporting.capacity_data import KINDS_OF_COST
from ...reporting.run_data import rule_of
from ..traces.conditions import condition_of, first_instant
from ..traces.states import instants
from .document import CONDITIONS
from .statistics import reaches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...base.engine_protocol import EngineWithObjects
    from ..traces.states import Instant, Subject
    from .document import Scenario

# Kinds that the store selects itself; other patterns are compared with each event.
_IS_QUERY = re.compile(r"[a-z_]+\.([a-z_]+|\*)").fullmatch
_DIGITS_OF_COST = 6
_KINDS_OF_FAILURE = (
    *(f"service.{verb}_error" for verb in ("build", "delete", "deployment", "restart", "stop")),
    "step.log",
)


class Run(NamedTuple):
    """A deployment of a run."""

    environment: str
    queued: float
    """Virtual seconds since 1970, as the other times."""
    started: float | None
    ended: float | None
    state: str
    request: str


class Failure(NamedTuple):
    """The first failure of a deployment that did not succeed."""

    rule: str
    """The rule that decided the step; "" if there was none."""
    reason: str


class Outcome(NamedTuple):
    """The outcome of a run."""

    seed: int
    failed: list[str]
    """The broken expectations, with what happened instead."""
    seconds: float
    """Virtual time that passed."""
    durations: list[float]
    """Seconds from request to end of each deployment."""
    succeeded: int
    refused: list[str]
    events: int
    broken: list[int]
    """Indexes of the broken expectations."""
    cost: float = 0.0
    """Cost of the nodes of all clusters with a price, over the run."""
    unmatched: list[str] = []
    """The rules of the file that matched no step, and the actions whose event did not occur."""
    failures: list[Failure] = []
    """Failures of the ended deployments that did not succeed."""


def outcome_of(
    scenario: Scenario,
    seed: int,
    events: Sequence[Mapping[str, Any]],
    count: int,
    subjects: Mapping[str, Subject],
    states: Mapping[str, str],
    refused: list[str],
    seconds: float,
    cost: float,
    begin: float,
    before: Sequence[Mapping[str, Any]],
) -> Outcome:
    """Compares a run of `count` events with the expectations; `events` holds at least those of `kinds_read`. Events
    `before` its `begin` belong to the setup."""
    runs = runs_of(events)
    # without `until`, deployments that have not ended may still succeed
    end = begin + seconds if "until" in scenario.data else math.inf
    ended = [run for run in runs if run.ended is not None]
    failed = []
    broken = []
    for index, expected in enumerate(scenario.data.get("expect", ())):
        condition = next((name for name in CONDITIONS if name in expected), None)
        try:
            said = (
                _condition_broken(
                    condition, expected[condition], instants(events, subjects, begin, before, begin + seconds)
                )
                if condition
                else _broken(expected, events, runs, states, refused, end)
            )
        except Misuse as error:
            at = f"expect[{index}].{condition}"
            # In a search the condition is an argument.
            raise (scenario.error(at, f"{at}: {error}") if at in scenario.marks else error) from None
        if "cost_at_most" in expected:
            said = _costly(expected, cost, seconds)
        if said:
            line, _ = scenario.marks[f"expect[{index}]"]
            broken.append(index)
            failed.append(f"{scenario.path}:{line}: expect[{index}]: {said}")
    durations = [_seconds(run, end) for run in ended]
    return Outcome(
        seed,
        failed,
        seconds,
        durations,
        sum(run.state in ENDED_WELL for run in ended),
        refused,
        count,
        broken,
        round(cost, _DIGITS_OF_COST),
    )


def unmatched_of(scenario: Scenario, rules: Iterable[Mapping[str, Any]], waiting: Iterable[int]) -> list[str]:
    """Returns the parts of the scenario that matched nothing: `rules` of the simulation, and actions that are still
    `waiting` for an event."""
    places: dict[str, list[str]] = {}  # paths of the rules with one name, in their order
    for index, rule in enumerate(scenario.data.get("rules", ())):
        places.setdefault(rule.get("rule", f"rules[{index}]"), []).append(f"rules[{index}]")
    known = [(places[rule["rule"]].pop(0), rule["matched"]) for rule in rules if places.get(rule.get("rule", ""))]
    found = [(place, "matched no step") for place, matched in known if matched == 0]
    found += [(f"actions[{index}]", "was not done: what it waits for did not happen") for index in waiting]
    return [f"{scenario.path}:{scenario.marks[place][0]}: {place} {said}" for place, said in found]


def _condition_broken(name: str, text: str, states: Iterator[Instant]) -> str:
    """Returns how the run breaks a condition; "" if it does not."""
    found = first_instant(condition_of(text), name != "always", states)
    if name == "eventually":
        return "" if found else f"{text} never came true"
    return found.said if found else ""


def runs_of(events: Sequence[Mapping[str, Any]]) -> list[Run]:
    """Returns the deployments of the events, in the order of their requests."""
    found: dict[str, Run] = {}
    for event in events:
        request = event["subject"]
        at = instant(event["at"]).timestamp()
        if event["kind"] == "deployment.queued":
            found[request] = Run(event["owner"], at, None, None, "", request)
        elif event["kind"] == "deployment.started" and request in found:
            found[request] = found[request]._replace(started=at)
        elif event["kind"] == "deployment.ended" and request in found:
            found[request] = found[request]._replace(ended=at, state=event["to"])
    return list(found.values())


def failures_of(events: Sequence[Mapping[str, Any]], simulation: EngineWithObjects) -> list[Failure]:
    """Returns the failures of the events' deployments, with details read from the simulation."""
    return [
        _failure(run, simulation) for run in runs_of(events) if run.ended is not None and run.state not in ENDED_WELL
    ]


def _failure(run: Run, simulation: EngineWithObjects) -> Failure:
    rules: dict[str, str] = {}
    for event in simulation.events(request=run.request, kinds=_KINDS_OF_FAILURE):
        detail = event.get("detail") or {}
        if event["kind"] != "step.log":
            return Failure(rules.get(event["subject"], ""), str(detail.get("reason", "")))
        rules[event["subject"]] = rule_of(str(detail.get("text", ""))) or rules.get(event["subject"], "")
    return Failure("", f"it ended as {run.state}")


def kinds_read(expectations: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Returns the kinds of events that an outcome needs, for expectations without conditions; empty: all kinds."""
    patterns = [expected["event"] for expected in expectations if "event" in expected]
    if not all(_IS_QUERY(pattern) for pattern in patterns):
        return ()
    return ("deployment.*", *KINDS_OF_COST, *patterns)


def _broken(
    expected: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    runs: Sequence[Run],
    states: Mapping[str, str],
    refused: Sequence[str],
    end: float,
) -> str:
    """Returns what happened instead; "" if the expectation holds."""
    if "state" in expected:
        state = states[expected["of"]]
        return "" if state == expected["state"] else f"{expected['of']} is {state}, not {expected['state']}"
    if "deployments_end_within" in expected:
        return _late(expected, runs, end)
    if "deployments_succeed" in expected:
        ended = [run for run in runs if run.ended is not None]
        good = sum(run.state in ENDED_WELL for run in ended)
        return (
            ""
            if reaches(good, len(ended), expected["deployments_succeed"])
            else f"{good} of {len(ended)} deployments succeeded, less than {expected['deployments_succeed']:g}"
        )
    if "event" in expected:
        count = sum(fnmatchcase(event["kind"], expected["event"]) for event in events)
        least, most = expected.get("at_least", 0 if "at_most" in expected else 1), expected.get("at_most")
        is_good = count >= least and (most is None or count <= most)
        return (
            ""
            if is_good
            else f"there were {count} events {expected['event']}, not {least} to "
            f"{'any number' if most is None else most}"
        )
    if "refused_actions" in expected:
        return (
            ""
            if len(refused) <= expected["refused_actions"]
            else f"{len(refused)} actions were refused, first {refused[0]}"
        )
    return _overlap(runs)


def _costly(expected: Mapping[str, Any], cost: float, seconds: float) -> str:
    """Returns a message if the nodes cost too much; with `per`, the mean cost for that time."""
    per = expected.get("per")
    spent = round(cost if per is None else cost * milliseconds("per", per) / 1000 / max(seconds, 1.0), _DIGITS_OF_COST)
    said = "in the run" if per is None else f"per {per}"
    return (
        ""
        if spent <= expected["cost_at_most"]
        else f"the nodes cost {spent:.2f} {said}, more than {expected['cost_at_most']:g}"
    )


def _late(expected: Mapping[str, Any], runs: Sequence[Run], end: float) -> str:
    """Returns a message about late deployments. A deployment that still runs at the end of the run is late once its
    time is over."""
    bound = milliseconds("deployments_end_within", expected["deployments_end_within"]) / 1000
    late = [run for run in runs if _seconds(run, end) > bound]
    if reaches(len(runs) - len(late), len(runs), expected.get("share", 1)):
        return ""
    longest = max((_seconds(run, end) for run in late if run.ended is not None), default=None)
    return f"{len(late)} of {len(runs)} deployments did not end within {expected['deployments_end_within']}" + (
        f"; the longest took {longest:g} s" if longest is not None else ""
    )


def _seconds(run: Run, end: float) -> float:
    """Returns the seconds from the request to the end, rounded to milliseconds, because a difference has more
    digits."""
    return round((end if run.ended is None else run.ended) - run.queued, 3)


def _overlap(runs: Sequence[Run]) -> str:
    last: dict[str, Run] = {}
    for run in sorted((run for run in runs if run.started is not None), key=lambda run: run.started or 0):
        before = last.get(run.environment)
        if before is not None and run.started is not None and (before.ended is None or before.ended > run.started):
            return f"two deployments of the environment {run.environment} ran at the same time"
        last[run.environment] = run
    return ""
