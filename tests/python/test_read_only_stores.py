"""Commands that only read need no right to write the store: its file, its folder, or what another process keeps beside it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

import orlop
from conftest import furnish

OTHER_USER = 65534  # the one without rights on most systems
READING = ("events STORE --json", "check STORE --json", "predict STORE production --runs 1 --json", "replay STORE --until 5 --json")


def as_other_user(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs it without the rights of root, which has all."""
    user: dict[str, Any] = {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run([sys.executable, *command], text=True, timeout=120, check=False, capture_output=True, **user)


def read(command: str, store: pathlib.Path) -> Any:
    found = as_other_user("-m", "orlop", *command.replace("STORE", str(store)).split())
    assert (found.returncode, found.stderr) == (0, ""), (command, found.stderr)
    return [json.loads(line) for line in found.stdout.splitlines()]


@pytest.fixture
def folder() -> Iterator[pathlib.Path]:
    """One that another user can read."""
    if as_other_user("-c", "import orlop.engine").returncode != 0:
        pytest.skip("another user cannot read this installation")
    found = pathlib.Path(tempfile.mkdtemp())
    try:
        found.chmod(0o755)
        yield found
    finally:
        found.chmod(0o755)
        shutil.rmtree(found)


def fill(engine: orlop.Engine) -> None:
    platform = furnish(engine)
    platform.container()
    platform.environment.deploy().wait()


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("closed", ["file", "folder", "both"])
def test_of_which_the_rights_to_write_are_missing(closed: str, folder: pathlib.Path) -> None:
    store = folder / "platform.db"
    with orlop.Simulation(store) as simulation:
        fill(simulation)
        last = simulation.last_event
    store.chmod(0o444 if closed != "folder" else 0o666)
    folder.chmod(0o555 if closed != "file" else 0o777)
    before = contents(folder)
    for _ in range(2):
        events, (checked,), (predicted,), (replayed,) = (read(command, store) for command in READING)
        assert [event["sequence"] for event in events] == list(range(1, last + 1))
        assert (checked["store"], checked["events"], checked["faults"]) == (str(store), last, [])
        assert predicted["runs"] == 1 and replayed["until"] == 5
    assert contents(folder) == before, "nothing is left beside it"


def test_what_was_killed_is_read_with_its_last_commits(folder: pathlib.Path) -> None:
    store = folder / "platform.db"
    with orlop.Simulation(folder / "used.db") as simulation:
        fill(simulation)
        last = simulation.last_event
        for ending in ("", "-wal"):
            shutil.copyfile(folder / f"used.db{ending}", f"{store}{ending}")
    assert os.path.getsize(f"{store}-wal") > 0
    folder.chmod(0o555)
    for command in READING[:2]:
        assert read(command, store)[-1].get("sequence", last) == last


def test_what_another_process_uses_is_read_as_it_is_now(folder: pathlib.Path) -> None:
    store = folder / "platform.db"
    with orlop.Simulation(store) as simulation:
        fill(simulation)
        folder.chmod(0o555)
        for path in folder.iterdir():
            path.chmod(0o444 if os.geteuid() == 0 else 0o644)
        for name in ("one", "two"):
            simulation.organizations.create(name=name, plan="FREE")
            events, (checked,), (predicted,), (replayed,) = (read(command, store) for command in READING)
            assert events[-1]["sequence"] == checked["events"] == simulation.last_event
            assert predicted["runs"] == 1 and replayed["until"] == 5


def test_a_repair_and_a_token_need_the_right(folder: pathlib.Path) -> None:
    store = folder / "platform.db"
    with orlop.Simulation(store) as simulation:
        simulation.organizations.create(name="acme", plan="FREE")
    folder.chmod(0o555)
    for command in ("check STORE --repair", "token create STORE --organization acme --name ci"):
        found = as_other_user("-m", "orlop", *command.replace("STORE", str(store)).split())
        assert found.returncode == 2 and f'orlop: "{store}" cannot be opened' in found.stderr


def test_what_cannot_be_read_is_named(folder: pathlib.Path) -> None:
    store = folder / "platform.db"
    with orlop.Simulation(store) as simulation:
        simulation.organizations.create(name="acme", plan="FREE")
    store.chmod(0)
    found = as_other_user("-m", "orlop", "events", str(store))
    assert found.returncode == 2 and found.stderr == f"orlop: [Errno 13] Permission denied: '{store}'\n"
