"""A wheel whose entries are compressed anew is read as before."""

from __future__ import annotations

import runpy
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "recompress.py"))
CONTENT = b"".join(b"line %d of %d\n" % (number**2, number % 7) for number in range(1000))


def deflated(content: bytes) -> bytes:
    """A deflate stream of the content, shorter than that of `wheel`."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush()


def wheel(folder: Path) -> Path:
    """A wheel with an entry that is not compressed, one that may be shorter and one that is executable."""
    path = folder / "orlop-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("orlop/py.typed", b"", zipfile.ZIP_STORED)
        archive.writestr("orlop/text.py", CONTENT)
        module = zipfile.ZipInfo("orlop/module.so", (2026, 1, 2, 3, 4, 6))
        module.external_attr, module.extra, module.comment = 0o100755 << 16, b"\x01\x00\x02\x00ab", b"built"
        archive.writestr(module, CONTENT[::-1], zipfile.ZIP_DEFLATED)
    return path


def seen(path: Path) -> list[tuple[object, ...]]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return [
            (each.filename, each.date_time, each.external_attr, each.extra, each.comment, each.compress_type, archive.read(each))
            for each in archive.infolist()
        ]


def test_a_recompressed_wheel_is_shorter_and_has_the_same_entries(tmp_path: Path) -> None:
    path = wheel(tmp_path)
    entries, bytes_before = seen(path), path.stat().st_size
    SCRIPT["recompress"](path, deflated)
    assert seen(path) == entries
    assert path.stat().st_size < bytes_before
    assert list(tmp_path.iterdir()) == [path]


def test_what_would_be_longer_stays_as_it_is(tmp_path: Path) -> None:
    path = wheel(tmp_path)
    before = path.read_bytes()
    SCRIPT["recompress"](path, lambda content: deflated(content) + bytes(len(content)))
    assert path.read_bytes() == before


@pytest.mark.parametrize("wrong", [lambda content: deflated(content[:-1]), lambda _: b"no stream"], ids=["other content", "no content"])
def test_a_wheel_that_would_read_as_another_stays_as_it_is(tmp_path: Path, wrong: Callable[[bytes], bytes]) -> None:
    path = wheel(tmp_path)
    before = path.read_bytes()
    with pytest.raises((RuntimeError, zipfile.BadZipFile, zlib.error)):
        SCRIPT["recompress"](path, wrong)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
