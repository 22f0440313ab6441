"""A declarative client: resources are declared, the plan is the difference between them and the platform's answers, and
applying removes the difference.

It knows the platform by /openapi.json alone: the operation that creates a resource, and by its links the operations
that read, edit and delete it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from orlop import Reply

Body = dict[str, Any]
Ask = Callable[[str, str, Any], Reply]


@dataclass
class Kind:
    """A kind of resource: the paths of its operations, and the schemas of their bodies. `edit` is None if it cannot be
    edited, `listed` the path of the list if it cannot be read by its id. Settings, which each resource has once, have
    no `create` and one path."""

    name: str
    collection: str
    item: str
    create: Body
    edit: Body | None
    listed: str = ""


class Description:
    """/openapi.json with its references resolved."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def flat(self, schema: Body) -> Body:
        if "$ref" in schema:
            return self.flat(self._document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        whole: Body = {}
        for part in schema.get("allOf", []):
            whole.update(self.flat(part))
        return {**whole, **{key: value for key, value in schema.items() if key != "allOf"}}

    def kinds(self) -> Iterator[Kind]:
        """Yields the kinds that can be created and read by id."""
        paths = self._document["paths"]
        at = {one["operationId"]: path for path, operations in paths.items() for one in operations.values()}
        for collection, operations in paths.items():
            create = operations.get("post", {})
            name = create.get("operationId", "").removeprefix("create_")
            made: Body = next((one for code, one in create.get("responses", {}).items() if code in ("200", "201")), {})
            if f"get_{name}" not in made.get("links", {}) or "requestBody" not in create:
                continue
            item = at[f"get_{name}"]
            edit = paths[item].get("put")
            yield Kind(
                name,
                collection,
                item,
                self._schema(create["requestBody"]),
                self._schema(edit["requestBody"]) if edit else None,
            )

    def listed_kinds(self) -> Iterator[Kind]:
        """Yields the other kinds that can be created and deleted, and are found in a list."""
        paths = self._document["paths"]
        for collection, operations in paths.items():
            create = operations.get("post", {})
            name = create.get("operationId", "").removeprefix("create_")
            # Aliases and overrides of a variable are items of the collection of variables.
            whole = (
                collection.rpartition("/")[0].rpartition("/")[0]
                if name in ("variable_alias", "variable_override")
                else collection
            )
            items = [path for path in paths if path.rpartition("/")[0] == whole and path.endswith("}")]
            found = (
                len(items) == 1
                and "delete" in paths[items[0]]
                and "get" not in paths[items[0]]
                and "get" in paths[whole]
            )
            if not name or name == create["operationId"] or not found or "requestBody" not in create:
                continue
            edit = paths[items[0]].get("put")
            yield Kind(
                name,
                collection,
                items[0],
                self._schema(create["requestBody"]),
                self._schema(edit["requestBody"]) if edit else None,
                whole,
            )

    def settings_kinds(self) -> Iterator[Kind]:
        """Yields the kinds of settings: documents that each resource has once, read and replaced."""
        for path, operations in self._document["paths"].items():
            edit = operations.get("put", {})
            is_json = "application/json" in edit.get("requestBody", {}).get("content", {})
            if (
                is_json
                and "get" in operations
                and "post" not in operations
                and "delete" not in operations
                and not path.endswith(("}", "/member"))
            ):
                yield Kind(edit["operationId"].removeprefix("edit_"), "", path, {}, self._schema(edit["requestBody"]))

    def _schema(self, content: Body) -> Body:
        return self.flat(content["content"]["application/json"]["schema"])


# Lists that the platform completes: a custom role has a row for every cluster and every project, declared or not.
COMPLETED = {"cluster_permissions": "cluster_id", "project_permissions": "project_id"}


def variant_of(schema: Body, value: Body, flat: Callable[[Body], Body]) -> Body:
    """Returns, for a schema with several forms, the form of the value; any other schema unchanged."""
    if "discriminator" not in schema:
        return schema
    mapping = schema["discriminator"]["mapping"]
    return flat({"$ref": mapping[value[schema["discriminator"]["propertyName"]]]})


def differences(declared: Any, answered: Any, schema: Body, flat: Callable[[Body], Body], path: str = "") -> list[str]:
    """Returns the members in which the answer differs from the declaration. Members that are never answered
    (`writeOnly`) count as equal."""
    schema = flat(schema)
    if schema.get("writeOnly"):
        return []
    if isinstance(declared, dict) and isinstance(answered, dict):
        members = variant_of(schema, declared, flat).get("properties", {})
        return [
            line
            for name, value in declared.items()
            for line in differences(
                value, answered.get(name), members.get(name, {}), flat, f"{path}.{name}".lstrip(".")
            )
        ]
    if path in COMPLETED:
        wanted = [row[COMPLETED[path]] for row in declared]
        answered = sorted(
            (row for row in answered if row[COMPLETED[path]] in wanted),
            key=lambda row: wanted.index(row[COMPLETED[path]]),
        )
    if isinstance(declared, list) and isinstance(answered, list) and len(declared) == len(answered):
        items = schema.get("items", {})
        return [
            line
            for at, (one, other) in enumerate(zip(declared, answered, strict=True))
            for line in differences(one, other, items, flat, f"{path}[{at}]")
        ]
    return [] if declared == answered else [f"{path}: {declared!r} was declared, {answered!r} is answered"]


@dataclass
class Resource:
    """A declared resource, with the id and state of the real one."""

    kind: Kind
    parent: str
    declared: Body
    id: str = ""
    state: Body = field(default_factory=dict)
    query: str = ""  # query of the list that contains it


class Client:
    """Keeps the state of the declared resources, as provisioning tools do."""

    def __init__(self, description: Description, ask: Ask) -> None:
        self._description, self._ask = description, ask

    def create(self, resource: Resource) -> Reply:
        reply = self._ask("POST", self._at(resource.kind.collection, resource), resource.declared)
        if reply.status < 300:
            resource.state = reply.json()
            resource.id = resource.state["id"]
        return reply

    def read(self, resource: Resource) -> bool:
        """Refreshes the state; returns False if the resource is gone."""
        if resource.kind.listed:
            return self._find(resource)
        reply = self._ask("GET", self._at(resource.kind.item, resource), None)
        assert reply.status in (200, 404), (resource.kind.name, reply.status, reply.body)
        resource.state = reply.json() if reply.status == 200 else {}
        return reply.status == 200

    def _find(self, resource: Resource) -> bool:
        reply = self._ask("GET", self._at(resource.kind.listed, resource) + resource.query, None)
        assert reply.status in (200, 404), (resource.kind.name, reply.status, reply.body)
        found = [one for one in reply.json()["results"] if one["id"] == resource.id] if reply.status == 200 else []
        resource.state = found[0] if found else {}
        return bool(found)

    def plan(self, resource: Resource, declared: Body | None = None) -> list[str]:
        """Refreshes, and returns the changes that applying would make."""
        assert self.read(resource), f"{resource.kind.name} is gone"
        schema = resource.kind.create if resource.kind.edit is None else resource.kind.edit
        wanted = resource.declared if declared is None else declared
        # Members that only a create takes and no answer holds: the parent of the resource.
        wanted = {
            name: value for name, value in wanted.items() if name in schema["properties"] or name in resource.state
        }
        if resource.state.get("is_secret"):
            wanted.pop("value", None)  # never answered
        return differences(wanted, resource.state, schema, self._description.flat)

    def update(self, resource: Resource, declared: Body) -> Reply:
        reply = self._ask("PUT", self._at(resource.kind.item, resource), declared)
        if reply.status in (200, 201):
            resource.declared, resource.state = declared, reply.json()
        return reply

    def adopt(self, kind: Kind, parent: str, id: str, query: str = "") -> Resource:
        """Imports an existing resource, of which only the id is known."""
        found = Resource(kind, parent, {}, id, query=query)
        assert self.read(found), f"{kind.name} {id} cannot be imported"
        return found

    def destroy(self, resource: Resource) -> Reply:
        return self._ask("DELETE", self._at(resource.kind.item, resource), None)

    @staticmethod
    def _at(path: str, resource: Resource) -> str:
        """Returns the path with its ids: the last one is the resource's own, any other its parent's."""
        names = [part for part in path.split("/") if part.startswith("{")]
        own = names[-1] if path == resource.kind.item and resource.kind.collection else None
        for name in names:
            path = path.replace(name, resource.id if name == own else resource.parent)
        return path
