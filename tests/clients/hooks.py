"""For schemathesis: half of the paths and bodies name what is there. Random ids find nothing, and nothing is tested
then.

ORLOP_KNOWN says, as JSON, which ids there are for each parameter; those below "doomed" are for what deletes, and those
below "own" are what the requests are made with: nothing deletes them, wherever their ids were read."""

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
# The ids that bodies hold.
IN_BODIES = {
    "registry_id": "containerRegistryId",
    "cluster": "clusterId",
    "cluster_id": "clusterId",
    "environment_id": "environmentId",
    "organization_id": "organizationId",
}


def random_source_of(values: Any) -> random.Random:
    """A random source that follows from what was generated, so that a seed gives the same run."""
    return random.Random(zlib.crc32(repr(values).encode()))


def is_id(value: Any) -> bool:
    """Whether it fits the description; what is not to fit stays as it is."""
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
    """Without If-Match: a random ETag matches nothing, and every write with it would be refused before its body is
    looked at."""
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
    """`null` counts as no body where a body is optional, which OpenAPI says of no schema that has a name."""
    return body is not None


@schemathesis.deserializer(*YAML_MEDIA_TYPES)  # the first one of the family decides
def text_of(context: Any, response: Any) -> Any:
    """The description describes the text, not what the YAML in it says."""
    return response.text
