"""Several processes behind one address, for `orlop serve --workers`: each opens the store for itself, and the engines divide the work."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_RESTARTED_AFTER = 1.0  # seconds: a process that ends sooner does not start at all, and is not started again


class Workers:
    """`count` processes that run `work` with the listening socket. One that ends unasked is replaced, until SIGINT or SIGTERM ends them all."""

    def __init__(self, count: int, listener: socket.socket, work: Callable[[socket.socket], int]) -> None:
        self._count = count
        self._listener = listener
        self._work = work
        self._started: dict[int, float] = {}  # by process id
        self._is_stopped = False

    def run(self) -> int:
        """Returns when all have ended: 0, or the exit code of the first that could not start."""
        before = {number: signal.signal(number, lambda *_: self._stop()) for number in (signal.SIGINT, signal.SIGTERM)}
        code = 0
        try:
            for _ in range(self._count):
                self._start(before)
            while self._started:
                ended, status = self._wait()
                lived = time.monotonic() - self._started.pop(ended, 0.0)
                if self._is_stopped:
                    continue
                if lived < _RESTARTED_AFTER:
                    code = code or os.waitstatus_to_exitcode(status) or 1
                    self._stop()
                else:
                    print(f"orlop: process {ended} has ended and is replaced", file=sys.stderr, flush=True)
                    self._start(before)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return abs(code)

    def _wait(self) -> tuple[int, int]:
        while True:
            ended, status = os.wait()
            if ended in self._started:
                return ended, status

    def _start(self, handlers: Mapping[signal.Signals, Any]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process != 0:
            self._started[process] = time.monotonic()
            return
        code = 1
        try:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            code = self._work(self._listener)
        except BaseException as error:  # what a child raises is not the parent's
            print(f"orlop: {error}", file=sys.stderr, flush=True)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _stop(self) -> None:
        self._is_stopped = True
        for process in self._started:
            os.kill(process, signal.SIGTERM)
