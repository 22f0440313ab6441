"""The output of several containers as one stream of lines."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def merged(streams: Sequence[Callable[[], Iterator[bytes]]]) -> Iterator[str]:
    """Yields the lines of all streams as they come, until the last one ends. Each is read on a thread."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read(open_stream: Callable[[], Iterator[bytes]]) -> None:
        rest = b""
        try:
            for part in open_stream():
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    lines.put(line.decode(errors="replace").rstrip("\r"))
            if rest:
                lines.put(rest.decode(errors="replace"))
        finally:
            lines.put(None)

    for stream in streams:
        threading.Thread(target=read, args=(stream,), name="orlop-log", daemon=True).start()
    left = len(streams)
    while left:
        line: Any = lines.get()
        if line is None:
            left -= 1
        else:
            yield line
