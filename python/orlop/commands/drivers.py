"""Drivers by their names on the command line."""

from __future__ import annotations

from typing import Any

from ..errors import Misuse
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
    try:
        from ..drivers.containers import Containers

        return Containers()
    except ImportError as error:
        raise Misuse(
            "--driver containers needs the package docker, which speaks to Docker and Podman: "
            "pip install 'orlop[containers]'"
        ) from error
