"""The event loop of a driver's `async` methods."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

import pytest

from orlop.calling.step_loop import StepLoop

WITHIN = 20  # seconds: far more than any of these tests takes


@pytest.fixture
def loop() -> Iterator[StepLoop]:
    made = StepLoop()
    yield made
    made.loop.call_soon_threadsafe(made.loop.stop)


class Held:
    """The thread of a loop stands still until it is let go."""

    def __init__(self, loop: StepLoop) -> None:
        self._go_on, is_held = threading.Event(), threading.Event()

        def hold() -> None:
            is_held.set()
            self._go_on.wait(WITHIN)

        loop.loop.call_soon_threadsafe(hold)
        assert is_held.wait(WITHIN)

    def let_go(self) -> None:
        self._go_on.set()


def test_many_that_wait_wake_the_loop_once_and_begin_in_their_order(loop: StepLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    async def work(number: int) -> None:
        begun.append(number)
        await asyncio.sleep(0)

    wakes, wake = [], loop.loop.call_soon_threadsafe

    def counted(*given: Any) -> asyncio.Handle:
        wakes.append(given)
        return wake(*given)

    held = Held(loop)
    monkeypatch.setattr(loop.loop, "call_soon_threadsafe", counted)
    futures = [loop.submit(work(number)) for number in range(100)]
    assert len(wakes) == 1
    held.let_go()
    for future in futures:
        future.result(WITHIN)
    assert begun == list(range(100))
    loop.submit(work(100)).result(WITHIN)
    assert len(wakes) == 2 and begun[-1] == 100


def test_what_is_canceled_before_it_begins_does_not_begin(loop: StepLoop) -> None:
    begun = []

    async def work(number: int) -> None:
        begun.append(number)

    held = Held(loop)
    futures = [loop.submit(work(number)) for number in range(3)]
    assert futures[1].cancel()
    held.let_go()
    futures[2].result(WITHIN)
    assert begun == [0, 2]


def test_what_is_canceled_while_it_runs_is_interrupted(loop: StepLoop) -> None:
    has_begun, has_ended = threading.Event(), threading.Event()

    async def work() -> None:
        has_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            has_ended.set()

    future = loop.submit(work())
    assert has_begun.wait(WITHIN) and future.cancel() and has_ended.wait(WITHIN)


def test_errors_and_cancels_of_its_own_are_the_futures(loop: StepLoop) -> None:
    async def fail() -> None:
        raise ValueError("no")

    async def give_up() -> None:
        raise asyncio.CancelledError

    with pytest.raises(ValueError, match="no"):
        loop.submit(fail()).result(WITHIN)
    with pytest.raises(CancelledError):
        loop.submit(give_up()).result(WITHIN)
