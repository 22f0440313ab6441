"""The conformance suite: a good driver keeps every rule, and each bad one is caught by the rule that it breaks."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable
from typing import Any

import orlop
import pytest
from conforming_driver import BAD, AsyncShelf, Crowded, Fleet, Shelf
from orlop.commands.main import main
from orlop.drivers import DriverReport, check
from orlop.drivers.conformance import RULES

SLOW = {"arguments": ["unready"]}
BROKEN = {"arguments": ["broken"]}
JOB = {"source": {"image": {"image_name": "acme/job", "tag": "1"}}}


@pytest.fixture(autouse=True)
def stores_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of stores are made: writing them to a disk would take most of the time."""
    if os.path.isdir("/dev/shm"):
        monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")


def checked(kind: Callable[[Fleet], orlop.Driver], **options: Any) -> DriverReport:
    fleet = Fleet()
    try:
        return check(
            lambda: kind(fleet), **{"slow": SLOW, "broken": BROKEN, "job": JOB, "settle": 0.2, "points": 4, **options}
        )
    finally:
        fleet.over.set()


@pytest.mark.parametrize("kind", [Shelf, AsyncShelf])
def test_a_good_driver_keeps_every_rule(kind: Callable[[Fleet], orlop.Driver]) -> None:
    report = checked(kind)
    assert report.ok and {one.outcome for one in report.results} == {"passed"}, str(report)
    assert [one.rule for one in report.results] == list(RULES)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # of the driver `Lively`
@pytest.mark.parametrize(("rule", "kind"), BAD, ids=[f"{rule}-{kind.__name__}" for rule, kind in BAD])
def test_a_bad_driver_is_caught_by_the_rule_that_it_breaks(rule: str, kind: Callable[[Fleet], orlop.Driver]) -> None:
    report = checked(kind, patience=2.0 if rule == "cancel" else 60.0)
    assert [one.rule for one in report.failed] == [rule], str(report)
    assert report.of(rule).reason


def test_every_rule_has_a_bad_driver() -> None:
    assert {rule for rule, _ in BAD} == set(RULES)


_fleet = Fleet()


def good() -> orlop.Driver:
    """Makes the driver that the command checks."""
    return Shelf(_fleet)


def crowded() -> orlop.Driver:
    return Crowded(_fleet)


def test_the_command_prints_a_table_and_fails_for_a_broken_rule(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{__name__}:good"
    assert main(["driver-check", name, "--only", "deploy", "--only", "cancel", "--slow", json.dumps(SLOW)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Shelf:\n✓ deploy  ") and out.endswith("2 passed\n") and out.count("\n") == 4
    assert main(["driver-check", f"{__name__}:crowded", "--only", "many", "--json", "--settle", "0.2"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["rule"], result["outcome"]) == ("many", "failed") and "all ports" in result["reason"]
    assert main(["driver-check", "--rules"]) == 0
    assert capsys.readouterr().out.count("\n") == len(RULES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["absent:name"], "MODULE:NAME: No module named 'absent'"),
        (
            [f"{__name__}:good", "--only", "deplyo"],
            "only must name rules, not 'deplyo'; the nearest known one is deploy",
        ),
        ([f"{__name__}:good", "--service", "[]"], r"--service must be a JSON object, not \[\]"),
        ([f"{__name__}:good", "--service", "@absent.json"], "absent.json"),
        ([f"{__name__}:Shelf"], "must make a driver when it is called without arguments"),
        ([f"{__name__}:checked"], "must make a driver when it is called without arguments"),
        ([], "a driver is missing"),
    ],
)
def test_the_command_says_what_it_cannot_check(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["driver-check", *arguments]) == 2
    assert re.search(words, capsys.readouterr().err)


def test_a_driver_that_shows_nothing_keeps_the_rules_that_need_no_sight() -> None:
    class Silent(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            step.check_canceled()

    report = check(Silent, points=2)
    assert report.ok and report.of("cancel").outcome == "passed"
    assert report.of("idempotency").outcome == report.of("observation").outcome == "not applicable"
    assert "no probe was given" in report.of("resume").reason


def test_a_driver_without_methods_deploys_nothing() -> None:
    report = check(orlop.Driver)
    assert [one.rule for one in report.failed] == ["deploy"]
    assert "no method deploy" in report.of("deploy").reason
    assert "on which this one is based, fails" in report.of("many").reason


def test_observations_alone_show_what_runs() -> None:
    fleet = Fleet()

    class Observed(Shelf):
        workloads = None  # type: ignore[assignment]

    report = check(lambda: Observed(fleet), slow=SLOW, points=3)
    assert report.ok and report.of("resume").outcome == "passed"
    assert report.of("orphans").outcome == "not applicable"


def test_a_probe_replaces_the_eyes_of_the_driver() -> None:
    report = check(good, probe=lambda environment: [], only="deploy", settle=0.1)
    assert report.of("deploy").reason == "after the deployment 0 instances of the service run, not 1"
    with pytest.raises(orlop.Misuse, match="objects of the class Workload, not 'web'"):
        check(good, probe=lambda environment: ["web"], only="deploy")  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"service": {"image_name": "acme/web", "tag": "1", "colour": "red"}},
            "service must have fields that .*colour",
        ),
        ({"registry": {"kind": "CUPBOARD"}}, "registry must have fields that the engine accepts: .*kind"),
        ({"service": {1: 2}}, "service must be a mapping of names of fields to values"),
        ({"slow": [1]}, "slow must be a mapping of names of fields to values, not an object of the type list"),
        ({"family": "ships"}, "family must be one of applications, containers, databases, helms, not 'ships'"),
        ({"only": 5}, "only must be a list, not 5"),
        ({"only": [None]}, "only must name rules, not None"),
        ({"patience": 0}, "patience must be more than 0 seconds, not 0"),
        ({"settle": float("nan")}, "settle must be a finite number"),
        ({"points": 1}, "points must be a whole number of 2 to 1000, not 1"),
        ({"probe": 5}, "probe must be callable, not 5"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(orlop.Misuse, match=words):
        check(good, **{"only": "deploy", **options})
