"""Several processes at one address, for `orlop serve --workers`: each opens the store, and their engines divide the
work."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# seconds: a process that ends sooner by itself cannot start, and is not replaced; one that was killed is replaced after
# this time
_LIVES = 1.0


class Workers:
    """`count` processes that run `work` with the listening socket, and True for the first process or its replacement. A
    process that ends unasked is replaced, until SIGINT or SIGTERM ends all. They also end if this process is killed."""

    def __init__(self, count: int, listener: socket.socket, work: Callable[[socket.socket, bool], int]) -> None:
        self._count = count
        self._listener = listener
        self._work = work
        self._started: dict[int, float] = {}  # by process id
        self._first = 0  # id of the first process; 0 if it has to be started
        self._is_stopped = False
        # Nothing is written: the processes read its end, which comes even if this process is killed.
        self._end, self._life = os.pipe()

    def run(self) -> int:
        """Runs until all processes have ended. Returns 0, or the exit code of the first that could not start."""
        before = {number: signal.signal(number, lambda *_: self._stop()) for number in (signal.SIGINT, signal.SIGTERM)}
        code = 0
        try:
            for _ in range(self._count):
                self._start(before)
            while self._started:
                ended, status = self._wait()
                left = _LIVES - (time.monotonic() - self._started.pop(ended, 0.0))
                if ended == self._first:
                    self._first = 0
                exit_code = os.waitstatus_to_exitcode(status)
                if self._is_stopped:
                    continue
                if left > 0 and exit_code >= 0:
                    print(
                        f"orlop: process {ended} has ended with code {exit_code} as soon as it was started; the "
                        f"others end, too",
                        file=sys.stderr,
                        flush=True,
                    )
                    code = code or exit_code or 1
                    self._stop()
                    continue
                print(f"orlop: process {ended} has ended and is replaced", file=sys.stderr, flush=True)
                time.sleep(max(left, 0.0))
                if not self._is_stopped:
                    self._start(before)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(self._life)
            os.close(self._end)
        return abs(code)

    def _wait(self) -> tuple[int, int]:
        while True:
            ended, status = os.wait()
            if ended in self._started:
                return ended, status

    def _start(self, handlers: Mapping[signal.Signals, Any]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        is_first = self._first == 0
        process = os.fork()
        if process != 0:
            self._started[process] = time.monotonic()
            if is_first:
                self._first = process
            return
        code = 1
        try:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            os.close(self._life)
            threading.Thread(target=self._end_with_parent, name="orlop-parent", daemon=True).start()
            code = self._work(self._listener, is_first)
        except BaseException as error:  # a child must not return to the parent's code
            print(f"orlop: {error}", file=sys.stderr, flush=True)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _end_with_parent(self) -> None:
        os.read(self._end, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _stop(self) -> None:
        self._is_stopped = True
        for process in self._started:
            os.kill(process, signal.SIGTERM)
