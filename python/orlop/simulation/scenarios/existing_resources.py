"""The resources of a scenario: their existence, states and names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...errors import Error, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...resources.resource import Resource

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def exists(resource: Resource) -> bool:
    try:
        resource.refresh()
        return True
    except NotFound:
        return False


def with_names(said: str, named: Mapping[str, Resource]) -> str:
    """Returns a message of the platform with the names of a scenario in place of ids."""
    return _ID.sub(
        lambda found: next((f'"{name}"' for name, resource in named.items() if resource.id == found[0]), found[0]), said
    )


def has_state(resource: Resource) -> bool:
    """Reports whether the resource is a service, an environment or a cluster."""
    return resource._family.name == "environment" or hasattr(type(resource), "state")


def state_of(resource: Any) -> str:
    try:
        if resource._family.name == "environment":
            return str(resource.status()["state"])
        return str(resource.state()["status"] if callable(resource.state) else resource.state)
    except NotFound:
        return "DELETED"
    except Error as error:
        return f"none: {error}"
