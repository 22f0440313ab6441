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
)  # what SQLite appends to the name of a database: commits that another process has made lie there


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """The file to write in the place of `path`, whose contents it takes when all is written: what fails on the way
    leaves what was there. What cannot be written names the file: the error of a full disk does not by itself."""
    try:
        target = path.resolve()
        if path.exists() and not path.is_file():  # such as /dev/stdout, which may lead to a pipe without a path
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
    """Raises `Misuse` if an option would write a file that the command reads, or that another option writes: its
    contents would be lost. Both are by name of argument."""
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
    """The same for all names of one file."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def add_secret_key(parser: argparse.ArgumentParser) -> None:
    """Adds the option of commands that open a store."""
    parser.add_argument(
        "--secret-key", type=Path, metavar="FILE", help="the key with which the store's secrets are encrypted, 32 bytes"
    )


def opened(given: argparse.Namespace, makes_one: bool = False, copy: str | None = None, **options: Any) -> Engine:
    """The engine on the store of the arguments, or on its `copy`, with the key of `add_secret_key`. Looking makes no
    store, also not of an empty file. A key opens what is encrypted: the secrets of a plain store, which an engine with
    a key encrypts, stay as they are. Raises `Error`."""
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
    """Whether there is a store, or may be one on a database server: an empty file is none."""
    path = store_file(given)
    return path is None or (os.path.isfile(path) and os.path.getsize(path) > 0)


def store_file(given: str) -> str | None:
    """The file of a store; None of a database server."""
    return None if is_url(given) else given.removeprefix("sqlite:")
