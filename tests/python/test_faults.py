"""Faults of the interface of a simulation."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.simulation.replay import Replay
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play
from test_serve import call


def test_a_client_meets_faults_over_http() -> None:
    with orlop.Simulation(seed=2) as simulation, simulation.serve() as url:
        simulation.faults.add(operation="create_organization", drop=True, times=1)
        simulation.faults.add(operation="list_*", status=503, nth=2)
        body = {"name": "acme", "plan": "FREE"}
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            call(url, "POST", "/organization", body)
        assert call(url, "POST", "/organization", body)[0] == 409  # the request took effect
        assert [call(url, "GET", "/organization")[0] for _ in range(4)] == [200, 503, 200, 503]
        assert [fault["applied"] for fault in simulation.faults] == [1, 2]
        simulation.faults.clear()
        assert list(simulation.faults) == []
        assert call(url, "GET", "/organization")[0] == 200


def test_a_kind_of_service_that_is_not_known_has_its_id_as_name() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        web = platform.container()
        simulation.faults.add(unknown_enum="*")
        run = platform.environment.deploy().wait()
        assert [(service.name, service.kind) for stage in run.stages for service in stage.services] == [
            (web.id, "SIMULATED_VALUE")
        ]
        assert [change.name for change in run.changes()][-1] == web.id


def test_a_service_that_was_never_deployed_is_uninstalled_whatever_is_read_of_it() -> None:
    with orlop.Simulation() as simulation:
        web = furnish(simulation).container()
        simulation.faults.add(unknown_enum="state")
        assert web.uninstall() is None
        web.deploy().wait()
        run = web.uninstall()
        assert run is not None and run.wait().ok


def test_typed_objects_meet_faults_too() -> None:
    with orlop.Simulation() as simulation:
        simulation.faults.add(status=429, operation="create_organization", times=1)
        with pytest.raises(orlop.RateLimited):
            simulation.organizations.create(name="acme", plan="FREE")
        simulation.faults.add(operation="create_organization", drop=True, times=1)
        with pytest.raises(orlop.Refused, match="dropped the answer"):
            simulation.organizations.create(name="acme", plan="FREE")
        assert simulation.organizations.find("acme").name == "acme"


def test_a_caller_without_credentials_asks_for_no_fault() -> None:
    with orlop.Simulation(authentication="required") as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        other = simulation.organizations.create(name="other", plan="FREE")
        ours, theirs = (
            {
                "Authorization": "Token "
                + simulation.request(
                    "POST", f"/organization/{owner.id}/apiToken", {"name": "ci", "role_id": None}
                ).check()["token"]
            }
            for owner in (acme, other)
        )
        before = simulation.now()

        def status(fault: str, who: dict[str, str], path: str = f"/organization/{acme.id}") -> int:
            return simulation.request("GET", path, headers={**who, "X-Orlop-Fault": fault}, trusted=False).status

        assert [status('{"latency": "2h"}', {}), status('{"status": 503}', {}), status('{"stale": "1h"}', {})] == [
            401,
            401,
            401,
        ]
        assert simulation.now() == before, "the clock moved for a caller without credentials"
        assert status('{"status": 503}', ours) == 503
        simulation.clock.advance(hours=2)
        simulation.faults.add(operation="*", stale="1h")
        assert simulation.request("GET", f"/organization/{acme.id}", headers=ours, trusted=False).status == 200
        assert simulation.request("GET", f"/organization/{acme.id}", headers=theirs, trusted=False).status == 404, (
            "an answer that another caller got"
        )
        assert simulation.request("GET", f"/organization/{acme.id}", trusted=False).status == 401


@pytest.mark.parametrize("storage", ["memory:", "sqlite"])
def test_a_fork_and_what_goes_back_answer_as_late_as_their_origin(storage: str, tmp_path: Path) -> None:
    with orlop.Simulation(storage if storage == "memory:" else tmp_path / "origin.db") as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        simulation.clock.advance(hours=1)
        simulation.faults.add(operation="list_project", stale="5m")
        assert len(acme.projects) == 0
        acme.projects.create(name="shop")
        before = simulation.snapshot()
        with simulation.fork() as fork:
            assert len(fork.organizations.get(acme.id).projects) == len(acme.projects) == 0
            fork.clock.advance(minutes=5)
            assert len(fork.organizations.get(acme.id).projects) == 1, "an answer that is too old"
        assert len(acme.projects) == 0, "an answer of the fork's"
        simulation.clock.advance(minutes=5)
        assert len(acme.projects) == 1
        if storage == "memory:":
            simulation.restore(before)
            assert len(acme.projects) == 0
        else:
            with pytest.raises(orlop.Conflict):
                simulation.restore(before)


def test_latency_passes_in_virtual_time() -> None:
    with orlop.Simulation() as simulation:
        simulation.faults.add(latency="2s")
        before = simulation.now()
        simulation.request("GET", "/organization")
        assert (simulation.now() - before).total_seconds() == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "fault must have a status, a latency, drop, stale or unknown_enum"),
        ({"status": 0}, "fault.status must be a whole number of 400 to 599, not 0"),
        ({"status": 200}, "fault.status must be a whole number of 400 to 599, not 200"),
        ({"latency": "soon"}, 'fault.latency must be a duration like "30s"'),
        ({"status": 500, "probability": 7}, "fault.probability must be a number of 0 to 1, not 7"),
        (
            {"operation": "craete_*", "drop": True},
            'fault.operation must be the id of an operation, or a pattern that matches one, not "craete_.*"',
        ),
        (
            {"operation": "x" * 70_000, "drop": True},
            "fault.operation must be the id of an operation such as create_container",
        ),
    ],
)
def test_a_wrong_fault_is_named(given: dict[str, object], said: str) -> None:
    with orlop.Simulation() as simulation, pytest.raises(orlop.Misuse, match=said):
        simulation.faults.add(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"operation": [], "status": 503}, r"fault.operation must be .* not \[\]"),
        ({"drop": 0, "status": 503}, "fault.drop must be true or false, not 0"),
        ({"status": 503, "probability": float("nan")}, "fault.probability must be a finite number, not nan"),
    ],
)
def test_what_is_empty_and_of_the_wrong_type_is_refused(given: dict[str, Any], said: str) -> None:
    with orlop.Simulation() as simulation, pytest.raises(orlop.Misuse, match=said):
        simulation.faults.add(**given)


@pytest.mark.parametrize(
    "fault", [{"status": 503}, {"drop": True}, {"latency": "1h"}, {"unknown_enum": "*"}, {"stale": "1h"}]
)
@pytest.mark.parametrize("storage", ["memory:", "sqlite"])
def test_reports_predictions_replays_and_expectations_meet_no_faults(
    fault: dict[str, Any], storage: str, tmp_path: Path
) -> None:
    with orlop.Simulation(storage if storage == "memory:" else tmp_path / "store.db") as simulation:
        platform = furnish(simulation)
        web = platform.container(name="web")
        assert web.state == "READY"  # the state that a stale answer would show later
        web.deploy().wait()
        before = simulation.now()
        report = repr(simulation.report())
        simulation.faults.add(**fault)
        assert repr(simulation.report()) == report
        assert [service.name for service in platform.environment.predict(runs=2).services] == ["web"]
        assert Replay(simulation, simulation.last_event).run().states == {
            "europe": "DEPLOYED",
            "web of production": "DEPLOYED",
        }
        orlop.expect(simulation).within("1m", web, "DEPLOYED")
        orlop.expect(simulation).within("1m", platform.cluster, "DEPLOYED")
        assert (simulation.now(), [entry["matched"] for entry in simulation.faults]) == (before, [0])


@pytest.mark.parametrize("fault", ["status: 503", "drop: true", "latency: 1h", "unknown_enum: '*'", "stale: 1h"])
def test_what_is_expected_of_a_scenario_is_read_without_its_faults(fault: str) -> None:
    scenario = document.parse(
        f"""\
resources:
  - {{family: organization, name: acme, plan: FREE}}
  - {{family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}}
  - {{family: project, name: shop}}
  - {{family: environment, name: production, cluster_id: "{{europe}}"}}
  - {{family: database, name: stock, type: POSTGRESQL, version: "16", mode: CONTAINER}}
actions:
  - {{deploy: production}}
  - {{at: 1m, faults: [{{{fault}}}]}}
expect:
  - {{state: DEPLOYED, of: stock}}
  - {{state: DEPLOYED, of: europe}}
  - {{eventually: "services.any(name == 'stock' and state == 'DEPLOYED')"}}
""".encode()
    )
    played = play(scenario, 1)
    assert (played.outcome.failed, played.outcome.seconds) == ([], 60)
