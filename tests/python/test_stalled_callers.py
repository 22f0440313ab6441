"""Callers that stop in the middle of a request, or do not read answers, do not affect the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from orlop.serving import asgi
from orlop.serving.edge import Edge
from orlop.serving.connections import Context, Limits
from orlop.serving.http1 import Connection
from orlop.serving.server import Server, beside
from orlop import Reply
from processes import wait_until
from test_asgi import JSON
from test_heads import Sent
from test_serve import call

HOST = b"Host: localhost\r\n"
STALLED = {
    "nothing": b"",
    "a part of a head": b"GET /organization HT",
    "a part of a body": b"POST /organization HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\n{",
    "a part of a body in chunks": b"POST /organization HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "a body that waits for its permission": b"POST /organization HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
    "a refused request": b"GET / HTTP/9.9\r\n\r\n",
    "answers that are not read": (b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n") * 20,
}


@contextlib.contextmanager
def served(engine: orlop.Engine, **limits: int) -> Iterator[Server]:
    server = Server(engine, limits=Limits(**limits))
    with beside(server.run, server.stop, "server"):
        yield server


def connect(stack: contextlib.ExitStack, server: Server, sent: bytes) -> socket.socket:
    parts = urlsplit(server.url)
    assert parts.port is not None
    line = stack.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=30))
    line.sendall(sent)
    return line


# Unread answers stall a connection once they have filled the buffers of both ends, after a time that cannot be
# observed: new calls may come earlier.
AT_ONCE = {name: sent for name, sent in STALLED.items() if name != "answers that are not read"}


@pytest.mark.parametrize("sent", AT_ONCE.values(), ids=AT_ONCE)
@pytest.mark.parametrize("authentication", ["off", "required"])
def test_stalled_connections_are_ended_for_new_ones(sent: bytes, authentication: Any) -> None:
    with (
        orlop.Engine(authentication=authentication) as engine,
        served(engine, connections=5) as server,
        contextlib.ExitStack() as stack,
    ):
        for _ in range(12):
            connect(stack, server, sent)
        wait_until(
            lambda: server.context is not None and len(server.context.waiting) == len(server.context.connections) == 5,
            "five that are waited for",
        )
        assert [call(server.url, "GET", "/openapi.json")[0] for _ in range(8)] == [200] * 8


def test_a_request_that_is_ended_is_answered_why() -> None:
    with orlop.Engine() as engine, served(engine, connections=3) as server, contextlib.ExitStack() as stack:
        stalled = [connect(stack, server, STALLED["a part of a body"]) for _ in range(3)]
        wait_until(lambda: server.context is not None and server.context.held == 3, "the bodies")
        assert call(server.url, "GET", "/organization")[0] == 200
        answer = stalled[0].recv(65536)
        assert (
            answer.startswith(b"HTTP/1.1 503 ")
            and b"retry-after: 1\r\n" in answer
            and b"connection: close\r\n" in answer
        )
        assert b"there are too many connections, and this request took longest to come" in answer
        stalled[2].sendall(b'"name":"acme","plan":"FREE"}'.ljust(99))
        assert stalled[2].recv(65536).startswith(b"HTTP/1.1 201 "), "a newer one is not ended"


def test_a_connection_is_refused_if_all_others_are_being_answered() -> None:
    class Full:
        def __init__(self) -> None:
            self.asked = 0

        def ask(self, *_: Any) -> None:
            self.asked += 1

    async def speak() -> bytes:
        context = Context(Full(), Edge(), Limits(connections=2), None, False, None)  # type: ignore[arg-type]
        for _ in range(2):
            busy = Connection(context)
            busy.connection_made(Sent())
            busy.data_received(b"GET /organization HTTP/1.1\r\n\r\n")
        refused, sent = Connection(context), Sent()
        refused.connection_made(sent)
        return sent.answers

    answer = asyncio.run(speak())
    assert answer.startswith(b"HTTP/1.1 503 ") and b"there are too many connections" in answer


def test_unfinished_bodies_are_ended_for_others() -> None:
    body = json.dumps({"name": "acme", "plan": "FREE"}).encode()
    unfinished = b"POST /organization HTTP/1.1\r\n" + HOST + b"Content-Length: 30000\r\n\r\n" + body.ljust(20_000)
    with orlop.Engine() as engine, served(engine, body_memory=100_000) as server, contextlib.ExitStack() as stack:
        stalled = [connect(stack, server, unfinished) for _ in range(12)]
        wait_until(lambda: server.context is not None and server.context.held == 100_000, "the bodies")
        assert (
            call(server.url, "POST", "/organization", {"name": "other", "plan": "FREE", "description": "x" * 5000})[0]
            == 201
        )
        answer = stalled[0].recv(65536)
        assert (
            answer.startswith(b"HTTP/1.1 503 ") and b"other requests need the memory that there is for bodies" in answer
        )
        stalled[-1].sendall(b" " * 10_000)
        assert stalled[-1].recv(65536).startswith(b"HTTP/1.1 201 ")
        assert (
            call(server.url, "POST", "/organization", {"name": "large", "plan": "FREE", "description": "x" * 100_000})[
                0
            ]
            == 503
        )


def test_requests_behind_unread_answers_are_ended_for_others() -> None:
    large = (
        STALLED["answers that are not read"]
        + (b"POST /organization HTTP/1.1\r\n" + HOST + b"Content-Length: 9000\r\n\r\n" + b" " * 9000) * 10
    )
    with orlop.Engine() as engine, served(engine, body_memory=100_000) as server, contextlib.ExitStack() as stack:
        connect(stack, server, large)
        wait_until(
            lambda: server.context is not None and server.context.held >= 50_000 and bool(server.context.waiting),
            "the bodies",
        )
        assert (
            call(server.url, "POST", "/organization", {"name": "other", "plan": "FREE", "description": "x" * 60_000})[0]
            == 201
        )


class Held(Sent):
    """A connection that records whether it is read."""

    is_held = False

    def pause_reading(self) -> None:
        self.is_held = True

    def resume_reading(self) -> None:
        self.is_held = False


class Slow:
    """An engine that answers later."""

    def __init__(self) -> None:
        self.asked: deque[tuple[Callable[[Reply], None], str]] = deque()

    def ask(self, answered: Callable[[Reply], None], method: str, target: str, *_: Any) -> None:
        self.asked.append((answered, target))


@pytest.mark.parametrize("count", [64, 65, 66, 1000, 5000])
def test_any_number_of_pipelined_requests_is_answered(count: int) -> None:
    async def speak() -> tuple[list[str], int, int]:
        slow, sent = Slow(), Held()
        context = Context(slow, Edge(), Limits(), None, False, None)  # type: ignore[arg-type]
        connection = Connection(context)
        connection.connection_made(sent)
        data = b"".join(b"GET /%d HTTP/1.1\r\n\r\n" % number for number in range(count))
        for at in range(0, len(data), 65536):
            while sent.is_held:
                answered, target = slow.asked.popleft()
                targets.append(target)
                answered(Reply(204, {}, b""))
            connection.data_received(data[at : at + 65536])
            most_kept.append(len(connection._queue))
        while slow.asked:
            answered, target = slow.asked.popleft()
            targets.append(target)
            answered(Reply(204, {}, b""))
            most_kept.append(len(connection._queue))
        return targets, sent.answers.count(b"HTTP/1.1 204 "), max(most_kept)

    targets: list[str] = []
    most_kept: list[int] = []
    targets, answers, kept = asyncio.run(speak())
    assert targets == [f"/{number}" for number in range(count)]
    assert answers == count
    assert kept < 64 + 4096 / len(b"GET /1 HTTP/1.1\r\n\r\n"), "they are taken apart before there is room for them"


def test_pipelined_requests_are_answered_over_a_socket() -> None:
    with orlop.Engine() as engine, served(engine) as server, contextlib.ExitStack() as stack:
        line = connect(stack, server, (b"GET /organization HTTP/1.1\r\n" + HOST + b"\r\n") * 999)
        line.sendall(b"GET /organization HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        heard = b""
        while part := line.recv(65536):
            heard += part
        assert heard.count(b"HTTP/1.1 200 ") == 1000


def test_an_asgi_application_ends_unfinished_bodies_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_MEMORY_MAX", 100_000)

    async def request(application: asgi.Application, body: bytes, is_whole: bool) -> int:
        parts = iter(
            [
                {"type": "http.request", "body": body[at : at + 5000], "more_body": True}
                for at in range(0, len(body), 5000)
            ]
        )
        statuses: list[int] = []

        async def receive() -> Any:
            part = next(parts, None)
            if part is None and not is_whole:
                await asyncio.Event().wait()
            return part or {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": "/organization",
            "query_string": b"",
            "headers": [JSON],
        }
        await application(scope, receive, send)
        return statuses[0]

    async def speak(application: asgi.Application) -> list[int]:
        body = json.dumps({"name": "acme", "plan": "FREE"}).encode()
        stalled = [asyncio.ensure_future(request(application, body.ljust(20_000), False)) for _ in range(12)]
        while application._held < 100_000:
            await asyncio.sleep(0)
        others = [
            await request(application, body.replace(b"acme", b"acme%d" % number).ljust(20_000), True)
            for number in range(8)
        ]
        ended = await asyncio.gather(*(one for one in stalled if one.done()))
        for one in stalled:
            one.cancel()
        await asyncio.gather(*stalled, return_exceptions=True)
        assert application._held == 0 and not application._unfinished
        return [*others, *set(ended), await request(application, body.ljust(100_001), True)]

    with orlop.Engine() as engine:
        assert asyncio.run(speak(asgi.app(engine))) == [201] * 8 + [503, 503]
