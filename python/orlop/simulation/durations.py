"""Random durations of rules. Each step draws a new value, from random numbers that follow from the seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Union

    Duration = Union[str, float, Mapping[str, Any]]
    """Seconds, a text like "30s" or "1h30m", or what one of the functions of this module returns."""


def uniform(least: str | float, most: str | float) -> dict[str, Any]:
    """Returns a duration from `least` to `most`, all equally likely."""
    return {"distribution": "uniform", "least": least, "most": most}


def normal(
    mean: str | float, deviation: str | float, *, least: str | float | None = None, most: str | float | None = None
) -> dict[str, Any]:
    """Returns a normally distributed duration. Values outside of `least` (0) and `most` become that bound."""
    return _bounded({"distribution": "normal", "mean": mean, "deviation": deviation}, least, most)


def lognormal(
    median: str | float, sigma: float, *, least: str | float | None = None, most: str | float | None = None
) -> dict[str, Any]:
    """Returns a duration whose logarithm is normally distributed, as most waiting times are: half of the values are
    below `median`, two thirds between `median` divided by and multiplied by e^`sigma`."""
    return _bounded({"distribution": "lognormal", "median": median, "sigma": sigma}, least, most)


def exponential(
    mean: str | float, *, least: str | float | None = None, most: str | float | None = None
) -> dict[str, Any]:
    """Returns an exponentially distributed duration: the time until an event with a constant rate, once per `mean` on
    average."""
    return _bounded({"distribution": "exponential", "mean": mean}, least, most)


def empirical(values: Iterable[str | float]) -> dict[str, Any]:
    """Returns a duration drawn from the measured `values`, all equally likely."""
    return {"distribution": "empirical", "values": list(values)}


def _bounded(given: dict[str, Any], least: str | float | None, most: str | float | None) -> dict[str, Any]:
    bounds = {"least": least, "most": most}
    return {**given, **{name: value for name, value in bounds.items() if value is not None}}
