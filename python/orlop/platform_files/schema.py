"""The JSON Schema of platform files, from the descriptions of the interface: for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .bodies import FROM, writable
from .document import DEFAULTS
from .interface import is_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .interface import Interface, Kind

_PLAIN = ["string", "number", "boolean"]
_SOURCE = {
    "type": "object",
    "description": "Text that is read when the file is: an environment variable, or a file, by its path from this one.",
    "properties": {name: {"type": "string"} for name in FROM},
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}
_TEXT = {"anyOf": [{"type": _PLAIN}, {"$ref": "#/$defs/source"}]}
_VARIABLES = "Variables by key: a value, or a mapping with its fields. They are all of this owner's own variables."
_KEPT = ("minimum", "maximum", "maxItems", "maxProperties", "default", "uniqueItems")


def schema(interface: Interface) -> dict[str, Any]:
    """Returns the JSON Schema of platform files."""
    return _Schema(interface).whole()


class _Schema:
    """One conversion of the schemas of bodies."""

    def __init__(self, interface: Interface) -> None:
        self._interface = interface
        self._definitions: dict[str, Any] = {}

    def whole(self) -> dict[str, Any]:
        interface = self._interface
        properties: dict[str, Any] = {
            "organization": self._above(interface.organization),
            "project": self._above(interface.project),
            "environment": self._above(interface.environment),
            "variables": {"$ref": "#/$defs/variables", "description": "Variables of the environment."},
        }
        for kind in interface.every_kind():
            entry = {"$ref": f"#/$defs/{kind.family}"}
            properties[kind.accessor] = {
                "type": ["object", "null"],
                "description": f"Each {kind.label} by its name.",
                "additionalProperties": entry,
            }
            self._define(kind)
        definitions = {
            "source": _SOURCE,
            "text": _TEXT,
            "variables": self._variables(),
            **dict(sorted(self._definitions.items())),
        }
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "https://orlop.dev/schemas/platform.schema.json",
            "title": "Platform file of orlop up",
            "type": ["object", "null"],
            "properties": properties,
            "patternProperties": {"^x-": {"description": "Left to the file, for anchors."}},
            "additionalProperties": False,
            "$defs": definitions,
        }

    def _above(self, kind: Kind) -> dict[str, Any]:
        """Returns the schema of organization, project or environment: a name, or a mapping with it."""
        body = self._object(kind.schema, kind.family, DEFAULTS.get(kind.accessor, ()))
        if kind.owns_variables:
            body["properties"]["variables"] = {"$ref": "#/$defs/variables"}
        return {"description": f"Name of the {kind.label}, or its fields.", "anyOf": [{"type": _PLAIN}, body]}

    def _define(self, kind: Kind) -> None:
        body = self._object(kind.schema, kind.family, DEFAULTS.get(kind.accessor, ()), without=("name",))
        members = body["properties"]
        if kind.owns_variables:
            members["variables"] = {"$ref": "#/$defs/variables"}
        for name, (_, settings) in self._interface.settings(kind).items():
            members[name] = {**self._object(settings, name, settings.get("required", ())), "type": ["object", "null"]}
        if kind.is_service:
            members["deployment_stage"] = {"type": _PLAIN, "description": "Name of the service's deployment stage."}
            members["is_skipped"] = {"type": "boolean", "description": "Leave the service out of deployments."}
            for name, below in self._interface.lists(kind).items():
                items = self._object(below.schema, below.family, ())
                members[name] = {"type": ["array", "null"], "items": items, "description": f"Each {below.label}."}
        if not body.get("required"):
            body["type"] = ["object", "null"]
        self._definitions[kind.family] = body

    def _object(
        self, given: Mapping[str, Any], parent: str, defaulted: Iterable[str], without: Iterable[str] = ()
    ) -> dict[str, Any]:
        known = given.get("properties", {})
        names = [name for name in writable(known) if name not in without]
        fields = {name: self._interface.resolve(known[name]) for name in names}
        required = [
            name
            for name in given.get("required", ())
            if name in fields and name not in defaulted and name != "name" and fields[name].get("type") != "boolean"
        ]
        found: dict[str, Any] = {"type": "object"}
        if "description" in given:
            found["description"] = given["description"]
        found["properties"] = {name: self._value(known[name], name, parent) for name in names}
        found["additionalProperties"] = False
        return {**found, "required": required} if required else found

    def _value(self, given: Mapping[str, Any], name: str, parent: str) -> dict[str, Any]:
        """Returns the schema of a field. Groups of fields that several have are definitions."""
        reference = _reference_in(given)
        resolved = self._interface.resolve(given)
        described = {key: given[key] for key in ("description",) if key in given}
        if reference and resolved.get("properties"):
            if reference not in self._definitions:
                self._definitions[reference] = {}  # a schema may hold itself
                self._definitions[reference] = self._object(
                    self._interface.resolve(self._interface.schemas[reference]), name, ()
                )
            target: dict[str, Any] = {"$ref": f"#/$defs/{reference}"}
            return (
                {**described, "anyOf": [target, {"type": "null"}]} if resolved.get("nullable") else described | target
            )
        return {**described, **self._plain(resolved, name, parent)}

    def _plain(self, given: Mapping[str, Any], name: str, parent: str) -> dict[str, Any]:
        if given.get("properties"):
            return self._object(given, name, ())
        kept = {key: given[key] for key in _KEPT if key in given}
        null = ["null"] if given.get("nullable") else []
        kind = given.get("type")
        if "enum" in given:
            return {"enum": [*given["enum"], *(None for _ in null if None not in given["enum"])], **kept}
        if kind == "array":
            return {"type": [kind, *null], "items": self._value(given.get("items", {}), name, name), **kept}
        if kind == "object":
            rest = given.get("additionalProperties")
            values = self._value(rest, name, name) if isinstance(rest, dict) else True
            return {"type": [kind, *null], "additionalProperties": values, **kept}
        if kind == "string" and is_reference(given) and self._interface.targets(name, parent):
            families = " or ".join(target.label for target in self._interface.targets(name, parent))
            return {"type": [*_PLAIN, *null], "title": f"Name or id of a {families}"}
        if kind == "string":
            return {"anyOf": [{"$ref": "#/$defs/text"}, {"type": "null"}]} if null else {"$ref": "#/$defs/text"}
        return {"type": [kind, *null] if null else kind, **kept} if kind else {}

    def _variables(self) -> dict[str, Any]:
        known = self._interface.variable["properties"]
        fields = {
            name: self._value(known[name], name, "")
            for name in known
            if name not in ("key", "variable_scope", "variable_parent_id")
        }
        fields["alias_of"] = {
            "type": "string",
            "description": "Key of the variable of which this is another name, or a service and the end of its "
            "built-in variable: `orders.DATABASE_URL`.",
        }
        fields |= {name: {"type": "string"} for name in FROM}
        one = {"type": "object", "properties": fields, "additionalProperties": False}
        return {
            "type": ["object", "null"],
            "description": _VARIABLES,
            "additionalProperties": {"anyOf": [{"type": _PLAIN}, {"$ref": "#/$defs/source"}, one]},
        }


def _reference_in(given: Mapping[str, Any]) -> str:
    """Returns the name of the schema that a field refers to; "" for a schema of its own."""
    parts = [given, *given.get("allOf", ())]
    return next((str(part["$ref"]).rpartition("/")[2] for part in parts if "$ref" in part), "")
