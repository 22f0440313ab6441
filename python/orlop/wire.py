"""Replies, and JSON in and out: with orjson when it is installed."""

from __future__ import annotations

from .errors import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Found at the first use: what reads JSON costs more to import than all the rest.
_dumps: Callable[[Any], bytes] | None = None
_loads: Callable[[bytes], Any] | None = None


def _find() -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    global _dumps, _loads
    try:
        import orjson

        found: tuple[Callable[[Any], bytes], Callable[[bytes], Any]] = orjson.dumps, orjson.loads
    except ImportError:
        import json

        encode_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
        found = (lambda value: encode_text(value).encode()), json.loads
    _dumps, _loads = found
    return found


def dumps(value: Any) -> bytes:
    """The value as JSON."""
    return (_dumps or _find()[0])(value)


def loads(text: bytes) -> Any:
    """The value of JSON."""
    return (_loads or _find()[1])(text)


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
        from .violation import Violation

        problem = self.json() or {}
        violations = tuple(Violation(entry["field"], entry["reason"]) for entry in problem.get("violations", ()))
        raise refusal(self.status, problem.get("message") or problem.get("error") or f"status {self.status}", violations)

    def __repr__(self) -> str:
        return f"<Reply {self.status}, {len(self.body)} bytes>"
