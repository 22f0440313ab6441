"""A host's external systems in a simulation: their `async` methods sleep in virtual time, which their answers take."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
from typing import TYPE_CHECKING, Any

from ..base.wire import dumps
from ..externals.external_calls import ExternalCalls, _contained
from .virtual_driver import OneThreadLoop

if TYPE_CHECKING:
    from collections.abc import Mapping


class _Selector(selectors.SelectSelector):
    """Does not wait for timers: their time passes at once, until more than `most` seconds have passed."""

    def __init__(self, most: float) -> None:
        super().__init__()
        self.passed = 0.0
        self.most = most

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if not ready and timeout > 0:
            self.passed += timeout
            if self.passed > self.most:
                raise TimeoutError
        return ready


class _Loop(OneThreadLoop):
    """The event loop of one question. Its time begins at 0."""

    def __init__(self, most: float) -> None:
        self._clock = _Selector(most)
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.passed

    def milliseconds(self) -> int:
        return round(self._clock.passed * 1000)

    def is_late(self) -> bool:
        return self._clock.passed > self._clock.most

    def end(self) -> None:
        """Cancels tasks that still run, without further time."""
        tasks = asyncio.all_tasks(self)
        for task in tasks:
            task.cancel()
        self._clock.most = self._clock.passed
        if tasks:
            with contextlib.suppress(TimeoutError):
                self.run_until_complete(_all_of(tasks))
        self.close()


class VirtualExternalCalls(ExternalCalls):
    """The external systems of one simulation. An answer that takes virtual time is a pair of the answer and its
    milliseconds."""

    def __call__(self, name: str, text: bytes) -> Any:
        answer = super()._answer(name, text)
        return (
            (dumps(answer.value, "answer"), answer.milliseconds)
            if isinstance(answer, _Timed)
            else dumps(answer, "answer")
        )

    def _await(self, awaitable: Any, late: TimeoutError) -> Any:
        return self._run(self._in_virtual_time, {"awaitable": awaitable, "late": late}, late)

    def _in_virtual_time(self, given: Mapping[str, Any]) -> _Timed:
        loop = _Loop(self._timeout)
        try:
            return _Timed(loop.run_until_complete(_contained(given["awaitable"])), loop.milliseconds())
        except BaseException as error:
            raised: Any = given["late"] if loop.is_late() else error
            raised._takes = loop.milliseconds()
            raise raised from None
        finally:
            loop.end()


async def _all_of(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


class _Timed:
    def __init__(self, value: Any, milliseconds: int) -> None:
        self.value = value
        self.milliseconds = milliseconds
