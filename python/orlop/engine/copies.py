"""Backups of stores in SQLite files, and what puts them back."""

from __future__ import annotations

import os

from .. import _core


def backup(storage: str | os.PathLike[str], file: str | os.PathLike[str]) -> None:
    """Writes a copy of the store into `file`, with all that is committed at one instant.

    The store may be in use, by this process or others: neither readers nor writers wait. The copy needs no other file
    beside it, and its secrets are as encrypted as those of the store. `storage` is the path of an SQLite file.
    """
    _core.backup(os.fspath(storage), os.fspath(file))


def restore(storage: str | os.PathLike[str], file: str | os.PathLike[str]) -> str | None:
    """Puts the copy `file` in the place of the store, which no process may have open.

    Answers the path under which what was there is kept; None if there was nothing. Raises `StorageBusy` if the store is
    in use, and `StorageCorrupt` if the copy is damaged; the store is then what it was.
    """
    return _core.restore(os.fspath(storage), os.fspath(file)) or None
