"""Members of a project in their types, as the reference has them after loading. Empty members are left out.

The tables at the end say for each key which type it has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .interpolation import _boolean
from .short_forms import go_text
from .source import Fault, Path, kind_of, shown
from .units import (
    SIZES,
    NotWords,
    nanoseconds_of,
    shown_duration,
    single_precision,
    size_of,
    words_of,
)

Kind = Callable[[Any, Path], Any]
OMITTED: Any = object()
"""Stands for a value that is left out."""


def _wrong(value: Any, path: Path, allowed: str) -> Fault:
    given = f"{kind_of(value)} ({shown(value)})" if isinstance(value, (str, int, float)) else kind_of(value)
    return Fault(path, f"must be {allowed}, not {given}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text(value: Any, path: Path) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _wrong(value, path, "a text")
    return str(value) or OMITTED


def whole(value: Any, path: Path) -> Any:
    return optional_whole(value, path) or OMITTED


def optional_whole(value: Any, path: Path) -> Any:
    if isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]+", value):
        return int(value)
    if not _is_number(value):
        raise _wrong(value, path, "a whole number")
    return int(value)


def count(value: Any, path: Path) -> Any:
    number = optional_whole(value, path)
    if number < 0:
        raise _wrong(value, path, "a whole number of at least 0")
    return number


def flag(value: Any, path: Path) -> Any:
    return optional_flag(value, path) or OMITTED


def optional_flag(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        return _boolean(path, value)
    if not isinstance(value, bool):
        raise _wrong(value, path, "true or false")
    return value


def opt_out(value: Any, path: Path) -> Any:
    """A flag that is true unless it is given."""
    return OMITTED if optional_flag(value, path) else False


def number(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise _wrong(value, path, "a number") from None
    if not _is_number(value):
        raise _wrong(value, path, "a number")
    return single_precision(value) or OMITTED


def size(value: Any, path: Path) -> Any:
    """A number of bytes, as a text. A number with a fraction is refused: the reference takes it for no limit."""
    if isinstance(value, float):
        raise Fault(path, f"{shown(value)} is no whole number of bytes; {SIZES}")
    try:
        found = value if _is_number(value) else size_of(str(value))
    except ValueError as error:
        raise Fault(path, f"{shown(value)} is no size; {error}") from None
    return str(found) if found else OMITTED


def duration(value: Any, path: Path) -> Any:
    try:
        return shown_duration(nanoseconds_of(go_text(value)))
    except ValueError as error:
        raise Fault(path, f"{shown(value)} is no duration; {error}") from None


def set_duration(value: Any, path: Path) -> Any:
    found = duration(value, path)
    return OMITTED if found == "0s" else found


def command(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        try:
            return words_of(value)
        except NotWords as error:
            raise Fault(path, f"the command {shown(value)} {error}") from None
    return [_item(item, path) for item in value] if isinstance(value, list) else None


def _item(item: Any, path: Path) -> str:
    if not isinstance(item, str):
        raise _wrong(item, path, "a list of texts")
    return str(item)


def health_test(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        return ["CMD-SHELL", str(value)]
    if not isinstance(value, list):
        raise _wrong(value, path, "a command or a list")
    return [_item(item, path) for item in value] or OMITTED


def texts(value: Any, path: Path) -> Any:
    """A list of texts, or a text alone."""
    if isinstance(value, str):
        return [str(value)]
    if not isinstance(value, list):
        raise _wrong(value, path, "a text or a list of texts")
    return [_item(item, path) for item in value] or OMITTED


def texts_or_numbers(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        return [str(value)]
    return [go_text(item) for item in value] or OMITTED


def variables(value: Any, path: Path) -> Any:
    """A mapping or a list `KEY=VALUE`. A key without a value has none."""
    if isinstance(value, dict):
        return {key: None if given is None else go_text(given) for key, given in value.items()} or OMITTED
    if not isinstance(value, list):
        raise _wrong(value, path, "a mapping or a list")
    made: dict[str, Any] = {}
    for item in value:
        key, has_value, given = go_text(item).partition("=")
        if key and key[-1].isspace():
            raise Fault(path, f"the name of the variable {shown(key)} must not end with a blank")
        made[key] = given if has_value else None
    return made or OMITTED


def pairs(value: Any, path: Path) -> Any:
    """A mapping or a list `KEY=VALUE`. A key without a value has an empty one."""
    found = variables(value, ()) if isinstance(value, dict) else None
    if found is None:
        if not isinstance(value, list):
            raise _wrong(value, path, "a mapping or a list")
        found = {key: given for key, _, given in (go_text(item).partition("=") for item in value)}
    return {key: given or "" for key, given in found.items()} or OMITTED if found is not OMITTED else OMITTED


def many_options(value: Any, path: Path) -> Any:
    if not isinstance(value, dict):
        raise _wrong(value, path, "a mapping")
    return {
        key: [go_text(item) for item in (given if isinstance(given, list) else [given])] for key, given in value.items()
    } or OMITTED


def hosts(value: Any, path: Path) -> Any:
    """Additional names of hosts, as a sorted list `NAME=ADDRESS`."""
    found: list[tuple[str, str]] = []
    if isinstance(value, dict):
        for name, given in value.items():
            found += [(name, go_text(item or "")) for item in (given if isinstance(given, list) else [given])]
    else:
        for item in map(go_text, value):
            parts = re.match(r"([^=]*)=(.*)\Z" if "=" in item else r"([^:]*):(.*)\Z", item, re.DOTALL)
            if not parts:
                raise Fault(path, f"the host {shown(item)} has no address; allowed are NAME=ADDRESS and NAME:ADDRESS")
            found += [(parts[1], address) for address in parts[2].split(",")]
    made = []
    for name, address in found:
        if not name or re.search("[:=]", name):
            raise Fault(path, f"the name of the host {shown(name)} must not be empty and hold no : and =")
        is_bracketed = len(address) > 2 and address[0] == "[" and address[-1] == "]"
        made.append(f"{name}={address[1:-1] if is_bracketed else address}")
    return sorted(made) or OMITTED


def mode(value: Any, path: Path) -> Any:
    """The mode of a file: a text is octal, a number is what YAML made of it."""
    if isinstance(value, str):
        if not re.fullmatch(r"[-+]?[0-7]+", value):
            raise Fault(path, f"{shown(value)} is no octal mode such as 0440")
        value = int(value, 8)
    if not isinstance(value, int):
        raise _wrong(value, path, "a mode such as 0440")
    return f"0{value:o}"


def ulimit(value: Any, path: Path) -> Any:
    if not isinstance(value, dict):
        return value if value else {}
    return {key: value[key] for key in ("soft", "hard") if value.get(key)}


def device_count(value: Any, path: Path) -> Any:
    if isinstance(value, str) and value.lower() == "all":
        return -1
    if isinstance(value, str) and not re.fullmatch(r"[-+]?[0-9]+", value):
        raise Fault(path, f"{shown(value)} must be all or a number of devices")
    return whole(value, path)


def ssh_keys(value: Any, path: Path) -> Any:
    return sorted(f"{name}: {given}" if given else name for name, given in value.items()) or OMITTED


def anything(value: Any, path: Path) -> Any:
    return value


def list_of(kind: Kind) -> Kind:
    def decode(value: Any, path: Path) -> Any:
        if not isinstance(value, list):
            raise _wrong(value, path, "a list")
        made = [kind(item, (*path, str(index))) for index, item in enumerate(value)]
        return ["" if item is OMITTED else item for item in made] or OMITTED

    return decode


def map_of(kind: Kind) -> Kind:
    def decode(value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            raise _wrong(value, path, "a mapping")
        made = {key: None if given is None else kind(given, (*path, key)) for key, given in value.items()}
        return {key: "" if given is OMITTED else given for key, given in made.items()} or OMITTED

    return decode


def struct_of(members: dict[str, Kind], always: dict[str, Any] | None = None) -> Kind:
    """Decodes a mapping of known members. Those of `always` are there with this value when they are not given. Other
    members are extensions and left out."""

    def decode(value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            raise _wrong(value, path, "a mapping")
        made: dict[str, Any] = {}
        for key, kind in members.items():
            given = value.get(key)
            found = (always or {}).get(key, OMITTED) if given is None else kind(given, (*path, key))
            if found is not OMITTED:
                made[key] = found
        return made

    return decode
