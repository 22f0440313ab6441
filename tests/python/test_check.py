"""`orlop check` finds every kind of damage of `damages.py`, and reports what it is, where it is and how to repair
it."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import orlop
from conftest import furnish
from damages import DAMAGES
from orlop.commands.main import main

# Messages about damage that --repair removes.
REPAIRED = (
    "not in the list",
    "without a deployment request",
    "end of a step that it did not have",
    "was at rest",
    "was counted among the work of another organization",
    "belongs to another parent",
    "had a state with an unknown number",
    "configuration with an unknown number",
    "has not reached",
    "or a commit that are not JSON",
    'had the name "box"',
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Creates two organizations, deployed services and one that is not deployed, variables, a token, secrets."""
    path = tmp_path_factory.mktemp("sound") / "platform.db"
    with orlop.Engine(path) as engine:
        platform = furnish(engine)
        services = [platform.container(f"web {number}") for number in range(3)]
        engine.request(
            "POST", f"/container/{services[0].id}/secret", {"key": "PASSWORD", "value": "correct horse"}
        ).check()
        engine.request(
            "POST", f"/project/{platform.project.id}/environmentVariable", {"key": "REGION", "value": "eu"}
        ).check()
        engine.request("POST", f"/organization/{platform.organization.id}/apiToken", {"name": "ci"}).check()
        engine.organizations.create(name="globex", plan="FREE").projects.create(name="other")
        platform.environment.deploy().wait(20)
        platform.container("late")
    return path


def test_a_sound_store_has_no_fault(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(store)]) == 0, capsys.readouterr()
    with orlop.Engine(store) as engine:
        assert engine.check() == []


@pytest.mark.parametrize("name", DAMAGES)
def test_every_kind_of_damage_is_found(
    store: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    statements, words = DAMAGES[name]
    path = tmp_path / "copy.db"
    shutil.copy(store, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        changed = sum(database.execute(statement).rowcount for statement in statements)
        database.commit()
    assert changed > 0, "nothing was planted"
    assert main(["check", str(path)]) == 1
    said = capsys.readouterr()
    assert words in said.out + said.err
    assert (
        "orlop restore" in said.out + said.err
        or "orlop snapshot" in said.out
        or "--repair" in said.out
        or "was put right" in said.out
        or "next engine" in said.out
    ), "it says what to do"


def test_the_command_never_ends_in_a_traceback(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(store, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        for statements, _ in DAMAGES.values():
            for statement in statements:
                with contextlib.suppress(sqlite3.Error):
                    database.execute(statement)
        database.commit()
    found = subprocess.run(
        [sys.executable, "-m", "orlop", "check", str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert found.returncode == 1
    assert "Traceback" not in found.stderr


def test_faults_are_given_as_json(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(store, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE event SET kind = 99 WHERE sequence = 3")
        database.commit()
    assert main(["check", "--json", str(path)]) == 1
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert fault["type"] == "event" and fault["id"] == "3"
    assert set(fault) == {"id", "type", "fault", "advice", "is_repairable"}


REPAIRABLE = [name for name, (_, words) in DAMAGES.items() if words in REPAIRED]


@pytest.mark.parametrize("name", REPAIRABLE)
def test_what_is_repairable_is_put_right(
    store: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(store, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        for statement in DAMAGES[name][0]:
            database.execute(statement)
        database.commit()
    assert main(["check", "--repair", str(path)]) == 0, capsys.readouterr()
    assert main(["check", str(path)]) == 0, capsys.readouterr()
