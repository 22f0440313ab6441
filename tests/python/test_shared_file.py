"""One file, two processes: what one of them has answered remains stored, whatever the other does and whatever the host
does to the file's locks."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import orlop

ACKNOWLEDGED = 20

WRITER = textwrap.dedent("""
    import sqlite3, sys
    import orlop
    path, act = sys.argv[1], sys.argv[2]
    first = orlop.Engine(path)
    first.organizations.create(name="before", plan="FREE")
    if act == "second": second = orlop.Engine(path)
    elif act == "second closed": orlop.Engine(path).close()
    elif act == "host reads": open(path, "rb").read()
    elif act == "host asks sqlite3":
        asked = sqlite3.connect(path)
        asked.execute("select count(*) from record").fetchall()
        asked.close()
    else: assert act == "nothing", act
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        first.organizations.create(name=f"acknowledged {number}", plan="FREE")
    print("written", flush=True)
    sys.stdin.readline()
""")

OTHERS = {
    "check": [sys.executable, "-m", "orlop", "check"],
    "sqlite3": [
        sys.executable,
        "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('select count(*) from record').fetchall()",
    ],
}
WRITES = "import orlop, sys; orlop.Engine(sys.argv[1]).organizations.create(name='by the other', plan='FREE')"


def start(path: Path, act: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), act, str(ACKNOWLEDGED)]
    writer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    hear(writer, "ready")
    return writer


def hear(writer: subprocess.Popen[str], word: str) -> None:
    assert writer.stdout is not None
    assert writer.stdout.readline() == word + "\n"


def go_on(writer: subprocess.Popen[str]) -> None:
    assert writer.stdin is not None
    writer.stdin.write("\n")
    writer.stdin.flush()


def names_in(path: Path) -> set[str]:
    with orlop.Engine(path) as engine:
        names = {organization.name for organization in engine.organizations.list()}
    with sqlite3.connect(path) as file:
        assert file.execute("pragma integrity_check").fetchall() == [("ok",)]
    return names


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("act", ["nothing", "second", "second closed", "host reads", "host asks sqlite3"])
def test_what_is_acknowledged_survives_another_process_and_a_kill(tmp_path: Path, act: str, other: str) -> None:
    path = tmp_path / "platform.db"
    with start(path, act) as writer:
        subprocess.run([*OTHERS[other], str(path)], check=True, capture_output=True, timeout=60)
        go_on(writer)
        hear(writer, "written")
        writer.send_signal(signal.SIGKILL)
    assert names_in(path) == {"before", *(f"acknowledged {number}" for number in range(ACKNOWLEDGED))}


@pytest.mark.parametrize("act", ["second", "second closed", "host reads"])
def test_two_processes_that_both_write_damage_nothing(tmp_path: Path, act: str) -> None:
    path = tmp_path / "platform.db"
    with start(path, act) as writer:
        subprocess.run([*OTHERS["check"], str(path)], check=True, capture_output=True, timeout=60)
        go_on(writer)
        hear(writer, "written")
        subprocess.run([sys.executable, "-c", WRITES, str(path)], check=True, timeout=60)
        go_on(writer)
        assert writer.wait(60) == 0
    assert names_in(path) == {"before", "by the other", *(f"acknowledged {number}" for number in range(ACKNOWLEDGED))}


def test_the_last_one_to_close_leaves_one_file(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as first, orlop.Engine(path) as second:
        first.organizations.create(name="one", plan="FREE")
        second.organizations.create(name="two", plan="FREE")
    assert [file.name for file in tmp_path.iterdir()] == ["platform.db"]
    assert names_in(path) == {"one", "two"}


# With mapped reads the first read would be killed by SIGBUS. Without them it is answered from cached pages; the second
# must read the file.
TRUNCATED = textwrap.dedent("""
    import os, sqlite3, sys
    import orlop
    path, when = sys.argv[1], sys.argv[2]
    engine = orlop.Engine(path)
    for number in range(400):
        engine.request("POST", "/organization", {"name": f"a{number}", "plan": "FREE"})
    if when == "read before":
        sqlite3.connect(path).execute("pragma wal_checkpoint(truncate)")
        assert engine.request("GET", "/organization").status == 200
    else:
        engine.close()
        engine = orlop.Engine(path)
        assert engine.request("GET", "/organization/00000000-0000-7000-8000-000000000000/project").status == 404
    os.truncate(path, 8192)
    try:
        print(engine.request("GET", "/organization").status)
    except orlop.StorageCorrupt as refused:
        print("refused")
""")


@pytest.mark.parametrize(("when", "outcome"), [("read before", "200"), ("not read before", "refused")])
def test_a_file_that_gets_shorter_ends_no_process(tmp_path: Path, when: str, outcome: str) -> None:
    command = [sys.executable, "-c", TRUNCATED, str(tmp_path / "p.db"), when]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (0, outcome + "\n"), ended.stderr


def test_mapped_reads_read_the_same(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    for size in (0, 1 << 30):
        with orlop.Engine(path, mmap_size=size) as engine:
            engine.organizations.create(name=f"with {size}", plan="FREE")
            names = [organization.name for organization in engine.organizations.list()]
    assert names == ["with 0", f"with {1 << 30}"]
