"""The resources that a scenario creates. Each entry describes one resource, or copies with different names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...errors import NotFound, Refused
from ...generated import models
from ...resources.resource import BulkCreatable, Creatable, Resource
from .existing_resources import exists
from .members import numbered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..simulation import Simulation
    from .document import Scenario, ScenarioError

_NO_FIELDS = ("family", "in", "count", "name", "names")


class Resources:
    """The resources of a run by name, and the creation of others."""

    named: dict[str, Resource]
    """The resources of the scenario by name."""
    in_setup: bool
    """True during the setup. Later, each creation is one request, so that faults of requests count it."""

    def __init__(self, scenario: Scenario, simulation: Simulation) -> None:
        self._scenario = scenario
        self._simulation = simulation
        self._latest: dict[str, Resource] = {}  # of each family, in the order of creation
        self.named = {}
        self.in_setup = True
        self._refused: set[str] = set()  # names that the platform refused to create

    def create(self, given: Mapping[str, Any], path: str, first: int = 1) -> None:
        """Creates the resources of the entry at the path; its copies are numbered from `first`. Raises `ScenarioError`
        for an entry that is not allowed, `Refused` if the platform refuses it."""
        copies = _patterns_of(self._scenario, given, path)
        try:
            made = self._create(given, copies, path, first)
        except Refused:
            self._refused.update(
                pattern.replace("{n}", str(number)) for number, (pattern, _) in enumerate(copies, first)
            )
            raise
        self._latest.pop(given["family"], None)
        self._latest[given["family"]] = made

    def _create(self, given: Mapping[str, Any], copies: Sequence[tuple[str, str]], path: str, first: int) -> Any:
        """Creates the copies and returns the last one."""
        collection = None if "{n}" in given.get("in", "") else self._collection(given, path)
        if self.in_setup and len(copies) > 1 and isinstance(collection, BulkCreatable) and _differ_in_names_only(given):
            return self._create_alike(collection, given, copies, path)
        for number, (pattern, at) in enumerate(copies, first):
            below = self._collection(numbered(given, number), path) if collection is None else collection
            made = self._create_one(below, given, number, self.filled(pattern, number, at), at, path)
        return made

    def find(self, name: str, path: str) -> Resource:
        """Returns the resource with this name, which the member at the path holds. Raises `ScenarioError`; `NotFound`
        if the platform refused to create it, so that actions on it are refused, too."""
        if name in self.named:
            return self.named[name]
        if name in self._refused:
            raise NotFound(f"there is no {name!r}: its creation was refused", 404)
        raise self._scenario.error(
            path, f"{path} must be the name of a resource, not {name!r}: there are {', '.join(list(self.named)[:20])}"
        )

    def filled(self, value: Any, number: int, path: str) -> Any:
        """Returns the value with ids in place of {names}, and the number in place of {n}."""
        if isinstance(value, dict):
            return {name: self.filled(item, number, f"{path}.{name}") for name, item in value.items()}
        if isinstance(value, list):
            return [self.filled(item, number, f"{path}[{index}]") for index, item in enumerate(value)]
        if not isinstance(value, str):
            return value
        filled = value.replace("{n}", str(number))
        name = filled[1:-1]
        if filled.startswith("{") and filled.endswith("}") and (name in self.named or (name and '"' not in name)):
            return self.find(name, path).id
        return filled  # may also be JSON

    def _create_one(self, collection: Any, given: Mapping[str, Any], number: int, name: str, at: str, path: str) -> Any:
        fields = self._fields_of(given, number, path)
        is_taken = self._is_taken(name)
        try:
            # In the run the platform decides whether a name is taken, such as that of a resource that is still being
            # deleted.
            if not is_taken or not self.in_setup:
                made = collection.create(name=name, **fields)
        except TypeError as error:
            raise self._scenario.error(path, f"{path} is refused: {error}") from None
        if is_taken:
            raise self._taken(name, at)
        self.named[name] = made
        if made._family.name == "cluster":
            made.deploy().wait()
        return made

    def _create_alike(
        self, collection: BulkCreatable[Any], given: Mapping[str, Any], copies: Sequence[tuple[str, str]], path: str
    ) -> Any:
        """Creates all copies in one commit: the same resources, ids and events as by one request for each."""
        fields = self._fields_of(given, 1, path)
        names: dict[str, str] = {}
        for number, (pattern, at) in enumerate(copies, 1):
            name = self.filled(pattern, number, at)
            if name in names or self._is_taken(name):
                raise self._taken(name, at)
            names[name] = at
        try:
            made = collection.create_many(names, **fields)
        except TypeError as error:
            raise self._scenario.error(path, f"{path} is refused: {error}") from None
        self.named.update(zip(names, made, strict=True))
        return made[-1]

    def _fields_of(self, given: Mapping[str, Any], number: int, path: str) -> dict[str, Any]:
        return {
            name: self.filled(value, number, f"{path}.{name}")
            for name, value in given.items()
            if name not in _NO_FIELDS
        }

    def _is_taken(self, name: str) -> bool:
        before = self.named.get(name)
        return before is not None and exists(before)

    def _taken(self, name: str, at: str) -> ScenarioError:
        return self._scenario.error(at, f"{at} must differ from those of the resources that exist, not {name!r}")

    def _collection(self, given: Mapping[str, Any], path: str) -> Any:
        family = given["family"]
        if family == "organization":
            return self._simulation.organizations
        parents = [self.find(given["in"], f"{path}.in")] if "in" in given else reversed(self._latest.values())
        for parent in parents:
            if family in (accessors := _creatable_in(parent)):
                return getattr(parent, accessors[family])
        above = [self.find(given["in"], f"{path}.in")] if "in" in given else list(self._latest.values())
        known = {family for parent in above for family in _creatable_in(parent)}
        below = "" if not above else " below " + (f"{given['in']!r}" if "in" in given else "those before it")
        raise self._scenario.error(
            f"{path}.family",
            f"{path}.family must be a family of resources{below}: {', '.join(sorted(known)) or 'organization'}; "
            f"not {family!r}",
        )


def _patterns_of(scenario: Scenario, given: Mapping[str, Any], path: str) -> Sequence[tuple[str, str]]:
    """Returns the name of each copy, with `{n}` for its number, and the path of the member with the name. Raises
    `ScenarioError` for copies with the same name."""
    if "names" in given:
        return [(name, f"{path}.names[{index}]") for index, name in enumerate(given["names"])]
    copies = given.get("count", 1)
    if copies > 1 and "{n}" not in given["name"]:
        raise scenario.error(
            f"{path}.name", f"{path}.name must contain {{n}} where count is more than 1, not {given['name']!r}"
        )
    return [(given["name"], f"{path}.name")] * copies


def _differ_in_names_only(given: Mapping[str, Any]) -> bool:
    """Reports whether the copies have the same fields and the same parent. False for clusters, which are deployed one
    by one."""
    rest = {name: value for name, value in given.items() if name not in ("name", "names")}
    return given["family"] != "cluster" and "{n}" not in json.dumps(rest, default=str)


def _creatable_in(parent: Resource) -> dict[str, str]:
    """Returns the families that can be created in a resource, with the name of the collection of each."""
    children = {accessor: getattr(models, name) for accessor, name in parent._family.children.items()}
    return {
        collection._item._family.name: accessor
        for accessor, collection in children.items()
        if issubclass(collection, Creatable)
    }
