"""Resources as arguments."""

from __future__ import annotations

from ..checking.arguments import text
from ..resources import Resource


def id_of(what: str, given: object) -> str:
    """The id of a resource, or what is given as one."""
    return given.id if isinstance(given, Resource) else text(what, given)
