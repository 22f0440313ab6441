"""DNS rebinding: a server at a loopback address answers only requests for its own names."""

from __future__ import annotations

import http.client
import itertools
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from orlop import asgi
from orlop.serving import edge
from test_asgi import ask

_numbers = itertools.count()


def create(url: str, host: str | None) -> tuple[int, bytes]:
    body = b'{"name":"acme %d","plan":"FREE"}' % next(_numbers)
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    connection.putrequest("POST", "/organization", skip_host=True)
    if host is not None:
        connection.putheader("Host", host)
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.example:80@127.0.0.1",
        "127.0.0.1@evil",
        "127.0.0.1:80:80",
        "127.0.0.1:80x",
        "[::1",
        "::1",
        "[::1].evil.example",
        "localhost.",
        "127.0.0.2",
        "0.0.0.0",
        "",
        " ",
        "a b",
        "127.0.0.1, evil.example",
        "localhost/",
        "x" * 5000,
    ],
)
def test_another_name_is_not_answered_at_a_loopback_address(host: str) -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        status, text = create(url, host)
        assert status in (400, 421) and len(text) < 2000
        if host == "evil.example":
            assert status == 421 and b"evil.example" in text and b"127.0.0.1, [::1], localhost" in text
        assert engine.organizations.list() == [], "the page changed something"


def test_its_own_names_are_answered_with_any_port() -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        for host in ("127.0.0.1", "127.0.0.1:1", "localhost", "LocalHost:65535", "[::1]", "[::1]:8080", "localhost:"):
            assert create(url, host)[0] == 201, host


def test_names_may_be_allowed() -> None:
    with orlop.Engine() as engine:
        with engine.serve(allow_hosts=["Platform.example"]) as url:
            answered = [create(url, host)[0] for host in ("platform.example:443", "localhost", "evil.example")]
            assert answered == [201, 201, 421]
        with engine.serve(allow_hosts=["*"]) as url:
            assert create(url, "evil.example")[0] == 201


def test_a_public_address_answers_to_every_name_unless_some_are_named() -> None:
    with orlop.Engine() as engine:
        with engine.serve("0.0.0.0") as url:
            assert create(url.replace("0.0.0.0", "127.0.0.1"), "any.example")[0] == 201
        with engine.serve("0.0.0.0", allow_hosts=["platform.example"]) as url:
            answered = [
                create(url.replace("0.0.0.0", "127.0.0.1"), host)[0] for host in ("platform.example", "any.example")
            ]
            assert answered == [201, 421]


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_what_counts_is_the_address_and_not_how_it_was_given() -> None:
    for address, name, is_checked in (
        ("127.0.0.1", "localhost", True),
        ("127.0.0.5", "127.0.0.5", True),
        ("::1", "::1", True),
        ("0.0.0.0", "0.0.0.0", False),
        ("::", "::", False),
        ("10.0.0.1", "platform.internal", False),
        ("fe80::1%eth0", "fe80::1%eth0", False),
    ):
        assert (edge.hosts_of(address, name, []) is not None) is is_checked, address
    assert edge.hosts_of("127.0.0.5", "127.0.0.5", []) == ["127.0.0.1", "[::1]", "localhost", "127.0.0.5"]


def test_the_application_checks_the_hosts_that_it_is_given() -> None:
    def status(application: asgi.Application, *headers: Any) -> int:
        return ask(application, "GET", "/organization", headers=headers).status

    with orlop.Engine() as engine:
        opened, closed = asgi.app(engine), asgi.app(engine, allow_hosts=edge.LOOPBACK_HOSTS)
        evil, own = (b"host", b"evil.example"), (b"host", b"localhost:8000")
        assert [status(opened, evil), status(opened), status(closed, evil), status(closed), status(closed, own)] == [
            200,
            200,
            421,
            421,
            200,
        ]
        refused = ask(closed, "GET", "/organization", headers=[evil])
        assert refused.json()["error"] == "Misdirected Request" and refused.headers["connection"] == "close"
