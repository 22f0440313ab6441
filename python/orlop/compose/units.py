"""Sizes, durations, numbers and command lines, read and written as the reference library reads and writes them."""

from __future__ import annotations

import re
import struct

_SIZE = re.compile(r"(.*[0-9.])([^0-9. ]*)\Z|(.*) ([^0-9. ]*)\Z", re.DOTALL)
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}
_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
    "w": 604_800_000_000_000,
}
SIZES = "allowed are bytes such as 1048576 and units such as 64k, 512m, 1.5g, 1gb, 1gib"
DURATIONS = "a duration needs a unit: allowed are w, d, h, m, s, ms, us and ns, such as 30s or 1m30s"


def size_of(text: str) -> int:
    """Returns the number of bytes. Units are powers of 1024. Raises ValueError."""
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    found = _SIZE.match(text)
    if not found:
        raise ValueError(SIZES)
    number, unit = (found[1], found[2]) if found[1] is not None else (found[3], found[4])
    unit = unit.lower()
    if not _NUMBER.fullmatch(number) or len(unit) > 3 or float(number) < 0:
        raise ValueError(SIZES)
    if unit in ("", "b"):
        return int(float(number))
    if unit[0] not in _UNITS or unit[1:] not in ("", "b", "ib"):
        raise ValueError(SIZES)
    return int(float(number) * _UNITS[unit[0]])


def nanoseconds_of(text: str) -> int:
    """Returns the duration in nanoseconds. Raises ValueError."""
    sign = -1 if text.startswith("-") else 1
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0
    total, at = 0, 0
    for part in re.finditer(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)", rest):
        whole, fraction, unit = part.groups()
        if part.start() != at or not (whole or fraction) or unit not in _NANOSECONDS:
            raise ValueError(DURATIONS)
        at = part.end()
        total += int(whole or 0) * _NANOSECONDS[unit]
        total += int(int(fraction or 0) * (_NANOSECONDS[unit] / 10 ** len(fraction or "")))
    if at != len(rest) or not rest or total >= 1 << 63:
        raise ValueError(DURATIONS)
    return sign * total


def shown_duration(nanoseconds: int) -> str:
    """Returns a duration as the reference writes it: `1m30s`, `1h0m0s`, `1.5ms`, `0s`."""
    sign, left = ("-" if nanoseconds < 0 else ""), abs(nanoseconds)
    if left == 0:
        return "0s"
    if left < 1_000_000_000:
        unit, size = next((unit, size) for unit, size in (("ms", 10**6), ("µs", 10**3), ("ns", 1)) if left >= size)
        return f"{sign}{_decimal(left, size)}{unit}"
    minutes, left = divmod(left, _NANOSECONDS["m"])
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(left, 10**9)}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return sign + (f"{hours}h{text}" if hours else text)


def _decimal(value: int, unit: int) -> str:
    whole, rest = divmod(value, unit)
    digits = str(rest).zfill(len(str(unit)) - 1).rstrip("0") if rest else ""
    return f"{whole}.{digits}" if digits else str(whole)


def single_precision(value: float) -> float:
    """Returns the shortest number that is the same in 32 bits: the reference keeps processors so."""
    rounded = struct.unpack("f", struct.pack("f", value))[0]
    for digits in range(1, 10):
        shortest = float(f"{rounded:.{digits}g}")
        if struct.unpack("f", struct.pack("f", shortest))[0] == rounded:
            return shortest
    return float(rounded)


_NO_SHELL = "no shell runs: put it in quotes, or call sh -c"


class NotWords(ValueError):
    """A command line that cannot be split. The message says why."""


def words_of(line: str) -> list[str]:
    """Splits a command line into words, as the reference does where no shell runs. Raises NotWords, also where the
    reference would leave out the rest of the line without a message."""
    words: list[str] = []
    word, has_word, is_escaped = "", False, False
    quotes = dict.fromkeys("'\"`)", False)  # which are open; ) stands for $(
    for letter in line:
        if is_escaped:
            word, has_word, is_escaped = word + letter, True, False
        elif letter == "\\" and not quotes["'"]:
            is_escaped = True
        elif letter in " \t\r\n" and not any(quotes.values()):
            words += [word] if has_word else []
            word, has_word = "", False
        elif letter in "'\"" and not quotes[")"] and not quotes['"' if letter == "'" else "'"]:
            has_word = has_word or quotes[letter]
            quotes[letter] = not quotes[letter]
        elif letter in ";&|<>" and not any(quotes.values()):
            raise NotWords(f"holds {letter} outside of quotes, and {_NO_SHELL}, such as [sh, -c, …]")
        else:
            is_blank = letter in " \t\r\n"
            word, has_word = word + letter, has_word or not is_blank
            _open(quotes, word)
    if any(quotes.values()) or is_escaped:
        raise NotWords("holds a quote, a backslash or a bracket that is not closed")
    return [*words, word] if has_word else words


def _open(quotes: dict[str, bool], word: str) -> None:
    """Follows backquotes and brackets, which stay in the word that they end."""
    letter = word[-1]
    if letter == "`" and not (quotes["'"] or quotes['"'] or quotes[")"]):
        quotes["`"] = not quotes["`"]
    elif letter in "()" and not (quotes["'"] or quotes['"'] or quotes["`"]):
        if letter == "(" and (quotes[")"] or not word.endswith("$(")):
            raise NotWords(f"holds ( outside of quotes, and {_NO_SHELL}")
        quotes[")"] = letter == "(" or not quotes[")"]
