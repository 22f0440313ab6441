"""The schema of Compose files, and its faults as messages. `schema.json` holds the schema of the reference library
without descriptions; tests/python/compose_reference.py writes it."""

from __future__ import annotations

import functools
import json
import math
import pathlib
import re
from typing import Any

from ..options.arguments import nearest_hint
from .source import Fault, kind_of, shown

SCHEMA = pathlib.Path(__file__).with_name("schema.json")
_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
_NAMES_SHOWN_MAX = 12
_DURATIONS = (
    "interval",
    "timeout",
    "start_period",
    "start_interval",
    "stop_grace_period",
    "delay",
    "monitor",
    "window",
)
_UNKNOWN = ("additionalProperties", "unevaluatedProperties")


@functools.cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


@functools.cache
def _validator() -> Any:
    import jsonschema

    base = jsonschema.Draft202012Validator
    numbers = base.TYPE_CHECKER.redefine(
        "number",
        lambda _, given: isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given),
    )
    return jsonschema.validators.extend(base, type_checker=numbers)(schema())


def check(tree: dict[str, Any]) -> None:
    """Raises Fault with the most specific fault of the tree."""
    faults = list(_validator().iter_errors(tree))
    if faults:
        fault = max((_most_specific(fault) for fault in faults), key=_depth)
        path = tuple(map(str, fault.absolute_path))
        if fault.validator in _UNKNOWN:
            wrong = _unknown(fault)
            raise Fault((*path, wrong[0]), wrong[1])
        raise Fault(path, _said(fault))


def _depth(fault: Any) -> int:
    return len(fault.absolute_path) + (fault.validator in _UNKNOWN)


def _most_specific(fault: Any) -> Any:
    return max((fault, *(_most_specific(cause) for cause in fault.context or ())), key=_depth)


def _unknown(fault: Any) -> tuple[str, str]:
    """Returns a key that is not known, and the message about it."""
    keys, patterns = _known_keys(fault.schema)
    known = sorted(keys)
    unknown = (key for key in fault.instance if key not in keys and not any(re.search(one, key) for one in patterns))
    wrong = next(unknown, "")
    patterns.discard("^x-")
    if not known and patterns:
        return wrong, f"the name is not allowed; allowed are names of the form {min(patterns)}"
    hint = nearest_hint(wrong, known)
    names = ", ".join(known[:_NAMES_SHOWN_MAX]) + (", …" if len(known) > _NAMES_SHOWN_MAX else "")
    return wrong, f"is not a key here{hint or '; allowed are ' + names + ' and keys that begin with x-'}"


def _said(fault: Any) -> str:
    given, allowed = fault.instance, fault.validator_value
    if fault.validator in ("oneOf", "anyOf"):
        kinds = [_TYPES.get(name, name) for option in allowed for name in _types(option)]
        return f"must be {' or '.join(dict.fromkeys(kinds))}, not {kind_of(given)}"
    if fault.validator == "type":
        kinds = [_TYPES[name] for name in ([allowed] if isinstance(allowed, str) else allowed)]
        is_scalar = isinstance(given, (str, int, float))
        said = f"must be {' or '.join(kinds)}, not {kind_of(given)}{f' ({shown(given)})' if is_scalar else ''}"
        if allowed != "string" or not is_scalar:
            return said
        is_duration = str(fault.absolute_path[-1]) in _DURATIONS
        return f"{said}; {'it needs a unit, such as 10s' if is_duration else 'put it in quotes'}"
    if fault.validator == "enum":
        return f"must be one of {', '.join(map(shown, allowed))}, not {shown(given)}"
    if fault.validator == "required":
        missing = next((name for name in allowed if name not in given), "")
        return f"must have {missing}"
    if fault.validator == "uniqueItems":
        repeated = next((item for at, item in enumerate(given) if item in given[:at]), None)
        return f"has {shown(repeated)} twice"
    if fault.validator in ("minimum", "maximum"):
        return f"must be at {'least' if fault.validator == 'minimum' else 'most'} {allowed}, not {shown(given)}"
    return f"{shown(given)} is not allowed: {fault.message[:200]}"


def _types(option: dict[str, Any]) -> list[str]:
    if "$ref" in option:
        option = schema()["$defs"].get(option["$ref"].rsplit("/", 1)[-1], {})
    found = option.get("type", [])
    if found:
        return [found] if isinstance(found, str) else list(found)
    return [name for inner in option.get("oneOf", ()) for name in _types(inner)]


def _known_keys(part: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Returns the keys that a part of the schema knows, and the patterns of others."""
    names, patterns = set(part.get("properties", ())), set(part.get("patternProperties", ()))
    for inner in part.get("allOf", ()):
        if "$ref" in inner:
            inner = schema()["$defs"].get(inner["$ref"].rsplit("/", 1)[-1], {})
        more = _known_keys(inner)
        names |= more[0]
        patterns |= more[1]
    return names, patterns
