"""The endpoints of the interface: for each a call that succeeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fixture import Asking, Body, Fixture

from orlop import Reply


@dataclass
class Call:
    """A request that succeeds: the ids of its path in order, its body and its query."""

    ids: list[str] = field(default_factory=list)
    body: Body | None = None
    query: dict[str, Any] = field(default_factory=dict)


def _clone(fixture: Fixture) -> Call:
    return Call([fixture.database], {"name": fixture.name(), "environment_id": fixture.make_environment()})


def _helm_repository(fixture: Fixture) -> Call:
    body = {"name": fixture.name(), "kind": "HTTPS", "skip_tls_verification": False, "config": {}}
    return Call([fixture.organization], body)


def _move(fixture: Fixture) -> Call:
    stages = fixture.get(f"/environment/{fixture.environment}/deploymentStage")["results"]
    return Call([stages[0]["id"], stages[1]["id"]])


def _azure(fixture: Fixture) -> Body:
    return {"name": fixture.name(), "azure_subscription_id": "s", "azure_tenant_id": "t"}


def _edit_azure(fixture: Fixture) -> Call:
    made = fixture.make(f"{fixture.home}/azure/credentials", _azure(fixture))
    return Call([fixture.organization, made["id"]], _azure(fixture))


def _edit_registry(fixture: Fixture) -> Call:
    body = {"name": fixture.name(), "kind": "DOCKER_HUB", "config": {}}
    made = fixture.make(f"{fixture.home}/containerRegistry", body)
    return Call([fixture.organization, made["id"]], {**body, "name": fixture.name()})


def _job(fixture: Fixture) -> Call:
    return Call([fixture.make_job({"on_start": {}, "on_stop": {}, "on_delete": {}})], {})


def _preview(fixture: Fixture) -> Call:
    image = fixture.name().replace(" ", "-")
    fixture.make_service("container", {**fixture.image(image), "auto_preview": True}, fixture.make_environment())
    return Call([fixture.organization], {"image_name": f"acme/{image}", "tag": "2.0"})


def _git_token(fixture: Fixture) -> Call:
    made = fixture.make(f"{fixture.home}/gitToken", {"name": fixture.name(), "type": "GITHUB", "token": "t"})
    return Call([fixture.organization, made["id"]])


def _request(fixture: Fixture) -> Call:
    request = fixture.make(f"/database/{fixture.database}/redeploy", None)["deployment_request_id"]
    fixture.settle()
    return Call(query={"deploymentRequestId": request})


def _upgrade(fixture: Fixture) -> Call:
    made = fixture.make(
        f"{fixture.home}/cluster", {"name": fixture.name(), "region": "eu-west-3", "cloud_provider": "AWS"}
    )
    fixture.make(f"{fixture.home}/cluster/{made['id']}/deploy", None)
    fixture.settle()
    return Call([made["id"]])


CALLS: dict[str, Callable[[Fixture], Call]] = {
    "1": lambda fixture: Call([fixture.organization]),
    "2": _clone,
    "3": _helm_repository,
    "4": _move,
    "5": _edit_azure,
    "6": lambda fixture: Call([fixture.organization], _azure(fixture)),
    "7": _edit_registry,
    "8": _job,
    "9": _preview,
    "10": lambda fixture: Call([fixture.application]),
    "11": lambda fixture: Call([fixture.environment]),
    "12": lambda fixture: Call([fixture.database]),
    "13": lambda fixture: Call(),
    "14": _git_token,
    "15": _request,
    "16": _upgrade,
}


def send(fixture: Asking, method: str, path: str, call: Call) -> Reply:
    for place in call.ids:
        before, _, rest = path.partition("{")
        path = before + place + rest.partition("}")[2]
    return fixture.ask(method, path, call.body, call.query or None)
