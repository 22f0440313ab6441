"""The example of a control plane: three processes on PostgreSQL behind one port, of which one is killed in the
middle."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from test_processes import postgresql  # noqa: F401

EXAMPLE = Path(__file__).parents[2] / "examples" / "control_plane" / "control_plane.py"


def test_one_of_three_is_killed_and_the_timeline_says_who_drove_what(postgresql: str) -> None:
    ran = subprocess.run(
        [sys.executable, str(EXAMPLE), f"{postgresql}?schema=control"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    killed = re.search(r"^killed: (\S+)$", ran.stdout, re.MULTILINE)
    assert killed
    ended = re.findall(r"^step \S+ of \S+ ended in (\S+)$", ran.stdout, re.MULTILINE)
    assert len(ended) == 18
    driven = re.findall(
        r"^\S+ \S+: driven by (.+)$", ran.stdout, re.MULTILINE
    )  # two engines may have the same four digits
    assert len(driven) == 18
    taken_over = [engines for engines in driven if engines.startswith(f"{killed[1]}, then ")]
    assert taken_over  # it was killed with a running step, which another one ended
    assert all(not engines.endswith(killed[1]) or engines == killed[1] for engines in driven)
    assert "is replaced" in ran.stderr
