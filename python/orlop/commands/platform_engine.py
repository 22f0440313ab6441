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
    from ..platform_files.interface import Interface

_FOLDER = ".orlop"
_KEY_SIZE = 32  # bytes
_SEVERAL: dict[str, Any] = {"action": "append", "default": [], "metavar": "FILE"}
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
    said = (
        "the platform file, a Compose file, or the folder of one (default: orlop.yaml, platform.yaml or compose.yaml "
    )
    said += "of this folder)"
    if is_argument:
        parser.add_argument("file", nargs="?", metavar="FILE", help=said)
        parser.add_argument("-f", "--file", dest="files", **_SEVERAL, help="a Compose file; may be repeated")
    else:
        parser.set_defaults(file=None)
        parser.add_argument("--file", dest="files", **_SEVERAL, help=f"{said}; Compose files may be several")
    parser.add_argument("--env-file", dest="env_files", **_SEVERAL, help="variables of Compose files (default: .env)")
    parser.add_argument(
        "--profile", dest="profiles", **{**_SEVERAL, "metavar": "NAME"}, help="a profile of Compose files"
    )
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
    parser.add_argument(
        "--allow-host-access",
        action="store_true",
        help="let services mount paths of this machine, use its network and devices, and build images from its folders",
    )


def add_service(parser: argparse.ArgumentParser, name: str, **settings: Any) -> None:
    """Adds an argument that names services of the file. Shells complete it."""
    argument: Any = parser.add_argument(name, metavar="SERVICE", **settings)
    argument.completer = _service_names


def _service_names(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    from ..platform_files.document import service_names

    with contextlib.suppress(Error, OSError):
        return service_names(_paths(parsed_args)[0])
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
    from ..platform_files.environments import FileEnvironment
    from ..platform_files.interface import interface

    with Engine() as described:  # a wrong file creates no store
        file = _read(given, interface(described), with_sources, is_driving and not makes_one)
    path = file.path
    driver = driver_of(given.driver, _options(given)) if hasattr(given, "driver") else None
    store = store_of(given, path, makes_one, or_empty)
    options: dict[str, Any] = {"secret_key": _key(given.secret_key), "log": _log, "require_cluster": False}
    if is_driving:
        options["driver"] = driver
    with Engine(store, role="both" if is_driving else "serve", **options) as engine:
        yield Opened(engine, file, FileEnvironment(engine, file), driver)
        if is_driving:  # deployments that others have begun on this store are theirs from now on
            engine.drain(_DRAIN)


def _options(given: argparse.Namespace) -> list[str]:
    is_allowed = given.allow_host_access and given.driver == CONTAINERS
    return [*given.driver_option, *(["allow_host_access=true"] if is_allowed else [])]


def _paths(given: argparse.Namespace) -> list[Path]:
    from ..platform_files.document import find

    names = [name for name in (given.file, *given.files) if name is not None]
    return [find(name) for name in names] or [find(None)]


def _read(given: argparse.Namespace, of: Interface, with_sources: bool, is_quiet: bool) -> PlatformFile:
    """Reads the platform file or the Compose files."""
    from ..platform_files.document import is_compose, of_contents, read

    paths = _paths(given)
    if not is_compose(paths[0]):
        for option, value in (("--env-file", given.env_files), ("--profile", given.profiles), ("-f", paths[1:])):
            if value:
                raise Misuse(
                    f"{option} must be left out for a platform file, such as {paths[0]}: Compose files have it"
                )
        return read(paths[0], of, with_sources)
    from ..compose import read_compose
    from ..compose.platform_file import contents_of

    is_found = given.file is None and not given.files  # with its override, as Compose finds it
    project = read_compose(
        () if is_found else [str(path) for path in paths],
        env_files=given.env_files,
        profiles=given.profiles,
        project_directory=str(paths[0].resolve().parent),
    )
    contents = contents_of(project)
    if with_sources and not is_quiet and not given.json:
        for note in contents.notes:
            say(str(note))
    if contents.host_access and with_sources and getattr(given, "driver", "") == CONTAINERS:
        if not given.allow_host_access:
            for note in contents.host_access:
                say(str(note))
            raise Misuse("services reach this machine, which --allow-host-access must allow")
    return of_contents(paths[0], of, contents.data)


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
