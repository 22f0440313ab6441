"""Scenario files and the commands `orlop sim` and `orlop init`."""

from __future__ import annotations

import inspect
import json
import pathlib
from fnmatch import fnmatchcase
from typing import Any

import pytest

import orlop
from conftest import counted_calls
from orlop.commands.main import main
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import furnished, play

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "scenarios").glob("*.yml"))

SMALL = """\
seed: 3
rules:
  - {step: deploy, after: {distribution: lognormal, median: 1m, sigma: 0.5}}
resources:
  - {family: organization, name: acme, plan: FREE}
  - {family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}
  - {family: project, name: shop}
  - {family: environment, name: production, cluster_id: "{europe}"}
  - {family: database, count: 2, name: "db-{n}", type: POSTGRESQL, version: "16", mode: CONTAINER}
actions:
  - {deploy: production}
expect:
  - {deployments_end_within: 20m}
"""


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(arguments)
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_every_example_is_as_expected(path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(["sim", str(path), "--json"], capsys)
    assert (status, err) == (0, ""), out
    found = json.loads(out)
    assert found["ok"] and found["runs"][0]["events"] > 0
    # The file has expectations, which could have failed.
    assert document.read(str(path)).data["expect"]


def test_the_same_seed_is_the_same_run() -> None:
    scenario = document.parse(SMALL.encode())
    assert play(scenario, 5) == play(scenario, 5)
    assert play(scenario, 5).events != play(scenario, 6).events


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_outcome_does_not_depend_on_what_else_is_read(path: pathlib.Path) -> None:
    scenario = document.read(str(path))
    unconditional = [
        each for each in scenario.data["expect"] if not any(name in each for name in document.CONDITIONS)
    ]  # conditions read everything
    scenario = scenario._replace(data={**scenario.data, "expect": unconditional})
    least, all_events, names = (play(scenario, 4, wanted) for wanted in ("outcome", "events", "names"))
    assert least.outcome == all_events.outcome == names.outcome
    assert least.outcome.events <= len(all_events.events) == len(names.events)


@pytest.mark.parametrize(
    "pattern", ["service.dep*", "*.deployed", "service.*", "service.deployed", "step.?nded", "webhook.deleted"]
)
def test_events_are_counted_by_any_pattern(pattern: str) -> None:
    scenario = document.parse(
        SMALL.replace("{deployments_end_within: 20m}", f'{{event: "{pattern}", at_least: 1000}}').encode()
    )
    whole = play(scenario, 5)
    count = sum(
        fnmatchcase(event["kind"], pattern)
        for event in whole.events
        if event["sequence"] > whole.events[-1]["sequence"] - whole.outcome.events
    )
    assert f"there were {count} events {pattern}, not 1000" in whole.outcome.failed[0]
    assert play(scenario, 5, "outcome").outcome == whole.outcome


def test_making_a_resource_costs_the_same_beside_many() -> None:
    def calls_with(copies: int) -> int:
        scenario = document.parse(SMALL.replace("count: 2", f"count: {copies}").encode())
        with counted_calls() as calls:
            simulation, _ = furnished(scenario, 1)
        simulation.close()
        return calls()

    few, some, many = (calls_with(copies) for copies in (10, 110, 410))
    assert many - some < 3.1 * (some - few)


def test_runs_have_the_next_seeds_and_percentiles(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    status, out, _ = run(["sim", str(tmp_path / "small.yml"), "--runs", "4", "--json"], capsys)
    found = json.loads(out)
    assert status == 0
    assert [outcome["seed"] for outcome in found["runs"]] == [3, 4, 5, 6]
    assert 0 < found["durations"]["p50"] <= found["durations"]["p99"]


def test_a_broken_expectation_names_its_seed_and_how_to_repeat_it(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a b.yml"
    path.write_text(SMALL.replace("20m", "1s"))
    status, out, _ = run(["sim", str(path), "--seed", "7"], capsys)
    assert status == 1
    assert f"seed 7 failed; repeat it with: orlop sim '{path}' --seed 7" in out
    assert "small" not in out and ":13: expect[0]: 1 of 1 deployments did not end within 1s; the longest took " in out


def test_the_trace_names_the_rule_that_decided(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    trace = tmp_path / "trace.jsonl"
    assert run(["sim", str(tmp_path / "small.yml"), "--trace", str(trace)], capsys)[0] == 0
    events = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert any(
        'the rule "rules[0]" decides' in json.dumps(event, ensure_ascii=False).replace('\\"', '"') for event in events
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "step: deploy",
            "stpe: deploy",
            '3:6: rules[0].stpe is not a member of a rule; the nearest known one is "step"',
        ),
        ("sigma: 0.5", "sigma: 50", "3:65: rules[0].after.sigma must be a number of 0 to 10, not 50"),
        ("actions:", "action:", "10:1: action is not a member here; the nearest known one is actions"),
        (
            "{deploy: production}",
            "{deploy: production, stop: production}",
            "11:5: actions[0] must have exactly one verb: deploy, stop",
        ),
        (
            "{deploy: production}",
            "{deploy: staging}",
            "11:6: actions[0].deploy must be the name of a resource, not 'staging': there are acme, europe, shop",
        ),
        ("{deploy: production}", "{at: soon, deploy: production}", "11:6: actions[0].at must be a duration like 30s"),
        (
            "{deploy: production}",
            "{at: 1:30, deploy: production}",
            "11:6: actions[0].at must be a duration like 30s, 2m30s or 250ms, or a number of seconds, not '1:30'",
        ),
        (
            "{deploy: production}",
            "{every: 10:00.5, times: 2, deploy: production}",
            "11:6: actions[0].every must be a duration like 30s",
        ),
        ("seed: 3", "seed: 1:30", '1:1: seed must be a whole number, not "1:30"'),
        ("{deploy: production}", "{every: 0, times: 2, deploy: production}", "11:6: actions[0].every must be 1 to "),
        (
            "{deploy: production}\n",
            "{every: 1ms, deploy: production}\nuntil: 1000d\n",
            '11:6: actions[0].every must be at least 86.4 s, of which 1000000 fit into until, not "1ms"',
        ),
        (
            "{deploy: production}",
            "{every: 1m, deploy: production}",
            "11:6: actions[0].times is required where the scenario has no until",
        ),
        ("seed: 3", "seed: -3", "1:1: seed must be at least 0, not -3"),
        ("seed: 3", "seed: three", '1:1: seed must be a whole number, not "three"'),
        ("seed: 3", "seed: 3\nseed: 4", "2:7: seed is given twice"),
        (
            "seed: 3",
            "seed: 3\nexternals: [{question: list_branches, error: x}, {question: nope, error: x}]",
            '2:51: externals[1].question must be the name of a question, not "nope"',
        ),
        ("seed: 3", "seed: 3\ndomains: [{dns_after: soon}]", "2:12: domains[0].dns_after must be a duration"),
        (
            "{deploy: production}",
            "{externals: [{question: list_branches, error: x, over: 0}]}",
            "11:54: actions[0].externals[0].over must be a whole number of 1 to 4294967295, not 0",
        ),
        (
            "seed: 3",
            "seed: 3\npack: slow",
            '2:1: pack must be one of ["instant", "realistic", "chaos", null], not "slow"',
        ),
        (
            "seed: 3",
            "seed: 3\noptions: {max_paralel_deploys: 3}",
            "2:11: options.max_paralel_deploys is not a member here; the nearest known one is max_parallel_deploys",
        ),
        ("seed: 3", "seed: &a 3\nstart: *a", "start must not be an alias"),
        ("seed: 3", "seed: [3", "this is not YAML: "),
        (
            "family: database",
            "family: databse",
            "9:6: resources[4].family must be a family of resources below those before it: agentic_workflow, ",
        ),
        ("family: database", "family: member", "container_registry, credit_card, custom_role, database, "),
        (
            "{deploy: production}",
            "{create: {family: api_token, name: ci}}\n  - {edit: ci, set: {name: cd}}",
            "12:6: actions[1].edit must be a resource that has this action, not api_token 'ci'",
        ),
        (
            "family: organization",
            "family: organisation",
            "5:6: resources[0].family must be a family of resources: organization; not 'organisation'",
        ),
        ("seed: 3", "seed: 3.0", "1:1: seed must be a whole number, not 3.0"),
        ("count: 2", "count: 2.0", "9:24: resources[4].count must be a whole number, not 2.0"),
        ("20m}", "20m, share: .nan}", "13:35: expect[0].share must be a number, not NaN"),
        (
            "after: {distribution: lognormal, median: 1m, sigma: 0.5}",
            "after: .inf",
            "3:20: rules[0].after must be a finite number, not inf",
        ),
        ("seed: 3", "seed: 3\n[a]: 1", "2:1: the name of a member must be text"),
        ("seed: 3", 'seed: 3\n"\\x1b[31m": 1', '2:1: "\\u001b[31m" is not a member here'),
        ("seed: 3", "seed: 3\noptions: {storage: x.db}", "2:11: options.storage is not a member here"),
        ("seed: 3", "seed: 3\noptions: {max_parallel_deploys: 0}", "2:11: options.max_parallel_deploys must be 1 to"),
        ("seed: 3", "seed: 3\nstart: never", "2:1: start must be a time like"),
        (
            "seed: 3",
            "seed: 3\nfaults: [{foo: 1}]",
            "2:11: faults[0].foo is not a member here; known are operation, status, latency, drop",
        ),
        (
            "seed: 3",
            "seed: 3\nfaults: [{status: 1}]",
            "2:11: faults[0].status must be a whole number of 400 to 599, not 1",
        ),
        (
            "{deploy: production}",
            "{capacity: europe, set: {node: 1}}",
            "11:30: actions[0].set.node is not a member here; the nearest known one is nodes",
        ),
        (
            "{deploy: production}",
            "{capacity: europe, set: {nodes: 1}}",
            "11:24: actions[0].set.cpu is required where the cluster has no capacity yet",
        ),
        (
            "{deploy: production}",
            "{capacity: europe, set: {nodes: 1, cpu: x, memory: 1}}",
            "11:40: actions[0].set.cpu must be the cores of each node",
        ),
        (
            "{deploy: production}",
            "{rules: [{step: deploy, stpe: deploy}]}",
            "11:29: actions[0].rules[0].stpe is not a member of a rule",
        ),
        (
            "{deploy: production}",
            "{rules: [{step: deploy, after: .nan}]}",
            "11:29: actions[0].rules[0].after must be a finite number, not nan",
        ),
        (
            "{deploy: production}",
            "{when: {subject: db-3}, deploy: production}",
            "11:13: actions[0].when.subject must be the name of a resource, not 'db-3'",
        ),
        (
            "{deploy: production}",
            "{when: {to: DEPLOYED}, at: 1h, deploy: production}",
            "11:6: actions[0].when must be given without at",
        ),
        (
            "{deploy: production}",
            "{times: 2, deploy: production}",
            "11:6: actions[0].every or when is required where times is given",
        ),
        (
            "{deploy: production}",
            "{when: {to: DEPLOYED}, every: 1h, deploy: production}",
            "11:28: actions[0].times is required where the scenario has no until",
        ),
        (
            "deployments_end_within: 20m",
            "state: DEPLOYD, of: db-1",
            "13:6: expect[0].state must be a state such as DEPLOYED, not 'DEPLOYD'; the nearest known one is DEPLOYED",
        ),
        (
            "deployments_end_within: 20m",
            "state: READY, of: shop",
            "13:20: expect[0].of must be a service, an environment or a cluster, not project 'shop'",
        ),
        (
            "deployments_end_within: 20m",
            "event: service.deplyoed, at_most: 0",
            "13:6: expect[0].event must be the kind of an event such as service.deployed, or a pattern for some, "
            "not 'service.deplyoed'; the nearest known one is service.deployed",
        ),
        (
            "deployments_end_within: 20m",
            "event: servce.*, at_most: 0",
            "13:6: expect[0].event must be the kind of an event such as service.deployed, or a pattern for some, "
            "not 'servce.*'",
        ),
        (
            "{deploy: production}",
            "{when: {kind: service.deploy}, deploy: production}",
            "11:13: actions[0].when.kind must be the kind of an event such as service.deployed, or a pattern for "
            "some, not 'service.deploy'; the nearest",
        ),
        (
            "{deploy: production}",
            "{when: {to: DEPLOYD}, deploy: production}",
            "11:13: actions[0].when.to must be what an event leads to, such as DEPLOYED or RUNNING, not "
            "'DEPLOYD'; the nearest known one is DEPLOYED",
        ),
        ('version: "16"', 'version: "1"', "9:5: resources[4] is refused: "),
        ('"db-{n}"', "db", "9:34: resources[4].name must contain {n} where count is more than 1, not 'db'"),
        ('"{europe}"', '"{asia}"', "8:45: resources[3].cluster_id must be the name of a resource, not 'asia'"),
        ("deployments_end_within: 20m", "state: DEPLOYED", "13:5: expect[0] must have both state and of, or neither"),
        (
            "deployments_end_within: 20m",
            "refused_actions: 0, share: 0.5",
            "13:26: expect[0].deployments_end_within is required where share is given",
        ),
        (
            "deployments_end_within: 20m",
            "event: service.*, at_least: 5, at_most: 3",
            "13:37: expect[0].at_most must be at least at_least, 5, not 3",
        ),
        (
            "seed: 3",
            "seed: 3\nstart: 9999-12-31T00:00:00Z\nuntil: 2d",
            "3:1: until: the virtual clock cannot go beyond 9999-12-31T23:59:59.999Z",
        ),
        (
            "{deploy: production}",
            "{deploy: production}\n  - {at: 366000d, deploy: production}\nstart: 9000-01-01T00:00:00Z",
            "12:5: actions[1]: the virtual clock cannot go beyond 9999-12-31T23:59:59.999Z",
        ),
        (
            "{deploy: production}",
            "{deploy: production}\n  - {when: {kind: task.failed}, deploy: production}\nstart: "
            "9999-12-31T00:00:00Z\nuntil: 2d",
            "14:1: until: the virtual clock cannot go beyond",
        ),
        ("seed: 3", f"seed: 1{400 * '0'}", f"1:7: seed must be a number of at most 1.8e+308, not 1{59 * '0'}…"),
        (
            "after: {",
            f"jitter: 1{400 * '0'}, after: {{",
            "3:28: rules[0].jitter must be a number of at most 1.8e+308, not 1000",
        ),
        ("seed: 3", f"seed: 1{5000 * '0'}", "1:7: seed cannot be read as int: "),
        ("seed: 3", "seed: !!int three", '1:7: seed cannot be read as int: "three"'),
        ("seed: 3", "name: !!bool three", '1:7: name cannot be read as bool: "three"'),
        ("seed: 3", "start: !!timestamp three", '1:8: start cannot be read as timestamp: "three"'),
        (
            "seed: 3",
            "start: !!timestamp 2026-01-01",
            "1:8: start must be text, a number, true, false or null, not an object of the type date",
        ),
        (
            "name: shop",
            "name: shop, description: !!binary aGk=",
            "7:48: resources[2].description must be text, a number, true, false or null, not an object of the "
            "type bytes",
        ),
        ("seed: 3", 'name: "\\ud83d"', "1:7: name must be text that UTF-8 can hold: '\\ud83d' holds a lone surrogate"),
        (
            "step: deploy",
            'step: deploy, labels: {"\\ud83d": a}',
            "3:29: the name of a member must be text that UTF-8 can hold: '\\ud83d' holds a lone surrogate",
        ),
        (
            "deployments_end_within: 20m",
            "state: DEPLOYED, of: x",
            "13:23: expect[0].of must be the name of a resource, not 'x'",
        ),
    ],
)
def test_a_fault_names_line_column_and_member(
    old: str, new: str, said: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in SMALL
    path = tmp_path / "bad.yml"
    path.write_text(SMALL.replace(old, new, 1))
    status, out, err = run(["sim", str(path)], capsys)
    assert (status, out) == (2, "")
    assert f"orlop: {path}:" in err and said in err, err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"3",
        b"\xff",
        b"x" * 70_000,
        b"[" * 5_000,
        b"a: " * 3_000,
        b"? [a]\n: 1",
        b"resources:",
        b"\0",
        b"# " + b"x" * 2_000_000,
    ],
)
def test_what_is_no_scenario_is_refused(
    content: bytes, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.yml"
    path.write_bytes(content)
    status, _, err = run(["sim", str(path)], capsys)
    assert status == 2
    assert err.startswith(f"orlop: {path}:") and len(err) < 600, err


def test_wrong_arguments_are_named(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.yml").write_text(SMALL)
    file = str(tmp_path / "small.yml")
    for arguments, said in (
        ([file, "--runs", "0"], "--runs must be 1 to"),
        ([file, "--seed", "-1"], "--seed must be 0 to"),
        ([file, "--dask", ""], "--dask must be the address"),
        ([], "FILE is required"),
        ([file + "x"], "No such file"),
    ):
        status, _, err = run(["sim", *arguments], capsys)
        assert status == 2 and said in err


def test_the_options_of_a_scenario_are_those_of_a_simulation() -> None:
    """All but options that a file cannot hold, that name other files, or that leave out events which the expectations
    need."""
    known = set(inspect.signature(orlop.Simulation).parameters)
    left_out = {
        "storage",
        "log",
        "driver",
        "observe_interval",
        "schedules",
        "seed",
        "start",
        "durability",
        "external_systems",
        "webhook_sender",
        "snapshot",
        "secret_key",
        "previous_secret_keys",
        "secrets_key",
        "mmap_size",
        "log_writes",
        "events_kept",
        "events_kept_for",
        "record",
        "time_zones",
    }
    listed = document.schema()["properties"]["options"]["properties"].keys()
    rows = "".join(f'\n"{name}": {{}},' for name in sorted(known - left_out - listed))
    files = "python/orlop/simulation/scenarios/schema.json and docs/scenario.schema.json"
    assert not rows, f"the options in {files} lack these rows, or `left_out` of this test lacks their names:{rows}"
    assert listed == known - left_out


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', '{"a": {"b": 1}}'])
def test_json_in_a_text_names_no_resource(text: str) -> None:
    simulation, stage = furnished(
        document.parse(SMALL.replace("name: shop", f"name: shop, description: '{text}'").encode()), 1
    )
    with simulation:
        assert stage.named["shop"]["description"] == text


def test_what_never_matched_is_said(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.yml"
    rules = (
        "rules:\n  - {rule: misspelled, step: deploy, name: bd-1, fails: gone}\n  - {step: stop, after: "
        "1s}\n  - {step: deploy, name: db-1, probability: 0.001, fails: seldom}\n"
    )
    path.write_text(
        SMALL.replace("rules:\n", rules).replace(
            "actions:\n", "actions:\n  - {when: {kind: service.stopped}, deploy: production}\n"
        )
    )
    said = [
        f"{path}:3: rules[0] matched no step",
        f"{path}:4: rules[1] matched no step",
        f"{path}:14: actions[0] was not done: what it waits for did not happen",
    ]
    status, out, _ = run(["sim", str(path)], capsys)
    assert status == 0 and out.splitlines()[-3:] == said
    for jobs in ("1", "2"):
        _, out, _ = run(["sim", str(path), "--runs", "4", "--jobs", jobs], capsys)
        assert out.splitlines()[-3:] == [f"in every run: {each}" for each in said]
    assert json.loads(run(["sim", str(path), "--runs", "2", "--json"], capsys)[1])["unmatched"] == said
    path.write_text(SMALL)
    assert json.loads(run(["sim", str(path), "--json"], capsys)[1])["unmatched"] == []


def test_init_writes_a_scenario_that_runs_and_never_over_a_file(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scenario.yml"
    assert run(["init", str(path)], capsys)[0] == 0
    assert run(["sim", str(path)], capsys)[0] == 0
    path.write_text("mine")
    status, _, err = run(["init", str(path)], capsys)
    assert (status, path.read_text()) == (2, "mine")
    assert "exists already" in err


def test_the_schema_is_published(capsys: pytest.CaptureFixture[str]) -> None:
    import jsonschema

    status, out, _ = run(["sim", "--schema"], capsys)
    assert status == 0
    assert (ROOT / "docs" / "scenario.schema.json").read_text() == out
    schema: Any = json.loads(out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"].keys() >= {"rules", "resources", "actions", "expect"}


def test_ten_thousand_resources_are_bounded() -> None:
    scenario = document.parse(
        SMALL.replace("count: 2", "count: 10000").replace("family: database", "family: container").encode()
    )
    with pytest.raises(
        orlop.Misuse, match=r"resources\[4\] is refused"
    ):  # a container has other fields: the first copy is refused
        play(scenario, 1)
