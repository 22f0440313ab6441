"""Replies; JSON encoding and decoding, with orjson when it is installed."""

from __future__ import annotations

from ..errors import Misuse, StorageCorrupt, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from json import JSONDecoder
    from typing import Any

    from typing_extensions import Self

    from ..errors import Refused

# Found at first use: the JSON modules take longer to import than the rest of the package.
_dumps: Callable[[Any], bytes] | None = None
_loads: Callable[[bytes], Any] | None = None


def _find() -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    global _dumps, _loads
    try:
        import orjson

        options = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
    except ImportError:
        import json

        _dumps, _loads = _plain_dumps, _plain_loads(json.JSONDecoder())
        return _dumps, _loads

    # Values that orjson refuses, or writes as null (None, but also NaN), go to the plain encoder: the same values are
    # accepted with orjson and without.
    def fast_dumps(value: Any) -> bytes:
        try:
            text: bytes = orjson.dumps(value, option=options)
        except TypeError:
            return _plain_dumps(value)
        return _plain_dumps(value) if b"null" in text else text

    _dumps, _loads = fast_dumps, orjson.loads
    return _dumps, _loads


def _plain_loads(decoder: JSONDecoder) -> Callable[[bytes | str], Any]:
    """Returns `json.loads` without the detection of the encoding, which is UTF-8, and of space around the value."""
    decode = decoder.raw_decode

    def plain_loads(text: bytes | str) -> Any:
        whole = text if isinstance(text, str) else text.decode()
        try:
            value, end = decode(whole)
        except ValueError:
            end = -1
        return value if end == len(whole) else decoder.decode(whole)

    return plain_loads


_encoder: Callable[[Any], str] | None = None


def _plain_dumps(value: Any) -> bytes:
    global _encoder
    encode = _encoder
    if encode is None:
        encode = _encoder = _plain_encoder()
    return encode(value).encode()


def _plain_encoder() -> Callable[[Any], str]:
    """Returns an encoder that writes no spaces. `JSONEncoder` makes its C encoder for each text; this one is made once,
    where Python has it."""
    from json import encoder

    make = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return encoder.JSONEncoder(
            ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain_value
        ).encode
    encode = make(None, _plain_value, encoder.encode_basestring, None, ":", ",", False, False, False)
    return lambda value: "".join(encode(value, 0))


def _plain_value(value: object) -> Any:
    """Returns the JSON value of an enum or a UUID."""
    from enum import Enum
    from uuid import UUID

    if isinstance(value, Enum):
        return value.value
    if isinstance(value, UUID):
        return str(value)
    raise TypeError


def dumps(value: Any, what: str = "") -> bytes:
    """Returns the value as JSON. Raises `Invalid`, which names the field, if a part of it has no JSON form. `what` is
    the name of the whole."""
    try:
        return (_dumps or _find()[0])(value)
    except (TypeError, ValueError, RecursionError):
        from ..errors.invalid_values import invalid

        raise invalid(value, what) from None


def encode_outputs(outputs: Any) -> str:
    """Returns the outputs of a step as JSON; "" if there are none. Raises `Misuse` if they are not a mapping."""
    if outputs is None:
        return ""
    from collections.abc import Mapping

    if not isinstance(outputs, Mapping):
        from ..errors import Misuse
        from ..options.arguments import shown

        raise Misuse(f"outputs must be a mapping of names to JSON values, or None, not {shown(outputs)}")
    return dumps(dict(outputs), "outputs").decode() if outputs else ""


def loads(text: bytes) -> Any:
    """Decodes JSON that the core returned from the store. Raises `StorageCorrupt` if it is malformed."""
    try:
        return (_loads or _find()[1])(text)
    except (ValueError, RecursionError) as error:
        raise StorageCorrupt(
            f"the engine gave what is not JSON, so the store holds bytes that it never wrote: {error}"
        ) from error


def member(data: Mapping[str, Any], name: str) -> Any:
    """Returns a member that every record of its kind has. Raises `StorageCorrupt` if it is missing."""
    try:
        return data[name]
    except KeyError:
        raise StorageCorrupt(
            f"a record holds no {name}, so the store holds bytes that the engine never wrote"
        ) from None


def encode(value: Any) -> bytes:
    """Returns the body for a request's `json`; bytes stay as they are."""
    return value if isinstance(value, bytes) else dumps(value)


class Reply:
    """The reply to a request."""

    __slots__ = ("body", "headers", "status")

    status: int
    """HTTP status."""
    headers: dict[str, str]
    """Headers; the names are in lower case."""
    body: bytes
    """JSON text; empty if there is none."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def json(self) -> Any:
        """Returns the body as Python values; None if it is empty."""
        return loads(self.body) if self.body else None

    @property
    def ok(self) -> bool:
        """True if the status is below 400."""
        return self.status < 400

    def raise_for_status(self) -> Self:
        """Returns this reply without parsing its body, or raises the `Refused` for its status."""
        if self.status < 400:
            return self
        raise refused(self.status, self.body)

    def check(self) -> Any:
        """Returns the body as Python values, or raises the `Refused` for the status."""
        return self.raise_for_status().json()

    def __repr__(self) -> str:
        return f"<Reply {self.status}, {len(self.body)} bytes>"


def refused(status: int, body: bytes) -> Refused:
    """Returns the exception for a reply with this status, which is 400 or more."""
    from ..errors.violation import Violation

    problem = (loads(body) if body else None) or {}
    violations = tuple(Violation(entry["field"], entry["reason"]) for entry in problem.get("violations", ()))
    message = problem.get("message") or problem.get("error") or f"status {status}"
    return refusal(status, message, violations, problem.get("violations_omitted", 0))


def query_text(query: Mapping[str, Any]) -> str:
    from urllib.parse import urlencode

    entries = [
        (name, str(value).lower() if isinstance(value, bool) else value) for name, value in pairs("query", query)
    ]
    try:
        return urlencode(entries)
    except ValueError:  # a lone surrogate, or an int with more digits than Python formats
        raise Misuse("query must hold text that UTF-8 can hold, or numbers of less than 4,300 digits") from None


def pairs(what: str, given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    from collections.abc import Mapping

    if not isinstance(given, Mapping):
        from ..options.arguments import shown

        raise Misuse(f"{what} must be a mapping of names to values, not {shown(given)}")
    return list(given.items())
