"""A rule, and what several rules have in common."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from .bench import Bench, Setup
from .report import Broken, NotApplicable
from .watched import BEGIN, END, Hold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Rule(NamedTuple):
    """A rule of the contract. `run` raises `Broken` or `NotApplicable`."""

    name: str
    statement: str
    run: Callable[[Setup], None]
    needs: str
    """Rule without which this one says nothing."""


RULES: dict[str, Rule] = {}


def rule(statement: str, needs: str = "deploy") -> Callable[[Callable[[Setup], None]], Callable[[Setup], None]]:
    """Registers the function as the rule of its name."""

    def register(function: Callable[[Setup], None]) -> Callable[[Setup], None]:
        RULES[function.__name__] = Rule(function.__name__, statement, function, needs)
        return function

    return register


@contextlib.contextmanager
def bench_of(setup: Setup) -> Iterator[Bench]:
    """Opens a bench for the block. Afterwards everything that was deployed on it is deleted."""
    bench = Bench(setup)
    try:
        yield bench
    finally:
        bench.tear_down()


def need_view(bench: Bench) -> None:
    """Raises `NotApplicable` if nothing can be seen of what runs."""
    if not bench.view.sees:
        raise NotApplicable("no probe was given, and the driver has neither `workloads` nor `observe`")


def points_of(setup: Setup, counted: int) -> list[int]:
    """Returns the points at which a step is interrupted: the first and the last, and as many between them as there are,
    at most `setup.points`."""
    between = min(counted, max(0, setup.points - 2))
    spread = {1 + number * counted // between for number in range(between)} if between else set()
    return [BEGIN, *sorted(spread), END]


def point_text(kind: str, point: int) -> str:
    """Returns a point in words."""
    if point == BEGIN:
        return f"before the method {kind} began"
    return f"after the method {kind} had returned" if point == END else f"at point {point} of the method {kind}"


def hold_at_each_point(
    setup: Setup, kind: str, act: Callable[[Bench, str], object], trial: Callable[[Bench, str, Hold], None]
) -> None:
    """Deploys a service; `act` begins the step `kind` of it. `trial` gets the service and the step held at one of its
    points, each in turn on a bench of its own. A broken rule names the point."""
    with bench_of(setup) as bench:
        service = _prepared(bench, kind)
        act(bench, service)
        if not bench.until(lambda: any(call.ended.is_set() for call in bench.watch.of(kind)), setup.patience):
            raise NotApplicable(f"the driver has no method {kind}")
        counted = bench.watch.of(kind)[-1].points
    for point in points_of(setup, counted):
        with bench_of(setup) as bench:
            service = _prepared(bench, kind)
            hold = bench.watch.hold(kind, point)
            act(bench, service)
            if not bench.expect_reached(hold):
                continue  # this time the step has fewer points
            try:
                trial(bench, service, hold)
            except Broken as broken:
                raise Broken(f"held {point_text(kind, point)}: {broken}") from None


def kill_at_each_point(
    setup: Setup, kind: str, act: Callable[[Bench, str], object], verify: Callable[[Bench, str], None]
) -> None:
    """Kills the host at each point of a step. The next one completes it, and `verify` gets the service."""

    def trial(bench: Bench, service: str, hold: Hold) -> None:
        hold.freeze()
        bench.reopen()
        try:
            verify(bench, service)
        except Broken as broken:
            raise Broken(f"the host was killed, and the next one opened: {broken}") from None

    hold_at_each_point(setup, kind, act, trial)


def _prepared(bench: Bench, kind: str) -> str:
    if kind == "execute":
        return bench.add_job()
    service = bench.add()
    if kind != "deploy":
        bench.do("deploy")
    return service
