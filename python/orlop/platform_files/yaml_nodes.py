"""YAML as nodes that know their lines. Every fault names file, line and column."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from ..errors import Misuse
from ..options.arguments import shown, text

SIZE_MAX = 4 << 20  # bytes of a file
_NODES_MAX = 200_000  # aliases let a small file describe a large tree
_PLAIN = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_KINDS = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", type(None): "null"}


class FileError(Misuse):
    """A fault of a file. The message begins with file, line and column."""


class Node(NamedTuple):
    """A value of a file: a dict of nodes, a list of nodes, or a scalar."""

    value: Any
    written: str
    """A scalar as it is written; "" for others."""
    file: str
    line: int
    column: int
    keys: dict[str, tuple[int, int]]
    """Line and column of each key of a mapping."""

    def error(self, said: str, key: str | None = None) -> FileError:
        """Returns the error about this value, or about one of its keys."""
        line, column = (self.line, self.column) if key is None else self.keys.get(key, (self.line, self.column))
        shown_text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in said)
        return FileError(f"{self.file}:{line}:{column}: {shown_text}")

    @property
    def kind(self) -> str:
        """What the value is, as errors name it."""
        return _KINDS.get(type(self.value), "a number")

    def mapping(self, name: str) -> dict[str, Node]:
        """Returns the members; none for null. Raises `FileError` if the value is no mapping."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict):
            raise self.error(f"{name} must be a mapping, not {self.shown}")
        return self.value

    def items(self, name: str) -> list[Node]:
        """Returns the entries; none for null. Raises `FileError` if the value is no list."""
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            raise self.error(f"{name} must be a list, not {self.shown}")
        return self.value

    def text(self, name: str) -> str:
        """Returns a scalar as it is written. Raises `FileError` for any other value, and for an empty text."""
        if isinstance(self.value, dict | list) or self.value is None or self.written == "":
            raise self.error(f"{name} must be text, not {self.shown}")
        return self.written

    def flag(self, name: str) -> bool:
        """Returns true or false. Raises `FileError` for any other value."""
        if not isinstance(self.value, bool):
            raise self.error(f"{name} must be true or false, not {self.shown}")
        return self.value

    @property
    def shown(self) -> str:
        """The value as an error quotes it."""
        if isinstance(self.value, dict | list):
            return self.kind
        return "null" if self.value is None else shown(self.value)


def parse(content: bytes, file: str) -> Node:
    """Parses the contents of a file. Raises `FileError`."""
    try:
        import yaml
    except ImportError as error:
        raise Misuse("PyYAML is missing, which reads platform files: pip install 'orlop[up]'") from error
    if len(content) > SIZE_MAX:
        raise FileError(f"{file}:1:1: the file must have at most {SIZE_MAX} bytes, not {len(content)}")
    try:
        root = yaml.compose(text("the file", content.decode()), _loader())
        return Node(None, "", file, 1, 1, {}) if root is None else _Reader(file).node(root, ())
    except UnicodeDecodeError as error:
        raise FileError(f"{file}:1:1: the file must be text in UTF-8: {error.reason} at byte {error.start}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        raise FileError(f"{file}:{where}: this is not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise FileError(f"{file}:1:1: this is not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise FileError(f"{file}:1:1: the file is nested too deeply") from None


def plain(text: str) -> Any:
    """Returns a text as a file would hold it without quotation marks: as a number, true, false or null, if it is
    one."""
    import yaml

    loader = _loader()("")
    try:
        tag = loader.resolve(yaml.ScalarNode, text, (True, False))
        return loader.construct_object(yaml.ScalarNode(tag, text))
    except Exception:  # PyYAML raises several kinds
        return text
    finally:
        loader.dispose()


class _Reader:
    """Turns the nodes of PyYAML into nodes."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._count = 0

    def node(self, given: Any, above: tuple[int, ...]) -> Node:
        """Returns the node. `above`: identities of those that hold it, to refuse a node that holds itself."""
        import yaml

        line, column = given.start_mark.line + 1, given.start_mark.column + 1
        self._count += 1
        if self._count > _NODES_MAX:
            raise FileError(f"{self._file}:{line}:{column}: the file has more than {_NODES_MAX} values")
        if id(given) in above:
            raise FileError(f"{self._file}:{line}:{column}: the value holds itself, by an alias")
        if not isinstance(given, yaml.ScalarNode) and given.tag not in _PLAIN:
            raise FileError(f"{self._file}:{line}:{column}: the tag {given.tag} is not read: leave it out")
        inside = (*above, id(given))
        if isinstance(given, yaml.SequenceNode):
            found: Any = [self.node(item, inside) for item in given.value]
            return Node(found, "", self._file, line, column, {})
        if isinstance(given, yaml.MappingNode):
            return self._mapping(given, line, column, inside)
        return Node(self._scalar(given, line, column), given.value, self._file, line, column, {})

    def _mapping(self, given: Any, line: int, column: int, inside: tuple[int, ...]) -> Node:
        found: dict[str, Node] = {}
        keys: dict[str, tuple[int, int]] = {}
        merged: list[Node] = []
        for key, item in given.value:
            at = (key.start_mark.line + 1, key.start_mark.column + 1)
            if not hasattr(key.value, "encode"):
                raise FileError(f"{self._file}:{at[0]}:{at[1]}: the name of a member must be text")
            if key.tag == "tag:yaml.org,2002:merge":
                merged.append(self.node(item, inside))
            elif key.value in found:
                first = keys[key.value][0]
                raise FileError(f"{self._file}:{at[0]}:{at[1]}: {key.value} is given twice, first in line {first}")
            else:
                found[key.value], keys[key.value] = self.node(item, inside), at
        for other in merged:
            for source in other.value if isinstance(other.value, list) else [other]:
                for name, value in source.mapping("<<").items():
                    if name not in found:
                        found[name], keys[name] = value, source.keys[name]
        return Node(found, "", self._file, line, column, keys)

    def _scalar(self, given: Any, line: int, column: int) -> Any:
        loader = _loader()("")
        try:
            found = loader.construct_object(given)
        except Exception:  # PyYAML raises several kinds for a tag that it does not know or that does not fit
            raise FileError(
                f"{self._file}:{line}:{column}: {shown(given.value)} cannot be read as {given.tag.rpartition(':')[2]}"
            ) from None
        finally:
            loader.dispose()
        if isinstance(found, str):
            try:
                text("the value", found)
            except Misuse as error:
                raise FileError(f"{self._file}:{line}:{column}: {error}") from None
        if isinstance(found, int) and abs(found) >= 1 << 63:
            raise FileError(f"{self._file}:{line}:{column}: the value must be a number of 64 bits, not {shown(found)}")
        if isinstance(found, float) and not math.isfinite(found):
            raise FileError(f"{self._file}:{line}:{column}: the value must be a finite number, not {given.value}")
        if found is not None and not isinstance(found, str | int | float):
            raise FileError(
                f"{self._file}:{line}:{column}: the value must be text, a number, true, false or null, not "
                f"{shown(found)}"
            )
        return found


def _loader() -> Any:
    """Returns a loader of plain data. Times and 1:30 stay texts, and of the words for true and false only these two
    are read, as YAML 1.2 has it."""
    import yaml

    global _LOADER
    if _LOADER is None:

        class Loader(yaml.SafeLoader):  # type: ignore[misc, unused-ignore]
            pass

        resolvers: dict[str, list[tuple[str, Any]]] = {}
        for letter, known in yaml.SafeLoader.yaml_implicit_resolvers.items():
            for tag, pattern in known:
                name = tag.rpartition(":")[2]
                if name in ("timestamp", "value"):
                    continue
                if name == "bool":
                    pattern = re.compile("(?:true|True|TRUE|false|False|FALSE)$")
                if name in ("int", "float"):
                    pattern = re.compile("(?!.*:)" + pattern.pattern, pattern.flags)
                resolvers.setdefault(letter, []).append((tag, pattern))
        Loader.yaml_implicit_resolvers = resolvers
        _LOADER = Loader
    return _LOADER


_LOADER: Any = None
