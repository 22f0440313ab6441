"""Commands that only read need no right to write the store: its file, its folder, or the files of another process
beside it."""

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

READING = (
    "events STORE --json",
    "check STORE --json",
    "predict STORE production --runs 1 --json",
    "replay STORE --until 5 --json",
)


# Capabilities by which root ignores the modes of files.
UNLIMITED = ("dac_override", "dac_read_search")


def with_file_modes(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the rights that the modes of files give to their owner. Another user might not reach the
    interpreter: a clone may lie in a private home directory."""
    limit = (
        ("setpriv", "--bounding-set=" + ",".join(f"-{name}" for name in UNLIMITED), "--") if os.geteuid() == 0 else ()
    )
    return subprocess.run([*limit, sys.executable, *command], text=True, timeout=120, check=False, capture_output=True)


def read(command: str, store: pathlib.Path) -> Any:
    found = with_file_modes("-m", "orlop", *command.replace("STORE", str(store)).split())
    assert (found.returncode, found.stderr) == (0, ""), (command, found.stderr)
    return [json.loads(line) for line in found.stdout.splitlines()]


@pytest.fixture
def folder() -> Iterator[pathlib.Path]:
    """Yields a folder whose modes a test may change."""
    found = pathlib.Path(tempfile.mkdtemp())
    try:
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
            path.chmod(0o444)
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
        found = with_file_modes("-m", "orlop", *command.replace("STORE", str(store)).split())
        assert found.returncode == 2 and f'orlop: "{store}" cannot be opened' in found.stderr


def test_what_cannot_be_read_is_named(folder: pathlib.Path) -> None:
    store = folder / "platform.db"
    with orlop.Simulation(store) as simulation:
        simulation.organizations.create(name="acme", plan="FREE")
    store.chmod(0)
    found = with_file_modes("-m", "orlop", "events", str(store))
    assert found.returncode == 2 and found.stderr == f"orlop: [Errno 13] Permission denied: '{store}'\n"
