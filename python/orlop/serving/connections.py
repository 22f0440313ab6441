"""The limits of a server, the state that its connections share, and the requests that they read."""

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
    """Limits of a server. Times are seconds."""

    head_timeout: float = 10.0
    """Time from the first byte of a request to the end of its headers, and from the connection to its first byte."""
    body_timeout: float = 30.0
    """Time from the end of the headers to the end of the body; also the longest time without a byte of an answer
    taken."""
    idle_timeout: float = 60.0
    """Time from an answer to the next request of the same connection."""
    connections: int = 1000
    """Open connections. One more ends the connection that has waited longest for its client: for a request, for the
    rest of one, which is answered 503, or until an answer is taken. If none waits, the new one is answered 503."""
    body_memory: int = 64 << 20
    """Bytes of all bodies that are being received or answered. A request beyond them ends those whose bodies have been
    arriving longest, which are answered 503; if there are none, it is itself answered 503."""


class Connection(Protocol):
    """A connection as the limits of its server see it."""

    @property
    def held(self) -> int:
        """Bytes of the bodies of its requests."""

    def is_late(self, now: float) -> bool:
        """Reports whether its deadline has passed."""

    def time_out(self) -> None:
        """Ends it because its deadline has passed."""

    def evict(self, reply: Reply) -> None:
        """Ends it with this reply, because others need its resources."""

    def end(self) -> None:
        """Closes it after the answers to the requests that it has received."""

    def abort(self) -> None:
        """Closes it at once."""


class Context:
    """State that the connections of a server share. Used in its event loop only."""

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
        self.waiting: dict[Connection, None] = {}  # for their clients; the longest first
        self.held = 0  # bytes of bodies
        self.is_ending = False
        self.date = b""

    def sweep(self, now: float) -> None:
        """Ends connections whose deadline has passed."""
        for connection in [one for one in self.connections if one.is_late(now)]:
            connection.time_out()

    def end(self) -> None:
        """From now on closes each connection after the answers to the requests that it has received."""
        self.is_ending = True
        self.streams.close()
        for connection in list(self.waiting):
            connection.end()

    def free_connection(self, newest: Connection) -> bool:
        """Ends the connection that has waited longest for its client. Returns False if only `newest` waits."""
        longest = next((one for one in self.waiting if one is not newest), None)
        if longest is not None:
            longest.evict(
                problem(
                    503, "there are too many connections, and this request took longest to come", {"retry-after": "1"}
                )
            )
        return longest is not None

    def free_memory(self, receiving: Connection) -> bool:
        """Ends connections with bodies that have waited longest for their clients, until the others fit. Returns False
        if they do not fit then."""
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
