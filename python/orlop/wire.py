"""Replies, and JSON in and out: with orjson when it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Violation, refusal

if TYPE_CHECKING:
    from collections.abc import Callable

dumps: Callable[[Any], bytes]
loads: Callable[[bytes], Any]
try:
    import orjson

    dumps = orjson.dumps
    loads = orjson.loads
except ImportError:
    import json as _json

    _encode = _json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
    loads = _json.loads

    def dumps(value: Any) -> bytes:
        return _encode(value).encode()


def encode(value: Any) -> bytes:
    """The body for a request's `json`; bytes go as they are."""
    return value if isinstance(value, bytes) else dumps(value)


class Reply:
    """What the engine answered: `status`, `headers` (names in lower case) and `body`."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def json(self) -> Any:
        """The body as Python values; None if there is no body."""
        return loads(self.body) if self.body else None

    @property
    def ok(self) -> bool:
        """True if the engine did what was asked."""
        return self.status < 400

    def check(self) -> Any:
        """The body as Python values, or the refusal as an exception."""
        if self.status < 400:
            return self.json()
        problem = self.json() or {}
        violations = tuple(Violation(entry["field"], entry["reason"]) for entry in problem.get("violations", ()))
        raise refusal(self.status, problem.get("message") or problem.get("error") or f"status {self.status}", violations)

    def __repr__(self) -> str:
        return f"<Reply {self.status}, {len(self.body)} bytes>"
