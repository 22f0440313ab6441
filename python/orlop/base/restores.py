"""Restores of a simulation, and its readers of events: a restore drops events, and their numbers are assigned again."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import TYPE_CHECKING

from ..errors import Closed

if TYPE_CHECKING:
    from collections.abc import Callable

    from .. import _core


def is_restore(method: str, target: str) -> bool:
    """Reports whether the request, if it succeeds, restores an earlier state of a simulation."""
    return method == "PUT" and target.partition("?")[0] == "/-/sim/snapshot"


class Reader:
    """A reader of events in their order. True from a restore of the simulation until the next `take`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._to: int | None = None
        self.waits = False
        """True while the reader waits inside the engine for an event. A restore ends that wait."""

    def __bool__(self) -> bool:
        return self._to is not None

    def note(self, last: int) -> None:
        """Notes a restore of the simulation to the event with this number."""
        with self._lock:
            self._to = last if self._to is None else min(self._to, last)

    def take(self, last: int) -> int:
        """Returns the event after which the reader continues: `last`, or that of a restore meanwhile, if it is
        earlier."""
        with self._lock:
            to, self._to = self._to, None
        return last if to is None else min(to, last)


class Restores:
    """The readers of one simulation's events. `forget` ends the methods of its driver, whose steps no longer exist."""

    def __init__(self, core: _core.Engine, forget: Callable[[], None]) -> None:
        self._core = core
        self._forget = forget
        self._lock = threading.Lock()
        self._readers: weakref.WeakSet[Reader] = weakref.WeakSet()

    def reader(self) -> Reader:
        """Returns a new reader, to which only a weak reference is kept."""
        made = Reader()
        with self._lock:
            self._readers.add(made)
        return made

    def happened(self) -> None:
        """Called after a restore: notes it for all readers, wakes those that wait, and ends the methods of the
        driver."""
        with contextlib.suppress(Closed):
            last = self._core.last_event()
            with self._lock:
                readers = list(self._readers)
            for reader in readers:
                reader.note(last)
            if any(reader.waits for reader in readers):
                self._core.interrupt()
            self._forget()


def reader_of(restores: Restores | None) -> Reader:
    """Returns a new reader of an engine's events. Only a simulation has restores."""
    return Reader() if restores is None else restores.reader()
