"""Actions of a scenario: the resources that they create, deploy and wait for, and the length of a run."""

from __future__ import annotations


import pytest

import orlop
from orlop.options.arguments import event_kind, event_value
from orlop.simulation.scenarios import document, search
from orlop.simulation.scenarios.play import play
from test_scenarios import EXAMPLES, SMALL


def test_what_was_deleted_is_in_the_state_deleted() -> None:
    text = SMALL.replace("{deploy: production}", "{delete: db-1}").replace(
        "deployments_end_within: 20m", "state: DELETED, of: db-1"
    )
    assert not play(document.parse(text.encode()), 1).outcome.failed


def test_a_create_that_is_refused_is_counted() -> None:
    actions = (
        "{delete: production}\n  - {at: 1m, create: {family: database, name: late, type: POSTGRESQL, "
        'version: "16", mode: CONTAINER}}'
    )
    outcome = play(document.parse(SMALL.replace("{deploy: production}", actions).encode()), 1).outcome
    assert len(outcome.refused) == 1 and outcome.refused[0].startswith(
        'actions[1] at 60 s: there is no environment "production"'
    )


@pytest.mark.parametrize(("until", "is_late"), [("60m", False), ("79m", False), ("81m", True), ("2h", True)])
def test_a_deployment_that_is_under_way_at_the_end_is_late_once_its_time_is_over(until: str, is_late: bool) -> None:
    text = SMALL.replace("after: {distribution: lognormal, median: 1m, sigma: 0.5}", "after: 1h").replace(
        "{deploy: production}", "{at: 1h, deploy: production}"
    )
    assert bool(play(document.parse(f"until: {until}\n{text}".encode()), 1).outcome.failed) == is_late


@pytest.mark.parametrize(
    "waiting",
    [
        "",
        "\n  - {when: {kind: task.failed}, deploy: production}",
        "\n  - {when: {kind: deployment.ended}, deploy: db-1}",
    ],
)
def test_a_run_without_an_end_does_not_wait_for_what_goes_on_for_ever(waiting: str) -> None:
    text = SMALL.replace("{deploy: production}", "{deploy: production}" + waiting).replace(
        "actions:",
        """\
  - {family: container_registry, in: acme, name: hub, kind: DOCKER_HUB, config: {}}
  - {family: job, name: nightly, source: {image: {registry_id: "{hub}", image_name: a/b, tag: "1"}}, schedule: {cronjob: {scheduled_at: 0 3 * * *}}, healthchecks: {}}
actions:""",
    )
    outcome = play(document.parse(text.encode()), 1).outcome
    assert outcome.seconds < 3600 and len(outcome.durations) == (2 if "deployment.ended" in waiting else 1)


@pytest.mark.parametrize("waiting", ["", "\n  - {when: {kind: task.failed}, deploy: production}"])
@pytest.mark.parametrize(("after", "state"), [("0s", "DEPLOYED"), ("1ms", "DEPLOYING")])
def test_what_an_action_at_the_end_begins_takes_its_course_if_it_takes_no_time(
    after: str, state: str, waiting: str
) -> None:
    text = SMALL.replace("after: {distribution: lognormal, median: 1m, sigma: 0.5}", f"after: {after}").replace(
        "{deploy: production}", "{every: 30s, deploy: production}" + waiting
    )
    outcome = play(
        document.parse(
            ("until: 1m\n" + text.replace("deployments_end_within: 20m", f"state: {state}, of: db-1")).encode()
        ),
        1,
    ).outcome
    assert (outcome.failed, outcome.seconds, len(outcome.durations)) == ([], 60, 3 if after == "0s" else 2)


CREATE = "{at: 1h, create: {family: database, name: db-1, type: POSTGRESQL, version: '16', mode: CONTAINER}}"


def test_a_name_can_be_created_again_after_its_deletion() -> None:
    actions = "{delete: db-1}\n  - " + CREATE + "\n  - {at: 2h, deploy: db-1}"
    text = SMALL.replace("{deploy: production}", actions).replace(
        "deployments_end_within: 20m", "state: DEPLOYED, of: db-1"
    )
    outcome = play(document.parse(text.encode()), 1).outcome
    assert not outcome.failed and not outcome.refused


def test_a_name_that_is_still_being_deleted_is_refused_by_the_platform() -> None:
    actions = "{deploy: production}\n  - {at: 59m, delete: db-1}\n  - " + CREATE
    outcome = play(
        document.parse(
            SMALL.replace("rules:", "rules:\n  - {step: delete, after: 2h}")
            .replace("{deploy: production}", actions)
            .encode()
        ),
        1,
    ).outcome
    assert len(outcome.refused) == 1 and outcome.refused[0].startswith("actions[2] at 3600 s: ")


def test_a_name_that_is_there_cannot_be_created_elsewhere() -> None:
    actions = "{create: {family: environment, name: staging, cluster_id: '{europe}'}}\n  - " + CREATE
    with pytest.raises(
        orlop.Misuse, match=r"actions\[1\]\.create\.name must differ from those of the resources that exist, not 'db-1'"
    ):
        play(document.parse(SMALL.replace("{deploy: production}", actions).encode()), 1)


@pytest.mark.parametrize(
    ("timing", "deployments", "seconds"),
    [
        ("when: {kind: deployment.ended}", 2, None),
        ("when: {kind: deployment.ended}, times: 3", 4, None),  # after each of the first three, two of which it causes
        ("when: {kind: service.deployed}, times: 2", 3, None),  # two events of one deployment
        ("when: {kind: deployment.started}, every: 1h, times: 4", 5, 3 * 3600),
        ("when: {kind: service.deployed, subject: db-1}, every: 1h", 5, None),  # until the end, after 3 h 30 min
        ("when: {kind: deployment.ended, to: CANCELED}, times: 5", 1, None),
    ],
)
def test_an_action_that_waits_for_an_event_may_happen_several_times(
    timing: str, deployments: int, seconds: float | None
) -> None:
    until = "until: 3h30m\n" if timing.endswith("1h") else ""
    text = until + SMALL.replace(
        "{deploy: production}", f"{{deploy: production}}\n  - {{{timing}, deploy: production}}"
    )
    played = play(document.parse(text.encode()), 1)
    assert len(played.outcome.durations) == deployments
    assert bool(played.outcome.unmatched) == ("CANCELED" in timing)
    if seconds is not None:
        assert seconds < played.outcome.seconds < seconds + 600


def test_repetitions_after_an_event_have_numbers() -> None:
    create = (
        '{when: {kind: service.deployed}, times: 2, create: {family: database, name: "more-{n}", type: '
        'POSTGRESQL, version: "16", mode: CONTAINER}}'
    )
    played = play(
        document.parse(SMALL.replace("{deploy: production}", "{deploy: production}\n  - " + create).encode()),
        1,
        "names",
    )
    assert {subject.name for subject in played.subjects.values()} >= {"more-1", "more-2"} and not played.outcome.refused


def test_a_search_leaves_out_that_an_action_happens_once() -> None:
    data = {
        **document.parse(SMALL.encode()).data,
        "actions": [
            {"deploy": "production"},
            {"when": {"kind": "deployment.ended"}, "times": 1, "deploy": "production"},
        ],
    }
    assert [{"deploy": "production"}, {"when": {"kind": "deployment.ended"}, "deploy": "production"}] in [
        each["actions"] for each in search._candidates(data) if "actions" in each
    ]


def test_an_action_waits_for_an_event_of_what_is_created_later() -> None:
    create = '{at: 1h, create: {family: database, name: "late-{n}", type: POSTGRESQL, version: "16", mode: CONTAINER}}'
    actions = (
        "{deploy: production}\n  - "
        + create
        + "\n  - {when: {subject: late-1, kind: database.created}, deploy: production}"
    )
    outcome = play(document.parse(SMALL.replace("{deploy: production}", actions).encode()), 1).outcome
    assert len(outcome.durations) == 2 and outcome.seconds > 3600 and not outcome.refused


def test_an_action_waits_for_an_event_by_a_pattern() -> None:
    actions = "{deploy: production}\n  - {when: {subject: db-1, kind: 'service.deploy?d'}, deploy: production}"
    assert len(play(document.parse(SMALL.replace("{deploy: production}", actions).encode()), 1).outcome.durations) == 2


def test_every_kind_of_event_of_a_run_is_known() -> None:
    for path in EXAMPLES:
        for event in play(document.read(str(path)), 1).events:
            assert event_kind("kind", event["kind"]) and event_value("to", event.get("to", "DEPLOYED"))


def test_an_action_that_is_refused_is_counted() -> None:
    scenario = document.parse(
        SMALL.replace("{deploy: production}", "{delete: europe}")
        .replace("deployments_end_within: 20m", "refused_actions: 0")
        .encode()
    )
    outcome = play(scenario, 1).outcome
    assert len(outcome.refused) == 1 and outcome.refused[0].startswith("actions[0] at 0 s: ")
    assert "1 actions were refused" in outcome.failed[0]


def test_each_expectation_can_fail() -> None:
    for statement in (
        "deployments_succeed: 1",
        "event: service.deployed, at_most: 1",
        "event: service.stopped",
        "state: READY, of: db-1",
        "deployments_end_within: 1s, share: 0.5",
    ):
        text = (
            SMALL.replace("- {step: deploy,", "- {step: deploy, name: db-1, fails: no route, probability: 1,")
            if "succeed" in statement
            else SMALL
        )
        scenario = document.parse(text.replace("deployments_end_within: 20m", statement).encode())
        assert len(play(scenario, 1).outcome.failed) == 1, statement
