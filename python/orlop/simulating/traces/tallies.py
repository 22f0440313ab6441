"""Of how many items of a run a part of a condition is true, found out anew only for those that change and those whose time comes."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .states import Instant, Item

_CLOSE = 0.001  # seconds: an item is looked at this much earlier, because sums of times are rounded


class Question(NamedTuple):
    """What is asked of every item of a group."""

    group: str
    part: Callable[[Instant, Item | None], Any]
    bounds: tuple[float, ...] | None
    """How long an item is in its state, in seconds, when the answer may change without an event; None if it may at any time."""


class Tally:
    """The items of which the part is true, at an instant that moves."""

    def __init__(self, question: Question, items: Mapping[str, Item]) -> None:
        self.changed = set(items)
        """The ids of the items that are new, changed or gone since `count` was called."""
        self._question = question
        self._items = items
        self._true: set[str] = set()
        self._due: list[tuple[float, str]] = []

    def count(self, instant: Instant) -> int:
        """How many there are now."""
        due, changed = self._due, self.changed
        while due and due[0][0] <= instant.now:
            changed.add(heapq.heappop(due)[1])
        bounds = self._question.bounds or ()
        for id in changed:
            item = self._items.get(id)
            if item is not None and self._question.part(instant, item):
                self._true.add(id)
            else:
                self._true.discard(id)
            if item is not None:
                for bound in bounds:
                    if instant.member(item, "seconds") <= bound:
                        heapq.heappush(due, (item.since + bound - _CLOSE, id))
        changed.clear()
        return len(self._true)
