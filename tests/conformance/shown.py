"""Registry of the functions that show the rules of interface.txt."""

from __future__ import annotations

from collections.abc import Callable

from fixture import Fixture

Rule = Callable[[Fixture], None]
SHOWN_BY: dict[str, Rule] = {}


def shows(*names: str) -> Callable[[Rule], Rule]:
    """Registers the function as the one that shows these rules."""

    def enter(function: Rule) -> Rule:
        for name in names:
            if name in SHOWN_BY:
                raise ValueError(f"{name} is shown twice")
            SHOWN_BY[name] = function
        return function

    return enter
