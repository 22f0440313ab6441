"""The files of the project, and how a test reads them. Only Python's standard library: the tests run before anything is
installed."""

import os
import pathlib
import re
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("core", "bindings", "stores", "include", "python", "tests", "examples", "scripts", "cmake", "docs", ".ci")
CPP = {".c", ".h", ".cpp", ".hpp", ".def", ".in"}
BINARY = {".so", ".pyc", ".db", ".png"}
GENERATED = re.compile(r"\bgenerated\b.*\b(do not edit|from)\b", re.IGNORECASE)


def files(*folders: str, suffixes: set[str] | None = None) -> Iterator[pathlib.Path]:
    """Yields every text file of the given folders, sorted by name; without folders, of all folders and of the top
    level."""
    starts = [ROOT / folder for folder in folders or FOLDERS]
    found = (
        [] if folders else [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    )  # `.git` is a file in a worktree
    for start in starts:
        for place, inner, names in os.walk(start):
            inner[:] = [
                name for name in inner if not name.startswith((".", "__pycache__")) and not name.endswith(".egg-info")
            ]
            found += [pathlib.Path(place, name) for name in names]
    for path in sorted(found):
        if path.suffix not in BINARY and (suffixes is None or path.suffix in suffixes):
            yield path


def shown(path: pathlib.Path) -> str:
    """Returns the path relative to the root."""
    return path.relative_to(ROOT).as_posix()


def text_of(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8")


def is_generated(text: str) -> bool:
    return any(GENERATED.search(line) for line in text.splitlines()[:5])


_TOKENS = re.compile(
    r'R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)"'  # raw string
    r'|"(?:\\.|[^"\\\n])*"'  # string
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'"  # character, but not a digit separator
    r"|//[^\n]*"
    r"|/\*.*?\*/",
    re.DOTALL,
)


def _blank(match: re.Match[str]) -> str:
    token = match.group()
    empty = "".join(letter if letter == "\n" else " " for letter in token)
    return empty if token.startswith("/") else '"' + empty[1:-1] + '"'


def without_words(source: str) -> str:
    """Returns C++ with comments and literals blanked out: same lines, same columns."""
    return _TOKENS.sub(_blank, source)


def comments(source: str) -> Iterator[tuple[int, str]]:
    for match in _TOKENS.finditer(source):
        if match.group().startswith("/"):
            yield source.count("\n", 0, match.start()) + 1, match.group()
