"""The wheel stays small: the installed files are packed as a wheel packs them."""

from __future__ import annotations

import importlib.metadata
import io
import os
import zipfile
from collections.abc import Iterable

WHEEL_BYTES_MAX = 10_485_760
# Files that the installer adds to those of the wheel.
ADDED = {"INSTALLER", "REQUESTED", "direct_url.json"}


def packed_size(files: Iterable[tuple[str, bytes]]) -> int:
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return len(wheel.getvalue())


def wheel_files() -> list[tuple[str, bytes]]:
    """Returns each file of the wheel that the package was installed from, and its content."""
    installed = importlib.metadata.files("orlop")
    assert installed is not None
    paths = [
        path
        for path in installed
        if path.parts[0] != ".." and "__pycache__" not in path.parts and path.name not in ADDED
    ]
    return [(str(path), path.read_binary()) for path in paths]


def test_the_wheel_is_small() -> None:
    files = wheel_files()
    assert {"orlop/__init__.py", "orlop/generated/models.pyi"} <= {name for name, _ in files}
    assert [name for name, _ in files if name.startswith("orlop/_core.") and name.endswith(".so")] != []
    size = packed_size(files)
    assert size < WHEEL_BYTES_MAX, f"the wheel has {size:,} bytes; at most {WHEEL_BYTES_MAX:,} are allowed."


def test_a_wheel_with_more_in_it_is_found() -> None:
    files = wheel_files()
    more = os.urandom(WHEEL_BYTES_MAX)
    assert packed_size([*files, ("orlop/more", more)]) > WHEEL_BYTES_MAX
