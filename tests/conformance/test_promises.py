"""The members that the engine adds to objects inside of records are present: each answer of the fixture is checked
against the description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fixture import Body, Fixture
from promised import DESCRIPTION, BrokenPromise, Promises

GIT: Body = {"url": "https://github.com/acme/api.git", "provider": "GITHUB"}
SCALER: Body = {
    "scaler_type": "prometheus",
    "role": "PRIMARY",
    "config_yaml": "query: up",
    "trigger_authentication": {"name": "metrics", "config_yaml": "spec: {}"},
}


@pytest.fixture(scope="module")
def fixture() -> Iterator[Fixture]:
    made = Fixture()
    yield made
    made.close()


def service(fixture: Fixture) -> Body:
    """Members that every service may have."""
    return {
        "healthchecks": {
            "readiness_probe": {"type": {"http": {"port": 80, "scheme": "HTTP", "path": "/"}}, "period_seconds": 10}
        },
        "annotations_groups": [{"id": fixture.annotations}],
        "labels_groups": [{"id": fixture.labels}],
    }


def bodies(fixture: Fixture) -> dict[str, Body]:
    """Returns one body of each kind, with the objects that the engine completes."""
    port: Body = {"internal_port": 80, "publicly_accessible": False}
    usual = service(fixture)
    scaled = {
        **usual,
        "ports": [port],
        "storage": [{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}],
        "max_running_instances": 3,
        "autoscaling": {"mode": "KEDA", "scalers": [SCALER]},
    }
    chart: Body = {"repository": fixture.repository, "chart_name": "queue", "chart_version": "1.0.0"}
    helm: Body = {
        "auto_deploy": False,
        "arguments": [],
        "values_override": {"file": {"git": {"git_repository": GIT, "paths": ["values.yaml"]}}},
    }
    return {
        "container": {**fixture.image("full"), **scaled},
        "application": {"git_repository": GIT, **scaled},
        "database": {
            "type": "POSTGRESQL",
            "version": "16",
            "mode": "CONTAINER",
            "annotations_groups": usual["annotations_groups"],
        },
        "job": {
            **usual,
            "source": {"docker": {"git_repository": GIT, "dockerfile_path": "Dockerfile"}},
            "schedule": {"cronjob": {"scheduled_at": "0 3 * * *"}},
        },
        "helm": {
            **helm,
            "source": {"helm_repository": chart},
            "ports": [{"internal_port": 80, "service_name": "queue"}],
        },
        "helm ": {**helm, "source": {"git_repository": {"url": GIT["url"]}}},
        "terraform": {
            "description": "",
            "engine": "TERRAFORM",
            "auto_deploy_config": {"auto_deploy": False, "terraform_action": "DEFAULT"},
            "terraform_files_source": {"git_repository": {"url": GIT["url"]}},
            "terraform_variables_source": {"tf_var_file_paths": [], "tf_vars": []},
            "backend": {"kubernetes": {}},
            "provider_version": {"explicit_version": "1.9.7"},
            "job_resources": {"cpu_milli": 500, "ram_mib": 512, "storage_gib": 10},
            "use_cluster_credentials": False,
            "timeout_sec": 600,
            "icon_uri": "",
        },
    }


@pytest.mark.parametrize("kind", ["container", "application", "database", "job", "helm", "helm ", "terraform"])
def test_objects_of_a_service_are_complete(kind: str, fixture: Fixture) -> None:
    path = kind.strip()
    made = fixture.make(f"/environment/{fixture.environment}/{path}", {"name": fixture.name(), **bodies(fixture)[kind]})
    assert fixture.get(f"/{path}/{made['id']}") == made
    fixture.get(f"/environment/{fixture.environment}/{path}")


def test_an_object_is_sent_back_as_it_was_answered(fixture: Fixture) -> None:
    made = fixture.make(
        f"/environment/{fixture.environment}/container", {"name": fixture.name(), **bodies(fixture)["container"]}
    )
    reply = fixture.ask("PUT", f"/container/{made['id']}", made)
    assert reply.status == 200, reply.body
    same = {"ports", "storage", "autoscaling", "annotations_groups", "labels_groups"}
    assert {name: reply.json()[name] for name in same} == {name: made[name] for name in same}


def test_objects_of_a_cluster_are_complete(fixture: Fixture) -> None:
    access = {
        "name": "vault",
        "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "eu-west-3"},
        "authentication": {
            "mode": "AWS_STATIC_CREDENTIALS",
            "region": "eu-west-3",
            "access_key": "k",
            "secret_key": "s",
        },
    }
    body: Body = {
        "name": fixture.name(),
        "region": "eu-west-3",
        "cloud_provider": "AWS",
        "secret_manager_accesses": [access],
        "features": [{"id": "STATIC_IP", "value": True}],
        "labels_groups": [{"id": fixture.labels}],
    }
    made = fixture.make(f"{fixture.home}/cluster", body)
    assert made["secret_manager_accesses"][0]["id"]
    fixture.get(f"{fixture.home}/cluster")


def gone(schemas: Any) -> None:
    schemas["ServicePort"]["required"].append("external_port")


def other(schemas: Any) -> None:
    schemas["ServicePort"]["properties"]["protocol"]["enum"].remove("HTTP")


@pytest.mark.parametrize("change", [gone, other], ids=lambda change: change.__name__)
def test_a_broken_promise_is_found(change: Any, fixture: Fixture) -> None:
    made = fixture.make(
        f"/environment/{fixture.environment}/container", {"name": fixture.name(), **bodies(fixture)["container"]}
    )
    document = fixture.engine.request("GET", DESCRIPTION).json()
    Promises(document).check("GET", f"/container/{made['id']}", 200, made)
    change(document["components"]["schemas"])
    with pytest.raises(BrokenPromise, match=r"\$\.ports\[0\]"):
        Promises(document).check("GET", f"/container/{made['id']}", 200, made)
