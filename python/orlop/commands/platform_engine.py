"""Engines of the commands on a platform file: the file, the store beside it, and the driver."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Error, Misuse
from ..options.storage_libraries import is_url
from .drivers import CONTAINERS, add_driver_options, driver_of
from .ending import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine.engine import Engine
    from ..platform_files.document import PlatformFile
    from ..platform_files.environments import FileEnvironment

_FOLDER = ".orlop"
_KEY_SIZE = 32  # bytes
_DRAIN = 10.0  # seconds


class Opened(NamedTuple):
    """A platform file and an engine on its store."""

    engine: Engine
    file: PlatformFile
    environment: FileEnvironment
    driver: Any


def add_file(parser: argparse.ArgumentParser, is_argument: bool = True) -> None:
    """Adds the arguments of every command on a platform file. Commands with arguments of their own have the file as an
    option only."""
    said = "the platform file, or its folder (default: orlop.yaml or platform.yaml of this folder)"
    if is_argument:
        parser.add_argument("file", nargs="?", metavar="FILE", help=said)
    else:
        parser.add_argument("--file", metavar="FILE", help=said)
    parser.add_argument(
        "--store",
        metavar="STORE",
        help="the path of an SQLite file, or postgresql://… (default: .orlop/platform.db beside the file)",
    )
    parser.add_argument(
        "--secret-key", type=Path, metavar="FILE", help="the key with which the store encrypts secrets, 32 bytes"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_driver(parser: argparse.ArgumentParser) -> None:
    """Adds the option that names the driver."""
    parser.add_argument(
        "--driver",
        default=CONTAINERS,
        metavar="DRIVER",
        help="containers: Docker or Podman on this machine (default); none: every step succeeds; or MODULE:NAME of a "
        "class, or of a function that makes one",
    )
    add_driver_options(parser)


def add_service(parser: argparse.ArgumentParser, name: str, **settings: Any) -> None:
    """Adds an argument that names services of the file. Shells complete it."""
    argument: Any = parser.add_argument(name, metavar="SERVICE", **settings)
    argument.completer = _service_names


def _service_names(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    from ..platform_files.document import find, service_names

    with contextlib.suppress(Error, OSError):
        return service_names(find(parsed_args.file))
    return []


@contextlib.contextmanager
def opened(
    given: argparse.Namespace,
    is_driving: bool = False,
    makes_one: bool = False,
    or_empty: bool = False,
    with_sources: bool = False,
) -> Iterator[Opened]:
    """Opens the engine on the store of the file. `is_driving`: with the driver, to advance deployments. If the store
    is missing, it is created with `makes_one`, and an empty one in memory serves with `or_empty`. `with_sources`: the
    file is read with what `from_env` and `from_file` name."""
    from ..engine.engine import Engine
    from ..platform_files.document import find, read
    from ..platform_files.environments import FileEnvironment
    from ..platform_files.interface import interface

    path = find(given.file)
    with Engine() as described:  # a wrong file creates no store
        file = read(path, interface(described), with_sources)
    driver = driver_of(given.driver, given.driver_option) if hasattr(given, "driver") else None
    store = store_of(given, path, makes_one, or_empty)
    options: dict[str, Any] = {"secret_key": _key(given.secret_key), "log": _log, "require_cluster": False}
    if is_driving:
        options["driver"] = driver
    with Engine(store, role="both" if is_driving else "serve", **options) as engine:
        yield Opened(engine, file, FileEnvironment(engine, file), driver)
        if is_driving:  # deployments that others have begun on this store are theirs from now on
            engine.drain(_DRAIN)


def store_of(given: argparse.Namespace, file: Path, makes_one: bool, or_empty: bool = False) -> str:
    """Returns the store of the commands on a file. Raises `Misuse` if it is missing."""
    store = given.store if given.store is not None else str(file.parent / _FOLDER / "platform.db")
    if is_url(store):
        return str(store)
    path = Path(store)
    if path.exists():
        return str(store)
    if or_empty:
        return "memory:"
    if not makes_one:
        raise Misuse(f"there is no store at {store} yet: orlop up creates it")
    if given.store is None:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    return str(store)


def observed(at: Opened) -> None:
    """Lets the driver say what runs now. If it cannot, a warning is printed, and what was seen last counts."""
    try:
        at.environment.observe(at.driver)
    except Error as error:
        say(f"what runs is not known: {error}")


def _key(file: Path | None) -> bytes | None:
    if file is None:
        return None
    key = file.read_bytes()
    if len(key) != _KEY_SIZE:
        raise Misuse(f"--secret-key must be a file of {_KEY_SIZE} bytes; {file} has {len(key)}")
    return key


def _log(level: str, message: str) -> None:
    if level == "error":
        say(message)
