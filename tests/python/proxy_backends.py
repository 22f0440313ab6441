"""HTTP servers of the tests' own behind a proxy, and clients that count what goes wrong."""

from __future__ import annotations

import base64
import hashlib
import http.client
import socket
import socketserver
import threading
from typing import Any

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class _Handler(socketserver.StreamRequestHandler):
    """Answers each request of a connection with the name of the server and the path; echoes on a WebSocket. A path that
    begins with /slow is answered when the server is released."""

    server: Backend

    def handle(self) -> None:
        while (request := self._request()) is not None:
            line, headers = request
            if "upgrade" in headers.get("connection", "").lower():
                self._echo(headers["sec-websocket-key"])
                return
            path = line.split()[1]
            self.server.seen.append({"path": path, **headers})
            if path.startswith("/slow"):
                self.server.entered.set()
                self.server.released.wait(10)
            body = f"{self.server.name} {path}".encode()
            try:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            except OSError:
                return

    def _request(self) -> tuple[str, dict[str, str]] | None:
        try:
            line = self.rfile.readline().decode()
            headers: dict[str, str] = {}
            while (header := self.rfile.readline().decode().strip()) != "":
                name, _, value = header.partition(":")
                headers[name.lower()] = value.strip()
            self.rfile.read(int(headers.get("content-length", 0)))
        except OSError:
            return None
        return (line, headers) if line else None

    def _echo(self, key: str) -> None:
        accepted = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
        head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.wfile.write(f"{head}Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode())
        while data := self.connection.recv(100):
            self.connection.sendall(data)


class Backend(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, name: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.name = name
        self.seen: list[dict[str, str]] = []
        self.entered, self.released = threading.Event(), threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> tuple[str, int]:
        return ("127.0.0.1", int(self.server_address[1]))

    def close(self) -> None:
        self.released.set()
        self.shutdown()
        self.server_close()


def open_websocket(port: int, host: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 10)
    head = f"GET /socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    connection.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'eHh4' * 5}eA==\r\n\r\n".encode())
    assert b" 101 " in connection.recv(1000)
    return connection


def echoes(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"ping")
        return connection.recv(100) == b"ping"
    except OSError:
        return False


class Clients:
    """Four clients that send POST requests until `end`: two with a connection for each, two with one that is kept."""

    def __init__(self, port: int, host: str, path: str = "/", method: str = "POST") -> None:
        self._port, self._host, self._path, self._method = port, host, path, method
        self._ended = threading.Event()
        self._lock = threading.Condition()
        self.requests = 0
        self.failures: list[str] = []
        self.bodies: set[str] = set()
        self._threads = [threading.Thread(target=self._run, args=(is_kept,)) for is_kept in (False, False, True, True)]
        for thread in self._threads:
            thread.start()

    def await_requests(self, number: int) -> None:
        """Waits for so many requests from now on."""
        with self._lock:
            wanted = self.requests + number
            assert self._lock.wait_for(lambda: self.requests >= wanted, 60)

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self, is_kept: bool) -> None:
        connection: Any = None
        while not self._ended.is_set():
            failure, body = "", ""
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
                    connection.connect()
                elif connection.sock is None:
                    failure = "a kept connection was closed"
                connection.request(self._method, self._path, headers={"Host": self._host})
                answer = connection.getresponse()
                body = answer.read().decode()
                failure = failure or ("" if answer.status == 200 else f"{answer.status} {body}")
            except (OSError, http.client.HTTPException) as error:
                failure = repr(error)
            if failure or not is_kept:
                connection.close()
                connection = None
            with self._lock:
                self.requests += 1
                self.bodies.add(body)
                self.failures += [failure] if failure else []
                self._lock.notify_all()
