"""An engine behind a socket: uvicorn, which the extra `orlop[serve]` brings, in this process."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from typing import TYPE_CHECKING

from .asgi import app
from .edge import hosts_of
from .errors import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .engine import Engine

_WAITING_CALLERS = 2048
_LAST_ANSWERS = 10  # seconds that requests under way may take when the server is stopped


class Server:
    """Answers for an engine at `url`, from the moment it is made: who calls before `run` waits.

    Port 0 takes a free one. Nobody but this machine is answered unless `host` says otherwise. At a loopback address a request is
    answered only if its Host header is 127.0.0.1, [::1], localhost or one of `allow_hosts`, with any port; at another address the
    header counts only if there are `allow_hosts`. "*" allows every host.
    """

    def __init__(
        self, engine: Engine, host: str = "127.0.0.1", port: int = 0, *, origins: Iterable[str] = (), allow_hosts: Iterable[str] = ()
    ) -> None:
        try:
            import uvicorn
        except ImportError as error:
            raise Error("uvicorn is missing, which serves: pip install 'orlop[serve]'", "misuse") from error
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, port), family=family, backlog=_WAITING_CALLERS)
        # Head and body of an answer are sent one after the other: the body must not wait until the head has been received.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = f"[{host}]" if family == socket.AF_INET6 else host
        self.url = f"http://{name}:{self._socket.getsockname()[1]}"
        hosts = hosts_of(self._socket.getsockname()[0], host, allow_hosts)
        config = uvicorn.Config(
            app(engine, origins=origins, allow_hosts=hosts), lifespan="on", ws="none", log_config=None, access_log=False, proxy_headers=False,
            server_header=False, timeout_graceful_shutdown=_LAST_ANSWERS,
        )  # fmt: skip
        self._server = uvicorn.Server(config)

    def run(self) -> None:
        """Answers until `stop`; on the main thread also until SIGINT or SIGTERM. Requests under way are answered first."""
        try:
            with _signals_end_it():
                self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Ends `run`, from any thread."""
        self._server.should_exit = True


@contextlib.contextmanager
def _signals_end_it() -> Iterator[None]:
    """uvicorn ends at a signal and then sends it again; the second one is to do nothing, so that the engine is closed in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def beside(work: Callable[[], None], stop: Callable[[], None], name: str) -> Iterator[None]:
    """Runs `work` on a thread of its own, and waits for its end after `stop`. What it raised is raised here."""
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
        thread.join()
    if raised:
        raise raised[0]


@contextlib.contextmanager
def serving(engine: Engine, host: str, port: int, origins: Iterable[str], allow_hosts: Iterable[str]) -> Iterator[str]:
    """The URL of a server that runs meanwhile, on a thread of its own."""
    server = Server(engine, host, port, origins=origins, allow_hosts=allow_hosts)
    with beside(server.run, server.stop, "orlop-server"):
        yield server.url
