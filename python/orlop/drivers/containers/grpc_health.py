"""One call of grpc.health.v1.Health/Check over plain HTTP/2, without a gRPC library.

https://github.com/grpc/grpc/blob/master/doc/health-checking.md; frames: RFC 9113, headers: RFC 7541.
"""

from __future__ import annotations

import socket
import struct
import time

_DATA, _HEADERS, _RESET, _SETTINGS, _GOAWAY = 0, 1, 3, 4, 7
_END_STREAM, _END_HEADERS, _ACK = 1, 4, 1
_STATES = {0: "UNKNOWN", 1: "SERVING", 2: "NOT_SERVING", 3: "SERVICE_UNKNOWN"}


def is_serving(address: tuple[str, int], service: str, timeout: float) -> str:
    """Returns "" if the server says SERVING, else the reason. Raises OSError if it does not answer."""
    end = time.monotonic() + timeout
    with socket.create_connection(address, timeout) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(_SETTINGS, 0, 0, b""))
        connection.sendall(_frame(_HEADERS, _END_HEADERS, 1, _headers(f"{address[0]}:{address[1]}")))
        name = service.encode()
        message = b"" if not name else b"\x0a" + _varint(len(name)) + name
        connection.sendall(_frame(_DATA, _END_STREAM, 1, b"\x00" + struct.pack("!I", len(message)) + message))
        return _answer(connection, end)


def _answer(connection: socket.socket, end: float) -> str:
    body = b""
    while True:
        connection.settimeout(max(0.01, end - time.monotonic()))
        header = _exactly(connection, 9)
        size, kind, flags = int.from_bytes(header[:3], "big"), header[3], header[4]
        payload = _exactly(connection, size)
        if kind == _SETTINGS and not flags & _ACK:
            connection.sendall(_frame(_SETTINGS, _ACK, 0, b""))
        elif kind in (_RESET, _GOAWAY):
            return "the gRPC server has ended the connection"
        elif kind == _DATA:
            body += payload
        if kind in (_DATA, _HEADERS) and (flags & _END_STREAM or len(body) >= 5):
            return _state(body)


def _state(body: bytes) -> str:
    if len(body) < 5:
        return "the gRPC server has no grpc.health.v1.Health"
    message = body[5 : 5 + struct.unpack("!I", body[1:5])[0]]
    state = message[1] if len(message) >= 2 and message[0] == 0x08 else 0
    return "" if state == 1 else f"gRPC health {_STATES.get(state, str(state))}"


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + struct.pack("!I", stream) + payload


def _headers(authority: str) -> bytes:
    fields = (
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/grpc.health.v1.Health/Check"),
        (":authority", authority),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    )
    # Literal fields without indexing and without Huffman coding; each text is shorter than 127 bytes.
    return b"".join(b"\x00" + _text(name) + _text(value) for name, value in fields)


def _text(text: str) -> bytes:
    return bytes((len(text),)) + text.encode()


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _exactly(connection: socket.socket, size: int) -> bytes:
    content = b""
    while len(content) < size:
        chunk = connection.recv(size - len(content))
        if not chunk:
            raise ConnectionError("the gRPC server closed the connection")
        content += chunk
    return content
