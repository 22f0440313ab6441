"""The check of the engine's driver, made when the engine is opened instead of at the first step.

A public method must be a step if its name looks like a misspelled one, or if it can be called with one argument, named
`step`. Helpers may have any other name; a name with a leading underscore is never taken for a step.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ..errors import Misuse
from ..options.arguments import shown
from ..options.methods import check_method, refuse_misspelled

if TYPE_CHECKING:
    from .driver import Driver


_ACCEPTS = "accepts"
_OTHERS = (_ACCEPTS, "observe")


def check(driver: object, base: type[Driver]) -> None:
    """Raises `Misuse` for an object that is not an instance of `base`, which is `orlop.Driver`, or has a method that
    looks like a step and is not one."""
    if isinstance(driver, type):
        raise Misuse(f"driver must be an instance, {driver.__name__}(…), not the class {driver.__name__}")
    if not isinstance(driver, base):
        raise Misuse(f"driver must be an instance of a subclass of orlop.Driver, not {shown(driver)}")
    name = type(driver).__name__
    methods = tuple(method for method, value in vars(base).items() if inspect.isfunction(value))
    steps = tuple(method for method in methods if method not in _OTHERS)
    for kind in type(driver).__mro__:
        if kind is not base:
            refuse_misspelled(
                kind, f"the driver {name} has", methods, steps, "step", f": steps are {', '.join(steps)}."
            )
    for method in methods:
        check_method(
            f"the driver {name}", method, getattr(driver, method, None), "subjects" if method == "observe" else "step"
        )
    if inspect.iscoroutinefunction(driver.accepts):
        raise Misuse(f"{_ACCEPTS} of the driver {name} must be a plain method, not async: it answers at once")
    if driver.schedules not in ("engine", "driver"):
        raise Misuse(f"schedules of the driver {name} must be 'engine' or 'driver', not {shown(driver.schedules)}")
    workers = driver.workers
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise Misuse(f"workers of the driver {name} must be a whole number, 1 or more, not {shown(workers)}")
