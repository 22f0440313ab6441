"""The host's part of a deployment: a class with one method for each kind of step, run in a pool of threads.

A method may be `async`: it then runs in one event loop and does not count against the size of the pool. A method
returns the outputs of the step, None or a JSON object of at most 1 MiB. An exception fails the step; its type, its text
and the last calls in the driver's file, cut to 64 KiB, are the reason, and its traceback goes to the engine's log and
the logger `orlop.driver`. For `DriverFailed` the reason is its text alone. A step that was running when the process
ended is started again with the same id and `resumed` set: use the id as an idempotency key.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..base.live_objects import Live
from ..base.wire import loads
from ..errors import Error, StepCanceled, StepLost
from ..options.arguments import number
from .clean_text import clean

if TYPE_CHECKING:
    import os
    from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping, Sequence

    from typing_extensions import TypeAlias

    from .commands import CommandResult
    from .observation import Seen, Subjects
    from .step_lock import StepLock

    StepResult: TypeAlias = "Mapping[str, Any] | Unchanged | None"
    Outputs: TypeAlias = "StepResult | Awaitable[StepResult]"


class Unchanged:
    """The type of `UNCHANGED`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED = Unchanged()
"""Result of a driver's method that found nothing to do: the service runs the step's configuration already. The step has
succeeded, its status says `SKIP`, and no release is made."""


class Reporter(Protocol):
    """Receiver of the reports of a step: the engine."""

    def report(self, step: str, kind: str, text: str) -> None: ...
    def report_running(self, service: str, state: str, observation: str) -> None: ...


_cancellations = threading.Lock()  # held only briefly, by the steps of all drivers


class Step(Live):
    """One unit of work for a driver's method. Its methods may be called from any thread."""

    id: str
    """UUID of the step. It never changes, also when the step is started again after a crash: use it as an idempotency
    key."""
    kind: str
    """Name of the driver's method: "build", "deploy", "execute", "stop", "restart", "delete", "cluster_create" and so
    on."""
    family: str
    """Family of the subject: "container", "database", "cluster" and so on."""
    name: str
    """Name of the subject."""
    subject: str
    """Id of the service or cluster that the step acts on."""
    owner: str
    """Id of the subject's environment (services) or organization (clusters)."""
    organization: str
    """Id of the organization."""
    request: str
    """Id of the deployment request that the step belongs to."""
    attempt: int
    """Number of the attempt, from 1."""
    resumed: bool
    """True if the step was started before the engine was opened, and is started again."""
    action: str
    """Action of the request, such as "deploy" or "uninstall": a delete step with the action "uninstall" keeps the
    configuration."""
    digest: str
    """Digest of the part of the configuration that changes what runs, `sha256:` and 64 hexadecimal digits, of a step
    that makes a release if it succeeds; "" for any other."""
    release: int
    """Number of the newest release of the service; 0 if it has none."""
    is_unchanged: bool
    """True if the service runs that release, as far as the engine knows, the digests are equal, and it is not built
    from git or its commit is the one that is asked for: the driver may leave it as it is."""
    _sleep: Callable[[float], Awaitable[None]] | None = None  # set for an async method
    _baton: Any = None  # set for a plain method in virtual time
    _configuration: bytes  # JSON, parsed when a method asks for it: most do not
    _parsed: dict[str, Any] | None = None
    _is_canceled = False
    _is_lost = False
    _cancellation: threading.Event | None = None  # set once a method waits for it
    _stops: tuple[Callable[[], None], ...] = ()  # of the commands that run
    _is_virtual = False
    _run_folder: str | os.PathLike[str] | None = None
    _lock: StepLock | None = None  # set by the first command

    def __init__(self, facts: Mapping[str, Any], reporter: Reporter) -> None:
        self._reporter = reporter
        self.__dict__.update(facts)

    @property
    def configuration(self) -> dict[str, Any]:
        """The subject as it is stored, with its secrets, and members such as `references` and `outputs`; see the
        guide's page on drivers."""
        if self._parsed is None:
            self._parsed = loads(self._configuration) if self._configuration else {}
        return self._parsed

    def progress(self, text: str) -> None:
        """Reports progress as an event. A text of more than 64 KiB is cut and ends with the number of missing bytes."""
        self._report("progress", clean(text))

    def log(self, text: str) -> None:
        """Adds a line to the log of the step as an event. A line of more than 64 KiB is cut and ends with the number of
        missing bytes."""
        self._report("log_line", clean(text))

    def contact_lost(self, reason: str = "") -> None:
        """Reports that the workload cannot be reached: the service becomes UNAVAILABLE and the step continues."""
        self._report("contact_lost", clean(reason))

    def recap(self) -> None:
        """Reports that the results of the deployment are being collected: the service becomes RECAP and the step
        continues."""
        self._report("recap_started", "")

    def sleep(self, seconds: float) -> Awaitable[None]:
        """Sleeps for `seconds`: `await step.sleep(30)` in an `async` method, `step.sleep(30)` in a plain one. In a
        simulation the time is virtual.

        Raises `StepCanceled` or `StepLost` in a plain method, and `asyncio.CancelledError` in an `async` one, if the
        step is canceled or lost meanwhile.
        """
        number("seconds", seconds)
        if self._baton is None and self._sleep is not None:
            return self._sleep(max(0, seconds))
        if self.wait_canceled(seconds):
            self.check_canceled()
        return _Slept()

    def run(
        self,
        *command: str | os.PathLike[str],
        env: Mapping[str, str] | None = None,
        env_passed: Sequence[str] = (),
        secrets: Mapping[str, str] | None = None,
        secret_files: Mapping[str, str | bytes] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        stdin: str | bytes | None = None,
        timeout: str | float | None = None,
        grace: str | float = 10.0,
        check: bool = True,
    ) -> CommandResult:
        """Runs a command, each line of which goes to the step's log: `await step.run("helm", "list")` in an `async`
        method, `step.run("helm", "list")` in a plain one.

        The command sees PATH, HOME, LANG, TZ, TMPDIR and the proxy variables of this process, those that `env_passed`
        names, `env`, and `secrets`. A text `{name}` in an argument or in `env` becomes the path of a file that only the
        command can read, with the contents `secret_files[name]`. Secrets of at least 6 bytes are replaced by `***` in
        the log, in the result and in the reason; an argument that holds one raises `Misuse`. `stdin` is its standard
        input, empty by default, `cwd` its folder.

        The command and its children are one process group. It is ended when the step is canceled or lost, after
        `timeout` (seconds, or text such as "5m"; default: no limit), when the engine is closed and when this process
        exits: by SIGTERM, and by SIGKILL after `grace`. Children that outlive the command are ended as well.

        A command that an earlier run of this step has started, before this process was killed, is waited for; see
        `Driver.run_folder`.

        Raises `DriverFailed` with the exit code and the last lines if the command fails; with `check=False` returns
        them instead. Raises `DriverFailed` also if the command is not there or takes longer than `timeout`. Raises
        `StepCanceled` or `StepLost` in a plain method, and `asyncio.CancelledError` in an `async` one, if the step is
        canceled or lost meanwhile. Raises `Misuse` in a simulation, whose time is virtual.
        """
        from .commands import command_of, run

        return run(self, command_of(command, env, env_passed, secrets, secret_files, cwd, stdin, timeout, grace, check))

    @property
    def is_canceled(self) -> bool:
        """True after the step was canceled or lost (`is_lost`), or the engine was closed."""
        return self._is_canceled

    @property
    def is_lost(self) -> bool:
        """True after another engine has taken over the step, because this process did not tick for a lease time or left
        the step behind when it drained.

        The driver of that engine executes the step: stop, and undo nothing. Reports of a lost step raise `StepLost`,
        and its result is dropped.
        """
        return self._is_lost

    def wait_canceled(self, seconds: float) -> bool:
        """Sleeps for `seconds`, or until the step is canceled. Returns `is_canceled`."""
        number("seconds", seconds)
        if self._baton is not None:
            if not self.is_canceled:
                self._baton.sleep(max(0, seconds))
            else:
                self._baton.go_without_sleep()
            return self.is_canceled
        with _cancellations:
            if self._is_canceled:
                return True
            if self._cancellation is None:
                self._cancellation = threading.Event()
        return self._cancellation.wait(seconds)

    def check_canceled(self) -> None:
        """Raises `StepLost` if the step is lost, `StepCanceled` if it is canceled. Let the exception leave the method:
        a canceled step is then reported as canceled, a lost one not at all."""
        if self.is_canceled:
            if self._is_lost:  # asked afterwards: a step that is lost meanwhile must not be taken for a canceled one
                raise self._lost()
            raise StepCanceled(f"the step {self.kind} of {self.name} was canceled")

    def _report(self, kind: str, text: str) -> None:
        """Sends a report. A lost step sends none, even after its own engine has taken it back and started it again."""
        if self._is_lost:
            raise self._lost()
        try:
            self._reporter.report(self.id, kind, text)
        except StepLost:
            self._lose()
            raise

    def _lost(self) -> StepLost:
        return StepLost(f"another engine has taken over the step {self.kind} of {self.name} and executes it")

    def _lose(self) -> None:
        self._is_lost = True
        self._cancel()

    def _cancel(self) -> None:
        with _cancellations:
            self._is_canceled = True
            if self._cancellation is not None:
                self._cancellation.set()
            stops = self._stops
        for stop in stops:
            stop()

    @contextlib.contextmanager
    def _on_cancel(self, stop: Callable[[], None]) -> Iterator[None]:
        """Calls `stop` if the step is canceled or lost within the block, or was before."""
        with _cancellations:
            self._stops = (*self._stops, stop)
            is_canceled = self._is_canceled
        try:
            if is_canceled:
                stop()
            yield
        finally:
            with _cancellations:
                self._stops = tuple(each for each in self._stops if each != stop)

    def __repr__(self) -> str:
        return f"<Step {self.id} {self.kind} {self.family} {self.name}>"


class _Slept:
    """The result of a finished sleep, for a caller that awaits it."""

    def __await__(self) -> Generator[Any, Any, None]:
        yield from ()


class CredentialsRefused(Error):
    """Raised by a method if the cloud provider refuses the cluster's credentials. The cluster becomes
    INVALID_CREDENTIALS."""

    code = "credentials_refused"


class Driver:
    """Base class of drivers. Override the methods of the steps that need work; a step without a method succeeds at
    once.

    Each method takes a `Step` and returns its outputs, None or a dict. `Engine` raises `Misuse` for a driver with
    another public method that looks like a misspelled step or whose only parameter is named `step`. Names with a
    leading underscore are always free.
    """

    workers = 8
    """Number of methods that run at the same time, not counting `async` methods; default 8."""
    run_folder: str | os.PathLike[str] | None = None
    """Folder of the lock files of `Step.run`, which belongs to the user and is writable by no other. A step that is
    started again after a crash of this process waits there for its earlier command: all engines of a store on one
    machine need the same folder. Default None: `orlop/run` in $XDG_STATE_HOME, which is ~/.local/state by default."""

    schedules: Literal["engine", "driver"] = "driver"
    """What runs the cron jobs of this driver at their times, unless the option `schedules` says it: "engine" makes each
    run a step for `task`, of the family `job_run`; with "driver" (default) the driver runs those that it deploys, as
    CronJobs of Kubernetes for example."""

    def accepts(self, step: Step) -> bool:
        """Returns True if the step can be started now. The default is always True.

        False is not a failure: the driver is asked again after 1 second, then after 2, 4, up to 60. Called on the
        thread that ticks: return at once.
        """
        return True

    def observe(self, subjects: Subjects) -> Seen | Awaitable[Seen]:
        """Returns what is seen of the workloads of these services: a mapping of ids of services to an `Observation`, or
        to a running state. A service of which nothing is said for three calls is UNKNOWN.

        A driver that has this method is asked when the engine has opened, and then every `observe_interval` (30 s), on
        a thread of its own, not again before it has returned. In a simulation it returns at once.
        """
        return None

    def build(self, step: Step) -> Outputs:
        """Builds the service's image."""
        return None

    def deploy(self, step: Step) -> Outputs:
        """Deploys the service with `step.configuration`. Outputs may name the deployed commit (`git_commit_id`)."""
        return None

    def execute(self, step: Step) -> Outputs:
        """Runs the job. Its outputs are passed to the steps of later stages."""
        return None

    def stop(self, step: Step) -> Outputs:
        """Stops the service and keeps its data."""
        return None

    def restart(self, step: Step) -> Outputs:
        """Restarts the service's instances."""
        return None

    def delete(self, step: Step) -> Outputs:
        """Deletes the service with its data."""
        return None

    def cluster_create(self, step: Step) -> Outputs:
        """Creates the cluster. Outputs with a `kind` become its `infrastructure_outputs`."""
        return None

    def cluster_update(self, step: Step) -> Outputs:
        """Updates the cluster to `step.configuration`."""
        return None

    def cluster_upgrade(self, step: Step) -> Outputs:
        """Upgrades the cluster to the Kubernetes version `step.configuration["target_version"]`."""
        return None

    def cluster_dry_run(self, step: Step) -> Outputs:
        """Computes what an update of the cluster would change, and changes nothing."""
        return None

    def cluster_restart(self, step: Step) -> Outputs:
        """Restarts the cluster."""
        return None

    def cluster_stop(self, step: Step) -> Outputs:
        """Stops the cluster's nodes."""
        return None

    def cluster_delete(self, step: Step) -> Outputs:
        """Deletes the cluster."""
        return None

    def task(self, step: Step) -> Outputs:
        """Does the work of a task, such as a backup of a database. `step.family` is the family of the record."""
        return None
