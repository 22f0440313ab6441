"""Requests of one event loop, answered by the engine on threads without the interpreter lock."""

from __future__ import annotations

import itertools
import logging
import weakref
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.restores import is_restore
from ..base.wire import Reply
from .edge import problem

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from ..base.engine_protocol import EngineProtocol
    from ..base.restores import Restores

READERS, WRITERS = 8, 16
"""Number of concurrent reads, and of concurrent writes. Writers that wait for the same disk share one commit."""

_log = logging.getLogger("orlop.http")


class RequestPool:
    """Created and used in the event loop `loop` only. The engine may be closed at any time: requests are then answered
    503."""

    def __init__(self, engine: EngineProtocol, loop: asyncio.AbstractEventLoop, writers: int = WRITERS) -> None:
        self._core = _core.RequestPool(engine._core, READERS, writers)
        self._restores = engine._restores
        self._tickets = itertools.count()
        self._waiting: dict[int, tuple[Callable[[Reply | None], None], str]] = {}
        self._loop = weakref.ref(loop)  # weak, so that a loop that is closed without notice frees its pool
        loop.add_reader(self._core.fileno(), self._take)

    def ask(
        self, answered: Callable[[Reply | None], None], method: str, target: str, headers: dict[str, str], body: bytes
    ) -> None:
        """Answers a request: calls `answered` with the reply, in the loop."""
        self._submit(answered, False, method, target, headers, body)

    def authenticate(
        self, answered: Callable[[Reply | None], None], method: str, target: str, headers: dict[str, str]
    ) -> None:
        """Checks a request's credentials: calls `answered` with the refusal, or with None if they are valid, in the
        loop."""
        self._submit(answered, True, method, target, headers, b"")

    def close(self) -> None:
        """Ends idle threads now, and the others after their request. Pending requests get no answer."""
        loop = self._loop()
        if loop is not None and not loop.is_closed():
            loop.remove_reader(self._core.fileno())
        self._waiting.clear()
        del self._core  # ends its idle threads

    def _submit(
        self,
        answered: Callable[[Reply | None], None],
        is_check: bool,
        method: str,
        target: str,
        headers: dict[str, str],
        body: bytes,
    ) -> None:
        if self._restores is not None and not is_check and is_restore(method, target):
            answered = self._after_restore(answered, self._restores)
        ticket = next(self._tickets)
        self._waiting[ticket] = (answered, f"{method} {target[:200]}")
        self._core.submit(ticket, is_check, method, target, list(headers.items()), body)

    def _after_restore(
        self, answered: Callable[[Reply | None], None], restores: Restores
    ) -> Callable[[Reply | None], None]:
        """Returns an `answered` that first handles the restore in this process, outside the loop, because it may wait
        for methods of a driver."""

        def go_back(reply: Reply | None) -> None:
            loop = self._loop()
            if reply is None or reply.status >= 300 or loop is None:
                answered(reply)
            else:
                loop.run_in_executor(None, restores.happened).add_done_callback(
                    lambda done: answered(
                        reply if done.exception() is None else problem(500, "the engine could not answer")
                    )
                )

        return go_back

    def _take(self) -> None:
        for ticket, status, headers, body in self._core.take():
            waiting = self._waiting.pop(ticket, None)
            if waiting is None:
                continue
            answered, what = waiting
            if status > 0:
                answered(Reply(status, headers, body))
            elif status == 0:
                answered(None)
            else:
                answered(failure_of(what, headers, body))


def failure_of(what: str, name: str, said: Any) -> Reply:
    """Returns the reply if the engine could not answer. Details go only to the log `orlop.http`."""
    if name == "driver_failed":
        _log.warning("%s: %s", what, said)
        return problem(504, "what the platform asks to answer this did not answer in time")
    if name in ("closed", "storage_busy"):
        _log.warning("%s: %s", what, said)
        return problem(503, "the engine cannot answer now", {"retry-after": "1"})
    _log.error(
        "%s: the engine could not answer: %s", what, said, exc_info=said if isinstance(said, BaseException) else None
    )
    return problem(500, "the engine could not answer")
