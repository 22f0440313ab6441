"""A driver whose steps are watched, and can be held at each of their points.

A point of a step is the begin of the driver's method, each call of a function of the step, each suspension of an async
method, and the method's end. A method that is held for good is what a killed host leaves: nothing after the point is
done, not even its clean-up.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import TYPE_CHECKING, Any

from ...errors import StepCanceled
from ..driver import Driver, Step

if TYPE_CHECKING:
    from collections.abc import Awaitable, Generator

    from ..commands import CommandResult

BEGIN, END = 0, -1  # of a method; the points between them count from 1
STEP_KINDS = tuple(
    name for name, value in vars(Driver).items() if inspect.isfunction(value) and name not in ("accepts", "observe")
)


class HostKilled(BaseException):
    """Ends a held method after its rule has ended."""


class Hold:
    """Stops the first step of a kind at one of its points. `service`: only of the service with this id."""

    def __init__(self, kind: str, point: int, service: str = "") -> None:
        self.kind = kind
        self.point = point
        self.service = service
        self.call: Call | None = None
        self.reached = threading.Event()
        self.go = threading.Event()
        self.is_killed = False
        self.is_frozen = False

    @property
    def held(self) -> Call:
        """The call that was held first."""
        assert self.call is not None
        return self.call

    def release(self) -> None:
        """Lets the step continue."""
        self.go.set()

    def freeze(self) -> None:
        """Keeps the step at its point whatever happens, as if the process had ended there."""
        self.is_frozen = True

    def kill(self) -> None:
        """Ends a step that was kept at its point."""
        self.is_killed = True
        self.go.set()


class Call:
    """One call of a method of the driver."""

    def __init__(self, watch: Watch, kind: str, step: Step) -> None:
        self.kind = kind
        self.step = step
        self.points = 0
        self.outputs: Any = None
        self.error: BaseException | None = None
        self.ended = threading.Event()
        self._watch = watch

    def seen(self) -> WatchedStep:
        """Returns the step for the driver's method. It shares its members with the step of the engine."""
        made = WatchedStep.__new__(WatchedStep)
        made.__dict__ = self.step.__dict__
        made.__dict__["_call"] = self
        return made

    def end(self, error: BaseException) -> None:
        self.error = error
        self.ended.set()

    def hold_at(self, point: int) -> Hold | None:
        """Returns the hold that applies to the point."""
        return self._watch.taken(self, point)

    def point(self) -> None:
        """Counts a point between begin and end; waits there if the step is held."""
        self.points += 1
        self.pass_by(self.hold_at(self.points))

    def pass_by(self, hold: Hold | None) -> None:
        """Waits for the release of a plain method's hold."""
        if hold is not None:
            hold.reached.set()
            hold.go.wait()
            if hold.is_killed:
                raise HostKilled

    async def pass_by_async(self, hold: Hold | None) -> None:
        """Waits for the release of an async method's hold. A cancellation ends the wait, but not that of a killed
        host."""
        if hold is None:
            return
        hold.reached.set()
        while not hold.go.is_set():
            try:
                await asyncio.get_running_loop().run_in_executor(None, hold.go.wait)
            except asyncio.CancelledError:
                if not hold.is_frozen:
                    raise
        if hold.is_killed:
            raise HostKilled


class Suspensions:
    """Awaits what an async method returns. Each of its suspensions is a point."""

    def __init__(self, call: Call, awaitable: Awaitable[Any]) -> None:
        self._call = call
        self._awaitable = awaitable

    def __await__(self) -> Generator[Any, Any, Any]:
        work: Any = self._awaitable.__await__()
        resume, value = work.send, None
        while True:
            try:
                waits_for = resume(value)
            except StopIteration as ended:
                return ended.value
            try:
                self._call.points += 1
                hold = self._call.hold_at(self._call.points)
                yield from self._call.pass_by_async(hold).__await__()
                resume, value = work.send, (yield waits_for)
            except HostKilled:  # the method never learns of it
                raise
            except BaseException as error:
                resume, value = work.throw, error


class Watch:
    """What the driver's methods have done, and the hold for the next one."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.twice: str = ""  # kind of the steps that are executed twice
        self._holds: list[Hold] = []
        self._taken: list[Hold] = []
        self._lock = threading.Lock()

    def hold(self, kind: str, point: int, service: str = "") -> Hold:
        """Holds the next step of the kind at the point."""
        made = Hold(kind, point, service)
        with self._lock:
            self._holds = [made]
            self._taken.append(made)
        return made

    def begin(self, kind: str, step: Step) -> Call:
        call = Call(self, kind, step)
        with self._lock:
            self.calls.append(call)
        return call

    def taken(self, call: Call, point: int) -> Hold | None:
        with self._lock:
            for hold in self._holds:
                is_meant = hold.service in ("", call.step.subject) and hold.call in (None, call)
                if is_meant and hold.kind == call.kind:
                    hold.call = call
                    if hold.point == point:
                        self._holds = []
                        return hold
        return None

    def is_twice(self, call: Call) -> bool:
        """Returns True if the call is to be repeated, as after a crash."""
        call.step.resumed = call.step.resumed or self.twice == call.kind
        return self.twice == call.kind

    def of(self, kind: str) -> list[Call]:
        """Returns the calls of a kind of step."""
        with self._lock:
            return [call for call in self.calls if call.kind == kind]

    def end(self) -> None:
        """Ends every method that is still held."""
        with self._lock:
            taken, self._holds, self._taken = self._taken, [], []
        for hold in taken:
            if not hold.go.is_set():
                hold.kill()


class WatchedStep(Step):
    """A step whose functions are points."""

    _call: Call

    def _report(self, kind: str, text: str) -> None:
        self._call.point()
        super()._report(kind, text)

    @property
    def is_canceled(self) -> bool:
        self._call.point()
        return self._is_canceled

    def sleep(self, seconds: float) -> Awaitable[None]:
        self._call.point()
        return super().sleep(seconds)

    def run(self, *command: Any, **options: Any) -> CommandResult:
        self._call.point()
        return super().run(*command, **options)

    def wait_canceled(self, seconds: float) -> bool:
        self._call.point()
        return super().wait_canceled(seconds)


def watched(driver: Driver, watch: Watch) -> Driver:
    """Returns a driver whose methods are those of `driver`, under the watch."""
    from ..driver_check import check

    check(driver, Driver)
    body: dict[str, Any] = {
        "__module__": type(driver).__module__,  # reasons name the calls in the driver's file
        "workers": driver.workers,
        "run_folder": driver.run_folder,
        "accepts": lambda self, step: driver.accepts(step),
    }
    for kind in STEP_KINDS:
        method = getattr(driver, kind)
        if getattr(method, "__func__", None) is vars(Driver)[kind]:
            continue
        is_async = inspect.iscoroutinefunction(method)
        body[kind] = (_async_method if is_async else _plain_method)(kind, method, watch)
    if type(driver).observe is not Driver.observe:
        body["observe"] = lambda self, subjects: driver.observe(subjects)
    made: Driver = type(type(driver).__name__, (Driver,), body)()
    return made


def _plain_method(kind: str, method: Any, watch: Watch) -> Any:
    def call_method(self: Driver, step: Step) -> Any:
        call = watch.begin(kind, step)
        try:
            call.pass_by(call.hold_at(BEGIN))
            outputs = _called(call, method)
            if inspect.isawaitable(outputs):
                return _async_end(call, Suspensions(call, outputs))
            call.outputs = outputs
            call.pass_by(call.hold_at(END))
        except HostKilled:
            call.ended.set()
            raise StepCanceled(f"the host of the step {step.kind} of {step.name} was killed") from None
        except BaseException as error:
            call.end(error)
            raise
        call.ended.set()
        return outputs

    return call_method


def _async_method(kind: str, method: Any, watch: Watch) -> Any:
    async def call_method(self: Driver, step: Step) -> Any:
        call = watch.begin(kind, step)

        async def begun() -> Any:
            await call.pass_by_async(call.hold_at(BEGIN))
            outputs = await Suspensions(call, _called(call, method))
            return await method(call.seen()) if watch.is_twice(call) else outputs

        return await _async_end(call, begun())

    return call_method


def _called(call: Call, method: Any) -> Any:
    outputs = method(call.seen())
    is_repeated = not inspect.isawaitable(outputs) and call._watch.is_twice(call)
    return method(call.seen()) if is_repeated else outputs


async def _async_end(call: Call, outputs: Awaitable[Any]) -> Any:
    try:
        call.outputs = await outputs
        await call.pass_by_async(call.hold_at(END))
    except HostKilled:
        call.ended.set()
        raise asyncio.CancelledError from None
    except BaseException as error:
        call.end(error)
        raise
    call.ended.set()
    return call.outputs
