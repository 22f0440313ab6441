"""The beginning of an answer over HTTP/1.1."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from .edge import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..base.wire import Reply

_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}
_LINES[431] = b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
# Browsers must not store answers or guess their type.
_ALWAYS = b"cache-control: no-store\r\nx-content-type-options: nosniff\r\n"


def head_of(reply: Reply, date: bytes, more: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    """Returns the lines of the head that are known before the length of the body, and `more` headers."""
    parts = [_LINES.get(reply.status) or b"HTTP/1.1 %d \r\n" % reply.status, date, _ALWAYS]
    for name, value in reply.headers.items():
        parts.append(f"{name}: {one_line(value)}\r\n".encode("latin-1", "replace"))
    parts.extend(b"%b: %b\r\n" % pair for pair in more)
    return parts
