"""Passes members of a scenario file to the simulation. A refusal becomes the error about the member, with its line and
column."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from ...errors import Misuse, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .document import Scenario


def load_members(scenario: Scenario, load: Callable[[Any], None], given: Any, path: str) -> None:
    """Adds the entries of an action's member at the path. A refusal begins with the path below the action."""
    try:
        load(given)
    except Misuse as error:
        raise scenario.error_of(Misuse(f"{path}.{error}")) from None


def call_with_members(
    scenario: Scenario, call: Callable[..., None], given: Mapping[str, Any], path: str, root: str
) -> None:
    """Calls the function with the members of the value at the path. A refusal begins with the member's name, or with
    `root`."""
    known = list(inspect.signature(call).parameters)
    for name in given:
        if name not in known:
            raise scenario.unknown(path, name, known)
    try:
        call(**given)
    except (Misuse, Refused) as error:
        said = re.sub(rf"^{root}\.", "", str(error))
        name = said.split(" ", 1)[0]
        raise scenario.error(f"{path}.{name}", f"{path}.{said}" if name in known else f"{path}: {error}") from None


def numbered(value: Any, number: int) -> Any:
    """Returns the value with the number of a repetition in place of {n}."""
    if isinstance(value, dict):
        return {name: numbered(item, number) for name, item in value.items()}
    if isinstance(value, list):
        return [numbered(item, number) for item in value]
    return value.replace("{n}", str(number)) if isinstance(value, str) else value
