"""Calls of external systems with a timeout, so that one that does not answer cannot block a request.

Plain methods run on daemon threads, so that one that never returns can be abandoned and cannot delay the end of the
interpreter; `async` methods run in one event loop. A method that calls an engine is refused.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.tasks import cancel_others
from ..base.wire import dumps, loads
from ..errors import Unanswered, text_of
from .external_check import answered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..generated.external_systems import ExternalSystems

_THREADS_MAX = 128


class ExternalCalls:
    """The external systems of one engine, as the core calls them, from any thread. `timeout` is in seconds."""

    questions: str
    """Names of the answered questions, separated by commas."""

    def __init__(self, systems: ExternalSystems | Sequence[ExternalSystems], timeout: float) -> None:
        self._timeout = timeout
        self._methods = answered(systems)
        self.questions = ",".join(self._methods)
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()  # with None for a thread to end
        self._lock = threading.Lock()
        self._threads = 0
        self._unfinished = 0  # calls that wait for a thread or run on one
        self._loop: asyncio.AbstractEventLoop | None = None

    def __call__(self, name: str, text: bytes) -> bytes:
        """Returns the answer as JSON. Raises the method's exception, or TimeoutError if it does not answer in time."""
        return dumps(self._answer(name, text), "answer")

    def _answer(self, name: str, text: bytes) -> Any:
        method = self._methods.get(name)
        if method is None:
            raise Unanswered(f"the question {name} is not answered")
        question = loads(text)
        late = TimeoutError(f"the external systems did not answer the question {name} within {self._timeout:g} s")
        if inspect.iscoroutinefunction(method):
            answer = self._await(method(question), late)
        else:
            answer = self._run(method, question, late)
            if inspect.isawaitable(answer):
                answer = self._await(answer, late)
        return answer

    def close(self) -> None:
        """Cancels all work in the event loop. Ends idle threads now, and the others when their method returns."""
        with self._lock:
            loop, self._loop = self._loop, None
            threads, self._threads = self._threads, 0
        for _ in range(threads):
            self._calls.put(None)
        if loop is not None:
            ended = asyncio.run_coroutine_threadsafe(cancel_others(), loop)
            ended.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))

    def _await(self, awaitable: Any, late: TimeoutError) -> Any:
        future = asyncio.run_coroutine_threadsafe(_contained(awaitable), self._event_loop())
        try:
            return future.result(self._timeout)
        except (TimeoutError, concurrent.futures.TimeoutError):
            if future.done():
                raise
            future.cancel()
            raise late from None
        except concurrent.futures.CancelledError:
            raise RuntimeError("the question was canceled") from None

    def _run(self, method: Callable[[Mapping[str, Any]], Any], question: Mapping[str, Any], late: TimeoutError) -> Any:
        call = _Call(method, question)
        with self._lock:
            if self._unfinished >= self._threads and self._threads < _THREADS_MAX:
                threading.Thread(target=self._serve, name="orlop-ask", daemon=True).start()
                self._threads += 1
            self._unfinished += 1
        self._calls.put(call)
        if not call.ended.wait(self._timeout):
            call.is_given_up = True
            raise late
        if call.raised is not None:
            raise call.raised
        return call.returned

    def _serve(self) -> None:
        _core.refuse_calls()
        while (call := self._calls.get()) is not None:
            if not call.is_given_up:
                call.run()
            del call
            with self._lock:
                self._unfinished -= 1

    def _event_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run_loop, args=(self._loop,), name="orlop-ask-loop", daemon=True).start()
            return self._loop


class _Call:
    def __init__(self, method: Callable[[Mapping[str, Any]], Any], question: Mapping[str, Any]) -> None:
        self._method = method
        self._question = question
        self.ended = threading.Event()
        self.is_given_up = False
        self.returned: Any = None
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.returned = self._method(self._question)
        except BaseException as error:
            self.raised = error
        self.ended.set()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    _core.refuse_calls()
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _contained(awaitable: Any) -> Any:
    try:
        return await awaitable
    except (
        SystemExit,
        KeyboardInterrupt,
    ) as error:  # raised further, they would end the event loop with all other questions
        raise RuntimeError(f"{type(error).__name__}: {text_of(error)}") from error
