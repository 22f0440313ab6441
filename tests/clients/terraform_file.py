"""Applies a Terraform file in JSON syntax with the declarative client: blocks in the order of their references, each
reference replaced by the id of its resource."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from declarative import Ask, Body, Client, Description, Kind, Resource

PREFIX = "platform_"
# An escape sequence, or an interpolation.
INTERPOLATION = re.compile(r"(?P<escaped>\$\$\{|%%\{)|\$\{(?P<expression>[^}]*)\}")
EXPRESSION = re.compile(r"^(?P<open>upper\(substr\()?(?P<address>(?:data\.)?\w+\.\w+)\.id(?P<close>, 0, 8\)\))?$")
RULE = "environment_deployment_rule"


@dataclass
class Block:
    address: str  # "platform_container.web", "data.platform_variable.level"
    kind: str  # "container"
    arguments: Body

    def references(self) -> set[str]:
        return {
            read_expression(found["expression"])["address"]
            for text in texts_of(self.arguments)
            for found in INTERPOLATION.finditer(text)
            if found["expression"]
        }


def read_expression(text: str) -> re.Match[str]:
    found = EXPRESSION.match(text)
    assert found and bool(found["open"]) == bool(found["close"]), f"the expression {text} is unknown"
    return found


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_of(item)


def resolved(value: Any, ids: dict[str, str]) -> Any:
    """Replaces references in the value by ids."""

    def stand_in(found: re.Match[str]) -> str:
        if found["escaped"]:
            return found["escaped"][1:]
        expression = read_expression(found["expression"])
        id = ids[expression["address"]]
        return id[:8].upper() if expression["open"] else id

    if isinstance(value, str):
        return INTERPOLATION.sub(stand_in, value)
    if isinstance(value, dict):
        return {name: resolved(item, ids) for name, item in value.items()}
    return [resolved(item, ids) for item in value] if isinstance(value, list) else value


def read_blocks(text: str) -> list[Block]:
    """Returns the blocks, each after those that it refers to."""
    file = json.loads(text)
    assert set(file) <= {"data", "resource"}
    blocks = {}
    for part in file:
        for kind, labels in file[part].items():
            for label, arguments in labels.items():
                address = f"data.{kind}.{label}" if part == "data" else f"{kind}.{label}"
                blocks[address] = Block(address, kind.removeprefix(PREFIX), arguments)
    return [
        blocks[address]
        for address in TopologicalSorter(
            {address: block.references() for address, block in blocks.items()}
        ).static_order()
    ]


def argument_of(parameter: str) -> str:
    """Converts {environmentId} to environment_id."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", parameter.strip("{}")).lower()


class File:
    """The blocks of a file, and the resources on a platform that they declare."""

    def __init__(self, text: str, description: Description, ask: Ask) -> None:
        self._blocks = read_blocks(text)
        self._ask, self._client = ask, Client(description, ask)
        self._kinds: list[Kind] = [*description.kinds(), *description.listed_kinds(), *description.settings_kinds()]
        self._ids: dict[str, str] = {}
        self.resources: dict[str, Resource] = {}

    def apply(self) -> None:
        for block in self._blocks:
            arguments = resolved(block.arguments, self._ids)
            if block.address.startswith("data."):
                self._ids[block.address] = self._look_up(arguments)
            else:
                resource = self._make(block, arguments)
                self.resources[block.address] = resource
                self._ids[block.address] = resource.id

    def plan(self) -> list[str]:
        return [
            f"{address}: {line}" for address, resource in self.resources.items() for line in self._client.plan(resource)
        ]

    def _look_up(self, arguments: Body) -> str:
        reply = self._ask("GET", f"/variable?scope={arguments['scope']}&parent_id={arguments['parent_id']}", None)
        [found] = [one["id"] for one in reply.json()["results"] if one["key"] == arguments["key"]]
        return str(found)

    def _kind(self, block: Block, arguments: Body) -> Kind:
        def fits(kind: Kind) -> bool:
            parameters = re.findall(r"\{\w+\}", kind.collection or kind.item)
            is_named = kind.name == block.kind or kind.name.endswith("_" + block.kind)
            return is_named and all(argument_of(parameter) in arguments for parameter in parameters)

        [kind] = [kind for kind in self._kinds if fits(kind)]
        return kind

    def _make(self, block: Block, arguments: Body) -> Resource:
        place = {
            name: arguments.pop(name) for name in ("deployment_stage_id", "is_skipped", "is_after") if name in arguments
        }
        if block.kind == RULE:
            environment = arguments.pop("environment_id")
            kind = Kind(
                RULE, "", f"/environment/{environment}/deploymentRule", {}, {"properties": dict.fromkeys(arguments, {})}
            )
            self._check("PUT", f"{kind.item}/{environment}", arguments)
            return Resource(kind, "", arguments)
        kind = self._kind(block, arguments)
        parameter = re.search(r"\{\w+\}", kind.collection or kind.item)
        parent = arguments.pop(argument_of(parameter.group())) if parameter else ""
        resource = Resource(kind, parent, arguments, query=query_of(arguments))
        if kind.collection:
            self._create(block, resource)
        else:
            reply = self._client.update(resource, arguments)
            assert reply.status in (200, 201), (block.address, reply.body)
        if "deployment_stage_id" in place:
            body = {"is_skipped": place.get("is_skipped", False)}
            self._check("PUT", f"/deploymentStage/{place['deployment_stage_id']}/service/{resource.id}", body)
        if "is_after" in place:
            self._check("PUT", f"/deploymentStage/{resource.id}/moveAfter/{place['is_after']}", None)
        return resource

    def _create(self, block: Block, resource: Resource) -> None:
        """Creates the resource; adopts the stages that a new environment already has."""
        if block.kind == "deployment_stage":
            stages = self._ask("GET", f"/environment/{resource.parent}/deploymentStage", None).json()["results"]
            known = [stage["id"] for stage in stages if stage["name"] == resource.declared["name"]]
            if known:
                resource.id = known[0]
                assert self._client.update(resource, resource.declared).status == 200, block.address
                return
        reply = self._client.create(resource)
        assert reply.status in (200, 201), (block.address, resource.declared, reply.body)

    def _check(self, method: str, path: str, body: Any) -> None:
        reply = self._ask(method, path, body)
        assert reply.status in (200, 201), (method, path, reply.body)


def query_of(arguments: Body) -> str:
    """Returns the query of the list of variables: the owner and its scope."""
    for name in ("variable", "alias", "override"):
        if f"{name}_scope" in arguments:
            return f"?scope={arguments[f'{name}_scope']}&parent_id={arguments[f'{name}_parent_id']}"
    return ""
