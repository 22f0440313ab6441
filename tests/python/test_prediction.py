"""Predictions and replays from a store's history."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count

import pytest

import orlop
from conftest import Platform, furnish, furnished
from orlop.commands.main import main
from orlop.simulation.prediction.history import History, rules_of
from orlop.simulation.replay import Replay
from orlop.simulation.traces.subjects import subjects_of

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def with_history(simulation: orlop.Simulation, deployments: int = 30) -> Platform:
    """Creates a platform in which web takes about a minute, and worker two and fails every tenth time; deploys it
    `deployments` times."""
    platform = furnish(simulation)
    for name in ("web", "worker"):
        platform.container(name)
    simulation.rules.add(step="deploy", name="web", after=orlop.uniform("50s", "70s"))
    simulation.rules.add(step="deploy", name="worker", after=orlop.uniform("110s", "130s"))
    simulation.rules.add(step="deploy", name="worker", every=10, after="20s", fails="no connection")
    for _ in range(deployments):
        platform.environment.deploy().wait()
    return platform


@pytest.fixture
def known() -> Iterator[Platform]:
    with orlop.Simulation(seed=1) as simulation:
        yield with_history(simulation)


# ---- predictions
# --------------------------------------------------------------------------------------------------------------


def test_a_prediction_is_what_the_history_does(known: Platform) -> None:
    before = known.engine.last_event, known.engine.snapshot()
    found = known.environment.predict(runs=200)
    assert (known.engine.last_event, known.engine.snapshot()) == before, "the store is only read"
    assert 115 <= (found.seconds["p50"] or 0) <= 125 and 125 <= (found.seconds["p99"] or 0) <= 131
    assert found.critical_path == ["worker"]
    services = {service.name: service for service in found.services}
    assert services["worker"].stage == "CONTAINER DEFAULT"
    assert services["worker"].critical > 0.8 and services["web"].critical < 0.2
    assert 0.05 <= services["worker"].failure <= 0.15 and services["web"].failure <= 0.05
    assert services["worker"].learned_from == 30 and 50 <= (services["web"].seconds["p50"] or 0) <= 70
    assert found.failure.least < found.failure.estimate < found.failure.most
    assert found.chance_within(100) < 0.2 and found.chance_within(200) == 1.0
    assert found.to_dict() == known.environment.predict(runs=200).to_dict()
    assert found.to_dict() != known.environment.predict(runs=200, seed=5).to_dict()


def test_a_prediction_is_shown(known: Platform) -> None:
    found = known.environment.predict(runs=20)
    assert "deploy production: 50 % within 1m59s, 90 % within 2m" in str(found) and "critical path: worker" in str(
        found
    )
    assert repr(found).startswith("<Prediction deploy production: median ")
    assert found._repr_html_().startswith("<iframe") and "the median run" in found.report().html()
    json.dumps(found.to_dict())


def test_other_actions_are_predicted(known: Platform) -> None:
    known.environment.deploy().wait()
    assert (known.environment.predict("stop", runs=5).seconds["p50"] or 0) == 0
    known.environment.stop().wait()
    with orlop.Simulation(seed=1) as other:
        platform = furnish(other)
        assert platform.environment.predict(runs=2).seconds["p50"] == 0, "nothing has to be deployed"
        platform.container()
        with pytest.raises(
            orlop.Conflict, match="no service of the environment is in a state from which it can take the action STOP"
        ):
            platform.environment.predict("stop", runs=2)


def test_what_no_step_was_learned_for_is_said(known: Platform) -> None:
    deploy, stop = known.environment.predict(runs=2), known.environment.predict("stop", runs=2)
    assert deploy.learned_from == 60 and "nothing is known" not in str(deploy)
    assert stop.learned_from == 0 == stop.services[
        0
    ].learned_from and "the history has no such step: nothing is known" in str(stop)
    with pytest.raises(orlop.Misuse, match="seconds must be"):
        stop.chance_within("3m")  # type: ignore[arg-type]


def test_a_thin_history_is_said() -> None:
    with orlop.Simulation(seed=1) as simulation:
        found = with_history(simulation, deployments=3).environment.predict(runs=50)
    web = next(service for service in found.services if service.name == "web")
    assert (web.learned_from, web.failed_before, web.is_thin, found.is_thin) == (3, 0, True, True)
    assert web.failure_before.estimate == 0 and web.failure_before.most == pytest.approx(0.7076, abs=1e-4), (
        "exact, as of none in three"
    )
    assert found.failure.most < web.failure_before.most, "the bounds of the runs are of the runs alone"
    text = str(found)
    assert (
        "(0 of 3 steps in the history failed: 0% to 71%)" in text
        and "of 50 simulated runs (more runs would show " in text
    )
    assert "thin history: " in text and "web" in text.partition("thin history: ")[2] and "exact binomial" in text
    assert "thin history" in found.report().html()
    data = found.to_dict()
    assert (
        data["is_thin"] and data["services"][0]["failure_before"]["most"] > 0.7 and data["failure_before"]["most"] > 0.4
    )


def test_a_long_history_is_not_called_thin(known: Platform) -> None:
    found = known.environment.predict(runs=20)
    assert not found.is_thin and "thin history" not in str(found)
    worker = next(service for service in found.services if service.name == "worker")
    assert [*worker.failure_before] == [
        0.1,
        pytest.approx(0.021, abs=1e-3),
        pytest.approx(0.265, abs=1e-3),
    ] and worker.failed_before == 3


def test_a_service_without_a_history_is_like_its_family(known: Platform) -> None:
    known.container("new")
    new = next(service for service in known.environment.predict(runs=100).services if service.name == "new")
    assert new.learned_from == 0 and 50 <= (new.seconds["p50"] or 0) <= 130


def test_environments_of_the_same_name_are_kept_apart(known: Platform) -> None:
    other = known.organization.projects.create(name="another").environments.create(
        name="production", cluster_id=known.cluster.id
    )
    other.containers.create(
        name="web", registry_id=known.registry.id, image_name="acme/web", tag="1.0.0", healthchecks={}
    )
    simulation = known.engine
    assert isinstance(simulation, orlop.Simulation)
    simulation.rules.clear()
    simulation.rules.add(step="deploy", after="1h")
    for _ in range(10):
        other.deploy().wait()
    found = known.environment.predict(runs=50)
    assert {service.name for service in found.services} == {"web", "worker"} and (found.seconds["p99"] or 0) < 200
    assert other.predict(runs=5).seconds["p50"] == 3600


def test_names_with_wildcards_are_names(known: Platform) -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = furnish(simulation)
        platform.container("a*")
        simulation.rules.add(step="deploy", after="30s")
        for _ in range(10):
            platform.environment.deploy().wait()
        assert platform.environment.predict(runs=10).seconds["p50"] == 30


def test_a_pattern_as_a_name_is_no_rule_for_others() -> None:
    with orlop.Simulation(seed=1000) as simulation:
        platform = furnish(simulation)
        platform.container("a*")
        platform.container("slow")
        simulation.rules.add(step="deploy", after="30s")
        simulation.rules.add(step="deploy", name="slow", after="100s")
        for _ in range(10):
            platform.environment.deploy().wait()
        platform.container("ab")
        services = {service.name: service.seconds for service in platform.environment.predict(runs=40).services}
        assert (services["a*"]["p50"], services["slow"]["p50"]) == (30, 100)
        assert services["ab"]["p99"] == 100, "as its family, of which half takes 100 s"


@pytest.mark.parametrize("seed", [0, 7, 19])
def test_a_run_with_the_seed_of_the_simulation_itself_gives_new_ids(seed: int) -> None:
    with orlop.Simulation(seed=seed) as simulation:
        platform = furnish(simulation)
        for number in range(5):
            platform.container(f"web-{number}")
        known = {event["subject"] for event in simulation.events()}
        found = platform.environment.predict(runs=20)
        assert {run.state for run in found._runs} == {"DEPLOYED"} and found.runs == 20
        drawn = {
            event["subject"]
            for trace in found._traces
            for event in trace.events
            if event["kind"] == "deployment.queued"
        }
        assert drawn and not drawn & known


def test_canceled_steps_say_nothing() -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = with_history(simulation, 0)
        platform.environment.deploy()
        simulation.clock.advance(seconds=10)
        platform.environment.cancel(force=True)
        simulation.run_until_idle()
        history = History(simulation.events())
        assert sum(steps.total for (_, kind), steps in history.by_service.items() if kind == "deploy") == 0
        assert [rule["rule"] for rule in rules_of(history, subjects_of(simulation)) if rule["step"] == "deploy"] == []


def test_a_running_deployment_and_sealed_secrets_are_no_obstacle() -> None:
    with orlop.Simulation(seed=1, secret_key=b"k" * 32) as simulation:
        platform = with_history(simulation, 10)
        platform.environment.deploy()
        simulation.clock.advance(seconds=10)
        found = platform.environment.predict(runs=10)
        assert (found.seconds["p50"] or 0) >= 120, "it waits for the one that runs"
        assert Replay(simulation, simulation.last_event).run().begun[0].state == "DEPLOYED"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"action": "explode"}, "action must be one of deploy, redeploy, stop, uninstall"),
        ({"runs": 0}, "runs must be a whole number of 1 to 100000, not 0"),
        ({"runs": 10**9}, "runs must be"),
        ({"seed": -1}, "seed must be"),
        ({"runs": "3"}, "runs must be"),
        ({"action": None}, "action must be one of"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, object], said: str, platform: Platform) -> None:
    with pytest.raises(orlop.Misuse, match=said):
        platform.environment.predict(**arguments)  # type: ignore[arg-type]


def test_the_command_predicts(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "platform.db")
    with orlop.Simulation(store, seed=1) as simulation:
        with_history(simulation, 12)
        events = simulation.last_event
    assert main(["predict", store, "shop/production", "--runs", "20", "--report", str(tmp_path / "p.html")]) == 0
    assert "critical path: worker" in capsys.readouterr().out and (tmp_path / "p.html").exists()
    assert main(["predict", store, "production", "--runs", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == 20
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["predict", store, "production", "--runs", "20", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["runs"] == 20 and "20 of 20 runs  ####" in printed.err
    assert main(["predict", store, "staging"]) == 2
    assert "ENVIRONMENT must be one of shop/production, not staging" in capsys.readouterr().err
    assert main(["predict", str(tmp_path / "none.db"), "production"]) == 2
    assert "there is no store at" in capsys.readouterr().err and not (tmp_path / "none.db").exists()
    with orlop.Simulation(store) as simulation:
        assert simulation.last_event == events


def test_predictions_are_calibrated() -> None:
    """On a store with 200 deployments: the actual frequency is close to the predicted probability."""
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / "calibration.py"), "--every", "5", "--runs", "60"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    rows = re.findall(r"^within the predicted +(\d+) % +(\d+) of +(\d+) +(\d+) %", ran.stdout, re.MULTILINE)
    assert [row[0] for row in rows] == ["50", "80", "90", "95"] and all(int(row[2]) == 32 for row in rows), ran.stdout
    for wanted, within, total, _ in rows:
        share, noise = int(wanted) / 100, 3 * (int(wanted) / 100 * (1 - int(wanted) / 100) / int(total)) ** 0.5
        assert abs(int(within) / int(total) - share) <= noise + 0.03, ran.stdout
    expected, actual = re.findall(r"^failures +([\d.]+) predicted, (\d+) happened", ran.stdout, re.MULTILINE)[0]
    assert abs(float(expected) - int(actual)) <= 3 * max(1.0, float(expected) ** 0.5), ran.stdout


# ---- replays
# ------------------------------------------------------------------------------------------------------------------


def sequence_of(engine: orlop.Engine, kind: str, number: int = -1) -> int:
    found: int = [event["sequence"] for event in engine.events() if event["kind"] == kind][number]
    return found


def states(engine: orlop.Engine) -> dict[str, str]:
    environment = engine.organizations.find("acme").projects.find("shop").environments.find("production")
    return {service.name: service.state for service in environment.services()}


def test_every_event_of_a_store_can_be_opened() -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = with_history(simulation, 11)
        platform.environment.stop().wait()
        last, before = simulation.last_event, simulation.snapshot()
        for until in range(1, last + 1, 7):
            replay = Replay(simulation, until)
            with replay.open() as opened:
                opened.check()
                assert opened.last_event == until
                assert (
                    opened.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
                    == simulation.events()[until - 1]["at"]
                )
        assert simulation.snapshot() == before, "the store is only read"


def test_states_are_those_of_the_event(known: Platform) -> None:
    simulation = known.engine
    failed = sequence_of(simulation, "service.deployment_error", 0)
    end = next(event["sequence"] for event in simulation.events(failed) if event["kind"] == "deployment.ended")
    known.environment.stop().wait()
    known.container("late")
    with Replay(simulation, end).open() as opened:
        assert states(opened) == {"web": "DEPLOYED", "worker": "DEPLOYMENT_ERROR"}
        environment = opened.organizations.find("acme").projects.find("shop").environments.find("production")
        assert environment.state == "DEPLOYMENT_ERROR"
        assert environment.deploy().wait().ok, "and it can be deployed"
    assert states(simulation) == {"web": "STOPPED", "worker": "STOPPED", "late": "READY"}


def test_another_outcome_is_tried(known: Platform) -> None:
    simulation = known.engine
    during = next(
        event["sequence"]
        for event in simulation.events(sequence_of(simulation, "deployment.started"))
        if event["kind"] == "service.deploying"
    )
    replay = Replay(simulation, during)
    assert [(each.action, each.environment, each.services) for each in replay.interrupted] == [
        ("DEPLOY", known.environment.id, ())
    ]
    good = replay.run(rules={"rules": [{"step": "deploy", "after": "10s"}]})
    bad = replay.run(rules={"rules": [{"step": "deploy", "name": "web", "fails": "no route"}]})
    assert [(each.state, each.seconds) for each in good.begun] == [("DEPLOYED", 10)]
    assert [each.state for each in bad.begun] == ["DEPLOYMENT_ERROR"] and bad.states[
        "web of production"
    ] == "DEPLOYMENT_ERROR"
    assert (
        "web of production: DEPLOYMENT_ERROR, and not " in replay.text(bad)
        and "what happened" in replay.report(bad).html()
    )


def test_what_cannot_be_known_is_said(known: Platform) -> None:
    simulation = known.engine
    until = simulation.last_event
    worker = known.environment.containers.find("worker")
    known.environment.containers.find("web").edit(tag="2.0.0")
    worker.deploy().wait()
    worker.delete()
    simulation.run_until_idle() if isinstance(simulation, orlop.Simulation) else None
    replay = Replay(simulation, until)
    assert (replay.edited, replay.deleted) == (1, 1) and "1 have been deleted since and are missing" in replay.text(
        replay.run()
    )


def test_a_replay_compares_what_never_changed_its_state(platform: Platform) -> None:
    """A service that was created and not deployed has no event with a state."""
    simulation = platform.engine
    web = platform.container("web")
    until = simulation.last_event
    twin = platform.project.environments.create(name="twin", cluster_id=platform.environment.cluster_id)
    other = platform.organization.projects.create(name="other").environments.create(
        name="production", cluster_id=platform.environment.cluster_id
    )
    other.containers.create(name="web", registry_id=web.registry_id, image_name="acme/web", tag="1", healthchecks={})
    platform.environment.deploy().wait()
    twin.delete()
    replay = Replay(simulation, until)
    run = replay.run()
    assert run.states["web of production"] == "READY" and "web of production: READY, and not DEPLOYED" in replay.text(
        run
    )
    other.deploy().wait()
    now = Replay(simulation, simulation.last_event).run().states
    assert now["web of production"] == now["web of other/production"] == "DEPLOYED"


def test_a_replay_begins_a_restart_of_an_environment(platform: Platform) -> None:
    simulation = platform.engine
    platform.container()
    platform.environment.deploy().wait()
    platform.environment.restart()
    (begun,) = Replay(simulation, simulation.last_event).run().begun
    assert (begun.environment, begun.action, begun.state) == ("production", "RESTART", "RESTARTED")


def test_a_replay_begins_a_waiting_deployment_of_one_service_for_that_one() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        web, _ = platform.container("web"), platform.container("worker")
        simulation.rules.add(step="deploy", after="10m")
        platform.environment.deploy()
        simulation.clock.advance(minutes=1)
        web.deploy()
        replay = Replay(simulation, simulation.last_event)
        assert [each.services for each in replay.interrupted] == [(), (web.id,)]
        simulation.run_until_idle()
        assert Replay(simulation, replay.until).interrupted == replay.interrupted
        for _ in range(60):  # more than the history keeps
            platform.environment.deploy().wait()
        assert Replay(simulation, replay.until).interrupted == replay.interrupted


def test_a_replay_of_a_cluster_whose_creation_ran_has_the_state_of_the_simulation() -> None:
    with orlop.Simulation() as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy()
        until = simulation.last_event
        europe.wait()
        assert Replay(simulation, until).run().states == {"europe": "READY"}


def test_a_replay_needs_all_events(known: Platform) -> None:
    known.engine.forget_events(10)
    with pytest.raises(orlop.Misuse, match="this one keeps [0-9]+ of [0-9]+"):
        Replay(known.engine, 50)


@pytest.mark.parametrize(
    "until", [0, -1, 10**6, 2**64, -(2**70), pytest.param(10**5000, id="of too many digits"), 2.5, "3", None, True]
)
def test_an_event_that_is_not_there_is_named(until: object, platform: Platform) -> None:
    with pytest.raises(
        orlop.Misuse, match=f"until must be the number of an event, 1 to {platform.engine.last_event}, not "
    ):
        Replay(platform.engine, until)  # type: ignore[arg-type]
    with pytest.raises(orlop.Misuse, match="engine must be an engine, not 5"):
        Replay(5, 5)  # type: ignore[arg-type]


def test_the_command_replays(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "platform.db")
    with orlop.Simulation(store, seed=1) as simulation:
        with_history(simulation, 3)
        until = next(
            event["sequence"]
            for event in simulation.events(sequence_of(simulation, "deployment.started"))
            if event["kind"] == "service.deploying"
        )
    rules = tmp_path / "rules.yml"
    rules.write_text("rules:\n  - {step: deploy, name: web, fails: no route}\n")
    out = tmp_path / "then.snapshot"
    assert (
        main(
            [
                "replay",
                store,
                "--until",
                str(until),
                "--rules",
                str(rules),
                "--out",
                str(out),
                "--report",
                str(tmp_path / "r.html"),
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert (
        "1 deployments under way" in said
        and "DEPLOY production: DEPLOYMENT_ERROR" in said
        and "web of production: DEPLOYMENT_ERROR, and not DEPLOYED" in said
    )
    with orlop.Simulation(snapshot=out.read_bytes()) as opened:
        assert opened.last_event == until
    for arguments, wrong in (
        (["--until", "0"], "until must be the number of an event"),
        (["--until", "1", "--rules", str(tmp_path / "none")], "No such file"),
    ):
        assert main(["replay", store, *arguments]) == 2
        assert wrong in capsys.readouterr().err
    rules.write_text("[1")
    assert main(["replay", store, "--until", "1", "--rules", str(rules)]) == 2
    assert "this is not YAML" in capsys.readouterr().err
    rules.write_text("rules: [{stpe: deploy}]")
    assert main(["replay", store, "--until", "1", "--rules", str(rules)]) == 2
    assert f"{rules}:1:10: rules[0].stpe is not a member of a rule" in capsys.readouterr().err
    rules.write_text("ruls: []")
    assert main(["replay", store, "--until", "1", "--rules", str(rules)]) == 2
    assert f"{rules}:1:1: ruls is not a member here; the nearest known one is rules" in capsys.readouterr().err
    # Times remain texts, as in scenario files.
    rules.write_text("rules: [{step: deploy, fails: no route, from: 2026-01-01T00:00:00Z}]")
    assert main(["replay", store, "--until", str(until), "--rules", str(rules)]) == 0
    assert "DEPLOY production: DEPLOYMENT_ERROR" in capsys.readouterr().out


def test_the_same_store_and_seed_give_the_same_figures(tmp_path: pathlib.Path) -> None:
    with orlop.Simulation(tmp_path / "p.db") as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", after="1m", jitter="1m")
        for number in range(3):
            platform.container(f"service-{number}")
        for _ in range(5):
            platform.environment.deploy().wait()
    times = count(2_000_000_000, 1000)
    with orlop.Engine(tmp_path / "p.db", driver=orlop.Driver(), clock=lambda: float(next(times))) as engine:
        environment = furnished(engine).environment
        first, again, other = (environment.predict(runs=20, seed=seed).to_dict() for seed in (5, 5, 6))
        assert first == again != other
