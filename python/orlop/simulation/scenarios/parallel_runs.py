"""Many runs of a scenario: one after the other, on several processes, or through Dask on several machines."""

from __future__ import annotations

import contextlib
import importlib
import os
from typing import TYPE_CHECKING, Any

from ...errors import Error, Misuse
from .document import Scenario
from .outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

    from typing_extensions import Self

JOBS_MAX = 1_024
_PARTS_PER_JOB = 8  # so that processes end at about the same time
_PART_MAX = 200  # runs
_REACHED_WITHIN = 3.0  # seconds for the connection to Dask's scheduler
_WORTH_A_PROCESS = 10  # runs: starting a process costs about as much


def cores() -> int:
    """Returns the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def jobs_for(runs: int) -> int:
    """Returns the best number of processes for this number of runs."""
    return max(1, min(cores(), runs // _WORTH_A_PROCESS))


def outcomes(scenario: Scenario, seeds: Sequence[int], jobs: int = 1, dask: str = "") -> Iterator[Outcome]:
    """Yields the outcome of a run for each seed, in their order, when it is ready. The results depend on neither `jobs`
    nor `dask`.

    `jobs` is the number of processes; 1 runs in this one. `dask` is the address of a Dask scheduler, or "local" for
    `jobs` workers on this machine. Raises `ScenarioError`, and `Misuse` if Dask is missing or cannot be reached.
    """
    if not 1 <= jobs <= JOBS_MAX:
        raise Misuse(f"jobs must be 1 to {JOBS_MAX}, not {jobs}")
    if not dask and jobs == 1:
        for seed in seeds:
            yield from run_part(scenario, [seed])
        return
    workers = max(jobs, 2) if dask else jobs
    length = max(1, min(_PART_MAX, -(-len(seeds) // (workers * _PARTS_PER_JOB))))
    parts = [list(seeds[first : first + length]) for first in range(0, len(seeds), length)]
    yield from _on_dask(scenario, parts, jobs, dask) if dask else _on_processes(scenario, parts, jobs)


def run_part(scenario: Scenario, seeds: Sequence[int]) -> list[Outcome]:
    from .play import play

    return [play(scenario, seed, "outcome").outcome for seed in seeds]


def _on_processes(scenario: Scenario, parts: list[list[int]], jobs: int) -> Iterator[Outcome]:
    """Runs the parts on new processes, because a forked one could inherit a held lock."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("spawn")
    ended, wanted = context.Pipe(duplex=False)
    with (
        _Termination(),
        ended,
        wanted,
        ProcessPoolExecutor(min(jobs, len(parts)), context, _end_with_parent, (ended,)) as pool,
    ):
        try:
            with _signals_held_back():
                pending = [pool.submit(_guarded, scenario, part) for part in parts]
            for future in pending:
                yield from _raised(future.result())
        except BrokenProcessPool:
            raise Error(
                "a process of the runs ended before its time; was it killed, or is the memory too small for --jobs?",
                "internal",
            ) from None
        except BaseException:  # such as Ctrl-C: does not wait for the work of the processes
            wanted.close()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _Termination:
    """Lets SIGTERM end this process only after those of the runs, else multiprocessing would warn of leftovers. Only in
    the main thread, and only if the host has no handler."""

    def __init__(self) -> None:
        self._is_mine = self._has_come = False

    def __enter__(self) -> Self:
        import signal
        import threading

        self._is_mine = (
            threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        )
        if self._is_mine:
            signal.signal(signal.SIGTERM, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        import signal

        if self._is_mine:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if self._has_come:
            os.kill(os.getpid(), signal.SIGTERM)

    def _take(self, number: int, _: object) -> None:
        self._has_come = True
        raise SystemExit(128 + number)


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Delays SIGINT and SIGTERM until the end of the block: a process that is half started would print a traceback.
    Threads started in the block never receive them: Python handles them in its main thread, which would not wake up.
    Processes started in the block have them blocked."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent(ended: Connection) -> None:
    """Ends a process of the runs when the other end of this pipe is closed, also if the parent was killed. Unblocks
    SIGTERM, with which a broken pool ends its processes."""
    import signal
    import threading

    def wait() -> None:
        with contextlib.suppress(EOFError):
            ended.recv_bytes()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _on_dask(scenario: Scenario, parts: list[list[int]], jobs: int, address: str) -> Iterator[Outcome]:
    try:
        dask: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise Misuse("Dask is missing, which runs a scenario on several machines: pip install 'orlop[dask]'") from error
    with contextlib.ExitStack() as stack:
        if address != "local":
            _look_for(address)
        else:
            address = stack.enter_context(
                dask.LocalCluster(n_workers=max(2, jobs), threads_per_worker=1, processes=True, dashboard_address=None)
            ).scheduler_address
        try:
            client = stack.enter_context(dask.Client(address, timeout="5s", set_as_default=False))
        except (OSError, ValueError) as error:
            raise Misuse(f"the Dask scheduler at {address} cannot be reached: {error}") from None
        with _errors_of_dask():
            # In a list, because a scenario is a tuple, whose members would be scattered.
            shared = client.scatter([scenario], broadcast=True)[0]
            pending = [client.submit(_guarded, shared, part, pure=False) for part in parts]
        for future in pending:
            with _errors_of_dask():
                answer = future.result()
            yield from _raised(answer)


def _look_for(address: str) -> None:
    """Raises `Misuse` if nothing answers at the address, because Dask itself retries repeatedly."""
    import socket
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise Misuse(
            f'the Dask scheduler at {address} cannot be reached: its address must be like tcp://host:8786, or "local"'
        )
    if parts.scheme not in ("tcp", "tls", "ws", "wss"):
        return
    try:
        socket.create_connection((host, port), _REACHED_WITHIN).close()
    except OSError as error:
        raise Misuse(f"the Dask scheduler at {address} cannot be reached: {error}") from None


@contextlib.contextmanager
def _errors_of_dask() -> Iterator[None]:
    """Turns every exception into `Error`. Dask has no class for a scheduler that is gone, has no workers or lost
    them."""
    try:
        yield
    except Exception as error:
        raise Error(
            f"Dask could not finish the runs: {' '.join(str(error).split()) or type(error).__name__}", "internal"
        ) from None


def _guarded(scenario: Scenario, seeds: Sequence[int]) -> list[Outcome] | tuple[str, str]:
    """Returns the outcomes, or the refusal as plain data, because exceptions refer to objects of their process."""
    try:
        return run_part(scenario, seeds)
    except Misuse as error:
        return type(error).__name__, str(error)


def _raised(answer: Any) -> list[Outcome]:
    from .document import ScenarioError

    if isinstance(answer, tuple):
        raise (ScenarioError if answer[0] == "ScenarioError" else Misuse)(answer[1])
    return [Outcome(*outcome) for outcome in answer]
