"""Calls of ports on threads that can be left behind: a provider that does not answer must not keep a request for ever.

The threads are daemons: one that never comes back does not keep the interpreter from its end. A port that calls an engine is refused, as the
interface demands of every port.
"""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable

_THREADS_MAX = 32
_WAITING_MAX = 128  # callers that wait at a time


class PortCalls:
    """The calls of one engine's ports. `timeout` is seconds. From any thread."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._unfinished = 0  # calls that wait for a thread or have one
        self._waiting = 0  # callers

    def run(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns or raises. Raises TimeoutError if it does not in time."""
        call = _Call(function, arguments)
        with self._lock:
            if self._waiting >= _WAITING_MAX:
                raise TimeoutError(f"the {what} is busy: {_WAITING_MAX} calls of it wait for an answer")
            self._waiting += 1
            if self._unfinished >= self._threads and self._threads < _THREADS_MAX:
                threading.Thread(target=self._serve, name="orlop-port", daemon=True).start()
                self._threads += 1
            self._unfinished += 1
        self._calls.put(call)
        try:
            if not call.ended.wait(self._timeout):
                call.is_given_up = True
                raise TimeoutError(f"the {what} did not answer within {self._timeout:g} s")
        finally:
            with self._lock:
                self._waiting -= 1
        if call.raised is not None:
            raise call.raised
        return call.returned

    def _serve(self) -> None:
        _core.refuse_calls()
        while True:
            call = self._calls.get()
            if not call.is_given_up:
                call.run()
            del call
            with self._lock:
                self._unfinished -= 1


class _Call:
    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments
        self.ended = threading.Event()
        self.is_given_up = False
        self.returned: Any = None
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.returned = self._function(*self._arguments)
        except BaseException as error:
            self.raised = error
        self.ended.set()
