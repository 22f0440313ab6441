"""Messages of a scenario about its faults: resources that were not created, values that cannot be compared, and
patterns that matched nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play
from orlop.simulation.scenarios.summary import Summary
from test_scenarios import SMALL, run

if TYPE_CHECKING:
    import pathlib


def test_what_is_done_with_a_resource_whose_creation_was_refused_is_counted_too() -> None:
    made = 'type: POSTGRESQL, version: "16", mode: CONTAINER'
    actions = [
        "faults: [{operation: create_*, status: 503}]",
        f'create: {{family: database, count: 2, name: "late-{{n}}", {made}}}',
        "deploy: late-2",
        "create: {family: project, name: other}",
        f"create: {{family: environment, in: other, name: staging, cluster_id: '{{europe}}'}}",
        "edit: db-1, set: {description: '{late-1}'}",
    ]
    text = SMALL.replace(
        "  - {deploy: production}\n",
        "".join(f"  - {{at: {minute}m, {action}}}\n" for minute, action in enumerate(actions)),
    )
    outcome = play(
        document.parse(text.replace("deployments_end_within: 20m", "state: DEPLOYED, of: late-1").encode()), 1
    ).outcome
    assert [said.split(": ", 1) for said in outcome.refused] == [
        ["actions[1] at 60 s", "a fault of the simulation answers in the place of the engine"],
        ["actions[2] at 120 s", "there is no 'late-2': its creation was refused"],
        ["actions[3] at 180 s", "a fault of the simulation answers in the place of the engine"],
        ["actions[4] at 240 s", "there is no 'other': its creation was refused"],
        ["actions[5] at 300 s", "there is no 'late-1': its creation was refused"],
    ]
    assert outcome.failed == [
        "scenario:18: expect[0]: late-1 is none: there is no 'late-1': its creation was refused, not DEPLOYED"
    ]


def test_copies_that_an_action_creates_are_numbered_over_its_repetitions() -> None:
    create = (
        '{every: 1h, times: 2, create: {family: database, count: 2, name: "late-{n}", in: production, '
        'description: "{n}", type: POSTGRESQL, version: "16", mode: CONTAINER}}'
    )
    played = play(
        document.parse(
            SMALL.replace("{deploy: production}", create + "\n  - {every: 1h, times: 4, delete: 'late-{n}'}").encode()
        ),
        1,
    )
    assert (played.outcome.refused, played.outcome.failed) == ([], [])
    assert [event["detail"]["name"] for event in played.events if event["kind"] == "database.created"] == [
        "db-1",
        "db-2",
        "late-1",
        "late-2",
        "late-3",
        "late-4",
    ]


def test_a_name_of_an_action_that_no_entry_creates_is_a_fault_of_the_file_also_in_a_search(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.yml"
    path.write_text(
        SMALL.replace("{deploy: production}", "{deploy: nothing}").replace("resources:", "# a line\n\nresources:")
    )
    for arguments in ([], ["--find"], ["--find", "time > 1"], ["--runs", "4", "--jobs", "2"]):
        status, _, err = run(["sim", str(path), *arguments], capsys)
        assert (
            status,
            err.startswith(f"orlop: {path}:13:6: actions[0].deploy must be the name of a resource, not 'nothing'"),
        ) == (2, True), err


@pytest.mark.parametrize("name", ["never", "always", "eventually"])
def test_a_condition_that_compares_what_cannot_be_compared_is_named(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.yml"
    path.write_text(SMALL + f'  - {{{name}: "services.any(name > 3)"}}\n')
    said = (
        "the condition compares what cannot be compared: '>' not supported between instances of 'str' and "
        "'int': services.any(name > 3)\n"
    )
    for arguments in ([], ["--find"], ["--runs", "4", "--jobs", "2"]):
        status, _, err = run(["sim", str(path), *arguments], capsys)
        assert (status, err) == (2, f"orlop: {path}:14:6: expect[1].{name}: {said}")
    assert run(["sim", str(path), "--find", "services.any(name > 3)"], capsys)[::2] == (2, f"orlop: {said}")


def test_of_two_rules_of_one_name_the_one_that_matched_no_step_is_said() -> None:
    for step, other, line in (("stop", "deploy", 3), ("deploy", "stop", 4)):
        rules = (
            f"rules:\n  - {{rule: slow, step: {step}, name: db-*, after: 1s}}\n  - {{rule: slow, step: "
            f"{other}, name: db-*, after: 1s}}\n"
        )
        outcome = play(document.parse(SMALL.replace("rules:\n", rules).encode()), 1).outcome
        assert outcome.unmatched[0] == f"scenario:{line}: rules[{line - 3}] matched no step"


@pytest.mark.parametrize(("share", "of", "held"), [(0.55, 100, 55), (0.07, 100, 7), (0.28, 25, 7), (0.9, 10, 9)])
def test_a_share_that_is_exactly_reached_is_kept(share: float, of: int, held: int) -> None:
    rules = f"rules:\n  - {{step: deploy, name: db-1, after: 1h, times: {of - held}, fails: no route}}\n"
    actions = f"{{every: 2h, times: {of}, deploy: db-1}}"
    expected = f"deployments_end_within: 30m, share: {share}}}\n  - {{deployments_succeed: {share}"
    text = (
        SMALL.replace("rules:\n", rules)
        .replace("{deploy: production}", actions)
        .replace("deployments_end_within: 20m", expected)
    )
    outcome = play(document.parse(text.encode()), 1).outcome
    assert (len(outcome.durations), outcome.succeeded, outcome.failed) == (of, held, [])
    less = play(document.parse(text.replace(f"times: {of - held},", f"times: {of - held + 1},").encode()), 1).outcome
    assert (less.succeeded, less.broken) == (held - 1, [0, 1])
    scenario = document.parse(SMALL.replace("20m", f"20m, share_of_runs: {share}").encode())
    for broken, is_ok in ((of - held, True), (of - held + 1, False)):
        outcomes = [
            outcome._replace(broken=[0] if number < broken else [], failed=["late"] if number < broken else [])
            for number in range(of)
        ]
        assert Summary(scenario, outcomes).is_ok == is_ok


@pytest.mark.parametrize("at", range(7, 900, 47))
def test_a_bound_that_is_exactly_reached_is_kept_to_the_millisecond(at: int) -> None:
    text = SMALL.replace("after: {distribution: lognormal, median: 1m, sigma: 0.5}", "after: 30.7s").replace(
        "{deploy: production}", f"{{at: {at}ms, deploy: db-1}}"
    )
    end = round(30.7 + at / 1000, 3)
    statements = [
        "deployments_end_within: 30.7s",
        "never: services.any(seconds > 30.7 and state == 'DEPLOYING')",
        "eventually: services.any(seconds >= 30.7 and state == 'DEPLOYING')",
        "eventually: services.any(stuck('30.7s'))",
        "never: services.any(stuck('30701ms'))",
        f"eventually: time >= {end}",
        f"never: time > {end}",
    ]
    text = text.replace(
        "deployments_end_within: 20m",
        "}\n  - {".join(statement.replace(": ", ': "', 1) + '"' for statement in statements),
    )
    assert play(document.parse(text.encode()), 1).outcome.failed == []


def test_what_the_nodes_cost_at_most_is_not_exceeded_by_a_rounded_number() -> None:
    capacity = "capacity: [{cluster: europe, nodes: 1, cpu: 2, memory: 8GiB, price: 0.3}]\nuntil: 31h\nactions:"
    text = SMALL.replace("actions:", capacity).replace(
        "deployments_end_within: 20m",
        "cost_at_most: 9.3}\n  - {cost_at_most: 0.3, per: 1h}\n  - {cost_at_most: 9.299999",
    )
    assert play(document.parse(text.encode()), 1).outcome.broken == [2]


@pytest.mark.parametrize("at", range(7, 900, 47))
def test_an_item_is_looked_at_again_after_the_instant_of_a_bound(at: int) -> None:
    edits = "".join(
        f"\n  - {{at: {at + passed}ms, edit: db-2, set: {{description: late}}}}" for passed in (30_700, 35_000)
    )
    text = SMALL.replace("after: {distribution: lognormal, median: 1m, sigma: 0.5}", "after: 40s").replace(
        "{deploy: production}", f"{{at: {at}ms, deploy: db-1}}{edits}"
    )
    text = text.replace(
        "deployments_end_within: 20m", "eventually: \"services.any(seconds > 30.7 and state == 'DEPLOYING')\""
    )
    assert play(document.parse(text.encode()), 1).outcome.failed == []
