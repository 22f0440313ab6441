"""Compresses the entries of a wheel with zopfli, which finds a shorter deflate stream of the same content: every installer reads it.

Names, order, times, permissions and contents stay as they are, so that the RECORD of the wheel stays valid. The wheel is replaced at the end, once every entry of
the new one is read and compared.
"""

from __future__ import annotations

import argparse
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

# 40 would make the module 363 bytes smaller, of 1.8 MB, and take twice the time.
ITERATIONS = 15

# Lengths of the records of a ZIP file without their names, and where fields begin in them.
END, CENTRAL, LOCAL = 22, 46, 30
END_COUNT, END_START = 10, 16
CENTRAL_METHOD, CENTRAL_PACKED, CENTRAL_LENGTHS, CENTRAL_OFFSET = 10, 20, 28, 42
LOCAL_FLAGS, LOCAL_PACKED, LOCAL_LENGTHS = 6, 18, 26
SIZES_FOLLOW = 8  # the flag of an entry whose sizes stand behind its content


def central_records(archive: bytes) -> Iterator[bytearray]:
    """The records of the central directory, in its order."""
    end = archive[-END:]
    if not end.startswith(b"PK\5\6"):
        raise ValueError("a wheel ends with the record of a ZIP file without a comment")
    (count,) = struct.unpack_from("<H", end, END_COUNT)
    (at,) = struct.unpack_from("<I", end, END_START)
    for _ in range(count):
        length = CENTRAL + sum(struct.unpack_from("<3H", archive, at + CENTRAL_LENGTHS))
        yield bytearray(archive[at : at + length])
        at += length


def recompressed(archive: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """The archive with each deflated entry as `compress` makes it of the content, where that is shorter."""
    made, directory = bytearray(), bytearray()
    for record in central_records(archive):
        (method,) = struct.unpack_from("<H", record, CENTRAL_METHOD)
        (length,) = struct.unpack_from("<I", record, CENTRAL_PACKED)
        (offset,) = struct.unpack_from("<I", record, CENTRAL_OFFSET)
        begin = offset + LOCAL + sum(struct.unpack_from("<2H", archive, offset + LOCAL_LENGTHS))
        header, packed = bytearray(archive[offset:begin]), archive[begin : begin + length]
        if header[LOCAL_FLAGS] & SIZES_FOLLOW:
            raise ValueError("the sizes of an entry stand before its content")
        if method == zipfile.ZIP_DEFLATED:
            packed = min(packed, compress(zlib.decompress(packed, wbits=-zlib.MAX_WBITS)), key=len)
        struct.pack_into("<I", header, LOCAL_PACKED, len(packed))
        struct.pack_into("<I", record, CENTRAL_PACKED, len(packed))
        struct.pack_into("<I", record, CENTRAL_OFFSET, len(made))
        made += header + packed
        directory += record
    end = bytearray(archive[-END:])
    struct.pack_into("<I", end, END_START, len(made))
    return bytes(made + directory + end)


def entries(path: Path) -> list[tuple[object, ...]]:
    """What an installer reads of each entry, which checks its content against its sum."""
    with zipfile.ZipFile(path) as archive:
        return [(each.filename, each.date_time, each.external_attr, each.compress_type, archive.read(each)) for each in archive.infolist()]


def recompress(wheel: Path, compress: Callable[[bytes], bytes]) -> None:
    """Replaces the wheel by the same with shorter entries. Where one is not read back as it was, RuntimeError, BadZipFile or zlib.error, and the wheel stays."""
    new = wheel.with_suffix(".new")
    try:
        new.write_bytes(recompressed(wheel.read_bytes(), compress))
        if entries(new) != entries(wheel):
            raise RuntimeError(f"the new wheel must have the entries of {wheel}, and has others")
        os.replace(new, wheel)
    finally:
        new.unlink(missing_ok=True)


def by_zopfli(content: bytes) -> bytes:
    """A deflate stream of the content."""
    import zopfli.zlib  # type: ignore[import-untyped, import-not-found, unused-ignore]

    stream: bytes = zopfli.zlib.compress(content, numiterations=ITERATIONS, blocksplittingmax=0)
    return stream[2:-4]  # without the header and the sum of zlib


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, help="which is replaced")
    try:
        recompress(parser.parse_args().wheel, by_zopfli)
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        sys.exit(f"error: {error}")
