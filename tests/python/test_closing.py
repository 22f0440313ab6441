"""Closing takes a bounded time: a process ends although a method of its driver does not return, and the next process
resumes the step."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

import orlop
from conftest import furnish
from test_serve import call, served

WITHIN = 30.0

STUCK = """
import threading, orlop

class Stuck(orlop.Driver):
    def deploy(self, step):
        open("began", "w").close()
        threading.Event().wait()

class StuckInTheLoop(orlop.Driver):
    async def deploy(self, step):
        open("began", "w").close()
        threading.Event().wait()
"""


class Stuck(orlop.Driver):
    """Ignores everything until it is released."""

    workers = 1

    def __init__(self) -> None:
        self.began = threading.Event()
        self.released = threading.Event()
        self.ended = threading.Event()

    def deploy(self, step: orlop.Step) -> None:
        self.began.set()
        assert self.released.wait(WITHIN)
        try:
            step.log("a word too late")
        finally:
            self.ended.set()


class StuckInTheLoop(Stuck):
    """The same, and blocks the event loop."""

    async def deploy(self, step: orlop.Step) -> None:  # type: ignore[override]
        await asyncio.sleep(0)
        super().deploy(step)


class Resumes(orlop.Driver):
    def __init__(self) -> None:
        self.steps: list[tuple[str, bool]] = []

    def deploy(self, step: orlop.Step) -> None:
        self.steps.append((step.kind, step.resumed))


def assert_resumed(store: Path) -> None:
    driver = Resumes()
    with orlop.Engine(store, driver=driver) as engine:
        environment = engine.organizations.find("acme").projects.find("shop").environments.find("production")
        end = time.monotonic() + WITHIN
        while environment.status()["state"] != "DEPLOYED" and time.monotonic() < end:
            engine.tick()
            engine._core.wait(0.05)
        assert ("deploy", True) in driver.steps


@pytest.mark.parametrize("kind", [Stuck, StuckInTheLoop])
def test_close_leaves_behind_what_does_not_end(tmp_path: Path, kind: type[Stuck]) -> None:
    driver = kind()
    engine = orlop.Engine(tmp_path / "platform.db", driver=driver)
    platform = furnish(engine)
    for name in ("a", "b", "c"):  # one runs, and two wait for its thread
        platform.container(name)
    platform.environment.deploy()
    engine._drive(driver.began.is_set, WITHIN, "the step's begin")
    begun = time.monotonic()
    engine.close(timeout=0.1)
    assert time.monotonic() - begun < 5
    engine.close(timeout=0.1)  # the second call does nothing
    assert not driver.ended.is_set()
    assert_resumed(tmp_path / "platform.db")
    driver.released.set()  # later reports are dropped
    assert driver.ended.wait(WITHIN)


def test_a_timeout_of_close_must_be_one() -> None:
    engine = orlop.Engine()
    for wrong in (-1, "soon", float("nan")):
        with pytest.raises(orlop.Misuse, match="timeout must be"):
            engine.close(timeout=wrong)
    assert engine.organizations.list() == [], "it was closed all the same"
    engine.close(timeout=None)


@pytest.mark.parametrize("kind", ["Stuck", "StuckInTheLoop"])
def test_an_interpreter_ends(tmp_path: Path, kind: str) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    (tmp_path / "program.py").write_text(
        f"import os, sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import orlop, orlop.engine.open_engines, stuck\n"
        "from conftest import furnish\n"
        "orlop.engine.open_engines._GRACE = 0.1\n"
        f"engine = orlop.Engine('platform.db', driver=stuck.{kind}())\n"
        "platform = furnish(engine)\n"
        "platform.container()\n"
        "platform.environment.deploy()\n"
        "engine._drive(lambda: os.path.exists('began'), 30, 'the step')\n"
    )
    ended = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=WITHIN, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert_resumed(tmp_path / "platform.db")


@pytest.mark.parametrize("kind", ["Stuck", "StuckInTheLoop"])
def test_a_server_ends_at_a_signal(tmp_path: Path, kind: str) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    arguments = ("platform.db", "--driver", f"stuck:{kind}", "--grace", "0.2", "--no-access-log")
    with orlop.Engine(tmp_path / "platform.db") as engine:
        platform = furnish(engine)
        platform.container()
        environment = platform.environment.id
    with served(tmp_path, *arguments) as (process, url):
        assert call(url, "POST", f"/environment/{environment}/deploy")[0] == 202
        end = time.monotonic() + WITHIN
        while not (tmp_path / "began").exists():
            assert time.monotonic() < end
            threading.Event().wait(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(WITHIN) == 0
        assert process.stderr is not None and process.stderr.read() == ""
    assert_resumed(tmp_path / "platform.db")


def test_a_simulation_that_is_closed_while_it_is_served_with_a_speed() -> None:
    with orlop.Simulation() as simulation, simulation.serve(speed=60):
        simulation.close()


def use_simulation(engine: orlop.Engine) -> None:
    assert isinstance(engine, orlop.Simulation)
    engine.rules.add(step="deploy", after=1)
    engine.invariants.is_on = True
    engine.invariants.add(lambda: True)
    furnish(engine)
    engine.clock.advance(seconds=1)
    engine.run_until_idle()
    assert engine.events() and engine.snapshot() and engine.report()


@pytest.mark.parametrize(
    ("make", "use"),
    [
        (lambda: orlop.Engine("memory:"), furnish),
        (lambda: orlop.Engine("memory:", driver=Resumes()), furnish),
        (lambda: orlop.Simulation(seed=1), use_simulation),
        (lambda: orlop.Simulation(seed=1).fork(), use_simulation),
    ],
    ids=["engine", "engine with a driver", "simulation", "fork"],
)
def test_one_without_references_is_freed_at_once(
    make: Callable[[], orlop.Engine], use: Callable[[orlop.Engine], object]
) -> None:
    """A loop over many simulations needs the memory of one, even with the garbage collector off."""
    gc.collect()
    gc.disable()
    try:
        engine = make()
        held = weakref.ref(engine)
        use(engine)
        del engine
        assert held() is None
    finally:
        gc.enable()


def test_invariants_say_that_their_simulation_is_gone() -> None:
    invariants = orlop.Simulation(seed=1).invariants
    with pytest.raises(orlop.Closed, match="^the simulation of these invariants is gone$"):
        invariants.check()


def test_a_clock_keeps_its_simulation() -> None:
    clock = orlop.Simulation(seed=1, start="2026-01-01T00:00:00Z").clock
    clock.advance(hours=1)
    assert clock.now().hour == 1
