"""Several external systems as one: the first that answers a question counts."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import Misuse, Unanswered
from ..generated.external_systems import ExternalSystems
from .external_check import answered

Method = Callable[[Mapping[str, Any]], Any]


class Combined(ExternalSystems):
    """Asks each of `systems` in their order, until one answers: one that raises `orlop.Unanswered` is passed over. A
    list of systems given to the engine differs: there the first that has the method of a question is asked alone.
    Raises `Misuse` without a system."""

    def __init__(self, *systems: ExternalSystems) -> None:
        if not systems:
            raise Misuse("Combined must be given at least one of the external systems")
        methods: dict[str, list[Method]] = {}
        for system in systems:
            for name, method in answered(system).items():
                methods.setdefault(name, []).append(method)
        for name, found in methods.items():
            setattr(self, name, found[0] if len(found) == 1 else _first_of(name, found))


def _first_of(name: str, methods: list[Method]) -> Method:
    def ask(question: Mapping[str, Any]) -> Any:
        for number, method in enumerate(methods):
            if inspect.iscoroutinefunction(method):
                return _later(name, methods[number:], question)
            with contextlib.suppress(Unanswered):
                return method(question)
        raise Unanswered(f"the question {name} is not answered")

    return ask


async def _later(name: str, methods: list[Method], question: Mapping[str, Any]) -> Any:
    """Asks in an event loop, which a plain method would block: it runs on a thread."""
    for method in methods:
        with contextlib.suppress(Unanswered):
            if inspect.iscoroutinefunction(method):
                return await method(question)
            return await asyncio.to_thread(method, question)
    raise Unanswered(f"the question {name} is not answered")
