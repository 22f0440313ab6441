"""Read-only access to stores that cannot be written: commands open a copy in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING, Any

from ..errors import StorageError
from .files import BESIDE_A_STORE, opened, store_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ..engine.engine import Engine

_LOG, _LOG_INDEX, _JOURNAL = BESIDE_A_STORE
_COPIED = ("", _LOG, _JOURNAL)


@contextlib.contextmanager
def opened_to_read(given: argparse.Namespace, **options: Any) -> Iterator[Engine]:
    """Opens as `opened` does, for a command that changes nothing: it needs no right to write the store."""
    path = store_file(given.store)
    with contextlib.ExitStack() as stack:
        copy = (
            stack.enter_context(_copied(path))
            if path is not None and os.path.isfile(path) and _is_read_only(path)
            else None
        )
        yield stack.enter_context(opened(given, copy=copy, **options))


def _is_read_only(path: str) -> bool:
    """Reports whether an engine cannot open the file: also to read, it writes to it and to SQLite's other files."""
    beside = [path + ending for ending in BESIDE_A_STORE if os.path.exists(path + ending)]
    return not all(os.access(file, os.W_OK) for file in (path, os.path.dirname(os.path.abspath(path)), *beside))


@contextlib.contextmanager
def _copied(path: str) -> Iterator[str]:
    """Yields the path of a copy of the store, which is removed after the block. The store must be read-only: then this
    process does not have it open, and loses no lock when the file is closed."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="orlop-") as folder:
        copy = os.path.join(folder, "store.db")
        if not os.path.exists(path + _LOG_INDEX):
            for ending in _COPIED:
                if not ending or os.path.exists(path + ending):
                    shutil.copyfile(path + ending, copy + ending)
        # A process that uses the store has this file. Each of its commits must be in the copy in full or not at all.
        if os.path.exists(path + _LOG_INDEX):
            _copy_used(path, copy)
        yield copy


def _copy_used(path: str, copy: str) -> None:
    import sqlite3
    from urllib.parse import quote

    for ending in _COPIED:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(copy + ending)
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True)) as store,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            store.backup(target)
    except sqlite3.Error as error:
        raise StorageError(
            f"{path} can only be read by this user, and cannot be copied: {error}; use a copy, or run the command "
            f"as a user who may write it and its folder"
        ) from None
