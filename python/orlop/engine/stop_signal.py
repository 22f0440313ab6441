"""The signal that ends `run`, which several threads may call."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class Stopping(threading.Event):
    """When set, it ends every `run` in progress, or the next one. The last of them clears it."""

    def __init__(self) -> None:
        super().__init__()
        self._entered_lock = threading.Lock()
        self._entered = 0

    def __enter__(self) -> None:
        with self._entered_lock:
            self._entered += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._entered_lock:
            self._entered -= 1
            if self._entered == 0:
                self.clear()
