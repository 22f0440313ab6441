"""What callers of a server can make it keep, before and after it knows who they are. All of it over raw sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import select
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from orlop.serving.connections import Limits
from orlop.serving.http1 import HEAD_SIZE_MAX
from orlop.serving.server import Server, beside

WITHIN = 30.0
MEBIBYTE = 1 << 20
POST = b"POST /organization HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
SHORT = Limits(head_timeout=1.0, body_timeout=1.0, idle_timeout=1.0)


@contextlib.contextmanager
def serving(limits: Limits = Limits(), **settings: Any) -> Iterator[tuple[Server, str]]:
    with orlop.Engine(**settings) as engine:
        server = Server(engine, limits=limits)
        with beside(server.run, server.stop, "server"):
            yield server, server.url


def line_to(url: str, *said: bytes) -> socket.socket:
    """A connection that has said this."""
    parts = urlsplit(url)
    assert parts.port is not None
    line = socket.create_connection((parts.hostname, parts.port), timeout=WITHIN)
    for part in said:
        line.sendall(part)
    return line


def heard_on(line: socket.socket) -> bytes:
    """All until the server hangs up."""
    heard = b""
    with contextlib.suppress(ConnectionResetError):
        while part := line.recv(65536):
            heard += part
    return heard


def statuses(heard: bytes) -> list[int]:
    return [int(found) for found in re.findall(rb"HTTP/1\.1 (\d{3})", heard)]


def get(url: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=WITHIN)
    with contextlib.closing(connection):
        connection.request("GET", "/organization")
        answer = connection.getresponse()
        answer.read()
        return answer.status


def await_(condition: Any, what: str) -> None:
    end = time.monotonic() + WITHIN
    while not condition():
        assert time.monotonic() < end, what
        threading.Event().wait(0.005)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ((), []),
        ((b"\r\n",), []),
        ((b"GET / HT",), [408]),
        ((b"GET /organization HTTP/1.1\r\nHost: localhost\r\nX-", b"A: b\r\n"), [408]),
        ((POST + b"Content-Length: 10\r\n\r\n{",), [408]),
        ((POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",), [408]),
        ((b"GET /organization HTTP/1.1\r\nHost: localhost\r\n\r\n",), [200]),
        ((b"GET /organization HTTP/1.1\r\nHost: localhost\r\n\r\nGET",), [200, 408]),
    ],
)
def test_a_caller_that_stops_speaking_is_hung_up_on(said: tuple[bytes, ...], status: list[int]) -> None:
    with serving(SHORT) as (_, url), line_to(url, *said) as line:
        assert statuses(heard_on(line)) == status


def test_a_head_that_drips_has_one_deadline() -> None:
    with serving(SHORT) as (_, url), line_to(url, b"GET /organization HTTP/1.1\r\nHost: localhost\r\n") as line:
        line.settimeout(0.02)
        end = time.monotonic() + WITHIN
        heard = b""
        while not heard:  # a byte every 20 ms, for as long as the server listens
            assert time.monotonic() < end
            line.sendall(b"X")
            with contextlib.suppress(TimeoutError):
                heard = line.recv(65536)
        assert statuses(heard) == [408]


def test_a_long_head_is_refused_while_it_comes() -> None:
    with serving() as (_, url), line_to(url, b"GET / HTTP/1.1\r\nHost: localhost\r\n") as line:
        with contextlib.suppress(ConnectionError):
            for number in range(HEAD_SIZE_MAX // 1024 + 2):
                line.sendall(b"X-%d: " % number + b"a" * 1024 + b"\r\n")
        assert statuses(heard_on(line)) in ([431], [])  # nothing, if it was reset before it was read
        assert get(url) == 200


@pytest.mark.parametrize("length", [MEBIBYTE + 1, 1 << 40, 10**30])
def test_a_long_body_is_refused_before_it_is_read(length: int) -> None:
    with serving() as (_, url), line_to(url, POST + b"Content-Length: %d\r\n\r\n" % length) as line:
        heard = heard_on(line)
        assert statuses(heard) == [400] and b"connection: close" in heard


def test_chunks_are_counted() -> None:
    with serving() as (_, url), line_to(url, POST + b"Transfer-Encoding: chunked\r\n\r\n") as line:
        with contextlib.suppress(ConnectionError):
            for _ in range(20):
                line.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        assert statuses(heard_on(line)) == [400]


@pytest.mark.parametrize("body", [b"Content-Length: 1048576\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"])
@pytest.mark.parametrize("authorization", [b"", b"Authorization: Token junk\r\n", b"Authorization: Bearer junk\r\n"])
def test_credentials_are_asked_for_before_the_body(body: bytes, authorization: bytes) -> None:
    """The rest of the body never comes, and no deadline is near."""
    with serving(authentication="required") as (_, url), line_to(url, POST + authorization + body) as line:
        heard = heard_on(line)
        assert statuses(heard) == [401] and b"www-authenticate: Bearer" in heard


def test_a_caller_that_proves_who_it_is_may_send_its_body_slowly() -> None:
    with orlop.Engine(authentication="required") as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        token = engine.request("POST", f"/organization/{organization.id}/apiToken", {"name": "ci"}).check()["token"]
        body = json.dumps({"name": "shop"}).encode()
        head = f"POST /organization/{organization.id}/project HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Token {token}\r\n"
        with engine.serve() as url:
            head += f"Content-Length: {len(body)}\r\n"
            with line_to(url, head.encode() + b"Expect: 100-continue\r\n\r\n") as line:
                assert line.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
                line.sendall(body[:5])
                line.sendall(body[5:])
                assert statuses(heard_on(line)) == [200]


def test_bodies_have_a_bound_together() -> None:
    limits = Limits(body_memory=3 * MEBIBYTE)
    half = POST + b"Content-Length: 1048576\r\n\r\n" + b" " * (MEBIBYTE - 1)
    with serving(limits) as (_, url), contextlib.ExitStack() as open_lines:
        lines = [open_lines.enter_context(line_to(url)) for _ in range(4)]
        for line in lines:
            with contextlib.suppress(ConnectionError):
                line.sendall(half)
        refused, _, _ = select.select(lines, [], [], WITHIN)
        assert len(refused) == 1, "three fit, and the fourth is told to come again"
        assert statuses(heard_on(refused[0])) == [503]
        assert get(url) == 200, "who sends no body is answered"
        next(line for line in lines if line is not refused[0]).close()
        with contextlib.ExitStack() as later:
            line = later.enter_context(line_to(url, half[:-1] + b"x "))
            line.settimeout(WITHIN)
            assert statuses(line.recv(65536)) == [400], "what the first one held is free again"


def test_900_idle_connections_leave_room() -> None:
    with serving() as (_, url), contextlib.ExitStack() as open_lines:
        lines = [open_lines.enter_context(line_to(url)) for _ in range(900)]
        assert get(url) == 200
        lines[0].sendall(b"GET /organization HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert statuses(heard_on(lines[0])) == [200]


def test_one_connection_too_many_takes_the_place_of_the_one_that_waited_longest() -> None:
    with serving(Limits(connections=10)) as (_, url), contextlib.ExitStack() as open_lines:
        lines = [open_lines.enter_context(line_to(url)) for _ in range(9)]
        lines += [open_lines.enter_context(line_to(url, b"GET / HTTP/1.1\r\nX: "))]
        assert get(url) == 200
        assert heard_on(lines[0]) == b"", "the first is hung up on"
        lines[1].sendall(b"GET /organization HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert statuses(heard_on(lines[1])) == [200], "the second goes on"


def test_requests_that_were_sent_together_are_answered_in_order() -> None:
    ask = b"GET /organization HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving() as (_, url), line_to(url, ask * 20) as line:
        line.shutdown(socket.SHUT_WR)  # all is said; the answers are still wanted
        assert statuses(heard_on(line)) == [200, 404] * 20


UPGRADE = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n"
CREATE = b'{"name":"acme","plan":"FREE"}'
SIZED = b"Content-Length: %d\r\n\r\n%b" % (len(CREATE), CREATE)
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(CREATE), CREATE)


@pytest.mark.parametrize("framed", [SIZED, CHUNKED])
@pytest.mark.parametrize("part", [1, 7, 100_000])
def test_an_upgrade_to_another_protocol_is_ignored(framed: bytes, part: int) -> None:
    """With its body, in parts of any size, and with what follows on the same connection."""
    said = POST + UPGRADE + framed
    said += b"GET /organization HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + b"\r\n"
    said += b"GET /organization HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with serving() as (_, url), line_to(url, *(said[at : at + part] for at in range(0, len(said), part))) as line:
        heard = heard_on(line)
    assert statuses(heard) == [201, 200, 200]
    assert heard.count(b'"name":"acme"') == 3


def test_the_body_behind_an_upgrade_has_the_same_bound() -> None:
    with serving() as (_, url), line_to(url, POST + UPGRADE + b"Transfer-Encoding: chunked\r\n\r\n") as line:
        with contextlib.suppress(ConnectionError):
            for _ in range(40):
                line.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        assert statuses(heard_on(line)) == [400]
        assert get(url) == 200


def test_a_flood_of_requests_on_one_connection_is_refused() -> None:
    ask = b"GET /organization HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving() as (_, url), line_to(url) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(ask * 2000)
        answered = statuses(heard_on(line))
        assert answered.count(200) < 2000 and set(answered) <= {200, 400}
        assert get(url) == 200


def test_a_caller_that_never_reads_is_hung_up_on() -> None:
    with serving(SHORT) as (_, url), line_to(url) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end = time.monotonic() + WITHIN
        with pytest.raises(ConnectionError):
            while time.monotonic() < end:
                line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert get(url) == 200


def test_half_closed_and_reset_connections_leave_nothing() -> None:
    with serving(SHORT) as (server, url):
        for said in (b"", b"GET", POST + b"Content-Length: 10\r\n\r\n{"):
            for _ in range(20):
                line = line_to(url, said)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
                line.close()  # resets
            with line_to(url, said) as line:
                line.shutdown(socket.SHUT_WR)
                assert statuses(heard_on(line)) == []
        assert get(url) == 200
        await_(lambda: server.context is not None and not server.context.connections, "connections were kept")
        assert server.context is not None and server.context.held == 0 and not server.context.waiting
