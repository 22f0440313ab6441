"""Files that commands write, and stores that they open."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Error, Misuse, StorageSealed
from ..options.storage_libraries import is_url, shown_storage

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from ..engine.engine import Engine


BESIDE_A_STORE = (
    "-wal",
    "-shm",
    "-journal",
)  # endings of SQLite's other files of a store, which may hold commits of other processes


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yields the file to write. It replaces `path` at the end of the block, so that a failure keeps the old contents.
    Errors name the file, which that of a full disk does not by itself."""
    try:
        target = path.resolve()
        if path.exists() and not path.is_file():  # such as /dev/stdout, which may be a pipe without a path
            yield path
            return
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            yield beside
            with contextlib.suppress(FileNotFoundError):
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, f"cannot write {path}: {error.strerror}") from None


def keep_apart(read: Mapping[str, Path | str | None], written: Mapping[str, Path | None]) -> None:
    """Raises `Misuse` if an option would overwrite a file that the command reads or that another option writes. Both
    mappings have the names of arguments as keys."""
    names = {
        _identity(f"{path}{ending}"): name
        for name, path in read.items()
        if path is not None
        for ending in ("", *BESIDE_A_STORE)
    }
    for option, path in written.items():
        if path is None or (path.exists() and not path.is_file()):  # such as /dev/null
            continue
        other = names.setdefault(_identity(path), option)
        if other != option:
            raise Misuse(f"{option} must be a file of its own, not {path}, which is that of {other}")


def _identity(path: Path | str) -> object:
    """Returns the same value for all names of one file."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def add_secret_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--secret-key", type=Path, metavar="FILE", help="the key with which the store's secrets are encrypted, 32 bytes"
    )


def opened(given: argparse.Namespace, makes_one: bool = False, copy: str | None = None, **options: Any) -> Engine:
    """Opens the engine on the store of the arguments, or on its `copy`, with the key of `add_secret_key`. Creates a
    store only with `makes_one`. Refuses a key for a store whose secrets are not encrypted, because the engine would
    encrypt them. Raises `Error`."""
    from ..engine.engine import Engine

    is_there = is_store(given.store)
    if not is_there and not makes_one:
        raise Error(f"there is no store at {shown_storage(given.store)}", "misuse")
    key = None if given.secret_key is None else given.secret_key.read_bytes()
    store = copy or given.store
    if is_there and given.secret_key is not None:
        with contextlib.suppress(StorageSealed):
            Engine(store, **options).close()
            raise Misuse(
                f"--secret-key must be left out: the secrets of {shown_storage(given.store)} are not encrypted"
            )
    return Engine(store, secret_key=key, **options)


def is_store(given: str) -> bool:
    """Reports whether there is a store, or may be one on a database server. An empty file is not a store."""
    path = store_file(given)
    return path is None or (os.path.isfile(path) and os.path.getsize(path) > 0)


def store_file(given: str) -> str | None:
    """Returns the file of a store; None for a database server."""
    return None if is_url(given) else given.removeprefix("sqlite:")
