"""Finds the value of a body that has no JSON form, and the reason. Imported only after the encoding has failed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING
from uuid import UUID

from ..options.arguments import shown
from . import Invalid
from .violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH_MAX = 64  # the engine's limit


def invalid(value: object, what: str = "") -> Invalid:
    """Returns the refusal of a value that has no JSON form, with the message of the engine's own refusals. `what` is
    the name of the whole."""
    found = _fault_of(value, what, 0) or Violation(what, "cannot be written as JSON")
    field = found.field.encode("ascii", "backslashreplace").decode()
    return Invalid(f"{field or 'the body'} {found.reason}", 400, (Violation(field, found.reason),))


def _fault_of(value: object, field: str, depth: int) -> Violation | None:
    if depth > _DEPTH_MAX:
        return Violation(field, f"is nested deeper than {_DEPTH_MAX}")
    if isinstance(value, (dict, list, tuple)):
        return next(
            (fault for name, entry in _entries(value, field) if (fault := _fault_of(entry, name, depth + 1))), None
        ) or _key_fault(value, field)
    reason = _reason(value)
    return Violation(field, reason) if reason else None


def _entries(
    value: dict[object, object] | list[object] | tuple[object, ...], field: str
) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield f"{field}.{key}" if field else str(key), entry
    else:
        for index, entry in enumerate(value):
            yield f"{field}[{index}]", entry


def _key_fault(value: object, field: str) -> Violation | None:
    for key in value if isinstance(value, dict) else ():
        reason = _reason(key)
        if reason or not isinstance(key, (str, int, float, type(None))):
            return Violation(field, f"has a name that is not text: {shown(key)}")
    return None


def _reason(value: object) -> str:
    """Returns the reason why this value, which contains no others, has no JSON form; "" if it has one."""
    if value is None or isinstance(value, (bool, Enum, UUID)):
        return ""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return f"must be text that UTF-8 can hold: {shown(value)} holds a lone surrogate"
        return ""
    if isinstance(value, float):
        return "" if value - value == 0 else f"must be a finite number, not {value}"
    if isinstance(value, int):
        return "" if abs(value) < 2**64 else f"must be a whole number of 64 bits, not {shown(value)}"
    hint = "; give its id" if hasattr(value, "_family") else ""
    return f"must be a JSON value (dict, list, str, int, float, bool or None), not {shown(value)}{hint}"
