"""Conditions that hold at every instant of a simulation."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _core
from ..base.event_text import instant as instant_of
from ..base.event_text import is_change_of_state
from ..base.live_objects import Live
from ..base.restores import reader_of
from ..errors import Closed, Misuse
from ..options.arguments import shown, text, truth_of
from .events import require_events
from .failed_expectations import InvariantBroken
from .traces.conditions import Condition, condition_of
from .traces.states import Instant
from .traces.subjects import note_subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..base.engine_protocol import SimulationProtocol
    from .traces.states import Subject

_NAME_MAX = 200


class Follower:
    """The rules of every feed: numbers without gaps, times that do not go back, one deployment at a time in an
    environment, changes that begin where the last one ended, and steps that begin before they end, one at a time for
    each subject."""

    def __init__(self) -> None:
        self._last = 0
        self._at = ""
        self._states: dict[str, str] = {}
        self._deployments: dict[str, str] = {}  # the running one of each environment
        self._steps: dict[str, str] = {}  # the running one of each subject

    def broken_by(self, event: Mapping[str, Any]) -> str:
        """Returns how the event breaks a rule; "" if it does not."""
        number, at, kind, subject = event["sequence"], event["at"], event["kind"], event["subject"]
        if self._last and number != self._last + 1:
            return f"the event after {self._last} has the number {number}"
        if at < self._at:
            return f"time goes back from {self._at} to {at}"
        self._last, self._at = number, at
        if is_change_of_state(event):
            before = self._states.get(subject, event.get("from", ""))
            self._states[subject] = event["to"]
            return (
                ""
                if event.get("from", before) == before
                else f"{subject} changes from {event['from']}, and was {before}"
            )
        if kind.startswith("deployment."):
            return self._of_deployment(event, kind)
        if kind in ("step.started", "step.ended"):
            return self._of_step(event, kind)
        return ""

    def _of_deployment(self, event: Mapping[str, Any], kind: str) -> str:
        environment, request = event.get("owner", ""), event["subject"]
        if kind == "deployment.started":
            running = self._deployments.get(environment)
            self._deployments[environment] = request
            return "" if running is None else f"the deployment {request} begins while {running} runs in its environment"
        if kind == "deployment.ended" and self._deployments.get(environment) == request:
            del self._deployments[environment]
        return ""

    def _of_step(self, event: Mapping[str, Any], kind: str) -> str:
        subject, step = event["subject"], (event.get("detail") or {}).get("step", "")
        running = self._steps.get(subject)
        if kind == "step.ended":
            self._steps.pop(subject, None)
            return "" if running in (None, step) else f"the step {step} of {subject} ends while {running} runs"
        self._steps[subject] = step
        return "" if running in (None, step) else f"the step {step} of {subject} begins while {running} runs"


class _Invariant(NamedTuple):
    name: str
    holds: Callable[[], object] | None
    condition: Condition | None
    since: int
    """Number of the last event before it was added."""


class Invariants(Live):
    """Conditions that must hold at every instant of the simulation: the rules of every feed, while `is_on`, and those
    that `add` adds.

    They are checked after each instant at which something happens, while time moves. The first that does not hold
    raises `InvariantBroken`. The rules of the feed are off by default, because they read every event; the fixture
    `orlop_sim` sets `is_on`.
    """

    def __init__(self, simulation: SimulationProtocol) -> None:
        self._simulation_held = weakref.ref(simulation)  # weak: a cycle would delay its release
        self._added: list[_Invariant] = []
        self._is_on = False
        self._asked_here = threading.local()  # `name` of the function that this thread is calling
        self._since = 0
        self._follower = Follower()
        self._subjects: dict[str, Subject] = {}
        self._state: Instant | None = None
        self._back = reader_of(simulation._restores)
        self._lock = threading.RLock()  # several threads may move time

    @property
    def _simulation(self) -> SimulationProtocol:
        simulation = self._simulation_held()
        if simulation is None:
            raise Closed("the simulation of these invariants is gone")
        return simulation

    @property
    def is_on(self) -> bool:
        """True if the rules of every feed are checked."""
        return self._is_on

    @is_on.setter
    def is_on(self, is_on: bool) -> None:
        """Switches the check of the feed's rules on or off."""
        if not isinstance(is_on, bool):
            raise Misuse(f"is_on must be True or False, not {shown(is_on)}")
        with self._lock:
            self._is_on = is_on
            self._begin()

    def add(self, condition: str | Callable[[], object], *, name: str = "") -> None:
        """Adds an invariant: a condition of scenario files such as `deployments.count(state == 'DEPLOYING') <= 4`, or a
        function that returns whether it holds. `name` is its name in errors.

        A condition is checked, and a function is called, at every instant from now on. Raises `Misuse` for anything
        else.
        """
        name = text("name", name)[:_NAME_MAX]
        if isinstance(condition, str):
            require_events(self._simulation._core, "an invariant that is a condition")
            added = _Invariant(name or condition[:_NAME_MAX], None, condition_of(condition), 0)
        elif callable(condition):
            added = _Invariant(name or getattr(condition, "__name__", "function"), condition, None, 0)
        else:
            raise Misuse(
                f"condition must be a text such as services.any(stuck('1h')), or a function, not {shown(condition)}"
            )
        with self._lock:
            if self._back:
                self._go_back()
            self._added.append(added._replace(since=self._simulation.last_event))
            self._begin()

    def clear(self) -> None:
        """Removes the added invariants."""
        self._added = []

    def __iter__(self) -> Iterator[str]:
        return iter([invariant.name for invariant in self._added])

    def __len__(self) -> int:
        return len(self._added)

    def __bool__(self) -> bool:
        """True if there is anything to check."""
        return self._is_on or bool(self._added)

    def check(self) -> None:
        """Checks all invariants now. Raises `InvariantBroken`."""
        with self._lock:
            if self._back:
                self._go_back()
            if self._simulation.last_event > self._since and (new := self._simulation.events(self._since)):
                self._follow(new)
        for invariant in self._added:
            if invariant.holds is not None and not self._asked(invariant, invariant.holds):
                self._fail(invariant.name, None)

    def _asked(self, invariant: _Invariant, holds: Callable[[], object]) -> bool:
        name = getattr(self._asked_here, "name", "")
        if name:
            raise Misuse(f"the invariant {name} may not move time or check invariants")
        self._asked_here.name = invariant.name
        try:
            return truth_of(holds(), f"the invariant {invariant.name}")
        finally:
            self._asked_here.name = ""

    def _go_back(self) -> None:
        """Starts again after a restore, which assigns the numbers of later events again."""
        self._begin()
        last = self._back.take(self._simulation.last_event)
        self._added = [invariant._replace(since=min(invariant.since, last)) for invariant in self._added]

    def _begin(self) -> None:
        self._since, self._follower, self._subjects, self._state = 0, Follower(), {}, None

    def _follow(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Checks new events, one instant after the other."""
        self._since = events[-1]["sequence"]
        conditions = [invariant for invariant in self._added if invariant.condition is not None]
        if conditions:
            self._state = self._state or Instant(self._subjects)
            note_subjects(events, self._subjects)
        for index, event in enumerate(events):
            if self._is_on and (said := self._follower.broken_by(event)):
                self._fail(said, event)
            if self._state is None or not conditions:
                continue
            at = instant_of(event["at"]).timestamp()
            if at != self._state.now:
                self._state.go(at)
                self._hold(conditions, event)
            self._state.apply(event)
            if index + 1 == len(events) or events[index + 1]["at"] != event["at"]:
                self._hold(conditions, event)

    def _hold(self, conditions: Sequence[_Invariant], event: Mapping[str, Any]) -> None:
        for invariant in conditions:
            is_due = self._state is not None and invariant.condition is not None and event["sequence"] > invariant.since
            if (
                is_due
                and self._state is not None
                and invariant.condition is not None
                and not invariant.condition.holds(self._state)
            ):
                self._fail(invariant.name, event)

    def _fail(self, name: str, event: Mapping[str, Any] | None) -> None:
        at = (
            _core.format_time(self._simulation._core.now())
            if event is None
            else f"{event['at']}, by event {event['sequence']} {event['kind']}"
        )
        raise InvariantBroken(f"an invariant is broken at {at}: {name} (seed {self._simulation.seed})")
