"""Methods that their author may well take for one that is called by its name."""

from __future__ import annotations

import difflib
import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FunctionType

_CLOSE = 0.8  # difflib's measure: "deplyo" and "deploy" are 0.83
_LONGER_MAX = 1  # letters that a misspelled name has more or less: "redeploy" and "start" are names of their own


def nearest(given: str, names: Sequence[str]) -> str:
    """The name of the same words in another order, or spelled almost the same; "" if there is none."""
    words = sorted(given.lower().split("_"))
    for name in names:
        if sorted(name.split("_")) == words:
            return name
    as_long = [name for name in names if abs(len(name) - len(given)) <= _LONGER_MAX]
    return next(iter(difflib.get_close_matches(given.lower(), as_long, 1, _CLOSE)), "")


def takes_only(function: FunctionType, parameter: str) -> bool:
    """Whether the engine could call it as a method: with one argument, and that has this name."""
    _, *parameters = inspect.signature(function).parameters.values() or (None,)
    usual = [given for given in parameters if given.kind is given.POSITIONAL_OR_KEYWORD]
    return [given.name for given in usual if given.default is given.empty] == [parameter]
