"""Checks of the methods of a host's class."""

from __future__ import annotations

import difflib
import inspect
from typing import TYPE_CHECKING

from ..errors import Misuse
from .arguments import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FunctionType

_CLOSE = 0.8  # difflib's ratio: "deplyo" and "deploy" have 0.83
_LONGER_MAX = 1  # greatest difference in length of a misspelled name: "redeploy" and "start" are other names


def check_method(owner: str, name: str, method: object, argument: str) -> None:
    """Raises `Misuse` if `method`, which `owner` has under this name, cannot be called with `argument` alone."""
    if not callable(method):
        raise Misuse(f"{name} of {owner} must be a method, not {shown(method)}")
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # a callable without a signature
        return
    try:
        signature.bind(None)
    except TypeError:
        raise Misuse(f"{name} of {owner} must take one argument, the {argument}, not {signature}") from None


def refuse_misspelled(
    kind: type, owner: str, allowed: Sequence[str], names: Sequence[str], argument: str, otherwise: str
) -> None:
    """Raises `Misuse` if a public method of the class `kind` looks like a misspelled one of `names`, or takes
    `argument` alone.

    Methods in `allowed` are not checked. `owner` begins the message, such as "the driver Mine has"; `otherwise` ends it
    if no name is near.
    """
    for given, value in vars(kind).items():
        if given.startswith("_") or given in allowed or not inspect.isfunction(value):
            continue
        near = _nearest(given, names)
        if near or _takes_only(value, argument):
            hint = f"; did you mean {near}?" if near else otherwise
            advice = "Begin the name of a helper with an underscore"
            raise Misuse(f"{owner} a method {given}, which is no {argument}{hint} {advice}")


def _nearest(given: str, names: Sequence[str]) -> str:
    """Returns the name with the same parts in another order, or with almost the same spelling; "" if there is none."""
    words = sorted(given.lower().split("_"))
    for name in names:
        if sorted(name.split("_")) == words:
            return name
    as_long = [name for name in names if abs(len(name) - len(given)) <= _LONGER_MAX]
    return next(iter(difflib.get_close_matches(given.lower(), as_long, 1, _CLOSE)), "")


def _takes_only(function: FunctionType, parameter: str) -> bool:
    """Reports whether the engine could call the function as a method: with one argument, which has this name."""
    _, *parameters = inspect.signature(function).parameters.values() or (None,)
    usual = [given for given in parameters if given.kind is given.POSITIONAL_OR_KEYWORD]
    return [given.name for given in usual if given.default is given.empty] == [parameter]
