"""Typed objects: their contents, methods, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish
from orlop import models
from orlop.resources.resource import Resource


def test_an_object_holds_what_was_answered(platform: Platform) -> None:
    web = platform.container(cpu=750)
    assert (web.name, web.cpu, web.memory, web.image_name) == ("web", 750, 512, "acme/web")
    assert web.environment == {"id": platform.environment.id}
    assert web["service_type"] == "CONTAINER"
    assert web.created_at.endswith("Z")
    assert platform.environment.cluster_id == platform.cluster.id
    assert web.to_dict()["id"] == web.id


def test_a_field_is_changed_by_edit_alone(platform: Platform) -> None:
    web = platform.container(cpu=750, description="first")
    with pytest.raises(AttributeError):
        web.cpu = 1  # type: ignore[misc]
    assert web.edit(tag="2.0.0") is web
    assert (web.tag, web.cpu, web.description) == ("2.0.0", 750, "first")


def test_an_edit_starts_from_what_is_there_now(platform: Platform) -> None:
    web = platform.container()
    other = platform.environment.containers.get(web.id)
    other.edit(cpu=900)
    web.edit(memory=600)
    assert (web.cpu, web.memory) == (900, 600)
    assert other.memory == 512
    assert other.refresh().memory == 600


def test_an_edit_keeps_what_another_changes_at_the_same_time(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = platform.container()
    other = platform.environment.containers.get(web.id)
    request = platform.engine.request
    rivals = iter((700, 800))

    def contested(method: str, path: str, *arguments: object, **named: object) -> orlop.Reply:
        if method == "PUT" and (cpu := next(rivals, None)):
            request("PUT", path, {**request("GET", path).json(), "cpu": cpu})
        return request(method, path, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(platform.engine, "request", contested)
    web.edit(memory=600)
    assert (web.cpu, web.memory) == (800, 600)
    assert other.refresh().memory == 600


def test_an_edit_that_always_comes_too_late_gives_up(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    web = platform.container()
    request = platform.engine.request

    def contested(method: str, path: str, *arguments: object, **named: object) -> orlop.Reply:
        if method == "PUT":
            body = request("GET", path).json()
            request("PUT", path, {**body, "cpu": body["cpu"] + 10})
        return request(method, path, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(platform.engine, "request", contested)
    with pytest.raises(orlop.PreconditionFailed, match="ETag"):
        web.edit(memory=600)


def test_an_edit_keeps_secrets(platform: Platform) -> None:
    registries = platform.organization.container_registries
    private = registries.create(name="private", kind="DOCKER_HUB", config={"username": "acme", "password": "secret"})
    assert private.config == {"username": "acme"}
    assert private.edit(description="ours").description == "ours"
    assert private.config == {"username": "acme"}


def test_a_resource_is_found_by_its_name_without_a_look_at_the_others(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["web", "a b&c=1?#%41/..", "Größe", "x" * 100]
    for name in names:
        platform.environment.databases.create(
            name=name, type="POSTGRESQL", version="16", mode="CONTAINER", accessibility="PRIVATE"
        )
    databases = platform.environment.databases
    seen: list[int] = []
    call = orlop.Engine._call

    def counted(engine: orlop.Engine, method: str, path: str, *rest: Any) -> Any:
        answer = call(engine, method, path, *rest)
        seen.append(len(answer["results"]))
        return answer

    monkeypatch.setattr(orlop.Engine, "_call", counted)
    for name in names:
        assert databases.find(name).name == name
        assert databases.find(name.replace("ß", "ẞ").upper()).name == name
    assert len(databases) == len(names)
    assert max(seen) == 1
    for unknown in ("", "we", "web ", "\0", "web\n", "ü", "y" * 70_000):
        with pytest.raises(orlop.NotFound, match="there is no database named"):
            databases.find(unknown)
    with pytest.raises(orlop.NotFound):
        platform.environment.containers.find("a b&c=1?#%41/..")


def test_collections_list_find_and_count(platform: Platform) -> None:
    made = [platform.container(name) for name in ("web", "worker")]
    containers = platform.environment.containers
    assert containers.list() == made and len(containers) == 2 and list(containers) == made
    assert containers.find("WORKER") == made[1]
    assert containers.get(made[0].id) == made[0] and hash(made[0]) == hash(containers.get(made[0].id))
    with pytest.raises(orlop.NotFound, match="no container named 'mail'"):
        containers.find("mail")


def test_delete_and_after(platform: Platform) -> None:
    web = platform.container()
    web.delete()
    with pytest.raises(orlop.NotFound) as caught:
        web.refresh()
    assert caught.value.status == 404 and web.id in str(caught.value)


def test_every_violation_is_named(platform: Platform) -> None:
    with pytest.raises(orlop.Invalid) as caught:
        platform.container(cpu=-1, min_running_instances="two", nonsense=True)
    assert {violation.field for violation in caught.value.violations} == {"cpu", "min_running_instances", "nonsense"}
    assert caught.value.status == 400 and caught.value.code == "invalid"
    for field in ("cpu", "min_running_instances", "nonsense"):
        assert field in str(caught.value)


def test_refusals_have_their_classes(platform: Platform) -> None:
    platform.container()
    with pytest.raises(orlop.Conflict) as taken:
        platform.container("WEB")
    assert (taken.value.status, taken.value.code) == (409, "conflict") and "WEB" in taken.value.message
    with pytest.raises(orlop.Invalid):
        platform.environment.containers.get("not an id")
    with pytest.raises(orlop.Refused):
        platform.registry.delete()
    assert issubclass(orlop.NotFound, orlop.Refused) and issubclass(orlop.Refused, orlop.Error)


def test_an_environment_is_deployed_in_its_stages(platform: Platform) -> None:
    web = platform.container()
    orders = platform.environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    assert platform.environment.state == "READY"
    run = platform.environment.deploy()
    assert run.state == "DEPLOYMENT_QUEUED" and not run.is_done and run.duration == 0
    assert run.wait() is run and run.ok
    assert [(stage.name, [service.name for service in stage.services]) for stage in run.stages] == [
        ("DATABASE DEFAULT", ["orders"]),
        ("CONTAINER DEFAULT", ["web"]),
    ]
    assert {service.state for stage in run.stages for service in stage.services} == {"DEPLOYED"}
    assert repr(run).startswith(f"<Deployment {run.id[:8]}… production DEPLOYED ") and repr(run).endswith(", 2 stages>")
    assert (web.state, orders.state, platform.environment.state) == ("DEPLOYED",) * 3
    assert web.status()["service_deployment_status"] == "UP_TO_DATE"
    web.edit(tag="2.0.0")
    assert web.status()["service_deployment_status"] == "OUT_OF_DATE"
    assert web.stage().name == "CONTAINER DEFAULT"


def test_a_service_goes_through_its_life(platform: Platform) -> None:
    web = platform.container()
    assert web.deploy(image_tag="3.0.0").wait().ok and web.refresh().tag == "3.0.0"
    assert web.restart().wait().state in ("RESTARTED", "DEPLOYED") and web.state == "RESTARTED"
    assert web.stop().wait().ok and web.state == "STOPPED"
    assert web.deploy().wait().ok
    gone = web.uninstall()
    assert gone is not None and gone.wait().ok and web.state == "READY"
    assert web.uninstall() is None
    with pytest.raises(orlop.Conflict):
        web.stop()


def test_a_job_runs_for_an_event(platform: Platform) -> None:
    migrate = platform.environment.jobs.create(
        name="migrate",
        healthchecks={},
        source={"image": {"registry_id": platform.registry.id, "image_name": "acme/migrate", "tag": "1"}},
        schedule={"on_start": {"arguments": ["up"]}},
    )
    assert migrate.deploy(force_event="START").wait().ok
    with pytest.raises(orlop.Conflict):
        migrate.clone(name="other").deploy(force_event="CRON")


def test_clusters_deploy_stop_and_lock(platform: Platform) -> None:
    cluster = platform.organization.clusters.create(name="asia", region="eu-west-3", cloud_provider="AWS")
    assert cluster.status == "READY"
    assert cluster.deploy().status == "DEPLOYMENT_QUEUED"
    assert cluster.wait().status == "DEPLOYED"
    assert cluster.state()["is_deployed"] is True
    cluster.lock(reason="a fair", ttl_in_days=2)
    assert cluster.state()["cluster_lock"]["reason"] == "a fair"
    with pytest.raises(orlop.Refused):
        cluster.edit(max_running_nodes=5)
    cluster.unlock()
    assert cluster.edit(max_running_nodes=5).max_running_nodes == 5
    assert cluster.deploy(dry_run=True).wait().status == "DEPLOYED"
    assert cluster.upgrade().wait().status == "DEPLOYED"
    assert cluster.stop().wait().status == "STOPPED"


def test_stages_are_moved_and_services_attached(platform: Platform) -> None:
    stages = platform.environment.stages
    first, *_, last = stages.list()
    own = stages.create(name="before all")
    own.move_before(first)
    assert [stage.name for stage in stages][0] == "before all"
    own.move_after(last)
    assert [stage.name for stage in stages][-1] == "before all"
    web = platform.container()
    own.attach(web, is_skipped=True)
    assert [(entry["service_id"], entry["is_skipped"]) for entry in own.refresh().services] == [(web.id, True)]
    platform.environment.deploy().wait()
    assert web.state == "READY"


def test_services_and_environments_are_cloned(platform: Platform) -> None:
    web = platform.container(cpu=750)
    copy = web.clone(name="copy")
    assert (copy.name, copy.cpu, copy.state) == ("copy", 750, "READY") and copy != web
    staging = platform.environment.clone(name="staging", mode="STAGING")
    assert sorted(service.name for service in staging.services()) == ["copy", "web"]
    assert staging.mode == "STAGING" and staging in platform.project.environments.list()


def test_a_preview_is_an_environment_of_its_own(platform: Platform) -> None:
    web = platform.container(auto_preview=True)
    assert "state" in web.preview(tag="pr-7")
    (preview,) = [environment for environment in platform.project.environments if environment.mode == "PREVIEW"]
    assert preview.containers.find("web").tag == "pr-7"


def test_reprs_are_readable() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        assert repr(platform.environment) == f"<Environment {platform.environment.id[:8]}… production>"
        assert repr(simulation.organizations) == "<OrganizationCollection of 1: acme>"
        assert repr(simulation.request("GET", "/organization")).startswith("<Reply 200, ")
        assert repr(simulation.clock) == "<Clock 2026-01-01T00:00:00.000Z>"
    assert repr(simulation.clock) == "<Clock of a closed simulation>"


@pytest.mark.parametrize(
    ("kind", "restarts", "stops"),
    [
        (models.Application, True, True),
        (models.Container, True, True),
        (models.Database, True, True),
        (models.Helm, False, True),
        (models.Job, False, True),
        (models.Terraform, False, False),
    ],
)
def test_a_service_has_the_actions_of_its_kind(kind: type[Resource], restarts: bool, stops: bool) -> None:
    described = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text())["paths"]
    name = kind.__name__.lower()
    path = f"/{name}/{{{name}Id}}"
    assert hasattr(kind, "restart") == (f"{path}/restart-service" in described) == restarts
    assert hasattr(kind, "stop") == (f"{path}/stop" in described) == stops
    assert hasattr(kind, "deploy") and hasattr(kind, "uninstall")
