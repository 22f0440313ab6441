"""Instructions for each service and phase, counted by callgrind. Unlike times, the counts do not vary with the load of
the machine.

The program and its phases are in instructions.cpp. Two sizes show a cost that grows with the size of the store.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "tests" / "bench" / "instructions"
PHASES = (
    "create",
    "get",
    "list",
    "post_deploy",
    "ticks",
    "statuses",
    "post_redeploy",
    "redeploy_ticks",
    "snapshot",
    "clone",
    "delete",
    "create_many",
)
SIZES = (200, 1000)


def instructions_of(phase: str, services: int, storage: str = "") -> float:
    """Returns thousands of instructions for each service."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--toggle-collect=measured",
                f"--callgrind-out-file={folder}/out",
                PROGRAM,
                phase,
                str(services),
                *([storage] if storage else []),
            ],
            check=True,
            capture_output=True,
            text=True,
        )
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if counted is None:
        raise RuntimeError(f"callgrind has counted nothing: {done.stderr}")
    return int(counted[1]) / services / 1000


def main() -> None:
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed (apt-get install valgrind)")
        return
    phases = sys.argv[1:] or PHASES
    print("instructions for each service, in thousands" + "".join(f"{size:>12,}" for size in SIZES))
    rows = []
    for phase in phases:
        counts = [instructions_of(phase, size) for size in SIZES]
        rows.append({"phase": phase, "thousands": dict(zip(map(str, SIZES), counts, strict=True))})
        print(f"{phase:<43}" + "".join(f"{count:>12.1f}" for count in counts), flush=True)
    print("json " + json.dumps({"title": "instructions", "figures": rows}))


if __name__ == "__main__":
    main()
