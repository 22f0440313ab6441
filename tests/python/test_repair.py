"""`check` finds what earlier faults have left in a store, and repairs it on request."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

import orlop
from conftest import furnish, furnished

DEPLOYING = 6


@pytest.fixture
def store(tmp_path: Path) -> tuple[Path, str]:
    """Makes a store with one service in deployment that no engine drives."""
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        service = furnish(engine).container().id
    with contextlib.closing(sqlite3.connect(path)) as database:
        changed = database.execute(
            "UPDATE machine SET state = ?, action = 1 WHERE number = (SELECT number FROM identity WHERE id = ?)",
            (DEPLOYING, uuid.UUID(service).bytes),
        )
        assert changed.rowcount == 1
        database.commit()
    return path, service


def test_check_finds_and_repairs(store: tuple[Path, str]) -> None:
    path, service = store
    with orlop.Engine(path) as engine:
        platform = furnished(engine)
        (fault,) = engine.check()
        assert (fault["id"], fault["type"]) == (service, "container")
        assert "not in the list" in fault["fault"]
        assert engine.check() == [fault], "a look changes nothing"
        assert engine.check(repair=True) == [fault]
        assert engine.check() == []
        assert platform.environment.deploy().wait(20).ok


def test_the_command_finds_and_repairs(store: tuple[Path, str]) -> None:
    path, service = store

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "orlop", "check", str(path), *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    found = run()
    assert found.returncode == 1
    assert service in found.stdout and "--repair" in found.stdout
    assert run("--json").returncode == 1
    repaired = run("--repair")
    assert repaired.returncode == 0 and f"container {service}" in repaired.stdout and "repaired" in repaired.stdout
    checked = json.loads(run("--json").stdout)
    assert checked["faults"] == []


def test_a_request_takes_up_what_no_list_names(store: tuple[Path, str]) -> None:
    with orlop.Engine(store[0]) as engine:
        assert furnished(engine).environment.deploy().wait(20).ok
