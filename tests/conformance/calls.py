"""The endpoints of the interface: how each is called so that it succeeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from world import Asking, Body, World

from orlop.wire import Reply


@dataclass
class Call:
    """A request that succeeds: the ids of its path in their order, its body and its query."""

    ids: list[str] = field(default_factory=list)
    body: Body | None = None
    query: dict[str, Any] = field(default_factory=dict)


def _clone(world: World) -> Call:
    return Call([world.database], {"name": world.name(), "environment_id": world.make_environment()})


def _helm_repository(world: World) -> Call:
    body = {"name": world.name(), "kind": "HTTPS", "skip_tls_verification": False, "config": {}}
    return Call([world.organization], body)


def _move(world: World) -> Call:
    stages = world.get(f"/environment/{world.environment}/deploymentStage")["results"]
    return Call([stages[0]["id"], stages[1]["id"]])


def _azure(world: World) -> Body:
    return {"name": world.name(), "azure_subscription_id": "s", "azure_tenant_id": "t"}


def _edit_azure(world: World) -> Call:
    made = world.make(f"{world.home}/azure/credentials", _azure(world))
    return Call([world.organization, made["id"]], _azure(world))


def _edit_registry(world: World) -> Call:
    body = {"name": world.name(), "kind": "DOCKER_HUB", "config": {}}
    made = world.make(f"{world.home}/containerRegistry", body)
    return Call([world.organization, made["id"]], {**body, "name": world.name()})


def _job(world: World) -> Call:
    return Call([world.make_job({"on_start": {}, "on_stop": {}, "on_delete": {}})], {})


def _preview(world: World) -> Call:
    image = world.name().replace(" ", "-")
    world.make_service("container", {**world.image(image), "auto_preview": True}, world.make_environment())
    return Call([world.organization], {"image_name": f"acme/{image}", "tag": "2.0"})


def _git_token(world: World) -> Call:
    made = world.make(f"{world.home}/gitToken", {"name": world.name(), "type": "GITHUB", "token": "t"})
    return Call([world.organization, made["id"]])


def _request(world: World) -> Call:
    request = world.make(f"/database/{world.database}/redeploy", None)["deployment_request_id"]
    world.settle()
    return Call(query={"deploymentRequestId": request})


def _upgrade(world: World) -> Call:
    made = world.make(f"{world.home}/cluster", {"name": world.name(), "region": "eu-west-3", "cloud_provider": "AWS"})
    world.make(f"{world.home}/cluster/{made['id']}/deploy", None)
    world.settle()
    return Call([made["id"]])


CALLS: dict[str, Callable[[World], Call]] = {
    "1": lambda world: Call([world.organization]),
    "2": _clone,
    "3": _helm_repository,
    "4": _move,
    "5": _edit_azure,
    "6": lambda world: Call([world.organization], _azure(world)),
    "7": _edit_registry,
    "8": _job,
    "9": _preview,
    "10": lambda world: Call([world.application]),
    "11": lambda world: Call([world.environment]),
    "12": lambda world: Call([world.database]),
    "13": lambda world: Call(),
    "14": _git_token,
    "15": _request,
    "16": _upgrade,
}


def send(world: Asking, method: str, path: str, call: Call) -> Reply:
    for place in call.ids:
        before, _, rest = path.partition("{")
        path = before + place + rest.partition("}")[2]
    return world.ask(method, path, call.body, call.query or None)
