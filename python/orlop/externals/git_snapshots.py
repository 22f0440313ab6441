"""The cache of git repositories: bare repositories with one commit and its files, or with the commits alone.

A snapshot never changes: its name is that of its commit. It is made in a folder of its own, and then renamed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import stat
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .access import AgeCache
from .git_commands import GitCommands, Remote

_REFS_SIZE = 64 << 20
HEAD = "refs/orlop/head"  # in a snapshot: the commit that was fetched, or a newer one if the branch moved meanwhile
_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_PREFIX = "orlop-git-"


class Refs(NamedTuple):
    """The heads and tags of a remote: commits by name. `default` is its default branch, "" if it has none."""

    default: str
    heads: Mapping[str, str]
    tags: Mapping[str, str]


class Limits(NamedTuple):
    """`file_size` is that of the files that are read, `repository_size` of what is fetched at once, `cache_size` of all
    snapshots in bytes; `history` is the number of generations of commits that are read."""

    file_size: int
    repository_size: int
    cache_size: int
    history: int


class Snapshots:
    """The cache of one process, in a new folder below `parent`. Folders that ended processes left there are removed."""

    def __init__(self, parent: pathlib.Path | None, limits: Limits, cache_age: float) -> None:
        parent = pathlib.Path(tempfile.gettempdir()) if parent is None else parent
        parent.mkdir(parents=True, exist_ok=True)
        _sweep(parent)
        made = pathlib.Path(tempfile.mkdtemp(prefix="orlop-new-", dir=parent))
        lock = os.open(made / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.folder = made.with_name(made.name.replace("orlop-new-", _PREFIX, 1))
        made.rename(self.folder)  # only now another process may find it
        self._end = weakref.finalize(self, _remove, self.folder, lock, os.getpid())
        self._limits = limits
        self._refs = AgeCache(cache_age)
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._used: OrderedDict[str, int] = OrderedDict()  # sizes by name, the one that was used last at the end
        self._readers: dict[str, int] = {}

    def refs(self, git: GitCommands, remote: Remote, deadline: float) -> Refs:
        """Returns the heads and tags of a remote, not older than the cache's age."""
        key = (remote.url, remote.provider, remote.token)
        return self._refs.get(key, lambda: _read_refs(git, remote, deadline), deadline)

    def ages(self) -> list[float]:
        return self._refs.ages()

    @contextlib.contextmanager
    def files(
        self, git: GitCommands, remote: Remote, head: str, commit: str, deadline: float
    ) -> Iterator[pathlib.Path]:
        """Gives a repository with the commit of a branch and its files up to the limit of sizes."""
        options = ["--depth=1", f"--filter=blob:limit={self._limits.file_size + 1}"]
        with self._open(git, remote, head, commit, options, deadline) as folder:
            yield folder

    @contextlib.contextmanager
    def history(
        self, git: GitCommands, remote: Remote, head: str, commit: str, deadline: float
    ) -> Iterator[pathlib.Path]:
        """Gives a repository with the last commits of a branch, without files if the server can leave them out."""
        options = [f"--depth={self._limits.history}", "--filter=tree:0"]
        with self._open(git, remote, head, commit, options, deadline) as folder:
            yield folder

    @contextlib.contextmanager
    def _open(
        self, git: GitCommands, remote: Remote, head: str, commit: str, options: list[str], deadline: float
    ) -> Iterator[pathlib.Path]:
        name = hashlib.sha256("\0".join([remote.url, remote.token, commit, *options]).encode()).hexdigest()
        with self._lock:
            self._readers[name] = self._readers.get(name, 0) + 1
            making = self._making.setdefault(name, threading.Lock())
        try:
            with making:
                if name not in self._used:
                    self._fetch(git, remote, head, options, name, deadline)
            with self._lock:
                self._used.move_to_end(name)
            yield self.folder / name
        finally:
            with self._lock:
                self._readers[name] -= 1
                if not self._readers[name]:
                    del self._readers[name]
                    self._making.pop(name, None)
                self._evict()

    def _fetch(
        self, git: GitCommands, remote: Remote, head: str, options: list[str], name: str, deadline: float
    ) -> None:
        made = pathlib.Path(tempfile.mkdtemp(prefix="new-", dir=self.folder))
        try:
            git.local(made, ["init", "--quiet", "--bare", "--template="], deadline, 4096)
            refspec = f"+{_HEADS}{head}:{HEAD}"
            arguments = ["--git-dir", str(made), "fetch", "--quiet", "--no-tags", "--no-write-fetch-head"]
            arguments += [*options, "origin", refspec]
            git.remote(remote, arguments, deadline, 1 << 20, self._limits.repository_size)
            # Without the remote, an object that was left out is missing; git would try to fetch it.
            (made / "config").write_text("[core]\n\tbare = true\n", encoding="ascii")
            made.rename(self.folder / name)
            with self._lock:
                self._used[name] = _size_of(self.folder / name)
        finally:
            shutil.rmtree(made, ignore_errors=True)

    def _evict(self) -> None:
        """Removes the snapshots that were used longest ago, until the rest fits. Needs the lock."""
        total = sum(self._used.values())
        for name in [name for name in self._used if name not in self._readers]:
            if total <= self._limits.cache_size:
                return
            total -= self._used.pop(name)
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def close(self) -> None:
        """Removes the cache. A later question fails."""
        self._end()


def _read_refs(git: GitCommands, remote: Remote, deadline: float) -> Refs:
    arguments = ["ls-remote", "--symref", "origin", "HEAD", f"{_HEADS}*", f"{_TAGS}*"]
    listed = git.remote(remote, arguments, deadline, _REFS_SIZE).decode("utf-8", "replace")
    default, heads, tags = "", {}, {}
    for line in listed.split("\n"):
        value, _, name = line.partition("\t")
        if value.startswith("ref: ") and name == "HEAD":
            default = value.removeprefix(f"ref: {_HEADS}")
        elif name.startswith(_HEADS):
            heads[name.removeprefix(_HEADS)] = value
        elif name.startswith(_TAGS):
            tags[name.removeprefix(_TAGS).removesuffix("^{}")] = value  # the commit of an annotated tag comes last
    return Refs(default if default in heads else "", heads, tags)


def _size_of(folder: pathlib.Path) -> int:
    return sum(entry.stat().st_size for entry in folder.rglob("*") if entry.is_file())


def _remove(folder: pathlib.Path, lock: int, process: int) -> None:
    if os.getpid() == process:  # not in a child that it forked
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _sweep(parent: pathlib.Path) -> None:
    """Removes the folders of processes that ended without removing them: a lock ends with its process."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
                continue
            lock = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
