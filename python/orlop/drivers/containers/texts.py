"""Texts about containers: exit codes, reasons with the end of the log, names."""

from __future__ import annotations

import hashlib
import io
import posixpath
import tarfile
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .engine_api import EngineApi

_MEANINGS = {
    1: "an error of its own",
    126: "the command cannot be executed",
    127: "the command was not found",
    134: "it aborted",
    137: "it was killed: out of memory, or after its grace period",
    139: "a segmentation fault",
    143: "SIGTERM",
}
LINES_SHOWN = 20


def exit_text(state: Mapping[str, Any]) -> str:
    """Returns what a container has ended with."""
    code = int(state.get("ExitCode") or 0)
    meaning = "it ran out of memory" if state.get("OOMKilled") else _MEANINGS.get(code, "")
    return f"exit code {code}" + (f" ({meaning})" if meaning else "")


def with_log(api: EngineApi, container: str, reason: str) -> str:
    """Returns the reason with the last lines of the container's log."""
    lines = api.log_lines(container, LINES_SHOWN)
    return reason + "; the end of its log:\n" + "\n".join(lines) if lines else reason + "; its log is empty"


def version_of(plan_hash: str, image: str) -> str:
    """Returns the version of a container: another one for each configuration and image."""
    return hashlib.sha256(f"{plan_hash}\n{image}".encode()).hexdigest()[:12]


def archive_of(files: Iterable[Mapping[str, Any]], folders: Iterable[str] = ()) -> bytes:
    """Returns a tar archive of files, with the folders above them, and of folders that every user may write to."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder in folders:
            entry = tarfile.TarInfo(folder.strip("/"))
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o777, int(time.time())
            archive.addfile(entry)
        for file in files:
            content = str(file["content"]).encode()
            entry = tarfile.TarInfo(posixpath.normpath(str(file["path"])).strip("/"))
            entry.size, entry.mode, entry.mtime = len(content), int(file["mode"]), int(time.time())
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()
