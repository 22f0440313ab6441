"""YAML as the reference library reads it: numbers of YAML 1.2, texts like `on` and `22:22`, octal numbers that begin
with 0, merge keys, and the tags `!reset` and `!override`."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .source import ComposeError, Map, Mark, Path, Text, Timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator

VALUES_MAX = 100_000
"""Values of a document, those that aliases repeat included."""
_DEPTH_MAX = 200
_TAGS = "tag:yaml.org,2002:"
_CONSTANTS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys(("-0", "-0.0"), -0.0),
}
_NUMBER = re.compile(
    r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9][0-9]*))\Z"  # as Go reads base 0
)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_DATE = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:([Tt ])(\d{1,2}):(\d{1,2}):(\d{1,2})(\.\d{1,9})?(Z|[-+]\d\d:\d\d)?)?\Z"
)


class Document(NamedTuple):
    """A document of a file, and the paths that `!reset` and `!override` take from the files before it."""

    value: Any
    removed: list[Path]


class _Node:
    """A node of a document. `value` is a text, a list of nodes, or a list of pairs of nodes."""

    __slots__ = ("is_plain", "line", "tag", "value")

    def __init__(self, tag: str, value: Any, line: int, is_plain: bool = False) -> None:
        self.tag, self.value, self.line, self.is_plain = tag, value, line, is_plain


def documents(text: str, file: str) -> Iterator[Document]:
    """Yields the documents of a file. Raises ComposeError with file and line for what is no YAML."""
    import yaml

    try:
        for node in _nodes(text, file):
            builder = _Builder(file)
            value = builder.value(node, ())
            yield Document(value, builder.removed)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = f"this is not YAML: {error.problem or error.context}"
        if error.problem == "found unexpected ':'":  # The reference takes the colon for a part of the key.
            said = "a key in braces needs a blank behind its colon: {A: }"
        raise ComposeError(said, Mark(file, mark.line + 1 if mark else 1)) from None
    except yaml.YAMLError as error:
        raise ComposeError(f"this is not YAML: {str(error).splitlines()[0]}", Mark(file, 1)) from None


def _nodes(text: str, file: str) -> Iterator[_Node]:
    """Yields the root of each document. An alias is the very node that it names; an anchor may be defined anew."""
    import yaml

    anchors: dict[str, _Node] = {}
    stack: list[_Node] = []
    root: _Node | None = None
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        line = event.start_mark.line + 1
        node: _Node
        if isinstance(event, yaml.ScalarEvent):
            node = _Node(event.tag or "", event.value, line, event.implicit[0] and not event.tag)
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            node = _Node(event.tag or "", _Pairs() if isinstance(event, yaml.MappingStartEvent) else [], line)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise ComposeError(
                    f"the alias *{event.anchor} has no anchor &{event.anchor} above it", Mark(file, line)
                )
            node = anchors[event.anchor]
        else:
            if isinstance(event, yaml.DocumentStartEvent):
                anchors, root = {}, None
            elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                stack.pop()
            elif isinstance(event, yaml.DocumentEndEvent) and root is not None:
                yield root
            continue
        if not isinstance(event, yaml.AliasEvent) and event.anchor:
            anchors[event.anchor] = node
        if stack:
            stack[-1].value.append(node)
        else:
            root = node
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            stack.append(node)
            if len(stack) > _DEPTH_MAX:
                raise ComposeError(f"the file is nested deeper than {_DEPTH_MAX} levels", Mark(file, line))


class _Pairs(list[Any]):
    """The keys and values of a mapping in turns."""


class _Builder:
    """Makes values of the nodes of one document."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.removed: list[Path] = []
        self.count = 0
        self.open: list[_Node] = []

    def error(self, node: _Node, said: str) -> ComposeError:
        return ComposeError(said, Mark(self.file, node.line))

    def value(self, node: _Node, path: Path) -> Any:
        """Returns the value of the node. The path is noted of everything that is tagged `!reset` or `!override`."""
        self.count += 1
        if self.count > VALUES_MAX:
            raise self.error(node, f"the file has more than {VALUES_MAX} values; aliases count for what they repeat")
        if node.tag == "!override":
            self.removed.append(path)
        if isinstance(node.value, str):
            return self.scalar(node)
        if node in self.open:
            raise self.error(node, "an alias refers to a value that holds the alias itself")
        self.open.append(node)
        try:
            return self.mapping(node, path) if isinstance(node.value, _Pairs) else self.sequence(node, path)
        finally:
            self.open.pop()

    def sequence(self, node: _Node, path: Path) -> list[Any]:
        return [self.value(item, (*path, "[]")) for item in node.value if item.tag != "!reset"]

    def mapping(self, node: _Node, path: Path) -> Map:
        made = Map(mark=Mark(self.file, node.line))
        seen: dict[str, int] = {}
        merged: list[_Node] = []
        for key_node, value_node in zip(node.value[::2], node.value[1::2], strict=True):
            key = self.key(key_node)
            if key in seen:
                raise self.error(key_node, f"the key {key} is defined twice, first in line {seen[key]}")
            seen[key] = key_node.line
            is_merge = key == "<<" and (key_node.is_plain or key_node.tag == f"{_TAGS}merge")
            inner = path if is_merge else (*path, key)
            if value_node.tag == "!reset":
                self.removed.append(inner)
            elif is_merge:
                merged.append(value_node)
            else:
                made[key] = self.value(value_node, inner)
                made.marks[key] = Mark(self.file, key_node.line)
        for value_node in merged:
            self.merge(made, value_node, path)
        return made

    def merge(self, made: Map, node: _Node, path: Path) -> None:
        """Adds the members that a merge key brings. The mapping's own win, then those of the first in a list."""
        sources = node.value if isinstance(node.value, list) and not isinstance(node.value, _Pairs) else [node]
        for source in sources:
            if not isinstance(source.value, _Pairs):
                raise self.error(source, "a merge key << takes a mapping, or a list of mappings")
            for key, value in (found := self.value(source, path)).items():
                if key not in made:
                    made.put(key, value, found)

    def key(self, node: _Node) -> str:
        value = self.scalar(node) if isinstance(node.value, str) else None
        if node.value == "<<" or (isinstance(value, Text) and not isinstance(value, Timestamp)):
            return str(node.value)
        shown = node.value if isinstance(node.value, str) else "a mapping or list"
        raise self.error(node, f"a key must be a text, not {shown or 'nothing'}: put it in quotes")

    def scalar(self, node: _Node) -> Any:
        mark = Mark(self.file, node.line)
        tag = node.tag.removeprefix(_TAGS) if node.tag.startswith(_TAGS) else node.tag
        if not node.is_plain and not tag or tag not in ("", "bool", "int", "float", "null", "timestamp"):
            return Text(node.value, mark)
        value = resolved(node.value, mark)
        if tag == "float" and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        kinds = {"bool": bool, "int": int, "float": float, "null": type(None), "timestamp": Timestamp}
        if tag and not (isinstance(value, kinds[tag]) and (tag != "int" or not isinstance(value, bool))):
            raise self.error(node, f"{node.value} is not of the type that its tag !!{tag} names")
        return value


def resolved(text: str, mark: Mark | None = None) -> Any:
    """Returns the value of an unquoted scalar: nothing, a boolean, a number, a date, else the text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] == "." and re.fullmatch(r"\.[0-9](_?[0-9])*([eE][-+]?[0-9](_?[0-9])*)?", text):
        return float(text)
    if text[0] not in "+-0123456789":
        return Text(text, mark)
    if date := _timestamp(text):
        return Timestamp(date, mark)
    plain = text.replace("_", "")
    if number := _NUMBER.match(plain):
        digits = next((index, part) for index, part in enumerate(number.groups()[1:]) if part is not None)
        whole = int(digits[1], (16, 8, 2, 8, 10)[digits[0]]) * (-1 if number[1] == "-" else 1)
        if -(1 << 63) <= whole < (1 << 64) and (whole < 1 << 63 or number[1] == ""):
            return whole
    if _FLOAT.match(plain):
        return float(plain)
    return Text(text, mark)


def _timestamp(text: str) -> str | None:
    """Returns the date as the reference writes it, None if the text is none."""
    found = _DATE.match(text)
    if not found:
        return None
    year, month, day, separator, hour, minute, second, fraction, zone = found.groups()
    if separator and (separator == " ") == bool(zone):
        return None  # With a blank there is no time zone, else there is one.
    try:
        day_of = datetime.datetime(int(year), int(month), int(day))
        at = day_of.replace(hour=int(hour or 0), minute=int(minute or 0), second=int(second or 0))
    except ValueError:
        return None
    fraction = (fraction or "").rstrip("0").rstrip(".")
    offset = "+0000 UTC" if zone in (None, "Z", "+00:00") else f"{zone[:3]}{zone[4:]} {zone[:3]}{zone[4:]}"
    return f"{at:%Y-%m-%d %H:%M:%S}{fraction} {offset}"
