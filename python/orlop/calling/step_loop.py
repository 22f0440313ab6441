"""The event loop for the `async` methods of a driver, on a thread of its own: a daemon, which does not keep the interpreter from its end."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

NAME = "orlop-loop"


class StepLoop:
    """Runs coroutines. From any thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._waiting: list[tuple[Future[None], Coroutine[Any, Any, None]]] = []
        threading.Thread(target=self._run, name=NAME, daemon=True).start()

    def submit(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        """Begins the coroutine on the loop, in the order of the calls. Canceling the future cancels it. The loop is woken once for all that wait for it: a wake-up
        costs more than the rest of a begin."""
        future: Future[None] = Future()
        with self._lock:
            self._waiting.append((future, work))
            is_first = len(self._waiting) == 1
        if is_first:
            self.loop.call_soon_threadsafe(self._begin_all)
        return future

    def _run(self) -> None:
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()

    def _begin_all(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for future, work in waiting:
            if future.cancelled():
                work.close()
            else:
                self._begin(future, work)

    def _begin(self, future: Future[None], work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(work)

        def ended(_: asyncio.Task[None]) -> None:
            if task.cancelled():
                future.cancel()
            if not future.set_running_or_notify_cancel():
                return
            if (error := task.exception()) is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        def canceled(_: Future[None]) -> None:
            if future.cancelled() and not self.loop.is_closed():
                self.loop.call_soon_threadsafe(task.cancel)

        task.add_done_callback(ended)
        future.add_done_callback(canceled)
