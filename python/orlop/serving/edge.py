"""Decisions of an HTTP server about a request, before the engine sees it and after it has answered.

The ASGI application and the server of `orlop serve` share them. Nothing here does input or output.
"""

from __future__ import annotations

import ipaddress
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_from_bytes

from ..base.wire import Reply
from ..errors import Misuse
from ..options.arguments import shown, text, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

BODY_SIZE_MAX = 1 << 20
"""Largest body of a request in bytes, as in the engine."""

CONTROL_SIZE_MAX = 64 << 20
"""The same for /-/sim of a simulation."""

HEAD_SIZE_MAX = 64 << 10
"""Largest size of a request line with its headers, in bytes."""

DROPPED = 444
"""Status of a reply that a fault of a simulation drops: the connection is closed without it."""

LOOPBACK_HOSTS = ("127.0.0.1", "[::1]", "localhost")
"""Host names of a server at a loopback address."""

_HEADERS_MAX = 1000
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# Two of these contradict each other, and readers differ in which one they use.
_ONCE = ("authorization", "content-type", "content-length", "host")
DECODED_SAFE = "/:@!$&'()*+,;=~"
_ABSOLUTE = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:]+)(:[0-9]*)?")
_ANY_HOST = "*"
_EXPOSED = (
    b"allow, etag, idempotency-replayed, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset"
)
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, if-match",
    "access-control-max-age": "600",
}
_REASONS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    408: "Request Timeout",
    417: "Expectation Failed",
    421: "Misdirected Request",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


class Refused(Exception):
    """A request that is refused before the engine sees it."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status

    def reply(self) -> Reply:
        """Returns the reply for the client."""
        return problem(self.status, str(self))


def _origin(given: object) -> str:
    """Returns an origin as browsers send it in the header Origin."""
    found = text("an entry of origins", given)
    if found not in ("*", "null") and re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/?#\s]+", found) is None:
        raise Misuse(
            f"an entry of origins must be an origin such as https://console.example.com, without a path, or * for "
            f"every one, not {shown(found)}"
        )
    return found


class Edge:
    """The rules of one server.

    Pages from `origins` may call it from a browser. With `allow_hosts` a request is answered only if its Host header
    names one of them, with any port; "*" allows every name. None: the header is not checked.
    """

    def __init__(
        self, origins: Iterable[str] = (), allow_hosts: Iterable[str] | None = None, *, is_simulation: bool = False
    ) -> None:
        self._is_simulation = is_simulation
        self._origins = frozenset(_origin(origin) for origin in texts("origins", origins))
        hosts = None if allow_hosts is None else {_bracketed(host): None for host in texts("allow_hosts", allow_hosts)}
        self._hosts = None if hosts is None or _ANY_HOST in hosts else hosts

    def body_size_max(self, target: str) -> int:
        """Returns the size of the largest body for `target`, in bytes."""
        return CONTROL_SIZE_MAX if self._is_simulation and target.startswith("/-/sim/") else BODY_SIZE_MAX

    def check_size(self, target: str, size: int) -> None:
        most = self.body_size_max(target)
        if size > most:
            raise Refused(f"the body has more than {most} bytes")

    def check(self, method: str, headers: dict[str, str]) -> Reply | None:
        """Returns the reply to a request that the engine must not see; None if it may. Raises Refused."""
        if self._hosts is not None:
            self._check_host(headers.get("host"))
        _check_known(headers, "Transfer-Encoding", "chunked", 501)
        _check_known(headers, "Expect", "100-continue", 417)
        if "origin" not in headers:
            return None
        if method == "OPTIONS" and "access-control-request-method" in headers and self.cors(headers):
            return Reply(204, dict(_PREFLIGHT), b"")
        if method not in ("GET", "HEAD", "OPTIONS") and self._is_foreign(headers):
            raise Refused(f"pages of {headers['origin'][:200]} may not change anything here", 403)
        return None

    def cors(self, headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
        """Returns the headers that allow a browser's page of this origin to read the answer; none if it may not."""
        origin = headers.get("origin")
        if origin is None or not ("*" in self._origins or origin in self._origins):
            return []
        return [
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"vary", b"origin"),
            (b"access-control-expose-headers", _EXPOSED),
        ]

    def _check_host(self, given: str | None) -> None:
        """Raises Refused for another host, against DNS rebinding: a page can make its own name resolve to this address,
        but its browser then still sends that name as Host."""
        assert self._hosts is not None
        found = _HOST.fullmatch(given or "")
        if found is None or found[1].lower() not in self._hosts:
            said = "there is no Host header" if given is None else f'the Host header is "{given[:200]}"'
            raise Refused(f"{said}; this server answers only to {', '.join(self._hosts)}", 421)

    def _is_foreign(self, headers: dict[str, str]) -> bool:
        """Reports whether a browser sends the request for a page of another origin, as it does for forms without a
        preflight."""
        return not self.cors(headers) and headers["origin"].partition("://")[2] != headers.get("host", "")


def hosts_of(address: str, name: str, allow_hosts: Iterable[str]) -> list[str] | None:
    """Returns the hosts to which a server bound to `address`, from the argument `name`, answers; None: to all.

    A loopback address answers to its own names, and to `allow_hosts`. Any other answers to all, unless there are
    `allow_hosts`.
    """
    allowed = texts("allow_hosts", allow_hosts)
    if not ipaddress.ip_address(address.partition("%")[0]).is_loopback and not allowed:
        return None
    return list(dict.fromkeys([*LOOPBACK_HOSTS, name, *allowed]))


def _bracketed(host: str) -> str:
    host = text("an entry of allow_hosts", host).lower()
    if not host:
        raise Misuse("an entry of allow_hosts must be the name of a host, or * for every one, not ''")
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def headers_of(given: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Returns the headers by lower-case name, repeated ones joined. Raises Refused."""
    headers: dict[str, str] = {}
    for count, (raw_name, raw_value) in enumerate(given):
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if count >= _HEADERS_MAX:
            raise Refused(f"there are more than {_HEADERS_MAX} headers")
        if _CONTROL.search(name) or _CONTROL.search(value):
            raise Refused("a header holds a control character")
        if name in headers:
            if name in _ONCE:
                raise Refused(f"the header {name} may come once only")
            value = f"{headers[name]}, {value}"
        headers[name] = value
    headers.pop("x-acting-for", None)  # names the author of a trusted request, and this one is not trusted
    return headers


def _check_known(headers: dict[str, str], name: str, known: str, status: int) -> None:
    """Raises Refused if the header has another element than `known`."""
    for element in headers.get(name.lower(), "").split(","):
        if element.strip().lower() not in ("", known):
            raise Refused(f'{name} must be {known}, not "{element.strip()[:100]}"', status)


def origin_form(method: str, url: bytes, headers: dict[str, str]) -> bytes:
    """Returns the path and query of a request line. It may hold an absolute URL, as clients send it to a proxy. Raises
    Refused.

    The host of the URL then replaces the Host header (RFC 9112, 3.2.2).
    """
    found = _ABSOLUTE.fullmatch(url)
    if found is None:
        return url
    host = found[1].decode("latin-1")
    if "@" in host or not _HOST.fullmatch(host):
        raise Refused(f'the host of the URL in the request line must be NAME or NAME:PORT, not "{host[:100]}"')
    headers["host"] = host
    if not found[2]:
        return b"*" if method == "OPTIONS" else b"/"
    return found[2] if found[2].startswith(b"/") else b"/" + found[2]


def head_refusal() -> Refused:
    return Refused(f"the headers have more than {HEAD_SIZE_MAX} bytes", 431)


def check_head(target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raises Refused for a head that is too large, also if it arrived complete in one read."""
    # 4: ": " and the end of the line.
    if len(target) + sum(len(name) + len(value) + 4 for name, value in headers) > HEAD_SIZE_MAX:
        raise head_refusal()


def check_type(content_type: str | None) -> None:
    """Raises Refused for a body of a type that is not accepted. A missing type is accepted."""
    if content_type is None or content_type == "application/json":
        return
    # Types for operations that take no JSON. A page of another origin cannot send them without a preflight.
    if content_type in ("application/x-yaml", "application/yaml", "application/octet-stream"):
        return
    kind, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [part.partition("=")[2].strip().strip('"') for part in parameters if part.startswith("charset")]
    if kind != "application/json" or not all(charset in ("utf-8", "utf8") for charset in charsets):
        raise Refused(f"the body must be application/json in UTF-8, not {content_type[:100]}")


def target_of(path: bytes, query: bytes, root: str = "") -> str:
    """Returns the request's target for the engine, without the path `root` under which the application is mounted."""
    text = quote_from_bytes(path, safe=DECODED_SAFE + "%").partition("?")[0]
    root = quote(root, safe=DECODED_SAFE).rstrip("/")
    if root and (text == root or text.startswith(root + "/")):
        text = text[len(root) :] or "/"
    return f"{text}?{quote_from_bytes(query, safe=DECODED_SAFE + '%?')}" if query else text


def finish(method: str, reply: Reply) -> Reply:
    """Returns the reply for the client: for OPTIONS, the list of methods of a refusal."""
    if reply.status != 405:
        return reply
    words = [word for word in reply.headers.get("allow", "").split(", ") if word]
    if "GET" in words and "HEAD" not in words:
        words.insert(words.index("GET") + 1, "HEAD")
    reply.headers["allow"] = ", ".join(words if "OPTIONS" in words else [*words, "OPTIONS"])
    return Reply(204, {"allow": reply.headers["allow"]}, b"") if method == "OPTIONS" else reply


ANY_TARGET = {"allow": "GET, HEAD, POST, PUT, DELETE, OPTIONS"}
"""Headers of the answer to OPTIONS *."""


def problem(status: int, message: str, headers: dict[str, str] | None = None) -> Reply:
    """Returns a refusal in the engine's format."""
    body = {"status": status, "error": _REASONS[status], "message": message, "detail": message}
    if status == 400:
        body["violations"] = [{"field": "", "reason": message}]
    return Reply(status, {"content-type": "application/json", **(headers or {})}, json.dumps(body).encode())


def no_memory() -> Reply:
    return problem(503, "the bodies of other requests take all memory that there is for them", {"retry-after": "1"})


def evicted_body() -> Reply:
    """Returns the refusal of a request that is ended because others need the memory of its body."""
    return problem(
        503,
        "other requests need the memory that there is for bodies, and this one took longest to come",
        {"retry-after": "1"},
    )


def one_line(value: str) -> str:
    """Replaces control characters, so that the value cannot end its header and begin another one."""
    return _CONTROL.sub(" ", value)
