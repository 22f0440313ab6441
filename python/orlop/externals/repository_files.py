"""The files of one commit: its paths, and their contents up to a size."""

from __future__ import annotations

import pathlib
import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..errors import ExternalFailed
from .git_commands import GitCommands
from .git_snapshots import HEAD

_LISTING_SIZE = 256 << 20
_LINKS_MAX = 8
_FILE, _LINK, _FOLDER = ("100644", "100755", "100664"), "120000", "040000"


class _Entry(NamedTuple):
    mode: str
    object_id: str


class RepositoryFiles:
    """The files of a snapshot below its root path. Paths are relative to it, and never lead out of the
    repository."""

    def __init__(self, git: GitCommands, folder: pathlib.Path, root: str, deadline: float, file_size: int) -> None:
        self._git = git
        self._folder = folder
        self._deadline = deadline
        self._file_size = file_size
        self._root = _normal(root)
        listed = git.local(folder, ["ls-tree", "-r", "-t", "-z", "--full-tree", HEAD], deadline, _LISTING_SIZE)
        self._entries: Mapping[str, _Entry] = dict(_entries(listed))
        if self._root is None or (self._root and self._entries.get(self._root, ("",))[0] != _FOLDER):
            raise ExternalFailed(f"the repository has no folder {root[:200]}")

    def folders(self) -> list[str]:
        """Returns the paths of all folders."""
        return [path for path, entry in self._below() if entry.mode == _FOLDER]

    def paths(self) -> list[str]:
        """Returns the paths of all files; links are none."""
        return [path for path, entry in self._below() if entry.mode in _FILE]

    def has(self, path: str) -> bool:
        """Returns true if there is a file at the path, or a link to one."""
        return self._find(path) is not None

    def read(self, path: str) -> str | None:
        """Returns the text of a file; None if there is none. Raises ExternalFailed for a file that is too large."""
        found = self._find(path)
        return None if found is None else self._texts({path: found})[path]

    def read_all(self, paths: list[str]) -> dict[str, str]:
        """Returns the texts of files that `paths()` has."""
        found = {path: self._find(path) for path in paths}
        return self._texts({path: object_id for path, object_id in found.items() if object_id is not None})

    def _below(self) -> Iterator[tuple[str, _Entry]]:
        start = f"{self._root}/" if self._root else ""
        return ((path[len(start) :], entry) for path, entry in self._entries.items() if path.startswith(start))

    def _find(self, path: str) -> str | None:
        """Returns the object of a file. Follows links within the repository."""
        full = _normal(posixpath.join(self._root or "", path.lstrip("/")))
        for _ in range(_LINKS_MAX):
            if full is None or full not in self._entries:
                return None
            entry = self._entries[full]
            if entry.mode != _LINK:
                return entry.object_id if entry.mode in _FILE else None
            target = self._texts({full: entry.object_id})[full]
            if target.startswith("/"):
                return None
            full = _normal(posixpath.join(posixpath.dirname(full), target))
        return None

    def _texts(self, objects: Mapping[str, str]) -> dict[str, str]:
        """Returns the contents of objects by the path that names them."""
        if not objects:
            return {}
        given = "".join(f"{object_id}\n" for object_id in objects.values()).encode()
        # Objects that the snapshot lacks are too large; the total of the others is limited as well.
        size = (self._file_size + 100) * min(len(objects), 64)
        output = self._git.local(self._folder, ["cat-file", "--batch"], self._deadline, size, given)
        texts, at = {}, 0
        for path in objects:
            end = output.index(b"\n", at)
            fields = output[at:end].split(b" ")
            if fields[-1] == b"missing" or int(fields[2]) > self._file_size:
                raise ExternalFailed(f"the file {path[:200]} is larger than {self._file_size} bytes")
            at = end + 1 + int(fields[2])
            texts[path] = output[end + 1 : at].decode("utf-8", "replace")
            at += 1
        return texts


def _normal(path: str) -> str | None:
    """Returns a path without its surplus parts, "" for the top; None if it leads out of the repository."""
    found = posixpath.normpath("/".join(part for part in path.split("/") if part))
    if found == "..":
        return None
    return None if found.startswith("../") or "\0" in found else "" if found == "." else found


def _entries(listed: bytes) -> Iterator[tuple[str, _Entry]]:
    for line in listed.split(b"\0"):
        facts, _, path = line.partition(b"\t")
        if path:
            mode, _, object_id = facts.decode("ascii").split(" ")
            yield path.decode("utf-8", "replace"), _Entry(mode, object_id)
