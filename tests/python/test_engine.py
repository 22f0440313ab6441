"""Requests, replies and the feed."""

from __future__ import annotations

import importlib.metadata
from datetime import datetime, timezone

import pytest

import orlop
from conftest import furnish


def test_a_request_is_answered() -> None:
    with orlop.Engine() as engine:
        reply = engine.request("POST", "/organization", json={"name": "acme", "plan": "FREE"})
        assert (reply.status, reply.ok) == (201, True)
        assert reply.headers["content-type"].startswith("application/json")
        assert isinstance(reply.body, bytes)
        assert reply.json()["name"] == "acme"
        again = engine.request("GET", f"/organization/{reply.json()['id']}")
        assert (again.status, again.json()) == (200, reply.json())


def test_a_refusal_is_a_reply() -> None:
    with orlop.Engine() as engine:
        reply = engine.request("POST", "/organization", json={"name": "", "plan": "GOLD"})
        assert (reply.status, reply.ok) == (400, False)
        assert {entry["field"] for entry in reply.json()["violations"]} == {"name", "plan"}
        assert engine.request("GET", "/nowhere").status == 404
        assert engine.request("PATCH", "/organization").status == 405
        assert engine.request("POST", "/organization", json=b"{").status == 400


def test_no_body_gives_none() -> None:
    with orlop.Engine() as engine:
        platform = furnish(engine)
        reply = engine.request("DELETE", f"/project/{platform.project.id}")
        assert (reply.status, reply.body, reply.json()) == (204, b"", None)


def test_what_is_not_json_is_the_programs_mistake() -> None:
    with orlop.Engine() as engine, pytest.raises(orlop.Invalid, match="^name must be a JSON value"):
        engine.request("POST", "/organization", json={"name": object()})


def test_query_and_headers_go_through() -> None:
    with orlop.Engine() as engine:
        for number in range(3):
            engine.organizations.create(name=f"acme {number}", plan="FREE")
        page = engine.request(
            "GET", "/organization", query={"page": 2, "page_size": 2}, headers={"Accept": "application/json"}
        ).json()
        assert len(page["results"]) == 1
        assert page["pagination"]["total_count"] == 3


def test_text_of_any_kind_survives() -> None:
    name = 'Käse & ☃ \U0001f6a2 "x" \\ /'
    with orlop.Engine() as engine:
        created = engine.organizations.create(name=name, plan="FREE")
        assert engine.organizations.get(created.id).name == name


def test_events_come_in_order_and_once() -> None:
    with orlop.Engine() as engine:
        furnish(engine)
        events = engine.events()
        assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
        assert engine.last_event == len(events)
        assert engine.events(since=len(events)) == []
        assert engine.events(since=3) == events[3:]
        assert events[0]["kind"] == "organization.created"


def test_events_of_a_request_and_of_a_subject() -> None:
    with orlop.Simulation() as engine:
        platform = furnish(engine)
        container = platform.container()
        run = platform.environment.deploy().wait()
        platform.environment.deploy().wait()
        events = engine.events()
        assert run.events() == [event for event in events if event.get("request") == run.id] != []
        assert engine.events(subject=container.id) == [event for event in events if event["subject"] == container.id]
        last = run.events()[-1]["sequence"]
        assert engine.events(since=last, request=run.id) == []
        assert engine.events(subject="0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1001") == []
        both = engine.events(request=run.id, subject=container.id)
        assert both == [event for event in run.events() if event["subject"] == container.id] != []
        wrong: dict[str, str]
        for wrong in ({"request": ""}, {"subject": "acme"}, {"request": "00000000-0000-0000-0000-000000000000"}):
            with pytest.raises(orlop.Misuse):
                engine.events(request=wrong.get("request"), subject=wrong.get("subject"))


def test_many_events_are_read_in_parts() -> None:
    with orlop.Engine() as engine:
        import orlop.engine.base_engine as module

        furnish(engine)
        whole = engine.events()
        before, module._EVENTS_AT_ONCE = module._EVENTS_AT_ONCE, 2
        try:
            assert engine.events() == whole
        finally:
            module._EVENTS_AT_ONCE = before


def test_an_idle_engine_wants_no_tick() -> None:
    with orlop.Engine() as engine:
        assert engine.tick() is None


def test_the_clock_of_the_host_is_the_engines() -> None:
    with orlop.Engine(clock=lambda: 1_800_000_000.25) as engine:
        assert engine.now() == datetime.fromtimestamp(1_800_000_000.25, timezone.utc)
        assert engine.organizations.create(name="acme", plan="FREE").created_at == "2027-01-15T08:00:00.250Z"


def test_ids_follow_from_the_seed() -> None:
    def ids(seed: int) -> list[str]:
        with orlop.Engine(clock=lambda: 1_800_000_000.0, seed=seed) as engine:
            return [engine.organizations.create(name=name, plan="FREE").id for name in "ab"]

    assert ids(1) == ids(1)
    assert ids(1) != ids(2)


def test_the_brand_is_the_hosts() -> None:
    with orlop.Engine(brand="harbour") as engine:
        described = engine.request("GET", "/azure/clusterFeature").body
        assert b"platform_feature" not in described
        assert b"harbour_feature" in described


def test_the_version_is_one() -> None:
    assert importlib.metadata.version("orlop") == orlop.__version__
