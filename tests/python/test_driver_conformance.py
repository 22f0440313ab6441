"""The conformance suite: a good driver keeps every rule, and each bad one is caught by the rule that it breaks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import orlop
import pytest
from conforming_driver import BAD, AsyncShelf, Shelf, Fleet
from orlop.drivers import Report, check
from orlop.drivers.conformance import RULES

SLOW = {"arguments": ["unready"]}
BROKEN = {"arguments": ["broken"]}


@pytest.fixture(autouse=True)
def stores_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of stores are made: writing them to a disk would take most of the time."""
    if os.path.isdir("/dev/shm"):
        monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")


def checked(kind: Callable[[Fleet], orlop.Driver], **options: Any) -> Report:
    fleet = Fleet()
    try:
        return check(lambda: kind(fleet), **{"slow": SLOW, "broken": BROKEN, "settle": 0.2, "points": 4, **options})
    finally:
        fleet.over.set()


@pytest.mark.parametrize("kind", [Shelf, AsyncShelf])
def test_a_good_driver_keeps_every_rule(kind: Callable[[Fleet], orlop.Driver]) -> None:
    report = checked(kind)
    assert report.ok and {one.outcome for one in report.results} == {"passed"}, str(report)
    assert [one.rule for one in report.results] == list(RULES)


@pytest.mark.parametrize(("rule", "kind"), BAD, ids=[f"{rule}-{kind.__name__}" for rule, kind in BAD])
def test_a_bad_driver_is_caught_by_the_rule_that_it_breaks(rule: str, kind: Callable[[Fleet], orlop.Driver]) -> None:
    report = checked(kind, patience=2.0 if rule == "cancel" else 60.0)
    assert [one.rule for one in report.failed] == [rule], str(report)
    assert report.of(rule).reason


def test_every_rule_has_a_bad_driver() -> None:
    assert {rule for rule, _ in BAD} == set(RULES)
