"""Removal of secret values from the output of commands."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote, quote_plus

MARK = "***"
VALUE_SIZE_MIN = 6  # bytes; shorter values occur everywhere
_GROUP = 3  # bytes that Base64 encodes together
_SHARED = (0, 3, 2)  # letters at the end that hold bits of what follows or are padding, by the bytes over
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_PERCENT = re.compile("%[0-9A-F]{2}")
_HTML_IN_JSON = {"&": "\\u0026", "<": "\\u003c", ">": "\\u003e"}  # as Go writes JSON
# Members of a file of settings, in YAML, JSON or the form NAME=value.
_MEMBER = re.compile(
    r"""(?<![\w.-])([\w.-]{1,64})["']?\s{0,8}[:=]\s{0,8}(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s,}'"]+))"""
)
_SECRET_NAME = re.compile("(?:pass|passwd|password|secret|token|key|credentials?|auth)(?:[-_]?data)?$", re.IGNORECASE)


class _Form(NamedTuple):
    text: str
    has_head: bool = False  # the letter before it holds bits of the value
    has_tail: bool = False  # the letter after it holds bits of the value


class SecretMask:
    """Finds secret values of at least 6 bytes in a text as they are, in Base64 at any offset, percent-encoded and
    escaped as in JSON. Of a value of several lines also each line, because lines may occur in separate texts."""

    def __init__(self, values: Iterable[str]) -> None:
        parts = {part for value in values for part in (value, *_lines(value))}
        self._forms = sorted({form for part in parts for form in _forms(part) if _is_long(form.text)})
        self.longest = max((len(form.text) for form in self._forms), default=0)

    def is_in(self, text: str) -> bool:
        return any(form.text in text for form in self._forms)

    def masked(self, text: str, size: int | None = None) -> str:
        """Returns the first `size` characters of the text, with the mark instead of each value. A value that begins
        within them is masked as a whole."""
        size = len(text) if size is None else size
        result, after = [], 0
        for begin, end in self._parts(text):
            if begin >= size:
                break
            result += [text[after:begin], MARK]
            after = end
        return "".join([*result, text[after : max(after, size)]])

    def _parts(self, text: str) -> Iterator[tuple[int, int]]:
        """Yields the parts of the text that hold secrets, in ascending order, overlapping ones merged."""
        begin = end = 0
        for first, last in sorted(part for form in self._forms if form.text in text for part in _found(text, form)):
            if first > end:
                if end:
                    yield begin, end
                begin = first
            end = max(end, last)
        if end:
            yield begin, end


def secrets_in(contents: str) -> list[str]:
    """Returns the values in a file of settings whose names say that they are secret."""
    values = []
    for name, quoted, single, plain in _MEMBER.findall(contents):
        if _SECRET_NAME.search(name):
            values.append(quoted or single or plain)
            if "\\" in quoted:
                try:
                    values.append(str(json.loads(f'"{quoted}"')))
                except ValueError:
                    continue
    return values


def _is_long(text: str) -> bool:
    return len(text.encode()) >= VALUE_SIZE_MIN


def _lines(value: str) -> list[str]:
    """Returns the lines of a value, which may be a JSON document with escaped line ends."""
    return [line.strip() for line in value.replace("\\n", "\n").splitlines()]


def _forms(value: str) -> Iterator[_Form]:
    if not _is_long(value):
        return
    yield _Form(value)
    for encoded in (quote(value), quote(value, safe=""), quote_plus(value)):
        yield _Form(encoded)
        yield _Form(_PERCENT.sub(lambda code: code.group().lower(), encoded))
    for is_ascii in (True, False):
        escaped = json.dumps(value, ensure_ascii=is_ascii)[1:-1]
        for each in (escaped, "".join(_HTML_IN_JSON.get(letter, letter) for letter in escaped)):
            yield _Form(each)
            yield _Form(each.replace("/", "\\/"))
    yield from _base64_forms(value.encode())


def _base64_forms(value: bytes) -> Iterator[_Form]:
    """Yields the letters that hold only bits of the value, for each offset in a group of bytes."""
    for before in range(_GROUP):
        text = base64.b64encode(bytes(before) + value).decode()
        over = (before + len(value)) % _GROUP
        text = text[before and before + 1 : len(text) - _SHARED[over]]
        for each in (text, text.replace("+", "-").replace("/", "_")):
            yield _Form(each, before != 0, over != 0)


def _found(text: str, form: _Form) -> Iterator[tuple[int, int]]:
    begin = text.find(form.text)
    while begin >= 0:
        end = begin + len(form.text)
        first = begin - (form.has_head and begin > 0 and text[begin - 1] in _LETTERS)
        if form.has_tail and text[end : end + 1] in _LETTERS:
            end += 1
            while text[end : end + 1] == "=":
                end += 1
        yield first, end
        begin = text.find(form.text, begin + 1)
