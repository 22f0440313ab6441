"""A server of this machine that answers from functions, and the check of answers against the questions' shapes."""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import orlop

LOOPBACK = ("127.0.0.0/8",)
ORGANIZATION = "11111111-1111-4111-8111-111111111111"
# A link-local address, where clouds have the metadata of a machine: what must never be reached.
METADATA = "http://169.254.169.254/latest/meta-data/"


class Request(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Reply(NamedTuple):
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


def reply(content: Any, status: int = 200, **headers: str) -> Reply:
    return Reply(
        status,
        json.dumps(content).encode(),
        (("content-type", "application/json"), *((name.replace("_", "-"), text) for name, text in headers.items())),
    )


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client may close the connection: no error is printed."""


class Fake:
    """Answers every request by `answer`. `requests` has what was asked."""

    def __init__(self, answer: Callable[[Request], Reply], context: ssl.SSLContext | None = None) -> None:
        self.requests: list[Request] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                headers = {name.lower(): text for name, text in self.headers.items()}
                asked = Request(self.command, self.path, headers, body)
                fake.requests.append(asked)
                found = answer(asked)
                with contextlib.suppress(OSError):
                    self.send_response(found.status)
                    for name, text in found.headers:
                        self.send_header(name, text)
                    self.send_header("content-length", str(len(found.body)))
                    self.end_headers()
                    if self.command != "HEAD":
                        self.wfile.write(found.body)

            do_GET = do_HEAD = do_POST = handle_any

            def log_message(self, *_: object) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self.url = f"{'http' if context is None else 'https'}://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]


@contextlib.contextmanager
def silent() -> Iterator[Fake]:
    """A server that reads requests and never answers while the test runs."""
    ended = threading.Event()

    def wait(_: Request) -> Reply:
        ended.wait()
        return Reply(500)

    with Fake(wait) as fake:
        try:
            yield fake
        finally:
            ended.set()


def matches(question: str, answer: Any) -> Any:
    """Returns the answer, after the engine has checked it against the shape of the question."""
    with orlop.Simulation(seed=1) as simulation:
        simulation.externals.add(question, answer)
    return answer
