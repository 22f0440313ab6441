"""A push or a new image for a service that is under way, or in an environment outside of its hours, is deployed
afterwards; the newest wins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform

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


class PushPlatform(Platform):
    """Each step takes two minutes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(start="2026-03-02T09:00:00Z", **options)
        self.simulation.rules.add(after="2m")
        self.create_all()

    def add(self, kind: str, name: str = "api", **fields: Any) -> Any:
        image: dict[str, Any] = {"registry_id": self.registry.id, "image_name": "acme/shop", "tag": "c1"}
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
            return self.simulation.request(
                "POST",
                f"{self.home}/{path}/deploy",
                {"image_name": "acme/shop", "tag": version},
                headers,
            )
        body = {"url": URL, "branch": "main", "git_commit_id": version, "changed_files": ["a"]}
        return self.simulation.request("POST", f"{self.home}/git/deploy", body, headers)

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
        return sum(1 for event in self.simulation.events() if event["kind"] == "deployment.started")


@pytest.fixture(name="platform")
def platform_fixture() -> Iterator[PushPlatform]:
    with PushPlatform() as platform:
        yield platform


@pytest.mark.parametrize("kind", ["application", "container", "job", "image_job", "helm", "terraform"])
def test_the_newest_of_several_waits_behind_what_is_under_way(platform: PushPlatform, kind: str) -> None:
    api = platform.add(kind)
    platform.environment.deploy().wait()
    before = platform.deployments()
    assert platform.push("c2", kind).status == 202
    platform.simulation.clock.advance(minutes=1)
    for version in ("c3", "c4"):
        reply = platform.push(version, kind)
        assert (reply.status, reply.json()["skipped"]) == (202, [])
    platform.simulation.run_until_idle()
    assert platform.runs(api) == "c4"
    assert platform.deployments() == before + 2
    assert api.status()["service_deployment_status"] == "UP_TO_DATE"


def test_the_newest_wins_where_others_wait_too(platform: PushPlatform) -> None:
    api = platform.add("application")
    platform.environment.deploy().wait()
    headers = []
    for name in ("ci", "ada"):
        token = platform.organization.api_tokens.create(name=name, scope="ADMIN")
        headers.append({"Authorization": f"Token {token.token}"})
    platform.push("c2")
    platform.simulation.clock.advance(seconds=30)
    for version, header in (("c3", headers[0]), ("c4", headers[1]), ("c5", headers[0])):
        assert platform.push(version, **header).status == 202
    platform.simulation.run_until_idle()
    assert platform.runs(api) == "c5"


def test_it_waits_behind_a_failure_too(platform: PushPlatform) -> None:
    api = platform.add("application")
    platform.environment.deploy().wait()
    platform.simulation.rules.add(step="build", fails="no space", times=1, after="2m")
    platform.push("c2")
    platform.simulation.clock.advance(seconds=30)
    assert platform.push("c3").status == 202
    platform.simulation.run_until_idle()
    assert platform.runs(api) == "c3"


def test_what_a_caller_stops_stays_so_and_is_named(platform: PushPlatform) -> None:
    api, web = platform.add("application"), platform.add("application", "web")
    platform.environment.deploy().wait()
    api.stop()
    reply = platform.push("c2")
    assert reply.status == 202 and reply.json()["id"] == web.id
    (skipped,) = reply.json()["skipped"]
    assert (skipped["service_id"], skipped["service_name"], skipped["is_kept"]) == (api.id, "api", False)
    assert "STOP" in skipped["reason"]
    platform.simulation.run_until_idle()
    assert (api.state, platform.runs(web)) == ("STOPPED", "c2")
    web.stop().wait()
    assert platform.push("c3").status == 409


@pytest.mark.parametrize("kind", ["application", "container", "job", "helm"])
def test_outside_of_the_hours_it_is_deployed_in_the_morning(platform: PushPlatform, kind: str) -> None:
    api = platform.add(kind)
    platform.environment.deploy().wait()
    platform.simulation.request(
        "PUT", f"/environment/{platform.environment.id}/deploymentRule/{platform.environment.id}", HOURS
    ).raise_for_status()
    platform.simulation.clock.advance(hours=13)
    assert api.state == "STOPPED"
    for version in ("c2", "c3"):
        reply = platform.push(version, kind)
        assert reply.status == 202 and [skipped["is_kept"] for skipped in reply.json()["skipped"]] == [True]
    platform.simulation.clock.advance(hours=4)
    assert api.state == "STOPPED"
    platform.simulation.clock.advance(hours=8)
    assert (api.state, platform.runs(api)) == ("DEPLOYED", "c3")


def test_a_push_while_the_hours_stop_the_environment_is_kept(platform: PushPlatform) -> None:
    api = platform.add("application")
    platform.environment.deploy().wait()
    platform.simulation.request(
        "PUT", f"/environment/{platform.environment.id}/deploymentRule/{platform.environment.id}", HOURS
    ).raise_for_status()
    platform.simulation.clock.advance(hours=9, minutes=55)
    assert api.state == "STOPPING"
    assert platform.push("c2").json()["skipped"][0]["is_kept"]
    platform.simulation.clock.advance(hours=14)
    assert (api.state, platform.runs(api)) == ("DEPLOYED", "c2")


def test_a_deployment_in_the_night_takes_what_is_kept(platform: PushPlatform) -> None:
    api = platform.add("application")
    platform.environment.deploy().wait()
    platform.simulation.request(
        "PUT", f"/environment/{platform.environment.id}/deploymentRule/{platform.environment.id}", HOURS
    ).raise_for_status()
    platform.simulation.clock.advance(hours=13)
    platform.push("c2")
    api.deploy().wait()
    assert platform.runs(api) == "c2"
    platform.simulation.request("POST", f"/application/{api.id}/deploy", {"git_commit_id": "c9"}).raise_for_status()
    platform.simulation.run_until_idle()
    platform.simulation.clock.advance(hours=12)
    assert platform.runs(api) == "c9"


def test_a_version_of_its_own_is_newer_than_what_is_kept(platform: PushPlatform) -> None:
    api = platform.add("application")
    platform.environment.deploy().wait()
    platform.simulation.request(
        "PUT", f"/environment/{platform.environment.id}/deploymentRule/{platform.environment.id}", HOURS
    ).raise_for_status()
    platform.simulation.clock.advance(hours=13)
    platform.push("c2")
    platform.simulation.request("POST", f"/application/{api.id}/deploy", {"git_commit_id": "c9"}).raise_for_status()
    platform.simulation.run_until_idle()
    assert platform.runs(api) == "c9"
    api.stop().wait()
    platform.simulation.clock.advance(hours=12)
    assert api.state == "DEPLOYED" and platform.runs(api) != "c2"


def test_what_is_kept_outlives_the_engine(tmp_path: Path) -> None:
    with PushPlatform(storage=str(tmp_path / "store.db")) as platform:
        api = platform.add("application")
        platform.environment.deploy().wait()
        platform.ask("PUT", f"/environment/{platform.environment.id}/deploymentRule/{platform.environment.id}", HOURS)
        platform.simulation.clock.advance(hours=13)
        platform.push("c2")
        snapshot = platform.simulation.snapshot()
    with orlop.Simulation(snapshot=snapshot) as later:
        later.clock.advance(hours=12)
        application = later.request("GET", f"/application/{api.id}").json()
        assert application["git_repository"]["deployed_commit_id"] == "c2"


def test_where_a_busy_environment_refuses_the_next_deployment_takes_it() -> None:
    with PushPlatform(busy="reject") as platform:
        api = platform.add("application")
        platform.environment.deploy().wait()
        assert platform.push("c2").status == 202
        platform.simulation.clock.advance(seconds=30)
        reply = platform.push("c3")
        assert reply.status == 202 and reply.json()["skipped"][0]["is_kept"]
        platform.simulation.run_until_idle()
        assert platform.runs(api) == "c2"
        api.deploy().wait()
        assert platform.runs(api) == "c3"
