"""The difference of two traces: the first event that is not the same, as text."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import cut, instant, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...reporting.run_data import Trace

# Ids are drawn from the seed: equal runs with other seeds differ in them, and in numbers that follow from the order of
# writes.
_IDS = ("subject", "owner", "organization", "request")
_LOOKS_BACK = 3  # equal events shown before the first difference
_TEXT_MAX = 160


class Difference(NamedTuple):
    """The first difference of two traces."""

    equal: int
    """Number of equal events before it."""
    said: str
    """The difference as a sentence."""
    before: tuple[str, ...]
    """The last equal events, as text."""
    left: str
    """The event of the first trace, as text; "" if it has ended."""
    right: str
    """The event of the second trace, as text; "" if it has ended."""

    def __str__(self) -> str:
        return self.said


def first_difference(left: Trace, right: Trace) -> Difference | None:
    """Returns the first event that differs in anything but ids, which are compared by their resources; None if the
    traces are equal."""
    sides = (_Side(left), _Side(right))
    for index, (one, two) in enumerate(zip_longest(left.events, right.events)):
        if one is not None and two is not None:
            first, second = sides[0].comparable(one), sides[1].comparable(two)
            if first == second:
                continue
            said = _said(first, second, sides[0].words(one), sides[1].words(two))
        elif one is None:
            said = f"{left.label} has ended, and {right.label} goes on: {sides[1].words(two)}"
        else:
            said = f"{right.label} has ended, and {left.label} goes on: {sides[0].words(one)}"
        before = tuple(sides[0].words(event) for event in left.events[max(0, index - _LOOKS_BACK) : index])
        return Difference(
            index,
            f"After {index} equal events: {said}",
            before,
            sides[0].words(one) if one else "",
            sides[1].words(two) if two else "",
        )
    return None


class _Side:
    """A trace whose ids are replaced by names."""

    def __init__(self, trace: Trace) -> None:
        self._subjects = trace.subjects
        self._begin = instant(trace.events[0]["at"]).timestamp() if trace.events else 0.0
        self._numbers: dict[str, str] = {}

    def name(self, id: str) -> str:
        """Returns the name for an id: that of the resource and its environment, else the number of its first
        appearance."""
        subject = self._subjects.get(id)
        number = self._numbers.setdefault(id, f"#{len(self._numbers) + 1}")
        if subject is None:
            return number
        return subject.name + (
            f" of {subject.environment}" if subject.environment and subject.environment != subject.name else ""
        )

    def comparable(self, event: Mapping[str, Any]) -> dict[str, Any]:
        found = {name: value for name, value in event.items() if name not in _IDS and name != "at"}
        for name in _IDS:
            if name in event:
                found[name] = self.name(event[name])
        found["time"] = round(instant(event["at"]).timestamp() - self._begin, 3)
        if "detail" in event:
            found["detail"] = {name: value for name, value in (event["detail"] or {}).items() if not _is_id(value)}
        return found

    def words(self, event: Mapping[str, Any]) -> str:
        at = words_of(instant(event["at"]).timestamp() - self._begin)
        moved = (
            f", {event['from']} to {event['to']}"
            if "from" in event and "to" in event
            else f", {event['to']}"
            if "to" in event
            else ""
        )
        detail = event.get("detail") or {}
        more = "; ".join(str(detail[name]) for name in ("reason", "text") if detail.get(name))
        return cut(
            f"after {at} {event['kind']} of {self.name(event['subject'])}{moved}" + (f": {more}" if more else ""),
            _TEXT_MAX,
        )


def _is_id(value: object) -> bool:
    return isinstance(value, str) and len(value) == 36 and value.count("-") == 4


def _said(first: Mapping[str, Any], second: Mapping[str, Any], left: str, right: str) -> str:
    """Returns the difference of two events with the same index."""
    if first["kind"] == second["kind"] and first["subject"] == second["subject"]:
        names = [name for name in dict.fromkeys((*first, *second)) if first.get(name) != second.get(name)]
        if names == ["time"]:
            earlier = second["time"] - first["time"]
            return f"{left}; in the other trace {words_of(abs(earlier))} {'later' if earlier > 0 else 'earlier'}"
        differing = ", ".join(
            f"{name} {_shown(first.get(name))} and not {_shown(second.get(name))}" for name in names if name != "time"
        )
        return f"{left}, with {differing}"
    return f"{left}; in the other trace instead {right}"


def _shown(value: object) -> str:
    return cut(json.dumps(value, ensure_ascii=False, default=str), 60)
