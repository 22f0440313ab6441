"""The report of a run as data and as a page; differences of traces. tests/browser tests the page in a browser."""

from __future__ import annotations

import copy
import html
import json
import pathlib
import pickle
import re
from typing import Any

import pytest

import orlop
from orlop.commands.main import main
from orlop.reporting.run_data import Trace, rule_of, run_data
from orlop.reporting.run_report import Report
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import Play, play
from orlop.simulation.traces.differences import first_difference
from orlop.simulation.traces.subjects import read_trace, subjects_of_events
from reported_runs import CRASHES, WELL, traced

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "scenarios"


def played(name: str, seed: int) -> Play:
    return play(document.read(str(EXAMPLES / f"{name}.yml")), seed, "names")


def trace(name: str = "flaky_registry", seed: int = 4) -> Trace:
    run = played(name, seed)
    return Trace(f"seed {seed}", run.events, run.subjects)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r"^const report = (.*);$", page, re.MULTILINE)
    assert found is not None
    answer: dict[str, Any] = json.loads(found[1])
    return answer


def test_the_page_holds_everything_and_loads_nothing(tmp_path: pathlib.Path) -> None:
    Report("a run", trace()).save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert not re.search(r"""(src|href)=["']|@import|url\(|fetch\(|XMLHttpRequest""", page)
    assert "default-src 'none'" in page
    data = data_of(page)
    run = data["runs"][0]
    assert run["groups"] == [["clusters and other resources", ""], ["production", "CONTAINER DEFAULT"]]
    assert [row["name"] for row in run["rows"]] == ["europe", *(f"web-{number}" for number in range(1, 11))]
    assert len(run["deployments"]) == 20 and all(ended >= queued for _, queued, _, ended, _ in run["deployments"])
    assert len(run["failures"]) == 2 and {(step, reason, rule) for *_, step, reason, rule in run["failures"]} == {
        ("deploy", "the registry answered 503", "the registry answers 503")
    }
    assert max(run["queue"]["running"]) == 1 and run["queue"]["running"][-1] == run["queue"]["waiting"][-1] == 0


def test_states_are_those_of_the_events() -> None:
    given = trace()
    run = run_data(given)
    row = next(row for row in run["rows"] if row["name"] == "web-5")
    id = next(id for id, subject in given.subjects.items() if subject.name == "web-5")
    states = [
        event["to"]
        for event in given.events
        if event["subject"] == id and event["kind"] == "service." + event.get("to", "").lower()
    ]
    assert [run["states"][state] for state in row["state"]] == states
    assert row["at"] == sorted(row["at"]) and [text for _, text in row["log"]].count("pulling") == 1
    assert {run["states"][row["state"][segment]] for segment in row["reasons"]} == {"DEPLOYMENT_ERROR"}


def test_a_run_lasts_until_its_virtual_time(tmp_path: pathlib.Path) -> None:
    with orlop.Simulation(seed=1, start="2026-03-01T00:00:00Z") as simulation:
        run = data_of(simulation.report().html())["runs"][0]
        assert run["begin"] == run["end"] - 0.001 == simulation.clock.now().timestamp()
        acme = simulation.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        simulation.transitions["cluster"] = "manual"
        europe.deploy()
        simulation.clock.advance(minutes=30)
        run = data_of(simulation.report().html())["runs"][0]
        assert run["end"] - run["begin"] == 1800 and run["rows"][0]["at"][-1] == 0  # half an hour in DEPLOYING
    text = (EXAMPLES / "region_losing_nodes.yml").read_text().replace("until: 24h", "until: 48h")
    (tmp_path / "long.yml").write_text(text)
    assert main(["sim", str(tmp_path / "long.yml"), "--report", str(tmp_path / "report.html")]) in (0, 1)
    run = data_of((tmp_path / "report.html").read_text())["runs"][0]
    outcome = play(document.parse(text.encode()), document.parse(text.encode()).data.get("seed", 0)).outcome
    assert outcome.seconds == 48 * 3600 and run["cost"] == pytest.approx(outcome.cost)


def test_what_is_deleted_ends() -> None:
    text = (
        (EXAMPLES / "friday_release.yml")
        .read_text()
        .replace("{at: 30m, edit: web, set: {tag: 1.9.0}}", "{at: 30m, delete: worker}")
    )
    run = play(document.parse(text.encode()), 1, "names")
    rows = {row["name"]: row for row in run_data(Trace("", run.events, run.subjects))["rows"]}
    assert rows["worker"]["until"] is not None and rows["web"]["until"] is None


@pytest.mark.parametrize(
    "name", ["</script><script>alert(1)</script>", "<!--", "\u2028", '"; alert(1); "', "&lt;", "𝔘" * 60]
)
def test_names_cannot_leave_the_data(name: str) -> None:
    given = trace()
    subjects = {id: subject._replace(name=name) for id, subject in given.subjects.items()}
    page = Report(name, Trace(name, given.events, subjects)).html()
    assert page.count("</script>") == 2 and page.count("<!--") == 0
    assert data_of(page)["runs"][0]["rows"][0]["name"] == name


def test_a_notebook_shows_a_frame() -> None:
    report = Report("a <run>", trace())
    shown = report._repr_html_()
    assert shown.startswith('<iframe title="a &lt;run&gt;" srcdoc="') and shown.count("<") == 2
    inner = re.search(r'srcdoc="([^"]*)"', shown)
    assert inner is not None and html.unescape(inner[1]) == report.html()


def test_a_report_can_be_pickled_and_copied_and_made_of_nothing() -> None:
    report = Report("a run", trace())
    assert pickle.loads(pickle.dumps(report)).html() == copy.deepcopy(report).html() == report.html()
    with orlop.Simulation() as simulation:
        assert "0 services" in repr(simulation.report())
        with pytest.raises(orlop.Misuse, match="title must be text"):
            Report.of(simulation, title=3)  # type: ignore[arg-type]
        with pytest.raises(orlop.Misuse, match="path must be a path"):
            simulation.report().save(None)  # type: ignore[arg-type]


def test_what_is_no_engine_has_no_report() -> None:
    with orlop.Simulation() as simulation:
        for engines, said in (
            ((5,), "engine must be an engine, not 5"),
            ((simulation, "x"), "other must be an engine, not 'x'"),
        ):
            with pytest.raises(orlop.Misuse, match=said):
                orlop.Report.of(*engines)


def test_two_simulations_are_compared() -> None:
    def furnished(seed: int) -> orlop.Simulation:
        simulation = orlop.Simulation(seed=seed)
        simulation.organizations.create(name="acme", plan="FREE").clusters.create(
            name="europe", region="eu-west-3", cloud_provider="AWS"
        ).deploy().wait()
        return simulation

    with furnished(1) as one, furnished(2) as two:
        assert data_of(one.report(two).html())["difference"] == ""
        two.organizations.create(name="other", plan="FREE")
        assert "this run has ended, and the other run goes on" in data_of(one.report(two).html())["difference"]


def test_the_rule_of_a_log_line() -> None:
    assert rule_of('the rule "a "b" c" decides about this step') == 'a "b" c'
    assert rule_of("pulling") == rule_of('he said the rule "x" decides about this step') == ""


def test_ten_thousand_services_are_a_page_of_some_megabytes() -> None:
    given = trace("contact_is_lost", 1)
    events: list[dict[str, Any]] = []
    for number in range(2_500):
        events += [
            {**event, "subject": f"{number} {event['subject']}", "sequence": len(events) + 1} for event in given.events
        ]
    events.sort(key=lambda event: str(event["at"]))
    page = Report("large", Trace("", events, {})).html()
    run = data_of(page)["runs"][0]
    assert len(run["rows"]) == 10_000 and len(page) < 12_000_000
    assert sum(len(row["log"]) for row in run["rows"]) <= 20_000


# ---- differences
# --------------------------------------------------------------------------------------------------------------


def test_the_first_difference_is_said() -> None:
    one, two = trace(seed=4), trace(seed=5)
    found = first_difference(one, two)
    assert found is not None and found.equal == 6
    assert (
        found.said.startswith("After 6 equal events: after ")
        and "cluster.deployed of europe, DEPLOYING to DEPLOYED; in the other trace " in found.said
    )
    assert first_difference(one, one) is None and first_difference(one, trace(seed=4)) is None


def test_ids_alone_are_no_difference() -> None:
    text = (
        (EXAMPLES / "contact_is_lost.yml").read_text().split("rules:")[0]
        + "resources:"
        + (EXAMPLES / "contact_is_lost.yml").read_text().split("resources:")[1]
    )
    one, two = (play(document.parse(text.encode()), seed, "names") for seed in (1, 2))
    assert one.events[0]["subject"] != two.events[0]["subject"]
    assert first_difference(Trace("1", one.events, one.subjects), Trace("2", two.events, two.subjects)) is None


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("to", "STOPPED", 'with to "DEPLOYED" and not "STOPPED"'),
        ("at", "2026-03-02T17:00:00.000Z", "in the other trace "),
        ("kind", "service.lost", "in the other trace instead after "),
        ("detail", {"reason": "no route"}, 'with detail null and not {"reason": "no route"}'),
    ],
)
def test_each_member_is_compared(member: str, value: Any, said: str) -> None:
    given = trace()
    index = next(
        number for number, event in enumerate(given.events) if event["kind"] == "service.deployed" and number > 200
    )
    events = [*given.events[:index], {**given.events[index], member: value}, *given.events[index + 1 :]]
    found = first_difference(given, Trace("other", events, given.subjects))
    assert found is not None and found.equal == index and said in found.said, found


def test_the_command_compares_traces(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for seed in (4, 5):
        paths.append(tmp_path / f"{seed}.jsonl")
        assert main(["sim", str(EXAMPLES / "flaky_registry.yml"), "--seed", str(seed), "--trace", str(paths[-1])]) == 0
    capsys.readouterr()
    assert main(["diff", str(paths[0]), str(paths[0])]) == 0
    assert "the traces are equal: " in capsys.readouterr().out
    assert main(["diff", *map(str, paths), "--report", str(tmp_path / "diff.html")]) == 1
    said = capsys.readouterr().out
    assert (
        "After 6 equal events: " in said
        and "cluster.deployed of europe" in said
        and (tmp_path / "diff.html").stat().st_size > 60_000
    )
    assert main(["diff", *map(str, paths), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["equal"] == 6


@pytest.mark.parametrize(
    "content", ["{}", "null", "[1]", "x", '{"sequence": 1}', "[" * 100_000, '"' + "x" * 70_000 + '"']
)
def test_what_is_no_trace_names_its_line(
    content: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.jsonl").write_text("\n" + content + "\n")
    with pytest.raises(orlop.Misuse, match=r"bad\.jsonl:2: the line must be an event"):
        read_trace(tmp_path / "bad.jsonl")
    assert main(["diff", str(tmp_path / "bad.jsonl"), str(tmp_path / "bad.jsonl")]) == 2
    assert len(capsys.readouterr().err) < 500


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("sequence", "1", "sequence must be a whole number, not '1'"),
        ("kind", 7, "kind must be text, not 7"),
        ("owner", 5, "owner must be text, not 5"),
        ("to", None, "to must be text, not None"),
        ("detail", [], "detail must be an object, not an object of the type list"),
        ("at", "soon", "at must be a time like 2026-01-01T00:00:00.000Z, not 'soon'"),
        (
            "at",
            "2026-01-01T00:00:00.000",
            "at must be a time like 2026-01-01T00:00:00.000Z, not '2026-01-01T00:00:00.000'",
        ),
    ],
)
def test_a_damaged_event_names_its_line_and_member(
    member: str, value: object, said: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps({**trace().events[1], member: value}))
    with pytest.raises(orlop.Misuse, match=r"bad\.jsonl:1: ") as refused:
        read_trace(tmp_path / "bad.jsonl")
    assert str(refused.value).endswith(said)


def test_traces_of_one_name_have_different_labels(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / folder / "trace.jsonl" for folder in ("before", "after")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(json.dumps(trace().events[0]) if path is paths[0] else "")
    assert main(["diff", *map(str, paths)]) == 1
    assert f"{paths[1]} has ended, and {paths[0]} goes on" in capsys.readouterr().out


def test_names_come_from_events_alone() -> None:
    found = {subject.name: subject for subject in subjects_of_events(trace().events).values()}
    assert found["web-3"].environment == "production" and found["europe"].kind == "cluster"


# ---- the answer in words, running states, two runs
# ----------------------------------------------------------------------------


def test_the_answer_says_what_failed_and_what_is_not_well_at_the_end() -> None:
    assert data_of(Report("", traced(CRASHES)).html())["answer"] == [
        'seed 1: 1 of 2 deployments did not succeed. 1 step failed: no room (rule "quota"); the first was deploy '
        "of db-2 of production after 0s. At the end db-1 (running state ERROR) is not well."
    ]
    assert data_of(Report("", traced(WELL)).html())["answer"] == ["seed 1: all 2 deployments succeeded."]
    with orlop.Simulation() as simulation:
        assert data_of(simulation.report().html())["answer"] == ["this run: nothing was deployed into an environment."]


def test_the_answer_counts_what_is_under_way_and_the_causes() -> None:
    fails = "".join(
        f'  - {{rule: "rule {number}", step: deploy, name: db-{number}, fails: "{"long " * 100}"}}\n'
        for number in range(1, 6)
    )
    text = CRASHES.replace("rules:\n", f"rules:\n{fails}").replace("count: 2", "count: 5")
    answer = data_of(Report("", traced(text)).html())["answer"][0]
    assert (
        answer.startswith("seed 1: 2 of 2 deployments did not succeed. 2 steps failed: long ")
        and "2 other causes made steps fail." in answer
    )
    assert (
        "At the end 5 of 6 services and clusters are not well: db-1 (running state ERROR), db-2 "
        "(DEPLOYMENT_ERROR), db-3 (DEPLOYMENT_ERROR) and 2 more."
        in answer
        and len(answer) < 1200
    )
    hangs = (
        WELL.replace("after: 1m", "after: 50m")
        .replace("times: 2,", "times: 4,")
        .replace("until: 4h", "until: 3h10m")
        .replace("  - {at: 4h, hold: production}\n", "")
    )
    assert (
        data_of(Report("", traced(hangs)).html())["answer"][0]
        == "seed 1: all 3 deployments succeeded, 1 is still under way."
    )


@pytest.mark.parametrize(
    ("expect", "runs", "begin"),
    [
        ("[]", 1, "The scenario expects nothing."),
        ("[{refused_actions: 0}]", 1, "As expected: the expectation held."),
        (
            "[{refused_actions: 0}, {deployments_succeed: 0.5}]",
            3,
            "As expected: in all 3 runs all 2 expectations held.",
        ),
        (
            "[{refused_actions: 0}, {deployments_succeed: 1}]",
            1,
            "Not as expected: 1 of 2 expectations did not hold; expect[1]: 1 of 2 deployments succeeded, less than 1.",
        ),
        (
            "[{deployments_succeed: 1}]",
            3,
            "Not as expected: 3 of 3 runs broke an expectation; the worst, seed 0: expect[0]: 1 of 2 deployments "
            "succeeded, less than 1.",
        ),
        (
            "[{deployments_succeed: 1, share_of_runs: 0}]",
            3,
            "As expected: every expectation held in its share of the runs, although 3 of 3 runs broke an "
            "expectation; seed 0: expect[0]: 1 of 2",
        ),
    ],
)
def test_the_report_of_a_scenario_begins_with_whether_all_is_as_expected(
    tmp_path: pathlib.Path, expect: str, runs: int, begin: str
) -> None:
    (tmp_path / "a: b.yml").write_text(f"{CRASHES}expect: {expect}\n")
    main(["sim", str(tmp_path / "a: b.yml"), "--runs", str(runs), "--report", str(tmp_path / "report.html")])
    data = data_of((tmp_path / "report.html").read_text())
    assert (
        data["answer"][0].startswith(begin)
        and data["answer"][1].startswith("seed 0: 1 of 2 deployments did not succeed.")
        and len(data["answer"]) == 2
    )
    if runs > 1:
        assert data["many"]["failures"] == [{"rule": "quota", "reason": "no room", "deployments": runs, "share": 0.5}]


def test_running_states_are_data_of_their_rows() -> None:
    run = run_data(traced(CRASHES))
    rows = {row["name"]: row for row in run["rows"]}
    assert [
        (at, run["running_states"][state])
        for at, state in zip(rows["db-1"]["ran_at"], rows["db-1"]["ran"], strict=True)
    ] == [
        (60.0, "RUNNING"),
        (1260.0, "ERROR"),
        (3660.0, "RUNNING"),
        (4860.0, "ERROR"),
    ]
    assert rows["europe"]["ran"] == []
    phases = data_of(Report("", traced(CRASHES)).html())
    assert {state: phases["phases"][phases["phase_of_running"][state]]["name"] for state in run["running_states"]} == {
        "RUNNING": "running",
        "ERROR": "failed",
    }
