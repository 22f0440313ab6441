"""Exceptions of a driver: the reason of the step, and the traceback for the operators of the host."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import furnish

ENGINES = pytest.mark.parametrize("opened", [orlop.Engine, orlop.Simulation])
WITHIN = 30.0
HERE = Path(__file__).name
LIBRARY = """
def find(names, key):
    return names[key]
"""


def image_of(configuration: dict[str, Any]) -> Any:
    return configuration["picture"]


class Numbered(Exception):
    """An exception without text."""


class Broken(orlop.Driver):
    """Fails differently for each kind of step."""

    def __init__(self, failing: Any) -> None:
        self._failing = failing

    def deploy(self, step: orlop.Step) -> Any:
        return self._failing(step)


class BrokenInLoop(Broken):
    async def deploy(self, step: orlop.Step) -> Any:
        await asyncio.sleep(0)
        return self._failing(step)


def raising(error: BaseException) -> Any:
    def fail(step: orlop.Step) -> None:
        raise error

    return fail


def reason(opened: Any, driver: orlop.Driver, **options: Any) -> str:
    with opened(driver=driver, **options) as engine:
        platform = furnish(engine)
        platform.container()
        (failure,) = platform.environment.deploy().wait(WITHIN).failures()
        assert failure.step == "deploy"
        return str(failure.reason)


@ENGINES
@pytest.mark.parametrize("kind", [Broken, BrokenInLoop])
def test_the_reason_names_the_type_and_the_last_calls(opened: Any, kind: Any) -> None:
    said = reason(opened, kind(lambda step: image_of(step.configuration)))
    assert re.fullmatch(
        rf"KeyError: 'picture' \({HERE}:\d+ in deploy, {HERE}:\d+ in <lambda>, {HERE}:\d+ in image_of\)", said
    ), said


@ENGINES
@pytest.mark.parametrize("kind", [Broken, BrokenInLoop])
@pytest.mark.parametrize(
    ("error", "begin"),
    [
        (lambda: KeyError("image"), "KeyError: 'image' ("),
        (lambda: KeyError(), "KeyError ("),
        (lambda: Numbered(), "Numbered ("),
        (
            lambda: AttributeError("'NoneType' object has no attribute 'id'"),
            "AttributeError: 'NoneType' object has no attribute 'id' (",
        ),
        (lambda: RuntimeError("the registry\ndoes not answer"), "RuntimeError: the registry\ndoes not answer ("),
        (
            lambda: OSError(28, "No space left on device", "/var/lib"),
            "OSError: [Errno 28] No space left on device: '/var/lib' (",
        ),
        (lambda: TimeoutError(), "TimeoutError ("),
        (lambda: AssertionError("half \ud800 pair"), "AssertionError: half ? pair ("),
        (lambda: SystemExit(3), "SystemExit: 3 ("),
        (lambda: KeyboardInterrupt(), "KeyboardInterrupt ("),
    ],
)
def test_each_exception_has_its_type(opened: Any, kind: Any, error: Any, begin: str) -> None:
    said = reason(opened, kind(raising(error())))
    assert said.startswith(begin) and re.fullmatch(
        rf"\({HERE}:\d+ in deploy, {HERE}:\d+ in fail\)", said[len(begin) - 1 :]
    ), said


@ENGINES
@pytest.mark.parametrize("kind", [Broken, BrokenInLoop])
def test_what_the_driver_means_is_said_in_its_words(opened: Any, kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert (
        reason(opened, kind(raising(orlop.DriverFailed("the image cannot be pulled")))) == "the image cannot be pulled"
    )
    assert not [record for record in caplog.records if record.name == "orlop.driver"]


@ENGINES
def test_only_calls_in_the_file_of_the_driver_are_named(
    opened: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "company_library.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    import company_library  # type: ignore[import-not-found]

    said = reason(opened, Broken(lambda step: company_library.find({}, "image")))
    assert re.fullmatch(rf"KeyError: 'image' \({HERE}:\d+ in deploy, {HERE}:\d+ in <lambda>\)", said), said
    del sys.modules["company_library"]


@ENGINES
def test_a_driver_without_a_file_has_calls_of_the_host(opened: Any) -> None:
    made: dict[str, Any] = {"orlop": orlop, "__name__": "shell"}
    exec("class Driver(orlop.Driver):\n    def deploy(self, step):\n        return {}['image']\n", made)
    assert reason(opened, made["Driver"]()) == "KeyError: 'image' (<string>:3 in deploy)"


@ENGINES
@pytest.mark.parametrize("kind", [Broken, BrokenInLoop])
def test_the_traceback_goes_to_the_log_and_to_the_logger(
    opened: Any, kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    logged: list[tuple[str, str]] = []
    reason(
        opened,
        kind(lambda step: image_of(step.configuration)),
        log=lambda level, message: logged.append((level, message)),
    )
    ((level, message),) = [entry for entry in logged if "the driver failed" in entry[1]]
    assert level == "error"
    assert message.startswith("the driver failed in deploy of container web, step ")
    assert (
        "Traceback (most recent call last):" in message
        and message.endswith("\nKeyError")
        and "picture" not in message.splitlines()[-1]
        and "in image_of" in message
    )
    (record,) = [record for record in caplog.records if record.name == "orlop.driver"]
    assert (record.levelno, record.getMessage()) == (logging.ERROR, message)


@ENGINES
def test_a_log_that_fails_does_not_hide_the_failure(opened: Any) -> None:
    def log(level: str, message: str) -> None:
        raise ValueError("the disk of the log is full")

    assert reason(opened, Broken(raising(KeyError("image"))), log=log).startswith("KeyError: 'image' (")
