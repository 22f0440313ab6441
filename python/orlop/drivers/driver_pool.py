"""Runs the methods of a driver: plain ones on threads, `async` ones in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import threading
import time
from concurrent.futures import CancelledError, Future, wait
from typing import TYPE_CHECKING, Any

from ..base.tasks import cancel_others
from ..base.wire import encode_outputs
from ..errors import Closed, Misuse, StepCanceled, StepLost, TryLater
from ..options.arguments import shown
from .driver import UNCHANGED, CredentialsRefused, Driver, Step
from .failures import Ended, log_failure, log_observation_failure, reason_of, words_of
from .observation import Subjects, report_seen
from .step_loop import NAME as LOOP_NAME
from .step_loop import Begun, StepLoop
from .step_threads import NAME, StepThreads

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .driver import Reporter, StepResult


class _Nobody:
    def report(self, step: str, kind: str, text: str) -> None:
        raise Closed("the engine of this step is gone")

    def report_running(self, service: str, state: str, observation: str) -> None:
        raise Closed("the engine of this service is gone")


# Kind of the report at the start of a step, by the kind of step; for other kinds "started".
_BEGINNINGS = {"build": "build_started", "execute": "executing"}
_OBSERVERS = 64  # calls of `observe` at the same time, one for each cluster: one that hangs delays no other


async def _awaited(seen: Awaitable[Any]) -> Any:
    try:
        return await seen
    except (SystemExit, KeyboardInterrupt) as error:  # these would end the loop, and all steps with it
        raise Ended from error


class DriverPool:
    """Runs a driver's methods outside of the engine's thread, which only submits steps."""

    def __init__(self, driver: Driver) -> None:
        from .driver_check import check

        check(driver, Driver)
        self._driver = driver
        self._reporter: Reporter = _Nobody()
        self._log: Callable[[str, str], object] | None = None
        self._lock = threading.Lock()
        self._running: dict[str, tuple[Step, Future[None] | Begun]] = {}
        self._threads = StepThreads(driver.workers)
        self._observers = StepThreads(_OBSERVERS)  # of their own: steps may take all others for hours
        self._observed: set[str] = set()  # first services of the calls of `observe` that have not returned
        self._loop: StepLoop | None = None
        self._asynchronous: dict[Any, bool] = {}  # by function; inspecting one takes as long as starting a step

    def report_to(self, reporter: Reporter, log: Callable[[str, str], object] | None = None) -> None:
        """Sets the receiver of reports, and the log for exceptions of the driver. Called before the first step."""
        self._reporter = reporter
        self._log = log

    def start(self, facts: Mapping[str, Any]) -> bool:
        """Starts a step. A step that already runs continues. Returns False if the driver does not accept it now.

        A lost step that this engine gets again starts anew after its first method has ended.
        """
        running = self._running.get(facts["id"])
        if running is not None:
            return not running[0].is_lost
        step = Step(facts, self._reporter)
        step._run_folder = self._driver.run_folder
        if not self._accepts(step):
            return False
        method = getattr(self._driver, step.kind)
        with self._lock:
            if self._is_asynchronous(method):
                step._sleep = asyncio.sleep
                self._running[step.id] = (
                    step,
                    self._step_loop().begin(self._await(step, method(step)), functools.partial(self._end, step)),
                )
                return True
            future = self._threads.submit(self._call, step, method)
            self._running[step.id] = (step, future)
        future.add_done_callback(functools.partial(self._end, step))
        return True

    @property
    def observes(self) -> bool:
        """True if the driver has a method `observe`."""
        return type(self._driver).observe is not Driver.observe

    def observe(self, cluster: str, services: tuple[str, ...]) -> None:
        """Asks the driver what it sees of the workloads. A call that has not returned is not made again."""
        with self._lock:
            if services[0] in self._observed:
                return
            self._observed.add(services[0])
        self._observers.submit(self._observe, Subjects(cluster, services))

    def _observe(self, subjects: Subjects) -> None:
        try:
            seen = self._driver.observe(subjects)
            if inspect.isawaitable(seen):
                with self._lock:
                    loop = self._step_loop()
                seen = loop.submit(_awaited(seen)).result()
            report_seen(self._reporter, seen, self._observation_failed)
        except (CancelledError, Closed):
            return
        except BaseException as error:
            self._observation_failed(error)
        finally:
            with self._lock:
                self._observed.discard(subjects.services[0])

    def _observation_failed(self, error: BaseException) -> None:
        if not isinstance(error, Closed):
            log_observation_failure(error, self._log)

    def _is_asynchronous(self, method: Any) -> bool:
        function = getattr(method, "__func__", None)
        if function is None:
            return inspect.iscoroutinefunction(method)
        known = self._asynchronous.get(function)
        if known is None:
            known = self._asynchronous[function] = inspect.iscoroutinefunction(function)
        return known

    def _accepts(self, step: Step) -> bool:
        try:
            answer = self._driver.accepts(step)
        except TryLater:
            return False
        if not isinstance(answer, bool):  # after a missing return the step would wait until its deadline
            raise Misuse(
                f"accepts of the driver {type(self._driver).__name__} must answer True or False, not {shown(answer)}"
            )
        return answer

    def cancel(self, step_id: str, force: bool) -> None:
        """Cancels a running step: an `async` method is interrupted, a plain one checks its step."""
        with self._lock:
            entry = self._running.get(step_id)
        if entry is None:
            self._reporter.report(step_id, "canceled", "")
            return
        self._cancel(*entry)

    def _cancel(self, step: Step, work: Future[None] | Begun) -> None:
        step._cancel()
        work.cancel()
        if isinstance(work, Begun):  # the engine has ended it, even while the method cleans up
            self._report_end(step, "canceled", "")

    def lose(self, step_id: str) -> None:
        """Interrupts a step that another engine has taken over, as `cancel` does. Its end is not reported."""
        with self._lock:
            entry = self._running.get(step_id)
        if entry is None:
            return
        step, work = entry
        step._lose()
        work.cancel()
        if isinstance(work, Begun):  # no callback reports the end of one that has not begun
            self._forget(step)

    def close(self, timeout: float | None = None) -> None:
        """Cancels every step and waits for their end, at most `timeout` seconds. Methods that still run are left
        behind.

        Their results are not reported; the steps are resumed when the store is opened again.
        """
        end = None if timeout is None else time.monotonic() + timeout
        with self._lock:
            entries = list(self._running.values())
            loop, self._loop = self._loop, None
        for entry in entries:
            self._cancel(*entry)
        own = threading.current_thread().name
        self._threads.end()
        self._observers.end()
        if loop is not None:
            ended = loop.submit(cancel_others())
            ended.add_done_callback(lambda _: loop.loop.call_soon_threadsafe(loop.loop.stop))
            if own != LOOP_NAME:
                wait([ended], timeout)
        if not own.startswith(NAME):
            wait(
                [work for _, work in entries if isinstance(work, Future) and not work.done()],
                None if end is None else max(0, end - time.monotonic()),
            )

    def _step_loop(self) -> StepLoop:
        if self._loop is None:
            self._loop = StepLoop()
        return self._loop

    def _call(self, step: Step, method: Any) -> None:
        self._begin(step)
        outputs = method(step)
        if inspect.isawaitable(outputs):
            with self._lock:
                loop = self._step_loop()
            loop.submit(self._await(step, outputs, begun=True)).result()
        else:
            self._succeed(step, outputs)

    async def _await(self, step: Step, outputs: Awaitable[Any], begun: bool = False) -> None:
        try:
            if not begun:
                self._begin(step)
            self._succeed(step, await outputs)
        except (SystemExit, KeyboardInterrupt) as error:
            raise Ended from error

    def _begin(self, step: Step) -> None:
        step._report(_BEGINNINGS.get(step.kind, "started"), "")

    def _succeed(self, step: Step, outputs: StepResult) -> None:
        if step.kind == "build":
            step._report("built", "")
        elif outputs is UNCHANGED:
            step._report("unchanged", "")
        else:
            step._report("succeeded", encode_outputs(outputs))

    def _end(self, step: Step, ended: Future[None] | asyncio.Task[None]) -> None:
        try:
            ended.result()
        except (CancelledError, asyncio.CancelledError, StepCanceled):
            self._report_end(step, "canceled", "")
        except CredentialsRefused as error:
            self._report_end(step, "credentials_refused", words_of(error))
        except BaseException as error:  # no other code sees exceptions of this thread
            log_failure(error, step, self._log)
            self._report_end(step, "failed", reason_of(error, self._driver))
        else:
            self._forget(step)

    def _forget(self, step: Step) -> bool:
        """Removes the step. Returns False if it is not there, or was started again."""
        with self._lock:
            entry = self._running.get(step.id)
            if entry is None or entry[0] is not step:
                return False
            del self._running[step.id]
            return True

    def _report_end(self, step: Step, kind: str, text: str) -> None:
        if not self._forget(step) or step.is_lost:
            return  # it was reported as canceled, or another engine has it
        try:
            step._report(kind, text)
        except (Closed, StepLost):
            return  # it is resumed when the store is opened again, or another engine has it
        except Exception as error:
            # Without a report of its end, a step would run until its deadline.
            with contextlib.suppress(Closed):
                self._reporter.report(
                    step.id, "failed", f"the end of the step could not be reported: {type(error).__name__}"
                )
