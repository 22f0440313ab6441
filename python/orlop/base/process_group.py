"""A process of another program in a process group of its own: its output is read while it runs, and its end is the end
of the whole group."""

from __future__ import annotations

import contextlib
import enum
import math
import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

_PIECE = 65_536
_PIECES_DRAINED_MAX = 64  # a process that left the group may write to the pipes for ever
_LOOKS_EACH = 0.05  # seconds; no event announces the end of processes that are not children of this one
_KILLED_WITHIN = 1.0  # seconds


class Ending(enum.Enum):
    """The cause of the end of a process group."""

    EXITED = "exited"
    STOPPED = "stopped"
    TOO_LONG = "too long"


class StopRequest:
    """A request to stop, made by any thread, for a thread that waits with a selector."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read, self._write = os.pipe()
        self._is_closed = False
        self.is_set = False

    def set(self) -> None:
        with self._lock:
            is_first, self.is_set = not self.is_set, True
            if is_first and not self._is_closed:
                os.write(self._write, b"\0")

    def fileno(self) -> int:
        return self._read

    def wait(self, seconds: float) -> bool:
        """Waits for the request, at most `seconds`. Returns `is_set`."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._read, selectors.EVENT_READ)
            selector.select(seconds)
        return self.is_set

    def close(self) -> None:
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                os.close(self._read)
                os.close(self._write)


@contextlib.contextmanager
def memory_file(contents: bytes) -> Iterator[int]:
    """Yields the descriptor of a file without a name that has these contents, in memory where the system can."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("orlop")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as writer:
            writer.write(contents)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


class ProcessGroup:
    """A running program and its children, unless they have left its process group. `close` ends all of them.

    `passed` are descriptors that the program inherits. Raises OSError if the program cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        given: bytes = b"",
        folder: str | None = None,
        passed: Sequence[int] = (),
    ) -> None:
        with memory_file(given) as standard_input:
            self._process = subprocess.Popen(
                command,
                stdin=standard_input,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                cwd=folder,
                start_new_session=True,
                pass_fds=tuple(passed),
            )
        self._has_exited = self._is_gone = False
        self._exit, announced = os.pipe()
        self._waiter = threading.Thread(target=self._announce_exit, args=(announced,), daemon=True)
        try:
            self._waiter.start()
        except RuntimeError:  # no thread can be started any more
            self._signal(signal.SIGKILL)
            self._process.wait()
            os.close(announced)
            raise

    @property
    def status(self) -> int:
        """The exit code of the program; the negative number of the signal that ended it."""
        return self._process.returncode

    def follow(
        self,
        output: Callable[[bytes], object],
        errors: Callable[[bytes], object],
        *,
        deadline: float = math.inf,
        linger: float = math.inf,
        grace: float = 0.0,
        stop: StopRequest | None = None,
    ) -> Ending:
        """Passes on what the group writes until it has ended, and returns the cause of the end.

        The group is ended after a request to stop, at the deadline, which is a time of `time.monotonic()`, and when the
        program itself has ended: then once its output is closed, at the latest after `linger` seconds. It gets SIGTERM,
        and SIGKILL after `grace` seconds.
        """
        with selectors.DefaultSelector() as selector:
            for pipe, receiver in ((self._process.stdout, output), (self._process.stderr, errors)):
                assert pipe is not None
                selector.register(pipe, selectors.EVENT_READ, receiver)
            selector.register(self._exit, selectors.EVENT_READ)
            if stop is not None:
                selector.register(stop, selectors.EVENT_READ)
            ending = self._follow(selector, deadline, linger, grace, stop)
            self._drain(selector)
        return ending

    def close(self) -> None:
        """Kills what is left of the group: helpers of an ended program as well."""
        if not self._is_gone:
            self._signal(signal.SIGKILL)
        self._waiter.join()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        if self._exit >= 0:
            os.close(self._exit)
            self._exit = -1

    def _follow(
        self,
        selector: selectors.BaseSelector,
        deadline: float,
        linger: float,
        grace: float,
        stop: StopRequest | None,
    ) -> Ending:
        ending, lingers_until, kill_at, lost_at = Ending.EXITED, math.inf, math.inf, math.inf
        is_ended = False
        while True:
            now = time.monotonic()
            if self._has_exited:
                lingers_until = min(lingers_until, now + linger)
            if not is_ended:
                is_stopped = stop is not None and stop.is_set
                is_over = self._has_exited and (now >= lingers_until or not _pipes_in(selector))
                is_ended = is_stopped or is_over or now >= deadline
                if is_ended:
                    ending = Ending.STOPPED if is_stopped else Ending.EXITED if is_over else Ending.TOO_LONG
                    kill_at = now + grace
                    if grace > 0:
                        self._signal(signal.SIGTERM)
            if now >= kill_at:
                self._signal(signal.SIGKILL)
                kill_at, lost_at = math.inf, now + _KILLED_WITHIN
            if is_ended and self._has_exited:
                self._process.wait()  # not before the signals: until then no other group has the number
                if now >= lost_at or not self._is_alive():
                    self._is_gone = True
                    return ending
                due = now + _LOOKS_EACH
            else:
                due = kill_at if is_ended else min(deadline, lingers_until)
            self._read(selector, None if due == math.inf else max(0.0, due - now))

    def _read(self, selector: selectors.BaseSelector, timeout: float | None) -> None:
        for key, _ in selector.select(timeout):
            if key.fd == self._exit:
                selector.unregister(key.fileobj)
                self._has_exited = True
            elif key.data is None:
                selector.unregister(key.fileobj)  # the request to stop, which stays set
            elif piece := os.read(key.fd, _PIECE):
                key.data(piece)
            else:
                selector.unregister(key.fileobj)

    def _drain(self, selector: selectors.BaseSelector) -> None:
        """Reads what the group has left in its pipes, which a process outside of the group may hold open."""
        for key in _pipes_in(selector):
            os.set_blocking(key.fd, False)
            with contextlib.suppress(BlockingIOError):
                for _ in range(_PIECES_DRAINED_MAX):
                    piece = os.read(key.fd, _PIECE)
                    if not piece:
                        break
                    key.data(piece)

    def _announce_exit(self, announced: int) -> None:
        """Waits for the program without collecting it, so that the number of its group stays taken."""
        with contextlib.suppress(ChildProcessError):  # the host ignores SIGCHLD
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        os.close(announced)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _is_alive(self) -> bool:
        """Reports whether the group has a process that runs. Its zombies do not count: some containers have no process
        that collects them."""
        try:
            os.killpg(self._process.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        try:
            processes = [name for name in os.listdir("/proc") if name.isdigit()]
        except OSError:
            return True
        return any(_runs_in(process, self._process.pid) for process in processes)


def _pipes_in(selector: selectors.BaseSelector) -> list[selectors.SelectorKey]:
    return [key for key in selector.get_map().values() if key.data is not None]


def _runs_in(process: str, group: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            state, _, found = file.read().rpartition(b")")[2].split()[:3]
    except (OSError, ValueError):  # it has ended meanwhile
        return False
    return int(found) == group and state not in (b"Z", b"X")
