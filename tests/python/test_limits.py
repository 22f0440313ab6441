"""Quotas, rate limits, and expiry and waiting times, as a test author writes them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import orlop
from conftest import Platform
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play
from test_serve import call

BRANCHES = "/account/github/repository/branch"


def ask(simulation: orlop.Simulation) -> tuple[int, str]:
    reply = simulation.request("GET", BRANCHES, query={"name": "acme/shop"})
    return reply.status, reply.json().get("message", "")


def limited(simulation: orlop.Simulation) -> None:
    simulation.externals.add("list_branches", [{"name": "main"}])
    simulation.externals.add("list_*", error="rate limit exceeded", over=2, per="1h")


def test_a_rate_limit_is_over_when_its_window_is() -> None:
    with orlop.Simulation() as simulation:
        limited(simulation)
        assert [ask(simulation)[0] for _ in range(3)] == [200, 200, 502]
        assert ask(simulation) == (502, "rate limit exceeded")
        assert [rule.get("counted") for rule in simulation.externals] == [None, 4]
        simulation.clock.advance(hours=1)
        assert ask(simulation)[0] == 200


def test_a_refusal_is_an_event_that_names_the_rule() -> None:
    with orlop.Simulation() as simulation:
        simulation.externals.add("list_branches", [{"name": "main"}])
        simulation.externals.add("list_*", error="rate limit exceeded", over=1, per="1h", rule="API limit")
        assert [ask(simulation)[0] for _ in range(3)] == [200, 502, 502]
        refused = simulation.events.where(kind="simulation.limit_exceeded")
        said = {
            "rule": "API limit",
            "question": "list_branches",
            "error": "rate limit exceeded",
            "over": 1,
            "per": 3600,
        }
        assert [event["detail"] for event in refused] == [said, said]
        assert [rule.get("rule") for rule in simulation.externals] == [None, "API limit"]
        with pytest.raises(orlop.Misuse, match="rule must be text of at most 256 bytes"):
            simulation.externals.add("list_*", error="x", rule="r" * 70_000)


def test_a_scenario_names_its_rules_of_external_systems() -> None:
    text = """\
externals: [{question: admit, error: used up, over: 2}]
resources: [{family: organization, name: acme, plan: FREE}, {family: project, name: shop}]
actions: [{every: 1m, times: 3, edit: shop, set: {description: "{n}"}}]
"""
    events = play(document.parse(text.encode()), 1).events
    refused = [event["detail"]["rule"] for event in events if event["kind"] == "simulation.limit_exceeded"]
    assert refused and set(refused) == {"externals[0]"}


def test_snapshots_and_forks_keep_what_is_used() -> None:
    with orlop.Simulation() as simulation:
        limited(simulation)
        assert ask(simulation)[0] == 200
        before = simulation.snapshot()
        with simulation.fork() as other:
            assert [ask(other)[0] for _ in range(2)] == [200, 502]
        assert [ask(simulation)[0] for _ in range(2)] == [200, 502]
        simulation.restore(before)
        assert [ask(simulation)[0] for _ in range(2)] == [200, 502]
        assert b"main" not in bytes(before), "answers may hold secrets"
        with orlop.Simulation(snapshot=bytes(before)) as opened:
            opened.externals.add("list_branches", [{"name": "main"}])
            assert [ask(opened)[0] for _ in range(2)] == [200, 502]


def test_the_trace_names_the_limit(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    simulation.rules.add(rule="pull limit", step="deploy", kind="container", over=1, per="6h", fails="toomanyrequests")
    platform.container("web")
    platform.container("worker")
    run = platform.environment.deploy().wait()
    assert [failure.reason for failure in run.failures()] == ["toomanyrequests"]
    assert (
        sum('rule "pull limit" decides' in json.dumps(event).replace('\\"', '"') for event in simulation.events()) == 1
    )


def test_external_systems_and_domains_are_scripted_over_http() -> None:
    with orlop.Simulation() as simulation, simulation.serve() as url:
        rule = {
            "question": "list_branches",
            "where": {"repository": "acme/*"},
            "error": "down",
            "over": 1,
            "per": 60,
            "delay": 2,
            "times": 9,
        }
        assert call(url, "POST", "/-/sim/externals", rule) == (204, None)
        assert call(url, "GET", "/-/sim/externals")[1] == {"externals": [{**rule, "counted": 0}]}
        status, refused = call(
            url, "POST", "/-/sim/externals", {"externals": [rule, {"question": "list_branchs", "error": "x"}]}
        )
        assert (status, refused["message"]) == (
            400,
            'externals[1].question must be the name of a question, not "list_branchs"; the nearest known one is '
            '"list_branches"',
        )
        assert call(url, "DELETE", "/-/sim/externals") == (204, None)
        assert list(simulation.externals) == []
        assert call(url, "POST", "/-/sim/domains", {"domain": "*.example.com", "dns_after": "10m"}) == (204, None)
        assert list(simulation.domains) == [{"domain": "*.example.com", "dns_after": "10m"}]
        described = call(url, "GET", "/-/sim/openapi.json")[1]
        assert {"/-/sim/externals", "/-/sim/domains"} <= described["paths"].keys()
        assert {"over", "per", "older", "lasts"} <= described["components"]["schemas"]["Rule"]["properties"].keys()


def test_external_systems_of_the_host_are_not_scripted() -> None:
    class Company(orlop.ExternalSystems):
        def list_branches(self, question: Any) -> list[dict[str, str]]:
            return [{"name": "main"}]

    with orlop.Simulation(external_systems=Company()) as simulation:
        with pytest.raises(orlop.Conflict, match="this simulation has those of its host"):
            simulation.externals.add("list_branches", [])
        with pytest.raises(orlop.Conflict, match="this simulation has those of its host"):
            simulation.domains.add(dns_after="1m")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"over": -1}, "over must be a whole number of 1 to 4294967295, not -1"),
        ({"over": False}, "over must be a whole number of 1 to 4294967295, not false"),
        ({"over": 0.0}, "over must be a whole number of 1 to 4294967295, not 0"),
        ({"over": True}, "over must be a whole number of 1 to 4294967295, not true"),
        ({"per": "1h"}, "over is required where per is given"),
        ({"over": 1, "per": math.nan}, "per"),
        ({"over": 1, "per": "soon"}, "per must be a duration"),
        ({"question": "nothing_*"}, "question must be the name of a question, or a pattern that matches one"),
        ({"question": "*" * 70_000}, "question must be text of at most 256 bytes"),
    ],
)
def test_a_limit_that_is_not_allowed_is_named(given: dict[str, Any], said: str) -> None:
    with orlop.Simulation() as simulation, pytest.raises((orlop.Misuse, orlop.Invalid), match=said):
        simulation.externals.add(**{"question": "list_*", "error": "x", **given})


@pytest.mark.parametrize("given", [5, "text", {"question": "x"}, [5], None])
def test_lists_of_rules_are_lists_of_mappings(given: Any) -> None:
    with orlop.Simulation() as simulation:
        for load in (simulation.externals.load, simulation.domains.load):
            with pytest.raises(orlop.Misuse, match="rules must be a list of mappings, not "):
                load(given)


def test_a_rule_is_called_by_one_name(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    for wrong in (math.nan, "soon"):
        with pytest.raises((orlop.Misuse, orlop.Invalid), match=r"^rule\.queued "):
            simulation.rules.add(queued=wrong)
    with pytest.raises((orlop.Misuse, orlop.Invalid), match=r"^fault\.latency "):
        simulation.faults.add(latency=math.inf)
    for bad in (math.nan, None):
        with pytest.raises((orlop.Misuse, orlop.Invalid), match=r"^rules\[1\]\.queued "):
            simulation.rules.load({"rules": [{}, {"queued": bad}]})


def test_a_token_expires_in_virtual_time() -> None:
    with orlop.Simulation(authentication="required", start="2026-03-01T00:00:00Z") as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        reply = simulation.request(
            "POST", f"/organization/{acme.id}/apiToken", {"name": "ci", "expires_at": "2026-03-02T00:00:00Z"}
        ).json()
        path, headers = f"/organization/{acme.id}/project", {"Authorization": f"Token {reply['token']}"}
        simulation.clock.advance(hours=23)
        assert simulation.request("GET", path, headers=headers).status == 200
        simulation.clock.advance(hours=1)
        assert simulation.request("GET", path, headers=headers).status == 401
