"""HTTP for one question: the addresses of every hop are checked, sizes are limited, all of it ends at one deadline."""

from __future__ import annotations

import base64
import contextlib
import json
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol
from urllib.parse import urljoin, urlsplit

import httpcore
import httpx

from .._core import __version__
from ..errors import ExternalFailed, text_of
from .pinned_transport import PinnedTransport
from .targets import Refused, Target

CONNECTIONS = 8  # to one origin, of one question
BODY_SIZE = 4 << 20
_REDIRECTS_MAX = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_ORIGINS_MAX = 20  # of one question


class Targets(Protocol):
    """Decides which targets may be asked, and for how long."""

    timeout: float

    def check_text(self, url: str) -> None: ...
    def target(self, url: str) -> Target: ...


class Answer(NamedTuple):
    """The answer to a request; `url` is the address that gave it, behind all redirects."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise ExternalFailed(f"{shown_url(self.url)} gives no JSON: {text_of(error)}") from None


def default_context() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


def unverified_context() -> ssl.SSLContext:
    return httpx.create_ssl_context(verify=False, trust_env=False)


def shown_url(url: str) -> str:
    """Returns an address as messages show it: without its query, which may hold a secret, and not too long."""
    return url.partition("?")[0][:200]


def basic(user: str, password: str) -> str:
    """Returns the value of the header Authorization for a user and password."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Session:
    """The connections of one question. May be used by several threads. Use it in a `with`."""

    def __init__(self, access: Targets, context: ssl.SSLContext, deadline: float) -> None:
        self.deadline = deadline
        self._access = access
        self._context = context
        self._lock = threading.Lock()
        self._clients: dict[str, httpx.Client] = {}

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients.values():
            client.close()

    def ask(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        size: int = BODY_SIZE,
    ) -> Answer:
        """Makes a request and follows redirects, unless it sends a form. A redirect to another origin gets no
        Authorization. Raises Refused for a target that is not allowed, ExternalFailed for one that fails, TimeoutError
        at the deadline."""
        sent = dict(headers or {})
        for _ in range(_REDIRECTS_MAX + 1):
            answer = self._hop(url, method, sent, form, size)
            location = answer.headers.get("location", "")
            if answer.status not in _REDIRECTS or not location or form is not None:
                return answer
            following = urljoin(url, location)
            if origin(following) != origin(url):
                sent.pop("authorization", None)
            url = following
        raise ExternalFailed(f"{shown_url(url)} redirects more than {_REDIRECTS_MAX} times")

    def _hop(
        self, url: str, method: str, headers: Mapping[str, str], form: Mapping[str, str] | None, size: int
    ) -> Answer:
        client = self._client(url)
        sent = {"user-agent": f"orlop/{__version__}", "accept-encoding": "identity", **headers}
        with self._failures(url), client.stream(method, url, headers=sent, data=form) as answer:
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise ExternalFailed(f"{shown_url(url)} answers in an encoding that was not asked for")
            body = b"" if answer.status_code in _REDIRECTS else _body(answer, url, size)
            return Answer(answer.status_code, dict(answer.headers), body, url)

    @contextlib.contextmanager
    def _failures(self, url: str) -> Iterator[None]:
        try:
            yield
        except (httpcore.TimeoutException, httpx.TimeoutException):
            raise TimeoutError(f"{shown_url(url)} did not answer in time") from None
        except (httpx.HTTPError, httpcore.NetworkError, httpcore.ProtocolError, httpx.InvalidURL, OSError) as error:
            raise ExternalFailed(f"{shown_url(url)} fails: {text_of(error) or type(error).__name__}") from None

    def _client(self, url: str) -> httpx.Client:
        """Returns the connections to the origin of the URL, whose addresses were checked when it was met first."""
        if time.monotonic() >= self.deadline:
            raise TimeoutError(f"{shown_url(url)} was not asked in time")
        where = origin(url)
        with self._lock:
            found = self._clients.get(where)
            if found is None:
                if len(self._clients) >= _ORIGINS_MAX:
                    raise ExternalFailed(f"more than {_ORIGINS_MAX} hosts would be asked for one answer")
                target = self._access.target(url)
                transport = PinnedTransport(target, self._context, self.deadline, CONNECTIONS)
                found = httpx.Client(
                    transport=transport, trust_env=False, follow_redirects=False, timeout=self._access.timeout
                )
                self._clients[where] = found
        self._access.check_text(url)
        return found


def origin(url: str) -> str:
    """Returns scheme, host and port of a URL. Raises Refused for a text that is no URL."""
    try:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or {'https': 443, 'http': 80}.get(parts.scheme, 0)}"
    except ValueError as error:
        raise Refused(f"{url[:200]!r} is not an address: {error}") from None


def _body(answer: httpx.Response, url: str, size: int) -> bytes:
    body = bytearray()
    for part in answer.iter_raw():
        body += part
        if len(body) > size:
            raise ExternalFailed(f"{shown_url(url)} gives more than {size} bytes")
    return bytes(body)
