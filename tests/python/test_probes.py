"""Probes of containers against sockets of this process."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from orlop.drivers.containers import probes
from orlop.drivers.containers.grpc_health import is_serving

TIMES = {"timeout_seconds": 2}


@contextmanager
def server(answer: Callable[[socket.socket], None]) -> Iterator[tuple[str, int]]:
    """Answers one connection."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield ("127.0.0.1", listening.getsockname()[1])
    thread.join(5)
    listening.close()


def check(probe: dict[str, Any], address: tuple[str, int]) -> str:
    api: Any = None
    return probes.check({"port": 80, **TIMES, **probe}, api, "", {80: address})


def wait(event: threading.Event) -> None:
    event.wait(5)


def says(content: bytes, *, stays: bool = False) -> Callable[[socket.socket], None]:
    """Answers the first bytes with the content. `stays`: until the client has closed the connection, as a gRPC server
    does, which may have answered before the client has sent everything."""

    def answer(connection: socket.socket) -> None:
        connection.settimeout(5)
        connection.recv(4096)
        connection.sendall(content)
        with contextlib.suppress(ConnectionError):
            while stays and connection.recv(4096):
                pass

    return answer


@pytest.mark.parametrize(("status", "healthy"), ((200, True), (302, True), (399, True), (400, False), (503, False)))
def test_http_is_healthy_from_200_to_399(status: int, healthy: bool) -> None:
    with server(says(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())) as address:
        said = check({"kind": "http", "path": "/", "scheme": "HTTP"}, address)
    assert said == ("" if healthy else f"HTTP {status}")


def test_tcp_is_healthy_if_the_connection_stays() -> None:
    done = threading.Event()
    with server(lambda connection: wait(done)) as address:
        assert check({"kind": "tcp"}, address) == ""
        done.set()


def test_tcp_is_unhealthy_if_a_proxy_closes_the_connection_at_once() -> None:
    with server(lambda connection: None) as address:
        assert check({"kind": "tcp"}, address) == "the connection was closed at once"


def test_a_closed_port_is_the_reason() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "ConnectionRefusedError" in check({"kind": "tcp"}, ("127.0.0.1", port))


MONGODB = struct.pack("<iiii", 21, 1, 1, 2013) + b"\x00" * 5


@pytest.mark.parametrize(
    ("protocol", "content", "healthy"),
    (
        ("postgresql", b"N", True),
        ("postgresql", b"S", True),
        ("postgresql", b"", False),
        ("redis", b"+PONG\r\n", True),
        ("redis", b"-NOAUTH Authentication required.\r\n", True),
        ("redis", b"-LOADING Redis is loading\r\n", False),
        ("mongodb", MONGODB, True),
        ("mongodb", b"", False),
    ),
)
def test_a_database_is_healthy_when_it_answers(protocol: str, content: bytes, healthy: bool) -> None:
    with server(says(content)) as address:
        assert (check({"kind": "database", "protocol": protocol}, address) == "") is healthy


def test_mysql_is_healthy_when_it_greets() -> None:
    with server(lambda connection: connection.sendall(b"\x4a\x00\x00\x00\x0a8.0")) as address:
        assert check({"kind": "database", "protocol": "mysql"}, address) == ""


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + struct.pack("!I", stream) + payload


@pytest.mark.parametrize(
    ("message", "said"),
    ((b"\x08\x01", ""), (b"\x08\x02", "gRPC health NOT_SERVING"), (b"", "gRPC health UNKNOWN")),
)
def test_grpc_reads_the_state_of_the_health_protocol(message: bytes, said: str) -> None:
    body = b"\x00" + struct.pack("!I", len(message)) + message
    answer = frame(4, 0, 0, b"") + frame(1, 4, 1, b"\x88") + frame(0, 0, 1, body) + frame(1, 5, 1, b"\x88")
    with server(says(answer, stays=True)) as address:
        assert is_serving(address, "shop", 2) == said


def test_grpc_without_the_health_service_is_unhealthy() -> None:
    with server(says(frame(4, 0, 0, b"") + frame(1, 5, 1, b"\x88"), stays=True)) as address:
        assert "no grpc.health.v1.Health" in is_serving(address, "", 2)
