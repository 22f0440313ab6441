"""A webhook sender over HTTP. Needs the extra `orlop[webhooks]`.

    engine = orlop.Engine("platform.db", webhook_sender=orlop.webhook_senders.HttpWebhookSender())

Each host name is resolved once, every address of it is checked, and the connection goes to a checked address. Redirects
are followed one by one with the same checks.
"""

from __future__ import annotations

import contextlib
import ssl
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urljoin, urlsplit

import httpcore
import httpx

from .._core import __version__
from ..base.live_objects import Live
from ..errors import Closed, Misuse, text_of
from ..options.arguments import callback, number, shown, whole
from .pinned_transport import PinnedTransport
from .targets import Guard, Refused, Resolver, allowed_targets, resolve

if TYPE_CHECKING:
    from ..generated.ports import Delivery

_THREADS = 128  # limit of the engine's messages under way
_THREADS_MAX = 10_000
_SILENT_KEPT = 10_000
_TIME_LEAST = 0.2  # least share of the timeout, for a silent receiver
_ALL_TIME_EVERY = 3  # every third attempt of a message has the whole timeout
_REDIRECTS_MAX = 3
_REDIRECTS_TAKEN = (307, 308)  # the others change the method or the body: they count as answers
_ANSWER_KEPT = 4096  # bytes of the answer
_STATUS_MAX = 599


class Teller(Protocol):
    """The part of an engine that a webhook sender uses."""

    @property
    def webhook_allow(self) -> tuple[str, ...]: ...
    def report_delivery(self, delivery_id: str, status: int, text: str = "") -> None: ...


class HttpWebhookSender(Live):
    """Sends each message by POST on one of `threads` (128) threads, which are started as they are needed. It serves one
    engine, which closes it.

    `timeout` (15) is the time of one attempt in seconds, from the connection to the last byte of the answer, over all
    redirects. It is halved after each attempt that a receiver did not answer in time, down to a fifth; every third
    attempt of a message has all of it, and any other outcome resets it. `allow` lists hosts and address ranges that are
    allowed in addition to the public internet; None: the engine's `webhook_allow`. `resolver` and `ssl_context` replace
    the system's. Raises `Misuse` for an argument out of bounds.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] | None = None,
        threads: int = _THREADS,
        timeout: float = 15.0,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = None if allow is None else Guard(allowed_targets("allow", allow))
        self._timeout = number("timeout", timeout)
        if timeout <= 0:
            raise Misuse(f"timeout must be more than 0 seconds, not {timeout}")
        whole("threads", threads, 1, _THREADS_MAX)
        if resolver is None:
            raise Misuse("resolver must be callable, not None")
        callback("resolver", resolver)
        if ssl_context is not None and not isinstance(ssl_context, ssl.SSLContext):
            raise Misuse(f"ssl_context must be an ssl.SSLContext or None, not {shown(ssl_context)}")
        self._resolver = resolver
        self._context = ssl_context or httpx.create_ssl_context(trust_env=False)
        self._pool = ThreadPoolExecutor(threads, "orlop-webhook_sender")
        self._lock = threading.Lock()
        self._engine: Teller | None = None
        # By organization and host: consecutive attempts without an answer in time.
        self._silent: dict[tuple[str, str], int] = {}

    def attach(self, engine: Teller) -> None:
        """Called when the engine opens. Raises `Misuse` if another engine uses this sender."""
        with self._lock:
            if self._engine is not None:
                raise Misuse("a webhook sender serves one engine")
            self._engine = engine
            if self._guard is None:
                self._guard = Guard(engine.webhook_allow)

    def detach(self) -> None:
        """Called when the engine closes. Messages that were not sent stay in the outbox."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __call__(self, delivery: Delivery) -> None:
        """Accepts a message. The result is reported to the engine later."""
        self._pool.submit(self._carry, delivery)

    def _carry(self, delivery: Delivery) -> None:
        is_silent = False
        try:
            status, text = self._send(delivery)
        except Exception as error:  # a receiver may cause any exception, which is then the result
            status, text = (
                0,
                f"{type(error).__name__}: {text_of(error)}" if not isinstance(error, Refused) else str(error),
            )
            is_silent = isinstance(error, httpcore.TimeoutException)
        self._note(delivery, is_silent)
        if self._engine is not None:
            with contextlib.suppress(Closed):
                self._engine.report_delivery(delivery.id, status, text)

    def _note(self, delivery: Delivery, is_silent: bool) -> None:
        with self._lock:
            count = self._silent.pop(_receiver_of(delivery), 0)
            if is_silent:
                self._silent[_receiver_of(delivery)] = count + 1
                if len(self._silent) > _SILENT_KEPT:
                    del self._silent[next(iter(self._silent))]

    def _time_for(self, delivery: Delivery) -> float:
        """Returns the seconds for the next attempt. Some attempts have the whole timeout, so that a receiver that is
        slow at times is not abandoned."""
        with self._lock:
            count = self._silent.get(_receiver_of(delivery), 0)
        share = 1.0 if delivery.attempt % _ALL_TIME_EVERY == 0 else max(0.5**count, _TIME_LEAST)
        return self._timeout * share

    def _send(self, delivery: Delivery) -> tuple[int, str]:
        deadline = time.monotonic() + self._time_for(delivery)
        url = delivery.url
        for _ in range(_REDIRECTS_MAX + 1):
            status, text, location = self._ask(url, delivery, deadline)
            if status not in _REDIRECTS_TAKEN or not location:
                return status, text
            url = urljoin(url, location)
        return 0, f"more than {_REDIRECTS_MAX} redirects"

    def _ask(self, url: str, delivery: Delivery, deadline: float) -> tuple[int, str, str]:
        """Makes one hop. Returns the status, the beginning of the answer, and the address to which it redirects."""
        guard = self._guard or Guard()
        host, port = guard.host_of(url)
        target = guard.check(url, host, self._resolver(host, port))
        headers = [*delivery.headers, ("user-agent", f"orlop/{__version__}"), ("accept-encoding", "identity")]
        transport = PinnedTransport(target, self._context, deadline)
        with (
            httpx.Client(transport=transport, trust_env=False, follow_redirects=False, timeout=self._timeout) as client,
            client.stream("POST", url, headers=headers, content=delivery.body) as answer,
        ):
            if answer.status_code > _STATUS_MAX:
                return 0, f"the receiver answers with the status {answer.status_code}, which there is not", ""
            return answer.status_code, _beginning(answer), answer.headers.get("location", "")


def _receiver_of(delivery: Delivery) -> tuple[str, str]:
    return delivery.organization, urlsplit(delivery.url).netloc.lower()


def _beginning(answer: httpx.Response) -> str:
    body = b""
    for part in answer.iter_raw():
        body += part
        if len(body) >= _ANSWER_KEPT:
            break
    return body[:_ANSWER_KEPT].decode("utf-8", "replace")
