"""The table detects an engine that deviates from it: the fact that a wrong answer contradicts fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import facts
import pytest
from checks import Checks
from orlop.base.wire import Reply, dumps, loads
from rules import registry_of_another_kind_needs_an_https_url
from fixture import Body, Fixture

INTERFACE = facts.interface()
FACTS = {fact.name: fact for fact in facts.facts_of(INTERFACE)}


class Deviating(Fixture):
    """A fixture whose functions, if set, change requests and answers."""

    ask_otherwise: Callable[[str, str, Body], Body] | None = None
    answer_otherwise: Callable[[str, str, Any, int], tuple[Any, int]] | None = None

    def ask(self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None) -> Reply:
        if self.ask_otherwise is not None and isinstance(body, dict):
            body = self.ask_otherwise(method, path, body)
        reply = super().ask(method, path, body, query)
        if self.answer_otherwise is None or not reply.body:
            return reply
        answer, status = self.answer_otherwise(method, path, reply.json(), reply.status)
        return Reply(status, reply.headers, dumps(answer))


@pytest.fixture
def deviating() -> Iterator[Deviating]:
    fixture = Deviating()
    yield fixture
    fixture.close()


def _show(fixture: Fixture, name: str) -> None:
    Checks(INTERFACE, fixture).show(FACTS[name])


def _without_civo(method: str, path: str, answer: Any, status: int) -> tuple[Any, int]:
    if isinstance(answer, dict) and answer.get("cloud_provider") == "CIVO":
        return {"status": 400, "error": "Bad Request", "message": "no", "violations": []}, 400
    return answer, status


def _with_a_wide_bound(method: str, path: str, body: Body) -> Body:
    return {**body, "disk_iops": 3000} if body.get("disk_iops") == 2999 else body


def _with_a_narrow_bound(method: str, path: str, body: Body) -> Body:
    return {**body, "disk_throughput": 1001} if body.get("disk_throughput") == 1000 else body


def _with_another_code(method: str, path: str, answer: Any, status: int) -> tuple[Any, int]:
    return answer, 200 if method == "POST" and path.endswith("/azure/credentials") else status


def _with_another_default(method: str, path: str, body: Body) -> Body:
    return {"disk_size": 40, **body} if path.endswith("/cluster") else body


def _with_the_name_left_out(method: str, path: str, body: Body) -> Body:
    return {"name": "unnamed", **body} if path.endswith("/database") else body


def _without_a_field(method: str, path: str, answer: Any, status: int) -> tuple[Any, int]:
    if isinstance(answer, dict):
        answer.pop("associated_services_count", None)
    return answer, status


def _with_the_secret(method: str, path: str, answer: Any, status: int) -> tuple[Any, int]:
    if isinstance(answer, dict) and isinstance(answer.get("config"), dict):
        answer["config"]["password"] = "canary-9f2c"
    return answer, status


def _with_a_text_for_a_number(method: str, path: str, answer: Any, status: int) -> tuple[Any, int]:
    if isinstance(answer, dict) and "deployment_requests_count" in answer:
        answer["deployment_requests_count"] = str(answer["deployment_requests_count"])
    return answer, status


def _with_an_open_enumeration(method: str, path: str, body: Body) -> Body:
    return {**body, "mode": "CONTAINER"} if body.get("mode") in ("OTHER", "container") else body


def _with_a_state_too_few(method: str, path: str, answer: Any, status: int) -> tuple[Any, int]:
    return (loads(dumps(answer).replace(b'"RECAP",', b"")) if path == "/openapi.json" else answer), status


ASKED = [
    (_with_a_wide_bound, "Cluster.disk_iops cannot be 2999"),
    (_with_a_narrow_bound, "Cluster.disk_throughput can be 1000"),
    (_with_another_default, "Cluster.disk_size is 20 by default"),
    (_with_the_name_left_out, "Database.name has to be given"),
    (_with_an_open_enumeration, "Database.mode may be nothing else"),
]
ANSWERED = [
    (_without_civo, "Cluster.cloud_provider may be CIVO"),
    (_with_another_code, "POST /organization/{organizationId}/azure/credentials answers 201"),
    (_without_a_field, "HelmRepository.associated_services_count is in every answer"),
    (_with_the_secret, "HelmRepository.config.password goes in and never comes out"),
    (_with_a_text_for_a_number, "DeploymentStatus.deployment_requests_count is integer"),
    (_with_a_state_too_few, "DeploymentStatus.state may be RECAP"),
    (_with_a_state_too_few, "DeploymentStatus.state may be nothing else"),
]


@pytest.mark.parametrize(("deviation", "fact"), ASKED, ids=lambda value: value if isinstance(value, str) else "")
def test_deviation_in_a_request_is_caught(deviation: Any, fact: str, deviating: Deviating) -> None:
    _show(deviating, fact)
    deviating.ask_otherwise = deviation
    with pytest.raises(AssertionError):
        _show(deviating, fact)


@pytest.mark.parametrize(("deviation", "fact"), ANSWERED, ids=lambda value: value if isinstance(value, str) else "")
def test_deviation_in_an_answer_is_caught(deviation: Any, fact: str, deviating: Deviating) -> None:
    _show(deviating, fact)
    deviating.answer_otherwise = deviation
    with pytest.raises(AssertionError):
        _show(deviating, fact)


def test_deviation_from_a_rule_is_caught(deviating: Deviating) -> None:
    registry_of_another_kind_needs_an_https_url(deviating)

    def with_any_url(method: str, path: str, body: Body) -> Body:
        return {**body, "url": "https://registry.example.com"} if body.get("url", "").startswith("http://") else body

    deviating.ask_otherwise = with_any_url
    with pytest.raises(AssertionError):
        registry_of_another_kind_needs_an_https_url(deviating)


def test_line_without_a_test_is_caught() -> None:
    text = "rule unshown.rule : this\n"
    fact = facts.facts_of(facts.read(text))[0]
    assert facts.table([fact], facts.shown_by()).endswith("\t-\n")
