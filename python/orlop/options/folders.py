"""Folders for the engine, which reads no files itself."""

from __future__ import annotations

import io
import os
from pathlib import Path

from ..errors import Misuse
from .arguments import path, shown


def archive(what: str, folder: str | os.PathLike[str] | bytes | None) -> bytes | None:
    """Returns the files of the folder `folder` as a tar archive, with links replaced by their targets. Bytes, which are
    an archive already, and None stay as they are."""
    import tarfile

    if folder is None or isinstance(folder, bytes):
        return folder
    given = path(what, folder)
    root = Path(given)
    if not given or not root.is_dir():
        raise Misuse(f"{what} must be a folder, not {shown(given)}")
    buffer = io.BytesIO()
    try:
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            for file in sorted(root.rglob("*")):
                if not file.is_file():
                    continue
                entry = tarfile.TarInfo(file.relative_to(root).as_posix())
                contents = file.read_bytes()
                entry.size = len(contents)
                tar.addfile(entry, io.BytesIO(contents))
    except OSError as error:
        raise Misuse(f"{what} must be a folder that can be read, not {shown(str(root))}: {error}") from None
    return buffer.getvalue()
