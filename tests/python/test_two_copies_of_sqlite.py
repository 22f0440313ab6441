"""Python's own sqlite3 also opens the store in the same process. A wheel carries another copy of SQLite, and the locks
of two copies in a process must exclude each other."""

from __future__ import annotations

import pathlib
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

import orlop

OTHER_PROCESS = """
import sqlite3, sys
try:
    sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute("BEGIN IMMEDIATE")
    print("locked it")
except sqlite3.OperationalError as error:
    print(error)
"""


def write_from_another_process(store: pathlib.Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS, store], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def store(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    path = tmp_path / "platform.db"
    yield path
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_the_engine_does_not_write_during_a_transaction_of_the_other_copy(store: pathlib.Path) -> None:
    with orlop.Engine(store) as engine, closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(orlop.StorageBusy):
            engine.organizations.create(name="acme", plan="FREE")
        other.execute("ROLLBACK")
        engine.organizations.create(name="acme", plan="FREE")


@pytest.mark.parametrize("opened", [1, 2])
def test_closing_the_engine_ends_no_lock_of_the_other_copy(store: pathlib.Path, opened: int) -> None:
    engines = [orlop.Engine(store) for _ in range(opened)]
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for engine in engines:
            engine.close()
        assert write_from_another_process(store) == "database is locked"
        other.execute("ROLLBACK")
        assert write_from_another_process(store) == "locked it"


def test_closing_the_other_copy_ends_no_lock_of_the_engine(store: pathlib.Path) -> None:
    with orlop.Engine(store) as engine:
        engine.organizations.create(name="acme", plan="FREE")
        for _ in range(3):
            with closing(sqlite3.connect(store)) as other:
                assert other.execute("SELECT count(*) FROM record").fetchone()[0] > 0
        # A process that finds no lock would checkpoint and delete the log when it ends.
        write_from_another_process(store)
        assert pathlib.Path(f"{store}-wal").exists()
        engine.organizations.create(name="beta", plan="FREE")


def test_both_write_in_turns_and_nothing_is_lost(store: pathlib.Path) -> None:
    rounds, written = 60, threading.Event()

    def write() -> None:
        for number in range(rounds):
            with closing(sqlite3.connect(store, timeout=60)) as other, other:
                other.execute("INSERT INTO note VALUES (?)", (number,))
        written.set()

    with orlop.Engine(store) as engine:
        with closing(sqlite3.connect(store)) as other, other:
            other.execute("CREATE TABLE note (number INTEGER)")
        writer = threading.Thread(target=write)
        writer.start()
        created = 0
        while created < rounds or not written.is_set():
            engine.organizations.create(name=f"org {created}", plan="FREE")
            created += 1
        writer.join()
        with closing(sqlite3.connect(store)) as other, other:
            assert other.execute("SELECT count(*), sum(number) FROM note").fetchone() == (
                rounds,
                rounds * (rounds - 1) // 2,
            )
            other.execute("DROP TABLE note")
        assert len(engine.organizations) == created
    with orlop.Engine(store) as engine:
        assert len(engine.organizations) == created
        assert list(engine.check()) == []
