"""What a resource of a scenario has come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import Error, NotFound

if TYPE_CHECKING:
    from ...resources import Resource


def exists(resource: Resource) -> bool:
    """Whether it was not deleted."""
    try:
        resource.refresh()
        return True
    except NotFound:
        return False


def has_state(resource: Resource) -> bool:
    """Whether it is a service, an environment or a cluster."""
    return resource._family.name == "environment" or hasattr(type(resource), "state")


def state_of(resource: Any) -> str:
    """The state of an environment, service or cluster."""
    try:
        if resource._family.name == "environment":
            return str(resource.status()["state"])
        return str(resource.state()["status"] if callable(resource.state) else resource.state)
    except NotFound:
        return "DELETED"
    except Error as error:
        return f"none: {error}"
