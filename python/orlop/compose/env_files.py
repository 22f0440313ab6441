"""Files of variables: `.env`, `env_file` and `label_file`. The grammar is the reference's: quotes, comments behind
values, references to other variables, values of several lines. A bare name in a last line without a line feed
is read as in any other line; the reference makes a variable without a name of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .interpolation import Unresolved, substituted
from .source import ComposeError, Mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from .interpolation import Lookup

    Warn = Callable[[str, Mark], None]

_BLANKS = "\t\v\f\r \x85\xa0"
_ESCAPE = re.compile(r'\\(?:[abcfnrtv$"\\]|0\d{0,3})', re.ASCII)
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"'}
_TEMPLATES = ("{name}.example", "{name}.sample", "{name}.template", "{name}.dist", "{name}-example", "{name}.default")


def read_variables(
    text: str, file: str, values: dict[str, str], lookup: Lookup, warn: Warn, is_raw: bool = False
) -> None:
    """Adds the variables of a file. A value refers to those that `lookup` finds, else to those before it. Raises
    ComposeError with file and line."""
    text = text.removeprefix("\ufeff")
    if is_raw:
        _read_raw(text, file, values, lookup)
    else:
        _Parser(text, file, values, lookup, warn).parse()


def missing_file(path: str, kind: str, template_folder: Callable[[str], bool]) -> str:
    """Returns the message about a file that is not there. Names a template of it that lies in its folder."""
    folder, _, name = path.rpartition("/")
    base = f"{folder}/" if folder else ""
    stem, dot, ending = name.rpartition(".")
    names = [form.format(name=name) for form in _TEMPLATES]
    names += [f"{stem}.example.{ending}", f"example.{name}", f"example{name}"] if dot else [f"example.{name}"]
    for candidate in names:
        if template_folder(base + candidate):
            return f"the {kind} {path} is not there; its template {base}{candidate} is: copy it and fill it in"
    return f"the {kind} {path} is not there"


def _read_raw(text: str, file: str, values: dict[str, str], lookup: Lookup) -> None:
    """Takes each line as it is: quotes, `$` and `#` belong to the value."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r").lstrip(" \t\v\f\r\x85\xa0")
        if not line or line[0] == "#":
            continue
        key, has_value, value = line.partition("=")
        if not key or re.search(r"\s", key):
            raise ComposeError(
                f"the name of a variable must hold no blank and not be empty: {line[:80]}", Mark(file, number)
            )
        inherited = value if has_value else lookup(key)
        if inherited is not None:
            values[key] = inherited


class _Parser:
    """Reads statements one after another. `at` is the position in the text."""

    def __init__(self, text: str, file: str, values: dict[str, str], lookup: Lookup, warn: Warn) -> None:
        self.text, self.file, self.values, self.lookup, self.warn = text, file, values, lookup, warn
        self.at = 0

    def mark(self, at: int | None = None) -> Mark:
        return Mark(self.file, self.text.count("\n", 0, self.at if at is None else at) + 1)

    def parse(self) -> None:
        while self.skip_to_statement():
            start = self.at
            key, is_bare = self.key()
            if " " in key:
                raise ComposeError(f"the name of a variable must hold no blank: {key[:80]}", self.mark(start))
            if is_bare:
                value = self.lookup(key)
                if value is not None:
                    self.values[key] = value
            else:
                self.values[key] = self.value()

    def skip_to_statement(self) -> bool:
        """Moves behind blanks and comments. Returns whether anything is left."""
        while self.at < len(self.text):
            if self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text[self.at].isspace():
                self.at += 1
            else:
                return True
        return False

    def key(self) -> tuple[str, bool]:
        """Returns the name, and whether it stands alone in its line: then its value is the caller's."""
        if prefix := re.compile(r"export\s+").match(self.text, self.at):
            self.at += len("export")
            self.skip_blanks()
            self.at = max(self.at, prefix.end() if "\n" not in prefix.group() else self.at)
        start, at = self.at, self.at
        while at < len(self.text):
            letter = self.text[at]
            if letter in "=:\n":
                break
            if not (letter in _BLANKS or letter in "_.-[]" or letter.isalpha() or letter.isnumeric()):
                line = self.text[start:].split("\n", 1)[0]
                raise ComposeError(
                    f'the character "{letter}" is not allowed in the name of a variable: {line[:80]}', self.mark(at)
                )
            at += 1
        key = self.text[start:at].rstrip()
        is_bare = at >= len(self.text) or self.text[at] == "\n"
        self.at = min(at + 1, len(self.text))
        self.skip_blanks()
        return key, is_bare

    def skip_blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in _BLANKS:
            self.at += 1

    def value(self) -> str:
        start = self.at
        quote = self.text[start : start + 1]
        if quote in ('"', "'") and quote:
            return self.quoted(quote)
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        line = self.text[start:end]
        self.at = min(end + 1, len(self.text))
        return self.expanded(line.split(" #", 1)[0].rstrip(), start)

    def quoted(self, quote: str) -> str:
        letters: list[str] = []
        is_escaped = False
        for at in range(self.at + 1, len(self.text)):
            letter = self.text[at]
            if letter == quote and not is_escaped:
                start, self.at = self.at, at + 1
                value = "".join(letters)
                return self.expanded(_ESCAPE.sub(_unescaped, value), start) if quote == '"' else value
            if letter == "\\" and not is_escaped:
                is_escaped = True
                continue
            if is_escaped and letter != quote:
                letters.append("\\")
            is_escaped = False
            letters.append(letter)
        line = self.text[self.at :].split("\n", 1)[0]
        raise ComposeError(f"the quote that begins the value {line[:80]} is not closed", self.mark())

    def expanded(self, value: str, start: int) -> str:
        def look(name: str) -> str | None:
            found = self.lookup(name)
            return self.values.get(name) if found is None else found

        mark = self.mark(start)
        try:
            return substituted(
                value, look, lambda name: self.warn(f"the variable {name} has no value; it is taken as empty", mark)
            )
        except Unresolved as error:
            raise ComposeError(str(error), mark) from None


def _unescaped(match: re.Match[str]) -> str:
    text = match.group()
    if text == "\\$":
        return "$$"
    if text.startswith("\\0"):
        digits = text[2:]
        is_octal = len(digits) == 3 and re.fullmatch("[0-3][0-7][0-7]", digits)
        return chr(int(digits, 8)) if is_octal else "\\" + digits
    return _ESCAPES.get(text[1], text)
