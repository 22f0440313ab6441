"""What the feed of a store says about its steps: how long they took, and how often they failed. As rules of a simulation."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from ...reporting.event_text import instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..traces.states import Subject

_VALUES_MAX = 400  # of one distribution: the last ones
_OWN_LEAST = 8  # steps of a service from which its own durations are enough
_PRIOR_STEPS = 10  # how many steps the failure rate of all services counts like in that of one
_PRIOR_FAILURES = 0.5  # failures that a store without any has: none have been seen, which does not make them impossible
_TEXT_MAX = 200


class Steps(NamedTuple):
    """The steps of one kind of one service, or of several."""

    succeeded: list[float]
    """Seconds from start to end."""
    failed: list[float]
    reasons: list[str]
    """Of the failed ones."""

    @property
    def total(self) -> int:
        """All of them."""
        return len(self.succeeded) + len(self.failed)


class History:
    """The ended steps of a store, by service and kind of step."""

    by_service: dict[tuple[str, str], Steps]
    """By the id of the service and the kind of the step."""

    def __init__(self, events: Iterable[Mapping[str, Any]], until: int | None = None) -> None:
        """Reads the events up to the one numbered `until`. Steps that were canceled say nothing about durations."""
        self.by_service = defaultdict(lambda: Steps([], [], []))
        started: dict[str, float] = {}
        for event in events:
            if until is not None and event["sequence"] > until:
                break
            if event["kind"] == "step.started":
                started[event["subject"]] = instant(event["at"]).timestamp()
            elif event["kind"] == "step.ended" and event["subject"] in started:
                self._end(event, instant(event["at"]).timestamp() - started.pop(event["subject"]))

    def _end(self, event: Mapping[str, Any], seconds: float) -> None:
        detail = event.get("detail") or {}
        steps = self.by_service[(event["subject"], str(detail.get("kind", "")))]
        if detail.get("status") == "ERROR":
            steps.failed.append(round(seconds, 3))
            steps.reasons.append(str(detail.get("reason", ""))[:_TEXT_MAX])
        elif detail.get("status") == "SUCCESS":
            steps.succeeded.append(round(seconds, 3))

    def kinds(self) -> set[str]:
        """The kinds of steps that have ended."""
        return {kind for _, kind in self.by_service}

    def pooled(self, kind: str, services: Iterable[str] | None = None) -> Steps:
        """The steps of a kind of all services, or of some."""
        wanted = None if services is None else set(services)
        found = Steps([], [], [])
        for (service, its), steps in self.by_service.items():
            if its == kind and (wanted is None or service in wanted):
                found.succeeded.extend(steps.succeeded)
                found.failed.extend(steps.failed)
                found.reasons.extend(steps.reasons)
        return found

    def failure_rate(self, service: str, kind: str) -> float:
        """How likely a step fails: the rate of the service, drawn towards that of all services by as much as it has few steps."""
        own, every = self.by_service.get((service, kind), Steps([], [], [])), self.pooled(kind)
        general = (len(every.failed) + _PRIOR_FAILURES) / (every.total + 1) if every.total else 0.0
        return (len(own.failed) + _PRIOR_STEPS * general) / (own.total + _PRIOR_STEPS)


def rules_of(history: History, services: Mapping[str, Subject]) -> list[dict[str, Any]]:
    """Rules with which the steps of these services behave as they did: by service, and where it has done too little, as those of its family, or as all."""
    rules: list[dict[str, Any]] = []
    families: dict[str, list[str]] = defaultdict(list)
    for id, subject in services.items():
        families[subject.kind].append(id)
    for kind in sorted(history.kinds()):
        every = history.pooled(kind)
        if every.succeeded:
            rules.append({"rule": f"{kind} of any service", "step": kind, "after": _empirical(every.succeeded)})
        by_family = {family: history.pooled(kind, ids) for family, ids in families.items()}
        for id, subject in services.items():
            own = history.by_service.get((id, kind), Steps([], [], []))
            steps = own if len(own.succeeded) >= _OWN_LEAST else by_family[subject.kind] if by_family[subject.kind].succeeded else every
            if steps.succeeded:
                rules += _rules_of_service(history, id, subject, kind, steps, own if own.failed else every)
    return rules


def _rules_of_service(history: History, id: str, subject: Subject, kind: str, steps: Steps, failures: Steps) -> Iterable[dict[str, Any]]:
    """Succeeds as long as before; and, added last and so looked at first, fails as often as before."""
    match = {"step": kind, "name": _literal(subject.name), "environment": _literal(subject.environment)}
    yield {"rule": f"{kind} of {subject.name}"[:100], **match, "after": _empirical(steps.succeeded)}
    rate = history.failure_rate(id, kind)
    if rate > 0:
        reason = max(sorted(set(failures.reasons)), key=failures.reasons.count, default="") or "failed as before"
        after = failures.failed or steps.succeeded
        yield {"rule": f"failing {kind} of {subject.name}"[:100], **match, "after": _empirical(after), "probability": round(rate, 6), "fails": reason}


def _empirical(values: list[float]) -> dict[str, Any]:
    return {"distribution": "empirical", "values": values[-_VALUES_MAX:]}


def _literal(name: str) -> str:
    """The name as a pattern that matches it: in the place of a wildcard any one byte."""
    return name.replace("*", "?")
