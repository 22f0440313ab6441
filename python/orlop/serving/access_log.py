"""One line for each request that `orlop serve` answers. A thread writes them, so that a slow reader of the log holds up
no request."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

_LINES_KEPT = 10_000
_LAST_LINES = 2.0  # seconds that the log may take at the end
_WRITTEN_TOGETHER = 0.05  # seconds


class AccessLog:
    """Writes to `out`. Over 10,000 lines that are not written yet are dropped, and their number is written instead."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._entries: deque[tuple[float, str, str, str, int, int, float]] = deque()
        self._dropped = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="orlop-access-log", daemon=True)
        self._thread.start()

    def line(self, peer: str, method: str, target: str, status: int, size: int, seconds: float) -> None:
        """Notes an answer. To be called by one thread."""
        if len(self._entries) < _LINES_KEPT:
            self._entries.append((time.time(), peer, method, target, status, size, seconds))
        else:
            self._dropped += 1

    def close(self) -> None:
        """Writes what is left, if that goes in two seconds."""
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
