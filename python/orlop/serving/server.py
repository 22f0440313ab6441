"""An engine behind a socket, over HTTP/1.1, in this process. Needs the extra `orlop[serve]`."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
import time
from email.utils import formatdate
from typing import TYPE_CHECKING

from ..errors import Error, Misuse
from ..options.arguments import shown, text, whole
from .connections import Context, Limits
from .edge import Edge, hosts_of
from .event_streams import EventStreams
from .request_pool import RequestPool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..base.engine_protocol import EngineProtocol
    from .access_log import AccessLog

_BACKLOG = 2048
_PORT_MAX = 65535
_SWEEP_MAX = 0.5  # seconds between two checks of deadlines
_FILES_LEFT = 64  # file descriptors for other uses than connections


class Server:
    """Serves an engine at `url`, from its creation on: a client that calls before `run` waits.

    Port 0 takes a free one. The default `host` admits only clients on this machine. At a loopback address the Host
    header of a request must be 127.0.0.1, [::1], localhost or one of `allow_hosts`, with any port; at another address
    it is checked only if there are `allow_hosts`. "*" allows every host. `listener` is a listening socket, instead of
    `host` and `port`. Pages from `origins` may call it from a browser. After `stop`, pending requests have `grace`
    seconds.
    """

    def __init__(
        self,
        engine: EngineProtocol,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        origins: Iterable[str] = (),
        allow_hosts: Iterable[str] = (),
        limits: Limits | None = None,
        access_log: AccessLog | None = None,
        grace: float = 10.0,
        listener: socket.socket | None = None,
    ) -> None:
        self._socket = listener or prepare(host, port, origins, allow_hosts)
        self.url = url_of(host, self._socket)
        self._engine = engine
        self._edge = Edge(
            origins, hosts_of(self._socket.getsockname()[0], host, allow_hosts), is_simulation=engine._is_simulation
        )
        self._limits = _possible(limits or Limits())
        self._access_log = access_log
        self._grace = grace
        self.stopped_at: float | None = None
        self.context: Context | None = None  # set while it runs
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_stopped = False
        self._stopping: asyncio.Event | None = None

    def run(self) -> None:
        """Serves until `stop`; on the main thread also until SIGINT or SIGTERM. Answers pending requests before it
        returns."""
        loop = _new_loop()
        try:
            with _signals_call(self.stop):
                loop.run_until_complete(self._serve(loop))
        finally:
            self._socket.close()
            loop.close()

    def stop(self) -> None:
        """Ends `run`, from any thread."""
        with self._lock:
            self._is_stopped = True
            self.stopped_at = self.stopped_at or time.monotonic()
            if self._loop is not None and self._stopping is not None:
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        from .http1 import Connection

        stopping = asyncio.Event()
        with self._lock:
            self._loop, self._stopping = loop, stopping
            if self._is_stopped:
                stopping.set()
        pool = RequestPool(self._engine, loop)
        log = self._access_log.line if self._access_log else None
        streams = EventStreams(self._engine, loop)
        self.context = context = Context(pool, self._edge, self._limits, log, self._engine._asks_credentials, streams)
        server = await loop.create_server(lambda: Connection(context), sock=self._socket)
        try:
            await _sweep(context, loop, stopping)
            server.close()
            context.end()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_emptied(context, loop), self._grace)
        finally:
            with self._lock:
                self._loop = None
            for connection in list(context.connections):
                connection.abort()
            pool.close()
            await asyncio.sleep(0)


def prepare(host: str, port: int, origins: Iterable[str], allow_hosts: Iterable[str]) -> socket.socket:
    """Returns the listening socket of a server, after all checks of its arguments that need no engine."""
    try:
        import httptools  # noqa: F401
    except ImportError as error:
        raise Error("httptools is missing, which reads HTTP: pip install 'orlop[serve]'", "misuse") from error
    Edge(origins, allow_hosts)
    return listen(host, port)


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket to which clients can already connect."""
    whole("port", port, 0, _PORT_MAX)
    if not text("host", host):
        raise Misuse("host must be a name or an address, such as 127.0.0.1, or 0.0.0.0 for all of this machine, not ''")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, ValueError, TypeError) as error:  # errors of the system, and of Python's check of names
        raise Error(f"host {shown(host)} and port {port} cannot be served: {str(error)[:200]}") from error
    # Later writes of an answer must not wait until the first has been received.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def url_of(host: str, listener: socket.socket) -> str:
    name = f"[{host}]" if listener.family == socket.AF_INET6 else host
    return f"http://{name}:{listener.getsockname()[1]}"


async def _sweep(context: Context, loop: asyncio.AbstractEventLoop, stopping: asyncio.Event) -> None:
    """Ends connections whose deadline has passed, until the server is stopped."""
    limits = context.limits
    pause = min(_SWEEP_MAX, min(limits.head_timeout, limits.body_timeout, limits.idle_timeout) / 4)
    while not stopping.is_set():
        context.date = f"date: {formatdate(time.time(), usegmt=True)}\r\n".encode()
        context.sweep(loop.time())
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stopping.wait(), pause)


async def _emptied(context: Context, loop: asyncio.AbstractEventLoop) -> None:
    while context.connections:
        context.sweep(loop.time())
        await asyncio.sleep(0.01)


def _possible(limits: Limits) -> Limits:
    """Limits the connections to the number of files that this process may open."""
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return limits
    return limits._replace(connections=max(1, min(limits.connections, files - _FILES_LEFT)))


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


@contextlib.contextmanager
def _signals_call(stop: Callable[[], None]) -> Iterator[None]:
    """Lets SIGINT and SIGTERM stop the server during the block, on the main thread, so that the engine is closed in
    order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def beside(
    work: Callable[[], None], stop: Callable[[], None], name: str, patience: float | None = None
) -> Iterator[None]:
    """Runs `work` on a thread during the block. Then calls `stop`, waits for the thread, at most `patience` seconds,
    and raises its exception."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop()
        thread.join(patience)
    if raised:
        raise raised[0]


@contextlib.contextmanager
def serving(
    engine: EngineProtocol, host: str, port: int, origins: Iterable[str], allow_hosts: Iterable[str]
) -> Iterator[str]:
    """Yields the URL of a server that runs on a thread during the block."""
    from urllib.parse import urlsplit

    from ..engine.open_engines import SERVED

    server = Server(engine, host, port, origins=origins, allow_hosts=allow_hosts)
    parts = urlsplit(server.url)
    address = (parts.hostname or "", parts.port or 0)
    with beside(server.run, server.stop, "orlop-server"):
        SERVED.add(address)
        try:
            yield server.url
        finally:
            SERVED.discard(address)
