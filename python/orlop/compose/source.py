"""Values of Compose files that know the file and the line they come from, and the error that names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterable

Path = tuple[str, ...]
"""Keys from the top of a file to a value. An item of a list is `[]`, or its index in a message."""


class Mark(NamedTuple):
    """A line of a file. Lines begin at 1."""

    file: str
    line: int


class ComposeError(Misuse):
    """A fault of a Compose file or of a file that it names. The message begins with file and line."""

    said: str
    """The message without file and line."""
    mark: Mark | None
    """The line, None if no line causes the fault."""

    def __init__(self, said: str, mark: Mark | None = None) -> None:
        super().__init__(f"{mark.file}:{mark.line}: {said}" if mark else said)
        self.said = said
        self.mark = mark


class Fault(Exception):
    """A fault without its line, at the path in the tree that is being read. The reader adds the line unless it is
    known."""

    def __init__(self, path: Path, said: str, mark: Mark | None = None) -> None:
        super().__init__(said)
        self.path = path
        self.said = said
        self.mark = mark


class Text(str):
    """A text that knows its line."""

    __slots__ = ("mark",)
    mark: Mark | None

    def __new__(cls, value: str, mark: Mark | None = None) -> Text:
        made = super().__new__(cls, value)
        made.mark = mark
        return made


class Timestamp(Text):
    """An unquoted date. YAML 1.2 has none, the reference has: it is no text, and written anew where one is needed."""

    __slots__ = ()


class Map(dict[str, Any]):
    """A mapping that knows its line, and the line of each key."""

    __slots__ = ("mark", "marks")

    def __init__(
        self, values: dict[str, Any] | Iterable[tuple[str, Any]] = (), mark: Mark | None = None, **more: Any
    ) -> None:
        super().__init__(values, **more)
        self.mark = mark
        self.marks: dict[str, Mark] = dict(values.marks) if isinstance(values, Map) else {}
        if mark is None and isinstance(values, Map):
            self.mark = values.mark

    def put(self, key: str, value: Any, source: Map | None = None) -> None:
        """Sets the value of a key, and its line if the mapping knows it that the value comes from."""
        self[key] = value
        if source is not None and key in source.marks:
            self.marks[key] = source.marks[key]


def mark_of(value: Any) -> Mark | None:
    """Returns the line of a value, None if it is not known."""
    return value.mark if isinstance(value, (Text, Map)) else None


def mark_at(tree: Any, path: Iterable[str | int]) -> Mark | None:
    """Returns the line of the value at the path, else of the nearest value above it that knows its line."""
    found = mark_of(tree)
    for part in path:
        if isinstance(tree, dict) and str(part) in tree:
            found = (tree.marks.get(str(part)) if isinstance(tree, Map) else None) or found
            tree = tree[str(part)]
        elif isinstance(tree, list) and str(part).isdigit() and int(part) < len(tree):
            tree = tree[int(part)]
            found = mark_of(tree) or found
        else:
            break
    return found


def copied(value: Any) -> Any:
    """Returns a deep copy that keeps the lines."""
    if isinstance(value, dict):
        made = Map(value)
        for key, inner in value.items():
            made[key] = copied(inner)
        return made
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def same(one: Any, other: Any) -> bool:
    """Reports whether two values are equal and of equal types: 1, 1.0 and true are three values."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return type(one) is type(other) and bool(one == other)


def shown_path(path: Iterable[str | int]) -> str:
    """Returns the path as messages have it: `services.web.ports[1].target`."""
    text = ""
    for part in path:
        if isinstance(part, int) or part.isdigit():
            text += f"[{part}]"
        else:
            text += f".{part}" if text and part != "[]" else part
    return text


def kind_of(value: Any) -> str:
    """Returns the kind of a value as messages have it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else "a text"


def shown(value: Any) -> str:
    """Returns a short form of a value for messages."""
    if isinstance(value, (dict, list)) or value is None:
        return kind_of(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    text = text if len(text) <= 80 else text[:77] + "..."
    return f'"{text}"' if isinstance(value, str) else text
