"""A rolling restart: an engine that is drained begins no steps, lets its steps end, and leaves the rest to the
others."""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.models import Environment
from processes import WITHIN, populate, wait_until


class Gated(orlop.Driver):
    def __init__(self, *, is_open: bool = True) -> None:
        self.given: list[tuple[str, bool]] = []  # ids, and whether they were resumed
        self.ended: list[str] = []
        self.gate = threading.Event()
        if is_open:
            self.gate.set()

    def deploy(self, step: orlop.Step) -> None:
        self.given.append((step.id, step.resumed))
        assert self.gate.wait(WITHIN)
        self.ended.append(step.id)


@contextlib.contextmanager
def running(engine: orlop.Engine) -> Iterator[threading.Thread]:
    thread = threading.Thread(target=engine.run)
    thread.start()
    try:
        yield thread
    finally:
        engine.stop()
        thread.join(WITHIN)
        assert not thread.is_alive()


def opened(store: str, driver: orlop.Driver) -> orlop.Engine:
    return orlop.Engine(
        store, driver=driver, require_cluster=False, lease_time="10m"
    )  # longer than the test: no lease expires


def deploy(engine: orlop.Engine, environments: list[Environment]) -> None:
    for environment in environments:
        engine.request("POST", f"/environment/{environment.id}/deploy").check()


def have_deployed(engine: orlop.Engine, environments: list[Environment]) -> bool:
    return all(
        engine.request("GET", f"/environment/{environment.id}/status").check()["state"] == "DEPLOYED"
        for environment in environments
    )


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "platform.db")


def test_the_others_have_the_work_at_once(store: str) -> None:
    first, second = Gated(), Gated()
    with opened(store, first) as leaving, opened(store, second) as staying:
        environments = populate(leaving, 4, 2)
        with running(leaving), running(staying):
            wait_until(lambda: leaving.drain(timeout=WITHIN), "the end of the drain")
            given = len(first.given)
            deploy(leaving, environments)  # it still answers requests
            wait_until(lambda: have_deployed(leaving, environments), "the end of the deployments")
            assert len(first.given) == given
            assert len(second.given) + given == 8


def test_a_step_that_runs_ends_where_it_runs(store: str) -> None:
    first, second = Gated(is_open=False), Gated()
    with opened(store, first) as leaving:
        environments = populate(leaving, 1, 2)
        deploy(leaving, environments)
        with running(leaving):
            wait_until(lambda: len(first.given) > 0, "the first step")
        with opened(store, second) as staying, running(staying):
            drained: list[bool] = []
            drain = threading.Thread(target=lambda: drained.append(leaving.drain()))
            drain.start()
            assert not have_deployed(staying, environments) and drain.is_alive()
            first.gate.set()
            drain.join(WITHIN)
            assert drained == [True]
            wait_until(lambda: have_deployed(staying, environments), "the end of the deployment")
        given = [step for step, _ in first.given + second.given]
        assert len(given) == len(set(given)) == 2
        assert not any(resumed for _, resumed in first.given + second.given)


def test_a_step_that_runs_for_longer_is_resumed_by_another(store: str) -> None:
    first, second = Gated(is_open=False), Gated()
    with opened(store, first) as leaving:
        environments = populate(leaving, 1, 1)
        deploy(leaving, environments)
        with running(leaving):
            wait_until(lambda: len(first.given) == 1, "the step")
        with opened(store, second) as staying, running(staying):
            begin = time.monotonic()
            assert leaving.drain(timeout=0.05) is False
            assert time.monotonic() - begin < WITHIN / 3
            wait_until(lambda: have_deployed(staying, environments), "the end of the deployment")
            assert second.given == [(first.given[0][0], True)]
            first.gate.set()  # too late: its report has no effect
            wait_until(lambda: first.ended == [first.given[0][0]], "the end of the step")
            assert leaving.drain(timeout=WITHIN) is True
            assert have_deployed(leaving, environments)


def test_without_another_engine_the_work_waits_for_the_next(store: str) -> None:
    first, second = Gated(), Gated()
    with opened(store, first) as alone:
        environments = populate(alone, 1, 3)
        assert alone.drain(timeout=0) is True
        assert alone.drain(timeout=0) is True
        deploy(alone, environments)
        for _ in range(5):
            assert alone.tick() is None or first.given == []
        assert first.given == []
        with opened(store, second) as other, running(other):
            wait_until(lambda: have_deployed(alone, environments), "the end of the deployment")
    assert len(second.given) == 3


def test_a_rolling_restart_loses_nothing_and_does_nothing_twice(store: str) -> None:
    drivers = [Gated() for _ in range(5)]
    first, second = (opened(store, driver) for driver in drivers[:2])
    environments = populate(first, 6, 4)
    deploy(first, environments)
    threads = {engine: threading.Thread(target=engine.run) for engine in (first, second)}
    for thread in threads.values():
        thread.start()
    for driver in drivers[2:]:
        engine = opened(store, driver)
        threads[engine] = threading.Thread(target=engine.run)
        threads[engine].start()
        leaving = next(iter(threads))
        assert leaving.drain(timeout=WITHIN) is True
        leaving.close()
        threads.pop(leaving).join(WITHIN)
    last = next(reversed(threads))
    wait_until(lambda: have_deployed(last, environments), "the end of the deployments")
    for engine, thread in threads.items():
        engine.close()
        thread.join(WITHIN)
    given = [step for driver in drivers for step, _ in driver.given]
    assert len(given) == len(set(given)) == 24
    assert not any(resumed for driver in drivers for _, resumed in driver.given)


@contextlib.contextmanager
def ctrl_c(*, after: float) -> Iterator[None]:
    """Sends SIGINT after `after` seconds and expects the block to end with it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background has no handler
    pressed = threading.Timer(after, signal.raise_signal, (signal.SIGINT,))
    watch = threading.Timer(
        WITHIN, lambda: faulthandler.dump_traceback_later(0.1, exit=True)
    )  # ends the process if the block does not end
    try:
        began = time.monotonic()
        pressed.start()
        watch.start()
        with pytest.raises(KeyboardInterrupt):
            yield
        assert time.monotonic() - began < WITHIN / 2
    finally:
        pressed.cancel()
        watch.cancel()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("timeout", [None, 10 * WITHIN])
def test_ctrl_c_ends_it_and_the_next_call_goes_on(store: str, timeout: float | None) -> None:
    first, second = Gated(is_open=False), Gated()
    with opened(store, first) as leaving:
        environments = populate(leaving, 1, 2)
        deploy(leaving, environments)
        with running(leaving):
            wait_until(lambda: len(first.given) > 0, "the first step")
        with opened(store, second) as staying, running(staying):
            with ctrl_c(after=0.1):
                leaving.drain(timeout)
            assert not second.given, "a step that runs stays where it is"
            first.gate.set()
            assert leaving.drain(timeout) is True
            wait_until(lambda: have_deployed(staying, environments), "the end of the deployment")
        given = [step for step, _ in first.given + second.given]
        assert len(given) == len(set(given)) == 2 and not any(resumed for _, resumed in first.given + second.given)


def test_ctrl_c_ends_that_of_a_simulation(orlop_sim: orlop.Simulation) -> None:
    platform = furnish(orlop_sim)
    platform.container()
    orlop_sim.rules.add(step="deploy", after="1h")
    run = platform.environment.deploy()
    orlop_sim.clock.advance(minutes=1)
    with ctrl_c(after=0.1):
        orlop_sim.drain()
    orlop_sim.clock.advance(hours=2)
    assert run.state == "DEPLOYED" and orlop_sim.drain() is True


@pytest.mark.parametrize("timeout", [-1, float("nan"), "soon", True])
def test_a_timeout_that_is_none_is_refused_and_the_engine_goes_on(store: str, timeout: Any) -> None:
    driver = Gated()
    with opened(store, driver) as engine, running(engine):
        with pytest.raises(orlop.Misuse, match="^timeout must be"):
            engine.drain(timeout=timeout)
        environments = populate(engine, 1, 1)
        deploy(engine, environments)
        wait_until(lambda: have_deployed(engine, environments), "the end of the deployment")
