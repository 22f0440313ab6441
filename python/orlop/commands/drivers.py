"""Drivers by their names on the command line."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ..errors import Misuse
from ..options.arguments import nearest_hint
from .named import named

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTAINERS = "containers"
NONE = "none"


def add_driver_options(parser: Any) -> None:
    """Adds the option with arguments of the driver."""
    parser.add_argument(
        "--driver-option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an argument of the driver, such as patience=60; may be repeated",
    )


def driver_of(name: str | None, options: Sequence[str] = ()) -> Any:
    """Returns the driver that --driver names: `containers`, or MODULE:NAME of a class, or of a function that makes one.
    None for `none` and for no name. `options`: NAME=VALUE of its arguments."""
    if name is None or name == NONE:
        if options:
            raise Misuse(f"--driver-option must be left out without a driver, not {options[0]}")
        return None
    if name != CONTAINERS:
        make = named("--driver", name)
    else:
        from ..drivers.containers import Containers

        make = Containers
    return make(**_arguments(make, options)) if options else make()


def _arguments(make: Any, options: Sequence[str]) -> dict[str, Any]:
    from ..platform_files.yaml_nodes import plain

    known = list(inspect.signature(make).parameters)
    found: dict[str, Any] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or name not in known:
            hint = nearest_hint(name, known) or f"; NAME is one of {', '.join(known) or 'none'}"
            raise Misuse(f"--driver-option must be NAME=VALUE of the driver's arguments, not {option}{hint}")
        found[name] = plain(value)
    return found
