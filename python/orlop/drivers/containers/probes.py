"""Probes of containers, run by the driver: the engines' own ones do not run everywhere."""

from __future__ import annotations

import http.client
import socket
import ssl
import struct
from typing import TYPE_CHECKING, Any

from .engine_api import EngineApi, EngineRefused
from .grpc_health import is_serving

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CLOSED_WITHIN = (
    0.1  # seconds: a proxy of the engine accepts a connection before it finds the port of the container closed
)


def check(probe: Mapping[str, Any], api: EngineApi, container: str, addresses: Mapping[int, tuple[str, int]]) -> str:
    """Runs a probe once. Returns "" if the container is healthy, else the reason. `addresses` has the published address
    of each port."""
    timeout = float(probe["timeout_seconds"])
    if probe["kind"] == "exec":
        return _check_command(api, container, list(probe["command"]), timeout)
    address = addresses.get(int(probe["port"]))
    if address is None:
        return f"the port {probe['port']} is not published"
    try:
        return _CHECKS[probe["kind"]](probe, address, timeout)
    except TimeoutError:
        return f"no answer within {timeout:g} seconds"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def _check_command(api: EngineApi, container: str, command: list[str], timeout: float) -> str:
    try:
        code, output = api.run(container, command, timeout)
    except EngineRefused as error:
        return str(error)
    return "" if code == 0 else f"the command ended with {code}: {output.strip()[-500:]}"


def _check_http(probe: Mapping[str, Any], address: tuple[str, int], timeout: float) -> str:
    connection: http.client.HTTPConnection
    if str(probe["scheme"]).upper() == "HTTPS":
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = (
            ssl.CERT_NONE
        )  # as a probe of Kubernetes: the certificate is that of a name, not of a port
        connection = http.client.HTTPSConnection(*address, timeout=timeout, context=context)
    else:
        connection = http.client.HTTPConnection(*address, timeout=timeout)
    try:
        connection.request("GET", str(probe["path"]) or "/", headers={"User-Agent": "orlop-probe"})
        status = connection.getresponse().status
    finally:
        connection.close()
    return "" if 200 <= status < 400 else f"HTTP {status}"


def _check_tcp(probe: Mapping[str, Any], address: tuple[str, int], timeout: float) -> str:
    with socket.create_connection(address, timeout) as connection:
        connection.settimeout(_CLOSED_WITHIN)
        try:
            return "" if connection.recv(1) else "the connection was closed at once"
        except TimeoutError:
            return ""


def _check_grpc(probe: Mapping[str, Any], address: tuple[str, int], timeout: float) -> str:
    return is_serving(address, str(probe.get("service") or ""), timeout)


def _check_database(probe: Mapping[str, Any], address: tuple[str, int], timeout: float) -> str:
    with socket.create_connection(address, timeout) as connection:
        connection.settimeout(timeout)
        return _GREETINGS[str(probe["protocol"])](connection)


def _greet_postgresql(connection: socket.socket) -> str:
    connection.sendall(struct.pack("!ii", 8, 80877103))  # SSLRequest: answered with S or N by a server that accepts
    return "" if connection.recv(1) in (b"S", b"N") else "no answer of PostgreSQL"


def _greet_mysql(connection: socket.socket) -> str:
    greeting = connection.recv(5)
    return "" if len(greeting) == 5 and greeting[4] == 10 else "no greeting of MySQL"


def _greet_redis(connection: socket.socket) -> str:
    connection.sendall(b"PING\r\n")
    answer = connection.recv(64)
    return "" if answer.startswith((b"+PONG", b"-NOAUTH")) else f"Redis answers {answer[:40]!r}"


def _greet_mongodb(connection: socket.socket) -> str:
    # OP_MSG with {"hello": 1, "$db": "admin"} in BSON.
    document = b"\x10hello\x00\x01\x00\x00\x00\x02$db\x00\x06\x00\x00\x00admin\x00\x00"
    document = struct.pack("<i", len(document) + 4) + document
    message = struct.pack("<i", 0) + b"\x00" + document
    connection.sendall(struct.pack("<iiii", 16 + len(message), 1, 0, 2013) + message)
    header = connection.recv(16)
    return "" if len(header) == 16 and struct.unpack("<i", header[12:])[0] == 2013 else "no answer of MongoDB"


_GREETINGS: dict[str, Callable[[socket.socket], str]] = {
    "postgresql": _greet_postgresql,
    "mysql": _greet_mysql,
    "redis": _greet_redis,
    "mongodb": _greet_mongodb,
}
_CHECKS: dict[str, Callable[[Mapping[str, Any], tuple[str, int], float], str]] = {
    "http": _check_http,
    "tcp": _check_tcp,
    "grpc": _check_grpc,
    "database": _check_database,
}
