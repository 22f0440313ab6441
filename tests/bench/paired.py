"""Paired measurements from Python: our side and the bare side in turn, in one process, order swapped every round; the
median of the rounds.

A ratio is our speed divided by the speed of the bare side: 0.8 means 0.8 of its speed. Nothing here passes or fails.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter

Side = Callable[[], object]


@dataclass
class Figure:
    """A measurement: two costs of one operation in `unit`, and their ratio. `goal` may be empty."""

    name: str
    unit: str
    ours: float
    bare: float
    ratio: float
    least: float
    most: float
    goal: str


def seconds_of(work: Side) -> float:
    """Returns the seconds that `work` takes, without the destruction of its result. Collects garbage of the other side
    first."""
    gc.collect()
    start = perf_counter()
    made = work()
    seconds = perf_counter() - start
    del made
    return seconds


def figure_of(name: str, goal: str, unit: str, pairs: list[tuple[float, float]], scale: float) -> Figure:
    """Returns the figure of the rounds' pairs of costs, ours first."""
    ratios = [bare / ours for ours, bare in pairs]
    ours, bare = median(ours for ours, _ in pairs) * scale, median(bare for _, bare in pairs) * scale
    return Figure(name, unit, ours, bare, median(ratios), min(ratios), max(ratios), goal)


def measure(name: str, goal: str, ours: Side, bare: Side, operations: int = 1, rounds: int = 9) -> Figure:
    """Measures one warm-up and `rounds` counted rounds of two sides that do `operations` operations each. Costs are in
    microseconds."""
    pairs = []
    for number in range(-1, rounds):
        if number % 2 == 0:
            ours_seconds = seconds_of(ours)
            bare_seconds = seconds_of(bare)
        else:
            bare_seconds = seconds_of(bare)
            ours_seconds = seconds_of(ours)
        if number >= 0:
            pairs.append((ours_seconds, bare_seconds))
    return figure_of(name, goal, "us", pairs, 1e6 / operations)


def show(title: str, figures: list[Figure], remarks: list[str]) -> None:
    """Prints the figures as a table, then the remarks, then both as one line of JSON that starts with "json "."""
    print(f"\n{title}\n{'':<66} {'ours':>12} {'bare':>12} {'ratio':>8} {'least..most':>17}  goal")
    for figure in figures:
        sides = f"{figure.ours:9.2f} {figure.unit} {figure.bare:9.2f} {figure.unit}"
        print(f"{figure.name:<66} {sides} {figure.ratio:8.2f} {figure.least:8.2f} {figure.most:8.2f}  {figure.goal}")
    for remark in remarks:
        print(remark)
    entries = [
        {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(figure).items()}
        for figure in figures
    ]
    print("json " + json.dumps({"title": title, "figures": entries, "remarks": remarks}), flush=True)
