"""The objects of the interface: how each is created, and which answers hold it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from orlop import Reply

from fixture import SECRET, Body, Fixture, at, put


class Made:
    """An object that a request creates: the smallest accepted body, and one with all members."""

    def __init__(
        self, fixture: Fixture, collection: str, smallest: Body, largest: Body, words: Callable[[Body, str, str], Body]
    ) -> None:
        self.fixture, self.collection, self.smallest, self.largest, self._words = (
            fixture,
            collection,
            smallest,
            largest,
            words,
        )

    def try_out(self, body: Body) -> Reply:
        """Sends the create with an unused name, unless the body has no name or a name under test."""
        named = {**body, "name": self.fixture.name()} if body.get("name") == "" else body
        return self.fixture.ask("POST", self.collection, named)

    def make(self, body: Body) -> Any:
        reply = self.try_out(body)
        assert reply.status in (200, 201), (body, reply.body)
        return reply.json()

    def around(self, path: str) -> Body:
        """Returns a body in which the path can be set: the smallest one, or the largest if the path lies in an
        object."""
        return self.largest if "." in path or "[]" in path else self.smallest

    def with_word(self, path: str, word: str) -> Body:
        return self._words(put(self.around(path), path, word), path, word)


def _plain(body: Body, path: str, word: str) -> Body:
    return body


def _helm_kind(body: Body, path: str, word: str) -> Body:
    return {**body, "url": "https://charts.example.com" if word == "HTTPS" else "oci://charts.example.com"}


def _cluster(fixture: Fixture) -> Made:
    secret = {
        "name": "vault",
        "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "eu-west-3"},
        "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"},
    }
    metrics = {
        "kind": "MANAGED_BY_PLATFORM",
        "resource_profile": "NORMAL",
        "cloud_watch_export_config": {"enabled": True},
        "high_availability": True,
        "internal_network_monitoring": {"enabled": True},
        "alerting": {"enabled": False},
    }
    token = fixture.make(f"{fixture.home}/gitToken", {"name": fixture.name(), "type": "GITHUB", "token": SECRET})["id"]
    anywhere = {
        "git_repository": {"url": "https://github.com/acme/c.git", "git_token_id": token},
        "yaml_file_path": "cluster.yaml",
    }
    charts = {
        "nginx_parameters": {
            "replica_count": 2,
            "default_ssl_certificate": "default/tls",
            "publish_status_address": "10.0.0.1",
        },
        "cert_manager_parameters": {"kubernetes_namespace": "certificates"},
        "metal_lb_parameters": {"ip_address_pools": ["10.0.0.0/24"]},
        "eks_anywhere_parameters": anywhere,
    }
    smallest = {"name": "", "region": "eu-west-3", "cloud_provider": "AWS"}
    largest = {
        **smallest,
        "description": "for tests",
        "min_running_nodes": 2,
        "max_running_nodes": 5,
        "disk_size": 50,
        "disk_iops": 4000,
        "disk_throughput": 200,
        "instance_type": "t3.large",
        "kubernetes": "MANAGED",
        "production": True,
        "ssh_keys": ["ssh-ed25519 A"],
        "features": [{"id": "01900000-0000-7000-8000-000000000101", "value": True}],
        "metrics_parameters": {"enabled": True, "configuration": metrics},
        "infrastructure_charts_parameters": charts,
        "keda": {"enabled": True},
        "labels_groups": [{"id": fixture.labels}],
        "secret_manager_accesses": [secret],
    }
    return Made(fixture, f"{fixture.home}/cluster", smallest, largest, _plain)


def _database(fixture: Fixture) -> Made:
    smallest = {"name": "", "type": "MYSQL", "version": "8", "mode": "CONTAINER"}
    largest = {
        **smallest,
        "description": "for tests",
        "accessibility": "PUBLIC",
        "cpu": 300,
        "memory": 700,
        "storage": 20,
        "labels_groups": [{"id": fixture.labels}],
        "annotations_groups": [{"id": fixture.annotations}],
    }
    return Made(fixture, f"/environment/{fixture.environment}/database", smallest, largest, _plain)


_CONFIG = {
    "username": "ann",
    "password": SECRET,
    "region": "eu-west-3",
    "access_key_id": "AKIA",
    "secret_access_key": SECRET,
    "role_arn": "arn:aws:iam::1:role/a",
    "scaleway_access_key": "SCW",
    "scaleway_secret_key": SECRET,
    "scaleway_project_id": "p",
    "azure_tenant_id": "t",
    "azure_subscription_id": "s",
}


def _helm_repository(fixture: Fixture) -> Made:
    smallest = {"name": "", "kind": "HTTPS", "skip_tls_verification": False, "config": {}}
    largest = {**smallest, "description": "for tests", "url": "https://charts.example.com", "config": _CONFIG}
    return Made(fixture, f"{fixture.home}/helmRepository", smallest, largest, _helm_kind)


def _container_registry(fixture: Fixture) -> Made:
    smallest = {"name": "", "kind": "DOCKER_HUB", "config": {}}
    config = {**_CONFIG, "json_credentials": SECRET}
    largest = {
        **smallest,
        "kind": "GENERIC_CR",
        "description": "for tests",
        "url": "https://r.example.com",
        "config": config,
    }
    return Made(fixture, f"{fixture.home}/containerRegistry", smallest, largest, _plain)


def _azure_credentials(fixture: Fixture) -> Made:
    smallest = {"name": "", "azure_subscription_id": "s", "azure_tenant_id": "t"}
    return Made(fixture, f"{fixture.home}/azure/credentials", smallest, smallest, _plain)


MADE: dict[str, Callable[[Fixture], Made]] = {
    "Cluster": _cluster,
    "Database": _database,
    "HelmRepository": _helm_repository,
    "ContainerRegistry": _container_registry,
    "AzureCredentials": _azure_credentials,
}


_REGIONS = {"AWS": "eu-west-3", "GCP": "europe-west9", "AZURE": "westeurope", "SCW": "fr-par"}


def _deployed_cluster(fixture: Fixture, provider: str, secrets: Body | None = None) -> Any:
    accesses = (
        [{"name": "vault", "endpoint": secrets, "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"}}]
        if secrets
        else []
    )
    body = {
        "name": fixture.name(),
        "region": _REGIONS.get(provider, "west"),
        "cloud_provider": provider,
        "secret_manager_accesses": accesses,
    }
    made = fixture.make(f"{fixture.home}/cluster", body)
    fixture.make(f"{fixture.home}/cluster/{made['id']}/deploy", None)
    fixture.settle()
    return fixture.get(f"{fixture.home}/cluster/{made['id']}")


def _features(fixture: Fixture) -> list[Any]:
    catalogues: list[Any] = []
    for provider in ("aws", "gcp", "scaleway", "azure"):
        catalogues += fixture.get(f"/{provider}/clusterFeature")["results"]
    return catalogues + at(fixture.get(f"{fixture.home}/cluster"), "results[].features[]")


def _values(fixture: Fixture) -> list[Any]:
    return [feature["value_object"] for feature in _features(fixture)]


def _statuses(fixture: Fixture) -> list[Any]:
    before = fixture.get(f"/database/{fixture.database}/status")
    fixture.make(f"/environment/{fixture.environment}/deploy", None)
    fixture.settle()
    paths = (
        f"/database/{fixture.database}",
        f"/container/{fixture.container}",
        f"/job/{fixture.job}",
        f"/application/{fixture.application}",
    )
    after = [fixture.get(path + "/status") for path in paths]
    return [before, *after, *fixture.get(f"/environment/{fixture.environment}/helm/status")["results"]]


def _stages(fixture: Fixture) -> list[Any]:
    path = f"/environment/{fixture.environment}/deploymentStage"
    first, second, *_ = fixture.get(path)["results"]
    reply = fixture.ask("PUT", f"/deploymentStage/{first['id']}/moveAfter/{second['id']}")
    return [*reply.json()["results"], fixture.make(path, {"name": "last"})]


def _webhooks(fixture: Fixture) -> list[Any]:
    found = []
    for hook in (None, [], ["push", "pull_request"], RuntimeError("no network")):
        fixture.hook = hook
        found.append(fixture.get(f"/service/{fixture.application}/gitWebhookStatus"))
    return found


def _upgrades(fixture: Fixture) -> list[Any]:
    path = f"{fixture.home}/cluster/{fixture.cluster}"
    fixture.make(path + "/deploy", None)
    fixture.settle()
    upgraded = fixture.make(f"/cluster/{fixture.cluster}/upgrade", None)
    fixture.settle()
    fixture.make(f"/cluster/{fixture.cluster}/lock", {"reason": "the sale", "ttl_in_days": 2})
    locked = fixture.get(path + "/status")
    assert fixture.ask("DELETE", f"/cluster/{fixture.cluster}/lock").status == 204
    return [upgraded, locked, fixture.get(path + "/status")]


def _requests(fixture: Fixture) -> list[Any]:
    request = fixture.make(f"/database/{fixture.database}/redeploy", None)["deployment_request_id"]
    queued = fixture.get("/environment/deploymentStatus", {"deploymentRequestId": request})
    fixture.settle()
    return [queued, fixture.get("/environment/deploymentStatus", {"deploymentRequestId": request})]


def _refusals(fixture: Fixture) -> list[Any]:
    known = "/organization"
    asked: list[tuple[str, str, Any]] = [
        ("GET", "/nowhere", None),
        ("PUT", known, None),
        ("POST", known, {}),
        ("POST", known, b"{"),
    ]
    return [fixture.ask(*request).json() for request in asked]


def _made(name: str, fixture: Fixture) -> list[Any]:
    made = MADE[name](fixture)
    return [made.make(made.smallest), made.make(made.largest)]


def _clusters(fixture: Fixture) -> list[Any]:
    kept = _deployed_cluster(fixture, "AWS", {"mode": "AWS_SECRET_MANAGER", "region": "west"})
    return [*_made("Cluster", fixture), kept]


def _outputs(provider: str, secrets: Body | None, fixture: Fixture) -> list[Any]:
    clusters = [_deployed_cluster(fixture, provider)] + (
        [_deployed_cluster(fixture, provider, secrets)] if secrets else []
    )
    return [cluster["infrastructure_outputs"] for cluster in clusters]


def _of_type(kind: str, fixture: Fixture) -> list[Any]:
    return [value for value in _values(fixture) if value["type"] == kind]


_AWS = {"mode": "AWS_PARAMETER_STORE", "region": "west"}
_GCP = {"mode": "GCP_SECRET_MANAGER", "region": "west", "project_id": "p"}

SEEN: dict[str, Callable[[Fixture], list[Any]]] = {
    "Cluster": _clusters,
    "ClusterFeature": _features,
    "FeatureString": functools.partial(_of_type, "STRING"),
    "FeatureBoolean": functools.partial(_of_type, "BOOLEAN"),
    "FeatureAwsNetwork": functools.partial(_of_type, "AWS_USER_PROVIDED_NETWORK"),
    "FeatureGcpNetwork": functools.partial(_of_type, "GCP_USER_PROVIDED_NETWORK"),
    "FeatureKarpenter": functools.partial(_of_type, "KARPENTER"),
    "FeatureNatGateway": functools.partial(_of_type, "NAT_GATEWAY"),
    "OutputsAks": functools.partial(_outputs, "AZURE", None),
    "OutputsEks": functools.partial(_outputs, "AWS", _AWS),
    "OutputsGke": functools.partial(_outputs, "GCP", _GCP),
    "OutputsKapsule": functools.partial(_outputs, "SCW", None),
    "Database": functools.partial(_made, "Database"),
    "DeploymentStatus": _statuses,
    "DeploymentStage": _stages,
    "HelmRepository": functools.partial(_made, "HelmRepository"),
    "ContainerRegistry": functools.partial(_made, "ContainerRegistry"),
    "AzureCredentials": functools.partial(_made, "AzureCredentials"),
    "WebhookStatus": _webhooks,
    "UpgradeStatus": _upgrades,
    "RequestStatus": _requests,
    "Error": _refusals,
}
