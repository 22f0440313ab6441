"""The differences between the engine's document and the interface: one line for each, whose text is stable while the
difference exists.

A difference is something that can break a client of the interface. A request of the interface must be accepted: every
parameter, member, value and type. An answer must hold what the interface promises: every required member, of its type,
with no value beyond its enumeration. It should hold the other members too: a member that it never holds is "not
answered". Every status must exist. Additional members and values are not differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Shape = dict[str, Any]

# An integer is also a number.
ALIKE = {("integer", "number"), ("number", "integer")}


def compare(interface: dict[str, Shape], ours: dict[str, Shape]) -> list[str]:
    lines: list[str] = []
    for name, wanted in interface.items():
        if name not in ours:
            lines.append(f"{name}: is not served")
            continue
        lines += [f"{name}: {line}" for line in _operation(wanted, ours[name])]
    return lines


def _operation(wanted: Shape, served: Shape) -> Iterator[str]:
    yield from _parameters(wanted["parameters"], served["parameters"])
    if "body" in wanted:
        if "body" not in served:
            yield "takes no body"
        else:
            yield from _media(wanted["body"], served["body"], "body")
            yield from _members(wanted["body"].get("json", {}), served["body"].get("json", {}), "body", is_request=True)
    for status, answer in wanted["answers"].items():
        if status not in served["answers"]:
            yield f"has no status {status}"
        elif status.startswith("2"):
            yield from _media(answer, served["answers"][status], status)
            yield from _members(
                answer.get("json", {}), served["answers"][status].get("json", {}), status, is_request=False
            )


def _parameters(wanted: Shape, served: Shape) -> Iterator[str]:
    for name, parameter in wanted.items():
        if name not in served:
            yield f"has no parameter {name}"
            continue
        if served[name]["must"] and not parameter["must"]:
            yield f"parameter {name} is required"
        yield from _members(parameter, served[name], f"parameter {name}", is_request=True)
    for name, parameter in served.items():
        if name not in wanted and parameter["must"]:
            yield f"parameter {name} is required and not of the interface"


def _media(wanted: Shape, served: Shape, place: str) -> Iterator[str]:
    for media in wanted["media"]:
        if media not in served["media"]:
            yield f"{place} is not {media}"


def _members(wanted: Shape, served: Shape, place: str, is_request: bool) -> Iterator[str]:
    yield from _own(wanted, served, place, is_request)
    # An open object accepts any member, and may hold any.
    is_open = served.get("type") in (None, "object") and not served.get("members")
    for name, member in wanted.get("members", {}).items():
        other = served.get("members", {}).get(name)
        if other is not None:
            yield from _members(member, other, f"{place}.{name}", is_request)
        elif not is_open and (is_request or name in wanted.get("required", [])):
            yield f"{place}.{name} is missing"
        elif not is_open:
            yield f"{place}.{name} is not answered"
    must, musts = set(wanted.get("required", [])), set(served.get("required", []))
    for name in sorted(musts - must) if is_request else []:
        yield f"{place}.{name} is required"
    for name in sorted(must - musts) if not is_request and not is_open else []:
        if name in served.get("members", {}):
            yield f"{place}.{name} is not required"
    for part in ("items", "values"):
        if part in wanted and part in served:
            yield from _members(wanted[part], served[part], f"{place}[]", is_request)


def _own(wanted: Shape, served: Shape, place: str, is_request: bool) -> Iterator[str]:
    kinds = (wanted.get("type"), served.get("type"))
    if None not in kinds and "again" not in kinds and kinds[0] != kinds[1] and kinds not in ALIKE:
        yield f"{place} is a {kinds[1]}, not a {kinds[0]}"
    if "enum" in wanted:
        missing, more = _enum(wanted["enum"], served.get("enum"))
        if is_request and missing:
            yield f"{place} does not take {missing}"
        if not is_request and more:
            yield f"{place} may be {more}"
    elif is_request and "enum" in served:
        yield f"{place} is an enumeration"
    if wanted.get("null") and not served.get("null") and is_request and "members" in wanted:
        yield f"{place} cannot be null"


def _enum(wanted: list[Any], served: list[Any] | None) -> tuple[str, str]:
    if served is None:
        return "", "any text"
    return " ".join(str(value) for value in wanted if value not in served), " ".join(
        str(value) for value in served if value not in wanted
    )
