"""A progress bar on a terminal; no output elsewhere."""

from __future__ import annotations

import sys
import time

from ..base.event_text import words_of

_WIDTH = 40
_EVERY = 0.1  # seconds


class Progress:
    """Shows how many of `total` are done, and the time left."""

    def __init__(self, total: int, what: str) -> None:
        self._total = total
        self._what = what
        self._done = 0
        self._began = self._shown = time.monotonic()
        self._is_shown = total > 1 and sys.stderr is not None and sys.stderr.isatty()  # None if closed

    def step(self) -> None:
        self._done += 1
        now = time.monotonic()
        if self._is_shown and (now - self._shown >= _EVERY or self._done == self._total):
            self._shown = now
            left = (now - self._began) / self._done * (self._total - self._done)
            bar = "#" * (_WIDTH * self._done // self._total)
            print(
                f"\r{self._done} of {self._total} {self._what}  {bar:{_WIDTH}}  {words_of(left)} left   ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def end(self) -> None:
        if self._is_shown and self._done:
            print(file=sys.stderr, flush=True)
