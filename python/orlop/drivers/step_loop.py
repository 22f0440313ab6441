"""The event loop for the `async` methods of a driver. Its thread is a daemon, so that it cannot delay the end of the
interpreter."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from concurrent.futures import Future
    from typing import Any

NAME = "orlop-loop"
T = TypeVar("T")


class Begun:
    """A coroutine that runs on the loop, or waits to begin there."""

    __slots__ = ("_ended", "_is_canceled", "_loop", "_task", "_work")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, None],
        ended: Callable[[asyncio.Task[None]], None],
    ) -> None:
        self._loop = loop
        self._work = work
        self._ended = ended
        self._task: asyncio.Task[None] | None = None
        self._is_canceled = False

    def cancel(self) -> None:
        """Interrupts the coroutine, or prevents its begin. Callable from any thread."""
        self._is_canceled = True
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._interrupt)

    def begin(self) -> None:
        """Begins the coroutine, unless it is canceled. Called on the thread of the loop."""
        if self._is_canceled:
            self._work.close()
            return
        self._task = self._loop.create_task(self._work)
        self._task.add_done_callback(self._ended)

    def _interrupt(self) -> None:
        if self._task is not None:
            self._task.cancel()


class StepLoop:
    """Runs coroutines. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._waiting: list[Begun] = []
        threading.Thread(target=self._run, name=NAME, daemon=True).start()

    def begin(self, work: Coroutine[Any, Any, None], ended: Callable[[asyncio.Task[None]], None]) -> Begun:
        """Begins the coroutine on the loop, in the order of the calls, and calls `ended` there unless it is canceled
        before. Wakes the loop once for all coroutines that wait, because a wake-up costs more than the rest of a
        begin."""
        begun = Begun(self.loop, work, ended)
        with self._lock:
            self._waiting.append(begun)
            is_first = len(self._waiting) == 1
        if is_first:
            self.loop.call_soon_threadsafe(self._begin_all)
        return begun

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Runs the coroutine after those that were begun before. The caller may wait for the future."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def _run(self) -> None:
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()

    def _begin_all(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for begun in waiting:
            begun.begin()
