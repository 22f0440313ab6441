"""Snapshots of a simulation: the text of its contents, and the state to which `restore` returns."""

from __future__ import annotations

import contextlib
import weakref
from typing import TYPE_CHECKING, Any

from .. import _core

if TYPE_CHECKING:

    class _Text(bytes):
        """Bytes, for type checkers."""

        def __init__(self, render: Any) -> None: ...
else:
    _Text = _core.LazyBytes


def _drop(core: _core.Engine, state: int) -> None:
    with contextlib.suppress(Exception):  # the simulation may be closed
        core.drop_state(state)


class Snapshot(_Text):
    """A snapshot: the bytes for the option `snapshot`, made when they are first read, and the state for
    `Simulation.restore`.

    It keeps the contents of that instant for as long as it exists.
    """

    def __init__(self, core: _core.Engine, state: int, seed: int) -> None:
        super().__init__(lambda: core.state_snapshot(state))
        self._core = core
        self._state = state
        self.seed = seed
        weakref.finalize(self, _drop, core, state)

    def render(self) -> None:
        bytes(self)

    def restore(self, core: _core.Engine) -> bool:
        """Restores the simulation to this state. Returns False if the state belongs to another simulation."""
        if core is not self._core:
            return False
        core.restore_state(self._state)
        return True

    def __len__(self) -> int:
        return len(bytes(self))

    def __eq__(self, other: object) -> bool:
        return bytes(self) == (bytes(other) if isinstance(other, (Snapshot, bytearray, memoryview)) else other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __getattr__(self, name: str) -> Any:
        return getattr(bytes(self), name)  # decode, splitlines …

    def __getitem__(self, key: Any) -> Any:
        return bytes(self)[key]

    def __add__(self, other: bytes) -> bytes:  # type: ignore[override]
        return bytes(self) + bytes(other)

    def __iter__(self) -> Any:
        return iter(bytes(self))

    def __contains__(self, part: Any) -> bool:
        return part in bytes(self)

    def __reduce__(self) -> Any:
        return bytes, (bytes(self),)

    def __repr__(self) -> str:
        return f"<Snapshot {self._state}>"
