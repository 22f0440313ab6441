"""The event loop of a driver's `async` methods."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

import pytest

from orlop.drivers.step_loop import NAME, Begun, StepLoop

WITHIN = 20  # seconds: far more than any of these tests needs


@pytest.fixture
def loop() -> Iterator[StepLoop]:
    made = StepLoop()
    yield made
    made.loop.call_soon_threadsafe(made.loop.stop)


class Held:
    """Blocks the thread of a loop until let_go()."""

    def __init__(self, loop: StepLoop) -> None:
        self._go_on, is_held = threading.Event(), threading.Event()

        def hold() -> None:
            is_held.set()
            self._go_on.wait(WITHIN)

        loop.loop.call_soon_threadsafe(hold)
        assert is_held.wait(WITHIN)

    def let_go(self) -> None:
        self._go_on.set()


class Works:
    """Coroutines of the test, and their ends."""

    def __init__(self, loop: StepLoop) -> None:
        self._loop = loop
        self.begun: list[int] = []
        self.ended: list[asyncio.Task[None]] = []

    async def work(self, number: int) -> None:
        self.begun.append(number)
        await asyncio.sleep(0)

    def begin(self, number: int) -> Begun:
        return self._loop.begin(self.work(number), self.ended.append)

    def wait(self) -> None:
        """Waits until all coroutines that were begun have ended."""
        self._loop.submit(self._others()).result(WITHIN)

    async def _others(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)


def test_many_that_wait_wake_the_loop_once_and_begin_in_their_order(
    loop: StepLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = Works(loop)
    wakes, wake = [], loop.loop.call_soon_threadsafe

    def counted(*given: Any) -> asyncio.Handle:
        wakes.append(given)
        return wake(*given)

    held = Held(loop)
    monkeypatch.setattr(loop.loop, "call_soon_threadsafe", counted)
    for number in range(100):
        works.begin(number)
    assert len(wakes) == 1
    held.let_go()
    works.wait()
    assert works.begun == list(range(100)) and [task.result() for task in works.ended] == [None] * 100
    assert len(wakes) == 2  # wait() has caused the second
    works.begin(100)
    works.wait()
    assert len(wakes) == 4 and works.begun[-1] == 100


def test_what_is_canceled_before_it_begins_does_not_begin(loop: StepLoop) -> None:
    works, held = Works(loop), Held(loop)
    begun = [works.begin(number) for number in range(3)]
    begun[1].cancel()
    held.let_go()
    works.wait()
    assert works.begun == [0, 2] and len(works.ended) == 2


def test_what_is_canceled_while_it_runs_is_interrupted(loop: StepLoop) -> None:
    has_begun, has_ended = threading.Event(), threading.Event()
    ended: list[asyncio.Task[None]] = []

    async def work() -> None:
        has_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            has_ended.set()

    begun = loop.begin(work(), ended.append)
    assert has_begun.wait(WITHIN)
    begun.cancel()
    assert has_ended.wait(WITHIN)
    Works(loop).wait()
    assert [task.cancelled() for task in ended] == [True]


def test_what_is_canceled_after_the_loop_has_ended_is_let_be() -> None:
    loop, ended = StepLoop(), threading.Event()
    begun = loop.begin(asyncio.sleep(0), lambda _: ended.set())
    assert ended.wait(WITHIN)
    loop.loop.call_soon_threadsafe(loop.loop.stop)
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join(WITHIN)
    assert loop.loop.is_closed()
    begun.cancel()


def test_errors_and_cancels_of_its_own_reach_those_that_wait_for_the_end(loop: StepLoop) -> None:
    async def fail() -> None:
        raise ValueError("no")

    async def give_up() -> None:
        raise asyncio.CancelledError

    ended: list[asyncio.Task[None]] = []
    for work in (fail(), give_up()):
        loop.begin(work, ended.append)
    Works(loop).wait()
    assert isinstance(ended[0].exception(), ValueError) and ended[1].cancelled()
    with pytest.raises(ValueError, match="no"):
        loop.submit(fail()).result(WITHIN)
    with pytest.raises(CancelledError):
        loop.submit(give_up()).result(WITHIN)
