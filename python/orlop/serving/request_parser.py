"""httptools' parser for a server that supports only HTTP/1.1: a request to change the protocol is read as one without
`Upgrade`.

RFC 9110, section 7.8 lets a server ignore `Upgrade`. httptools does not: it treats such a request as one without a body
and stops after its head. Java's HttpClient asks for HTTP/2 in this way with every first request.
"""

from __future__ import annotations

from typing import Protocol

import httptools


class Receiver(Protocol):
    """Receives the parts of a request, in this order; `on_header` and `on_body` any number of times."""

    def on_message_begin(self) -> None: ...
    def on_url(self, url: bytes) -> None: ...
    def on_header(self, name: bytes, value: bytes) -> None: ...
    def on_headers_complete(self) -> None: ...
    def on_body(self, part: bytes) -> None: ...
    def on_message_complete(self) -> None: ...


class RequestParser:
    """Parses the requests of one connection. Raises `httptools.HttpParserError` for malformed ones."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._framing: list[bytes] = []
        self._parser = httptools.HttpRequestParser(receiver)

    def head(self, headers: list[tuple[bytes, bytes]]) -> tuple[str, bool, bool]:
        """Returns the method, whether the connection stays open, and whether it is HTTP/1.0. Call it in
        `on_headers_complete`, with the headers."""
        parser = self._parser
        if parser.should_upgrade():
            self._framing = [
                b"%s: %s\r\n" % header
                for header in headers
                if header[0].lower() in (b"content-length", b"transfer-encoding")
            ]
        return parser.get_method().decode("latin-1"), parser.should_keep_alive(), parser.get_http_version() == "1.0"

    @property
    def is_body_due(self) -> bool:
        """True if `on_message_complete` is called too early: the body of the request follows."""
        return self._parser.should_upgrade()

    def feed(self, data: memoryview) -> None:
        """Parses the next bytes."""
        while True:
            try:
                self._parser.feed_data(data)
                return
            except httptools.HttpParserUpgrade as upgrade:
                # A new parser reads the body, after a head without `Upgrade`.
                data = data[upgrade.args[0] :]
                self._parser = httptools.HttpRequestParser(_WithoutHead(self._receiver))
                self._parser.feed_data(
                    b"POST / HTTP/1.1\r\n" + (b"".join(self._framing) or b"content-length: 0\r\n") + b"\r\n"
                )


class _WithoutHead:
    """Passes on everything after the first head."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._is_behind = False
        self.on_body = receiver.on_body
        self.on_message_complete = receiver.on_message_complete

    def on_message_begin(self) -> None:
        if self._is_behind:
            self._receiver.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if self._is_behind:
            self._receiver.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_behind:
            self._receiver.on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._is_behind:
            self._receiver.on_headers_complete()
        self._is_behind = True
