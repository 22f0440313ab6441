"""Backup and restore of stores in SQLite files."""

from __future__ import annotations

import os

from .. import _core


def backup(storage: str | os.PathLike[str], file: str | os.PathLike[str]) -> None:
    """Writes a copy of the store into `file`, with all that is committed at one instant.

    The store may be in use, by this process or others: neither readers nor writers wait. The copy is one file, and its
    secrets are as encrypted as those of the store. `storage` is the path of an SQLite file.
    """
    _core.backup(os.fspath(storage), os.fspath(file))


def restore(storage: str | os.PathLike[str], file: str | os.PathLike[str]) -> str | None:
    """Replaces the store, which no process may have open, with the copy `file`.

    Returns the path under which the previous contents are kept; None if there were none. Raises `StorageBusy` if the
    store is in use, and `StorageCorrupt` if the copy is damaged; the store is then unchanged.
    """
    return _core.restore(os.fspath(storage), os.fspath(file)) or None
