"""A transport of httpx that connects to checked addresses alone, and ends everything at a deadline."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from typing import Any

import httpcore
import httpx

from .targets import Refused, Target


class PinnedTransport(httpx.BaseTransport):
    """A transport of httpx to one checked target, over at most `connections` connections. All of it ends at the
    deadline, a time of `time.monotonic()`."""

    def __init__(self, target: Target, context: ssl.SSLContext, deadline: float, connections: int = 1) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=context, network_backend=_Backend(target, deadline), max_connections=connections
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = httpcore.URL(
            scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
        )
        assert isinstance(request.stream, httpx.SyncByteStream)
        asked = httpcore.Request(
            request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        answer = self._pool.handle_request(asked)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer), extensions=answer.extensions)

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


class _Backend(httpcore.NetworkBackend):
    """Connects only to the addresses of its target, and ends everything at the deadline."""

    def __init__(self, target: Target, deadline: float) -> None:
        self._target = target
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        failed: Exception = Refused(f"{host} is not where the message goes")
        for address in (
            self._target.addresses if host.rstrip(".").lower() == self._target.host.rstrip(".").lower() else ()
        ):
            try:
                stream = self._inner.connect_tcp(
                    address, port, _left(self._deadline, timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
            else:
                return _Stream(stream, self._deadline)
        raise failed


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, deadline: float) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(self._deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(self._deadline, timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(
            self._inner.start_tls(ssl_context, server_hostname, _left(self._deadline, timeout)), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def close(self) -> None:
        self._inner.close()


def _left(deadline: float, timeout: float | None) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the receiver took too long")
    return left if timeout is None else min(left, timeout)
