"""The steps in a store's feed, their durations and their failures, as rules of a simulation."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import instant

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from ..traces.states import Subject

STEPS = ("step.started", "step.ended")
"""Kinds of events from which a history is read."""

_VALUES_MAX = 400  # latest values in one distribution
_OWN_LEAST = 8  # least number of steps of a service for a distribution of its durations alone
_PRIOR_STEPS = 10  # weight of the failure rate of all services in that of one, as a number of steps
_PRIOR_FAILURES = 0.5  # failures assumed in a store without any, because failures are still possible
_TEXT_MAX = 200
_TYPICAL_VALUES = 10  # values that represent many, in a rule for each service


class Steps(NamedTuple):
    """Ended steps of one kind, of one service or of several."""

    succeeded: list[float]
    """Seconds from start to end of each successful step."""
    failed: list[float]
    reasons: list[str]
    """Reasons of the failed steps."""

    @property
    def total(self) -> int:
        """Number of all steps."""
        return len(self.succeeded) + len(self.failed)

    @property
    def reason(self) -> str:
        """The most frequent reason of the failed steps."""
        counts = Counter(self.reasons)
        return min(counts, key=lambda reason: (-counts[reason], reason), default="") or "failed as before"

    def add(self, others: Steps) -> None:
        self.succeeded.extend(others.succeeded)
        self.failed.extend(others.failed)
        self.reasons.extend(others.reasons)


class EndedSteps(NamedTuple):
    """Number of ended steps, and of the failed ones among them."""

    total: int
    failed: int


class History:
    """The ended steps of a store, by service and kind of step."""

    by_service: dict[tuple[str, str], Steps]
    """Steps of each service, by its id and the kind of the step."""
    of_all: dict[str, Steps]
    """Steps of all services, by the kind of the step."""

    def __init__(self, events: Iterable[Mapping[str, Any]], until: int | None = None) -> None:
        """Reads the events up to the one numbered `until`. Skips canceled steps, which say nothing about durations."""
        self.by_service = defaultdict(_none)
        self.of_all = defaultdict(_none)
        started: dict[str, float] = {}
        for event in events:
            if until is not None and event["sequence"] > until:
                break
            if event["kind"] == "step.started":
                started[event["subject"]] = instant(event["at"]).timestamp()
            elif event["kind"] == "step.ended" and event["subject"] in started:
                self._end(event, instant(event["at"]).timestamp() - started.pop(event["subject"]))
        for (_, kind), steps in self.by_service.items():
            self.of_all[kind].add(steps)

    def _end(self, event: Mapping[str, Any], seconds: float) -> None:
        detail = event.get("detail") or {}
        steps = self.by_service[(event["subject"], str(detail.get("kind", "")))]
        if detail.get("status") == "ERROR":
            steps.failed.append(round(seconds, 3))
            steps.reasons.append(str(detail.get("reason", ""))[:_TEXT_MAX])
        elif detail.get("status") == "SUCCESS":
            steps.succeeded.append(round(seconds, 3))

    def ended(self, kinds: Container[str]) -> dict[str, EndedSteps]:
        """Returns the number of ended steps of these kinds, and of the failed ones among them, by the id of the
        service."""
        found: dict[str, EndedSteps] = defaultdict(lambda: EndedSteps(0, 0))
        for (service, kind), steps in self.by_service.items():
            if kind in kinds:
                found[service] = EndedSteps(
                    found[service].total + steps.total, found[service].failed + len(steps.failed)
                )
        return found

    def by_family(self, services: Mapping[str, Subject]) -> dict[tuple[str, str], Steps]:
        """Returns the steps of some services, by their family and the kind of the step."""
        found: dict[tuple[str, str], Steps] = defaultdict(_none)
        for (service, kind), steps in self.by_service.items():
            if service in services:
                found[services[service].kind, kind].add(steps)
        return found

    def failure_rate(self, service: str, kind: str) -> float:
        """Returns the failure rate of the service's steps, shrunk toward that of all services; the fewer steps, the
        stronger."""
        own, every = self.by_service.get((service, kind), _none()), self.of_all[kind]
        general = (len(every.failed) + _PRIOR_FAILURES) / (every.total + 1) if every.total else 0.0
        return (len(own.failed) + _PRIOR_STEPS * general) / (own.total + _PRIOR_STEPS)


def _none() -> Steps:
    return Steps([], [], [])


def rules_of(history: History, services: Mapping[str, Subject]) -> list[dict[str, Any]]:
    """Returns rules with which the steps of these services behave as in the history: by service; with too few steps by
    family, or by all services.

    The common parts are shared rules. A rule of a service has its own durations, and its failure rate.
    """
    families: dict[str, dict[str, Subject]] = defaultdict(dict)
    for id, subject in services.items():
        families[subject.kind][id] = subject
    pooled = history.by_family(services)
    rules: list[dict[str, Any]] = []
    for kind, every in sorted(history.of_all.items()):
        if every.succeeded:
            rules.append({"rule": f"{kind} of any service", "step": kind, "after": _empirical(every.succeeded)})
        for family, members in families.items():
            steps = pooled.get((family, kind))
            rules += (
                _rules_of_strangers(history, kind, family)
                if steps is None
                else _rules_of_family(history, kind, steps, members)
            )
    return rules


def _rules_of_strangers(history: History, kind: str, family: str) -> Iterator[dict[str, Any]]:
    """Yields the rule of a family without such steps in the history: it fails as often as all."""
    every = history.of_all[kind]
    if every.succeeded:
        yield _failing(
            f"failing {kind} of {family}",
            {"step": kind, "kind": family},
            history.failure_rate("", kind),
            every.reason,
            every.failed or every.succeeded,
        )


def _rules_of_family(
    history: History, kind: str, steps: Steps, members: Mapping[str, Subject]
) -> Iterator[dict[str, Any]]:
    every = history.of_all[kind]
    succeeded = steps.succeeded or every.succeeded
    if not succeeded:
        return
    family = next(iter(members.values())).kind
    if steps.succeeded:
        yield {"rule": f"{kind} of {family}", "step": kind, "kind": family, "after": _empirical(succeeded)}
    reason, typical = every.reason, _typical(every.failed or succeeded)
    for id, subject in members.items():
        own = history.by_service.get((id, kind), _none())
        match = {"step": kind, "kind": family, **_match(id, subject)}
        if len(own.succeeded) >= _OWN_LEAST:
            yield {"rule": f"{kind} of {subject.name}"[:100], **match, "after": _empirical(own.succeeded)}
        # Added last, so that it is tried first.
        rate = history.failure_rate(id, kind)
        yield _failing(
            f"failing {kind} of {subject.name}"[:100],
            match,
            rate,
            own.reason if own.failed else reason,
            own.failed or typical,
        )


def _failing(title: str, match: Mapping[str, Any], rate: float, reason: str, values: list[float]) -> dict[str, Any]:
    """Returns a failing rule. It excludes steps that already run, whose random values are the same in each run."""
    return {
        "rule": title,
        **match,
        "from": 0,
        "after": _empirical(values),
        "probability": round(rate, 6),
        "fails": reason,
    }


def _empirical(values: list[float]) -> dict[str, Any]:
    return {"distribution": "empirical", "values": values[-_VALUES_MAX:]}


def _typical(values: list[float]) -> list[float]:
    """Returns few values that represent many: the middle one of each of equal parts."""
    if len(values) <= _TYPICAL_VALUES:
        return values
    ordered = sorted(values[-_VALUES_MAX:])
    return [ordered[(2 * part + 1) * len(ordered) // (2 * _TYPICAL_VALUES)] for part in range(_TYPICAL_VALUES)]


def _match(id: str, subject: Subject) -> dict[str, Any]:
    """Returns the condition on a service: its name, or its id if the name would be a pattern."""
    return {"where": {"id": id}} if set(subject.name) & set("*?") else {"name": subject.name}
