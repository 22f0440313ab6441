"""Schemas of OpenAPI reduced to what a caller can rely on: members, types, enumerations, required members. Texts,
bounds and examples are left out."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

Schema = dict[str, Any]
CAN_BE_NULL = "null"


class Reducer:
    """Reduces the schemas of one document to shapes. A shape is a dictionary with `type`, and where they apply `enum`,
    `format`, `members`, `required`, `items`, `values`, `variants` and `null`. A schema inside of itself becomes
    `{"type": "again"}`."""

    def __init__(self, document: Schema) -> None:
        self._document = document

    def find(self, node: Schema) -> tuple[Schema, str]:
        """Returns the node that a reference leads to, and its name."""
        name = ""
        while "$ref" in node:
            steps = [
                unquote(step).replace("~1", "/").replace("~0", "~")
                for step in node["$ref"].removeprefix("#/").split("/")
            ]
            node, name = self._document, steps[-1]
            for step in steps:
                node = node[int(step)] if isinstance(node, list) else node[step]
        return node, name

    def shape(self, schema: Schema, above: tuple[str, ...] = ()) -> Schema:
        node, name = self.find(schema)
        if name and name in above:
            return {"type": "again"}
        above = (*above, name) if name else above
        made = self._whole(node, above)
        if schema.get("nullable") or node.get("nullable"):
            made["null"] = True
        return made

    def _whole(self, node: Schema, above: tuple[str, ...]) -> Schema:
        made = self._own(node, above)
        for part in node.get("allOf", []):
            self._join(made, self.shape(part, above))
        choices = node.get("oneOf", node.get("anyOf", []))
        shapes = [
            self.shape(choice, above)
            for choice in choices
            if choice.get("type") != CAN_BE_NULL and choice.get("enum") != [None]
        ]
        if len(shapes) < len(choices):
            made["null"] = True
        if len(shapes) == 1:
            self._join(made, shapes[0])
        elif shapes:
            made["type"] = made.get("type", shapes[0].get("type", "any"))
            self._join_variants(made, shapes)
        return made

    def _own(self, node: Schema, above: tuple[str, ...]) -> Schema:
        made: Schema = {}
        kind = node.get("type")
        if isinstance(kind, list):
            made["null"] = CAN_BE_NULL in kind
            kind = next(each for each in kind if each != CAN_BE_NULL)
        if kind is None and "properties" in node:
            kind = "object"
        if kind is None and "enum" in node:
            kind = "string"
        if kind is not None:
            made["type"] = kind
        values = {value for value in node.get("enum", []) if value is not None}
        if values:
            made["enum"] = sorted(values, key=str)
        if node.get("format") in ("uuid", "date-time", "uri", "binary", "duration"):
            made["format"] = node["format"]
        if "properties" in node:
            made["members"] = {name: self.shape(member, above) for name, member in node["properties"].items()}
        if "required" in node:
            made["required"] = sorted(
                name for name in node["required"] if name in node.get("properties", {}) or "allOf" in node
            )
        if isinstance(node.get("additionalProperties"), dict):
            made["values"] = self.shape(node["additionalProperties"], above)
        if "items" in node:
            made["items"] = self.shape(node["items"], above)
        return made

    @staticmethod
    def _join(made: Schema, part: Schema) -> None:
        for key, value in part.items():
            if key == "members":
                made["members"] = {**made.get("members", {}), **value}
            elif key == "required":
                made["required"] = sorted({*made.get("required", []), *value})
            else:
                made.setdefault(key, value)

    @staticmethod
    def _join_variants(made: Schema, shapes: list[Schema]) -> None:
        """Merges several forms: the members of all; required are those that all of them require."""
        members: Schema = {}
        for shape in shapes:
            for name, member in shape.get("members", {}).items():
                known = members.setdefault(name, dict(member))
                if "enum" in known and "enum" in member:
                    known["enum"] = sorted({*known["enum"], *member["enum"]}, key=str)
                elif known.get("members") is not None and member.get("members") is not None:
                    known["members"] = {**member["members"], **known["members"]}
                    known["required"] = sorted({*known.get("required", [])} & {*member.get("required", [])})
        if members:
            made["members"] = {**members, **made.get("members", {})}
        required = set.intersection(*({*shape.get("required", [])} for shape in shapes))
        if required:
            made["required"] = sorted({*made.get("required", []), *required})
        enums = [shape["enum"] for shape in shapes if "enum" in shape]
        if enums:
            made["enum"] = sorted({value for values in enums for value in values}, key=str)


def operations(document: Schema) -> dict[str, Schema]:
    """Returns the request and answers of each operation, by method and path."""
    reducer = Reducer(document)
    found: dict[str, Schema] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                found[f"{method.upper()} {path}"] = _operation(reducer, operation, methods.get("parameters", []))
    return found


def _operation(reducer: Reducer, operation: Schema, shared: list[Schema]) -> Schema:
    made: Schema = {"parameters": {}, "answers": {}}
    for given in [*shared, *operation.get("parameters", [])]:
        parameter, _ = reducer.find(given)
        if parameter["in"] in ("path", "query"):
            schema = reducer.shape(parameter.get("schema", {}))
            made["parameters"][f"{parameter['in']} {parameter['name']}"] = {
                **schema,
                "must": bool(parameter.get("required")),
            }
    if "requestBody" in operation:
        body, _ = reducer.find(operation["requestBody"])
        made["body"] = _content(reducer, body)
    for status, answer in operation["responses"].items():
        made["answers"][status] = _content(reducer, reducer.find(answer)[0]) if status.startswith("2") else {}
    return made


def _content(reducer: Reducer, holder: Schema) -> Schema:
    """Returns the media types, and the shape of the JSON."""
    content = holder.get("content", {})
    made: Schema = {"media": sorted(content)}
    if "application/json" in content:
        made["json"] = reducer.shape(content["application/json"].get("schema", {}))
    return made
