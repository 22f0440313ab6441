"""HTTP/1.1 for `orlop serve`: one connection, its limits, and the order of its answers. httptools parses the bytes.

The resources of a client that is not authenticated yet are bounded: the size of a head and the time for it, the size of
a body and the time for it, the memory of all bodies together, the number of connections.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import cast

import httptools

from ..base.wire import Reply
from .answers import head_of
from .connections import Context, Request
from .edge import (
    ANY_TARGET,
    BODY_SIZE_MAX,
    DROPPED,
    HEAD_SIZE_MAX,
    Refused,
    check_head,
    check_type,
    finish,
    head_refusal,
    headers_of,
    no_memory,
    origin_form,
    problem,
    target_of,
)
from .event_streams import EventStream, asks_for_stream, stream_target
from .request_parser import RequestParser

# requests of one connection that wait for the answer to an earlier one; more are read when some of these are answered
_PIPELINED_MAX = 64
_PART = 4096  # bytes parsed at a time, so that few requests exceed that limit
_DISCARDED_MAX = 16 * BODY_SIZE_MAX  # further bytes of a refused client, so that it reads the answer
_DISCARD_TIME = 5.0  # seconds
_ONE_WRITE_MAX = 64 << 10
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(asyncio.Protocol):
    """One connection. Answers its requests one after the other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._parser = RequestParser(self)
        self._reading: Request | None = None
        self._has_head = False
        self._is_checked = False  # the check of the credentials has begun, or is not needed
        self._head_size = 0
        self._queue: deque[Request] = deque()
        self._asked: Request | None = None  # the request that the engine is answering
        self._deadline: float | None = None
        self._unsent = 0  # bytes, at the last check of the client
        self._owes_continue = False
        self._unread = memoryview(b"")  # received, but not parsed yet
        self._is_parsing = False
        self._is_held = False  # reading is paused
        self._is_checking = False  # the engine is checking the credentials
        self._is_paused = False  # the client does not read
        self._is_over = False  # no more requests are accepted
        self._discarded = 0
        self._peer = ""
        self._stream: EventStream | None = None  # set when the connection has become a stream of events

    # Callbacks of the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        context = self._context
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = f"{peer[0]}:{peer[1]}" if peer else "-"
        context.connections.add(self)
        self._wait(context.limits.head_timeout)
        if len(context.connections) > context.limits.connections and not context.free_connection(self):
            self._refuse(problem(503, "there are too many connections", {"retry-after": "1"}))

    def connection_lost(self, error: Exception | None) -> None:
        self._context.connections.discard(self)
        if self._stream is not None:
            self._context.streams.remove(self._stream)
        self._context.waiting.pop(self, None)
        for request in (self._reading, *self._queue):
            if request is not None:
                self._release(request)
        self._reading = None
        self._queue.clear()
        self._is_over = True

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            self._discarded += len(data)
            if self._discarded > _DISCARDED_MAX:
                self._transport.abort()
            return
        self._unread = memoryview(bytes(self._unread) + data)
        self._read_on()

    def eof_received(self) -> bool:
        self._stop_taking()
        return self._asked is not None or bool(self._queue)  # the client has sent everything, and waits for the answers

    def pause_writing(self) -> None:
        self._is_paused = True
        self._unsent = self._transport.get_write_buffer_size()
        self._deadline = self._loop.time() + self._context.limits.body_timeout
        self._await_caller()
        self._hold()

    def resume_writing(self) -> None:
        self._is_paused = False
        if not self._transport.is_closing():
            self._hold()
            if self._stream is not None:
                self._deadline = None
                self._stream.is_taking = True
                self._context.waiting.pop(self, None)
            self._next()

    def _read_on(self) -> None:
        """Parses the received bytes while requests are accepted."""
        if self._is_parsing:
            return  # called by a callback of the parser, whose request was answered at once
        self._is_parsing = True
        while self._unread and not self._is_over and len(self._queue) < _PIPELINED_MAX:
            part, self._unread = self._unread[:_PART], self._unread[_PART:]
            self._parse(part)
        self._is_parsing = False
        if self._reading is not None and self._has_head and not self._is_checked and not self._unread:
            self._check_credentials(self._reading)
        self._hold()

    def _parse(self, part: memoryview) -> None:
        if not self._has_head:
            self._head_size += len(part)
        try:
            self._parser.feed(part)
        except httptools.HttpParserError as error:
            if not self._is_over:  # else a callback has refused it
                self._fail(problem(400, f"this is not an HTTP request: {_reason(error)}"), is_broken=True)
            return
        if self._reading is not None and not self._has_head and self._head_size > HEAD_SIZE_MAX:
            self._fail(head_refusal().reply())

    def _hold(self) -> None:
        """Pauses or resumes reading from the client."""
        if self._is_over:
            self._unread = memoryview(b"")  # bytes after the last request are dropped
        is_held = self._is_paused or self._is_checking or bool(self._unread)
        if is_held != self._is_held and not self._transport.is_closing():
            self._is_held = is_held
            (self._transport.pause_reading if is_held else self._transport.resume_reading)()

    # Callbacks of the parser

    def on_message_begin(self) -> None:
        self._reading = Request()
        self._reading.started = now = self._loop.time()
        self._has_head = self._is_checked = False
        if self._asked is None:
            self._deadline = now + self._context.limits.head_timeout

    def on_url(self, url: bytes) -> None:
        assert self._reading is not None
        self._reading.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        assert self._reading is not None
        self._reading.raw_headers.append((name, value))

    def on_headers_complete(self) -> None:
        request = self._reading
        assert request is not None
        self._has_head = True
        self._head_size = 0
        request.method, request.keeps_alive, request.is_old = self._parser.head(request.raw_headers)
        if self._asked is None:
            self._deadline = self._loop.time() + self._context.limits.body_timeout
            self._await_caller()
        try:
            check_head(request.url, request.raw_headers)
            request.headers = headers_of(request.raw_headers)
            path, _, query = origin_form(request.method, request.url, request.headers).partition(b"?")
            request.target = target_of(path, query)
            self._context.edge.check_size(request.target, int(request.headers.get("content-length", "0")))
            request.refusal = self._context.edge.check(request.method, request.headers)
        except Refused as refused:
            self._fail(refused.reply())
            raise

    def on_body(self, part: bytes) -> None:
        request = self._reading
        assert request is not None
        request.held += len(part)
        self._context.held += len(part)
        request.body.append(part)
        try:
            self._context.edge.check_size(request.target, request.held)
        except Refused as refused:
            self._fail(refused.reply())
            raise
        if not self._context.free_memory(self):
            self._fail(no_memory())
            raise Refused("too many bodies")

    def on_message_complete(self) -> None:
        if self._parser.is_body_due:
            return
        request, self._reading = self._reading, None
        assert request is not None
        self._has_head = False
        try:
            if request.held:
                check_type(request.headers.get("content-type"))
        except Refused as refused:
            self._reading = request
            self._fail(refused.reply())
            raise
        if not request.keeps_alive:
            self._is_over = True
        self._queue.append(request)
        self._next()

    # Requests and answers

    def _check_credentials(self, request: Request) -> None:
        """Checks the credentials before the rest of a body is read, because a refused client is not waited for."""
        self._is_checked = True
        if self._context.is_guarded:
            self._is_checking = True
            self._context.pool.authenticate(
                lambda refusal: self._go_on(request, refusal), request.method, request.target, request.headers
            )
        else:
            self._go_on(request, None)

    def _go_on(self, request: Request, refusal: Reply | None) -> None:
        self._is_checking = False
        self._hold()
        if self._reading is not request:
            return  # it was abandoned
        if refusal is not None:
            self._fail(refusal)
        elif request.headers.get("expect") and not request.is_old:
            self._owes_continue = self._asked is not None
            if not self._owes_continue:
                self._transport.write(_CONTINUE)

    def _next(self) -> None:
        """Hands the next request to the engine when the answer to the previous one has been sent."""
        while self._asked is None and self._queue and not self._is_paused:
            request = self._queue.popleft()
            self._asked = request
            self._deadline = None
            self._context.waiting.pop(self, None)
            if request.refusal is not None:
                self._answer(request, request.refusal)
            elif request.method == "OPTIONS" and request.target == "*":
                self._answer(request, Reply(204, dict(ANY_TARGET), b""))
            else:
                method = "GET" if request.method == "HEAD" else request.method
                body = request.body[0] if len(request.body) == 1 else b"".join(request.body)
                request.body.clear()
                is_stream = asks_for_stream(request.method, request.target, request.headers)
                target = stream_target(request.target, request.headers) if is_stream else request.target
                answered = self._begin_stream if is_stream else self._answered
                self._context.pool.ask(lambda reply: answered(request, reply), method, target, request.headers, body)
        if self._unread:
            self._read_on()

    def _answered(self, request: Request, reply: Reply | None) -> None:
        assert reply is not None
        self._answer(request, finish(request.method, reply))
        self._next()

    def _begin_stream(self, request: Request, reply: Reply | None) -> None:
        """Starts a stream of events; sends a refusal like any other answer."""
        assert reply is not None
        if reply.status != 200 or self._transport.is_closing() or self._context.is_ending:
            self._answered(request, reply)
            return
        self._release(request)
        self._is_over = True  # no other request follows; self._asked stays
        self._stream = EventStream(request.target, request.headers, reply.body, self._deliver)
        self._transport.write(b"".join([*self._head(request, reply), b"connection: close\r\n\r\n"]))
        self._deliver(reply.body)
        self._context.streams.add(self._stream)
        self._note(request, reply, 0)

    def _deliver(self, page: bytes | None) -> None:
        """Sends a page of events; None ends the stream."""
        if self._transport.is_closing():
            return
        if page is None:
            self._transport.close()
            return
        assert self._stream is not None
        self._stream.is_taking = False
        self._transport.write(page)  # may call pause_writing
        self._stream.is_taking = not self._is_paused

    def _answer(self, request: Request, reply: Reply) -> None:
        self._release(request)
        self._asked = None
        if self._transport.is_closing():
            return
        if reply.status == DROPPED:
            self._transport.abort()
            return
        is_last = (self._is_over and not self._queue) or self._context.is_ending
        if is_last and request.refusal is not None:
            self._refuse(reply, request)
            return
        self._write(request, reply, is_last)
        limits = self._context.limits
        if is_last:
            self._is_over = True
            self._close()
        elif self._reading is not None:
            self._deadline = self._loop.time() + (limits.body_timeout if self._has_head else limits.head_timeout)
            self._await_caller()
            if self._owes_continue:
                self._owes_continue = False
                self._transport.write(_CONTINUE)
        elif not self._queue:
            self._wait(limits.idle_timeout)

    def _write(self, request: Request | None, reply: Reply, is_last: bool) -> None:
        method = "" if request is None else request.method
        parts = self._head(request, reply)
        if reply.status != 204:
            parts.append(b"content-length: %d\r\n" % len(reply.body))
        if is_last:
            parts.append(b"connection: close\r\n")
        elif request is not None and request.is_old:
            parts.append(b"connection: keep-alive\r\n")
        parts.append(b"\r\n")
        body = b"" if method == "HEAD" else reply.body
        if len(body) <= _ONE_WRITE_MAX:
            parts.append(body)
            self._transport.write(b"".join(parts))
        else:
            self._transport.writelines([b"".join(parts), body])
        self._note(request, reply, len(body))

    def _head(self, request: Request | None, reply: Reply) -> list[bytes]:
        return head_of(reply, self._context.date, [] if request is None else self._context.edge.cors(request.headers))

    def _note(self, request: Request | None, reply: Reply, size: int) -> None:
        if self._context.log is not None and request is not None and request.method and not request.is_broken:
            took = self._loop.time() - request.started
            self._context.log(self._peer, request.method, request.target, reply.status, size, took)

    def _release(self, request: Request) -> None:
        self._context.held -= request.held
        request.held = 0

    # The end of the connection

    def is_late(self, now: float) -> bool:
        """Reports whether the deadline for a head, a body, an answer or the next request has passed. It moves while the
        client takes bytes."""
        if self._deadline is None or now < self._deadline:
            return False
        if self._is_paused and (unsent := self._transport.get_write_buffer_size()) != self._unsent:
            self._unsent = unsent
            self._deadline = now + self._context.limits.body_timeout
            return False
        return True

    def time_out(self) -> None:
        """Ends a connection whose deadline has passed."""
        if self._is_paused or self._is_over:
            self._transport.abort()
        elif self._reading is None:
            self.end()
        else:
            what = "body" if self._has_head else "headers"
            self._fail(problem(408, f"the {what} of the request did not come in time"), is_broken=True)

    def abort(self) -> None:
        self._transport.abort()

    def end(self) -> None:
        """Ends a connection that waits for a request; any other ends after its answer."""
        if (
            self._asked is None
            and not self._queue
            and not (self._reading is not None and self._has_head)
            and not self._is_over
        ):
            self._stop_taking()
            self._close()

    def evict(self, reply: Reply) -> None:
        """Ends a connection that waits for its client, because others need its resources. A request that is being
        received is answered with `reply`."""
        is_answered = self._reading is not None and self._has_head and not self._is_paused
        if is_answered:
            self._fail(reply)
        else:
            self._stop_taking()
        for request in self._queue:
            self._release(request)
        self._context.waiting.pop(self, None)
        if is_answered or not self._transport.get_write_buffer_size():
            self._transport.close()
        else:
            self._transport.abort()  # the client takes no answer

    @property
    def held(self) -> int:
        """Bytes of the bodies of requests that the engine does not have yet."""
        return sum(request.held for request in (self._reading, *self._queue) if request is not None)

    def _close(self) -> None:
        """Closes the connection after the client has taken the written bytes."""
        self._deadline = self._loop.time() + self._context.limits.body_timeout
        self._await_caller()
        self._transport.close()

    def _wait(self, seconds: float) -> None:
        self._deadline = self._loop.time() + seconds
        self._head_size = 0
        self._await_caller()
        if self._context.is_ending:
            self.end()

    def _await_caller(self) -> None:
        """Notes that the connection now waits for its client."""
        self._context.waiting.pop(self, None)
        self._context.waiting[self] = None

    def _stop_taking(self) -> None:
        self._is_over = True
        if self._reading is not None:
            self._release(self._reading)
            self._reading = None
            if self._asked is None:
                self._transport.close()

    def _fail(self, reply: Reply, is_broken: bool = False) -> None:
        """Refuses the request that is being read. Earlier answers are sent first; later bytes are dropped."""
        request = self._reading or Request()
        request.is_broken = is_broken
        self._release(request)
        request.body.clear()
        self._reading = None
        self._is_over = True
        request.refusal = reply
        if self._asked is not None or self._queue:
            self._queue.append(request)
        else:
            self._refuse(reply, request)

    def _refuse(self, reply: Reply, request: Request | None = None) -> None:
        """Answers, and continues to read for a while: closing a connection with unread bytes may discard the answer."""
        self._is_over = True
        self._await_caller()
        self._write(request, reply, True)
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._deadline = self._loop.time() + _DISCARD_TIME


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".")[:200] or type(error).__name__
