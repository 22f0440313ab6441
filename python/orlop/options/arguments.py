"""Checks of arguments. An argument that is refused raises `Misuse`: one sentence that names the argument, what was
given and what is allowed.

Options that the core itself checks (text, numbers, values of an enumeration) are not checked here.
"""

from __future__ import annotations

import os

from ..errors import Misuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_SHOWN_MAX = 80  # characters
_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_DURATION = r"(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h|d))+"
_MILLISECONDS_MIN = 0.999  # below the resolution of the clock, with a margin for sums of floats
_MILLISECONDS_MAX = 1000 * 366 * _UNITS["d"]  # the core's bound
_NUMBER_MAX = 1e15
SPEED_MAX = 1e9  # virtual seconds in a second of real time


def shown(given: object) -> str:
    """Returns the argument as an error quotes it."""
    if given is not None and not isinstance(given, (str, int, float)):
        return f"an object of the type {type(given).__name__}"
    try:
        text = ascii(given)
    except ValueError:  # an int with more digits than Python formats
        return "a number of too many digits"
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "…"


def text(what: str, given: object) -> str:
    """Returns a text that UTF-8 can encode."""
    if not isinstance(given, str):
        raise Misuse(f"{what} must be text (str), not {shown(given)}")
    if not given.isascii():
        try:
            given.encode()
        except UnicodeEncodeError:
            raise Misuse(f"{what} must be text that UTF-8 can hold: {shown(given)} holds a lone surrogate") from None
    return given


def segment(what: str, given: object) -> str:
    """Returns one segment of a request's path, percent-encoded where needed. Refuses a slash, which changes the path
    even if encoded."""
    found = text(what, given)
    if not found or "/" in found:
        raise Misuse(f"{what} must be an id, a UUID of 36 characters, not {shown(found)}")
    return percent_encoded(found)


def fold_case(name: str) -> str:
    """Returns a name as the engine compares it: by Unicode's simple case folding, which maps each letter to one
    letter."""
    return (
        name.lower()
        if name.isascii()
        else "".join(
            next((folded for folded in (letter.casefold(), letter.lower()) if len(folded) == 1), letter)
            for letter in name
        )
    )


def percent_encoded(given: str) -> str:
    """Returns the text percent-encoded for the target of a request."""
    if given.isascii() and given.replace("-", "").isalnum():
        return given
    from urllib.parse import quote

    return quote(given, safe="")


def event_id(what: str, given: object) -> str:
    """Returns an id as events have it, or "" for none."""
    import re

    found = text(what, given).lower()
    if found and re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", found) is None:
        raise Misuse(f"{what} must be an id, a UUID of 36 characters, not {shown(given)}")
    return found


def id_of(what: str, given: object) -> str:
    """Returns the id of an object, such as a resource or a deployment, or an id that is given as text."""
    from ..base.live_objects import Live

    return text(what, getattr(given, "id", given) if isinstance(given, Live) else given)


def given_id(what: str, given: object) -> str | None:
    """As `id_of`; returns None for None."""
    return None if given is None else id_of(what, given)


def number(what: str, given: object) -> float:
    """Returns a finite int or float; refuses a bool."""
    if isinstance(given, (int, float)) and not isinstance(given, bool) and abs(given) <= _NUMBER_MAX:
        return given
    raise Misuse(f"{what} must be a finite number of at most {_NUMBER_MAX:g}, not {shown(given)}")


def whole(what: str, given: object, least: int, most: int) -> int:
    """Returns an int within these bounds; refuses a bool."""
    if isinstance(given, int) and not isinstance(given, bool) and least <= given <= most:
        return given
    raise Misuse(f"{what} must be a whole number of {least} to {most}, not {shown(given)}")


def state_name(what: str, given: object) -> str:
    """Returns the name of a state of services, clusters, environments and deployments."""
    from ..generated.states import PHASE_OF_STATE

    found = text(what, given)
    if found not in PHASE_OF_STATE:
        raise Misuse(
            f"{what} must be a state such as DEPLOYED, not {shown(given)}{nearest_hint(found.upper(), PHASE_OF_STATE)}"
        )
    return found


def event_kind(what: str, given: object) -> str:
    """Returns the kind of an event, or a pattern with the wildcards `*` and `?` that some kinds match."""
    from fnmatch import fnmatchcase

    from ..generated.event_names import CHANGES

    found = text(what, given)
    noun, _, change = found.partition(".")
    if change not in CHANGES.get(noun, "").split():
        known = [f"{each}.{name}" for each, changes in CHANGES.items() for name in changes.split()]
        if not any(fnmatchcase(kind, found) for kind in known):
            raise Misuse(
                f"{what} must be the kind of an event such as service.deployed, or a pattern for some, not "
                f"{shown(given)}{nearest_hint(found.lower(), known)}"
            )
    return found


def family_name(what: str, given: object) -> str:
    from ..generated.event_names import CHANGES

    found = text(what, given)
    if found not in CHANGES:
        raise Misuse(
            f"{what} must be the family of a resource such as container, not "
            f"{shown(given)}{nearest_hint(found.lower(), CHANGES)}"
        )
    return found


def event_value(what: str, given: object) -> str:
    """Returns a value that `from` and `to` of an event can have."""
    from ..generated.event_names import VALUES

    found = text(what, given)
    if found not in VALUES.split():
        raise Misuse(
            f"{what} must be what an event leads to, such as DEPLOYED or RUNNING, not "
            f"{shown(given)}{nearest_hint(found.upper(), VALUES.split())}"
        )
    return found


def nearest_hint(given: str, known: Iterable[str]) -> str:
    """Returns the end of a refusal, which names the nearest known name; "" if none is near."""
    import difflib

    found = difflib.get_close_matches(given, list(known), 1)
    return f"; the nearest known one is {found[0]}" if found else ""


def milliseconds(what: str, given: object, least: int = 0) -> int:
    """Converts a number of seconds, or a text like "30s", "1h30m" or "250ms". Rounds fractions of a millisecond;
    refuses less than one."""
    if isinstance(given, str):
        import re

        if re.fullmatch(_DURATION, given) is None or len(given) > _SHOWN_MAX:
            raise Misuse(
                f"{what} must be a duration like 30s, 2m30s or 250ms, or a number of seconds, not {shown(given)}"
            )
        parts = re.findall(r"([0-9.]+)([a-z]+)", given)
        exact = sum(float(count) * _UNITS[unit] for count, unit in parts)
    else:
        exact = number(what, given) * 1000
    if 0 < exact < _MILLISECONDS_MIN:
        raise Misuse(
            f"{what} must be 0 or at least 1 millisecond, which is the resolution of the clock, not {shown(given)}"
        )
    found = round(exact)
    if not least <= found <= _MILLISECONDS_MAX:
        raise Misuse(f"{what} must be {least} to {_MILLISECONDS_MAX} milliseconds, not {shown(given)}")
    return found


def timeout_of(given: object) -> float | None:
    """Returns the seconds to wait, from a number or a text like "30s"; None: no limit."""
    if given is None:
        return None
    seconds = milliseconds("timeout", given) / 1000 if isinstance(given, str) else number("timeout", given)
    if seconds < 0:
        raise Misuse(f"timeout must be 0 or more seconds, or None, not {shown(given)}")
    return seconds


def mappings(name: str, given: object) -> list[dict[str, Any]]:
    """Returns the mappings of a list or another iterable. Raises `Misuse` for anything else."""
    from collections.abc import Iterable, Mapping

    if isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping)):
        found = list(given)
        if all(isinstance(entry, Mapping) for entry in found):
            return [dict(entry) for entry in found]
    raise Misuse(f"{name} must be a list of mappings, not {shown(given)}")


def texts(what: str, given: Iterable[str]) -> list[str]:
    """Returns the entries of an iterable as a list; refuses a text. The core checks the entries."""
    try:
        if isinstance(given, (str, bytes)):
            raise TypeError
        entries = iter(given)
    except TypeError:
        raise Misuse(f"{what} must be a list, not {shown(given)}") from None
    return list(entries)


def path(what: str, given: str | os.PathLike[str]) -> str:
    try:
        found = os.fsdecode(given)
    except TypeError:
        raise Misuse(f"{what} must be a path (str or os.PathLike), not {shown(given)}") from None
    if "\0" in found:
        raise Misuse(f"{what} must be a path without zero bytes, not {shown(found)}")
    return found


def flag(what: str, given: object) -> bool:
    """Returns `given`. Raises `Misuse` unless it is True or False."""
    if not isinstance(given, bool):
        raise Misuse(f"{what} must be True or False, not {shown(given)}")
    return given


def callback(what: str, given: object) -> None:
    """Checks a port or another callable of the host. Allows None; refuses a class in place of its instance."""
    if isinstance(given, type):
        raise Misuse(f"{what} must be an instance, {given.__name__}(…), not the class {given.__name__}")
    if given is not None and not callable(given):
        raise Misuse(f"{what} must be callable, not {shown(given)}")


def truth_of(answer: object, what: str) -> bool:
    """Returns the truth value of an answer of a host's function. Refuses a coroutine or a generator, which is always
    true."""
    import inspect

    is_awaited = inspect.isawaitable(answer)
    if is_awaited or inspect.isgenerator(answer) or inspect.isasyncgen(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise Misuse(
            f"{what} must be a function that answers at once, not one that is {'awaited' if is_awaited else 'iterated'}"
        )
    return bool(answer)
