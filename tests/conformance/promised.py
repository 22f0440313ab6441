"""Promises of the description on each answer: the required members, their types and their enumerations."""

from __future__ import annotations

import re
from typing import Any

import jsonschema

# The answer that describes the interface is not an answer of an operation.
DESCRIPTION = "/openapi.json"


class BrokenPromise(AssertionError):
    """An answer differs from the description."""


def _as_json_schema(node: Any) -> Any:
    """Converts a schema of OpenAPI 3.0 to JSON Schema: `nullable` becomes a type."""
    if isinstance(node, list):
        return [_as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: _as_json_schema(value) for key, value in node.items()}
    if made.get("nullable") is True and isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
        if "oneOf" in made:  # none of the alternatives is null
            return {"anyOf": [{"type": "null"}, {**made, "type": node["type"]}]}
    return made


class Promises:
    """The promises of a document, by method, path and status."""

    def __init__(self, document: Any) -> None:
        self._schemas = _as_json_schema(document["components"]["schemas"])
        self._operations = [
            (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation["responses"])
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ]
        # Fixed paths come before those with parameters.
        self._operations.sort(key=lambda operation: operation[1].pattern.count("[^/]+"))
        self._validators: dict[tuple[str, str, str], Any] = {}

    def check(self, method: str, path: str, status: int, answer: Any) -> None:
        """Raises BrokenPromise if a successful answer differs from the description."""
        path = path.removeprefix("/api/v1")
        for known, pattern, responses in self._operations:
            if known == method and pattern.fullmatch(path):
                break
        else:
            raise BrokenPromise(f"{method} {path} is answered with {status} and not described")
        content = responses.get(str(status), {}).get("content", {}).get("application/json")
        if content is None:
            return
        key = (method, pattern.pattern, str(status))
        if key not in self._validators:
            schema = {**_as_json_schema(content["schema"]), "components": {"schemas": self._schemas}}
            self._validators[key] = jsonschema.Draft202012Validator(schema)
        for error in self._validators[key].iter_errors(answer):
            raise BrokenPromise(f"{method} {path}: {error.json_path}: {error.message[:300]}")
