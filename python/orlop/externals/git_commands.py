"""The git command, without the settings of the user and the machine, against one checked address."""

from __future__ import annotations

import base64
import os
import pathlib
import re
import shutil
import subprocess

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from ..errors import ExternalFailed, Misuse
from .access import Access
from .bounded_process import Ended, run
from .targets import Refused

_VERSION_MIN = (2, 37)  # the first with http.curloptResolve
_ASKPASS = """#!/bin/sh
# Answers git, which asks for the user and the password of a repository.
case "$1" in
  Username*) printf '%s\\n' "$ORLOP_GIT_USER" ;;
  *) printf '%s\\n' "$ORLOP_GIT_TOKEN" ;;
esac
"""
_USERS = {"GITHUB": "x-access-token", "GITLAB": "oauth2", "BITBUCKET": "x-token-auth"}
_PORTS = {"https": 443, "http": 80, "git": 9418}
_ERROR_KEPT = 500  # characters
_REDIRECTED = re.compile(r"The requested URL returned error: 30[12378]\b")
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")
_PATH = re.compile(r"/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*")
# Settings that a server could use to lead git elsewhere, or to make it run something.
_SETTINGS = (
    "credential.helper=",
    "core.hooksPath=/dev/null",
    "core.askPass=",
    "fetch.recurseSubmodules=false",
    "fetch.uriProtocols=",
    "fetch.unpackLimit=1",
    "gc.auto=0",
    "http.followRedirects=false",
    "http.proxy=",
    "maintenance.auto=false",
    "protocol.version=2",
    "remote.origin.tagOpt=--no-tags",
    "transfer.bundleURI=false",
)


class Remote(NamedTuple):
    """A repository as a question names it."""

    url: str
    provider: str
    token: str


class Pinned(NamedTuple):
    """A remote whose addresses are checked: the URL for git, and the settings that keep git at these addresses."""

    url: str
    scheme: str
    settings: tuple[str, ...]


class GitCommands:
    """Runs git. `folder` holds the script that gives git the token: it is an argument of no process, and in no file."""

    def __init__(self, access: Access, folder: pathlib.Path, ca_file: str | None) -> None:
        self._access = access
        self._git = _find_git()
        self._folder = folder
        self._askpass = folder / "askpass"
        self._askpass.write_text(_ASKPASS, encoding="ascii")
        self._askpass.chmod(0o700)
        self._environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "LC_ALL": "C",
            # The repository that the host runs in, if it does, has settings of its own, such as a remote.
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": str(self._askpass),
            "GIT_NO_LAZY_FETCH": "1",
            **({} if ca_file is None else {"GIT_SSL_CAINFO": ca_file}),
        }

    def local(
        self, folder: pathlib.Path, arguments: Sequence[str], deadline: float, size: int, given: bytes = b""
    ) -> bytes:
        """Runs git on a repository of the cache, without a network. Raises ExternalFailed if it fails."""
        ended = run(
            [self._git, "--git-dir", str(folder), *arguments],
            deadline=deadline,
            name=f"git {arguments[0]}",
            output_size=size,
            environment=self._environment | {"GIT_ALLOW_PROTOCOL": "none"},
            given=given,
            folder=str(self._folder),
        )
        if ended.status != 0:
            raise ExternalFailed(f"git {arguments[0]} fails: {_shown(ended.errors)}")
        return ended.output

    def remote(
        self, remote: Remote, arguments: Sequence[str], deadline: float, size: int, file_size: int | None = None
    ) -> bytes:
        """Runs git against a remote, which it knows as origin. Raises ExternalFailed if it fails."""
        ended = self._against(remote, self.pin(remote.url), arguments, deadline, size, file_size)
        if _REDIRECTED.search(ended.errors):
            followed, token = self._redirected(remote, deadline)
            moved = remote._replace(url=followed, token=token)
            ended = self._against(moved, self.pin(followed), arguments, deadline, size, file_size)
        if ended.status != 0:
            reason = _shown(ended.errors, remote)
            if file_size is not None and "index-pack" in ended.errors:  # the limit of files ended it without a reason
                reason += f"; it may have more than {file_size} bytes, the limit repository_size"
            raise ExternalFailed(f"{remote.url[:200]} cannot be read: {reason}")
        return ended.output

    def pin(self, url: str) -> Pinned:
        """Checks the addresses of a repository. Raises Refused for one that is not allowed."""
        if not url.isascii() or not url.isprintable():  # urlsplit drops line breaks, and git does not
            raise Refused(f"{url[:200]!r} is not the address of a repository")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise Refused(f"{url[:200]!r} is not an address: {error}") from None
        if parts.scheme not in _PORTS:
            raise Refused(f"repositories are read from https addresses, not from {url[:200]!r}")
        host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc.rstrip(":")
        host = host.rstrip(".")
        if not _HOST.fullmatch(host) or not _PATH.fullmatch(parts.path) or parts.query or parts.fragment:
            raise Refused(f"{url[:200]!r} is not the address of a repository")
        port = _PORTS[parts.scheme] if port is None else port
        # The protocol of git daemon is as open as http: it serves allowed targets alone.
        scheme = "http" if parts.scheme == "git" else parts.scheme
        target = self._access.target(f"{scheme}://{host}:{port}{parts.path}")
        addresses = [f"[{address}]" if ":" in address else address for address in target.addresses]
        if parts.scheme == "git":
            return Pinned(f"git://{addresses[0]}:{port}{parts.path}", "git", ())
        pins = () if host.startswith("[") else (f"http.curloptResolve={host}:{port}:{','.join(addresses)}",)
        return Pinned(f"{parts.scheme}://{host}:{port}{parts.path}", parts.scheme, pins)

    def _against(
        self,
        remote: Remote,
        pinned: Pinned,
        arguments: Sequence[str],
        deadline: float,
        size: int,
        file_size: int | None,
    ) -> Ended:
        settings = [*_SETTINGS, *pinned.settings, f"remote.origin.url={pinned.url}"]
        command = [self._git, *(part for setting in settings for part in ("-c", setting)), *arguments]
        credentials = {"ORLOP_GIT_USER": _USERS.get(remote.provider, "git"), "ORLOP_GIT_TOKEN": remote.token}
        return run(
            command,
            deadline=deadline,
            name=f"git {next(each for each in arguments if not each.startswith(('-', '/')))} of {remote.url[:200]}",
            output_size=size,
            environment=self._environment | credentials | {"GIT_ALLOW_PROTOCOL": pinned.scheme},
            file_size=file_size,
            folder=str(self._folder),
        )

    def _redirected(self, remote: Remote, deadline: float) -> tuple[str, str]:
        """Follows the redirects of a repository, such as one that was renamed, and checks each. Returns its URL there,
        and the token unless it is another host's."""
        from .guarded_http import basic, origin

        ending = "/info/refs?service=git-upload-pack"
        secret = {"authorization": basic(_USERS.get(remote.provider, "git"), remote.token)} if remote.token else {}
        with self._access.session(deadline) as session:
            answer = session.ask(remote.url.rstrip("/") + ending, headers=secret, size=64 << 20)
        if not answer.url.endswith(ending):
            raise ExternalFailed(f"{remote.url[:200]} redirects to an address that is no repository")
        followed = answer.url.removesuffix(ending)
        return followed, remote.token if origin(followed) == origin(remote.url) else ""


def _find_git() -> str:
    found = shutil.which("git")
    if found is None:
        raise Misuse("git is not installed: the command git must be on the PATH")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"(\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < _VERSION_MIN:
        least = ".".join(map(str, _VERSION_MIN))
        raise Misuse(f"git must have the version {least} or newer, which pins addresses, not {said.strip()[:80]}")
    return found


def _shown(errors: str, remote: Remote | None = None) -> str:
    """Returns the messages of git in one line, with *** for the token in each form in which a server may repeat it."""
    if remote is not None and remote.token:
        user = _USERS.get(remote.provider, "git")
        encoded = base64.b64encode(f"{user}:{remote.token}".encode()).decode()
        for secret in (encoded, quote(remote.token, safe=""), remote.token):
            errors = errors.replace(secret, "***")
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in errors).split())
    return line[-_ERROR_KEPT:] or "git gives no reason"
