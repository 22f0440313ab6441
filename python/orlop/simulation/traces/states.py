"""What the events of a trace say about services, environments, clusters and deployments at each instant."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import instant as instant_of
from ...base.event_text import is_change_of_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


_SERVICES = ("application", "container", "database", "helm", "job", "terraform")
_GROUP_OF_FAMILY = {"environment": "environments", "cluster": "clusters", **dict.fromkeys(_SERVICES, "services")}
_CLOSE = 0.001  # seconds: an item is looked at this much earlier, because sums of times are rounded
_DECIMALS = 3  # of seconds: times are milliseconds, and the difference of two has more digits than they


class Subject(NamedTuple):
    """A resource of a trace: what it is called, and where it belongs."""

    kind: str
    name: str
    environment: str = ""
    stage: str = ""


class Item:
    """A service, environment, cluster or deployment with its state, and when it entered that."""

    __slots__ = ("environment", "freshness", "kind", "name", "nodes", "running", "since", "stage", "state")

    def __init__(self, subject: Subject, state: str, since: float) -> None:
        self.kind, self.name, self.environment, self.stage = subject
        self.state = state
        self.since = since
        self.running = ""
        self.freshness = ""
        self.nodes = 0


class Question(NamedTuple):
    """What is asked of every item of a group."""

    group: str
    part: Callable[[Instant, Item | None], Any]
    bounds: tuple[float, ...] | None
    """How long an item is in its state, in seconds, when the answer may change without an event; None if it may at any
    time."""


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


class Instant:
    """The state of a run at an instant. It moves: `at` goes from one instant to the next."""

    def __init__(self, subjects: Mapping[str, Subject]) -> None:
        self._subjects = subjects
        self._items: dict[str, dict[str, Item]] = {
            "services": {},
            "environments": {},
            "clusters": {},
            "deployments": {},
        }
        self._deployments: dict[str, dict[str, Item]] = {}  # of each environment
        self._tallies: dict[str, dict[Question, Tally]] = {group: {} for group in self._items}
        self._begin: float | None = None
        self.now = 0.0

    @property
    def time(self) -> float:
        """Seconds since the beginning, or since the first event."""
        return round(self.now - (self._begin or 0.0), _DECIMALS)

    @property
    def waiting(self) -> int:
        """Deployments that have been requested and have not begun."""
        return sum(item.state == "QUEUED" for item in self._items["deployments"].values())

    def size(self, group: str) -> int:
        """How many of a group exist."""
        return len(self._items[group])

    def count(self, question: Question) -> int:
        """Of how many items of its group the question is true. Where time alone does not change the answers, only the
        items that have changed are asked."""
        items, tallies = self._items[question.group], self._tallies[question.group]
        if question.bounds is None:
            return sum(bool(question.part(self, item)) for item in items.values())
        if question not in tallies:
            tallies[question] = Tally(question, items)
        return tallies[question].count(self)

    def member(self, item: Item | None, name: str) -> Any:
        """A member of an item; `seconds` is how long it has been in its state."""
        return (
            round(self.now - item.since, _DECIMALS) if item is not None and name == "seconds" else getattr(item, name)
        )

    def go(self, at: float) -> None:
        """Comes to a later instant, at which nothing has happened yet."""
        self._begin = at if self._begin is None else self._begin
        self.now = at

    def begin(self, at: float, events: Sequence[Mapping[str, Any]]) -> None:
        """Comes to the instant from which time is counted, by the events before it."""
        for event in events:
            self.now = instant_of(event["at"]).timestamp()
            self.apply(event)
        self._begin = self.now = at

    def apply(self, event: Mapping[str, Any]) -> None:
        """Takes what an event says."""
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
        """The item, which is about to change; one that is not known yet is in this state."""
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
    """The states of a run: at its `begin`, to which the events `before` lead; at each instant before what happens at
    it, so that it is seen how long all lasted, and after it; and at its `end`."""
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
