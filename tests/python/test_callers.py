"""Callers from outside: authenticated by a token of the engine, or by external systems."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orlop
import pytest

ROOT = Path(__file__).parents[2]
PLAN = {"plan": "FREE"}


class People(orlop.ExternalSystems):
    """Authenticates the tokens "person:<name>"."""

    def authenticate(self, question: Mapping[str, Any]) -> Any:
        assert set(question) == {"token", "at"}
        token = question["token"]
        if not token.startswith("person:"):
            return None
        return {"subject": token, "email": f"{token[7:]}@example.org", "name": token[7:]}


def as_person(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer person:{name}"}


def test_the_example_of_the_guide_prints_what_the_guide_says() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "examples/python/roles.py"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["without a token: 401", "deploy dev: 202", "deploy live: 403", "delete dev: 403"]


def test_the_host_is_trusted_and_the_outside_is_not() -> None:
    with orlop.Engine(authentication="required") as engine:
        assert engine.request("GET", "/organization").status == 200
        refused = engine.request("GET", "/organization", trusted=False)
        assert refused.status == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert engine.request("GET", "/openapi.json", trusted=False).status == 200


def test_external_systems_name_the_person() -> None:
    with orlop.Engine(authentication="required", external_systems=People()) as engine:
        made = engine.request(
            "POST", "/organization", {"name": "acme", **PLAN}, as_person("ada"), trusted=False
        ).check()
        path = f"/organization/{made['id']}"
        assert engine.request("GET", path, headers=as_person("ada"), trusted=False).status == 200
        assert engine.request("GET", path, headers=as_person("bob"), trusted=False).status == 404
        assert engine.request("GET", path, headers={"Authorization": "Bearer bob"}, trusted=False).status == 401
        members = engine.request("GET", f"{path}/member").check()["results"]
        assert [member["name"] for member in members] == ["ada"]
        assert engine.events()[0]["author"] == "ada"


def test_a_request_of_the_host_may_name_a_caller() -> None:
    with orlop.Engine(authentication="required", external_systems=People()) as engine:
        engine.organizations.create(name="acme", plan="FREE")
        assert engine.request("GET", "/organization", headers=as_person("ada")).json() == {"results": []}


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (None, 401),
        (7, 502),
        ({}, 502),
        ({"subject": ""}, 502),
        ({"subject": "x" * 256}, 502),
        ({"subject": None}, 502),
        ({"subject": "x", "sub": "x"}, 502),
    ],
)
def test_an_identity_without_a_subject_is_none(answer: object, status: int) -> None:
    class Odd(orlop.ExternalSystems):
        def authenticate(self, question: Mapping[str, Any]) -> Any:
            return answer

    with orlop.Engine(authentication="required", external_systems=Odd()) as engine:
        assert engine.request("GET", "/organization", headers=as_person("ada"), trusted=False).status == status


def test_external_systems_may_not_call_the_engine() -> None:
    class Curious(orlop.ExternalSystems):
        def authenticate(self, question: Mapping[str, Any]) -> Any:
            engine.request("GET", "/organization")
            raise AssertionError("it answered")

    with orlop.Engine(authentication="required", external_systems=Curious()) as engine:
        refused = engine.request("GET", "/organization", headers=as_person("ada"), trusted=False)
        assert (refused.status, refused.json()["message"]) == (502, "a port must not call an engine")


def test_a_policy_is_evaluated_by_the_host() -> None:
    asked: list[Mapping[str, Any]] = []

    class Policies(orlop.ExternalSystems):
        async def evaluate_policy(self, question: Mapping[str, Any]) -> bool:
            asked.append(question)
            if question["method"] == "DELETE":
                raise RuntimeError("no opinion")
            return bool(question["method"] == "GET")

    with orlop.Engine(authentication="required", external_systems=Policies()) as engine:
        acme = engine.organizations.create(name="acme", plan="FREE")
        path = f"/organization/{acme.id}"
        body = {"name": "reader", "opa_policy": "package reader"}
        made = engine.request("POST", f"{path}/policyApiToken", body).check()
        headers = {"Authorization": f"Token {made['token']}"}
        assert engine.request("GET", path, headers=headers, trusted=False).status == 200
        assert engine.request("POST", f"{path}/project", {"name": "shop"}, headers, trusted=False).status == 403
        failed = engine.request("DELETE", path, headers=headers, trusted=False)
        assert (failed.status, failed.json()["message"]) == (502, "no opinion")
        assert asked[0] == {
            "policy": "package reader",
            "method": "GET",
            "path": path,
            "token": "reader",
            "role": "admin",
            "organization_id": acme.id,
        }


def test_the_rate_limit_is_exact_under_threads() -> None:
    with orlop.Simulation(authentication="required", external_systems=People(), rate_limit=100) as engine:
        statuses: list[int] = []

        def ask() -> None:
            for _ in range(50):
                statuses.append(engine.request("GET", "/organization", headers=as_person("ada"), trusted=False).status)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses.count(200) == 100
        assert statuses.count(429) == 100
        engine.clock.advance(hours=1)
        assert engine.request("GET", "/organization", headers=as_person("ada"), trusted=False).status == 200


def test_wrong_choices_are_named() -> None:
    with pytest.raises(orlop.Misuse, match="authentication must be one of off, required, not 'on'"):
        orlop.Engine(authentication="on")  # type: ignore[arg-type]
