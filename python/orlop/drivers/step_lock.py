"""The lock of a step: held while a command of the step runs, also by the command, so that it outlives the process that
has started it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import threading
from collections.abc import Callable, Iterator

from ..base.process_group import StopRequest
from ..errors import DriverFailed

_ASKED_EACH = 0.1  # seconds; no event announces that a lock is free
_held: set[int] = set()  # descriptors of this process
_lock = threading.Lock()


def _leave_to_the_parent() -> None:
    global _lock
    _lock = threading.Lock()
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_leave_to_the_parent)


class StepLock:
    """A file named after the step, with an flock that all commands of this run of the step share."""

    def __init__(self, step: str, folder: str | os.PathLike[str] | None) -> None:
        self._step = step
        self._given = folder
        self._users = 0
        self._descriptor = -1
        self._taking = threading.Lock()

    @contextlib.contextmanager
    def held(self, stop: StopRequest, wait: Callable[[], object]) -> Iterator[int]:
        """Yields a descriptor that holds the lock; -1 after a request to stop. Calls `wait` before it waits for the end
        of a command of an earlier run of the step."""
        while not self._taking.acquire(timeout=_ASKED_EACH):  # another command of this run waits
            if stop.is_set:
                yield -1
                return
        try:
            if self._users == 0:
                self._descriptor = self._take(stop, wait)
            self._users += self._descriptor >= 0
            descriptor = self._descriptor
        finally:
            self._taking.release()
        try:
            yield descriptor
        finally:
            with self._taking:
                self._users -= descriptor >= 0
                if self._users == 0 and self._descriptor >= 0:
                    self._release()

    def _take(self, stop: StopRequest, wait: Callable[[], object]) -> int:
        self._folder = _folder_of(self._given)
        self._path = os.path.join(self._folder, f"{self._step}.lock")
        has_waited = False
        while not stop.is_set:
            descriptor = self._try()
            if descriptor >= 0:
                return descriptor
            if not has_waited:
                wait()
                has_waited = True
            stop.wait(_ASKED_EACH)
        return -1

    def _try(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = -1
        try:
            with _lock:
                descriptor = os.open(self._path, flags, 0o600)
                _held.add(descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another run may have ended and removed its file since this one was opened.
            if os.path.samestat(os.fstat(descriptor), os.stat(self._path)):
                return descriptor
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError as error:
            _close(descriptor)
            raise DriverFailed(f"the lock file {self._path} cannot be used: {error.strerror}") from None
        _close(descriptor)
        return -1

    def _release(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._path)
        _close(self._descriptor)
        self._descriptor = -1


def _close(descriptor: int) -> None:
    with _lock:
        if descriptor in _held:
            _held.discard(descriptor)
            os.close(descriptor)


def _folder_of(given: str | os.PathLike[str] | None) -> str:
    """Returns the folder of the lock files, which is made if it is not there."""
    if given is None:
        state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
        given = os.path.join(state, "orlop", "run")
    folder = os.path.abspath(given)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.stat(folder)
    except OSError as error:
        raise DriverFailed(f"run_folder must be a folder that can be written: {folder}: {error.strerror}") from None
    if found.st_uid != os.geteuid():
        raise DriverFailed(f"run_folder must belong to the user of this process: {folder} belongs to another one")
    if stat.S_IMODE(found.st_mode) & 0o022:
        raise DriverFailed(f"run_folder must be writable by its owner alone (mode 0700): {folder} is not")
    return folder
