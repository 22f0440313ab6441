"""The families that a platform file may hold, from the descriptions of the interface: classes and OpenAPI schemas."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.wire import loads
from ..generated import models
from ..resources.actions import Deployable, VariableOwner
from ..resources.resource import Creatable, Deletable, Editable, Ensurable, Listable, Resource
from ..resources.settings import EditableSettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..base.engine_protocol import EngineProtocol

_TREE = ("projects", "environments")  # collections that the file names by members of its own


@dataclass(frozen=True, eq=False)
class Kind:
    """A family of resources as a member of a platform file."""

    accessor: str
    """Name of the collection, which is the member's name: "containers"."""
    item: type[Resource]
    schema: Mapping[str, Any]
    """Schema of the body that creates one."""
    is_named: bool
    """True for a mapping by name, False for a list."""
    owns_variables: bool
    is_service: bool

    @property
    def family(self) -> str:
        """Name of the family: "container"."""
        return self.item._family.name

    @property
    def label(self) -> str:
        """Name of the family in words: "container registry"."""
        return self.family.replace("_", " ")

    @property
    def scope(self) -> str:
        """Scope of the variables of its resources."""
        return self.item._family.kind or self.family.upper()


class Interface:
    """The description of the interface, as platform files need it."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.schemas: Mapping[str, Any] = description["components"]["schemas"]
        self._paths = {_norm(path): operations for path, operations in description["paths"].items()}
        self.organization = self._kind("organizations", models.OrganizationCollection)
        self.project = self._kind("projects", models.ProjectCollection)
        self.environment = self._kind("environments", models.EnvironmentCollection)
        self.shared = self._named_below(models.Organization)
        self.of_project = self._named_below(models.Project)
        of_environment = self._named_below(models.Environment)
        self.services = {name: kind for name, kind in of_environment.items() if kind.is_service}
        self.others = {name: kind for name, kind in of_environment.items() if not kind.is_service}
        self.variable = self.resolve(self.schemas["VariableRequest"])

    def lists(self, kind: Kind) -> dict[str, Kind]:
        """Returns the collections of a service whose resources have no name, such as custom domains."""
        found = {}
        for accessor, name in kind.item._family.children.items():
            collection = getattr(models, name)
            if issubclass(collection, Creatable) and issubclass(collection, Listable):
                if issubclass(collection._item, Editable) and issubclass(collection._item, Deletable):
                    found[accessor] = self._kind(accessor, collection)
        return found

    def settings(self, kind: Kind) -> dict[str, tuple[str, Mapping[str, Any]]]:
        """Returns path and schema of each document of settings that a resource of the kind has."""
        found = {}
        for accessor, name in kind.item._family.singles.items():
            single = getattr(models, name)
            if issubclass(single, EditableSettings):
                path = single._family.path
                found[accessor] = (path, self._body(path.format(parent="{}", above=kind.item._family.path), "put"))
        return found

    def selection(self, kind: Kind, identity: str) -> Any:
        """Returns how an operation on several services names one: its id, or a mapping with it."""
        entries = self.resolve(self.schemas["DeployAllRequest"])["properties"][kind.accessor]["items"]
        fields = self.resolve(entries).get("properties", {})
        names = (f"{kind.family}_id", "id")
        return {next(name for name in names if name in fields): identity} if fields else identity

    def resolve(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns the schema with its references followed, and all members of its alternatives."""
        found: dict[str, Any] = {
            name: value for name, value in schema.items() if name not in ("$ref", "allOf", "oneOf")
        }
        parts = [*schema.get("allOf", ()), *schema.get("oneOf", ())]
        if "$ref" in schema:
            parts.append(self.schemas[schema["$ref"].rpartition("/")[2]])
        for part in parts:
            other = self.resolve(part)
            members = {**other.get("properties", {}), **found.get("properties", {})}
            found = {**other, **found}
            if members:
                found["properties"] = members
        return found

    def targets(self, field: str, parent: str) -> list[Kind]:
        """Returns the kinds that a field with an id refers to, by its name: `registry_id`, `cluster`, or `id` below
        `labels_groups`."""
        name = parent if field == "id" else field.removesuffix("_id").removesuffix("_ids")
        kinds = {**self.shared, "projects": self.project}
        if name in kinds:
            return [kinds[name]]
        return [kind for kind in kinds.values() if kind.family == name or kind.family.endswith("_" + name)]

    def every_kind(self) -> Iterator[Kind]:
        """Yields the kinds of all collections by name."""
        for kinds in (self.shared, self.of_project, self.others, self.services):
            yield from kinds.values()

    def _named_below(self, parent: type[Resource]) -> dict[str, Kind]:
        found = {}
        for accessor, name in parent._family.children.items():
            collection = getattr(models, name)
            if issubclass(collection, Ensurable) and accessor not in _TREE:
                found[accessor] = self._kind(accessor, collection)
        return found

    def _kind(self, accessor: str, collection: Any) -> Kind:
        item = collection._item
        return Kind(
            accessor,
            item,
            self._body(item._family.collection, "post"),
            issubclass(collection, Ensurable),
            issubclass(item, VariableOwner),
            issubclass(item, Deployable),
        )

    def _body(self, path: str, method: str) -> Mapping[str, Any]:
        """Returns the schema of an operation's body. A path that begins with that of a resource above, such as
        `{}customDomain`, is found by its end."""
        wanted = _norm(path)
        found = self._paths.get(wanted)
        if found is None:
            end = "/" + wanted.rpartition("{}")[2].lstrip("/")
            found = next(each for known, each in self._paths.items() if known.endswith(end) and method in each)
        return self.resolve(found[method]["requestBody"]["content"]["application/json"]["schema"])


def _norm(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def is_secret(schema: Mapping[str, Any]) -> bool:
    """Reports whether a field holds a secret: it is never returned, and no id, choice or group of other fields."""
    return bool(
        schema.get("writeOnly")
        and "enum" not in schema
        and schema.get("format") != "uuid"
        and not schema.get("properties")
        and schema.get("type") != "array"
    )


def is_reference(schema: Mapping[str, Any]) -> bool:
    """Reports whether a field holds the id of another resource."""
    return schema.get("format") == "uuid" and not schema.get("readOnly")


def interface(engine: EngineProtocol) -> Interface:
    """Returns the description of this engine's interface."""
    return Interface(loads(engine.request("GET", "/openapi.json").body))
