"""Server-sent events: the feed for clients that stay connected. The ASGI application and the server of `orlop serve`
share it.

One thread reads for all clients of an event loop, each with that client's permissions, and hands over a page when there
are new events. A client that has not taken its page gets no other one, and is disconnected when that takes too long. So
a client costs at most one page of memory.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from ..base.restores import reader_of
from ..errors import Closed, Error

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from ..base.engine_protocol import EngineProtocol

HEARTBEAT = 15.0
"""Seconds without an event after which a stream gets a comment, so that proxies keep the connection and a lost client
is noticed."""

PATH = "/-/events"
CONTENT_TYPE = "text/event-stream"
_PAGE = 500  # events in one page
_LOOKS_EVERY = 1.0  # seconds between two checks without events, for clients that come or leave
_PAUSE = 0.02  # seconds between two checks with events, which are then handed over together
_NUMBER = b"\nid: "


def asks_for_stream(method: str, target: str, headers: dict[str, str]) -> bool:
    return method == "GET" and target.partition("?")[0] == PATH and CONTENT_TYPE in headers.get("accept", "")


def stream_target(target: str, headers: dict[str, str]) -> str:
    """Returns the target of the first read, which begins after `Last-Event-ID` if there is one."""
    parameters = dict(parse_qsl(target.partition("?")[2], keep_blank_values=True))
    last = headers.get("last-event-id", "")
    if last:
        parameters["since"] = last
    parameters["limit"] = str(_PAGE)
    return f"{PATH}?{urlencode(parameters)}"


def next_of(page: bytes) -> int:
    """Returns the number at the end of a page, after which the next one begins."""
    return int((b"\n" + page).rpartition(_NUMBER)[2].partition(b"\n")[0])


class EventStream:
    """The stream of one client. Made and used in the event loop."""

    def __init__(
        self, target: str, headers: dict[str, str], page: bytes, deliver: Callable[[bytes | None], None]
    ) -> None:
        self.parameters = dict(parse_qsl(target.partition("?")[2], keep_blank_values=True))
        self.headers = [("accept", CONTENT_TYPE)]
        if "authorization" in headers:
            self.headers.append(("authorization", headers["authorization"]))
        self.since = next_of(page)
        self.deliver = deliver  # called with None when the stream ends
        self.is_taking = True  # False until the last page has been sent
        self.silent_for = 0.0


class EventStreams:
    """The streams of one event loop, and the thread that reads for them."""

    def __init__(self, engine: EngineProtocol, loop: asyncio.AbstractEventLoop) -> None:
        self._core = engine._core
        self._back = reader_of(engine._restores)
        self._loop = loop
        self._lock = threading.Lock()
        self._streams: set[EventStream] = set()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def add(self, stream: EventStream) -> None:
        with self._lock:
            self._streams.add(stream)
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="orlop-events", daemon=True)
                self._thread.start()

    def remove(self, stream: EventStream) -> None:
        with self._lock:
            self._streams.discard(stream)

    def close(self) -> None:
        """Ends all streams. The thread then ends by itself."""
        with self._lock:
            self._is_closed = True
            streams, self._streams = list(self._streams), set()
        for stream in streams:
            stream.deliver(None)

    def _run(self) -> None:
        seen = 0
        while True:
            with self._lock:
                known = list(self._streams)
            try:
                last = self._core.last_event()
                has_waited = _PAUSE
                # A stream that was sending may be behind.
                if last == seen and not any(stream.since < last for stream in known):
                    waits = min(_LOOKS_EVERY, HEARTBEAT)
                    self._back.waits = True
                    if not self._back:
                        self._core.events(last, 1, None, None, None, [], waits)
                    self._back.waits = False
                    has_waited = waits
                    last = self._core.last_event()
                else:
                    threading.Event().wait(_PAUSE)
            except Closed:
                self._tell_all_ended()
                return
            except Error:  # the store cannot be used at the moment
                threading.Event().wait(1.0)
                continue
            seen = last
            if self._back:  # after a restore the numbers of dropped events are assigned again
                with self._lock:
                    known = list(self._streams)
            to = self._back.take(last)
            for stream in known:
                stream.since = min(stream.since, to)
            with self._lock:
                streams = [stream for stream in self._streams if stream.is_taking]
                if not self._streams:
                    self._thread = None
                    return
            for stream in streams:
                self._read(stream, last, has_waited)

    def _read(self, stream: EventStream, last: int, has_waited: float) -> None:
        if stream.since >= last:
            stream.silent_for += has_waited
            if stream.silent_for >= HEARTBEAT:
                self._hand_over(stream, b": \n\n")
            return
        stream.parameters["since"] = str(stream.since)
        try:
            status, _, page = self._core.dispatch("GET", PATH, urlencode(stream.parameters), stream.headers, b"", False)
        except Error:
            return  # the next check tries again
        if self._back:  # after a restore the next check reads the new events
            return
        if status != 200:  # its credentials are no longer valid, or events that it has not seen were removed
            self._hand_over(stream, None)
            return
        stream.since = next_of(page)
        if page.startswith(b"id: ") and page.count(b"\n") == 3:
            stream.silent_for += has_waited  # no events of its selection
            if stream.silent_for < HEARTBEAT:
                return
        self._hand_over(stream, page)

    def _hand_over(self, stream: EventStream, page: bytes | None) -> None:
        stream.silent_for = 0.0
        stream.is_taking = False  # until the loop has sent it

        def deliver() -> None:
            with self._lock:
                is_here = stream in self._streams
            if is_here:
                stream.deliver(page)

        try:
            self._loop.call_soon_threadsafe(deliver)
        except RuntimeError:  # the loop is closed
            self.remove(stream)

    def _tell_all_ended(self) -> None:
        with self._lock:
            self._thread = None
            streams = list(self._streams)
        for stream in streams:
            self._hand_over(stream, None)
