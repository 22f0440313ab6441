"""Answers about git repositories, by the command git."""

from __future__ import annotations

import pathlib
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from ..errors import ExternalFailed, Misuse, Unanswered
from ..generated.external_systems import ExternalSystems
from ..options import arguments
from .access import CACHE_AGE, TIMEOUT, Access, size
from .dockerfiles import declarations
from .file_parsers import parse
from .git_commands import GitCommands, Remote
from .git_snapshots import HEAD, Limits, Refs, Snapshots
from .repository_files import RepositoryFiles
from .targets import Resolver, resolve

if TYPE_CHECKING:
    import os

SERVERS = {"GITHUB": "https://github.com", "GITLAB": "https://gitlab.com", "BITBUCKET": "https://bitbucket.org"}
_PAGES = {"GITHUB": "{}/commit/{}", "GITLAB": "{}/-/commit/{}", "BITBUCKET": "{}/commits/{}"}
_LOG_SIZE = 256 << 20
_FORMAT = "--format=%H%n%ct%n%an%n%ae%n%B"
_TERRAFORM = (".tf", ".tf.json", ".tofu", ".tofu.json")
_TFVARS = (".tfvars", ".tfvars.json")
_PARSED_MAX = 200  # files of one answer
_MESSAGE_MAX = 16_384  # characters


class Git(ExternalSystems):
    """Answers about git repositories, over https: branches, commits, contributors, directories, files, Dockerfiles,
    Terraform variables, `.tfvars` files, values of charts. Needs the command git 2.37 or newer; Terraform files need
    the extra `orlop[externals]`.

    The token of a question is given to git alone, by its askpass protocol. `allow` lists hosts and address ranges that
    are allowed in addition to the public internet; http and git:// are for these only. `timeout` is the time of one
    question in seconds: then git is killed with its helpers. A repository is fetched into a new folder below `folder`
    (the system's folder for temporary files), which is removed at the end: one commit with its files of at most
    `file_size` bytes, or the last `history` generations of commits. `cache_age` is the time in seconds during which
    branches are not asked for again. `repository_size` limits what is fetched at once, `cache_size` the folder, both in
    bytes. A list of commits has at most `commits`. `servers` has the URL of each provider, for questions that name a
    repository without one. `ca_file` is a file of certificates that git trusts in place of the system's. Raises
    `Misuse` for an argument out of bounds.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        timeout: float = TIMEOUT,
        cache_age: float = CACHE_AGE,
        folder: str | os.PathLike[str] | None = None,
        file_size: int = 1 << 20,
        repository_size: int = 1 << 29,
        cache_size: int = 1 << 31,
        history: int = 1000,
        commits: int = 100,
        servers: Mapping[str, str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        resolver: Resolver = resolve,
    ) -> None:
        access = Access(allow, timeout, resolver)
        self._commits = size("commits", commits)
        self._limits = Limits(
            size("file_size", file_size),
            size("repository_size", repository_size),
            size("cache_size", cache_size),
            size("history", history),
        )
        for provider, url in (servers or {}).items():
            if provider not in SERVERS:
                raise Misuse(f"servers must have URLs for {', '.join(SERVERS)}, not for {arguments.shown(provider)}")
            arguments.text(f"the URL of {provider} in servers", url)
        self._servers = SERVERS | dict(servers or {})
        self._deadline = access.deadline
        parent = None if folder is None else pathlib.Path(arguments.path("folder", folder))
        self._snapshots = Snapshots(parent, self._limits, cache_age)
        authorities = None if ca_file is None else str(pathlib.Path(arguments.path("ca_file", ca_file)).absolute())
        self._git = GitCommands(access, self._snapshots.folder, authorities)

    def ages(self) -> list[float]:
        """Returns the ages in seconds of the lists of branches that the cache has."""
        return self._snapshots.ages()

    def close(self) -> None:
        """Removes the cache. A later question fails."""
        self._snapshots.close()

    def list_branches(self, question: Mapping[str, Any]) -> list[dict[str, str]]:
        """Returns the branches of a repository of a provider's server."""
        repository, provider = question.get("repository") or "", question["provider"]
        if not repository:
            raise ExternalFailed("the name of the repository is missing, such as acme/shop")
        url = f"{self._servers[provider].rstrip('/')}/{repository.strip('/').removesuffix('.git')}.git"
        refs = self._refs(Remote(url, provider, question.get("token") or ""), self._deadline())
        return [{"name": name} for name in refs.heads]

    def list_commits(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the last commits of a branch, the newest first. The root path limits nothing: no file is known."""
        start, only = question.get("start_id") or "", question.get("git_commit_id") or ""
        remote, deadline = _remote(question), self._deadline()
        tags = {commit: name for name, commit in self._refs(remote, deadline).tags.items()}
        found: list[dict[str, Any]] = []
        for commit_id, seconds, author, _, message in self._log(remote, question, deadline):
            if start and commit_id != start:
                continue
            start = ""
            if only and commit_id != only:
                continue
            found.append(_commit(remote, commit_id, seconds, author, message) | {"tag": tags.get(commit_id, "")})
            if len(found) >= self._commits:
                break
        if start:
            raise ExternalFailed(
                f"the last {self._limits.history} generations of the branch do not have the commit {start[:80]}"
            )
        return found

    def list_contributors(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the authors of the last commits of a branch, each once by the email address."""
        found: dict[str, dict[str, Any]] = {}
        for _, _, author, email, _ in self._log(_remote(question), question, self._deadline()):
            first, _, last = author.strip().rpartition(" ")
            names = {"first_name": first or last, "last_name": last if first else ""}
            found.setdefault(email.lower() or author, {**names, "email": email})
        return list(found.values())

    def list_directories(self, question: Mapping[str, Any]) -> list[str]:
        """Returns the folders below the root path."""
        with self._files(question) as files:
            return files.folders()

    def find_missing_files(self, question: Mapping[str, Any]) -> list[str]:
        """Returns the paths at which a branch has no file, nor a link to one."""
        with self._files(question) as files:
            return [path for path in question["files"] if not files.has(path)]

    def read_dockerfile(self, question: Mapping[str, Any]) -> dict[str, list[str]] | None:
        """Returns the arguments of a Dockerfile and the images of its stages; None if there is no file."""
        with self._files(question) as files:
            text = files.read(question["dockerfile_path"])
        if text is None:
            return None
        found = declarations(text)
        return {"arg": found.arguments, "repositories": found.images}

    def list_terraform_variables(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the variables of the Terraform files of the root path, without those of folders in it."""
        deadline = self._deadline()
        with self._files(question, deadline) as files:
            # Terraform reads the files of one folder, and none of the folders in it.
            paths = sorted(path for path in files.paths() if "/" not in path and path.endswith(_TERRAFORM))
            texts = files.read_all(_limited(paths))
        found: list[dict[str, Any]] = parse("variables", texts, "the Terraform files", deadline) if texts else []
        return found

    def list_tfvars_files(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the values of `.tfvars` files; without paths, of all below the root path."""
        given, deadline = question.get("paths"), self._deadline()
        with self._files(question, deadline) as files:
            if given is None:
                paths = sorted(path for path in files.paths() if path.endswith(_TFVARS) and not _is_hidden(path))
            else:
                paths = list(dict.fromkeys(given))
                for path in paths:
                    if not files.has(path):
                        raise ExternalFailed(f"the repository has no file {path[:200]}")
            texts = files.read_all(_limited(paths))
        found: list[dict[str, Any]] = parse("values", texts, "the .tfvars files", deadline) if texts else []
        return found

    def read_chart_values(self, question: Mapping[str, Any]) -> str:
        """Returns the values of a chart in a git repository; Helm repositories are not answered."""
        source = question.get("git_repository")
        if source is None:
            raise Unanswered("the question read_chart_values is answered for git repositories only")
        with self._files(source) as files:
            if not files.has("Chart.yaml"):
                raise ExternalFailed(f"the folder {(source.get('root_path') or '/')[:200]} has no chart: no Chart.yaml")
            return files.read("values.yaml") or ""

    def _refs(self, remote: Remote, deadline: float) -> Refs:
        return self._snapshots.refs(self._git, remote, deadline)

    def _head(self, remote: Remote, question: Mapping[str, Any], deadline: float) -> tuple[str, str]:
        """Returns name and commit of the branch of a question."""
        refs = self._refs(remote, deadline)
        if not refs.heads:
            raise ExternalFailed(f"the repository {remote.url[:200]} is empty")
        branch = question.get("branch") or refs.default
        if not branch:
            raise ExternalFailed(f"the repository {remote.url[:200]} has no default branch; name one")
        if branch not in refs.heads:
            raise ExternalFailed(f"the repository {remote.url[:200]} has no branch {branch[:200]}")
        return branch, refs.heads[branch]

    @contextmanager
    def _files(self, question: Mapping[str, Any], deadline: float | None = None) -> Iterator[RepositoryFiles]:
        deadline = self._deadline() if deadline is None else deadline
        remote = _remote(question)
        head, commit = self._head(remote, question, deadline)
        with self._snapshots.files(self._git, remote, head, commit, deadline) as folder:
            root = question.get("root_path") or ""
            yield RepositoryFiles(self._git, folder, root, deadline, self._limits.file_size)

    def _log(self, remote: Remote, question: Mapping[str, Any], deadline: float) -> Iterator[tuple[str, ...]]:
        """Yields id, time, author's name and email, and message of the commits of a branch, the newest first."""
        head, commit = self._head(remote, question, deadline)
        with self._snapshots.history(self._git, remote, head, commit, deadline) as folder:
            command = ["log", "-z", "--no-color", "--encoding=UTF-8", _FORMAT, HEAD, "--"]
            listed = self._git.local(folder, command, deadline, _LOG_SIZE)
        for record in listed.decode("utf-8", "replace").split("\0"):
            fields = record.split("\n", 4)
            if len(fields) == 5:
                yield tuple(fields)


def _remote(question: Mapping[str, Any]) -> Remote:
    return Remote(question["url"], question["provider"], question.get("token") or "")


def _limited(paths: list[str]) -> list[str]:
    if len(paths) > _PARSED_MAX:
        raise ExternalFailed(f"{len(paths)} files would be read, more than {_PARSED_MAX}: name a narrower root path")
    return paths


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in posixpath.dirname(path).split("/"))


def _commit(remote: Remote, commit_id: str, seconds: str, author: str, message: str) -> dict[str, Any]:
    try:
        at = datetime.fromtimestamp(max(0, int(seconds)), timezone.utc)
    except (ValueError, OverflowError, OSError):  # git keeps any number as a time
        at = datetime.fromtimestamp(0, timezone.utc)
    page = remote.url.rstrip("/").removesuffix(".git")
    found = {
        "created_at": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "git_commit_id": commit_id,
        "message": message.strip()[:_MESSAGE_MAX],
        "author_name": author,
    }
    if remote.provider in _PAGES and page.startswith("https://"):
        found["commit_page_url"] = _PAGES[remote.provider].format(page, commit_id)
    return found
