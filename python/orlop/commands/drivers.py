"""Drivers by their names on the command line."""

from __future__ import annotations

from typing import Any

from .named import named

CONTAINERS = "containers"
NONE = "none"


def driver_of(name: str | None) -> Any:
    """Returns the driver that --driver names: `containers`, or MODULE:NAME of a class, or of a function that makes one.
    None for `none` and for no name."""
    if name is None or name == NONE:
        return None
    if name != CONTAINERS:
        return named("--driver", name)()
    from ..drivers.containers import Containers

    return Containers()
