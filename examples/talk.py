"""Talks to a program that serves a platform over HTTP and prints its URL first: `python3 examples/talk.py PROGRAM`."""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import sys
import threading
from typing import Any
from urllib.parse import urlsplit


def call(
    connection: http.client.HTTPConnection, method: str, path: str, body: Any = None
) -> tuple[int, Any, http.client.HTTPMessage]:
    """Sends one request over this connection; returns status, body and headers of the answer."""
    text = None if body is None else body if isinstance(body, bytes) else json.dumps(body)
    connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
    answer = connection.getresponse()
    got = answer.read()
    return answer.status, json.loads(got) if got else None, answer.headers


def check(was: Any, expected: Any) -> None:
    if was != expected:
        raise SystemExit(f"{was!r}, not {expected!r}")


def deploy(connection: http.client.HTTPConnection) -> None:
    """Creates an organization and a cluster, and deploys the cluster to the end."""
    status, organization, _ = call(connection, "POST", "/api/v1/organization", {"name": "acme", "plan": "FREE"})
    check(status, 201)
    clusters = f"/organization/{organization['id']}/cluster"
    status, cluster, _ = call(
        connection, "POST", clusters, {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
    )
    check(status, 201)
    check(call(connection, "POST", f"{clusters}/{cluster['id']}/deploy")[0], 200)
    state = ""
    while state != "DEPLOYED":
        status, answer, _ = call(connection, "GET", f"{clusters}/{cluster['id']}/status")
        check(status, 200)
        state = answer["status"]


def edge(connection: http.client.HTTPConnection) -> None:
    """Checks unusual requests."""
    status, body, headers = call(connection, "HEAD", "/organization")
    check((status, body), (200, None))
    check(int(headers["content-length"]) > 100, True)
    check(call(connection, "GET", "/organization/")[0], 200)
    status, body, headers = call(connection, "OPTIONS", "/organization")
    check((status, body, headers["allow"]), (204, None, "GET, POST"))
    check(call(connection, "PATCH", "/organization")[0], 405)
    check(call(connection, "GET", "/nowhere")[0], 404)
    check(call(connection, "GET", "/organization%00")[0], 400)
    check(call(connection, "POST", "/organization", b"{")[0], 400)
    check(call(connection, "GET", "/openapi.json")[1]["openapi"][:4], "3.0.")


def together(netloc: str) -> None:
    """Sends many requests on several connections at once."""
    statuses: list[int] = []

    def ask() -> None:
        with contextlib.closing(http.client.HTTPConnection(netloc, timeout=60)) as connection:
            statuses.extend(call(connection, "GET", "/organization")[0] for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(statuses, [200] * 400)


def too_large(netloc: str) -> None:
    """Checks that a body beyond the bound is refused, or the connection closed while it is sent; the next request is
    answered."""
    with (
        contextlib.closing(http.client.HTTPConnection(netloc, timeout=60)) as connection,
        contextlib.suppress(ConnectionError),
    ):
        check(call(connection, "POST", "/organization", b" " * ((1 << 20) + 1))[0], 400)
    with contextlib.closing(http.client.HTTPConnection(netloc, timeout=60)) as connection:
        check(call(connection, "GET", "/organization")[0], 200)


def main() -> None:
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            netloc = urlsplit(program.stdout.readline().strip()).netloc
            with contextlib.closing(http.client.HTTPConnection(netloc, timeout=60)) as connection:
                deploy(connection)
                edge(connection)
            together(netloc)
            too_large(netloc)
        finally:
            program.kill()


if __name__ == "__main__":
    main()
