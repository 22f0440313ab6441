"""Processes that drive one store, and a test that kills and stops them: the run, and the faults that its log must not
show.

Each driving process writes a line to one file when its driver is given a step, one when it begins it and one when it
has ended it; the controller writes one before it kills, stops or closes a process, and one when that is complete or
ends: "gone" or "continued". The file is opened for appending, so that its lines are in the order of events.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orlop
from orlop.models import Environment

WITHIN = 90.0  # seconds: for operations that take one or two

DRIVER = textwrap.dedent("""
    import asyncio, os, sys, threading
    import orlop

    store, log, lease_time = sys.argv[1:4]
    line = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    me = os.getpid()
    def note(word, step):
        os.write(line, f"{word} {step.id} {me}\\n".encode())

    class Noting(orlop.Driver):
        def accepts(self, step):
            note("given", step)
            return True
        async def deploy(self, step):
            note("start", step)
            await asyncio.sleep(0.01)  # the work
            note("end", step)
        restart = stop = delete = deploy

    engine = orlop.Engine(store, driver=Noting(), lease_time=lease_time, require_cluster=False)
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), engine.stop()), daemon=True).start()
    engine.run()
    engine.close(timeout=30)
""")


def wait_until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + WITHIN
    while not condition():
        assert time.monotonic() < end, f"{what} has not come"
        os.sched_yield()


def holds_write_lock(process: int, store: str) -> bool:
    """Reports whether the process has SQLite's writer lock, byte 120 of the file beside the log."""
    index = Path(store + "-shm")
    if not index.exists():
        return False
    wanted = ["WRITE", str(process)]
    for line in Path("/proc/locks").read_text().splitlines():
        _, kind, _, *held, place, first, last = line.split()
        if (
            kind == "POSIX"
            and held == wanted
            and place.endswith(f":{index.stat().st_ino}")
            and int(first) <= 120 <= (120 if last == "EOF" else int(last))
        ):
            return True
    return False


class Processes:
    """Runs `count` driving processes on `store`."""

    def __init__(self, store: str, directory: Path, count: int, seed: int, lease_time: str = "1s") -> None:
        self.log = directory / "steps.log"
        self._store = store
        self._lease_time = lease_time
        self._random = random.Random(seed)
        self._stopped: set[int] = set()
        self.running = {process.pid: process for process in (self._start() for _ in range(count))}

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", DRIVER, self._store, str(self.log), self._lease_time]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        return process

    def _note(self, word: str, process: int) -> None:
        with self.log.open("a") as log:
            log.write(f"{word} - {process}\n")

    def some(self) -> int:
        """Returns a running process."""
        return self._random.choice(sorted(set(self.running) - self._stopped))

    def kill(self) -> None:
        """Kills a process with SIGKILL and starts another one."""
        chosen = self.some()
        self._note("killed", chosen)
        process = self.running.pop(chosen)
        process.kill()
        self._end(process)
        self._note("gone", chosen)
        started = self._start()
        self.running[started.pid] = started

    def stop(self) -> None:
        """Stops a process with SIGSTOP, but not in the middle of a commit to a file: no other process could write until
        it continued."""
        chosen = self.some()
        stop_outside_of_commits(chosen, self._store, lambda: self._note("stopped", chosen))
        self._stopped.add(chosen)

    def let_go_on(self) -> None:
        for process in sorted(self._stopped):
            self._note("continued", process)
            os.kill(process, signal.SIGCONT)
        self._stopped.clear()

    def close_one(self) -> None:
        """Closes a process, which releases its leases, and starts another one."""
        chosen = self.some()
        self._note("closed", chosen)
        process = self.running.pop(chosen)
        self._close(process)
        assert process.wait(timeout=WITHIN) == 0
        self._end(process)
        started = self._start()
        self.running[started.pid] = started

    def _close(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        process.stdin.close()

    def _end(self, process: subprocess.Popen[str]) -> None:
        process.wait(timeout=WITHIN)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def are_well(self) -> bool:
        """Reports whether no process has ended by itself."""
        return all(process.poll() is None for process in self.running.values())

    def end(self) -> None:
        self.let_go_on()
        for process in self.running.values():
            process.kill()
            self._end(process)


def stop_outside_of_commits(process: int, store: str, before: Callable[[], None] = lambda: None) -> None:
    """Sends SIGSTOP, repeatedly until the process does not hold a file's writer lock. `before` is called before each
    attempt."""
    while True:
        before()
        os.kill(process, signal.SIGSTOP)
        os.waitpid(process, os.WUNTRACED)
        if not holds_write_lock(process, store):
            return
        os.kill(process, signal.SIGCONT)


def populate(engine: orlop.Engine, organizations: int, services: int) -> list[Environment]:
    """Creates environments in different organizations; their clusters are not deployed."""
    environments = []
    for number in range(organizations):
        organization = engine.organizations.create(name=f"acme {number}", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        for service in range(services):
            environment.databases.create(name=f"store {service}", type="REDIS", version="7", mode="CONTAINER")
        environments.append(environment)
    return environments


def deploy_all(engine: orlop.Engine, environments: list[Environment], meanwhile: Callable[[], None]) -> None:
    """Deploys all environments, calls `meanwhile`, and waits until all deployments have ended."""
    for environment in environments:
        asked = engine.request("POST", f"/environment/{environment.id}/deploy")
        assert asked.status < 300, asked.json()
    meanwhile()

    def has_ended(environment: Environment) -> bool:
        state = engine.request("GET", f"/environment/{environment.id}/status").json()["state"]
        return state in ("DEPLOYED", "DEPLOYMENT_ERROR")

    left = list(environments)

    def all_have_ended() -> bool:
        left[:] = [environment for environment in left if not has_ended(environment)]
        return not left

    wait_until(all_have_ended, "the end of the deployments of " + ", ".join(environment.id for environment in left))


def wrong_in(log: Path) -> Iterator[str]:
    """Yields the faults in the log: a step that is given to a second process while the first one runs, or that begins
    in a process to which it was not given. A closed process counts as not running. A stopped process may begin late
    what it was given before. It may also have been stopped between its last look at its lease and the call of its
    driver, which no look can exclude: then the first steps that it is given when it continues may already belong to
    others, and its reports on them are refused."""
    last: dict[str, tuple[int, int]] = {}  # by step: the process that was given it last, and the line
    given: set[tuple[str, int]] = set()
    away: dict[
        int, list[list[float]]
    ] = {}  # by process: lines between which it was killed or stopped; it may write a little after the first
    closed: set[int] = set()
    goes_on: set[int] = (
        set()
    )  # continued processes that were given nothing since, except steps that they may be given late
    for at, line in enumerate(log.read_text().splitlines()):
        word, step, process_text = line.split()
        process = int(process_text)
        if word == "closed":
            closed.add(process)
        elif word in ("killed", "stopped"):
            away.setdefault(process, []).append([at, math.inf])
        elif word in ("gone", "continued"):
            for span in away.get(process, []):
                span[1] = min(span[1], at)
            goes_on.add(process)
        elif word == "start" and (step, process) not in given:
            yield f"line {at + 1}: step {step} begins in {process}, which was not given it"
        elif word == "given":
            before = last.get(step)
            is_gone = before is not None and (
                before[0] in closed or any(before[1] < until for _, until in away.get(before[0], []))
            )
            is_late = (
                before is not None
                and process in goes_on
                and any(since < before[1] < until for since, until in away[process][-1:])
            )
            if not is_late:
                goes_on.discard(process)
            if before is not None and before[0] != process and not is_gone and not is_late:
                yield (
                    f"line {at + 1}: step {step} is given to {process}, and {before[0]}, which was given it in "
                    f"line {before[1] + 1}, is well"
                )
            last[step] = (process, at)
            given.add((step, process))


@contextlib.contextmanager
def driven(store: str, directory: Path, count: int, seed: int) -> Iterator[Processes]:
    processes = Processes(store, directory, count, seed)
    try:
        yield processes
    finally:
        processes.end()
