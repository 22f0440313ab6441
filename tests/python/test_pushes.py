"""A push or a new image for a service that is under way, or in an environment outside of its hours, is deployed
afterwards; the newest wins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop

URL = "https://github.com/acme/shop.git"
REPOSITORY = {"url": URL, "branch": "main", "provider": "GITHUB"}
HOURS = {
    "auto_stop": True,
    "timezone": "UTC",
    "start_time": "1970-01-01T08:00:00Z",
    "stop_time": "1970-01-01T19:00:00Z",
    "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"],
}
TERRAFORM = {
    "auto_deploy_config": {"auto_deploy": True, "terraform_action": "DEFAULT"},
    "terraform_files_source": {"git_repository": REPOSITORY},
    "terraform_variables_source": {"tf_var_file_paths": [], "tf_vars": []},
    "backend": {"kubernetes": {}},
    "engine": "OPEN_TOFU",
    "provider_version": {"explicit_version": "1.9"},
    "job_resources": {"cpu_milli": 500, "ram_mib": 512, "storage_gib": 1},
}


class Shop:
    """A simulation in which each step takes two minutes."""

    def __init__(self, **options: Any) -> None:
        self.platform = orlop.Simulation(seed=1, start="2026-03-02T09:00:00Z", **options)
        self.platform.rules.add(after="2m")
        self.acme = self.platform.organizations.create(name="acme", plan="FREE")
        self.hub = self.acme.container_registries.create(name="hub", kind="DOCKER_HUB", config={})
        europe = self.acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        self.environment = self.acme.projects.create(name="shop").environments.create(
            name="production", cluster_id=europe.id
        )

    def add(self, kind: str, name: str = "api", **fields: Any) -> Any:
        image: dict[str, Any] = {"registry_id": self.hub.id, "image_name": "acme/shop", "tag": "c1"}
        environment: Any = self.environment
        if kind == "application":
            return environment.applications.create(
                name=name, healthchecks={}, auto_deploy=True, git_repository=REPOSITORY, **fields
            )
        if kind == "container":
            return environment.containers.create(name=name, healthchecks={}, auto_deploy=True, **image, **fields)
        if kind == "job":
            return environment.jobs.create(
                name=name,
                healthchecks={},
                auto_deploy=True,
                schedule={"on_start": {}},
                source={"docker": {"git_repository": REPOSITORY}},
                **fields,
            )
        if kind == "image_job":
            return environment.jobs.create(
                name=name,
                healthchecks={},
                auto_deploy=True,
                schedule={"on_start": {}},
                source={"image": image},
                **fields,
            )
        if kind == "helm":
            values: Any = {"set": [], "set_string": [], "set_json": []}
            return environment.helms.create(
                name=name,
                auto_deploy=True,
                source={"git_repository": {**REPOSITORY, "root_path": "/"}},
                arguments=[],
                allow_cluster_wide_resources=False,
                ports=[],
                values_override=values,
                **fields,
            )
        return environment.terraforms.create(name=name, description="", **TERRAFORM, **fields)

    def push(self, version: str, kind: str = "application", **headers: str) -> orlop.Reply:
        if kind in ("container", "image_job"):
            path = "container" if kind == "container" else "job"
            return self.platform.request(
                "POST",
                f"/organization/{self.acme.id}/{path}/deploy",
                {"image_name": "acme/shop", "tag": version},
                headers,
            )
        body = {"url": URL, "branch": "main", "git_commit_id": version, "changed_files": ["a"]}
        return self.platform.request("POST", f"/organization/{self.acme.id}/git/deploy", body, headers)

    def runs(self, service: Any) -> str:
        """Returns the version of the last successful deployment."""
        service.refresh()
        for path in (
            ("git_repository",),
            ("source", "docker", "git_repository"),
            ("source", "git", "git_repository"),
            ("terraform_files_source", "git", "git_repository"),
        ):
            at: Any = service
            for name in path:
                at = at.get(name) if isinstance(at, dict) else getattr(at, name, None)
            if at:
                return str(at["deployed_commit_id"])
        return str(service.tag if hasattr(service, "tag") else service.source["image"]["tag"])

    def deployments(self) -> int:
        return sum(1 for event in self.platform.events() if event["kind"] == "deployment.started")


@pytest.fixture
def shop() -> Iterator[Shop]:
    made = Shop()
    with made.platform:
        yield made


@pytest.mark.parametrize("kind", ["application", "container", "job", "image_job", "helm", "terraform"])
def test_the_newest_of_several_waits_behind_what_is_under_way(shop: Shop, kind: str) -> None:
    api = shop.add(kind)
    shop.environment.deploy().wait()
    before = shop.deployments()
    assert shop.push("c2", kind).status == 202
    shop.platform.clock.advance(minutes=1)
    for version in ("c3", "c4"):
        reply = shop.push(version, kind)
        assert (reply.status, reply.json()["skipped"]) == (202, [])
    shop.platform.run_until_idle()
    assert shop.runs(api) == "c4"
    assert shop.deployments() == before + 2
    assert api.status()["service_deployment_status"] == "UP_TO_DATE"


def test_the_newest_wins_where_others_wait_too(shop: Shop) -> None:
    api = shop.add("application")
    shop.environment.deploy().wait()
    headers = []
    for name in ("ci", "ada"):
        token = shop.acme.api_tokens.create(name=name, scope="ADMIN")
        headers.append({"Authorization": f"Token {token.token}"})
    shop.push("c2")
    shop.platform.clock.advance(seconds=30)
    for version, header in (("c3", headers[0]), ("c4", headers[1]), ("c5", headers[0])):
        assert shop.push(version, **header).status == 202
    shop.platform.run_until_idle()
    assert shop.runs(api) == "c5"


def test_it_waits_behind_a_failure_too(shop: Shop) -> None:
    api = shop.add("application")
    shop.environment.deploy().wait()
    shop.platform.rules.add(step="build", fails="no space", times=1, after="2m")
    shop.push("c2")
    shop.platform.clock.advance(seconds=30)
    assert shop.push("c3").status == 202
    shop.platform.run_until_idle()
    assert shop.runs(api) == "c3"


def test_what_a_caller_stops_stays_so_and_is_named(shop: Shop) -> None:
    api, web = shop.add("application"), shop.add("application", "web")
    shop.environment.deploy().wait()
    api.stop()
    reply = shop.push("c2")
    assert reply.status == 202 and reply.json()["id"] == web.id
    (skipped,) = reply.json()["skipped"]
    assert (skipped["service_id"], skipped["service_name"], skipped["is_kept"]) == (api.id, "api", False)
    assert "STOP" in skipped["reason"]
    shop.platform.run_until_idle()
    assert (api.state, shop.runs(web)) == ("STOPPED", "c2")
    web.stop().wait()
    assert shop.push("c3").status == 409


@pytest.mark.parametrize("kind", ["application", "container", "job", "helm"])
def test_outside_of_the_hours_it_is_deployed_in_the_morning(shop: Shop, kind: str) -> None:
    api = shop.add(kind)
    shop.environment.deploy().wait()
    shop.platform.request(
        "PUT", f"/environment/{shop.environment.id}/deploymentRule/{shop.environment.id}", HOURS
    ).raise_for_status()
    shop.platform.clock.advance(hours=13)
    assert api.state == "STOPPED"
    for version in ("c2", "c3"):
        reply = shop.push(version, kind)
        assert reply.status == 202 and [skipped["is_kept"] for skipped in reply.json()["skipped"]] == [True]
    shop.platform.clock.advance(hours=4)
    assert api.state == "STOPPED"
    shop.platform.clock.advance(hours=8)
    assert (api.state, shop.runs(api)) == ("DEPLOYED", "c3")


def test_a_push_while_the_hours_stop_the_environment_is_kept(shop: Shop) -> None:
    api = shop.add("application")
    shop.environment.deploy().wait()
    shop.platform.request(
        "PUT", f"/environment/{shop.environment.id}/deploymentRule/{shop.environment.id}", HOURS
    ).raise_for_status()
    shop.platform.clock.advance(hours=9, minutes=55)
    assert api.state == "STOPPING"
    assert shop.push("c2").json()["skipped"][0]["is_kept"]
    shop.platform.clock.advance(hours=14)
    assert (api.state, shop.runs(api)) == ("DEPLOYED", "c2")


def test_a_deployment_in_the_night_takes_what_is_kept(shop: Shop) -> None:
    api = shop.add("application")
    shop.environment.deploy().wait()
    shop.platform.request(
        "PUT", f"/environment/{shop.environment.id}/deploymentRule/{shop.environment.id}", HOURS
    ).raise_for_status()
    shop.platform.clock.advance(hours=13)
    shop.push("c2")
    api.deploy().wait()
    assert shop.runs(api) == "c2"
    shop.platform.request("POST", f"/application/{api.id}/deploy", {"git_commit_id": "c9"}).raise_for_status()
    shop.platform.run_until_idle()
    shop.platform.clock.advance(hours=12)
    assert shop.runs(api) == "c9"


def test_a_version_of_its_own_is_newer_than_what_is_kept(shop: Shop) -> None:
    api = shop.add("application")
    shop.environment.deploy().wait()
    shop.platform.request(
        "PUT", f"/environment/{shop.environment.id}/deploymentRule/{shop.environment.id}", HOURS
    ).raise_for_status()
    shop.platform.clock.advance(hours=13)
    shop.push("c2")
    shop.platform.request("POST", f"/application/{api.id}/deploy", {"git_commit_id": "c9"}).raise_for_status()
    shop.platform.run_until_idle()
    assert shop.runs(api) == "c9"
    api.stop().wait()
    shop.platform.clock.advance(hours=12)
    assert api.state == "DEPLOYED" and shop.runs(api) != "c2"


def test_what_is_kept_outlives_the_engine(tmp_path: Path) -> None:
    made = Shop(storage=str(tmp_path / "store.db"))
    with made.platform as platform:
        api = made.add("application")
        made.environment.deploy().wait()
        platform.request(
            "PUT", f"/environment/{made.environment.id}/deploymentRule/{made.environment.id}", HOURS
        ).raise_for_status()
        platform.clock.advance(hours=13)
        made.push("c2")
        snapshot = platform.snapshot()
    with orlop.Simulation(snapshot=snapshot) as later:
        later.clock.advance(hours=12)
        application = later.request("GET", f"/application/{api.id}").json()
        assert application["git_repository"]["deployed_commit_id"] == "c2"


def test_where_a_busy_environment_refuses_the_next_deployment_takes_it() -> None:
    made = Shop(busy="reject")
    with made.platform as platform:
        api = made.add("application")
        made.environment.deploy().wait()
        assert made.push("c2").status == 202
        platform.clock.advance(seconds=30)
        reply = made.push("c3")
        assert reply.status == 202 and reply.json()["skipped"][0]["is_kept"]
        platform.run_until_idle()
        assert made.runs(api) == "c2"
        api.deploy().wait()
        assert made.runs(api) == "c3"
