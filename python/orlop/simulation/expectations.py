"""Expectations of a simulation in tests: `orlop.expect(simulation).eventually(web, "DEPLOYED")`."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ..base.event_text import is_change_of_state
from ..errors import Misuse, NotFound
from ..options.arguments import event_id, event_kind, id_of, milliseconds, state_name, text, truth_of
from ..resources.resource import Resource
from .events import require_events
from .failed_expectations import ExpectationFailed
from .faults import without_faults
from .virtual_driver import refuse_inside
from .waits import instants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .simulation import Simulation

_EVENTS_SHOWN = 10
_STEPS_LEAST = 2
_PAIR = 2


def expect(simulation: Simulation) -> Expectation:
    """Returns expectations of the simulation. Each advances virtual time until it is decided. Raises `Misuse` for
    anything but a `Simulation`."""
    if not getattr(simulation, "_is_simulation", False):
        raise Misuse(
            f"simulation must be an orlop.Simulation, such as sync of an AsyncSimulation, not "
            f"{type(simulation).__name__}"
        )
    return Expectation(simulation)


class Expectation:
    """Expectations that a condition comes true, or does not, while virtual time advances from one due instant to the
    next.

    Each method takes a condition in one of three forms: a function that returns whether it holds; a resource and the
    name of its state; or members of an event, `kind`, `subject` (a resource or its id) and `request`, which holds once
    such an event is stored after the call; `*` and `?` in `kind` are wildcards. A deleted resource is in the state
    DELETED. They raise `ExpectationFailed`.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._began = simulation.last_event

    def eventually(
        self,
        condition: Callable[[], object] | Resource | None = None,
        state: str = "",
        *,
        kind: str = "",
        subject: Resource | str = "",
        request: str = "",
    ) -> None:
        """Expects that the condition comes true before no work is left. Time stops at the instant at which it does."""
        holds = self._condition(condition, state, kind, subject, request)
        for _ in self._instants(None):
            if holds():
                return
        endless = (
            ""
            if self._simulation._core.tick() is None
            else " but what goes on for ever, such as cron jobs: within() waits for that"
        )
        self._fail(f"{holds} did not come true, and nothing is left to be done{endless}", holds)

    def within(
        self,
        time: str | float,
        condition: Callable[[], object] | Resource | None = None,
        state: str = "",
        *,
        kind: str = "",
        subject: Resource | str = "",
        request: str = "",
    ) -> None:
        """Expects that the condition comes true within `time`, seconds or a text like "10m". Time stops at the instant
        at which it does."""
        holds = self._condition(condition, state, kind, subject, request)
        for _ in self._instants(milliseconds("time", time)):
            if holds():
                return
        self._fail(f"{holds} did not come true within {time}", holds)

    def never(
        self,
        condition: Callable[[], object] | Resource | None = None,
        state: str = "",
        *,
        kind: str = "",
        subject: Resource | str = "",
        request: str = "",
        within: str | float | None = None,
    ) -> None:
        """Expects that the condition holds at no instant until no work is left, or for the time `within`."""
        holds = self._condition(condition, state, kind, subject, request)
        for _ in self._instants(None if within is None else milliseconds("within", within)):
            if holds():
                self._fail(f"{holds} came true", holds)

    def always(
        self, condition: Callable[[], object] | Resource, state: str = "", *, within: str | float | None = None
    ) -> None:
        """Expects that the condition holds now and at every instant until no work is left, or for the time `within`.
        `condition` is a function or a resource."""
        if condition is None or isinstance(condition, str):
            raise Misuse("what always holds must be a function, or a resource and its state")
        holds = self._condition(condition, state, "", "", "")
        for _ in self._instants(None if within is None else milliseconds("within", within)):
            if not holds():
                self._fail(f"{holds} stopped being true", holds)

    def in_order(
        self,
        *steps: Callable[[], object] | tuple[Resource, str] | Mapping[str, Resource | str],
        within: str | float | None = None,
    ) -> None:
        """Expects that the steps come true one after the other, also several at one instant. Time stops at the instant
        at which the last one does.

        A step is a function, a resource with its state `(web, "DEPLOYED")`, or members of an event `{"kind":
        "service.deployed", "subject": web.id}`. States and events between two instants count in the order of the
        events.
        """
        if len(steps) < _STEPS_LEAST:
            raise Misuse(f"in_order must have at least {_STEPS_LEAST} steps, not {len(steps)}")
        wanted = [self._step(number, step) for number, step in enumerate(steps)]
        since, done, first = self._simulation.last_event, 0, True
        for _ in self._instants(None if within is None else milliseconds("within", within)):
            new = self._simulation.events(since)
            since = new[-1]["sequence"] if new else since
            if first:  # conditions that hold from the beginning
                done, first = self._advanced(wanted, done, []), False
            for event in new:
                done = self._advanced(wanted, done, [event])
            done = self._advanced(wanted, done, [])
            if done == len(wanted):
                return
        reached = f"after {wanted[done - 1]}, " if done else ""
        self._fail(f"{reached}{wanted[done]} did not come true as step {done + 1} of {len(wanted)}", wanted[done])

    @staticmethod
    def _advanced(wanted: list[_Condition], done: int, events: list[dict[str, Any]]) -> int:
        """Returns the number of steps that have come true. An event completes one step at most, the present all that
        follow."""
        if events:
            return done + 1 if done < len(wanted) and wanted[done].is_met_by(events[0]) else done
        while done < len(wanted) and wanted[done].is_of_now and wanted[done]():
            done += 1
        return done

    def _step(self, number: int, step: Any) -> _Condition:
        if isinstance(step, tuple) and len(step) == _PAIR and isinstance(step[0], Resource):
            return self._condition(step[0], step[1], "", "", "")
        if isinstance(step, Mapping) and step and step.keys() <= {"kind", "subject", "request"}:
            return self._condition(None, "", step.get("kind", ""), step.get("subject", ""), step.get("request", ""))
        if callable(step) and not isinstance(step, Resource):
            return self._condition(step, "", "", "", "")
        raise Misuse(
            f"step {number + 1} must be a function, a pair of a resource and its state, or a mapping with kind, "
            f"subject and request, not {type(step).__name__}"
        )

    def _instants(self, bound: int | None) -> Iterator[None]:
        """Yields at each due instant, after its tick, up to `bound` milliseconds from now, or until no work is left."""
        refuse_inside(self._simulation._core)
        for _ in instants(self._simulation._core, bound):
            if self._simulation.invariants:
                self._simulation.invariants.check()
            yield

    def _condition(self, condition: object, state: str, kind: str, subject: Resource | str, request: str) -> _Condition:
        event = {
            "kind": text("kind", kind) and event_kind("kind", kind),
            "subject": event_id("subject", id_of("subject", subject)),
            "request": event_id("request", request),
        }
        is_of_resource = isinstance(condition, Resource)
        if (
            sum((callable(condition), is_of_resource, any(event.values()))) != 1
            or is_of_resource != bool(state_name("state", state) if state != "" else "")
            or not (callable(condition) or is_of_resource or condition is None)
        ):
            raise Misuse(
                "what is expected must be a function, a resource and its state, or members of an event: kind, "
                "subject, request"
            )
        if callable(condition):
            return _Condition("the condition", condition)
        if condition is not None:
            resource: Any = condition
            if not hasattr(type(resource), "state"):
                raise Misuse(
                    f"what has a state must be a service, an environment or a cluster, not {type(resource).__name__}"
                )
            name = (
                f"{type(resource).__name__.lower()} {resource['name']}" if "name" in resource.to_dict() else resource.id
            )
            members = {"subject": resource.id, "to": state}
            return _Condition(f'the state "{state}" of {name}', lambda: _state_of(resource) == state, members, resource)
        require_events(self._simulation._core, "an expectation of an event")
        wanted = {name: value for name, value in event.items() if value}
        return _Condition(f"an event with {wanted}", _Events(self._simulation, wanted), wanted)

    def _fail(self, what: str, about: _Condition) -> None:
        """Raises `ExpectationFailed`. Its message has the states of the resource or the nearest events, and the last
        events."""
        simulation = self._simulation
        events = simulation.events(self._began)
        names = self._names()
        lines = [f"{what} (seed {simulation.seed}, virtual time {simulation.now().isoformat()})."]
        if about.resource is not None:
            states = [event for event in events if event["subject"] == about.resource.id and is_change_of_state(event)]
            lines.append(
                f"It is {_state_of(about.resource)}. It was "
                + (
                    ", ".join(f"{event['to']} at {event['at']}" for event in states[-_EVENTS_SHOWN:])
                    or "in no other state meanwhile"
                )
                + "."
            )
            lines += [
                f"Its last failure: {event['detail']['reason']}"
                for event in states[-1:]
                if (event.get("detail") or {}).get("reason")
            ]
        elif about.members:
            near = [
                event for event in events if any(_is_met(event, name, value) for name, value in about.members.items())
            ]
            lines.append(
                f"Events that have one of these members: {len(near)}"
                + (f", the last: {_line(near[-1], names)}" if near else "")
                + "."
            )
        lines.append("The last events:")
        lines += [
            f"  {_line(event, names)}" for event in simulation.events(max(0, simulation.last_event - _EVENTS_SHOWN))
        ]
        raise ExpectationFailed("\n".join(lines))

    def _names(self) -> dict[str, str]:
        """Returns the names of the resources by id, as far as the events of their creation have them."""
        from .traces.subjects import subjects_of_events

        return {id: subject.name for id, subject in subjects_of_events(self._simulation.events()).items()}


class _Condition:
    """A condition, with the members of its events, and its resource."""

    def __init__(
        self, text: str, holds: Callable[[], object], members: Mapping[str, str] | None = None, resource: Any = None
    ) -> None:
        self._text = text
        self._holds = holds
        self.members = members or {}
        self.resource = resource

    @property
    def is_of_now(self) -> bool:
        """True if it can hold at an instant, and not only by an event."""
        return self.resource is not None or not self.members

    def is_met_by(self, event: Mapping[str, Any]) -> bool:
        """Reports whether the event makes it true."""
        return (
            bool(self.members)
            and all(_is_met(event, name, value) for name, value in self.members.items())
            and (self.resource is None or is_change_of_state(event))
        )

    def __call__(self) -> bool:
        return truth_of(self._holds(), "the condition")

    def __str__(self) -> str:
        return self._text


class _Events:
    """Reports at each call whether an event with these members was stored since the previous call, or the creation."""

    def __init__(self, simulation: Simulation, wanted: Mapping[str, str]) -> None:
        self._simulation = simulation
        self._wanted = wanted
        self._since = simulation.last_event

    def __call__(self) -> bool:
        new = self._simulation.events(self._since)
        if new:
            self._since = new[-1]["sequence"]
        return any(all(_is_met(event, name, value) for name, value in self._wanted.items()) for event in new)


def _is_met(event: Mapping[str, Any], name: str, wanted: str) -> bool:
    return fnmatchcase(event["kind"], wanted) if name == "kind" else event.get(name) == wanted


def _line(event: Mapping[str, Any], names: Mapping[str, str]) -> str:
    subject = names.get(event["subject"], event["subject"])
    return f"{event['at']} {event['kind']} {subject} {event.get('detail') or ''}".rstrip()


def _state_of(resource: Any) -> str:
    with without_faults(resource._engine) as reader:
        read: Any = type(resource)(reader, resource._data, resource._parent, resource._above)
        try:
            return str(read.state()["status"] if callable(read.state) else read.state)
        except NotFound:
            return "DELETED"
