"""What the connections of a server share: its limits, and the requests that they read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from .edge import evicted_body, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..base.wire import Reply
    from .edge import Edge
    from .event_streams import EventStreams
    from .request_pool import RequestPool


class Limits(NamedTuple):
    """Bounds of a server. Times are seconds."""

    head_timeout: float = 10.0
    """From the first byte of a request to the end of its headers, and from the connection to its first byte."""
    body_timeout: float = 30.0
    """From the end of the headers to the end of the body; also how long a caller may take no byte of an answer."""
    idle_timeout: float = 60.0
    """From an answer to the next request of the same connection."""
    connections: int = 1000
    """Open connections. One more ends the connection that has waited longest for its caller: for a request, for the
    rest of one, which is answered 503, or until an answer is taken. With none, the new one is answered 503."""
    body_memory: int = 64 << 20
    """Bytes of all bodies that are being received or answered. A request beyond them ends those whose bodies have been
    coming longest, which are answered 503; with none, it is itself answered 503."""


class Connection(Protocol):
    """A connection as the others of its server know it."""

    @property
    def held(self) -> int:
        """Bytes of the bodies of its requests."""

    def is_late(self, now: float) -> bool:
        """Whether it has taken too long."""

    def time_out(self) -> None:
        """Ends it, because it has taken too long."""

    def evict(self, reply: Reply) -> None:
        """Ends it with this reply, for the sake of others."""

    def end(self) -> None:
        """Closes it after the answer to what it has sent."""

    def abort(self) -> None:
        """Closes it at once."""


class Context:
    """What the connections of a server share. Used in its event loop only."""

    def __init__(
        self,
        pool: RequestPool,
        edge: Edge,
        limits: Limits,
        log: Callable[[str, str, str, int, int, float], None] | None,
        is_guarded: bool,
        streams: EventStreams,
    ) -> None:
        self.pool = pool
        self.edge = edge
        self.limits = limits
        self.log = log
        self.is_guarded = is_guarded  # credentials are required
        self.streams = streams
        self.connections: set[Connection] = set()
        self.waiting: dict[Connection, None] = {}  # for their callers; the longest first
        self.held = 0  # bytes of bodies
        self.is_ending = False
        self.date = b""

    def sweep(self, now: float) -> None:
        """Closes what has taken too long."""
        for connection in [one for one in self.connections if one.is_late(now)]:
            connection.time_out()

    def end(self) -> None:
        """From now on each connection is closed after the answer to what it has sent."""
        self.is_ending = True
        self.streams.close()
        for connection in list(self.waiting):
            connection.end()

    def free_connection(self, newest: Connection) -> bool:
        """Ends the connection that has waited for its caller longest. False if only `newest` waits."""
        longest = next((one for one in self.waiting if one is not newest), None)
        if longest is not None:
            longest.evict(
                problem(
                    503, "there are too many connections, and this request took longest to come", {"retry-after": "1"}
                )
            )
        return longest is not None

    def free_memory(self, receiving: Connection) -> bool:
        """Ends connections with bodies that have waited for their callers longest, until the others fit. False if they
        do not fit then."""
        if self.held <= self.limits.body_memory:
            return True
        for connection in [one for one in self.waiting if one is not receiving and one.held]:
            connection.evict(evicted_body())
            if self.held <= self.limits.body_memory:
                return True
        return False


class Request:
    __slots__ = (
        "body",
        "headers",
        "held",
        "is_broken",
        "is_old",
        "keeps_alive",
        "method",
        "raw_headers",
        "refusal",
        "started",
        "target",
        "url",
    )

    def __init__(self) -> None:
        self.url = b""
        self.raw_headers: list[tuple[bytes, bytes]] = []
        self.headers: dict[str, str] = {}
        self.method = ""
        self.target = ""
        self.body: list[bytes] = []
        self.held = 0
        self.refusal: Reply | None = None
        self.keeps_alive = False
        self.is_old = False  # HTTP/1.0
        self.is_broken = False  # it cannot be read to its end
        self.started = 0.0
