"""The size of a head is bounded, however its bytes arrive: in one read, in several, or after another request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from orlop.serving.edge import HEAD_SIZE_MAX, Edge
from orlop.serving.connections import Context, Limits
from orlop.serving.http1 import Connection
from orlop import Reply

SMALL = b"GET /small HTTP/1.1\r\nhost: a\r\n\r\n"


class Sent(asyncio.Transport):
    """A connection whose reads the test provides, and whose answers it records."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = b""

    def write(self, data: Any) -> None:
        self.answers += data

    def can_write_eof(self) -> bool:
        return False

    def is_closing(self) -> bool:
        return False


class Asked:
    """Records the requests to the engine; each is answered with 204."""

    def __init__(self) -> None:
        self.targets: list[str] = []

    def ask(self, answered: Callable[[Reply], None], method: str, target: str, *_: Any) -> None:
        self.targets.append(target)
        answered(Reply(204, {}, b""))


def spoken(*reads: bytes) -> tuple[list[str], list[bytes]]:
    """Returns the targets that reach the engine, and the statuses of the answers, for bytes that arrive in these
    reads."""

    async def speak() -> tuple[list[str], list[bytes]]:
        asked, sent, streams = Asked(), Sent(), type("NoStreams", (), {})()
        connection = Connection(Context(asked, Edge(), Limits(), None, False, streams))  # type: ignore[arg-type]
        connection.connection_made(sent)
        for read in reads:
            connection.data_received(read)
        return asked.targets, [line.split()[1] for line in sent.answers.splitlines() if line.startswith(b"HTTP/1.1 ")]

    return asyncio.run(speak())


def head(size: int, count: int = 1) -> bytes:
    """Returns a head of `size` bytes, its last line included, with `count` headers besides the first."""
    begin = b"GET /large HTTP/1.1\r\nhost: a\r\n"
    each, rest = divmod(size - len(begin) - 2, count)
    lines = [
        b"x-%03d: " % number + b"x" * (each - 9 + (rest if number == 0 else 0)) + b"\r\n" for number in range(count)
    ]
    made = begin + b"".join(lines) + b"\r\n"
    assert len(made) == size
    return made


@pytest.mark.parametrize("size", [HEAD_SIZE_MAX + 100, 200_000, 10 * HEAD_SIZE_MAX])
@pytest.mark.parametrize("count", [1, 100])
def test_one_that_is_too_large_is_refused(count: int, size: int) -> None:
    made = head(size, count)
    assert spoken(made) == ([], [b"431"])
    assert spoken(made[:-3], made[-3:]) == ([], [b"431"])
    assert spoken(*(made[at : at + 10_000] for at in range(0, size, 10_000))) == ([], [b"431"])
    assert spoken(SMALL + made) == (["/small"], [b"204", b"431"])


@pytest.mark.parametrize("count", [1, 100])
def test_one_that_is_as_large_as_it_may_be_is_answered(count: int) -> None:
    made = head(HEAD_SIZE_MAX, count)
    assert spoken(made) == (["/large"], [b"204"])
    assert spoken(made[:-3], made[-3:]) == (["/large"], [b"204"])
    assert spoken(SMALL, made, SMALL) == (["/small", "/large", "/small"], [b"204"] * 3)
    body = b"POST /large HTTP/1.1\r\nhost: a\r\ncontent-length: 200000\r\n\r\n" + b" " * 200_000
    assert spoken(body) == (["/large"], [b"204"])


def test_a_long_target_counts() -> None:
    assert spoken(b"GET /" + b"x" * HEAD_SIZE_MAX + b" HTTP/1.1\r\nhost: a\r\n\r\n") == ([], [b"431"])
