"""Faults of requests to a simulation."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .rules import Scripted, control, given_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..base.engine_protocol import EngineWithObjects


@contextlib.contextmanager
def without_faults(engine: EngineWithObjects) -> Iterator[Any]:
    """Yields a reader of the engine for a report, a prediction or an expectation. For a simulation it is a batch, which
    skips faults: a latency would move its time."""
    if not hasattr(engine, "clock"):  # real time has no faults
        yield engine
        return
    with engine.batch() as batch:
        yield batch


class Faults(Scripted):
    """Faults of requests: refusals, late answers and lost answers. The last added fault that matches a request
    applies."""

    _what = "faults"

    def add(
        self,
        *,
        operation: str = "",
        status: int | None = None,
        latency: str | float = 0,
        drop: bool = False,
        stale: str | float = 0,
        unknown_enum: str = "",
        probability: float | None = None,
        nth: int | None = None,
        times: int = 0,
    ) -> None:
        """Adds a fault of the requests for this `operation`, an operation id such as "create_container"; `*` and `?`
        are wildcards, and "" matches all.

        With a `status` of 400 to 599 the request gets this status and is not carried out. `latency` passes in virtual
        time first. With `drop` the request is carried out and its answer is lost: the server closes the connection, and
        a request of this process is answered with the status 444. With `stale`, a read of the same path within this
        time of an earlier one gets the earlier answer, and a younger resource is not found. `unknown_enum` names
        members of the answer, such as "state", whose enum values become "SIMULATED_VALUE". The fault applies with a
        `probability` of 0 to 1, to each `nth` matching request, and to `times` requests (0: no limit). Requests of
        typed objects are matched too. Raises `Misuse`.
        """
        control(self._core, "POST", "faults", given_of(Faults.add, locals()), "fault")
