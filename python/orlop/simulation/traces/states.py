"""States of services, environments, clusters and deployments at each instant of a trace."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import instant as instant_of
from ...base.event_text import is_change_of_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


_SERVICES = ("application", "argocd_app", "container", "database", "helm", "job", "terraform")
_GROUP_OF_FAMILY = {"environment": "environments", "cluster": "clusters", **dict.fromkeys(_SERVICES, "services")}
_CLOSE = 0.001  # seconds: an item is evaluated this much earlier, because sums of times are rounded
_DECIMALS = 3  # of seconds: times are milliseconds, and a difference of two has more digits


class Subject(NamedTuple):
    """A resource of a trace: its name, and its environment and stage."""

    kind: str
    name: str
    environment: str = ""
    stage: str = ""


class Item:
    """A service, environment, cluster or deployment with its state, and the time at which it entered that."""

    __slots__ = ("environment", "freshness", "kind", "name", "nodes", "running", "since", "stage", "state")

    def __init__(self, subject: Subject, state: str, since: float) -> None:
        self.kind, self.name, self.environment, self.stage = subject
        self.state = state
        self.since = since
        self.running = ""
        self.freshness = ""
        self.nodes = 0


class Question(NamedTuple):
    """A question about every item of a group."""

    group: str
    part: Callable[[Instant, Item | None], Any]
    bounds: tuple[float, ...] | None
    """Seconds in a state after which the answer for an item may change without an event; None if it may change at any
    time."""


class Tally:
    """Counts the items for which a question is true. The instant advances from call to call; only items that changed
    or are due are evaluated again."""

    def __init__(self, question: Question, items: Mapping[str, Item]) -> None:
        self.changed = set(items)
        """Ids of items that are new, changed or removed since the last call of `count`."""
        self._question = question
        self._items = items
        self._true: set[str] = set()
        self._due: list[tuple[float, str]] = []

    def count(self, instant: Instant) -> int:
        """Returns the number of these items now."""
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


class Instant:
    """The state of a run at an instant, which advances from one to the next."""

    def __init__(self, subjects: Mapping[str, Subject]) -> None:
        self._subjects = subjects
        self._items: dict[str, dict[str, Item]] = {
            "services": {},
            "environments": {},
            "clusters": {},
            "deployments": {},
        }
        self._deployments: dict[str, dict[str, Item]] = {}  # by environment
        self._tallies: dict[str, dict[Question, Tally]] = {group: {} for group in self._items}
        self._begin: float | None = None
        self.now = 0.0

    @property
    def time(self) -> float:
        """Seconds since the beginning, or since the first event."""
        return round(self.now - (self._begin or 0.0), _DECIMALS)

    @property
    def waiting(self) -> int:
        """Number of deployments that have been requested and have not begun."""
        return sum(item.state == "QUEUED" for item in self._items["deployments"].values())

    def size(self, group: str) -> int:
        return len(self._items[group])

    def count(self, question: Question) -> int:
        """Returns the number of items in the group for which the question is true. If time alone does not change the
        answers, evaluates only items that have changed."""
        items, tallies = self._items[question.group], self._tallies[question.group]
        if question.bounds is None:
            return sum(bool(question.part(self, item)) for item in items.values())
        if question not in tallies:
            tallies[question] = Tally(question, items)
        return tallies[question].count(self)

    def member(self, item: Item | None, name: str) -> Any:
        """Returns a member of an item; `seconds` is its time in its state."""
        return (
            round(self.now - item.since, _DECIMALS) if item is not None and name == "seconds" else getattr(item, name)
        )

    def go(self, at: float) -> None:
        """Advances to a later instant, before its events."""
        self._begin = at if self._begin is None else self._begin
        self.now = at

    def begin(self, at: float, events: Sequence[Mapping[str, Any]]) -> None:
        """Applies the events before the instant from which time is counted, and advances to it."""
        for event in events:
            self.now = instant_of(event["at"]).timestamp()
            self.apply(event)
        self._begin = self.now = at

    def apply(self, event: Mapping[str, Any]) -> None:
        kind, subject = event["kind"], event["subject"]
        noun, _, change = kind.partition(".")
        if noun == "deployment":
            self._of_deployment(event, change)
        elif is_change_of_state(event):
            self._enter(noun + "s", subject, event["to"], noun)
        elif change in ("running_changed", "freshness_changed"):
            setattr(self._touched(noun + "s", subject, noun), change.removesuffix("_changed"), event.get("to", ""))
        elif kind == "cluster.capacity_changed":
            self._touched("clusters", subject, noun).nodes = event["detail"]["nodes"]
        elif change == "created" and noun in _GROUP_OF_FAMILY:
            group = _GROUP_OF_FAMILY[noun]
            self._touched(group, subject, noun).freshness = "NEVER_DEPLOYED" if group != "environments" else ""
        elif change == "deleted":
            for group in self._items:
                self._remove(group, subject)

    def _subject(self, id: str, kind: str) -> Subject:
        return self._subjects.get(id) or Subject(kind, id)

    def _enter(self, group: str, id: str, state: str, kind: str) -> Item:
        item = self._touched(group, id, kind, state)
        if item.state != state:
            item.state, item.since = state, self.now
        return item

    def _touched(self, group: str, id: str, kind: str, state: str = "READY") -> Item:
        """Returns the item, which is about to change; a new one has this state."""
        for tally in self._tallies[group].values():
            tally.changed.add(id)
        item = self._items[group].get(id)
        if item is None:
            item = self._items[group][id] = Item(self._subject(id, kind), state, self.now)
        return item

    def _remove(self, group: str, id: str) -> None:
        if self._items[group].pop(id, None) is not None:
            for tally in self._tallies[group].values():
                tally.changed.add(id)

    def _of_deployment(self, event: Mapping[str, Any], change: str) -> None:
        environment, request = event.get("owner", ""), event["subject"]
        running = self._deployments.setdefault(environment, {})
        if change == "ended":
            self._remove("deployments", request)
            running.pop(request, None)
        else:
            item = self._enter("deployments", request, "QUEUED" if change == "queued" else "DEPLOYING", "deployment")
            item.environment = self._subject(environment, "environment").name
            running[request] = item
        states = {item.state for item in running.values()}
        state = "DEPLOYING" if "DEPLOYING" in states else "QUEUED" if states else event.get("to", "READY")
        self._enter("environments", environment, state, "environment")


def instants(
    events: Sequence[Mapping[str, Any]],
    subjects: Mapping[str, Subject],
    begin: float | None = None,
    before: Sequence[Mapping[str, Any]] = (),
    end: float | None = None,
) -> Iterator[Instant]:
    """Yields the states of a run: at its `begin`, to which the events `before` lead; at each instant before its events,
    which shows how long all lasted, and after them; and at its `end`."""
    state = Instant(subjects)
    at = None
    if begin is not None:
        state.begin(begin, before)
        yield state
    for event in events:
        if event["at"] != at:
            if at is not None:
                yield state
            at = event["at"]
            state.go(instant_of(at).timestamp())
            yield state
        state.apply(event)
    if at is not None:
        yield state
    if end is not None and end > state.now:
        state.go(end)
        yield state
