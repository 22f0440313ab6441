"""The commands `orlop snapshot`, `import`, `backup` and `restore`: whole stores as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .files import add_secret_key, keep_apart, opened, store_file, writing
from .read_only import opened_to_read

if TYPE_CHECKING:
    import argparse

_STORE = "the path of an SQLite file, or postgresql://…"
_FILE = "the path of an SQLite file"


def add(commands: Any) -> None:
    """Adds the subcommands to the parser of `orlop`."""
    snapshot = commands.add_parser(
        "snapshot", help="write the contents of a store as text",
        description="Writes the contents of a store at one instant as JSON Lines, for orlop import. Secrets are included only if they are encrypted.",
    )  # fmt: skip
    snapshot.add_argument("store", metavar="STORE", help=_STORE)
    snapshot.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    add_secret_key(snapshot)
    snapshot.set_defaults(run=run_snapshot)
    imported = commands.add_parser(
        "import",
        help="make a store from a snapshot",
        description="Makes a store from a snapshot, with the same ids, states and events.",
    )
    imported.add_argument("store", metavar="STORE", help=f"{_STORE}; it is made if it is not there, and must be empty")
    imported.add_argument("file", metavar="FILE", type=Path, help="the snapshot")
    add_secret_key(imported)
    imported.set_defaults(run=run_import)
    backup = commands.add_parser(
        "backup", help="copy a store's file, also while it is in use",
        description="Copies the file of a store as it is at one instant. The store may be in use; neither readers nor writers wait.",
    )  # fmt: skip
    backup.add_argument("store", metavar="STORE", help=_FILE)
    backup.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    backup.set_defaults(run=run_backup)
    restore = commands.add_parser(
        "restore", help="put a copy of a store back",
        description="Puts a backup in the place of a store, which no process may have open. What was there is kept beside it.",
    )  # fmt: skip
    restore.add_argument("store", metavar="STORE", help=_FILE)
    restore.add_argument("file", metavar="FILE", type=Path, help="the backup, as orlop backup has written it")
    restore.set_defaults(run=run_restore)


def run_snapshot(given: argparse.Namespace) -> int:
    """Writes the snapshot."""
    keep_apart({"STORE": store_file(given.store), "--secret-key": given.secret_key}, {"FILE": given.file})
    with opened_to_read(given, role="serve") as engine, writing(given.file) as file:
        file.write_bytes(engine.snapshot())
    return 0


def run_import(given: argparse.Namespace) -> int:
    """Makes the store."""
    snapshot = given.file.read_bytes()
    with opened(given, makes_one=True, role="serve", snapshot=snapshot) as engine:
        print(f"{given.store} has {engine.last_event} events")
    return 0


def run_backup(given: argparse.Namespace) -> int:
    """Copies the file."""
    from ..copies import backup

    backup(given.store, given.file)
    return 0


def run_restore(given: argparse.Namespace) -> int:
    """Puts the copy back."""
    from ..copies import restore

    before = restore(given.store, given.file)
    print(f"{given.store} is restored from {given.file}" + (f"; what was there is {before}" if before else ""))
    return 0
