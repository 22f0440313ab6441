"""For schemathesis: half of the paths and bodies name existing resources. A random id is not found, so that nothing is
tested.

ORLOP_KNOWN holds, as JSON, the existing ids for each parameter: those below "doomed" are for operations that delete;
those below "own" authenticate the requests and are never deleted, even if an id was read from an answer."""

from __future__ import annotations

import json
import os
import random
import uuid
import zlib
from typing import Any

import schemathesis
from schemathesis.core.media_types import YAML_MEDIA_TYPES

KNOWN: dict[str, dict[str, list[str]]] = json.loads(
    os.environ.get("ORLOP_KNOWN", '{"kept": {}, "doomed": {}, "own": {}}')
)
# Parameter for each member of bodies that holds an id.
IN_BODIES = {
    "registry_id": "containerRegistryId",
    "cluster": "clusterId",
    "cluster_id": "clusterId",
    "environment_id": "environmentId",
    "organization_id": "organizationId",
}


def random_source_of(values: Any) -> random.Random:
    """Returns a random source seeded by the generated values, so that a seed gives the same run."""
    return random.Random(zlib.crc32(repr(values).encode()))


def is_id(value: Any) -> bool:
    """Reports whether the value is a valid id; invalid values, which test refusals, are left unchanged."""
    try:
        return bool(str(uuid.UUID(value)) == value)
    except (ValueError, AttributeError, TypeError):
        return False


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    if not path_parameters:
        return path_parameters
    random_source = random_source_of(path_parameters)
    known = KNOWN["doomed" if context.operation.method.upper() == "DELETE" else "kept"]
    if random_source.random() < 0.2:
        return path_parameters
    return {
        name: random_source.choice(known[name]) if known.get(name) and is_id(value) else value
        for name, value in path_parameters.items()
    }


@schemathesis.hook
def map_headers(context: Any, headers: dict[str, Any] | None) -> dict[str, Any] | None:
    """Removes If-Match: a random ETag never matches, and every write with it would be refused before its body is
    read."""
    return {name: value for name, value in headers.items() if name != "If-Match"} if headers else headers


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    random_source = random_source_of(body)
    for name, parameter in IN_BODIES.items():
        if is_id(body.get(name)) and KNOWN["kept"].get(parameter) and random_source.random() < 0.7:
            body = {**body, name: random_source.choice(KNOWN["kept"][parameter])}
    return body


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    if case.operation.method.upper() != "DELETE":
        return
    for name, ids in KNOWN["own"].items():
        if case.path_parameters and case.path_parameters.get(name) in ids:
            case.path_parameters[name] = str(uuid.UUID(int=0))


@schemathesis.hook
def filter_body(context: Any, body: Any) -> bool:
    """Excludes `null`: it counts as no body where a body is optional, which OpenAPI does not express for a named
    schema."""
    return body is not None


@schemathesis.deserializer(*YAML_MEDIA_TYPES)  # the first one decides for the whole family of media types
def text_of(context: Any, response: Any) -> Any:
    """The description describes the text, not the contents of its YAML."""
    return response.text
