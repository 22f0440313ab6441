"""Bodies that a description accepts: the smallest one of a schema, and every change of one member."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Iterator
from typing import Any

Body = dict[str, Any]
Flat = Callable[[Body], Body]

FORMS = {"date-time": "2026-01-01T00:00:00Z", "duration": "PT5M"}

_numbers = itertools.count(1)


# Parameter whose value an id in a body is, by the end of the member's path.
ID_OF = {
    "registry_id": "containerRegistryId",
    "repository": "helmRepositoryId",
    "helm_repository_id": "helmRepositoryId",
    "git_token_id": "gitTokenId",
    "cluster_id": "clusterId",
    "project_id": "projectId",
    "organization_id": "organizationId",
    "labels_groups[].id": "labelsGroupId",
    "annotations_groups[].id": "annotationsGroupId",
    "alert_receiver_ids[]": "alertReceiverId",
}


def smallest(schema: Body, flat: Flat, ids: dict[str, str], path: str = "") -> Any:
    """Returns the required members alone, each as small as its schema allows; names are new, and ids those of existing
    resources."""
    schema = flat(schema)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            members = schema.get("properties", {})
            if not members and schema.get("additionalProperties"):
                return {f"key{next(_numbers)}": "value"}
            required = [name for name in schema.get("required", []) if not flat(members[name]).get("readOnly")]
            return {name: smallest(members[name], flat, ids, f"{path}.{name}") for name in required}
        case "array":
            return [smallest(schema["items"], flat, ids, path + "[]") for _ in range(schema.get("minItems", 0))]
        case "boolean":
            return False
        case "integer" | "number":
            return schema.get("minimum", 1)
    if schema.get("format") == "uuid":
        return next(
            (ids[parameter] for member, parameter in ID_OF.items() if path.endswith(member)),
            str(uuid.UUID(int=next(_numbers))),
        )
    if schema.get("format") in FORMS:
        return FORMS[schema["format"]]
    return _text(schema, f"thing-{next(_numbers)}")


def _text(schema: Body, text: str) -> str:
    return f"https://example.com/{text}" if schema.get("format") == "uri" else text


def _others(value: Any, schema: Body) -> Iterator[Any]:
    """Yields other values of a member that is neither an object nor a list."""
    if "enum" in schema:
        yield from (one for one in schema["enum"] if one is not None and one != value)
    elif schema.get("type") == "boolean":
        yield from (one for one in (True, False) if one != value)
    elif schema.get("type") in ("integer", "number"):
        least = schema.get("minimum", 1)
        yield from (one for one in (least, least + 1) if one != value)
    elif schema.get("type") == "string" and schema.get("format") not in ("uuid", "date-time"):
        yield _text(schema, f"other-{next(_numbers)}")


def changes(
    declared: Body, schema: Body, flat: Flat, ids: dict[str, str], path: str = ""
) -> Iterator[tuple[str, Body]]:
    """Yields the body with one member changed, for every member and every value that its schema names, with the
    member's path."""
    for name, member in flat(schema).get("properties", {}).items():
        member, way = flat(member), f"{path}.{name}".lstrip(".")
        if member.get("readOnly"):
            continue
        value = declared.get(name)
        if member.get("type") == "object":
            inner = value if isinstance(value, dict) else smallest(member, flat, ids, way)
            if value is None:
                yield way, {**declared, name: inner}
            yield from (
                (inside, {**declared, name: changed}) for inside, changed in changes(inner, member, flat, ids, way)
            )
        elif member.get("type") == "array":
            yield way, {**declared, name: [smallest(member["items"], flat, ids, way + "[]")]}
        elif member.get("format") == "uuid":
            yield way, {**declared, name: smallest(member, flat, ids, way)}
        else:
            yield from ((way, {**declared, name: other}) for other in _others(value, member))
