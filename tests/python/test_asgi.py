"""Unusual requests: everything that comes over HTTP gets an answer of the interface, and none of them a 5xx."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import runpy
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from orlop.serving import asgi, edge
from orlop.serving.request_pool import RequestPool

JSON = (b"content-type", b"application/json")
MEBIBYTE = 1 << 20


class Answer:
    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self.messages = messages
        self.status: int = messages[0].get("status", 0) if messages else 0
        self.headers = (
            {name.decode(): value.decode() for name, value in messages[0].get("headers", ())} if messages else {}
        )
        self.body = b"".join(message.get("body", b"") for message in messages[1:])

    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    application: asgi.Application,
    method: str,
    path: str,
    *parts: bytes,
    headers: Any = (),
    is_gone: bool = False,
    **scope: Any,
) -> Answer:
    """Calls the application as a server does, with the body in these parts."""
    raw, _, query = path.partition("?")
    events = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    events.append({"type": "http.disconnect"} if is_gone else {"type": "http.request", "body": b"", "more_body": False})
    read = iter(events)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(read)

    async def send(message: Any) -> None:
        sent.append(dict(message))

    given = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": raw,
        "raw_path": raw.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": list(headers),
        **scope,
    }
    asyncio.run(application({name: value for name, value in given.items() if value is not None}, receive, send))
    answer = Answer(sent)
    answer.messages.append({"left": len(list(read))})
    return answer


@pytest.fixture
def application() -> Iterator[asgi.Application]:
    with orlop.Engine() as engine:
        yield asgi.app(engine)


def acme(application: asgi.Application) -> str:
    made = ask(application, "POST", "/organization", b'{"name":"acme",', b'"plan":"FREE"}', headers=[JSON])
    assert made.status == 201
    identity: str = made.json()["id"]
    return identity


def test_a_request_is_answered(application: asgi.Application) -> None:
    identity = acme(application)
    read = ask(application, "GET", f"/api/v1/organization/{identity}")
    assert (read.status, read.json()["name"]) == (200, "acme")
    assert read.headers == {
        "content-type": "application/json",
        "etag": '"1"',
        "content-length": str(len(read.body)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    gone = ask(application, "DELETE", f"/organization/{identity}")
    assert (
        (gone.status, gone.body) == (204, b"")
        and "content-length" not in gone.headers
        and "content-type" not in gone.headers
    )


def test_head_is_get_without_its_body(application: asgi.Application) -> None:
    for path in (f"/organization/{acme(application)}", "/organization", "/openapi.json", "/nowhere", "/organization/x"):
        full, head = ask(application, "GET", path), ask(application, "HEAD", path)
        assert (head.status, head.headers, head.body) == (full.status, full.headers, b"")


def test_options_names_the_methods(application: asgi.Application) -> None:
    asked = ask(application, "OPTIONS", "/organization")
    assert (asked.status, asked.headers["allow"], asked.body) == (204, "GET, HEAD, POST, OPTIONS", b"")
    assert (
        ask(application, "OPTIONS", f"/organization/{acme(application)}").headers["allow"]
        == "GET, HEAD, PUT, DELETE, OPTIONS"
    )
    assert ask(application, "OPTIONS", "/nowhere").status == 404
    assert "PUT" in ask(application, "OPTIONS", "*").headers["allow"]
    refused = ask(application, "PATCH", "/organization", b"{}", headers=[JSON])
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD, POST, OPTIONS")


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status"),
    [
        ("GET", "/organization/", (), b"", 200),
        ("GET", "/%6Frganization", (), b"", 200),
        ("GET", "//organization", (), b"", 404),
        ("GET", "/organization/..", (), b"", 400),
        ("GET", "/organization/../../etc/passwd", (), b"", 404),
        ("GET", "/organi%2Fzation", (), b"", 404),
        ("GET", "/organization%", (), b"", 400),
        ("GET", "/organization%00", (), b"", 400),
        ("GET", "/organization%0d%0aset-cookie:a=b", (), b"", 400),
        ("GET", "/organization%ff", (), b"", 400),
        ("GET", "/organization\xff", (), b"", 400),
        ("GET", "/organization\x01", (), b"", 400),
        ("GET", "", (), b"", 400),
        ("GET", "http://elsewhere/organization", (), b"", 200),
        ("GET", "/" + "a" * 100_000, (), b"", 400),
        ("GET", "/organization?page=%", (), b"", 400),
        ("GET", "/organization?page=0", (), b"", 400),
        ("GET", "/organization?page=1&page=2", (), b"", 200),
        ("GET", "/organization?" + "a&" * 50_000, (), b"", 400),
        ("GET", "/organization?\xff", (), b"", 400),
        ("BREW", "/organization", (), b"", 405),
        ("get", "/organization", (), b"", 405),
        ("POST", "/organization", [JSON], b"", 400),
        ("POST", "/organization", [JSON], b"{", 400),
        ("POST", "/organization", [JSON], b"\xff", 400),
        ("POST", "/organization", [JSON], b"[]", 400),
        ("POST", "/organization", [JSON], b"[" * 100_000, 400),
        ("POST", "/organization", [JSON], b'{"name":"a","name":"b","plan":"FREE"}', 400),
        ("POST", "/organization", [JSON], b'{"name":"a\\u0000b\\ud800","plan":"FREE"}', 400),
        ("POST", "/organization", (), b'{"name":"a","plan":"FREE"}', 201),
        (
            "POST",
            "/organization",
            [(b"content-type", b"Application/JSON; charset=UTF-8")],
            b'{"name":"a","plan":"FREE"}',
            201,
        ),
        (
            "POST",
            "/organization",
            [(b"content-type", b"application/json; charset=latin-1")],
            b'{"name":"a","plan":"FREE"}',
            400,
        ),
        ("POST", "/organization", [(b"content-type", b"text/plain")], b'{"name":"a","plan":"FREE"}', 400),
        ("POST", "/organization", [(b"content-type", b"application/x-www-form-urlencoded")], b"name=a", 400),
        ("POST", "/organization", [(b"content-type", b"\xff\xfe")], b"{}", 400),
        ("POST", "/organization", [JSON, (b"content-encoding", b"gzip")], b"\x1f\x8b\x08", 400),
        ("POST", "/organization", [JSON, JSON], b'{"name":"a","plan":"FREE"}', 400),
        ("GET", "/organization", [(b"authorization", b"Token a"), (b"authorization", b"Token b")], b"", 400),
        ("GET", "/organization", [(b"x-a", b"1"), (b"X-A", b"2")], b"", 200),
        ("GET", "/organization", [(b"x-a", b"a\r\nb")], b"", 400),
        ("GET", "/organization", [(b"x\x00a", b"b")], b"", 400),
        ("GET", "/organization", [(b"x-a", bytes(range(0x80, 0x100)))], b"", 200),
        ("GET", "/organization", [(b"x-%d" % number, b"") for number in range(1001)], b"", 400),
        ("GET", "/organization", [(b"content-length", b"\xb2")], b"", 200),
        ("GET", "/organization", [(b"content-type", b"text/plain")], b"", 200),
    ],
)
def test_the_edge(
    application: asgi.Application, method: str, path: str, headers: Any, body: bytes, status: int
) -> None:
    answer = ask(application, method, path, body, headers=headers)
    assert answer.status == status, answer.body
    assert not any("\n" in value or "\r" in value for value in answer.headers.values())
    if status >= 400:
        problem = answer.json()
        assert problem["status"] == status and problem["message"] == problem["detail"] and len(answer.body) < 20_000
        assert ("violations" in problem) == (status == 400)


def test_a_refusal_of_the_edge_looks_like_one_of_the_engine(application: asgi.Application) -> None:
    ours = ask(application, "POST", "/organization", b"{}", headers=[(b"content-type", b"text/plain")])
    theirs = ask(application, "POST", "/organization", b"", headers=[JSON])
    assert list(ours.json()) == list(theirs.json())
    assert [list(violation) for violation in ours.json()["violations"]] == [["field", "reason"]]
    assert ours.json()["error"] == theirs.json()["error"]
    assert ours.headers.pop("connection") == "close"
    assert set(ours.headers) == set(theirs.headers)


def test_a_body_that_is_too_large_is_never_kept(application: asgi.Application) -> None:
    fits = b'{"name":"' + b"a" * 100 + b'","plan":"FREE"}'
    assert ask(application, "POST", "/organization", fits + b" " * (MEBIBYTE - len(fits)), headers=[JSON]).status == 201
    answer = ask(application, "POST", "/organization", b"x" * MEBIBYTE, b"x", headers=[JSON])
    assert answer.status == 400 and "1048576 bytes" in answer.json()["message"]
    endless = ask(application, "POST", "/organization", *[b"x" * MEBIBYTE] * 64, headers=[JSON])
    assert endless.status == 400 and endless.messages[-1]["left"] > 40, "it reads on and on"
    for length, more in ((MEBIBYTE + 1, [(b"expect", b"100-continue")]), (MEBIBYTE + 1, []), (1 << 40, [])):
        unread = ask(
            application, "POST", "/organization", b"x", headers=[JSON, (b"content-length", str(length).encode()), *more]
        )
        assert unread.status == 400 and unread.messages[-1]["left"] == 2, "it was read although it is too large"
        assert unread.headers["connection"] == "close"
    assert (
        "connection"
        not in ask(
            application, "POST", "/organization", b"x", headers=[(b"content-type", b"a/b")], http_version="2"
        ).headers
    )


def test_a_client_that_hung_up_gets_no_answer(application: asgi.Application) -> None:
    assert (
        ask(application, "POST", "/organization", b'{"name":"acme","plan":"FREE"}', headers=[JSON], is_gone=True).status
        == 0
    )
    assert ask(application, "GET", "/organization").json() == {"results": []}


def test_it_may_be_mounted_below_a_path(application: asgi.Application) -> None:
    for scope in (
        {"root_path": "/platform"},
        {"root_path": "/platform/"},
        {"root_path": "/platform", "raw_path": None},
    ):
        assert ask(application, "GET", "/platform/organization", **scope).status == 200, scope
        assert ask(application, "GET", "/platformorganization", **scope).status == 404, scope
    stripped = ask(application, "GET", "/organization", root_path="/platform")
    assert stripped.status == 200
    assert ask(application, "GET", "/a%25b/organization", root_path="/a%b").status == 200
    assert ask(application, "GET", "/a%b/organization", raw_path=None, root_path="/a%b").status == 200


def test_the_example_has_pages_of_its_own_and_a_platform() -> None:
    host: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "python" / "mount.py"))
    with host["engine"]:
        assert ask(host["application"], "GET", "/").body == b"a page of the server\n"
        assert ask(host["application"], "GET", "/platform/organization").json() == {"results": []}
        assert ask(host["application"], "GET", "/organization").body == b"a page of the server\n"


def test_who_calls_does_not_speak_for_the_host(application: asgi.Application) -> None:
    body = b'{"name":"acme","plan":"FREE"}'
    ask(application, "POST", "/organization", body, headers=[(b"X-Acting-For", b"the owner"), (b"X-Other", b"1")])
    assert application._engine.events()[0]["author"] == "anonymous"
    assert edge.headers_of([(b"X-Acting-For", b"the owner"), (b"X-Other", b"1")]) == {"x-other": "1"}


def test_browsers_are_refused_unless_their_pages_are_named() -> None:
    from_page = [(b"origin", b"https://console.example")]
    preflight = [*from_page, (b"access-control-request-method", b"POST")]
    with orlop.Engine() as engine:
        closed, opened = asgi.app(engine), asgi.app(engine, origins=["https://console.example"])
        for headers in (from_page, preflight):
            assert not any(
                name.startswith("access-control")
                for name in ask(closed, "OPTIONS", "/organization", headers=headers).headers
            )
        assert not any(name.startswith("access-control") for name in ask(opened, "GET", "/organization").headers)
        other = ask(
            opened, "OPTIONS", "/organization", headers=[(b"origin", b"https://console.example.evil"), preflight[1]]
        )
        assert "access-control-allow-origin" not in other.headers
        asked = ask(opened, "OPTIONS", "/organization", headers=preflight)
        assert (asked.status, asked.headers["access-control-allow-origin"]) == (204, "https://console.example")
        assert "authorization" in asked.headers["access-control-allow-headers"]
        answered = ask(opened, "GET", "/organization", headers=from_page)
        assert (answered.headers["access-control-allow-origin"], answered.headers["vary"]) == (
            "https://console.example",
            "origin",
        )


@pytest.mark.parametrize(
    "origin",
    ["console.example", "https://console.example/", "https://console.example/page", "https://", "", "https://a b"],
)
def test_what_no_browser_sends_is_no_origin(origin: str) -> None:
    with (
        orlop.Engine() as engine,
        pytest.raises(orlop.Misuse, match="an entry of origins must be an origin such as https://"),
    ):
        asgi.app(engine, origins=[origin])


def test_an_empty_host_is_none_to_allow() -> None:
    with (
        orlop.Engine() as engine,
        pytest.raises(orlop.Misuse, match="an entry of allow_hosts must be the name of a host, or"),
    ):
        asgi.app(engine, allow_hosts=["console.example", ""])


def test_a_form_of_a_foreign_page_changes_nothing() -> None:
    with orlop.Engine() as engine:
        application = asgi.app(engine, origins=["https://console.example"])
        body = b'{"name":"acme","plan":"FREE"}'
        for origin in (b"https://evil.example", b"null", b"http://127.0.0.1:81", b"", b"http://console.example"):
            headers = [(b"origin", origin), (b"host", b"127.0.0.1:8080")]
            assert ask(application, "POST", "/organization", body, headers=headers).status == 403, origin
            assert ask(application, "GET", "/organization", headers=headers).json() == {"results": []}
        for origin in (b"https://console.example", b"http://127.0.0.1:8080"):
            made = ask(
                application, "POST", "/organization", body, headers=[(b"origin", origin), (b"host", b"127.0.0.1:8080")]
            )
            assert made.status == 201
            assert ask(application, "DELETE", f"/organization/{made.json()['id']}").status == 204


def broken(monkeypatch: pytest.MonkeyPatch, *answer: Any) -> asgi.Application:
    """Returns an application whose engine returns this answer of the core: status, headers, body."""

    class Pool(RequestPool):
        def _submit(self, answered: Any, *request: Any) -> None:
            ticket = next(self._tickets)
            self._waiting[ticket] = (answered, "GET /")
            self._core: Any = Core((ticket, *answer), self._core)
            self._take()

    class Core:
        def __init__(self, answer: Any, core: Any) -> None:
            self.answer, self.fileno = answer, core.fileno

        def take(self) -> list[Any]:
            return [self.answer]

    monkeypatch.setattr(asgi, "RequestPool", Pool)
    return asgi.app(orlop.Engine())


def test_no_answer_begins_a_header_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    injected = broken(monkeypatch, 200, {"x-a": "a\r\nset-cookie: b\x00", "x-b": "\u20ac"}, b"")
    headers = ask(injected, "GET", "/").headers
    assert (headers["x-a"], headers["x-b"]) == ("a  set-cookie: b ", "?")


@pytest.mark.parametrize(
    ("name", "said", "status"),
    [
        ("closed", "closed", 503),
        ("storage_busy", "held by the secret process", 503),
        ("driver_failed", "the token authenticator with the secret name did not answer", 504),
        ("storage_failed", "the disk with the secret name", 500),
        ("callback", ValueError("the secret"), 500),
    ],
)
def test_an_engine_that_cannot_answer_reveals_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, said: Any, status: int
) -> None:
    answer = ask(broken(monkeypatch, -1, name, said), "GET", "/organization")
    assert answer.status == status and b"secret" not in answer.body and b"Traceback" not in answer.body
    assert answer.headers.get("retry-after") == ("1" if status == 503 else None)
    assert str(said) in caplog.text


def test_a_closed_engine_is_answered_for(application: asgi.Application) -> None:
    application._engine.close()
    assert [ask(application, method, "/organization").status for method in ("GET", "DELETE")] == [503, 503]


def test_it_accompanies_the_server(application: asgi.Application) -> None:
    async def live() -> list[str]:
        events = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
        sent: list[str] = []

        async def receive() -> dict[str, str]:
            return next(events)

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await application({"type": "lifespan"}, receive, send)
        return sent

    for _ in range(2):  # an application may be started again
        assert ask(application, "GET", "/organization").status == 200
        assert asyncio.run(live()) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_what_is_no_http_is_closed(application: asgi.Application) -> None:
    assert ask(application, "GET", "/", type="websocket").messages[0]["type"] == "websocket.close"
    with pytest.raises(ValueError, match="telepathy"):
        ask(application, "GET", "/", type="telepathy")


def test_many_at_once_each_get_their_own_answer(application: asgi.Application) -> None:
    made = [
        ask(application, "POST", "/organization", b'{"name":"a%d","plan":"FREE"}' % number, headers=[JSON]).json()
        for number in range(5)
    ]

    async def get(number: int) -> tuple[int, Any]:
        path = f"/organization/{made[number % 5]['id']}" if number % 7 else "/nowhere"
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [],
        }
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            sent.append(message)

        await application(scope, receive, send)
        return sent[0]["status"], json.loads(sent[1]["body"])

    async def gather() -> list[tuple[int, Any]]:
        return await asyncio.gather(*(get(number) for number in range(500)))

    for number, (status, body) in enumerate(asyncio.run(gather())):
        assert (status, body.get("name")) == ((200, f"a{number % 5}") if number % 7 else (404, None))


def test_a_loop_that_ends_takes_its_threads_and_files_with_it(application: asgi.Application) -> None:
    def files() -> int:
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    ask(application, "GET", "/organization")
    before = files()
    for _ in range(20):  # each in another event loop, without a message that the loop ends
        assert ask(application, "GET", "/organization").status == 200
    end = time.monotonic() + 30
    while files() > before + 4 and time.monotonic() < end:
        continue
    assert files() <= before + 4


def test_a_client_that_is_gone_holds_up_no_other(application: asgi.Application) -> None:
    async def give_up_and_ask() -> int:
        scope = {"type": "http", "method": "GET", "path": "/organization", "headers": []}
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            sent.append(message)

        for _ in range(20):
            given_up = asyncio.ensure_future(application(scope, receive, send))
            await asyncio.sleep(0)
            given_up.cancel()
            await asyncio.gather(given_up, return_exceptions=True)
        await application(scope, receive, send)
        return int(sent[-2]["status"])

    assert asyncio.run(give_up_and_ask()) == 200
