"""The host checks the query of an alert rule before the rule is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orlop
import pytest
from conftest import Platform

QUERY = "memory_used / memory_limit"


class Prometheus(orlop.ExternalSystems):
    """Does not know the operator `+`; with `is_down` it cannot be reached."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_down = False

    def check_promql(self, question: Mapping[str, Any]) -> str:
        self.asked.append(question["query"])
        if self.is_down:
            raise ConnectionError("prometheus: connection refused")
        return "unexpected character '+'" if "+" in question["query"] else ""


class AlertPlatform(Platform):
    def __init__(self, systems: orlop.ExternalSystems | None) -> None:
        super().__init__(external_systems=systems)
        receiver = {
            "organization_id": self.organization.id,
            "name": "team",
            "description": "",
            "type": "SLACK",
            "send_resolved": True,
        }
        self.receiver = self.ask(
            "POST", "/alert-receivers", receiver | {"webhook_url": "https://hooks.slack.com/services/T1/B1/x"}
        )

    def rule(self, query: Any = QUERY, **members: Any) -> dict[str, Any]:
        return {
            "organization_id": self.organization.id,
            "cluster_id": self.cluster.id,
            "name": "memory",
            "description": "",
            "tag": "",
            "condition": {"kind": "CUSTOM", "operator": "ABOVE", "threshold": 0.9, "function": "MAX", "promql": query},
            "for_duration": "PT5M",
            "severity": "HIGH",
            "enabled": True,
            "alert_receiver_ids": [self.receiver["id"]],
            "presentation": {"summary": "full"},
            "target": {"target_type": "CLUSTER", "target_id": self.cluster.id},
        } | members

    def rules(self) -> Any:
        return self.ask("GET", f"{self.home}/alert-rules")["results"]

    def queries(self) -> list[str]:
        return [rule["condition"]["promql"] for rule in self.rules()]


@pytest.fixture(name="systems")
def systems_fixture() -> Prometheus:
    return Prometheus()


@pytest.fixture(name="platform")
def platform_fixture(systems: Prometheus) -> Iterator[AlertPlatform]:
    with AlertPlatform(systems) as platform:
        yield platform


def edited(rule: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    kept = (
        "name",
        "description",
        "tag",
        "condition",
        "for_duration",
        "severity",
        "enabled",
        "alert_receiver_ids",
        "presentation",
    )
    return {name: rule[name] for name in kept} | members


def test_a_query_that_the_host_refuses_is_not_stored(platform: AlertPlatform, systems: Prometheus) -> None:
    with pytest.raises(orlop.Invalid, match=r"condition\.promql.*must be PromQL: unexpected character '\+'"):
        platform.ask("POST", "/alert-rules", platform.rule("a + b"))
    assert platform.rules() == []
    rule = platform.ask("POST", "/alert-rules", platform.rule())
    assert platform.queries() == [QUERY]
    with pytest.raises(orlop.Invalid, match=r"condition\.promql"):
        platform.ask(
            "PUT",
            f"/alert-rules/{rule['id']}",
            edited(rule, condition=rule["condition"] | {"promql": "+"}, name="other"),
        )
    assert [(rule["name"], rule["condition"]["promql"]) for rule in platform.rules()] == [("memory", QUERY)]
    platform.ask(
        "PUT", f"/alert-rules/{rule['id']}", edited(rule, condition=rule["condition"] | {"promql": "memory_used"})
    )
    assert platform.queries() == ["memory_used"]
    assert systems.asked == ["a + b", QUERY, "+", "memory_used"]


def test_a_host_that_cannot_answer_fails_the_request(platform: AlertPlatform, systems: Prometheus) -> None:
    systems.is_down = True
    answer = platform.simulation.request("POST", "/alert-rules", platform.rule())
    assert (answer.status, b"connection refused" in answer.body) == (502, True)
    assert platform.rules() == []


def test_a_rule_is_muted_while_the_host_cannot_answer(platform: AlertPlatform, systems: Prometheus) -> None:
    rule = platform.ask("POST", "/alert-rules", platform.rule())
    systems.is_down = True
    platform.ask("PUT", f"/alert-rules/{rule['id']}", edited(rule, enabled=False))
    assert [rule["enabled"] for rule in platform.rules()] == [False]
    assert systems.asked == [QUERY]


@pytest.mark.parametrize("query", [None, "", 5, ["a"], {}])
def test_what_is_no_text_is_refused_without_a_question(
    platform: AlertPlatform, systems: Prometheus, query: Any
) -> None:
    with pytest.raises(orlop.Invalid, match="promql"):
        platform.ask("POST", "/alert-rules", platform.rule(query))
    with pytest.raises(orlop.Invalid, match="condition"):
        platform.ask("POST", "/alert-rules", platform.rule(condition=query))
    assert systems.asked == []


def test_a_rule_that_is_refused_anyway_is_not_asked_about(platform: AlertPlatform, systems: Prometheus) -> None:
    elsewhere = {"target_type": "CLUSTER", "target_id": platform.organization.id}
    wrong: dict[str, Any] = {"severity": "LOUD", "target": elsewhere, "alert_receiver_ids": []}
    for member, value in wrong.items():
        with pytest.raises(orlop.Invalid, match=member):
            platform.ask("POST", "/alert-rules", platform.rule(**{member: value}))
    for query in ("a" * 16_385, "a" * 900_000, "sum(a", "'"):
        with pytest.raises(orlop.Invalid, match=r"condition\.promql"):
            platform.ask("POST", "/alert-rules", platform.rule(query))
    with pytest.raises(orlop.NotFound):
        platform.ask("POST", "/alert-rules", platform.rule(organization_id=platform.cluster.id))
    assert systems.asked == [] and platform.rules() == []
    rule = platform.ask("POST", "/alert-rules", platform.rule())
    with pytest.raises(orlop.Invalid, match="severity"):
        platform.ask(
            "PUT",
            f"/alert-rules/{rule['id']}",
            edited(rule, condition=rule["condition"] | {"promql": "b"}, severity="LOUD"),
        )
    with pytest.raises(orlop.PreconditionFailed):
        platform.ask(
            "PUT",
            f"/alert-rules/{rule['id']}",
            edited(rule, condition=rule["condition"] | {"promql": "b"}),
            headers={"If-Match": '"99"'},
        )
    assert systems.asked == [QUERY] and platform.queries() == [QUERY]


def test_a_repeated_request_has_one_effect(platform: AlertPlatform, systems: Prometheus) -> None:
    first = platform.ask("POST", "/alert-rules", platform.rule(), headers={"Idempotency-Key": "k"})
    again = platform.ask("POST", "/alert-rules", platform.rule(), headers={"Idempotency-Key": "k"})
    assert first["id"] == again["id"] and len(platform.rules()) == 1
    assert systems.asked == [QUERY]


def test_a_long_query_reaches_the_host_whole(platform: AlertPlatform, systems: Prometheus) -> None:
    long = "a" * 16_384
    platform.ask("POST", "/alert-rules", platform.rule(long))
    assert systems.asked == [long]
    with pytest.raises(orlop.Invalid, match="promql"):
        platform.ask("POST", "/alert-rules", platform.rule(long + "a"))
    assert platform.queries() == [long] and systems.asked == [long]


class Unable(orlop.ExternalSystems):
    def check_promql(self, question: Mapping[str, Any]) -> str:
        raise orlop.Unanswered("no Prometheus here")


@pytest.mark.parametrize("systems", [None, Unable()], ids=["without a host", "the host does not answer"])
def test_without_an_answer_brackets_and_quotation_marks_are_checked(systems: orlop.ExternalSystems | None) -> None:
    with AlertPlatform(systems) as platform:
        platform.ask("POST", "/alert-rules", platform.rule("a + b"))
        with pytest.raises(orlop.Invalid, match=r"condition\.promql"):
            platform.ask("POST", "/alert-rules", platform.rule("sum(a"))
        assert platform.queries() == ["a + b"]
