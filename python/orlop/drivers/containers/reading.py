"""The lines of a pull or a build, read by a thread of their own: the container engine may say nothing for minutes."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Reading:
    """Reads a stream of `client`, which it closes."""

    def __init__(self, client: Any, open_stream: Callable[[Any], Iterator[dict[str, Any]]]) -> None:
        self._client = client
        self._lines: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._responses: list[Any] = []
        client.hooks["response"].append(lambda response, *_, **__: self._responses.append(response))
        self._thread = threading.Thread(target=self._read, args=(open_stream,), name="orlop-reading", daemon=True)
        self._thread.start()

    def next(self, timeout: float) -> dict[str, Any] | None:
        """Returns the next line, an empty one if there is none within `timeout` seconds, None after the last one.
        Raises the exception that has ended the stream."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            return {}
        if isinstance(line, Exception):
            raise line
        return line

    def close(self) -> None:
        """Closes the connection if the stream has not ended, so that the engine ends its work."""
        from docker.types import CancellableStream

        if self._thread.is_alive():
            for response in self._responses[-1:]:
                with contextlib.suppress(Exception):  # it has ended meanwhile
                    CancellableStream(None, response).close()

    def _read(self, open_stream: Callable[[Any], Iterator[dict[str, Any]]]) -> None:
        try:
            for line in open_stream(self._client):
                self._lines.put(line)
            self._lines.put(None)
        except Exception as error:
            self._lines.put(error)
        finally:
            self._client.close()
