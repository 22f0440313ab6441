"""Searches seeds and schedules for a run that breaks an expectation, and makes its scenario as small as possible."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import instant
from ...errors import Misuse
from ...options.arguments import milliseconds
from ..traces.conditions import Condition
from . import document
from .play import play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .play import Play

_TRIES_MAX = 600  # runs that one search spends on a smaller scenario
_OTHER_SEEDS = (0, 1, 2)  # also tried, because a smaller scenario draws other numbers
_KEPT = 0.5  # share of the actions that keep their time in a changed schedule
_LISTS = ("actions", "rules", "faults", "externals", "domains", "sources", "resources")
_MEMBERS = (
    "pack",
    "transitions",
    "options",
    "faults",
    "externals",
    "domains",
    "sources",
    "rules",
    "start",
    "until",
    "description",
)
_FIRST_DECIMAL = 1


class Found(NamedTuple):
    """A scenario with a seed that breaks the expectation."""

    data: dict[str, Any]
    seed: int
    said: str
    """The broken expectation, or the condition that came true, as a sentence."""
    size: int
    """Lines of the original scenario, before it was made smaller."""


class Search:
    """A search in one scenario. The same scenario, condition and seed lead to the same result."""

    what: str
    """The aim of the search, as part of a sentence."""
    tried: int
    """Number of runs so far."""

    def __init__(self, scenario: document.Scenario, condition: str | None = None) -> None:
        """Searches for a run in which `condition` comes true; without a condition, for a run that breaks an expectation
        of the scenario. Raises `Misuse`."""
        self._data: dict[str, Any] = copy.deepcopy(dict(scenario.data))
        self._path = scenario.path
        marks = dict(scenario.marks)
        if condition is not None:
            self._data["expect"] = [{"never": Condition(condition).text}]
            marks = {path: mark for path, mark in marks.items() if not path.startswith("expect")} | {
                "expect[0]": marks[""]
            }
        elif not self._data.get("expect"):
            raise Misuse(
                f"{scenario.path} has no expectations: --find needs a condition, such as services.any(stuck('1h'))"
            )
        self.what = f"{condition} came true" if condition is not None else "an expectation broke"
        self.tried = 0
        # A share of many runs does not apply to a single run.
        for expected in self._data["expect"]:
            expected.pop("share_of_runs", None)
        self._scenario = scenario._replace(data=self._data, marks=marks)  # with the lines of the file

    def find(self, seed: int, runs: int, step: Callable[[], None]) -> Found | None:
        """Returns the first run that breaks it, else None: tries the scenario with each seed, then the same with
        another schedule. `step` is called after each run."""
        times: list[float] = []
        for number in range(runs):
            data = self._data if number % 2 == 0 else _rescheduled(self._data, times, random.Random(f"{seed} {number}"))
            played = self._play(data, seed + number // 2)
            step()
            if played is None:
                continue
            if played.outcome.broken:
                return Found(self._kept(data, played), seed + number // 2, self._said(played), self._lines(data))
            times = sorted(
                {
                    round(instant(event["at"]).timestamp() - played.begin, 3)
                    for event in played.events
                    if instant(event["at"]).timestamp() >= played.begin
                }
            )
        return None

    def shrink(self, found: Found) -> Found:
        """Returns the smallest scenario found by leaving out and reducing parts, one at a time."""
        end = self.tried + _TRIES_MAX
        is_smaller = True
        while is_smaller and self.tried < end:
            is_smaller = False
            for smaller in _candidates(found.data):
                better = self._breaks(smaller, found.seed)
                if better is not None:
                    found = better._replace(size=found.size)
                    is_smaller = True
                    break
                if self.tried >= end:
                    break
        return found

    def text(self, found: Found) -> str:
        """Returns the scenario file, with its seed and its effect."""
        said = "".join(letter if letter.isprintable() else " " for letter in found.said)  # a comment is one line
        return f"# {said}\n# Found by a search, and made as small as it still does this.\n" + self._dumped(
            {**found.data, "seed": found.seed}
        )

    def _kept(self, data: dict[str, Any], played: Play) -> dict[str, Any]:
        """Keeps only the first expectation that broke, so that the aim of the search stays the same."""
        return {**data, "expect": [data["expect"][played.outcome.broken[0]]]}

    def _breaks(self, data: dict[str, Any], seed: int) -> Found | None:
        for each in dict.fromkeys((seed, *_OTHER_SEEDS)):
            played = self._play(data, each)
            if played is None:
                return None
            if played.outcome.broken:
                return Found(data, each, self._said(played), 0)
        return None

    def _play(self, data: dict[str, Any], seed: int) -> Play | None:
        """Plays the scenario. Returns None if it is not allowed, such as one that refers to a part that was left
        out."""
        self.tried += 1
        try:
            return play(
                self._scenario if data is self._data else document.parse(self._dumped(data).encode(), self._path), seed
            )
        except Misuse:
            if data is self._data:
                raise
            return None

    @staticmethod
    def _said(played: Play) -> str:
        return played.outcome.failed[0].split(f"expect[{played.outcome.broken[0]}]: ", 1)[1]

    @staticmethod
    def _dumped(data: dict[str, Any]) -> str:
        import yaml

        has_next_line = "\\x85" in repr(data)  # YAML would hold U+0085 unescaped, and read it as a space
        text: str = yaml.safe_dump(
            data, sort_keys=False, default_flow_style=None, width=150, allow_unicode=not has_next_line
        )
        return text

    def _lines(self, data: dict[str, Any]) -> int:
        return self._dumped(data).count("\n")

    def size_of(self, found: Found) -> int:
        return self._lines({**found.data, "seed": found.seed})


def _rescheduled(data: dict[str, Any], times: list[float], random_source: random.Random) -> dict[str, Any]:
    """Returns the scenario with some actions at times at which something happened in the last run, so that they
    coincide with running work."""
    found = copy.deepcopy(data)
    for action in found.get("actions", ()):
        if "when" in action or random_source.random() < _KEPT:
            continue
        if times:
            action["at"] = random_source.choice(times)
        if "every" in action:
            action["every"] = (
                round(milliseconds("every", action["every"]) / 1000 * random_source.uniform(0.25, 2), 3) or 0.001
            )
    return found


def _candidates(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields smaller scenarios, the much smaller ones first."""
    yield from ({key: value for key, value in data.items() if key != name} for name in _MEMBERS if name in data)
    for name in _LISTS:
        entries = data.get(name, [])
        length = len(entries) // 2
        while length >= 1:
            for first in range(0, len(entries), length):
                left = entries[:first] + entries[first + length :]
                yield (
                    {**data, name: left}
                    if left or name == "resources"
                    else {key: value for key, value in data.items() if key != name}
                )
            length //= 2
    for name in _LISTS:
        for index, entry in enumerate(data.get(name, [])):
            yield from (
                {**data, name: [*data[name][:index], smaller, *data[name][index + 1 :]]}
                for smaller in _smaller(name, entry)
            )


def _smaller(name: str, entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields smaller forms of an action, rule, fault or resource."""
    for member in ("times", "count"):
        if name in ("actions", "resources") and entry.get(member, 1) > 1:
            for fewer in dict.fromkeys((1, entry[member] // 2, entry[member] - 1)):
                yield {**entry, member: fewer}
    names = entry.get("names", ())
    if name == "resources" and len(names) > 1:
        yield from (
            {**entry, "names": fewer} for fewer in (names[: len(names) // 2], names[len(names) // 2 :], names[:-1])
        )
    if name == "actions" and entry.get("times") == 1:
        yield {member: value for member, value in entry.items() if member not in ("times", "every")}
    if name == "rules":
        yield from (
            {key: value for key, value in entry.items() if key != member}
            for member in entry
            if member not in ("step", "outcome", "fails")
        )
        if "probability" in entry and entry["probability"] != 1:
            yield {**entry, "probability": 1}
    if name == "actions" and entry.get("at"):
        yield {member: value for member, value in entry.items() if member != "at"}
        seconds = milliseconds("at", entry["at"]) / 1000
        for digits in (-3, -2, -1, 0, _FIRST_DECIMAL):
            rounded = round(seconds, digits)
            if rounded != seconds and rounded > 0:
                yield {**entry, "at": int(rounded) if digits <= 0 else rounded}
