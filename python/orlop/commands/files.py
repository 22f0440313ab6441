"""Files that commands write."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """What cannot be written names the file: the error of a full disk does not by itself."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot write {path}: {error.strerror}") from None
