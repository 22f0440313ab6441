"""Waits in virtual time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..errors import Error, WaitTimeout
from .rules import control

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .. import _core

_PART = 3_600_000  # milliseconds of virtual time


def run_until_ended(core: _core.Engine, deployment: str, longest: int) -> str:
    """Advances virtual time by at most `longest` milliseconds, until the deployment request has ended. Returns "ended";
    "idle" if no work is left; or "late"."""
    return str(control(core, "POST", "clock", {"until_ended": deployment, "timeout": f"{longest}ms"})["end"])


def instants(core: _core.Engine, bound: int | None) -> Iterator[None]:
    """Advances time from one due instant to the next, and yields after the tick of each: up to `bound` milliseconds
    from now, or until only periodic work is left."""
    end = None if bound is None else core.now() + bound
    while True:
        wanted = core.tick()
        yield
        pause = None if wanted is None else math.ceil(wanted * 1000)
        if end is None:
            if pause is None or (pause > 0 and is_idle(core)):
                return
        elif pause is None or core.now() + pause > end:
            core.advance(max(0, end - core.now()))  # another thread may have advanced it
            yield
            return
        core.advance(pause)


def is_idle(core: _core.Engine) -> bool:
    """Reports whether only periodic work, such as cron jobs, is left."""
    return bool(control(core, "POST", "clock", {"until_idle": True, "timeout": 0})["end"] == "idle")


def wait_for(core: _core.Engine, deployment: str, timeout: float | None, what: str) -> None:
    """Advances time until the deployment request has ended, at most `timeout` seconds. `what` is its name in errors.
    Raises `WaitTimeout`, or `Error` if no work is left."""
    left = None if timeout is None else math.ceil(timeout * 1000)
    while True:  # in parts, so that Ctrl-C is handled although periodic work never ends
        part = _PART if left is None else min(left, _PART)
        end = run_until_ended(core, deployment, part)
        if end == "ended":
            return
        if end == "idle":
            raise endless(what)
        if left is not None and timeout is not None:
            left -= part
            if left == 0:
                raise late(what, timeout)


def endless(what: str) -> Error:
    return Error(f"{what} cannot come to an end: nothing is left to be done")


def late(what: str, timeout: float) -> WaitTimeout:
    return WaitTimeout(f"{what} did not come to an end within {timeout:g} s of virtual time")
