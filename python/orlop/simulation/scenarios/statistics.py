"""Statistics of many runs: percentiles, histograms, and confidence bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
_SLICES = 20
_STEPS = 12  # of the table of convergence
_SURE = 1.959964  # standard deviations that enclose 95 % of a normal distribution
_TAIL = 0.025  # probability beyond each bound
_HALVINGS = 50  # bisections in the search for a quantile
_TERMS = 1000  # most terms of a continued fraction
_EXACT, _TINY = 1e-12, 1e-300
_NARROW = 0.05  # of the estimate: a narrower interval has converged


class Interval(NamedTuple):
    """An estimate, and its bounds at 95 % confidence."""

    estimate: float
    least: float
    most: float


class Step(NamedTuple):
    """The estimates after the first `runs` runs."""

    runs: int
    p50: float | None
    p90: Interval | None
    failed: Interval
    """Share of the runs that broke an expectation."""


class Bin(NamedTuple):
    """Number of values from `least` up to `most`."""

    least: float
    most: float
    values: int


def percentile(ordered: Sequence[float], part: float) -> float | None:
    """Returns a percentile of values in ascending order, by the nearest rank."""
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)] if ordered else None


def percentiles(values: Sequence[float]) -> dict[str, float | None]:
    ordered = sorted(values)
    return {name: percentile(ordered, part) for name, part in PARTS.items()}


def histogram(values: Sequence[float], slices: int = _SLICES) -> list[Bin]:
    """Counts the values in slices of equal width."""
    if not values:
        return []
    least, most = min(values), max(values)
    if least == most:
        return [Bin(least, most, len(values))]
    width = (most - least) / slices
    counts = [0] * slices
    for value in values:
        counts[min(int((value - least) / width), slices - 1)] += 1
    return [
        Bin(round(least + width * index, 3), round(least + width * (index + 1), 3), count)
        for index, count in enumerate(counts)
    ]


def share(count: int, runs: int) -> Interval:
    """Returns the share of `count` in `runs`, with Wilson's bounds, which also hold near 0 and 1."""
    if runs == 0:
        return Interval(0.0, 0.0, 1.0)
    found, square = count / runs, _SURE**2
    middle = (found + square / (2 * runs)) / (1 + square / runs)
    half = _SURE / (1 + square / runs) * math.sqrt(found * (1 - found) / runs + square / (4 * runs**2))
    return Interval(round(found, 6), round(max(0.0, middle - half), 6), round(min(1.0, middle + half), 6))


def exact_share(count: int, total: int) -> Interval:
    """Returns the share of `count` in `total`, with the exact bounds of Clopper and Pearson: they contain the true
    share in at least 95 % of all cases, also for small numbers."""
    if total == 0:
        return Interval(0.0, 0.0, 1.0)
    least = _beta_quantile(_TAIL, count, total - count + 1) if count > 0 else 0.0
    most = _beta_quantile(1 - _TAIL, count + 1, total - count) if count < total else 1.0
    return Interval(round(count / total, 6), round(least, 6), round(most, 6))


def _beta_quantile(part: float, first: float, second: float) -> float:
    least, most = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        if _beta_share(middle, first, second) < part:
            least = middle
        else:
            most = middle
    return (least + most) / 2


def _beta_share(at: float, first: float, second: float) -> float:
    """Returns the part of the beta distribution below `at`: the regularized incomplete beta function, by its continued
    fraction (NIST, DLMF 8.17.22)."""
    if at > (first + 1) / (first + second + 2):  # there the fraction of the other side converges fast
        return 1 - _beta_share(1 - at, second, first)
    if at <= 0:
        return 0.0
    scale = (
        math.lgamma(first + second)
        - math.lgamma(first)
        - math.lgamma(second)
        + first * math.log(at)
        + second * math.log1p(-at)
    )
    above = 1.0
    fraction = below = 1 / _not_zero(1 - (first + second) * at / (first + 1))
    for step in range(1, _TERMS):
        for term in (
            step * (second - step) * at / ((first + 2 * step - 1) * (first + 2 * step)),
            -(first + step) * (first + second + step) * at / ((first + 2 * step) * (first + 2 * step + 1)),
        ):
            below = 1 / _not_zero(1 + term * below)
            above = _not_zero(1 + term / above)
            fraction *= above * below
        if abs(above * below - 1) < _EXACT:
            break
    return math.exp(scale) * fraction / first


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def reaches(count: int, total: int, wanted: float) -> bool:
    """Reports whether `count` of `total` is at least the share `wanted`; true if `total` is 0. 55 of 100 are 0.55,
    although 0.55 * 100 is more than 55."""
    return total == 0 or count / total >= wanted


def percentile_interval(ordered: Sequence[float], part: float) -> Interval | None:
    """Returns a percentile, bounded by the values at the ranks of its 95 % confidence interval."""
    estimate = percentile(ordered, part)
    if estimate is None:
        return None
    half = _SURE * math.sqrt(len(ordered) * part * (1 - part))
    rank = part * len(ordered)
    return Interval(
        estimate, ordered[max(0, math.floor(rank - half) - 1)], ordered[min(len(ordered) - 1, math.ceil(rank + half))]
    )


def convergence(durations: Sequence[Sequence[float]], failed: Sequence[bool]) -> list[Step]:
    """Returns the estimates after the first runs, after twice as many, and so on, up to all runs."""
    counts = sorted({len(durations), *(math.ceil(len(durations) / 2**step) for step in range(_STEPS))} - {0})
    found = []
    for count in counts:
        values = sorted(value for run in durations[:count] for value in run)
        found.append(
            Step(count, percentile(values, 0.5), percentile_interval(values, 0.9), share(sum(failed[:count]), count))
        )
    return found


def has_converged(steps: Sequence[Step]) -> bool:
    """Reports whether more runs would change little: the 90th percentile is known to 5 % on either side, the share of
    failed runs to 5 points."""
    last = steps[-1] if steps else None
    if last is None or last.p90 is None:
        return False
    width = max(last.p90.most - last.p90.estimate, last.p90.estimate - last.p90.least)
    return width <= _NARROW * max(last.p90.estimate, 1e-9) and last.failed.most - last.failed.least <= 2 * _NARROW
