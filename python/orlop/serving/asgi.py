"""The engine as an ASGI 3 application, for uvicorn, hypercorn, granian and other servers.

    application = orlop.asgi.app(engine)

It needs no framework and can be mounted below a path of another application. It only answers requests: the host calls
`engine.run` on another thread, and closes the engine after the server has stopped. Requests are untrusted: they need
credentials if the engine requires authentication.
"""

from __future__ import annotations

import asyncio
import weakref
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..base.wire import Reply
from ..options.arguments import whole
from .edge import (
    ANY_TARGET,
    BODY_SIZE_MAX,
    DECODED_SAFE,
    DROPPED,
    Edge,
    Refused,
    check_type,
    evicted_body,
    finish,
    headers_of,
    no_memory,
    one_line,
    origin_form,
    target_of,
)
from .event_streams import CONTENT_TYPE, EventStream, EventStreams, asks_for_stream, stream_target
from .request_pool import WRITERS, RequestPool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping

    from ..engine.engine import Engine

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

BODY_MEMORY_MAX = 64 << 20
"""Bytes of all request bodies together that are held at a time. A request beyond them ends those whose bodies have been
arriving longest, which are answered 503; if there are none, it is itself answered 503."""

# Bytes of a body that is too large, which are read and dropped so that its sender reads the answer; then the connection
# is closed.
_THROWN_AWAY_MAX = 16 * BODY_SIZE_MAX
_TAKEN_WITHIN = 30.0  # seconds for the client to receive a page of events
# Browsers must not store answers or guess their type.
_ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


class _Gone(Exception):
    """The client closed the connection."""


class _Body:
    """The body of a request while it is received."""

    __slots__ = ("evicted", "held")

    def __init__(self) -> None:
        self.held = 0  # bytes
        # set when others need its memory
        self.evicted: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class _Answered(Exception):
    """A reply that is known before the body was read."""

    def __init__(self, reply: Reply) -> None:
        super().__init__()
        self.reply = reply


_THREADS_MAX = 10_000


def app(
    engine: Engine, *, threads: int = WRITERS, origins: Iterable[str] = (), allow_hosts: Iterable[str] | None = None
) -> Application:
    """Makes the ASGI application of an engine. `threads` (16, at most 10,000) is the number of concurrent writes; reads
    have 8 other threads.

    `origins` lists the origins of browser pages that may call it. With `allow_hosts`, such as
    `orlop.edge.LOOPBACK_HOSTS`, a request with another Host header is answered 421, against DNS rebinding; None: every
    Host header is accepted. Raises `Misuse` for an argument out of bounds.
    """
    return Application(
        engine,
        whole("threads", threads, 1, _THREADS_MAX),
        Edge(origins, allow_hosts, is_simulation=engine._is_simulation),
    )


class Application:
    """The application that `app` returns. One engine may have several."""

    def __init__(self, engine: Engine, threads: int, edge: Edge) -> None:
        self._engine = engine
        self._thread_count = threads
        self._edge = edge
        self._held = 0  # bytes of bodies
        self._unfinished: dict[_Body, None] = {}  # bodies whose rest is to come; the oldest first
        self._streams: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, EventStreams] = weakref.WeakKeyDictionary()
        self._pools: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, RequestPool] = weakref.WeakKeyDictionary()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request (scope "http") or the server's start and end (scope "lifespan")."""
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
                streams = self._streams.pop(asyncio.get_running_loop(), None)
                if streams is not None:
                    streams.close()
                pool = self._pools.pop(asyncio.get_running_loop(), None)
                if pool is not None:
                    pool.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        close: list[tuple[bytes, bytes]] = []
        headers: dict[str, str] = {}
        receiving = _Body()
        try:
            headers = headers_of(scope["headers"])
            target = _target(scope, headers)
            reply = self._edge.check(scope["method"], headers)
            if reply is None:
                body = await self._read(receive, scope["method"], target, headers, receiving)
                if asks_for_stream(scope["method"], target, headers):
                    reply = await self._ask("GET", stream_target(target, headers), headers, body)
                    if reply.status == 200:
                        await self._stream(receive, send, target, headers, reply.body)
                        return
                else:
                    reply = await self._ask(scope["method"], target, headers, body)
        except _Gone:
            return
        except (Refused, _Answered) as refused:
            # The unread rest of the request would be taken for the next one.
            close = [(b"connection", b"close")] if scope.get("http_version", "1.1").startswith("1") else []
            reply = refused.reply() if isinstance(refused, Refused) else refused.reply
        finally:
            self._held -= receiving.held
            self._unfinished.pop(receiving, None)
        await _send(send, scope["method"], reply, [*self._edge.cors(headers), *close])

    async def _ask(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        """Returns the engine's reply. HEAD is asked as GET; OPTIONS answers the methods that a refusal lists."""
        if method == "OPTIONS" and target == "*":
            return Reply(204, dict(ANY_TARGET), b"")
        replied: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._pool().ask(_setter(replied), "GET" if method == "HEAD" else method, target, headers, body)
        reply = await replied
        assert reply is not None
        return finish(method, reply)

    async def _stream(
        self, receive: Receive, send: Send, target: str, headers: dict[str, str], page: bytes | None
    ) -> None:
        """Sends events until the client disconnects, takes a page too slowly, or loses access to the events."""
        loop = asyncio.get_running_loop()
        pages: asyncio.Queue[bytes | None] = asyncio.Queue()
        assert page is not None
        stream = EventStream(target, headers, page, pages.put_nowait)
        stream.is_taking = False
        streams = self._streams.setdefault(loop, EventStreams(self._engine, loop))
        streams.add(stream)
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            start = [(b"content-type", CONTENT_TYPE.encode()), *_ALWAYS, *self._edge.cors(headers)]
            await send({"type": "http.response.start", "status": 200, "headers": start})
            while page is not None:
                await asyncio.wait_for(
                    send({"type": "http.response.body", "body": page, "more_body": True}), _TAKEN_WITHIN
                )
                stream.is_taking = True
                taken = asyncio.ensure_future(pages.get())
                await asyncio.wait({taken, gone}, return_when=asyncio.FIRST_COMPLETED)
                if not taken.done():
                    taken.cancel()
                    return
                page = taken.result()
            await send({"type": "http.response.body", "body": b""})
        except (OSError, asyncio.TimeoutError):
            return  # the client has disconnected, or takes no bytes
        finally:
            streams.remove(stream)
            gone.cancel()

    def _pool(self) -> RequestPool:
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            pool = self._pools[loop] = RequestPool(self._engine, loop, self._thread_count)
        return pool

    async def _read(
        self, receive: Receive, method: str, target: str, headers: dict[str, str], receiving: _Body
    ) -> bytes:
        """Reads the body, of which at most the allowed size is kept, and only its first part before the credentials are
        checked."""
        most = self._edge.body_size_max(target)
        announced = headers.get("content-length", "0")
        if announced.isascii() and announced.isdigit():
            self._edge.check_size(target, int(announced))
        if headers.get("expect"):
            # the server sends 100 Continue at the first receive()
            await self._check_credentials(method, target, headers)
        parts: list[bytes] = []
        size = 0
        while True:
            message = await (self._more(receive, receiving) if parts else receive())
            if message["type"] == "http.disconnect":
                raise _Gone
            part: bytes = message.get("body", b"")
            size += len(part)
            if size <= most:
                parts.append(part)
                receiving.held += len(part)
                self._held += len(part)
                if not self._free_memory(receiving):
                    raise _Answered(no_memory())
            else:
                parts.clear()
            if not message.get("more_body", False) or size > max(most, _THROWN_AWAY_MAX):
                break
            if len(parts) == 1:
                await self._check_credentials(method, target, headers)
        self._unfinished.pop(receiving, None)
        self._edge.check_size(target, size)
        if size:
            check_type(headers.get("content-type"))
        return b"".join(parts)

    async def _more(self, receive: Receive, receiving: _Body) -> Message:
        """Returns the next part of a body. Raises _Answered if other requests need its memory before that arrives."""
        self._unfinished.setdefault(receiving)
        coming = asyncio.ensure_future(receive())
        try:
            either: set[asyncio.Future[Any]] = {coming, receiving.evicted}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if receiving.evicted.done():
                raise _Answered(evicted_body())
            return coming.result()
        finally:
            coming.cancel()

    def _free_memory(self, newest: _Body) -> bool:
        """Ends requests whose bodies have been arriving longest, until the others fit. Returns False if they do not fit
        then."""
        for body in list(self._unfinished):
            if self._held <= BODY_MEMORY_MAX:
                break
            if body is not newest:
                self._held -= body.held
                body.held = 0
                self._unfinished.pop(body, None)
                body.evicted.get_loop().call_soon_threadsafe(_end, body.evicted)
        return self._held <= BODY_MEMORY_MAX

    async def _check_credentials(self, method: str, target: str, headers: dict[str, str]) -> None:
        if not self._engine._asks_credentials:
            return
        checked: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._pool().authenticate(_setter(checked), method, target, headers)
        refusal = await checked
        if refusal is not None:
            raise _Answered(refusal)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _end(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def _setter(future: asyncio.Future[Reply | None]) -> Callable[[Reply | None], None]:
    def answered(reply: Reply | None) -> None:
        if not future.done():
            future.set_result(reply)

    return answered


def _target(scope: Message, headers: dict[str, str]) -> str:
    raw: bytes = scope.get("raw_path") or quote(scope["path"], safe=DECODED_SAFE).encode()
    return target_of(
        origin_form(scope["method"], raw, headers), scope.get("query_string", b""), scope.get("root_path", "")
    )


async def _send(send: Send, method: str, reply: Reply, more: Iterable[tuple[bytes, bytes]]) -> None:
    """Sends the reply, unless it was dropped. No value of a header in it can end the header and begin another one."""
    if reply.status == DROPPED:
        return
    headers = [
        (name.encode("latin-1"), one_line(value).encode("latin-1", "replace")) for name, value in reply.headers.items()
    ]
    if reply.status != 204:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    body = b"" if method == "HEAD" else reply.body
    try:
        await send({"type": "http.response.start", "status": reply.status, "headers": [*headers, *_ALWAYS, *more]})
        await send({"type": "http.response.body", "body": body})
    except OSError:
        return  # the client has disconnected
