"""Values of a platform file as bodies of requests."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Misuse
from ..options.arguments import nearest_hint, text
from .interface import is_reference, is_secret
from .yaml_nodes import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .interface import Interface, Kind
    from .yaml_nodes import Node

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
SECRET_FLAGS = ("secret", "is_secret", "sensitive")  # fields that make the value of a group a secret
FROM = ("from_env", "from_file")
_READ_MAX = 1 << 20  # bytes of a file that from_file names
_KNOWN_SHOWN = 12


class Reference(NamedTuple):
    """The name of a resource where the interface has an id."""

    name: str
    kinds: tuple[Kind, ...]
    node: Node


class Body:
    """The fields of one resource: values, with `Reference` for names."""

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.nodes: dict[str, Node] = {}
        """Node of each value by its path, such as `ports[0].internal_port`."""
        self.secrets: dict[str, str] = {}
        """Text of each secret by its path."""

    def filled(self, identity: Callable[[Reference], str]) -> dict[str, Any]:
        """Returns the fields with ids for names."""
        found: dict[str, Any] = _filled(self.fields, identity)
        return found

    def is_masked(self, path: str) -> bool:
        """Reports whether the value at the path is not shown."""
        return any(path == each or path.startswith((each + ".", each + "[")) for each in self.secrets)

    def node_of(self, path: str, otherwise: Node) -> Node:
        """Returns the node at the path, or of the nearest value that holds it."""
        while path and path not in self.nodes:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.nodes.get(path, otherwise)


def _filled(value: Any, identity: Callable[[Reference], str]) -> Any:
    if isinstance(value, Reference):
        return identity(value)
    if isinstance(value, dict):
        return {name: _filled(item, identity) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, identity) for item in value]
    return value


class BodyReader:
    """Reads bodies by the schemas of the interface. It refuses unknown members; all other rules are the engine's."""

    def __init__(self, interface: Interface, with_sources: bool = True) -> None:
        self._interface = interface
        self._with_sources = with_sources

    def read(
        self, members: Mapping[str, Node], schema: Mapping[str, Any], node: Node, others: Sequence[str] = ()
    ) -> Body:
        """Reads the members of a resource. `others` are known members that are no fields. Raises `FileError`."""
        body = Body()
        body.fields = self._members(members, schema, node, "", body, others)
        return body

    def _members(
        self,
        members: Mapping[str, Node],
        schema: Mapping[str, Any],
        node: Node,
        path: str,
        body: Body,
        others: Sequence[str] = (),
    ) -> dict[str, Any]:
        known = schema.get("properties", {})
        found = {}
        for name, item in members.items():
            at = f"{path}.{name}" if path else name
            if name not in known:
                refuse_unknown(node, name, path, [*writable(known), *others])
            field = self._interface.resolve(known[name])
            if field.get("readOnly"):
                raise node.error(f"{at} is set by the platform and must be left out", name)
            found[name] = self._value(item, field, at, name, path.rpartition(".")[2].partition("[")[0], body)
            if name == "value" and any(flag in known and _is_true(members.get(flag)) for flag in SECRET_FLAGS):
                body.secrets[at] = str(found[name])
        for name in schema.get("required", ()):  # a choice between yes and no is no where the file leaves it out
            if name not in found and self._interface.resolve(known[name]).get("type") == "boolean":
                found[name] = False
        return found

    def _value(self, node: Node, schema: Mapping[str, Any], path: str, name: str, parent: str, body: Body) -> Any:
        body.nodes[path] = node
        given = self._given(node, schema, path, name, parent, body)
        if is_secret(schema) and given is not None:
            body.secrets[path] = given if isinstance(given, str) else repr(given)
        return given

    def _given(self, node: Node, schema: Mapping[str, Any], path: str, name: str, parent: str, body: Body) -> Any:
        if isinstance(node.value, dict):
            members = node.value
            is_text = not schema.get("properties") and schema.get("type") not in ("object", "array")
            if is_text and len(members) == 1 and next(iter(members)) in FROM:
                found = self.read_from(node, path)
                return found if schema.get("type", "string") == "string" else plain(found)
            if schema.get("properties"):
                return self._members(members, schema, node, path, body)
            rest = schema.get("additionalProperties")
            item = self._interface.resolve(rest) if isinstance(rest, dict) else {}
            return {key: self._value(each, item, f"{path}.{key}", key, name, body) for key, each in members.items()}
        if isinstance(node.value, list):
            item = self._interface.resolve(schema.get("items", {}))
            return [
                self._value(each, item, f"{path}[{index}]", name, name, body) for index, each in enumerate(node.value)
            ]
        if node.value is None:
            return None
        if is_reference(schema) and not _UUID.fullmatch(node.written):
            kinds = self._interface.targets(name, parent)
            if kinds:
                return Reference(node.text(path), tuple(kinds), node)
        return node.written if schema.get("type") == "string" else node.value

    def read_from(self, node: Node, path: str) -> str:
        """Returns the text that `{from_env: NAME}` or `{from_file: PATH}` names. Raises `FileError`."""
        ((name, given),) = node.value.items()
        wanted = given.text(f"{path}.{name}")
        if not self._with_sources:
            return ""
        if name == "from_env":
            found = os.environ.get(wanted)
            if found is None:
                raise given.error(f"{path}.from_env: the environment variable {wanted} is not set")
            try:
                return text(path, found)
            except Misuse as error:
                raise given.error(str(error)) from None
        file = Path(node.file).parent / wanted
        try:
            with open(file, "rb") as opened:
                content = opened.read(_READ_MAX + 1)
            if len(content) > _READ_MAX:
                raise given.error(f"{path}.from_file: {wanted} must have at most {_READ_MAX} bytes")
            return content.decode()
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
            raise given.error(f"{path}.from_file: {wanted} cannot be read: {said}") from None


def _is_true(node: Node | None) -> bool:
    return node is not None and node.value is True


def writable(properties: Mapping[str, Any]) -> list[str]:
    """Returns the names of the fields that a file may have."""
    return [name for name, schema in properties.items() if not schema.get("readOnly")]


def refuse_unknown(node: Node, name: str, path: str, known: Sequence[str]) -> None:
    """Raises `FileError` about an unknown member of the value at the path."""
    at = f"{path}.{name}" if path else name
    shown = ", ".join(sorted(known)[:_KNOWN_SHOWN]) + (", …" if len(known) > _KNOWN_SHOWN else "")
    raise node.error(f"{at} is not a member here{nearest_hint(name, known) or f'; known are {shown}'}", name)
