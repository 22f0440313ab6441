"""Processes of other programs: their deadline, the limit of their output, and the end of their whole group."""

from __future__ import annotations

import os
import pathlib
import sys
import time

import orlop
import pytest
from orlop.externals.bounded_process import Ended, run
from processes import wait_until

# Starts a process that waits, prints its id, and waits itself.
PAIR = """
import os, subprocess, sys, threading
child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
open(sys.argv[1], "w").write(str(child.pid))
print("started", flush=True)
threading.Event().wait()
"""


def python(program: str, *arguments: str, seconds: float = 30, size: int = 1000, given: bytes = b"") -> Ended:
    return run(
        [sys.executable, "-c", program, *arguments],
        deadline=time.monotonic() + seconds,
        name="the program",
        output_size=size,
        environment=dict(os.environ),
        given=given,
    )


def is_alive(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_it_gives() -> None:
    program = "import sys; sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('why'); sys.exit(3)"
    assert python(program, given=b"text" * 200) == Ended(3, b"TEXT" * 200, "why")


def test_the_whole_group_ends_at_the_deadline(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "child"
    with pytest.raises(TimeoutError, match="the program takes too long and was ended"):
        python(PAIR, str(file), seconds=2)
    child = int(file.read_text())
    wait_until(lambda: not is_alive(child), "the end of the child")


def test_a_process_that_closes_its_output_and_stays() -> None:
    program = "import os, threading; os.close(1); os.close(2); threading.Event().wait()"
    with pytest.raises(TimeoutError):
        python(program, seconds=0.5)


def test_a_child_that_keeps_the_output_open_is_ended(tmp_path: pathlib.Path) -> None:
    """A helper that outlives its program would hold the pipe for ever."""
    with pytest.raises(TimeoutError):
        python(PAIR.replace("threading.Event().wait()\n", "", 1) + "\nos._exit(0)", str(tmp_path / "child"), seconds=2)
    child = int((tmp_path / "child").read_text())
    wait_until(lambda: not is_alive(child), "the end of the child")


def test_output_without_end_is_cut_off() -> None:
    with pytest.raises(orlop.ExternalFailed, match="the program gives more than 1000 bytes"):
        python("while True: print('x' * 100)")
    assert len(python("import sys; sys.stderr.write('x' * 100_000)").errors) == 16_384


def test_a_file_that_is_too_large(tmp_path: pathlib.Path) -> None:
    program = "import sys; open(sys.argv[1], 'wb').write(bytes(10_000))"
    ended = run(
        [sys.executable, "-c", program, str(tmp_path / "a")],
        deadline=time.monotonic() + 30,
        name="the program",
        output_size=1000,
        environment=dict(os.environ),
        file_size=4096,
    )
    assert ended.status != 0
    assert (tmp_path / "a").stat().st_size <= 4096
