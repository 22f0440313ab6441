"""Whether what an engine is given as its driver is one: said when the engine is opened, not when the first step comes.

A public method must be a step if its name looks like a misspelled one, or if it can be called with one argument, named `step`. Helpers
may have any other name; one that begins with an underscore is never taken for a step.
"""

from __future__ import annotations

import difflib
import inspect
from typing import TYPE_CHECKING

from .arguments import shown
from .errors import Misuse

if TYPE_CHECKING:
    from types import FunctionType

    from .driver import Driver

_CLOSE = 0.8  # difflib's measure: "deplyo" and "deploy" are 0.83
_LONGER_MAX = 1  # letters that a misspelled name has more or less: "redeploy" and "start" are names of their own


def check(driver: object, base: type[Driver]) -> None:
    """Raises `Misuse` for what is no instance of `base`, which is `orlop.Driver`, or has a method that its author may well take for a step."""
    if isinstance(driver, type):
        raise Misuse(f"driver must be an instance, {driver.__name__}(…), not the class {driver.__name__}")
    if not isinstance(driver, base):
        raise Misuse(f"driver must be an instance of a subclass of orlop.Driver, not {shown(driver)}")
    name = type(driver).__name__
    steps = tuple(step for step, value in vars(base).items() if inspect.isfunction(value))
    for kind in type(driver).__mro__:
        if kind is not base:
            _check_names(kind, name, steps)
    for step in steps:
        _check_step(driver, name, step)
    workers = driver.workers
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise Misuse(f"workers of the driver {name} must be a whole number, 1 or more, not {shown(workers)}")


def _check_names(kind: type, name: str, steps: tuple[str, ...]) -> None:
    for given, value in vars(kind).items():
        if given.startswith("_") or given in steps or not inspect.isfunction(value):
            continue
        near = _nearest(given, steps)
        if near or _takes_a_step(value):
            hint = f"; did you mean {near}?" if near else f": steps are {', '.join(steps)}."
            raise Misuse(f"the driver {name} has a method {given}, which is no step{hint} Begin the name of a helper with an underscore")


def _nearest(given: str, steps: tuple[str, ...]) -> str:
    """The step of the same words in another order, or spelled almost the same."""
    words = sorted(given.lower().split("_"))
    for step in steps:
        if sorted(step.split("_")) == words:
            return step
    as_long = [step for step in steps if abs(len(step) - len(given)) <= _LONGER_MAX]
    return next(iter(difflib.get_close_matches(given.lower(), as_long, 1, _CLOSE)), "")


def _takes_a_step(function: FunctionType) -> bool:
    """Whether the engine could call it as a method: with one argument, and that is named so."""
    _, *parameters = inspect.signature(function).parameters.values() or (None,)
    usual = [parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
    return [parameter.name for parameter in usual if parameter.default is parameter.empty] == ["step"]


def _check_step(driver: Driver, name: str, step: str) -> None:
    method = getattr(driver, step, None)
    if not callable(method):
        raise Misuse(f"{step} of the driver {name} must be a method, not {shown(method)}")
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # of a callable without a signature
        return
    try:
        signature.bind(None)
    except TypeError:
        raise Misuse(f"{step} of the driver {name} must take one argument, the step, not {signature}") from None
