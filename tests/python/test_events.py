"""Events by filter, waits for them, and the events that the feed keeps."""

from __future__ import annotations

import json
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import orlop
from test_serve import call


def found(engine: orlop.Engine, count: int) -> list[str]:
    return [engine.organizations.create(name=f"acme {number}", plan="FREE").id for number in range(count)]


def test_filters_hold_together() -> None:
    with orlop.Simulation(require_cluster=False) as sim:
        first, second = found(sim, 2)
        assert {event["organization"] for event in sim.events(organization=first)} == {first}
        assert [event["kind"] for event in sim.events(subject=second)] == ["organization.created"]
        assert sim.events(subject=second, organization=first) == []
        assert len(sim.events(kinds=["organization.created"])) == 2
        assert sim.events(kinds=["organization.*"]) == sim.events(kinds=["project.*", "organization.created"])
        assert sim.events(1, kinds=["organization.created"])[0]["sequence"] > 1
        for kinds in (["step started"], [".*"], ["*"], ["x" * 70_000], ["a.b"] * 101):
            with pytest.raises(orlop.Misuse):
                sim.events(kinds=kinds)
        with pytest.raises(orlop.Misuse):
            sim.events(kinds=[5])  # type: ignore[list-item]
        for unknown in ("organization.creatd", "organisation.*", ""):
            with pytest.raises(orlop.Misuse, match="kinds must be the kind of an event"):
                sim.events(kinds=["organization.created", unknown])
        with pytest.raises(orlop.Misuse):
            sim.events(organization="none")


def test_a_wait_ends_with_the_event_that_is_wanted(tmp_path: Path) -> None:
    with orlop.Engine(tmp_path / "a.db") as engine, orlop.Engine(tmp_path / "a.db") as other:
        assert engine.events(timeout=0.01) == []
        seen: list[Any] = []
        thread = threading.Thread(target=lambda: seen.extend(engine.events(kinds=["project.created"], timeout=60)))
        thread.start()
        organization = other.organizations.create(name="acme", plan="FREE")
        organization.projects.create(name="shop")
        thread.join()
        assert [event["kind"] for event in seen] == ["project.created"]


def test_a_wait_on_the_main_thread_ends_with_ctrl_c() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background has no handler
    try:
        with orlop.Engine() as engine:
            pressed = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
            pressed.start()
            began = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                engine.events(timeout=60)
            pressed.join()
            assert time.monotonic() - began < 30
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_wait_lasts_its_time() -> None:
    with orlop.Engine() as engine:
        began = time.monotonic()
        assert engine.events(timeout=0.5) == []
        assert time.monotonic() - began >= 0.5


@pytest.mark.parametrize("place", ["memory:", "file"])
def test_old_events_go_by_number(tmp_path: Path, place: str) -> None:
    store = place if place == "memory:" else str(tmp_path / "a.db")
    with orlop.Simulation(storage=store, events_kept=20) as sim:
        found(sim, 50)
        sim.tick()
        events = sim.events()
        assert [event["sequence"] for event in events] == list(range(sim.last_event - 19, sim.last_event + 1))
        with pytest.raises(orlop.EventsForgotten, match=f"the first that is kept is event {events[0]['sequence']}"):
            sim.events(1)
        assert sim.events(events[0]["sequence"] - 1) == events
        found_last = sim.last_event
        sim.organizations.create(name="one more", plan="FREE")
        assert sim.events(found_last)[0]["sequence"] == found_last + 1


def test_one_tick_removes_a_bounded_number() -> None:
    with orlop.Simulation(events_kept=10) as sim:
        for _ in range(25):
            with sim.batch() as batch:
                for number in range(50):
                    batch.organizations.create(
                        name=f"acme {number} {sim.now()} {batch.request('GET', '/organization').body.count(b'id')}",
                        plan="FREE",
                    )
        last = sim.last_event
        assert last >= 1250
        assert sim.tick() == 0  # there is more to remove: a running engine continues at once
        assert sim.events()[0]["sequence"] == 1001
        sim.tick()
        assert sim.events()[0]["sequence"] == last - 9


def test_old_events_go_by_age() -> None:
    with orlop.Simulation(events_kept_for="1h") as sim:
        found(sim, 5)
        sim.clock.advance(minutes=30)
        sim.organizations.create(name="young", plan="FREE")
        sim.clock.advance(minutes=29)
        assert len(sim.events(kinds=["organization.created"])) == 6
        sim.clock.advance(minutes=10)
        assert [event["detail"]["name"] for event in sim.events(kinds=["organization.created"])] == ["young"]
        sim.clock.advance(days=10)
        assert [event["sequence"] for event in sim.events()] == [sim.last_event]  # the last one stays


def test_consumers_hold_events_back() -> None:
    with orlop.Simulation(events_kept=1) as sim:
        found(sim, 5)
        assert sim.register_consumer("billing") == 0
        sim.tick()
        assert len(sim.events()) == sim.last_event
        sim.acknowledge("billing", 3)
        assert sim.register_consumer("billing") == 3
        assert sim.forget_events(sim.last_event) == 4
        assert sim.consumers[0] == {
            "name": "billing",
            "acknowledged": 3,
            "acknowledged_at": sim.consumers[0]["acknowledged_at"],
        }
        with pytest.raises(orlop.NotFound):
            sim.acknowledge("unknown", 1)
        with pytest.raises(orlop.Misuse, match="the last one is"):
            sim.acknowledge("billing", 10_000)
        for name in ("", "a b", "x" * 65, "x" * 70_000, "ä", "a/b"):
            with pytest.raises(orlop.Misuse):
                sim.register_consumer(name)
        sim.unregister_consumer("billing")
        assert sim.forget_events(2**62) == sim.last_event
        for number in range(100):
            sim.register_consumer(f"c{number}")
        with pytest.raises(orlop.Conflict):
            sim.register_consumer("c100")


def test_consumers_survive_and_are_part_of_snapshots(tmp_path: Path) -> None:
    with orlop.Engine(tmp_path / "a.db") as engine:
        found(engine, 5)
        engine.register_consumer("billing")
        engine.acknowledge("billing", 3)
        engine.forget_events(3)
    with orlop.Engine(tmp_path / "a.db") as engine:
        assert engine.register_consumer("billing") == 3
        assert engine.events()[0]["sequence"] == 4
        snapshot = engine.snapshot()
        last = engine.last_event
    with orlop.Engine(snapshot=snapshot) as engine:
        assert engine.events()[0]["sequence"] == 4 and engine.last_event == last
        assert engine.register_consumer("billing") == 3
        engine.organizations.create(name="next", plan="FREE")
        assert engine.events(last)[0]["sequence"] == last + 1
        with pytest.raises(orlop.EventsForgotten):
            engine.events(1)


def test_logs_reach_back_as_far_as_the_feed() -> None:
    with orlop.Simulation(require_cluster=False) as sim:
        organization = sim.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        environment.databases.create(name="store", type="REDIS", version="7", mode="CONTAINER")
        sim.request("POST", f"/environment/{environment.id}/deploy")
        sim.run_until_idle()
        history = sim.request("GET", f"/environment/{environment.id}/deploymentHistory").json()
        audit = sim.request("GET", f"/organization/{organization.id}/events").json()
        assert audit["events"]
        sim.forget_events(sim.last_event)
        assert sim.request("GET", f"/environment/{environment.id}/deploymentHistory").json() == history
        assert (
            len(sim.request("GET", f"/organization/{organization.id}/events").json()["events"]) <= 1
        )  # the last event stays
        assert sim.request("GET", f"/environment/{environment.id}/status").json()["state"] == "DEPLOYED"


def test_the_feed_answers_over_http() -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        first, second = found(engine, 2)
        status, page = call(url, "GET", f"/-/events?organization={first}")
        assert (
            status == 200
            and [event["organization"] for event in page["events"]] == [first]
            and page["next"] == engine.last_event
        )
        assert call(url, "GET", "/-/events?limit=1")[1]["has_more"]
        assert (
            call(url, "GET", f"/-/events?subject={second}&kind=organization.*,step.started")[1]["events"][0]["subject"]
            == second
        )
        for query in (
            "since=x",
            "since=-1",
            "limit=0",
            "limit=10001",
            "organization=x",
            "kind=A",
            "subject=",
            "nothing=1",
            "kind=" + "a" * 5000,
        ):
            assert call(url, "GET", f"/-/events?{query}")[0] == 400, query
        assert call(url, "PUT", "/-/events/consumers/billing")[1]["acknowledged"] == 0
        assert call(url, "PUT", "/-/events/consumers/billing", {"acknowledged": 1})[1]["acknowledged"] == 1
        assert call(url, "GET", "/-/events/consumers")[1]["results"][0]["name"] == "billing"
        refused: list[Any] = [{"acknowledged": -1}, {"acknowledged": "1"}, {"other": 1}, [], {"acknowledged": 99}]
        for body in refused:
            assert call(url, "PUT", "/-/events/consumers/billing", body)[0] == 400, body
        assert call(url, "DELETE", "/-/events?through=2")[1] == {"first": 2}
        assert call(url, "DELETE", "/-/events")[0] == 400
        assert call(url, "DELETE", "/-/events/consumers/billing")[0] == 204
        assert call(url, "DELETE", "/-/events/consumers/billing")[0] == 404
        assert call(url, "POST", "/-/events")[0] == 405
        engine.organizations.create(name="third", plan="FREE")
        call(url, "DELETE", "/-/events?through=2")
        gone, refusal = call(url, "GET", "/-/events?since=1")
        assert gone == 410 and "event 3" in refusal["message"]


def test_the_audit_log_names_what_has_a_name_that_is_not_unique() -> None:
    with orlop.Simulation(seed=1) as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        cluster = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        project = acme.projects.create(name="shop")
        hours = {
            "timezone": "UTC",
            "start_time": "1970-01-01T08:00:00Z",
            "stop_time": "1970-01-01T19:00:00Z",
            "weekdays": ["MONDAY"],
        }
        rule = {"name": "nights", "mode": "DEVELOPMENT", "cluster_id": cluster.id, **hours}
        simulation.request("POST", f"/project/{project.id}/deploymentRule", rule).check()
        receiver = {
            "name": "on call",
            "description": "",
            "type": "SLACK",
            "send_resolved": True,
            "webhook_url": "https://hooks.example.com/x",
        }
        simulation.request("POST", "/alert-receivers", {"organization_id": acme.id, **receiver}).check()
        logged = simulation.request("GET", f"/organization/{acme.id}/events", query={"pageSize": 2}).check()["events"]
    assert {event["sub_target_type"]: json.loads(event["change"])["name"] for event in logged} == {
        "DEPLOYMENT_RULE": "nights",
        "ALERT_RECEIVER": "on call",
    }
