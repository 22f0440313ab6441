"""Reports of drivers: texts that are too long or unusual, and ends that cannot be reported."""

from __future__ import annotations

import asyncio
import re
import threading

import pytest

import orlop
from conftest import furnish
from orlop.drivers.driver_pool import DriverPool

WITHIN = 20  # seconds: far more than any of these tests needs


class _Mute(Exception):
    """An exception whose text cannot be read."""

    def __str__(self) -> str:
        raise ValueError("no words")


def _failure_of(driver: orlop.Driver) -> str:
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        web = platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert (run.ok, web.state) == (False, "DEPLOYMENT_ERROR")
        (ended,) = [event for event in run.events() if event["kind"] == "step.ended"]
        return str(ended["detail"]["reason"])


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (RuntimeError("x" * 70_000), r"RuntimeError: x+… \[\d+ more bytes\]"),
        (RuntimeError("é" * 70_000), r"RuntimeError: é+… \[\d+ more bytes\]"),
        (RuntimeError("odd \ud800"), r"RuntimeError: odd \? \(test_reports\.py:\d+ in deploy\)"),
        (_Mute(), r"_Mute \(test_reports\.py:\d+ in deploy\)"),
        (SystemExit(3), r"SystemExit: 3 \(test_reports\.py:\d+ in deploy\)"),
    ],
    ids=["long", "wide", "surrogate", "mute", "exit"],
)
def test_no_exception_is_too_odd_to_end_its_step(raised: BaseException, expected: str) -> None:
    class Broken(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            raise raised

    reason = _failure_of(Broken())
    assert re.fullmatch(expected, reason) and len(reason.encode()) <= 65_536


def test_an_async_method_that_exits_ends_its_own_step_alone() -> None:
    class Exiting(orlop.Driver):
        async def build(self, step: orlop.Step) -> None:
            await asyncio.sleep(0)

        async def deploy(self, step: orlop.Step) -> None:
            if step.attempt == 1:
                raise SystemExit("enough")

    with orlop.Engine(driver=Exiting()) as engine:
        platform = furnish(engine)
        platform.container()
        assert platform.environment.deploy().wait(WITHIN).state == "DEPLOYMENT_ERROR"
        assert platform.environment.deploy().wait(WITHIN).ok  # the loop still runs


def test_outputs_over_their_bound_fail_the_step_at_once() -> None:
    class Verbose(orlop.Driver):
        def deploy(self, step: orlop.Step) -> dict[str, str]:
            return {"log": "x" * 1_100_000}

    reason = _failure_of(Verbose())
    assert reason == "the outputs of the step have 1100010 bytes; at most 1048576 are allowed"


def test_long_lines_are_cut_and_the_step_goes_on() -> None:
    class Talker(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            step.log("l" * 200_000)
            step.progress("p" * 200_000 + "\udcff")

    with orlop.Engine(driver=Talker()) as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert run.ok
        said = {
            event["kind"]: event["detail"]["text"]
            for event in run.events()
            if event["kind"] in ("step.log", "step.progress")
        }
        assert said["step.log"].endswith("l… [134512 more bytes]")
        assert said["step.progress"].endswith("p… [134513 more bytes]")


def test_an_end_that_cannot_be_reported_becomes_a_failure() -> None:
    class Unlucky:
        """Fails to report a cancel."""

        def __init__(self) -> None:
            self.reports: list[tuple[str, str]] = []
            self.has_ended = threading.Event()

        def report(self, step: str, kind: str, text: str) -> None:
            if kind == "canceled":
                raise MemoryError
            self.reports.append((kind, text))
            if kind == "failed":
                self.has_ended.set()

        def report_running(self, service: str, state: str, observation: str) -> None:
            raise AssertionError("nothing is observed here")

    class Quitting(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            raise orlop.StepCanceled("no more")

    reporter = Unlucky()
    pool = DriverPool(Quitting())
    pool.report_to(reporter)
    facts = ("id", "family", "name", "subject", "owner", "organization", "request", "action")
    pool.start({**dict.fromkeys(facts, "a"), "kind": "deploy", "attempt": 1, "resumed": False, "configuration": "{}"})
    assert reporter.has_ended.wait(WITHIN)
    assert reporter.reports == [("started", ""), ("failed", "the end of the step could not be reported: MemoryError")]
    pool.close()
