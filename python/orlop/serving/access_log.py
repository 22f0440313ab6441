"""The access log of `orlop serve`: one line for each request. A thread writes them, so that a slow reader of the log
delays no request."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

_LINES_KEPT = 10_000
_LAST_LINES = 2.0  # seconds for the last lines at the end
_WRITTEN_TOGETHER = 0.05  # seconds between two writes


class AccessLog:
    """Writes to `out`. Drops lines while 10,000 wait to be written, and writes the number of dropped ones instead."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._entries: deque[tuple[float, str, str, str, int, int, float]] = deque()
        self._dropped = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="orlop-access-log", daemon=True)
        self._thread.start()

    def line(self, peer: str, method: str, target: str, status: int, size: int, seconds: float) -> None:
        """Notes an answer. Called by one thread only."""
        if len(self._entries) < _LINES_KEPT:
            self._entries.append((time.time(), peer, method, target, status, size, seconds))
        else:
            self._dropped += 1

    def close(self) -> None:
        """Writes the remaining lines, for at most two seconds."""
        self._ended.set()
        self._thread.join(_LAST_LINES)

    def _run(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the reader of the log has closed it
            while not self._ended.wait(_WRITTEN_TOGETHER):
                self._write()
            self._write()

    def _write(self) -> None:
        lines = []
        for _ in range(len(self._entries)):
            at, peer, method, target, status, size, seconds = self._entries.popleft()
            lines.append(f"{_written(at)} {peer} {method} {target} {status} {size} {seconds * 1000:.1f}ms\n")
        dropped, self._dropped = self._dropped, 0
        if dropped:
            lines.append(f"{dropped} lines were dropped\n")
        if lines:
            self._out.write("".join(lines))
            self._out.flush()


def _written(at: float) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03}Z"
