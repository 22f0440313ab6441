"""The check of the engine's external systems, made when the engine is opened instead of at the first question.

A public method must be a question if its name looks like a misspelled one, or if it can be called with one argument,
named `question`. Helpers may have any other name; a name with a leading underscore is never taken for a question.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Misuse
from ..generated.external_systems import ExternalSystems
from ..options.arguments import shown
from ..options.methods import check_method, refuse_misspelled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

QUESTIONS = tuple(name for name, value in vars(ExternalSystems).items() if inspect.isfunction(value))


def answered(given: ExternalSystems | Sequence[ExternalSystems]) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
    """Returns the method of each answered question; the first of several systems counts. Raises `Misuse` for other
    objects than external systems."""
    systems = list(given) if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) else [given]
    methods: dict[str, Callable[[Mapping[str, Any]], Any]] = {}
    for one in systems:
        _check(one)
        for name in QUESTIONS:
            method = getattr(one, name)
            if getattr(method, "__func__", None) is not vars(ExternalSystems)[name]:
                check_method(f"the external systems {type(one).__name__}", name, method, "question")
                methods.setdefault(name, method)
    if not methods:
        raise Misuse("external_systems must answer at least one question: override the method of one")
    return methods


def _check(system: object) -> None:
    if isinstance(system, type):
        raise Misuse(f"external_systems must be an instance, {system.__name__}(…), not the class {system.__name__}")
    if not isinstance(system, ExternalSystems):
        raise Misuse(
            f"external_systems must be an instance of a subclass of orlop.ExternalSystems, or a list of such, not "
            f"{shown(system)}"
        )
    for kind in type(system).__mro__:
        if kind is ExternalSystems:
            break
        refuse_misspelled(
            kind, f"the external systems {type(system).__name__} have", QUESTIONS, QUESTIONS, "question", "."
        )
