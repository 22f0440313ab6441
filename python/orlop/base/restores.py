"""Restores of a simulation, and its readers of events: the numbers of the events that are gone are given again."""

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
    """Whether a request that succeeds lets a simulation go back."""
    return method == "PUT" and target.partition("?")[0] == "/-/sim/snapshot"


class Reader:
    """What reads events in their order. It is true while the simulation has gone back and the reader has not taken that
    up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._to: int | None = None
        self.waits = False
        """Whether it waits inside the engine for an event, which a simulation that goes back ends."""

    def __bool__(self) -> bool:
        return self._to is not None

    def note(self, last: int) -> None:
        """The simulation went back, to an event of this number."""
        with self._lock:
            self._to = last if self._to is None else min(self._to, last)

    def take(self, last: int) -> int:
        """Where it reads on that has read up to `last`: there, or where the simulation went back to meanwhile."""
        with self._lock:
            to, self._to = self._to, None
        return last if to is None else min(to, last)


class Restores:
    """The readers of one simulation's events. `forget` ends the methods of its driver, whose past is gone."""

    def __init__(self, core: _core.Engine, forget: Callable[[], None]) -> None:
        self._core = core
        self._forget = forget
        self._lock = threading.Lock()
        self._readers: weakref.WeakSet[Reader] = weakref.WeakSet()

    def reader(self) -> Reader:
        """A new reader of its events. It is forgotten when it is dropped."""
        made = Reader()
        with self._lock:
            self._readers.add(made)
        return made

    def happened(self) -> None:
        """After a restore: notes it for all readers, wakes those that wait, and ends the methods of the driver."""
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
    """A new reader of the events of an engine. Only a simulation has restores."""
    return Reader() if restores is None else restores.reader()
