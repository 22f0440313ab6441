"""What a test expects of a simulation: `orlop.expect(simulation).eventually(web, "DEPLOYED")`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..checking.arguments import milliseconds, text
from ..errors import Misuse
from ..resources import Resource
from .subjects import id_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..simulation import Simulation

_EVENTS_SHOWN = 10


class ExpectationFailed(AssertionError):
    """What was expected of a simulation did not come true. The message says what happened instead: the last events, the virtual time and the seed."""


def expect(simulation: Simulation) -> Expectation:
    """Expectations of the simulation. Each advances virtual time until it is decided."""
    return Expectation(simulation)


class Expectation:
    """What is expected: that something comes true, or does not, while virtual time advances from one due instant to the next.

    Each method takes a condition in one of three forms: a function that returns whether it holds; a resource and the name of its state; or members of an event,
    `kind`, `subject` and `request`, which holds once such an event is stored after the call. They raise `ExpectationFailed`.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def eventually(
        self, condition: Callable[[], object] | Resource | None = None, state: str = "", *, kind: str = "", subject: str = "", request: str = ""
    ) -> None:
        """Expects that it comes true before nothing is left to be done. Time stands at the instant at which it did."""
        holds = self._condition(condition, state, kind, subject, request)
        for _ in self._instants(None):
            if holds():
                return
        self._fail(f"{holds} did not come true, and nothing is left to be done")

    def within(
        self, time: str | float, condition: Callable[[], object] | Resource | None = None, state: str = "", *, kind: str = "", subject: str = "", request: str = ""
    ) -> None:
        """Expects that it comes true within this time, seconds or a text like "10m". Time stands at the instant at which it did."""
        holds = self._condition(condition, state, kind, subject, request)
        for _ in self._instants(milliseconds("time", time)):
            if holds():
                return
        self._fail(f"{holds} did not come true within {time}")

    def never(
        self, condition: Callable[[], object] | Resource | None = None, state: str = "", *, kind: str = "", subject: str = "", request: str = "",
        within: str | float | None = None,
    ) -> None:  # fmt: skip
        """Expects that it holds at no instant until nothing is left to be done, or for the time `within`."""
        holds = self._condition(condition, state, kind, subject, request)
        for _ in self._instants(None if within is None else milliseconds("within", within)):
            if holds():
                self._fail(f"{holds} came true")

    def _instants(self, bound: int | None) -> Iterator[None]:
        """Yields at each due instant, after its tick, up to `bound` milliseconds from now."""
        core = self._simulation._core
        end = None if bound is None else core.now() + bound
        while True:
            wanted = core.tick()
            yield
            pause = None if wanted is None else math.ceil(wanted * 1000)
            if end is not None and (pause is None or core.now() + pause > end):
                if core.now() < end:
                    core.advance(end - core.now())
                    yield
                return
            if pause is None:
                return
            core.advance(pause)

    def _condition(self, condition: object, state: str, kind: str, subject: str, request: str) -> _Condition:
        event = {"kind": text("kind", kind), "subject": id_of("subject", subject), "request": text("request", request)}
        is_of_resource = isinstance(condition, Resource)
        if sum((callable(condition), is_of_resource, any(event.values()))) != 1 or is_of_resource != bool(text("state", state)) or not (callable(condition) or is_of_resource or condition is None):
            raise Misuse("what is expected must be a function, a resource and its state, or members of an event: kind, subject, request")
        if callable(condition):
            return _Condition("the condition", condition)
        if condition is not None:
            resource: Any = condition
            name = f"{type(resource).__name__.lower()} {resource['name']}" if "name" in resource.to_dict() else resource.id
            return _Condition(f'the state "{state}" of {name}', lambda: _state_of(resource) == state)
        wanted = {name: value for name, value in event.items() if value}
        return _Condition(f"an event with {wanted}", _Events(self._simulation, wanted))

    def _fail(self, what: str) -> None:
        simulation = self._simulation
        last = simulation.events(max(0, simulation.last_event - _EVENTS_SHOWN))
        lines = [f"{what} (seed {simulation.seed}, virtual time {simulation.now().isoformat()}). The last events:"]
        lines += [f"  {event['at']} {event['kind']} {event['subject']} {event.get('detail') or ''}".rstrip() for event in last]
        raise ExpectationFailed("\n".join(lines))


class _Condition:
    def __init__(self, text: str, holds: Callable[[], object]) -> None:
        self._text = text
        self._holds = holds

    def __call__(self) -> bool:
        return bool(self._holds())

    def __str__(self) -> str:
        return self._text


class _Events:
    """Whether an event with these members was stored after this was made. Each is looked at once."""

    def __init__(self, simulation: Simulation, wanted: Mapping[str, str]) -> None:
        self._simulation = simulation
        self._wanted = wanted
        self._since = simulation.last_event

    def __call__(self) -> bool:
        new = self._simulation.events(self._since)
        if new:
            self._since = new[-1]["sequence"]
        return any(all(event.get(name) == value for name, value in self._wanted.items()) for event in new)


def _state_of(resource: Any) -> str:
    status = resource.state if not callable(resource.state) else resource.state()["status"]
    return str(status)
