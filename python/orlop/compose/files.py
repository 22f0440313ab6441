"""Files of a project: which values are paths, and from which folder a relative one starts."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable
from typing import Any

from .source import Fault, Path, kind_of
from .tree import Patterns

Resolver = Callable[["Folder", Any, Path], Any]
_REMOTE = ("https://", "http://", "git://", "ssh://", "github.com/", "git@")


class Folder:
    """The folder that relative paths start from, and the caller's home for those that begin with `~`."""

    def __init__(self, path: str, home: str) -> None:
        self.path = path
        self.home = home

    def expanded(self, text: str) -> str:
        return os.path.normpath(f"{self.home}/{text[1:]}") if text.startswith("~") and self.home else text

    def below(self, text: str) -> str:
        """Returns the path, below the folder if it is relative. A path of Windows is absolute, too."""
        text = self.expanded(text)
        if text.startswith("/") or is_windows_path(text):
            return text
        joined = os.path.normpath(os.path.join(self.path, text))
        return joined[1:] if joined.startswith("//") else joined


def is_windows_path(text: str) -> bool:
    return bool(re.match(r".:[\\/]", text)) or text.startswith("\\\\")


def resolve_paths(value: Any, folder: Folder, path: Path = ()) -> Any:
    """Returns the tree with its relative paths below the folder. Raises Fault."""
    resolver = _RESOLVERS.find(path)
    if resolver:
        return resolver(folder, value, path)
    if isinstance(value, dict):
        for key in list(value):
            value[key] = resolve_paths(value[key], folder, (*path, key))
    elif isinstance(value, list):
        value[:] = [resolve_paths(item, folder, (*path, "[]")) for item in value]
    return value


def _path(folder: Folder, value: Any, path: Path) -> Any:
    if isinstance(value, list):
        return [_path(folder, item, path) for item in value]
    if not isinstance(value, str):
        raise Fault(path, "must be a path")
    return type(value)(folder.below(value)) if value else value


def _maybe_path(folder: Folder, value: Any, path: Path) -> Any:
    return folder.below(value) if isinstance(value, str) else value


def _context(folder: Folder, value: Any, path: Path) -> Any:
    if not isinstance(value, str):
        raise Fault(path, f"must be a path or an address, not {kind_of(value)}")
    if "://" in value or value.startswith(("service:", *_REMOTE)):
        return value
    return folder.below(value) if value else value


def _mount(folder: Folder, value: Any, path: Path) -> Any:
    if isinstance(value, dict) and value.get("type") == "bind":
        if "source" not in value:
            raise Fault(path, "a mount of type bind must have a source")
        value["source"] = folder.below(value["source"])
    return value


def _watched(folder: Folder, value: Any, path: Path) -> Any:
    found = _path(folder, value, path)
    return os.path.realpath(found) if isinstance(found, str) and os.path.exists(found) else found


def _volume(folder: Folder, value: Any, path: Path) -> Any:
    if isinstance(value, dict) and value.get("driver") == "local":
        options = value.get("driver_opts") or {}
        if options.get("o") == "bind" and isinstance(options.get("device"), str):
            options["device"] = folder.below(options["device"])
    return value


_OF_CONTAINERS: dict[str, Resolver] = {"env_file.*.path": _path, "label_file.*": _path, "volumes.*": _mount}
_OF_WORKLOADS: dict[str, Resolver] = {
    "build.context": _context,
    "build.additional_contexts.*": _context,
    "build.ssh.*": _maybe_path,
    "extends.file": _path,
}
_RESOLVERS: Patterns[Resolver] = Patterns(
    [
        *(
            (f"{prefix}.{key}", resolver)
            for prefix in ("services.*", "jobs.*", "services.*.pre_start.*")
            for key, resolver in _OF_CONTAINERS.items()
        ),
        *(
            (f"{prefix}.*.{key}", resolver)
            for prefix in ("services", "jobs")
            for key, resolver in _OF_WORKLOADS.items()
        ),
        ("services.*.develop.watch.*.path", _watched),
        ("configs.*.file", _maybe_path),
        ("secrets.*.file", _maybe_path),
        ("volumes.*", _volume),
    ]
)
