"""A proxy of the tests' own: HAProxy in a folder, before servers of this process."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable
from typing import Any

import pytest
from orlop.drivers.containers.proxy import Proxy
from orlop.drivers.containers.proxy.routes import Route
from proxy_backends import Backend

HAS_HAPROXY = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin") is not None
needs_haproxy = pytest.mark.skipif(not HAS_HAPROXY, reason="haproxy is not installed")
HOST = "web-production.localhost"


def free_port() -> int:
    """Returns a port that no server has now, below those that the system gives to connections of other tests."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class Bench:
    """A proxy in a folder of its own, and servers."""

    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="p x#'%"))
        self.http, self.https = free_port(), free_port()
        self.proxy = self.open()
        self.backends: list[Backend] = []

    def open(self, **fields: Any) -> Proxy:
        given = {"http_port": self.http, "https_port": self.https, "folder": str(self.folder), "drain_seconds": 5.0}
        return Proxy(**{**given, "engine": "unix:///engine.sock", **fields})

    def backend(self, name: str) -> Backend:
        self.backends.append(Backend(name))
        return self.backends[-1]

    def put(self, service: str, *backends: Backend, routes: list[Route] | None = None) -> dict[str, str]:
        routes = routes or [route(HOST)]
        ports = {one.port for one in routes}
        containers = {one.name: dict.fromkeys(ports, one.address) for one in backends}
        return self.proxy.put_in(service, routes, containers, None)

    def get(self, host: str = HOST, path: str = "/", headers: dict[str, str] | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=10)
        connection.request("GET", path, headers={"Host": host, **(headers or {})})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        return answer.status, said

    def pid(self) -> int:
        return self.proxy._process.pid()

    def command(self, text: str) -> str:
        return self.proxy._process.command(text)

    def close(self) -> None:
        self.proxy.close()
        for one in self.backends:
            one.close()
        shutil.rmtree(self.folder)


def route(host: str, path: str = "/", rewrite: str | None = None, port: int = 80, protocol: str = "HTTP") -> Route:
    return Route(host, path, rewrite, port, protocol, True)


def await_condition(condition: Callable[[], bool]) -> None:
    for _ in range(6000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("the condition did not come true")


def listed(name: str, port: int, service: str, **fields: Any) -> dict[str, Any]:
    """A container as an engine lists it."""
    label = {"port": fields.pop("http_port"), "host": HOST, "routes": [list(route(HOST))]}
    labels = {"platform.io/service-id": service, "platform.io/version": fields.pop("version", "v1")}
    return {
        "Names": [f"/{name}"],
        "State": "running",
        "Created": 1,
        "Labels": {**labels, "platform.io/proxy": json.dumps(label)},
        "Ports": [{"IP": "127.0.0.1", "PrivatePort": 80, "PublicPort": port, "Type": "tcp"}],
        **fields,
    }
