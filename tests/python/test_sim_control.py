"""A simulation that a program in another language controls over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import signal
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest

import orlop
import orlop.asgi
from conftest import furnish
from test_asgi import JSON, ask
from test_serve import call, served, speak


def test_a_served_simulation_is_controlled_by_requests(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    with served(tmp_path, "--sim", "--speed", "0", "--seed", "5", "--ready-file", str(ready)) as (process, url):
        assert json.loads(ready.read_text()) == {"url": url, "pid": process.pid}
        assert call(
            url,
            "PUT",
            "/-/sim/rules",
            {"rules": [{"step": "cluster_create", "after": "25m"}], "transitions": {"database": "manual"}},
        ) == (204, None)
        organization = call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})[1]["id"]
        cluster = call(
            url,
            "POST",
            f"/organization/{organization}/cluster",
            {"name": "eu", "region": "eu-west-3", "cloud_provider": "AWS"},
        )[1]["id"]
        call(url, "POST", f"/organization/{organization}/cluster/{cluster}/deploy")
        before = call(url, "GET", "/-/sim/clock")[1]["now"]
        status, clock = call(url, "POST", "/-/sim/clock", {"until_idle": True})
        assert (status, clock["passed_ms"]) == (200, 25 * 60_000)
        assert clock["now"] > before
        assert call(url, "GET", f"/organization/{organization}/cluster/{cluster}/status")[1]["status"] == "DEPLOYED"
        rule = call(url, "GET", "/-/sim/rules")[1]["rules"][0]
        assert (rule["matched"], rule["applied"]) == (1, 1)
        status, refused = call(url, "POST", "/-/sim/rules", {"steps": "build"})
        assert (status, refused["message"]) == (
            400,
            'rule.steps is not a member of a rule; the nearest known one is "step"',
        )
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        assert not ready.exists()


def test_a_snapshot_over_http_opens_a_simulation(tmp_path: Path) -> None:
    with orlop.Simulation(seed=3) as simulation:
        simulation.rules.pack("realistic")
        with simulation.serve() as url:
            call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})
            import urllib.request

            with urllib.request.urlopen(url + "/-/sim/snapshot") as answer:
                snapshot = answer.read()
        assert snapshot == simulation.snapshot()
    with orlop.Simulation(seed=3, snapshot=snapshot) as again:
        assert again.rules.to_dict()["pack"] == "realistic"


LARGE = {"rules": [{"name": f"service-{number}", "fails": "x" * 1000} for number in range(2500)]}


@pytest.mark.parametrize("is_chunked", [False, True])
def test_what_controls_a_simulation_may_be_large(is_chunked: bool) -> None:
    with orlop.Simulation(seed=3) as simulation, simulation.serve() as url:
        simulation.rules.load(LARGE)
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        connection.request("GET", "/-/sim/snapshot")
        snapshot = connection.getresponse().read()
        assert len(snapshot) > 2 << 20
        simulation.rules.clear()
        for path, status in (("/-/sim/snapshot", 204), ("/organization", 400)):
            parts = iter([snapshot[: 1 << 20], snapshot[1 << 20 :]])
            connection.request(
                "PUT" if status == 204 else "POST",
                path,
                parts if is_chunked else snapshot,
                {"content-type": "application/json"},
                encode_chunked=is_chunked,
            )
            answer = connection.getresponse()
            assert (answer.status, b"more than 1048576 bytes" in answer.read()) == (status, status == 400)
        connection.close()
        assert len(simulation.rules) == len(LARGE["rules"])
        too_large = b"POST /-/sim/rules HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 67108865\r\n\r\n"
        assert b"the body has more than 67108864 bytes" in speak(url, too_large)
    with orlop.Engine() as engine, engine.serve() as url:
        assert call(url, "POST", "/-/sim/rules", LARGE)[0] == 400


def test_an_asgi_application_takes_a_large_snapshot() -> None:
    with orlop.Simulation(seed=3) as simulation:
        simulation.rules.load({"rules": LARGE["rules"] * 8})
        snapshot = bytes(simulation.snapshot())
        assert len(snapshot) > 16 << 20
        simulation.rules.clear()
        parts = [snapshot[: 1 << 20], snapshot[1 << 20 : 17 << 20], snapshot[17 << 20 :]]
        assert ask(orlop.asgi.app(simulation), "PUT", "/-/sim/snapshot", *parts, headers=[JSON]).status == 204
        assert len(simulation.rules) == 20_000


@pytest.mark.parametrize("path", ["/-/sim/rules", "/-/sim/clock", "/-/sim/snapshot"])
def test_an_engine_in_real_time_is_not_controlled(path: str) -> None:
    with orlop.Engine() as engine:
        assert engine.request("GET", path).status == 404


def test_a_caller_without_rights_controls_nothing(tmp_path: Path) -> None:
    with orlop.Simulation(authentication="required") as simulation, simulation.serve() as url:
        before = simulation.now()
        assert call(url, "POST", "/-/sim/clock", {"advance": "2h"})[0] == 401
        assert call(url, "PUT", "/-/sim/rules", {})[0] == 401
        refused = {"Authorization": "Token unknown"}
        assert simulation.request("POST", "/-/sim/clock", {"advance": "2h"}, refused).status == 401, (
            "the host's requests too, if they have a token"
        )
        assert simulation.now() == before
        assert simulation.request("POST", "/-/sim/clock", {"advance": "2h"}).ok
        assert (simulation.now() - before).total_seconds() == 7200


def test_the_ready_file_is_never_half_written(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    ready.write_text("of an earlier run")
    with served(tmp_path, "--ready-file", str(ready)) as (process, url):
        assert json.loads(ready.read_text())["url"] == url
        assert os.listdir(tmp_path).count("ready.json") == 1
        assert not [name for name in os.listdir(tmp_path) if name.startswith("ready.json.")]


def test_a_snapshot_that_was_cut_off_is_refused() -> None:
    with orlop.Simulation() as simulation:
        simulation.rules.add(fails="no route")
        snapshot = bytes(simulation.snapshot())
        cut = snapshot[: snapshot.rindex(b'{"simulation":')]
        with pytest.raises(orlop.Misuse, match='it ends here without the line "simulation" that its header promises'):
            simulation.restore(cut)
        assert [rule["fails"] for rule in simulation.rules] == ["no route"]
        with pytest.raises(orlop.Error, match='without the line "simulation"'):
            orlop.Simulation(snapshot=cut)


def test_the_wait_for_idle_has_a_bound() -> None:
    with orlop.Simulation() as simulation, simulation.serve() as url:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", after="90s")
        platform.container().deploy()
        assert call(url, "POST", "/-/sim/clock", {"until_idle": True, "timeout": "1m"})[1] == {
            "now": "2026-01-01T00:01:00.000Z",
            "passed_ms": 60000,
            "end": "late",
        }
        assert call(url, "POST", "/-/sim/clock", {"until_idle": True, "timeout": "1h"})[1] == {
            "now": "2026-01-01T00:01:30.000Z",
            "passed_ms": 30000,
            "end": "idle",
        }
        assert call(url, "POST", "/-/sim/clock", {"advance": 1, "timeout": "1h"})[0] == 400
        described = call(url, "GET", "/-/sim/openapi.json")[1]["paths"]
        assert set(described["/-/sim/state"]["post"]["responses"]) == {"204", "400", "401", "404", "409"}
        assert set(described["/-/sim/rules"]["post"]["responses"]) == {"204", "400", "401", "409"}
        simulation.faults.add(operation="get_cluster", status=503)
        assert (
            call(url, "GET", f"/organization/{platform.organization.id}/cluster/{platform.cluster.id}")[1]["error"]
            == "Service Unavailable"
        )


def test_forks_and_snapshots_keep_the_receivers() -> None:
    with orlop.Simulation() as simulation:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        organization.webhooks.create(
            kind="STANDARD", target_url="https://ci.example.com/1", events=["DEPLOYMENT_STARTED"]
        )
        simulation.receivers.add(url="https://ci.example.com/*", status=503, text="later", times=2)
        simulation.receivers.add(url="https://other.example.com/*", status=0)
        with pytest.raises(orlop.Misuse, match="receiver.status must be 0 or 100 to 599, not 99"):
            simulation.receivers.add(url="*", status=99)
        snapshot = simulation.snapshot()
        kept = json.loads(bytes(snapshot).splitlines()[-1])["simulation"]["receivers"]
        assert kept == [
            {"url": "https://other.example.com/*", "status": 0, "text": "", "times": 0},
            {"url": "https://ci.example.com/*", "status": 503, "text": "later", "times": 2},
        ]
        with simulation.fork() as other:
            assert json.loads(bytes(other.snapshot()).splitlines()[-1])["simulation"]["receivers"] == kept
            other.restore(bytes(orlop.Simulation().snapshot()))
            assert b'"receivers"' not in bytes(other.snapshot())
            other.restore(bytes(snapshot))
            assert json.loads(bytes(other.snapshot()).splitlines()[-1])["simulation"]["receivers"] == kept


def test_answers_are_as_described() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        simulation.rules.add(kind="container", after="30s", times=3)
        simulation.rules.add(kind="environment", parallel=2)
        simulation.faults.add(operation="create_container", status=503, nth=2)
        simulation.sources.add(image="acme/web", tags=["1.0"])
        simulation.capacity(platform.cluster, nodes=1, cpu=4, memory="16GiB")
        described = simulation.request("GET", "/-/sim/openapi.json").json()
        for path, operations in described["paths"].items():
            content = (
                operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).get("application/json")
            )
            if content is None:
                continue
            answer = simulation.request("GET", path).json()
            jsonschema.Draft202012Validator({**content["schema"], "components": described["components"]}).validate(
                answer
            )
            if "put" in operations:
                assert simulation.request("PUT", path, answer).status == 204, "what was read is not taken back"
        members = described["components"]["schemas"]
        for schema, member in (("Rule", "parallel"), ("Capacity", "pods"), ("Capacity", "lose")):
            assert members[schema]["properties"][member]["allOf"][0]["minimum"] == 1, "0 is refused"
