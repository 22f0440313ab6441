"""Processes on one store that live for two seconds each, and end by kill -9: the work continues."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import orlop
from processes import populate
from test_processes import postgresql, store  # noqa: F401

LIFE = 2.0  # seconds
SERVICES = 5
# A life is long enough for at least one step; an interrupted step is repeated.
LIVES_MAX = 2 * SERVICES + 2

WORKER = textwrap.dedent("""
    import asyncio, os, sys
    import orlop

    line = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    class Slow(orlop.Driver):
        async def deploy(self, step):
            os.write(line, f"start {step.id} {step.resumed}\\n".encode())
            await asyncio.sleep(0.5)  # the work
            os.write(line, f"end {step.id} {step.resumed}\\n".encode())

    engine = orlop.Engine(sys.argv[1], driver=Slow(), require_cluster=False, max_parallel_steps=1)
    print("open", flush=True)
    engine.run()
""")


@contextlib.contextmanager
def worker(url: str, log: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-c", WORKER, url, str(log)], stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def live(url: str, log: Path) -> None:
    """Runs one life, counted from the opening of the store: an interpreter may start slowly on a busy machine."""
    with worker(url, log) as process:
        assert process.stdout is not None and process.stdout.readline() == "open\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=LIFE)
            pytest.fail("the process has ended by itself")


@pytest.mark.parametrize("at_once", [1, 2])
def test_processes_that_die_every_two_seconds_deploy_everything(
    store: str,
    tmp_path: Path,
    at_once: int,
) -> None:
    log = tmp_path / "steps.log"
    with orlop.Engine(store, role="serve", require_cluster=False) as engine:
        (environment,) = populate(engine, 1, SERVICES)
        assert engine.request("POST", f"/environment/{environment.id}/deploy").status < 300

        def state() -> str:
            return str(engine.request("GET", f"/environment/{environment.id}/status").json()["state"])

        for _ in range(LIVES_MAX):
            with contextlib.ExitStack() as others:
                for _ in range(at_once - 1):
                    others.enter_context(worker(store, log))
                live(store, log)
            if state() == "DEPLOYED":
                break
        assert state() == "DEPLOYED", f"after {LIVES_MAX} lives"
    lines = [line.split() for line in log.read_text().splitlines()]
    ended = Counter(step for word, step, _ in lines if word == "end")
    begun = [(step, resumed) for word, step, resumed in lines if word == "start"]
    assert len(ended) == SERVICES
    seen: set[str] = set()
    for step, resumed in begun:
        # A step that begins a second time is marked as resumed.
        assert (resumed == "True") == (step in seen)
        seen.add(step)
