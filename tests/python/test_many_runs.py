"""Many runs of a scenario: processes, Dask, percentiles, expectations over runs, the report and the search."""

from __future__ import annotations

import contextlib
import json
import math
import os
import pathlib
import resource
import time
import types
from typing import Any

import pytest

import orlop
from orlop.simulation.scenarios import document, statistics
from orlop.simulation.scenarios.parallel_runs import outcomes
from orlop.simulation.scenarios.play import play
from orlop.simulation.scenarios.search import Search
from orlop.simulation.scenarios.summary import Summary
from test_scenarios import SMALL, run


def small(**replaced: str) -> document.Scenario:
    text = SMALL
    for old, new in replaced.items():
        text = text.replace({"expect": "{deployments_end_within: 20m}", "actions": "{deploy: production}"}[old], new)
    return document.parse(text.encode())


# ---- processes and machines
# ---------------------------------------------------------------------------------------------------


def test_processes_and_dask_give_what_one_process_gives() -> None:
    scenario = small()
    alone = list(outcomes(scenario, range(3, 15)))
    assert [outcome.seed for outcome in alone] == list(range(3, 15))
    assert list(outcomes(scenario, range(3, 15), jobs=2)) == alone
    assert list(outcomes(scenario, range(3, 15), jobs=2, dask="local")) == alone


def test_two_processes_share_the_work() -> None:
    """The runs use processor time of the other processes, not of this one."""
    scenario = document.parse(SMALL.replace("count: 2", "count: 40").encode())
    before = time.process_time()
    alone = list(outcomes(scenario, range(20)))
    cost = time.process_time() - before
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    before = time.process_time()
    assert list(outcomes(scenario, range(20), jobs=2)) == alone
    assert time.process_time() - before < cost / 2
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - children.ru_utime > cost / 4


@pytest.mark.parametrize("where", [{"jobs": 2}, {"jobs": 2, "dask": "local"}])
def test_a_refusal_in_another_process_names_its_line(where: dict[str, Any]) -> None:
    scenario = document.parse(SMALL.replace('version: "16"', 'version: "1"').encode(), "bad.yml")
    with pytest.raises(document.ScenarioError, match=r"bad\.yml:9:5: resources\[4\] is refused"):
        list(outcomes(scenario, range(4), **where))


def test_what_cannot_be_reached_is_named(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    file = str(tmp_path / "small.yml")
    for arguments, said in (
        (["--jobs", "0"], "jobs must be 1 to 1024, not 0"),
        (["--jobs", "99999"], "jobs must be"),
        (["--dask", "nowhere"], "Dask scheduler at nowhere cannot be reached"),
    ):
        status, _, err = run(["sim", file, *arguments], capsys)
        assert status == 2 and said in err, err


# ---- statistics
# ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fails", ["scatter", "result"])
def test_what_dask_raises_is_no_result(
    fails: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler that ends, or workers that are killed: status 1 would mean a failed expectation."""

    class Future:
        def result(self) -> None:
            raise RuntimeError("the scheduler\nis gone")

    class Client(contextlib.nullcontext[Any]):
        def __enter__(self) -> Client:
            return self

        def scatter(self, values: list[Any], broadcast: bool) -> list[Any]:
            return Future().result() if fails == "scatter" else values  # type: ignore[return-value, func-returns-value]

        def submit(self, *_: Any, **__: Any) -> Future:
            return Future()

    monkeypatch.setattr("orlop.simulation.scenarios.parallel_runs._look_for", lambda _: None)
    monkeypatch.setattr("importlib.import_module", lambda _: types.SimpleNamespace(Client=lambda *_, **__: Client()))
    (tmp_path / "small.yml").write_text(SMALL)
    assert run(["sim", str(tmp_path / "small.yml"), "--runs", "4", "--dask", "tcp://h:1"], capsys) == (
        2,
        "",
        "orlop: Dask could not finish the runs: the scheduler is gone\n",
    )


def test_percentiles_are_those_of_the_nearest_rank() -> None:
    values = [float(number) for number in range(1, 101)]
    assert statistics.percentiles(values) == {"p50": 50, "p90": 90, "p95": 95, "p99": 99}
    assert statistics.percentiles([7.0]) == {"p50": 7, "p90": 7, "p95": 7, "p99": 7}
    assert statistics.percentiles([]) == {"p50": None, "p90": None, "p95": None, "p99": None}


def test_a_histogram_holds_every_value_once() -> None:
    bins = statistics.histogram([float(number % 37) for number in range(1000)])
    assert sum(bin.values for bin in bins) == 1000 and len(bins) == 20
    assert (bins[0].least, bins[-1].most) == (0, 36)
    assert statistics.histogram([2.0, 2.0]) == [statistics.Bin(2.0, 2.0, 2)]


def test_shares_have_the_bounds_of_wilson() -> None:
    assert statistics.share(0, 100).most == pytest.approx(0.0370, abs=1e-3)  # the rule of three
    assert statistics.share(50, 100)[1:] == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert statistics.share(0, 0) == (0, 0, 1)


def test_the_exact_bounds_of_a_share_are_those_of_clopper_and_pearson() -> None:
    known = {
        (0, 0): (0, 1),
        (0, 1): (0, 0.975),
        (0, 3): (0, 0.707598),
        (3, 3): (0.292402, 1),
        (0, 10): (0, 0.308497),
        (5, 10): (0.187086, 0.812914),
        (1, 40): (0.000633, 0.131586),
        (50, 100): (0.398321, 0.601679),
    }
    for (count, total), bounds in known.items():
        assert statistics.exact_share(count, total)[1:] == pytest.approx(bounds, abs=2e-6)
    # Definition of the bounds: the probability of as many or more, or as many or fewer, is 2.5 % at them.
    for total in (1, 2, 7, 40):
        for count in range(total + 1):
            _, least, most = statistics.exact_share(count, total)
            if count > 0:
                assert sum(_binomial(total, hits, least) for hits in range(count, total + 1)) == pytest.approx(
                    0.025, abs=1e-4
                )
            if count < total:
                assert sum(_binomial(total, hits, most) for hits in range(count + 1)) == pytest.approx(0.025, abs=1e-4)
    assert statistics.exact_share(100_000, 200_000)[1:] == pytest.approx((0.497806, 0.502194), abs=2e-6)


def _binomial(total: int, hits: int, rate: float) -> float:
    return float(math.comb(total, hits) * rate**hits * (1 - rate) ** (total - hits))


def test_more_runs_converge() -> None:
    few = statistics.convergence([[float(number % 50)] for number in range(10)], [False] * 10)
    many = statistics.convergence([[10 + (number * 7919 % 1000) / 1000] for number in range(2000)], [False] * 2000)
    assert not statistics.has_converged(few) and statistics.has_converged(many)
    assert [step.runs for step in many][-1] == 2000 and many[0].runs < many[-1].runs


# ---- expectations over runs
# ---------------------------------------------------------------------------------------------------


def test_an_expectation_may_hold_in_a_share_of_the_runs() -> None:
    scenario = small(
        expect="{deployments_end_within: 70s, share_of_runs: 0.3}\n  - {never: \"services.any(stuck('1h'))\"}"
    )
    found = Summary(scenario, list(outcomes(scenario, range(30))))
    first = found.expectations()[0]
    assert 0.3 < first.share.estimate < 1 and found.is_ok and found.failed()
    strict = document.parse(
        SMALL.replace("{deployments_end_within: 20m}", "{deployments_end_within: 70s, share_of_runs: 0.99}").encode()
    )
    assert not Summary(strict, found.outcomes).is_ok


@pytest.mark.parametrize(
    ("statement", "is_ok"),
    [
        ("never: \"services.any(state == 'DEPLOYING' and stuck('1s'))\"", False),
        ("never: \"services.any(stuck('1h'))\"", True),
        ("always: \"services.count(kind == 'database') <= 2\"", True),
        ("always: \"services.all(state != 'DEPLOYING')\"", False),
        ("eventually: \"services.all(state == 'DEPLOYED') and services.count() == 2 and time > 1\"", True),
        ("eventually: \"environments.any(name == 'staging')\"", False),
        (
            "eventually: \"deployments.count(state == 'DEPLOYING' and environment == 'production') == 1 and "
            'waiting == 0"',
            True,
        ),
        ("eventually: \"services.any(like(name, 'db-*') and stage != '' and name in ('db-1', 'db-2'))\"", True),
        ("never: \"deployments.count(environment == 'production') - 1 > 0\"", True),
        ("always: \"services.all(freshness == 'NEVER_DEPLOYED' or freshness == 'UP_TO_DATE')\"", True),
        ("eventually: \"services.all(freshness == 'NEVER_DEPLOYED' and running == '' and kind == 'database')\"", True),
    ],
)
def test_conditions_hold_or_not(statement: str, is_ok: bool) -> None:
    outcome = play(small(expect="{" + statement + "}"), 3).outcome
    assert (not outcome.failed) == is_ok, outcome.failed


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("", "must be a text of 1 to 2000 letters"),
        ("services.any(", "cannot be read at column"),
        (
            "sevices.any(stuck('1h'))",
            "column 1: a question must be one of services, environments, clusters, deployments",
        ),
        (
            "services.any(state == 'DEPLOYNG')",
            "column 23: what a state is compared with must be a state such as DEPLOYED, not 'DEPLOYNG'; the "
            "nearest known one is DEPLOYING",
        ),
        ("services.any(not 'deployed' != state)", "column 18: what a state is compared with"),
        ("services.any(state in ('DEPLOYED', 'X'))", "column 36: what a state is compared with"),
        (
            "services.any(kind == 'containr')",
            "column 22: what a kind is compared with must be the family of a resource such as container, not "
            "'containr'; the nearest known one is container",
        ),
        (
            "services.any(running != 'RUNING')",
            "column 25: what a running state is compared with must be what an event leads to, such as DEPLOYED or "
            "RUNNING, not 'RUNING'; the nearest known one is RUNNING",
        ),
        ("services.all(freshness in ('UPTODATE',))", "column 28: what a freshness is compared with"),
        (
            "services.any(state in ('DEPLOYD'))",
            "column 24: what a state is compared with must be a state such as DEPLOYED, not 'DEPLOYD'",
        ),
        ("services.any(kind not in 'containr')", "column 26: what a kind is compared with"),
        ("services.any(state == 5)", "must be text (str), not 5"),
        ("services.any(stat == 'X')", "column 14: the name must be one of time, waiting, name, kind, state"),
        ("state == 'X'", "column 1: the name must be one of time, waiting, services.any"),
        ("services.any(stuck('soon'))", "stuck must be a duration like 30s"),
        ("services.any(stuck())", "stuck must have one duration"),
        ("services.any(stuck(True))", "stuck must have one duration"),
        ("__import__('os')", "a call must be any, all, count"),
        ("services.any(name.upper() == 'X')", "a call must be"),
        ("[services for services in (1,)]", "only comparisons"),
        ("time ** 999", "only comparisons"),
        ("time is None", "a comparison must be one of"),
        ("services.count(1, 2)", "must have one condition"),
        ("services.any(state=='X', key=1)", "without names"),
        ("(" * 400 + "1" + ")" * 400, "cannot be read"),
        ("x" * 2001, "must be a text of 1 to 2000 letters"),
        ("\0", "cannot be read at column 1: source code string cannot contain null bytes"),
        ("'\udcff'", "holds a lone surrogate"),
    ],
)
def test_a_condition_that_is_not_allowed_names_its_column(condition: str, said: str) -> None:
    from orlop.simulation.traces.conditions import Condition

    with pytest.raises(orlop.Misuse) as refused:
        Condition(condition)
    assert said in str(refused.value) and len(str(refused.value)) < 500


def test_a_part_of_a_state_can_be_looked_for() -> None:
    from orlop.simulation.traces.conditions import Condition

    Condition("services.any('ERROR' in state or state in name or state == running)")


def test_values_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(orlop.Misuse, match="compares what cannot be compared"):
        play(small(expect='{never: "services.any(state < 3)"}'), 1)
    with pytest.raises(orlop.Misuse, match="arithmetic needs numbers"):
        play(small(expect="{never: \"services.any(name * 1000000000 == 'x')\"}"), 1)


def test_a_bad_condition_in_a_file_names_its_line() -> None:
    with pytest.raises(
        document.ScenarioError, match=r"scenario:13:6: expect\[0\].never: the condition at column 1: a question must be"
    ):
        small(expect="{never: \"service.any(stuck('1h'))\"}")


# ---- the command
# --------------------------------------------------------------------------------------------------------------


def test_the_command_reports_many_runs(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yml").write_text(SMALL.replace("20m", "80s"))
    file, report, trace = str(tmp_path / "small.yml"), tmp_path / "report.html", tmp_path / "trace.jsonl"
    status, out, err = run(
        ["sim", file, "--runs", "12", "--jobs", "1", "--json", "--report", str(report), "--trace", str(trace)], capsys
    )
    found = json.loads(out)
    assert (status, err) == (1, "") and found["ok"] is False
    assert (
        len(found["worst"]) == 10 and len(found["runs"]) == 12 and sum(count for *_, count in found["histogram"]) == 12
    )
    longest = max(found["runs"], key=lambda outcome: max(outcome["durations"]))
    assert (
        found["worst"][0]["seed"] == longest["seed"]
        and found["failed"][0]["repeat"] == f"orlop sim {file} --seed {longest['seed']}"
    )
    assert run(["sim", file, "--seed", str(longest["seed"])], capsys)[0] == 1
    page = report.read_text()
    assert f"seed {longest['seed']}" in page and len(trace.read_text().splitlines()) > 30
    status, out, _ = run(["sim", file, "--runs", "12", "--jobs", "1"], capsys)
    assert "worst seeds: " in out and "expect[0] held in " in out and "95 % interval" in out


def test_a_report_that_cannot_be_written_is_an_error(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    status, _, err = run(
        ["sim", str(tmp_path / "small.yml"), "--report", str(tmp_path / "none" / "report.html")], capsys
    )
    assert status == 2 and "none/report.html: No such file" in err


def test_the_default_file_is_that_of_init(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "FILE is required: there is no scenario.yml here" in run(["sim"], capsys)[2]
    assert run(["init"], capsys)[0] == 0
    assert run(["sim"], capsys)[0] == 0


# ---- search
# -------------------------------------------------------------------------------------------------------------------

RACE = SMALL.replace(
    "  - {deploy: production}",
    "  - {deploy: production}\n  - {at: 2h, edit: db-2, set: {description: changed}}\n  - {at: 4h, stop: production}",
).replace("rules:", "rules:\n  - {rule: noise, step: stop, after: 1s, jitter: 1s}")


def test_a_search_finds_and_makes_small(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "race.yml").write_text(RACE)
    out_file = tmp_path / "found.yml"
    # Only another schedule makes the condition true: the stop is requested while the deployment runs.
    wanted = "deployments.count(environment == 'production') > 1"
    arguments = ["sim", str(tmp_path / "race.yml"), "--find", wanted, "--runs", "60", "--out", str(out_file), "--json"]
    status, out, _ = run(arguments, capsys)
    found = json.loads(out)
    assert status == 1 and found["found"] and wanted in found["said"]
    text = out_file.read_text()
    assert "noise" not in text and "edit" not in text and "stop: production" in text and "deploy: production" in text
    assert len(document.read(str(out_file)).data["resources"]) == 5
    status, out, _ = run(["sim", str(out_file)], capsys)
    assert status == 1 and wanted in out
    # The same search has the same result.
    assert run([*arguments[:-2], str(tmp_path / "again.yml"), "--json"], capsys)[0] == 1
    assert (tmp_path / "again.yml").read_text() == text


def test_a_search_without_a_condition_looks_for_broken_expectations(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.yml").write_text(SMALL.replace("20m", "100s"))
    status, out, _ = run(
        ["sim", str(tmp_path / "small.yml"), "--find", "--out", str(tmp_path / "found.yml"), "--runs", "200"], capsys
    )
    assert status == 1 and "did not end within 100s" in out
    assert run(["sim", str(tmp_path / "found.yml")], capsys)[0] == 1


@pytest.mark.parametrize("odd", ["\n", "\x07", "\x85", "\u2028", "\u202e", "# '", "\U0001f680"])
def test_the_found_scenario_can_be_run_whatever_the_condition_holds(
    odd: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    found = str(tmp_path / "found.yml")
    text = f'services.any(state == "DEPLOYED"{odd})' if odd == "\n" else f'services.any(name != "{odd}")'
    assert run(["sim", str(tmp_path / "small.yml"), "--find", text, "--out", found], capsys)[0] == 1
    status, out, err = run(["sim", found], capsys)
    assert status == 1 and text in out, err


def test_a_search_that_finds_nothing_says_so(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    status, out, _ = run(
        [
            "sim",
            str(tmp_path / "small.yml"),
            "--find",
            "services.any(stuck('10h'))",
            "--runs",
            "4",
            "--out",
            str(tmp_path / "found.yml"),
        ],
        capsys,
    )
    assert (
        status == 0
        and "4 runs, and none in which services.any(stuck('10h')) came true" in out
        and not (tmp_path / "found.yml").exists()
    )
    (tmp_path / "none.yml").write_text(SMALL.split("expect:")[0])
    assert (
        "has no expectations: --find needs a condition" in run(["sim", str(tmp_path / "none.yml"), "--find"], capsys)[2]
    )
    assert (
        "a condition must be a text of 1 to 2000 letters"
        in run(["sim", str(tmp_path / "small.yml"), "--find", ""], capsys)[2]
    )


def test_the_found_scenario_cannot_be_made_smaller_by_one_entry() -> None:
    search = Search(document.parse(RACE.encode()), "deployments.count(environment == 'production') > 1")
    found = search.find(0, 60, lambda: None)
    assert found is not None
    small_one = search.shrink(found)
    for name in ("actions", "resources"):
        for index in range(len(small_one.data[name])):
            less = {
                **small_one.data,
                name: [entry for number, entry in enumerate(small_one.data[name]) if number != index],
            }
            assert search._breaks(less, small_one.seed) is None


def test_the_processors_are_counted() -> None:
    from orlop.simulation.scenarios.parallel_runs import cores, jobs_for

    assert 1 <= cores() <= (os.cpu_count() or 1)
    assert jobs_for(1) == 1 and jobs_for(10_000) == cores()


def test_a_scheduler_that_is_not_there_is_refused_soon() -> None:
    scenario = small()
    for address, said in (
        ("nonsense", "its address must be like tcp://host:8786"),
        ("tcp://host:port", "its address must be like"),
        ("tcp://127.0.0.1:1", "Connection refused"),
    ):
        begun = time.monotonic()
        with pytest.raises(orlop.Misuse, match=f"the Dask scheduler at {address} cannot be reached: .*{said}"):
            list(outcomes(scenario, range(4), jobs=2, dask=address))
        assert time.monotonic() - begun < 8


# ---- failed deployments
# -------------------------------------------------------------------------------------------------------

FAILS = """
rules:
  - {rule: quota, step: deploy, name: db-1, probability: 0.5, fails: "no room for db-1"}
  - {step: deploy, name: db-2, probability: 0.2, fails: bad luck}
  - {rule: slow, step: deploy, after: 2m}"""
ACTIONS = "{every: 1h, times: 5, deploy: production}\n  - {when: {kind: deployment.started}, cancel: production}"


def failing() -> str:
    return SMALL.replace("rules:", FAILS.strip()).replace("{deploy: production}", ACTIONS)


def test_the_text_says_what_share_of_the_deployments_failed_and_by_which_rule(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fails.yml").write_text(failing())
    status, text, _ = run(["sim", str(tmp_path / "fails.yml"), "--runs", "20", "--json"], capsys)
    found = json.loads(text)
    ended, failures = found["deployments"], found["failures"]
    assert ended == 100 and sum(len(one["failures"]) for one in found["runs"]) == sum(
        one["deployments"] for one in failures
    ) == ended - sum(one["succeeded"] for one in found["runs"])
    by_rule = {one["rule"]: one for one in failures}
    assert set(by_rule) == {"quota", "rules[1]", ""} and by_rule["quota"]["reason"] == "no room for db-1"
    assert by_rule[""] == {
        "rule": "",
        "reason": "it ended as CANCELED",
        "deployments": by_rule[""]["deployments"],
        "share": by_rule[""]["deployments"] / 100,
    }
    _, text, _ = run(["sim", str(tmp_path / "fails.yml"), "--runs", "20"], capsys)
    count = by_rule["quota"]["deployments"]
    assert f"{sum(one['deployments'] for one in failures)}.0% of the deployments failed:\n" in text
    assert (
        f'  {count} ({count}.0%) by the rule "quota": no room for db-1\n' in text
        and "without a rule: it ended as CANCELED\n" in text
    )
    _, text, _ = run(["sim", str(tmp_path / "fails.yml"), "--runs", "20", "--jobs", "2"], capsys)
    assert f'  {count} ({count}.0%) by the rule "quota": no room for db-1\n' in text


def test_a_run_in_which_nothing_fails_says_nothing_of_failures(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "well.yml").write_text(SMALL)
    assert "failed" not in run(["sim", str(tmp_path / "well.yml")], capsys)[1]


def test_why_a_deployment_failed_does_not_depend_on_what_else_is_read() -> None:
    scenario = document.parse(failing().encode())
    assert play(scenario, 1, "outcome").outcome.failures == play(scenario, 1, "names").outcome.failures != []


def test_a_deployment_whose_cluster_fails_says_so() -> None:
    text = SMALL.replace(
        "rules:", "rules:\n  - {rule: outage, kind: cluster, step: cluster_update, fails: the region is down}"
    ).replace("{deploy: production}", "{deploy: europe}\n  - {deploy: production}")
    (failure,) = play(document.parse(text.encode()), 1).outcome.failures
    assert failure.rule == "" and "europe" in failure.reason
