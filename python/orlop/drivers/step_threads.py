"""Threads for the methods of a driver. They are daemons: a method that does not return cannot delay the end of the
interpreter."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "orlop-step"


class StepThreads:
    """At most `count` threads, each started when first needed. The methods may be called from any thread."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._work: SimpleQueue[tuple[Future[None], Callable[..., None], tuple[Any, ...]] | None] = SimpleQueue()
        self._threads = 0
        self._unfinished = 0  # functions that wait for a thread or run on one

    def submit(self, function: Callable[..., None], *arguments: Any) -> Future[None]:
        """Runs the function on one of the threads."""
        future: Future[None] = Future()
        with self._lock:
            if self._unfinished >= self._threads and self._threads < self._count:
                threading.Thread(target=self._run, name=f"{NAME}_{self._threads}", daemon=True).start()
                self._threads += 1
            self._unfinished += 1
        self._work.put((future, function, arguments))
        return future

    def end(self) -> None:
        """Ends idle threads now, and the others when their function returns."""
        for _ in range(self._threads):
            self._work.put(None)

    def _run(self) -> None:
        while (entry := self._work.get()) is not None:
            future, function, arguments = entry
            if future.set_running_or_notify_cancel():
                _complete(future, function, arguments)
            del entry, future, function, arguments
            with self._lock:
                self._unfinished -= 1


def _complete(future: Future[None], function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    try:
        function(*arguments)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(None)
