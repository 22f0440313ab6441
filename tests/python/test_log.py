"""The log of an engine: a callable that receives the messages for operators."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import furnish


class Holding(orlop.Driver):
    def deploy(self, step: orlop.Step) -> None:
        step.wait_canceled(60)
        step.check_canceled()


def leave_a_step_behind(path: Path) -> None:
    with orlop.Engine(path, driver=Holding()) as engine:
        environment = furnish(engine).environment
        environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
        environment.deploy()
        engine.tick()


def test_steps_that_go_on_are_logged(tmp_path: Path) -> None:
    leave_a_step_behind(tmp_path / "platform.db")
    logged: list[tuple[str, str]] = []
    with orlop.Engine(tmp_path / "platform.db", log=lambda level, message: logged.append((level, message))) as engine:
        engine.tick()  # the first tick resumes work under way
    assert len(logged) == 1
    assert logged[0][0] == "info"
    assert "steps were under way" in logged[0][1]


def test_a_log_that_raises_breaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_a_step_behind(tmp_path / "platform.db")
    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)

    def full(level: str, message: str) -> None:
        raise OSError(28, "no space left for logs")

    with orlop.Engine(tmp_path / "platform.db", log=full) as engine:
        engine.tick()
        assert engine.request("GET", "/organization").status == 200
    assert [type(found.exc_value) for found in raised] == [OSError]


def test_a_log_of_other_parameters_breaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_a_step_behind(tmp_path / "platform.db")
    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    log: Any = lambda message: None  # noqa: E731
    with orlop.Engine(tmp_path / "platform.db", log=log) as engine:
        engine.tick()
    assert [type(found.exc_value) for found in raised] == [TypeError]
