"""The command `orlop diff`, which compares two traces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .files import keep_apart, writing
from .output import json_text

if TYPE_CHECKING:
    import argparse


def add(commands: Any) -> None:
    diff = commands.add_parser(
        "diff",
        help="find the first point where two traces part",
        description="Finds the first point where two traces part, and says it in words. Ids that stand for the "
        "same are equal. Exit status 1 if the traces differ.",
    )
    diff.add_argument(
        "left", type=Path, metavar="A", help="a trace, as orlop sim --trace and orlop events --json write it"
    )
    diff.add_argument("right", type=Path, metavar="B", help="another one")
    diff.add_argument("--report", type=Path, metavar="FILE", help="write both beside each other as one HTML page")
    diff.add_argument("--json", action="store_true", help="the result as JSON")
    diff.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from ..simulation.traces.differences import first_difference
    from ..simulation.traces.subjects import read_trace

    keep_apart({"A": given.left, "B": given.right}, {"--report": given.report})
    left, right = read_trace(given.left), read_trace(given.right)
    found = first_difference(left, right)
    if given.json:
        print(json_text(None if found is None else found._asdict()))
    elif found is None:
        print(f"the traces are equal: {len(left.events)} events")
    else:
        for line in found.before:
            print(f"  {line}")
        print(f"- {found.left or 'the end'}\n+ {found.right or 'the end'}\n{found.said}")
    if given.report is not None:
        from ..reporting.run_report import Report

        with writing(given.report) as file:
            Report(f"{left.label} and {right.label}", left, right).save(file)
    return 0 if found is None else 1
