"""The engine as an ASGI 3 application: any server of that interface (uvicorn, hypercorn, granian …) answers for it.

    application = orlop.asgi.app(engine)

It needs no framework, and can be mounted under a path of an application that has one. It answers requests and nothing else: the
host moves deployments on with `engine.run` on a thread of its own, and closes the engine when the server has stopped. Who calls
through it is not trusted: it must prove who it is if the engine asks for that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_from_bytes

from .errors import Closed, StorageBusy
from .wire import Reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping

    from .engine import Engine

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

BODY_SIZE_MAX = 1 << 20
"""Bytes of a request's body; the engine's own bound."""

# Of a body that is too large so much is read and thrown away, so that its sender comes to read the answer; then the line is cut.
_THROWN_AWAY_MAX = 16 * BODY_SIZE_MAX
_HEADERS_MAX = 1000
_ANSWERS_TOGETHER = 16
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# Two of these say two things, and which one counts would depend on who reads.
_ONCE = ("authorization", "content-type", "content-length", "host")
# What an answer says that comes from here; a browser is to keep and to guess nothing.
_ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
_DECODED_SAFE = "/:@!$&'()*+,;=~"

_log = logging.getLogger("orlop.asgi")


class _Gone(Exception):
    """The client hung up."""


class _Bad(Exception):
    """The request cannot be handed to the engine."""


def app(engine: Engine, *, threads: int = 8, origins: Iterable[str] = ()) -> Application:
    """The application. `threads` is how many writes the engine is given at once; reads take turns on one more.

    Pages from `origins` may call it from a browser.
    """
    return Application(engine, threads, frozenset(origins))


class _Reader:
    """One thread that answers reads one after the other, and hands the answers over together.

    To wake a thread costs more than a read does: with one of them for all, a wake serves as many reads as have come meanwhile.
    """

    def __init__(self, dispatch: Callable[..., Reply]) -> None:
        self._dispatch = dispatch
        self._asked: SimpleQueue[tuple[asyncio.Future[Reply], tuple[Any, ...]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="orlop-http-reads", daemon=True)
        self._thread.start()

    def ask(self, *request: Any) -> asyncio.Future[Reply]:
        """The reply; to be called in a loop."""
        answered = asyncio.get_running_loop().create_future()
        self._asked.put((answered, request))
        return answered

    def end(self) -> None:
        """Answers what was asked before, and ends the thread."""
        self._asked.put(None)
        self._thread.join()

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            batch = [self._asked.get()]
            while not self._asked.empty() and len(batch) < _ANSWERS_TOGETHER:
                batch.append(self._asked.get())
            goes_on = None not in batch
            answers = [(entry[0], self._reply(entry[1])) for entry in batch if entry is not None]
            for loop in {answered.get_loop() for answered, _ in answers}:
                with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody waits
                    loop.call_soon_threadsafe(_hand_over, [pair for pair in answers if pair[0].get_loop() is loop])

    def _reply(self, request: tuple[Any, ...]) -> Reply | Exception:
        try:
            return self._dispatch(*request)
        except Exception as error:
            return error


def _hand_over(answers: list[tuple[asyncio.Future[Reply], Reply | Exception]]) -> None:
    for answered, reply in answers:
        if answered.done():
            continue
        if isinstance(reply, Exception):
            answered.set_exception(reply)
        else:
            answered.set_result(reply)


class Application:
    """What `app` makes. One engine may have several."""

    def __init__(self, engine: Engine, threads: int, origins: frozenset[str]) -> None:
        self._engine = engine
        self._thread_count = threads
        self._origins = origins
        self._pool: ThreadPoolExecutor | None = None
        self._reader: _Reader | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request, or accompanies the server from its start to its end."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000, "reason": ""})
        else:
            raise ValueError(f"a scope of the type {scope['type']!r} is none that ASGI 3 knows")

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                pool, self._pool = self._pool, None
                reader, self._reader = self._reader, None
                for end in ([pool.shutdown] if pool else []) + ([reader.end] if reader else []):
                    await asyncio.to_thread(end)
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        close: list[tuple[bytes, bytes]] = []
        headers: dict[str, str] = {}
        try:
            headers = _headers(scope["headers"])
            if scope["method"] == "OPTIONS" and self._is_preflight(headers):
                reply = Reply(204, _PREFLIGHT, b"")
            elif scope["method"] not in ("GET", "HEAD", "OPTIONS") and self._is_foreign(headers):
                reply = _problem(403, f"pages of {headers['origin'][:200]} may not change anything here")
            else:
                body = await _read(receive, headers)
                reply = await self._ask(scope["method"], _target(scope), headers, body)
        except _Gone:
            return
        except _Bad as refused:
            # What is left of the request would be read as the next one.
            close = [(b"connection", b"close")] if scope.get("http_version", "1.1").startswith("1") else []
            reply = _problem(400, str(refused))
        await _send(send, scope["method"], reply, [*self._cors(headers), *close])

    async def _ask(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        """The engine's reply, from a thread of the pool. HEAD is GET without its body, OPTIONS the list that a refusal brings."""
        if method == "OPTIONS" and target == "*":
            return Reply(204, {"allow": "GET, HEAD, POST, PUT, DELETE, OPTIONS"}, b"")
        try:
            if method in ("GET", "HEAD"):
                if self._reader is None:
                    self._reader = _Reader(self._dispatch)
                reply = await self._reader.ask("GET", target, headers, body)
            else:
                if self._pool is None:
                    self._pool = ThreadPoolExecutor(self._thread_count, thread_name_prefix="orlop-http")
                reply = await asyncio.get_running_loop().run_in_executor(self._pool, self._dispatch, method, target, headers, body)
        except (Closed, StorageBusy) as error:
            _log.warning("%s %s: %s", method, target, error)
            return _problem(503, "the engine cannot answer now", {"retry-after": "1"})
        except Exception:
            _log.exception("%s %s: the engine could not answer", method, target)
            return _problem(500, "the engine could not answer")
        if reply.status == 405:
            reply.headers["allow"] = _allowed(reply.headers.get("allow", ""))
            if method == "OPTIONS":
                return Reply(204, {"allow": reply.headers["allow"]}, b"")
        return reply

    def _dispatch(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        return self._engine.request(method, target, body, headers, trusted=False)

    def _is_preflight(self, headers: dict[str, str]) -> bool:
        return bool(self._cors(headers)) and "access-control-request-method" in headers

    def _is_foreign(self, headers: dict[str, str]) -> bool:
        """Whether a browser sends it for a page from elsewhere, as it does without asking for forms: nobody may have meant it."""
        origin = headers.get("origin")
        return origin is not None and not self._cors(headers) and origin.partition("://")[2] != headers.get("host", "")

    def _cors(self, headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
        """What tells a browser that the page of this origin may read the answer; nothing if it may not."""
        origin = headers.get("origin")
        if origin is None or not ("*" in self._origins or origin in self._origins):
            return []
        exposed = b"allow, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset"
        allowed = origin.encode("latin-1")
        return [(b"access-control-allow-origin", allowed), (b"vary", b"origin"), (b"access-control-expose-headers", exposed)]


_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": "600",
}


def _headers(given: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by their names in lower case; those that came several times are joined. Raises what a proxy might read otherwise."""
    headers: dict[str, str] = {}
    for count, (raw_name, raw_value) in enumerate(given):
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if count >= _HEADERS_MAX:
            raise _Bad(f"there are more than {_HEADERS_MAX} headers")
        if _CONTROL.search(name) or _CONTROL.search(value):
            raise _Bad("a header holds a control character")
        if name in headers:
            if name in _ONCE:
                raise _Bad(f"the header {name} may come once only")
            value = f"{headers[name]}, {value}"
        headers[name] = value
    headers.pop("x-acting-for", None)  # speaks for the host, and this is not the host
    return headers


async def _read(receive: Receive, headers: dict[str, str]) -> bytes:
    """The body, of which no more than may be is kept."""
    too_large = f"the body has more than {BODY_SIZE_MAX} bytes"
    announced = headers.get("content-length", "0")
    length = int(announced) if announced.isascii() and announced.isdigit() else 0
    waits_for_leave = headers.get("expect", "").lower() == "100-continue"
    if length > (BODY_SIZE_MAX if waits_for_leave else _THROWN_AWAY_MAX):
        raise _Bad(too_large)
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= BODY_SIZE_MAX:
            parts.append(part)
        else:
            parts.clear()
        if not message.get("more_body", False) or size > _THROWN_AWAY_MAX:
            break
    if size > BODY_SIZE_MAX:
        raise _Bad(too_large)
    if size and not _is_json(headers.get("content-type")):
        raise _Bad(f"the body must be application/json in UTF-8, not {headers['content-type'][:100]}")
    return b"".join(parts)


def _is_json(content_type: str | None) -> bool:
    """Whether a body may be read that is declared so; one that is not declared may."""
    if content_type is None:
        return True
    kind, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [part.partition("=")[2].strip().strip('"') for part in parameters if part.startswith("charset")]
    return kind == "application/json" and all(charset in ("utf-8", "utf8") for charset in charsets)


def _target(scope: Message) -> str:
    """Path and query as they came, without the path that the application is mounted under."""
    raw: bytes | None = scope.get("raw_path")
    root = quote(scope.get("root_path", ""), safe=_DECODED_SAFE)
    path = quote(scope["path"], safe=_DECODED_SAFE) if raw is None else quote_from_bytes(raw, safe=_DECODED_SAFE + "%")
    path = path.partition("?")[0]
    if root and (path == root or path.startswith(root.rstrip("/") + "/")):
        path = path[len(root.rstrip("/")) :] or "/"
    query = quote_from_bytes(scope.get("query_string", b""), safe=_DECODED_SAFE + "%?")
    return f"{path}?{query}" if query else path


def _allowed(methods: str) -> str:
    """The methods of a path, with those that are answered here."""
    words = [word for word in methods.split(", ") if word]
    if "GET" in words and "HEAD" not in words:
        words.insert(words.index("GET") + 1, "HEAD")
    return ", ".join(words if "OPTIONS" in words else [*words, "OPTIONS"])


_REASONS = {400: "Bad Request", 403: "Forbidden", 500: "Internal Server Error", 503: "Service Unavailable"}


def _problem(status: int, message: str, headers: dict[str, str] | None = None) -> Reply:
    """A refusal in the engine's own form."""
    body = {"status": status, "error": _REASONS[status], "message": message, "detail": message}
    if status == 400:
        body["violations"] = [{"field": "", "reason": message}]
    return Reply(status, {"content-type": "application/json", **(headers or {})}, json.dumps(body).encode())


async def _send(send: Send, method: str, reply: Reply, more: Iterable[tuple[bytes, bytes]]) -> None:
    """The reply; nothing that came with the request can end a header in it and begin another one."""
    headers = [(name.encode("latin-1"), _CONTROL.sub(" ", value).encode("latin-1", "replace")) for name, value in reply.headers.items()]
    if reply.status != 204:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    body = b"" if method == "HEAD" else reply.body
    try:
        await send({"type": "http.response.start", "status": reply.status, "headers": [*headers, *_ALWAYS, *more]})
        await send({"type": "http.response.body", "body": body})
    except OSError:
        return  # the client hung up
