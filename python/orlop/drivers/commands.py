"""Commands that the methods of a driver run: `Step.run`."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..base.process_group import Ending, ProcessGroup, StopRequest, memory_file
from ..engine.open_engines import close_all
from ..errors import DriverFailed, Misuse, StepCanceled, StepLost
from ..options.arguments import milliseconds, path, shown, text, texts
from .command_output import TEXT_MAX, CommandOutput, without_controls
from .secret_mask import SecretMask, secrets_in
from .step_lock import StepLock

ENV_PASSED = (
    "PATH",
    "HOME",
    "LANG",
    "TZ",
    "TMPDIR",
    *(name for each in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY") for name in (each, each.lower())),
)
"""Variables of this process that a command sees by default."""

_LINES_KEPT = 20
_REASON_MAX = 4000  # characters
_LINGER = 1.0  # seconds that helpers have to write their last lines after the command has ended
_MARGIN = 5.0  # seconds more than the grace of a command, at the end of the interpreter

_running: set[_Run] = set()
_running_lock = threading.Lock()


class CommandResult:
    """What a command has done. Secrets in its texts are replaced by `***`."""

    __slots__ = ("code", "lines", "stdout")

    code: int
    """Exit code; the negative number of the signal that ended the command."""
    stdout: str
    """Standard output without control sequences; at most the first 1,048,576 characters."""
    lines: tuple[str, ...]
    """The last 20 lines of standard output and standard error that are not empty, as in the log."""

    def __init__(self, code: int, stdout: str, lines: tuple[str, ...]) -> None:
        self.code = code
        self.stdout = stdout
        self.lines = lines

    def __await__(self) -> Generator[Any, Any, CommandResult]:
        yield from ()
        return self

    def __repr__(self) -> str:
        return f"<CommandResult code {self.code}>"


class _Pending(CommandResult):
    """A command that runs once it is awaited."""

    __slots__ = ("_work",)

    def __init__(self, run: _Run) -> None:
        self._work = run.awaited()

    def __await__(self) -> Generator[Any, Any, CommandResult]:
        return self._work.__await__()

    def __getattr__(self, name: str) -> Any:
        raise Misuse(f"{name} is there after the command: write `await step.run(…)`")

    def __repr__(self) -> str:
        return "<CommandResult that is not awaited>"


class CommandStep(Protocol):
    """The parts of a step that its commands use."""

    id: str
    _is_virtual: bool
    _run_folder: str | os.PathLike[str] | None
    _lock: StepLock | None

    def log(self, text: str) -> None: ...

    def check_canceled(self) -> None: ...

    def _on_cancel(self, stop: Callable[[], None]) -> contextlib.AbstractContextManager[None]: ...


class _Command(NamedTuple):
    """The checked arguments of `Step.run`."""

    arguments: list[str]
    environment: dict[str, str]
    files: dict[str, bytes]
    mask: SecretMask
    folder: str | None
    given: bytes
    timeout: float | None
    grace: float
    is_checked: bool

    @property
    def name(self) -> str:
        return os.path.basename(self.arguments[0]) or self.arguments[0]


def run(step: CommandStep, command: _Command) -> CommandResult:
    """Runs the command on this thread. On a thread with an event loop, returns a result that the caller awaits."""
    if step._is_virtual:
        raise Misuse("a step of a simulation runs no command: its time is virtual, and a command takes real time")
    started = _Run(step, command)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return started.result()
    return _Pending(started)


def command_of(
    given: Sequence[str | os.PathLike[str]],
    env: Mapping[str, str] | None,
    env_passed: Sequence[str],
    secrets: Mapping[str, str] | None,
    secret_files: Mapping[str, str | bytes] | None,
    cwd: str | os.PathLike[str] | None,
    stdin: str | bytes | None,
    timeout: str | float | None,
    grace: str | float,
    check: bool,
) -> _Command:
    """Checks the arguments of `Step.run`. Raises `Misuse`, which quotes no argument that may hold a secret."""
    files = {
        name: _contents(f"secret_files[{shown(name)}]", each)
        for name, each in _mapping("secret_files", secret_files).items()
    }
    whole = [*_variables("secrets", secrets).values(), *(each.decode("utf-8", "replace") for each in files.values())]
    values = {*whole, *(value for each in files.values() for value in secrets_in(each.decode("utf-8", "replace")))}
    folder = None if cwd is None else path("cwd", cwd)
    if folder is not None and not os.path.isdir(folder):
        raise Misuse(f"cwd must be a folder, not {shown(folder)}")
    environment = {
        name: os.environ[name] for name in (*ENV_PASSED, *texts("env_passed", env_passed)) if name in os.environ
    }
    command = _Command(
        arguments=_arguments(given, SecretMask(whole)),
        environment=environment | _variables("env", env) | _variables("secrets", secrets),
        files=files,
        mask=SecretMask(values.union(map(without_controls, values))),
        folder=folder,
        given=b"" if stdin is None else _contents("stdin", stdin),
        timeout=None if timeout is None else milliseconds("timeout", timeout, 1) / 1000,
        grace=milliseconds("grace", grace) / 1000,
        is_checked=check,
    )
    for name in files:
        if not any(f"{{{name}}}" in each for each in (*command.arguments, *_variables("env", env).values())):
            raise Misuse(f"secret_files[{shown(name)}] is not used: no argument and no value of env has {{{name}}}")
    return command


def _arguments(given: Sequence[object], mask: SecretMask) -> list[str]:
    if not given:
        raise Misuse("run needs the name of a command and its arguments")
    arguments = []
    for at, each in enumerate(given):
        what = f"argument {at} of the command" if at else "the name of the command"
        argument = text(what, os.fspath(each) if isinstance(each, os.PathLike) else each)
        if not argument:
            raise Misuse(f"{what} must be text that is not empty, not ''")
        if "\0" in argument:
            raise Misuse(f"{what} must be text without the character NUL")
        if mask.is_in(argument):
            raise Misuse(
                f"{what} must not hold a secret, because other users of the machine see it: "
                "use the variable of `secrets`, or `secret_files`"
            )
        arguments.append(argument)
    return arguments


def _mapping(what: str, given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if given is None or isinstance(given, Mapping):
        return given or {}
    raise Misuse(f"{what} must be a dict of names and values, not {shown(given)}")


def _variables(what: str, given: Mapping[str, str] | None) -> dict[str, str]:
    found = {}
    for name, value in _mapping(what, given).items():
        if not text(f"a name in {what}", name) or "=" in name or "\0" in name:
            raise Misuse(f"a name in {what} must be the name of a variable without = and NUL, not {shown(name)}")
        if not isinstance(value, str):
            raise Misuse(f"{what}[{shown(name)}] must be text (str), not an object of the type {type(value).__name__}")
        try:
            is_text = b"\0" not in value.encode()
        except UnicodeEncodeError:
            is_text = False
        if not is_text:
            raise Misuse(f"{what}[{shown(name)}] must be text that UTF-8 can hold, without the character NUL")
        found[name] = value
    return found


def _contents(what: str, given: object) -> bytes:
    if isinstance(given, str):
        try:
            return given.encode()
        except UnicodeEncodeError:
            raise Misuse(f"{what} must be text that UTF-8 can hold") from None
    if isinstance(given, bytes):
        return given
    raise Misuse(f"{what} must be text or bytes, not an object of the type {type(given).__name__}")


class _Run:
    """One run of a command, on the thread that calls `result`."""

    def __init__(self, step: CommandStep, command: _Command) -> None:
        self.command = command
        self.has_ended = threading.Event()
        self._step = step
        self._stop: StopRequest | None = None
        self._is_stopped = False
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=_LINES_KEPT)
        self._failure: Exception | None = None

    def stop(self) -> None:
        """Ends the command. Callable from any thread."""
        with self._lock:
            self._is_stopped = True
            if self._stop is not None:
                self._stop.set()

    async def awaited(self) -> CommandResult:
        """Runs the command on a thread. A cancel ends the command before it is raised."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        results: list[CommandResult | BaseException] = []

        def work() -> None:
            try:
                results.append(self.result())
            except BaseException as error:
                results.append(error)
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=work, name=f"orlop-command-{self.command.name}", daemon=True).start()
        canceled: asyncio.CancelledError | None = None
        while not ended.is_set():
            try:
                await ended.wait()
            except asyncio.CancelledError as error:
                canceled = error
                self.stop()
        if canceled is not None:
            raise canceled
        result = results.pop()
        if isinstance(result, (StepCanceled, StepLost)):
            raise asyncio.CancelledError
        if isinstance(result, BaseException):
            raise result
        return result

    def result(self) -> CommandResult:
        self._step.check_canceled()
        with _running_lock:
            _running.add(self)
        with self._lock:
            self._stop = stop = StopRequest()
            if self._is_stopped:
                stop.set()
        try:
            with self._step._on_cancel(self.stop):
                return self._locked(stop)
        finally:
            with self._lock:
                self._stop = None
                stop.close()
            with _running_lock:
                _running.discard(self)
            self.has_ended.set()

    def _locked(self, stop: StopRequest) -> CommandResult:
        with _running_lock:
            if self._step._lock is None:
                self._step._lock = StepLock(self._step.id, self._step._run_folder)
        with self._step._lock.held(stop, self._announce_wait) as lock, contextlib.ExitStack() as files:
            if lock < 0:
                raise self._stopped()
            passed = {name: files.enter_context(memory_file(each)) for name, each in self.command.files.items()}
            return self._followed(self._started((lock, *passed.values()), passed), stop)

    def _announce_wait(self) -> None:
        self._step.log(f"{self.command.name} waits for the end of the command that an earlier run of this step started")

    def _started(self, passed: Sequence[int], files: Mapping[str, int]) -> ProcessGroup:
        command = self.command

        def with_paths(given: str) -> str:
            for name, descriptor in files.items():
                given = given.replace(f"{{{name}}}", f"/dev/fd/{descriptor}")
            return given

        try:
            return ProcessGroup(
                [with_paths(each) for each in command.arguments],
                environment={name: with_paths(value) for name, value in command.environment.items()},
                given=command.given,
                folder=command.folder,
                passed=passed,
            )
        except FileNotFoundError:
            folders = "" if "/" in command.arguments[0] else " in the folders of PATH"
            raise DriverFailed(
                f"the command {shown(command.arguments[0])} is not there: no such file{folders}"
            ) from None
        except OSError as error:
            raise DriverFailed(f"the command {shown(command.arguments[0])} cannot be run: {error.strerror}") from None

    def _followed(self, group: ProcessGroup, stop: StopRequest) -> CommandResult:
        command = self.command
        deadline = math.inf if command.timeout is None else time.monotonic() + command.timeout
        output = CommandOutput(command.mask, self._receive, TEXT_MAX)
        errors = CommandOutput(command.mask, self._receive)
        try:
            ending = group.follow(
                output.write, errors.write, deadline=deadline, linger=_LINGER, grace=command.grace, stop=stop
            )
        finally:
            group.close()
        output.end()
        errors.end()
        self._step.check_canceled()
        if self._failure is not None:
            raise self._failure
        if ending is Ending.STOPPED:
            raise self._stopped()
        if ending is Ending.TOO_LONG:
            raise DriverFailed(self._reason(f"{command.name} took longer than {command.timeout:g} s and was ended"))
        if group.status != 0 and command.is_checked:
            raise DriverFailed(self._reason(f"{command.name} ended with {_status_text(group.status)}"))
        return CommandResult(group.status, output.text(), tuple(self._lines))

    def _receive(self, line: str) -> None:
        if line.strip():
            self._lines.append(line)
        if self._failure is not None:
            return
        try:
            self._step.log(line)
        except Exception as error:  # the engine is closed, or the step lost
            self._failure = error
            self.stop()

    def _stopped(self) -> Exception:
        self._step.check_canceled()
        return StepCanceled(f"the command {self.command.name} was stopped")

    def _reason(self, what: str) -> str:
        lines = "\n".join(self._lines)
        if len(lines) > _REASON_MAX:
            lines = "…" + lines[-_REASON_MAX:]
        return f"{what}: {lines}" if lines else what


def _status_text(status: int) -> str:
    if status >= 0:
        return f"exit code {status}"
    try:
        return f"the signal {signal.Signals(-status).name}"
    except ValueError:
        return f"the signal {-status}"


@atexit.register
def _end_all() -> None:
    """Ends the commands of methods that were left behind. The engines are closed before, so that their steps are not
    reported as failed."""
    close_all()
    with _running_lock:
        running = list(_running)
    for each in running:
        each.stop()
    for each in running:
        each.has_ended.wait(each.command.grace + _MARGIN)


def _forget_all() -> None:
    """Leaves the commands to the process from which this one was forked."""
    global _running_lock
    _running_lock = threading.Lock()
    _running.clear()


os.register_at_fork(after_in_child=_forget_all)
