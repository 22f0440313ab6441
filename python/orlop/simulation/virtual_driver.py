"""A host's driver in virtual time: its methods run one at a time, and sleep until the virtual clock reaches their time.

Coroutines run in an event loop with virtual time, so that `asyncio.sleep`, timeouts and timers are virtual too. Each
plain method runs on its own thread, one at a time: a method continues until it sleeps or ends. The order at one instant
is fixed, so that a run is the same each time.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import inspect
import queue
import selectors
import threading
import weakref
from typing import TYPE_CHECKING, Any

from ..drivers.driver import CredentialsRefused, Driver, Step
from ..drivers.driver_pool import DriverPool
from ..drivers.failures import log_failure, reason_of, words_of
from ..drivers.observation import Subjects, report_seen
from ..errors import Closed, Misuse, StepCanceled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .. import _core


_LAST = 253_402_300_799_999  # milliseconds: the end of the virtual clock
_ENDS_WITHIN = 600.0  # virtual seconds that a method has after its cancel was forced
_SLEEPS_MAX = 1000  # limit for a canceled step
_inside = threading.local()  # weak reference `core`, on threads that run methods of a driver


def refuse_inside(core: _core.Engine) -> None:
    """Raises `Misuse` in a method of the simulation's driver: a call that waits until time advances would never
    return."""
    inside = getattr(_inside, "core", None)
    if inside is not None and inside() is core:
        raise Misuse(
            "a method of the driver may not move, control, save, restore or close its simulation: time stands "
            "while the method runs"
        )


class _Selector(selectors.SelectSelector):
    """Never waits: stops the loop when there is nothing to do."""

    def __init__(self) -> None:
        super().__init__()
        self.is_idle = False
        self.on_idle: Callable[[], None] = lambda: None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and (timeout is None or timeout > 0):
            self.is_idle = True
            self.on_idle()
        return ready


class _Timer(asyncio.TimerHandle):
    """A timer. Several at one instant run in the order in which they were set."""

    __slots__ = ("_number",)
    _number: int
    _when: float
    _scheduled: bool

    def __lt__(self, other: Any) -> bool:
        return bool((self._when, self._number) < (other._when, other._number))


class OneThreadLoop(asyncio.SelectorEventLoop):
    """An event loop without other threads."""

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """Runs the function here and now: on another thread it would end at no fixed virtual time."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class _Loop(OneThreadLoop):
    """An event loop in virtual time."""

    def __init__(self, core: _core.Engine) -> None:
        self.idle = _Selector()
        self._core = core
        self._last = 0.0
        self._timers = 0
        super().__init__(self.idle)
        self._clock_resolution = 0.0005  # times are whole milliseconds: timers within half of one are due
        self.idle.on_idle = self.stop

    _csock = None  # nothing wakes a loop that never waits

    def _make_self_pipe(self) -> None: ...

    def _close_self_pipe(self) -> None: ...

    def __del__(self) -> None:
        """Suppresses the warning of asyncio: the pool closes the loop, or the simulation has warned already."""

    def time(self) -> float:
        # Tasks that end after the simulation was closed keep its last time.
        with contextlib.suppress(Closed):
            self._last = self._core.now() / 1000
        return self._last

    _scheduled: list[_Timer]

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        now = self.time()
        # At least a millisecond, else a loop of short sleeps would stay at one instant.
        timer = _Timer(round(max(when, now + 0.001) if when > now else when, 3), callback, args, self, context)
        timer._number = self._timers = self._timers + 1
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    def run_until_idle(self) -> float | None:
        """Runs everything that can run now. Returns the seconds until the next timer; None if there is none."""
        self.idle.is_idle = False
        self.run_forever()
        return self._scheduled[0]._when - self.time() if self.idle.is_idle and self._scheduled else None


class _Baton:
    """Passes control between the loop and the thread of one plain method, of which only one runs."""

    def __init__(self) -> None:
        self._to_loop: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._to_thread: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._sleeps_left = _SLEEPS_MAX

    def run(self, core: _core.Engine, method: Any, step: Step) -> None:
        _inside.core = weakref.ref(core)
        try:
            self._to_loop.put(("returned", method(step)))
        except BaseException as error:
            self._to_loop.put(("raised", error))

    def sleep(self, seconds: float) -> None:
        """Called on the thread: waits until the time has passed or the step was canceled."""
        self._to_loop.put(("slept", seconds))
        self._to_thread.get()

    def go_without_sleep(self) -> None:
        """Called on the thread of a canceled step, in place of a sleep. Limited, because a method that ignores the
        cancel would stay at this instant forever."""
        self._sleeps_left -= 1
        if self._sleeps_left == 0:
            raise SystemExit("the method goes on after its step was canceled")

    def take(self) -> tuple[str, Any]:
        return self._to_loop.get()

    def go_on(self) -> None:
        self._to_thread.put(None)


def _cancel(task: asyncio.Task[None]) -> None:
    if not task.done():
        task.cancel()


def _serve(work: queue.SimpleQueue[Callable[[], None] | None], core: weakref.ref[_core.Engine]) -> None:
    """The thread of a pool. Between two calls it holds no reference to the simulation, so that it can be collected."""
    _inside.core = core
    while True:
        act = work.get()
        if act is None:
            return
        act()
        del act


def _give_up(task: asyncio.Task[None]) -> None:
    """Ends a method that continues after the engine has forced its cancel: it would keep time moving forever."""
    with contextlib.suppress(RuntimeError):  # it continues even now
        task.get_coro().close()
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    task.cancel()


def _at_once(work: Any) -> Any:
    """Returns the result of a coroutine that does not wait."""
    try:
        work.send(None)
    except StopIteration as ended:
        return ended.value
    work.close()
    raise Misuse("observe of a driver in a simulation must return at once, without waiting: time stands meanwhile")


class _Nothing:
    """Drops the reports of steps whose simulation is gone."""

    def report(self, step: str, kind: str, text: str) -> None:
        return None

    def report_running(self, service: str, state: str, observation: str) -> None:
        return None


class VirtualDriverPool(DriverPool):
    """Runs a driver's methods in virtual time. The engine is attached with `report_to` before the first step."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._tasks: dict[str, tuple[Step, asyncio.Task[None]]] = {}
        self._due: int | None = None  # time at which `_wakeup` is called
        self._wakeup = 0
        self.is_open = False

    def report_to(self, reporter: Any, log: Callable[[str, str], object] | None = None) -> None:
        super().report_to(reporter, log)
        self._core: _core.Engine = reporter
        self._virtual = _Loop(reporter)
        self.is_open = True
        threading.Thread(
            target=_serve, args=(self._work, weakref.ref(reporter)), name="orlop-virtual", daemon=True
        ).start()

    def _perform(self, act: Callable[[], None]) -> None:
        """Runs `act` and all that can run after it in the loop, and schedules a call for when there is more to do."""
        done: queue.SimpleQueue[BaseException | float | None] = queue.SimpleQueue()

        def work() -> None:
            try:
                act()
                done.put(self._virtual.run_until_idle())
            except BaseException as error:
                done.put(error)

        self._work.put(work)
        idle_for = done.get()
        if isinstance(idle_for, BaseException):
            raise idle_for
        with contextlib.suppress(Closed):
            self._wake_in(idle_for)

    def _wake_in(self, seconds: float | None) -> None:
        """Schedules a call then, and cancels any other, so that the simulation does not advance for a canceled
        sleep."""
        now = self._core.now()
        at = now + max(1, round(seconds * 1000)) if seconds is not None and seconds * 1000 <= _LAST - now else None
        if at == self._due:
            return
        if self._due is not None:
            self._core.cancel_call(self._wakeup)
        self._due = None
        if at is None:
            return
        pool = weakref.WeakMethod(self._wake)

        def wake() -> None:
            method = pool()
            if method is not None:
                method()

        self._wakeup = self._core.call_at(at, wake)
        self._due = at

    def _wake(self) -> None:
        self._due = None
        self._perform(lambda: None)

    def start(self, facts: Mapping[str, Any]) -> bool:
        if facts["id"] in self._tasks:
            return True
        step = Step(facts, self._reporter)
        step._is_virtual = True
        if not self._accepts(step):
            return False

        def begin() -> None:
            task = self._virtual.create_task(self._attend(step))
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            self._tasks[step.id] = (step, task)

        self._perform(begin)
        return True

    def observe(self, cluster: str, services: tuple[str, ...]) -> None:
        """Asks the driver at this instant; its method may not wait."""

        def begin() -> None:
            try:
                seen = self._driver.observe(Subjects(cluster, services))
                if inspect.isawaitable(seen):
                    seen = _at_once(seen)
                report_seen(self._reporter, seen, self._observation_failed)
            except Exception as error:
                self._observation_failed(error)

        self._perform(begin)

    async def _attend(self, step: Step) -> None:
        """Runs one step from its beginning to the report of its end."""
        try:
            method = getattr(self._driver, step.kind)
            self._begin(step)
            outputs = await (
                self._coroutine(step, method) if inspect.iscoroutinefunction(method) else self._plain(step, method)
            )
            self._succeed(step, outputs)
        except (asyncio.CancelledError, StepCanceled):
            self._reporter.report(step.id, "canceled", "")
        except CredentialsRefused as error:
            self._reporter.report(step.id, "credentials_refused", words_of(error))
        except GeneratorExit:
            raise
        except BaseException as error:
            log_failure(error, step, self._log)
            self._reporter.report(step.id, "failed", reason_of(error, self._driver))
        finally:
            self._tasks.pop(step.id, None)

    async def _coroutine(self, step: Step, method: Any) -> Any:
        step._sleep = asyncio.sleep
        return await method(step)

    async def _plain(self, step: Step, method: Any) -> Any:
        baton = _Baton()
        step._baton = baton
        threading.Thread(
            target=baton.run, args=(self._core, method, step), name="orlop-virtual-step", daemon=True
        ).start()
        while True:
            said, what = baton.take()
            if said == "raised":
                raise what
            if said == "returned":
                if inspect.isawaitable(what):
                    step._baton, step._sleep = None, asyncio.sleep
                    return await what
                return what
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(what)
            baton.go_on()

    def cancel(self, step_id: str, force: bool) -> None:
        entry = self._tasks.get(step_id)
        if entry is None:
            self._reporter.report(step_id, "canceled", "")
            return
        step, task = entry
        step._cancel()

        def act() -> None:
            _cancel(task)
            if force:
                timer = self._virtual.call_later(_ENDS_WITHIN, _give_up, task)
                task.add_done_callback(lambda _: timer.cancel())

        self._perform(act)

    def close(self, timeout: float | None = None) -> None:
        with contextlib.suppress(Closed):
            self.forget()
        if self.is_open:
            self.is_open = False
            self._work.put(self._close_loop)
            self._work.put(None)
        super().close(timeout)

    def _close_loop(self) -> None:
        with contextlib.suppress(Exception):
            self._virtual.close()

    def abandon(self) -> None:
        """Ends the threads of a pool that was not closed, on any thread and without a wait. Does not touch the loop,
        which the garbage collector may have begun to free."""
        self.is_open = False
        self._reporter = _Nothing()
        for step, _ in list(self._tasks.values()):
            step._reporter = self._reporter
            step._cancel()
            if step._baton is not None:
                step._baton.go_on()
        self._work.put(None)

    def forget(self) -> None:
        """Called after a restore: ends all methods. Steps that run in the restored state are started again."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        reporter, self._reporter = self._reporter, _Nothing()
        try:
            for step, task in tasks:
                step._reporter = self._reporter
                step._cancel()
                for _ in range(_SLEEPS_MAX):  # a method may sleep again after its cancel
                    self._perform(lambda task=task: _cancel(task))  # type: ignore[misc]
                    if task.done():
                        break
        finally:
            self._reporter = reporter
            self._tasks.clear()
