"""Requirements of HTTP on a server: absolute URLs in the request line, transfer codings, expectations."""

from __future__ import annotations

import pytest

import orlop
from orlop import asgi
from orlop.serving import edge
from orlop.serving.edge import Edge, Refused
from test_asgi import JSON, ask
from test_heads import spoken
from test_serve import speak

URLS = [
    (b"http://a/organization", "/organization"),
    (b"HTTP://a:8080/organization?page=1", "/organization?page=1"),
    (b"https://[::1]:8080/a%20b", "/a%20b"),
    (b"http://a", "/"),
    (b"http://a?page=1", "/?page=1"),
    (b"http://a/http://b/c", "/http://b/c"),
]


def request(line: bytes, *headers: bytes, host: bytes = b"a") -> bytes:
    return b"\r\n".join([line + b" HTTP/1.1", b"host: " + host, *headers, b"", b""])


@pytest.mark.parametrize(("url", "target"), URLS)
def test_an_absolute_url_is_answered_like_its_path(url: bytes, target: str) -> None:
    assert spoken(request(b"GET " + url)) == ([target], [b"204"])


def test_options_of_an_absolute_url_without_a_path_is_of_the_server() -> None:
    assert spoken(request(b"OPTIONS http://a")) == ([], [b"204"])
    assert spoken(request(b"OPTIONS http://a/organization")) == (["/organization"], [b"204"])


@pytest.mark.parametrize(
    "url",
    [
        b"http:///organization",
        b"http://ada:secret@a/organization",
        b"http://ada@a/organization",
        b"http://a:b/organization",
    ],
)
def test_an_absolute_url_without_a_plain_host_is_refused(url: bytes) -> None:
    assert spoken(request(b"GET " + url)) == ([], [b"400"])
    with pytest.raises(Refused, match="must be NAME or NAME:PORT"):
        edge.origin_form("GET", url.replace(b":b", b":b@"), {})


def test_the_host_of_an_absolute_url_counts() -> None:
    headers = {"host": "localhost"}
    assert edge.origin_form("GET", b"http://evil.example:80/organization", headers) == b"/organization"
    assert headers == {"host": "evil.example:80"}
    with orlop.Engine() as engine, engine.serve() as url:
        for line, host, status in (
            (b"GET http://evil.example/organization", b"localhost", b"421"),
            (b"GET http://localhost/organization", b"evil.example", b"200"),
            (b"GET http://localhost@evil.example/organization", b"localhost", b"400"),
            (b"GET /organization", b"evil.example", b"421"),
        ):
            assert speak(url, request(line, b"connection: close", host=host)).split()[1] == status, line
        application = asgi.app(engine, allow_hosts=["localhost"])
        for target, status_there in (("http://evil.example/organization", 421), ("http://localhost/organization", 200)):
            assert ask(application, "GET", target, headers=[(b"host", b"localhost")]).status == status_there


@pytest.mark.parametrize(
    "coding", [b"gzip, chunked", b"gzip", b"identity", b"chunked;q=1", b"x-chunked", b'a;b=",", chunked']
)
def test_an_unknown_transfer_coding_is_not_implemented(coding: bytes) -> None:
    assert spoken(request(b"POST /organization", b"transfer-encoding: " + coding) + b"0\r\n\r\n") == ([], [b"501"])
    with pytest.raises(Refused, match='Transfer-Encoding must be chunked, not "'):
        Edge().check("POST", {"transfer-encoding": coding.decode()})


def test_two_lines_of_transfer_codings_are_one_list() -> None:
    assert spoken(request(b"POST /organization", b"transfer-encoding: gzip", b"transfer-encoding: chunked")) == (
        [],
        [b"501"],
    )


@pytest.mark.parametrize("coding", [b"chunked", b"Chunked", b", chunked", b"chunked "])
def test_a_body_in_chunks_is_read(coding: bytes) -> None:
    assert spoken(request(b"POST /organization", b"transfer-encoding: " + coding) + b"2\r\n{}\r\n0\r\n\r\n") == (
        ["/organization"],
        [b"204"],
    )


@pytest.mark.parametrize("coding", [b"chunked, gzip", b"chunked, chunked", b""])
def test_a_body_whose_end_cannot_be_found_is_no_request(coding: bytes) -> None:
    assert spoken(request(b"POST /organization", b"transfer-encoding: " + coding)) == ([], [b"400"])


@pytest.mark.parametrize("expected", [b"200-ok", b"100-continue, 200-ok", b"100-continue;q=1", b"x"])
def test_an_unknown_expectation_fails(expected: bytes) -> None:
    for method in (b"GET", b"POST"):
        assert spoken(request(method + b" /organization", b"expect: " + expected, b"content-length: 0")) == (
            [],
            [b"417"],
        )
    with orlop.Engine() as engine:
        refused = ask(asgi.app(engine), "POST", "/organization", b"{}", headers=[JSON, (b"expect", expected)])
        assert (refused.status, refused.json()["error"]) == (417, "Expectation Failed")
        assert refused.json()["message"].startswith('Expect must be 100-continue, not "')


def test_a_body_that_waits_for_its_permission_gets_it() -> None:
    head = request(b"POST /organization", b"Expect: 100-Continue", b"content-length: 2")
    assert spoken(head, b"{}") == (["/organization"], [b"100", b"204"])
    assert spoken(head + b"{}") == (["/organization"], [b"204"])
    assert spoken(head.replace(b"HTTP/1.1", b"HTTP/1.0"), b"{}") == (
        ["/organization"],
        [b"204"],
    )  # HTTP/1.0 has no interim answers


def test_a_body_over_the_bound_is_a_bad_request() -> None:
    assert spoken(request(b"POST /organization", b"content-length: 1048577", b"expect: 100-continue")) == ([], [b"400"])
    assert spoken(request(b"POST /organization", b"transfer-encoding: chunked") + b"100001\r\n" + b" " * 1048577) == (
        [],
        [b"400"],
    )
