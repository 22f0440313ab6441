"""Backups of a store, their restoration, and logs beside a file to which they do not belong."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

import orlop
from orlop.commands.main import main

# Creates projects in a store up to a number, then waits to be killed. Meanwhile the tools of SQLite make a backup.
WRITER = """
import sqlite3, sys, time
import orlop
path, backup, old, mid = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
engine = orlop.Engine(path)
organization = engine.organizations.create(name="acme", plan="FREE")
for number in range(old):
    organization.projects.create(name=f"old {number}")
source, target = sqlite3.connect(path), sqlite3.connect(backup)
source.backup(target)
target.close()
source.close()
for number in range(mid):
    organization.projects.create(name=f"mid {number}")
print("ready", flush=True)
sys.stdin.read()
"""


def killed(path: Path, backup: Path, old: int, mid: int) -> None:
    """Leaves a store whose process was killed, and an earlier backup of it."""
    arguments = [sys.executable, "-c", WRITER, str(path), str(backup), str(old), str(mid)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGKILL)


def names(path: Path) -> list[str]:
    with orlop.Engine(path) as engine:
        assert engine.check() == []
        return [project.name for project in engine.organizations.find("acme").projects]


@pytest.mark.parametrize(("old", "mid"), [(50, 3), (50, 30), (60, 300), (10, 1200)])
def test_a_log_of_another_state_is_refused(tmp_path: Path, old: int, mid: int) -> None:
    path, backup = tmp_path / "platform.db", tmp_path / "backup.db"
    killed(path, backup, old, mid)
    shutil.copyfile(backup, path)
    with pytest.raises(orlop.StorageCorrupt, match="is not the write-ahead log of") as caught:
        orlop.Engine(path)
    assert "move" in str(caught.value) and "orlop restore" in str(caught.value)
    for ending in ("-wal", "-shm"):
        (tmp_path / f"platform.db{ending}").unlink()
    assert len(names(path)) == old


def test_a_log_of_another_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    killed(path, tmp_path / "backup.db", 10, 10)
    with orlop.Engine(tmp_path / "other.db") as engine:
        engine.organizations.create(name="globex", plan="FREE")
    shutil.copyfile(tmp_path / "other.db", path)
    with pytest.raises(orlop.StorageCorrupt, match="is not the write-ahead log of"):
        orlop.Engine(path)


@pytest.mark.parametrize("mid", [0, 3, 300, 1200])
def test_a_log_of_the_file_is_taken(tmp_path: Path, mid: int) -> None:
    path = tmp_path / "platform.db"
    killed(path, tmp_path / "backup.db", 20, mid)
    assert len(names(path)) == 20 + mid


def test_a_store_in_use_is_backed_up_and_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, backup = tmp_path / "platform.db", tmp_path / "backup.db"
    path.touch(mode=0o600)
    with orlop.Engine(path) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        organization.projects.create(name="old")
        orlop.backup(path, backup)
        organization.projects.create(name="new")
        with pytest.raises(orlop.StorageBusy, match="is in use"):
            orlop.restore(path, backup)
        assert [project.name for project in organization.projects] == ["old", "new"]
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("backup")] == ["backup.db"]
    assert backup.stat().st_mode & 0o777 == 0o600
    assert main(["restore", str(path), str(backup)]) == 0
    assert "platform.db.before-restore" in capsys.readouterr().out
    assert names(path) == ["old"]
    assert names(tmp_path / "platform.db.before-restore") == ["old", "new"]


def test_a_backup_is_restored_over_what_a_kill_has_left(tmp_path: Path) -> None:
    path, foreign, backup = tmp_path / "platform.db", tmp_path / "foreign.db", tmp_path / "backup.db"
    killed(path, foreign, 20, 30)
    assert main(["backup", str(path), str(backup)]) == 0
    assert main(["restore", str(path), str(foreign)]) == 0
    assert len(names(path)) == 20
    assert main(["restore", str(path), str(backup)]) == 0
    assert len(names(path)) == 50


def test_what_is_no_backup_leaves_the_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, backup = tmp_path / "platform.db", tmp_path / "backup.db"
    with orlop.Engine(path) as engine:
        engine.organizations.create(name="acme", plan="FREE").projects.create(name="old")
    orlop.backup(path, backup)
    damaged = bytearray(backup.read_bytes())
    damaged[len(damaged) // 2 : len(damaged) // 2 + 4096] = bytes(4096)
    (tmp_path / "damaged.db").write_bytes(damaged)
    (tmp_path / "letter.txt").write_text("This is a letter. " * 100)
    for name in ("damaged.db", "letter.txt", "missing.db", "platform.db"):
        assert main(["restore", str(path), str(tmp_path / name)]) == 2, name
    assert main(["backup", "postgresql://localhost/x", str(backup)]) == 2
    assert "pg_dump" in capsys.readouterr().err
    assert names(path) == ["old"]
    assert not [file for file in tmp_path.iterdir() if file.name.endswith(".part")]


LITESTREAM = """
CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
CREATE TABLE _litestream_lock (id INTEGER);
CREATE INDEX _litestream_index ON _litestream_seq (seq);
"""


def test_tables_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        engine.organizations.create(name="acme", plan="FREE").projects.create(name="old")
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(LITESTREAM + "INSERT INTO _litestream_seq VALUES (1, 7);")
    said: list[str] = []
    with orlop.Engine(path, log=lambda level, message: said.append(message)):
        pass
    assert [line for line in said if "_litestream_lock, _litestream_seq" in line] == said
    assert names(path) == ["old"]
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT seq FROM _litestream_seq").fetchall() == [(7,)]


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER spy AFTER INSERT ON event BEGIN DELETE FROM lease; END",
        "CREATE TABLE notes (x); CREATE TRIGGER spy AFTER INSERT ON notes BEGIN DELETE FROM record; END",
        "CREATE VIEW secrets AS SELECT secrets FROM record",
        "CREATE INDEX mine ON record (revision)",
        "CREATE TABLE notes (number INTEGER REFERENCES record (number) ON DELETE CASCADE)",
        "ALTER TABLE lease ADD COLUMN mine TEXT",
        "DROP INDEX machine_active",
    ],
)
def test_what_reaches_our_tables_is_refused(tmp_path: Path, planted: str) -> None:
    path = tmp_path / "platform.db"
    orlop.Engine(path).close()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(planted)
    with pytest.raises(orlop.StorageCorrupt):
        orlop.Engine(path)


@pytest.mark.parametrize("log_writes", ["automatic", "gathered", "single"])
def test_the_log_is_written_either_way(tmp_path: Path, log_writes: Literal["automatic", "gathered", "single"]) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path, log_writes=log_writes) as engine:
        engine.organizations.create(name="acme", plan="FREE").projects.create(name="old")
    assert names(path) == ["old"]


def test_a_snapshot_makes_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, copy = tmp_path / "platform.db", tmp_path / "copy.db"
    with orlop.Engine(path) as engine:
        engine.organizations.create(name="acme", plan="FREE").projects.create(name="old")
    assert main(["snapshot", str(path), str(tmp_path / "snapshot.jsonl")]) == 0
    assert main(["import", str(copy), str(tmp_path / "snapshot.jsonl")]) == 0
    assert names(copy) == ["old"]
    assert main(["import", str(copy), str(tmp_path / "snapshot.jsonl")]) == 2
    assert "empty store" in capsys.readouterr().err


def test_tokens_are_listed_and_revoked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "platform.db")
    for name in ("ci", "other"):
        assert main(["token", "create", path, "--organization", "acme", "--name", name]) == 0
    capsys.readouterr()
    assert main(["token", "revoke", path, "ci", "--organization", "acme"]) == 0
    assert main(["token", "list", path, "--organization", "acme"]) == 0
    listed = capsys.readouterr().out
    assert "other" in listed and "ci" not in listed.split()
    assert main(["token", "revoke", path, "ci", "--organization", "acme"]) == 2


def test_events_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        engine.organizations.create(name="acme", plan="FREE")
        # A command in the background of a script ignores SIGINT.
        arguments = ["env", "--default-signal=INT", sys.executable, "-m", "orlop", "events", "--follow", str(path)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None and "organization" in process.stdout.readline()
            engine.organizations.create(name="globex", plan="FREE")
            assert process.stdout.readline().split()[0] == str(engine.last_event)
            process.send_signal(signal.SIGINT)
        assert process.returncode == 130


def test_a_backup_replaces_backups_only(tmp_path: Path) -> None:
    store, backup, note, link = (tmp_path / name for name in ("platform.db", "backup.db", "notes.txt", "link"))
    with orlop.Engine(store) as engine:
        engine.organizations.create(name="acme", plan="FREE")
        note.write_text("of mine")
        link.symlink_to(note)
        for taken, words in (
            (note, "is a file that is not a backup of a store"),
            (link, "is not a regular file"),
            (tmp_path, "is not a regular file"),
        ):
            with pytest.raises(orlop.Misuse, match=words):
                orlop.backup(store, taken)
        assert note.read_text() == "of mine" and link.is_symlink()
        orlop.backup(store, backup)
        orlop.backup(store, backup)
    with pytest.raises(orlop.Misuse, match="is a store that was in use, and no backup that may be replaced"):
        orlop.backup(backup, store)
    with orlop.Engine(store) as engine:
        assert [each.name for each in engine.organizations] == ["acme"]


def test_each_restore_keeps_what_was_there(tmp_path: Path) -> None:
    store, backup = tmp_path / "platform.db", tmp_path / "backup.db"
    for path, name in ((backup, "new"), (store, "old")):
        with orlop.Engine(path) as engine:
            engine.organizations.create(name="acme", plan="FREE").projects.create(name=name)
    kept = [orlop.restore(store, backup) for _ in range(3)]
    assert kept == [f"{store}.before-restore", f"{store}.before-restore-2", f"{store}.before-restore-3"]
    assert [names(Path(str(path))) for path in kept] == [["old"], ["new"], ["new"]] and names(store) == ["new"]
