"""What a Dockerfile declares: its build arguments and the images of its stages.

The parser reads what decides on these: parser directives, comments, continued lines, heredocs, `ARG` and `FROM`. The
libraries for it take the lines of heredocs for instructions, or need a compiler to install.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

_DIRECTIVE = re.compile(r"#\s*(\w+)\s*=\s*(\S+)\s*")
_HEREDOC = re.compile(r"<<(-?)\s*([\"']?)(\w+)\2")
_WITH_HEREDOCS = ("RUN", "COPY", "ADD")
_NAME = re.compile(r"[A-Za-z_]\w*")
_REFERENCE = re.compile(r"\\?\$(?:\{(\w+)(?:(:?[-+])([^}]*))?\}|(\w+))")


class Declarations(NamedTuple):
    arguments: list[str]
    images: list[str]


def declarations(text: str) -> Declarations:
    """Returns the names of all `ARG` in their order, each once, and the images that stages begin with. References to
    arguments are replaced by their defaults. An earlier stage and `scratch` are no images."""
    arguments: dict[str, None] = {}
    images: dict[str, None] = {}
    defaults: dict[str, str] = {}  # of the arguments above the first stage, which FROM may use
    stages: set[str] = set()
    has_stage = False
    for keyword, rest in _instructions(text):
        if keyword == "ARG":
            for name, default in _assignments(rest):
                arguments.setdefault(name)
                if not has_stage:
                    defaults[name] = _replaced(default, defaults)
        elif keyword == "FROM":
            has_stage = True
            parts = [part for part in rest.split() if not part.startswith("--")]
            image = _replaced(parts[0].strip("\"'"), defaults) if parts else ""
            if image and image.lower() != "scratch" and image.lower() not in stages:
                images.setdefault(image)
            if len(parts) >= 3 and parts[1].lower() == "as":
                stages.add(parts[2].lower())
    return Declarations(list(arguments), list(images))


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yields keyword and arguments of each instruction."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    escape = _escape_of(lines)
    at = 0
    while at < len(lines):
        joined, at = _joined(lines, at, escape)
        keyword, _, rest = joined.strip().partition(" ")
        if not keyword:
            continue
        keyword = keyword.upper()
        yield keyword, rest.strip()
        if keyword in _WITH_HEREDOCS:
            for tab, _, end in _HEREDOC.findall(rest):
                at = _after(lines, at, end, bool(tab))


def _joined(lines: list[str], at: int, escape: str) -> tuple[str, int]:
    """Returns an instruction in one line, and the number of the line behind it."""
    parts: list[str] = []
    while at < len(lines):
        line = lines[at].replace("\t", " ")
        at += 1
        if line.lstrip().startswith("#") or (parts and not line.strip()):
            continue  # comments and empty lines do not end a continued line
        stripped = line.rstrip()
        if stripped.endswith(escape):
            parts.append(stripped[:-1])
            continue
        parts.append(line)
        break
    return "".join(parts), at


def _escape_of(lines: list[str]) -> str:
    """Returns the letter that continues lines. A directive stands above everything else."""
    for line in lines:
        found = _DIRECTIVE.fullmatch(line.strip())
        if found is None:
            break
        if found[1].lower() == "escape" and found[2] in ("`", "\\"):
            return found[2]
    return "\\"


def _after(lines: list[str], at: int, end: str, has_tabs: bool) -> int:
    """Returns the number of the line behind a heredoc; without its end, that behind the last line."""
    while at < len(lines):
        line = lines[at].lstrip("\t") if has_tabs else lines[at]
        at += 1
        if line == end:
            break
    return at


def _assignments(rest: str) -> Iterator[tuple[str, str]]:
    try:
        parts = shlex.split(rest)
    except ValueError:  # a quotation mark without its other one
        parts = rest.split()
    for part in parts:
        name, _, default = part.partition("=")
        if _NAME.fullmatch(name):
            yield name, default


def _replaced(text: str, values: dict[str, str]) -> str:
    """Returns a text with references to arguments replaced. One without a value stays as it is."""

    def value_of(found: re.Match[str]) -> str:
        if found[0].startswith("\\"):
            return found[0]
        name = found[1] or found[4]
        value = values.get(name, "")
        if found[2] and found[2].endswith("-"):
            return value or (found[3] or "")
        if found[2] and found[2].endswith("+"):
            return (found[3] or "") if value else ""
        return value or found[0]

    return _REFERENCE.sub(value_of, text)
