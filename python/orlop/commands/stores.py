"""The commands `orlop snapshot`, `import`, `backup` and `restore`: whole stores as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Misuse
from ..options.storage_libraries import shown_storage
from .ending import say
from .files import add_secret_key, keep_apart, opened, store_file, writing
from .read_only import opened_to_read

if TYPE_CHECKING:
    import argparse

_STORE = "the path of an SQLite file, or postgresql://…"
_FILE = "the path of an SQLite file"
_KEY_SIZE = 32  # bytes
_ROOTS = {"organization": "NAME", "project": "ORGANIZATION/NAME", "environment": "ORGANIZATION/PROJECT/NAME"}


def add(commands: Any) -> None:
    snapshot = commands.add_parser(
        "snapshot",
        aliases=["export"],
        help="write the contents of a store as text",
        description="Writes the contents of a store at one instant as JSON Lines, for orlop import. Secrets are "
        "left out, unless the store encrypts them or --secrets-key is given.",
    )
    snapshot.add_argument("store", metavar="STORE", help=_STORE)
    snapshot.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    snapshot.add_argument(
        "--secrets-key",
        type=Path,
        metavar="FILE",
        help="a key, 32 random bytes, with which secrets are encrypted in the snapshot; orlop import takes the same",
    )
    add_secret_key(snapshot)
    snapshot.set_defaults(run=run_snapshot)
    _add_import(commands)
    _add_copies(commands)


def _add_import(commands: Any) -> None:
    imported = commands.add_parser(
        "import",
        help="make a store from a snapshot, or create a part of one in a store in use",
        description="Makes a store from a snapshot, with the same ids, states and events. With --into, creates an "
        "organization, project or environment of the snapshot in a store "
        "that processes may use, never deployed, with new ids where they are taken. With --from, "
        "writes a platform file.",
    )
    imported.add_argument(
        "store", metavar="STORE", help=f"{_STORE}; without --into it is made if it is not there, and must be empty"
    )
    imported.add_argument("file", metavar="FILE", nargs="?", type=Path, help="the snapshot")
    imported.add_argument(
        "--from",
        dest="source",
        metavar="STORE",
        help="write the platform file of an environment of this store: orlop import FILE --from STORE",
    )
    imported.add_argument(
        "--secrets-key", type=Path, metavar="FILE", help="the key with which the secrets of the snapshot are encrypted"
    )
    imported.add_argument(
        "--secret-key",
        type=Path,
        metavar="FILE",
        help="the key with which the store encrypts secrets, 32 bytes (default: they are not encrypted)",
    )
    imported.add_argument(
        "--into",
        action="store_true",
        help="the store is in use: create one organization, project or environment of the snapshot in it",
    )
    for family, names in _ROOTS.items():
        imported.add_argument(
            f"--{family}",
            metavar=names,
            help=f"with --into, the {family} of the snapshot: its names, or its id"
            + ("; with --from, that of the store" if family == "environment" else ""),
        )
    imported.add_argument(
        "--parent",
        metavar="PARENT",
        help="with --into, the organization or project of the store that gets it (default: the one of the same id "
        "or names)",
    )
    imported.add_argument("--name", metavar="NAME", help="with --into, another name for what is imported")
    imported.set_defaults(run=run_import)


def _add_copies(commands: Any) -> None:
    backup = commands.add_parser(
        "backup",
        help="copy a store's file, also while it is in use",
        description="Copies the file of a store as it is at one instant. The store may be in use; neither readers "
        "nor writers wait.",
    )
    backup.add_argument("store", metavar="STORE", help=_FILE)
    backup.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    backup.set_defaults(run=run_backup)
    restore = commands.add_parser(
        "restore",
        help="put a copy of a store back",
        description="Puts a backup in the place of a store, which no process may have open. What was there is "
        "kept in the same folder.",
    )
    restore.add_argument("store", metavar="STORE", help=_FILE)
    restore.add_argument("file", metavar="FILE", type=Path, help="the backup, as orlop backup has written it")
    restore.set_defaults(run=run_restore)


def run_snapshot(given: argparse.Namespace) -> int:
    keep_apart(
        {"STORE": store_file(given.store), "--secret-key": given.secret_key, "--secrets-key": given.secrets_key},
        {"FILE": given.file},
    )
    with opened_to_read(given, role="serve") as engine:
        text = bytes(engine.snapshot(_key("--secrets-key", given.secrets_key)))
    with writing(given.file) as file:
        file.write_bytes(text)
    left_out = json.loads(text[: text.index(b"\n")])["secrets_left_out"]
    if left_out:
        say(
            f"{left_out} secret{'s are' if left_out > 1 else ' is'} left out; --secrets-key FILE carries them, "
            f"encrypted with the key in the file"
        )
    return 0


def run_import(given: argparse.Namespace) -> int:
    """Creates the store from the snapshot, or imports a part of it into a store in use."""
    from ..engine.engine import Engine

    if given.source is not None:
        return _write_file(given)
    if given.file is None:
        raise Misuse("FILE is missing: orlop import STORE FILE")
    if given.into:
        return _import_into(given)
    for option in (*_ROOTS, "parent", "name"):
        if getattr(given, option) is not None:
            raise Misuse(f"--{option} is for a store in use: give --into, too")
    secrets_key, secret_key = _key("--secrets-key", given.secrets_key), _key("--secret-key", given.secret_key)
    with Engine(
        given.store,
        snapshot=given.file.read_bytes(),
        role="serve",
        log=_log,
        secrets_key=secrets_key,
        secret_key=secret_key,
    ) as engine:
        print(f"{shown_storage(given.store)} has {engine.last_event} events")
    return 0


def _write_file(given: argparse.Namespace) -> int:
    """Writes the platform file of an environment that exists."""
    from ..platform_files.interface import interface
    from ..platform_files.written import write

    if given.file is not None:
        raise Misuse("with --from there is one file, which is written: orlop import FILE --from STORE")
    file, given.store = Path(given.store), given.source
    with opened_to_read(given, role="serve") as engine:
        found = {
            f"{organization['name']}/{project['name']}/{environment['name']}": environment
            for organization in engine.organizations
            for project in organization.projects
            for environment in project.environments
        }
        name = given.environment if given.environment is not None or len(found) != 1 else next(iter(found))
        if name not in found:
            raise Misuse(f"--environment must be one of {', '.join(found) or 'none'}, not {name}")
        text = write(engine, interface(engine), found[name])
    with writing(file) as target:
        target.write_text(text, encoding="utf-8")
    print(f"{file} describes {name}")
    return 0


def _import_into(given: argparse.Namespace) -> int:
    roots = {family: getattr(given, family) for family in _ROOTS}
    with opened(given, role="serve", log=_log) as engine:
        made = engine.import_from(
            given.file.read_bytes(),
            **roots,
            parent=given.parent,
            name=given.name,
            secrets_key=_key("--secrets-key", given.secrets_key),
        )
    print(f"{made['family']} {made['id']}: {made['records']} records, {len(made['new_ids'])} of them with new ids")
    for family, count in made["left_out"].items():
        say(f"left out: {count} {family}")
    return 0


def _log(level: str, message: str) -> None:
    if level != "info":
        say(message)


def _key(option: str, file: Path | None) -> bytes | None:
    if file is None:
        return None
    key = file.read_bytes()
    if len(key) != _KEY_SIZE:
        raise Misuse(f"{option} must be a file of {_KEY_SIZE} bytes; {file} has {len(key)}")
    return key


def run_backup(given: argparse.Namespace) -> int:
    from ..engine.copies import backup

    backup(given.store, given.file)
    return 0


def run_restore(given: argparse.Namespace) -> int:
    from ..engine.copies import restore

    before = restore(given.store, given.file)
    print(
        f"{shown_storage(given.store)} is restored from {given.file}"
        + (f"; what was there is {before}" if before else "")
    )
    return 0
