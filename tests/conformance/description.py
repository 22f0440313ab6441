"""The description of an object in /openapi.json."""

from __future__ import annotations

from typing import Any

from fixture import Fixture


class Description:
    def __init__(self, fixture: Fixture) -> None:
        self._fixture = fixture
        self._document: Any = None

    def document(self) -> Any:
        if self._document is None:
            self._document = self._fixture.get("/openapi.json")
        return self._document

    def schema_at(self, name: str, path: str = "") -> Any:
        """Returns the schema of a component, or of a member of it, with references resolved."""
        found = self.flat({"$ref": f"#/components/schemas/{name}"})
        for step in path.split(".") if path else ():
            found = self.flat(found["properties"][step.removesuffix("[]")])
            if step.endswith("[]"):
                found = self.flat(found["items"])
        return found

    def words(self, name: str, path: str) -> list[str]:
        """The values of an enumeration, without null."""
        return [word for word in self.schema_at(name, path)["enum"] if word is not None]

    def flat(self, schema: Any) -> Any:
        """Merges references, allOf and alternatives into one schema."""
        if "$ref" in schema:
            return self._component(schema["$ref"].rpartition("/")[2])
        parts = [self.flat(part) for key in ("allOf", "oneOf") for part in schema.get(key, [])]
        whole: Any = {"properties": {}}
        for part in [*parts, schema]:
            whole["properties"].update(part.get("properties", {}))
            whole.update({key: value for key, value in part.items() if key not in ("properties", "allOf", "oneOf")})
        return whole

    def _component(self, name: str) -> Any:
        """Returns a component, merged with its input form: only requests hold some members, such as secrets."""
        schemas = self.document()["components"]["schemas"]
        whole = self.flat(schemas[name])
        given = self.flat(schemas.get(f"{name}Input", {}))
        return {**whole, "properties": {**given["properties"], **whole["properties"]}}
