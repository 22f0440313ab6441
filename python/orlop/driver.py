"""The host's side of a deployment: a class with one method for each kind of step, run by a pool of threads.

A method may be `async`: then it runs in one event loop, and the pool's size does not bound it. What it returns are the step's
outputs: a JSON object of at most 1 MiB. What it raises is the reason of its failure, cut to 64 KiB. A step is handed out again,
`resumed` set and under the same id, after the process ended in the middle of it: take the id as the key under which the work was
begun.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import threading
import time
from concurrent.futures import CancelledError, Future, wait
from typing import TYPE_CHECKING, Any, Protocol

from .arguments import number, shown
from .errors import Closed, Error, StepCanceled
from .live import Live
from .step_threads import NAME, StepThreads
from .wire import encode_outputs, loads

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    Outputs = Mapping[str, Any] | None | Awaitable[Mapping[str, Any] | None]


class Reporter(Protocol):
    """Where a step's reports go: the engine."""

    def report(self, step: str, kind: str, text: str) -> None: ...


def _clean(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot carry. Anything else than a text is written as str() does, if it can be."""
    try:
        return str(text).encode(errors="replace").decode()
    except Exception:
        return shown(text)


def _reason(error: BaseException) -> str:
    """What the exception says, or its type's name if it says nothing or cannot."""
    try:
        return _clean(str(error)) or type(error).__name__
    except Exception:
        return type(error).__name__


class _Nobody:
    def report(self, step: str, kind: str, text: str) -> None:
        raise Closed("the engine of this step is gone")


class Step(Live):
    """One piece of work. Its id never changes, also when it is handed out again after a crash."""

    def __init__(self, facts: Mapping[str, Any], reporter: Reporter) -> None:
        self._reporter = reporter
        self._canceled = threading.Event()
        self.id: str = facts["id"]
        self.kind: str = facts["kind"]
        self.family: str = facts["family"]
        self.name: str = facts["name"]
        self.subject: str = facts["subject"]
        self.owner: str = facts["owner"]
        self.organization: str = facts["organization"]
        self.request: str = facts["request"]
        self.attempt: int = facts["attempt"]
        self.resumed: bool = facts["resumed"]
        self.action: str = facts["action"]
        self.configuration: dict[str, Any] = loads(facts["configuration"]) if facts["configuration"] else {}

    def progress(self, text: str) -> None:
        """Tells how far the step is. A text of more than 64 KiB is cut, and its end says how many bytes are missing."""
        self._reporter.report(self.id, "progress", _clean(text))

    def log(self, text: str) -> None:
        """Adds a line to the step's log. A text of more than 64 KiB is cut, and its end says how many bytes are missing."""
        self._reporter.report(self.id, "log_line", _clean(text))

    def contact_lost(self, reason: str = "") -> None:
        """The workload cannot be reached; the step goes on."""
        self._reporter.report(self.id, "contact_lost", _clean(reason))

    @property
    def is_canceled(self) -> bool:
        """True once the engine asked to give the step up."""
        return self._canceled.is_set()

    def wait_canceled(self, seconds: float) -> bool:
        """Sleeps for so long, or until the step is to be given up; True: give it up."""
        return self._canceled.wait(number("seconds", seconds))

    def check_canceled(self) -> None:
        """Ends the method here if the step is to be given up."""
        if self.is_canceled:
            raise StepCanceled(f"the step {self.kind} of {self.name} was canceled")

    def __repr__(self) -> str:
        return f"<Step {self.id} {self.kind} {self.family} {self.name}>"


class CredentialsRefused(Error):
    """Raised inside a method for a cluster: the cloud does not take the credentials."""

    code = "credentials_refused"


class Driver:
    """To subclass: override the kinds of step that need work. A kind that is not overridden succeeds at once.

    Another public method must not look like a misspelled step, nor be one that takes a `step` alone: the engine refuses such a driver
    when it is opened, because it would never call it. The name of a helper that begins with an underscore is always free.
    """

    workers = 8
    """How many methods that are not `async` run at the same time."""

    def build(self, step: Step) -> Outputs:
        """Make the service's image."""
        return None

    def deploy(self, step: Step) -> Outputs:
        """Bring the service up as `step.configuration` says."""
        return None

    def execute(self, step: Step) -> Outputs:
        """Run the job's command."""
        return None

    def stop(self, step: Step) -> Outputs:
        """Take the service down and keep its data."""
        return None

    def restart(self, step: Step) -> Outputs:
        """Start the service's instances anew."""
        return None

    def delete(self, step: Step) -> Outputs:
        """Remove the service with its data."""
        return None

    def cluster_create(self, step: Step) -> Outputs:
        """Make the cluster."""
        return None

    def cluster_update(self, step: Step) -> Outputs:
        """Bring the cluster to what `step.configuration` says."""
        return None

    def cluster_upgrade(self, step: Step) -> Outputs:
        """Move the cluster to the next version of Kubernetes."""
        return None

    def cluster_dry_run(self, step: Step) -> Outputs:
        """Say what an update of the cluster would do, and change nothing."""
        return None

    def cluster_restart(self, step: Step) -> Outputs:
        """Start the cluster anew."""
        return None

    def cluster_stop(self, step: Step) -> Outputs:
        """Stop the cluster's nodes."""
        return None

    def cluster_delete(self, step: Step) -> Outputs:
        """Remove the cluster."""
        return None


_LOOP_THREAD = "orlop-loop"


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _give_up() -> None:
    """Cancels all that runs in this loop, and waits for its end."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# What a step's begin is called; any other kind's is "started".
_BEGINNINGS = {"build": "build_started", "execute": "executing"}


class DriverPool:
    """Runs a driver's methods beside the engine: the engine's thread only hands steps over."""

    def __init__(self, driver: Driver) -> None:
        from .driver_check import check

        check(driver, Driver)
        self._driver = driver
        self._reporter: Reporter = _Nobody()
        self._lock = threading.Lock()
        self._running: dict[str, tuple[Step, Future[None]]] = {}
        self._threads = StepThreads(driver.workers)
        self._loop: asyncio.AbstractEventLoop | None = None

    def report_to(self, reporter: Reporter) -> None:
        """Where reports go; to be called before the first step."""
        self._reporter = reporter

    def start(self, facts: Mapping[str, Any]) -> None:
        """Begins a step; one that runs already goes on as it is."""
        with self._lock:
            if facts["id"] in self._running:
                return
            step = Step(facts, self._reporter)
            method = getattr(self._driver, step.kind)
            if inspect.iscoroutinefunction(method):
                future = asyncio.run_coroutine_threadsafe(self._await(step, method(step)), self._event_loop())
            else:
                future = self._threads.submit(self._call, step, method)
            self._running[step.id] = (step, future)
        future.add_done_callback(lambda ended: self._end(step, ended))

    def cancel(self, step_id: str, force: bool) -> None:
        """Asks a running step to give up: an `async` method is interrupted, another one looks at its step."""
        with self._lock:
            entry = self._running.get(step_id)
        if entry is None:
            self._reporter.report(step_id, "canceled", "")
            return
        step, future = entry
        step._canceled.set()
        future.cancel()

    def close(self, timeout: float | None = None) -> None:
        """Asks every step to give up and waits until none runs, `timeout` seconds at most: what runs then is left behind.

        Their ends are not reported: the next process resumes the steps.
        """
        end = None if timeout is None else time.monotonic() + timeout
        with self._lock:
            entries = list(self._running.values())
            loop, self._loop = self._loop, None
        for step, future in entries:
            step._canceled.set()
            future.cancel()
        own = threading.current_thread().name
        self._threads.end()
        if loop is not None:
            ended = asyncio.run_coroutine_threadsafe(_give_up(), loop)
            ended.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
            if own != _LOOP_THREAD:
                wait([ended], timeout)
        if not own.startswith(NAME):
            wait([future for _, future in entries if not future.done()], None if end is None else max(0, end - time.monotonic()))

    def _event_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=_run_loop, args=(self._loop,), name=_LOOP_THREAD, daemon=True).start()
        return self._loop

    def _call(self, step: Step, method: Any) -> None:
        self._begin(step)
        outputs = method(step)
        if inspect.isawaitable(outputs):
            asyncio.run_coroutine_threadsafe(self._await(step, outputs, begun=True), self._event_loop()).result()
        else:
            self._succeed(step, outputs)

    async def _await(self, step: Step, outputs: Awaitable[Any], begun: bool = False) -> None:
        try:
            if not begun:
                self._begin(step)
            self._succeed(step, await outputs)
        except (SystemExit, KeyboardInterrupt) as error:  # raised on, they would end the event loop under all other steps
            raise RuntimeError(f"{type(error).__name__}: {_reason(error)}") from error

    def _begin(self, step: Step) -> None:
        self._reporter.report(step.id, _BEGINNINGS.get(step.kind, "started"), "")

    def _succeed(self, step: Step, outputs: Mapping[str, Any] | None) -> None:
        if step.kind == "build":
            self._reporter.report(step.id, "built", "")
        else:
            self._reporter.report(step.id, "succeeded", encode_outputs(outputs))

    def _end(self, step: Step, ended: Future[None]) -> None:
        with self._lock:
            self._running.pop(step.id, None)
        try:
            ended.result()
            return
        except (CancelledError, StepCanceled):
            kind, text = "canceled", ""
        except CredentialsRefused as error:
            kind, text = "credentials_refused", _reason(error)
        except BaseException as error:  # no other code sees what this thread raises
            kind, text = "failed", _reason(error)
        try:
            self._reporter.report(step.id, kind, text)
        except Closed:
            return  # the step is taken up again when the store is opened the next time
        except Exception as error:
            # A step whose end is not reported would run until its deadline.
            with contextlib.suppress(Closed):
                self._reporter.report(step.id, "failed", f"the end of the step could not be reported: {type(error).__name__}")
