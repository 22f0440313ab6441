"""The engine as an ASGI 3 application: any server of that interface (uvicorn, hypercorn, granian …) answers for it.

    application = orlop.asgi.app(engine)

It needs no framework, and can be mounted under a path of an application that has one. It answers requests and nothing else: the
host moves deployments on with `engine.run` on a thread of its own, and closes the engine when the server has stopped. Who calls
through it is not trusted: it must prove who it is if the engine asks for that.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .edge import ANY_TARGET, BODY_SIZE_MAX, DECODED_SAFE, Edge, Refused, check_type, finish, headers_of, one_line, problem, target_of
from .errors import Closed, StorageBusy
from .wire import Reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping

    from .engine import Engine

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

# Of a body that is too large so much is read and thrown away, so that its sender comes to read the answer; then the line is cut.
_THROWN_AWAY_MAX = 16 * BODY_SIZE_MAX
_ANSWERS_TOGETHER = 16
# What an answer says that comes from here; a browser is to keep and to guess nothing.
_ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))

_log = logging.getLogger("orlop.asgi")


class _Gone(Exception):
    """The client hung up."""


def app(engine: Engine, *, threads: int = 8, origins: Iterable[str] = (), allow_hosts: Iterable[str] | None = None) -> Application:
    """The application. `threads` is how many writes the engine is given at once; reads take turns on one more.

    Pages from `origins` may call it from a browser. With `allow_hosts`, such as `orlop.edge.LOOPBACK_HOSTS`, a request whose Host header
    names another host is answered 421: so a page cannot reach a server at a loopback address by having its own name resolve to it.
    """
    return Application(engine, threads, Edge(origins, allow_hosts))


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

    def __init__(self, engine: Engine, threads: int, edge: Edge) -> None:
        self._engine = engine
        self._thread_count = threads
        self._edge = edge
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
            headers = headers_of(scope["headers"])
            reply = self._edge.check(scope["method"], headers)
            if reply is None:
                body = await _read(receive, headers)
                reply = await self._ask(scope["method"], _target(scope), headers, body)
        except _Gone:
            return
        except Refused as refused:
            # What is left of the request would be read as the next one.
            close = [(b"connection", b"close")] if scope.get("http_version", "1.1").startswith("1") else []
            reply = refused.reply()
        await _send(send, scope["method"], reply, [*self._edge.cors(headers), *close])

    async def _ask(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        """The engine's reply, from a thread of the pool. HEAD is GET without its body, OPTIONS the list that a refusal brings."""
        if method == "OPTIONS" and target == "*":
            return Reply(204, dict(ANY_TARGET), b"")
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
            return problem(503, "the engine cannot answer now", {"retry-after": "1"})
        except Exception:
            _log.exception("%s %s: the engine could not answer", method, target)
            return problem(500, "the engine could not answer")
        return finish(method, reply)

    def _dispatch(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        return self._engine.request(method, target, body, headers, trusted=False)


async def _read(receive: Receive, headers: dict[str, str]) -> bytes:
    """The body, of which no more than may be is kept."""
    too_large = f"the body has more than {BODY_SIZE_MAX} bytes"
    announced = headers.get("content-length", "0")
    length = int(announced) if announced.isascii() and announced.isdigit() else 0
    waits_for_leave = headers.get("expect", "").lower() == "100-continue"
    if length > (BODY_SIZE_MAX if waits_for_leave else _THROWN_AWAY_MAX):
        raise Refused(too_large)
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
        raise Refused(too_large)
    if size:
        check_type(headers.get("content-type"))
    return b"".join(parts)


def _target(scope: Message) -> str:
    raw: bytes = scope.get("raw_path") or quote(scope["path"], safe=DECODED_SAFE).encode()
    return target_of(raw, scope.get("query_string", b""), scope.get("root_path", ""))


async def _send(send: Send, method: str, reply: Reply, more: Iterable[tuple[bytes, bytes]]) -> None:
    """The reply; nothing that came with the request can end a header in it and begin another one."""
    headers = [(name.encode("latin-1"), one_line(value).encode("latin-1", "replace")) for name, value in reply.headers.items()]
    if reply.status != 204:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    body = b"" if method == "HEAD" else reply.body
    try:
        await send({"type": "http.response.start", "status": reply.status, "headers": [*headers, *_ALWAYS, *more]})
        await send({"type": "http.response.body", "body": body})
    except OSError:
        return  # the client hung up
