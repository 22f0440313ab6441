"""Compares two checkouts: runs the same benchmark of both in turn and prints the medians of the rounds, in processor
time.

usage: compare.py BEFORE AFTER NAME... [--rounds 3] [--clock]

Both directories are checkouts with a release build that has the benchmarks (scripts/bench). Of the C++ benchmarks NAME
the rows that both have are shown. A change below zero means that AFTER needs less. --clock measures by the clock: only
on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory

Rows = dict[str, float]


def rows_in(output: str) -> Rows:
    """Returns our side of each row, in the row's unit. A benchmark prints its figures a second time as lines of
    JSON."""
    found: Rows = {}
    for line in output.splitlines():
        if line.startswith("json "):
            found |= {figure["name"]: figure["ours"] for figure in json.loads(line[5:])["figures"]}
    if not found:
        raise SystemExit("the benchmark printed no line of JSON")
    return found


def measured(checkout: Path, name: str, folder: Path, preload: Path | None) -> Rows:
    program = checkout.resolve() / "build" / "release" / "tests" / "bench" / f"{name}_bench"
    if not program.exists():
        raise SystemExit(f"{program} is missing; scripts/bench builds it")
    environment = {**os.environ, **({"LD_PRELOAD": str(preload)} if preload else {})}
    return rows_in(run([program], cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout)


def compared(before: list[Rows], after: list[Rows]) -> list[tuple[str, float, float]]:
    """Returns the medians of the rows that all runs have, in the order of the rows."""
    names = [name for name in before[0] if all(name in rows for rows in before + after)]
    return [(name, median(rows[name] for rows in before), median(rows[name] for rows in after)) for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clock", action="store_true")
    given = parser.parse_args()
    with TemporaryDirectory(dir=".") as made:
        folder = Path(made).resolve()
        preload = None if given.clock else folder / "processor_clock.so"
        if preload:
            run(
                ["cc", "-O2", "-shared", "-fPIC", Path(__file__).with_name("processor_clock.c"), "-o", preload],
                check=True,
            )
        for name in given.names:
            rounds = [
                (measured(given.before, name, folder, preload), measured(given.after, name, folder, preload))
                for _ in range(given.rounds)
            ]
            print(f"{name:<48} {'before':>12} {'after':>12} {'change':>8}")
            for row, before, after in compared([first for first, _ in rounds], [second for _, second in rounds]):
                print(
                    f"{row:<48} {before:12.2f} {after:12.2f} {(after / before - 1) * 100 if before else 0:+7.1f}%",
                    flush=True,
                )


if __name__ == "__main__":
    main()
