"""The objects of the interface: how each is made, and where it is seen."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from orlop.wire import Reply

from world import SECRET, Body, World, at, put


class Made:
    """An object that a request makes: the smallest body that is accepted, and one that says all that can be said."""

    def __init__(self, world: World, collection: str, smallest: Body, largest: Body, words: Callable[[Body, str, str], Body]) -> None:
        self.world, self.collection, self.smallest, self.largest, self._words = world, collection, smallest, largest, words

    def try_out(self, body: Body) -> Reply:
        """The request with a name that nothing has yet, unless it has none or one that is to be tried."""
        named = {**body, "name": self.world.name()} if body.get("name") == "" else body
        return self.world.ask("POST", self.collection, named)

    def make(self, body: Body) -> Any:
        reply = self.try_out(body)
        assert reply.status in (200, 201), (body, reply.body)
        return reply.json()

    def around(self, path: str) -> Body:
        """A body in which the path can be set: the smallest, or the largest if it lies in an object."""
        return self.largest if "." in path or "[]" in path else self.smallest

    def with_word(self, path: str, word: str) -> Body:
        return self._words(put(self.around(path), path, word), path, word)


def _plain(body: Body, path: str, word: str) -> Body:
    return body


def _helm_kind(body: Body, path: str, word: str) -> Body:
    return {**body, "url": "https://charts.example.com" if word == "HTTPS" else "oci://charts.example.com"}


def _cluster(world: World) -> Made:
    secret = {
        "name": "vault", "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "eu-west-3"},
        "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"},
    }  # fmt: skip
    metrics = {
        "kind": "MANAGED_BY_PLATFORM", "resource_profile": "NORMAL", "cloud_watch_export_config": {"enabled": True},
        "high_availability": True, "internal_network_monitoring": {"enabled": True}, "alerting": {"enabled": False},
    }  # fmt: skip
    token = world.make(f"{world.home}/gitToken", {"name": world.name(), "type": "GITHUB", "token": SECRET})["id"]
    anywhere = {"git_repository": {"url": "https://github.com/acme/c.git", "git_token_id": token}, "yaml_file_path": "cluster.yaml"}
    charts = {
        "nginx_parameters": {"replica_count": 2, "default_ssl_certificate": "default/tls", "publish_status_address": "10.0.0.1"},
        "cert_manager_parameters": {"kubernetes_namespace": "certificates"},
        "metal_lb_parameters": {"ip_address_pools": ["10.0.0.0/24"]}, "eks_anywhere_parameters": anywhere,
    }  # fmt: skip
    smallest = {"name": "", "region": "eu-west-3", "cloud_provider": "AWS"}
    largest = {
        **smallest, "description": "for tests", "min_running_nodes": 2, "max_running_nodes": 5, "disk_size": 50, "disk_iops": 4000,
        "disk_throughput": 200, "instance_type": "t3.large", "kubernetes": "MANAGED", "production": True, "ssh_keys": ["ssh-ed25519 A"],
        "features": [{"id": "01900000-0000-7000-8000-000000000101", "value": True}],
        "metrics_parameters": {"enabled": True, "configuration": metrics}, "infrastructure_charts_parameters": charts,
        "keda": {"enabled": True}, "labels_groups": [{"id": world.labels}], "secret_manager_accesses": [secret],
    }  # fmt: skip
    return Made(world, f"{world.home}/cluster", smallest, largest, _plain)


def _database(world: World) -> Made:
    smallest = {"name": "", "type": "MYSQL", "version": "8", "mode": "CONTAINER"}
    largest = {
        **smallest, "description": "for tests", "accessibility": "PUBLIC", "cpu": 300, "memory": 700, "storage": 20,
        "labels_groups": [{"id": world.labels}], "annotations_groups": [{"id": world.annotations}],
    }  # fmt: skip
    return Made(world, f"/environment/{world.environment}/database", smallest, largest, _plain)


_CONFIG = {
    "username": "ann", "password": SECRET, "region": "eu-west-3", "access_key_id": "AKIA", "secret_access_key": SECRET,
    "role_arn": "arn:aws:iam::1:role/a", "scaleway_access_key": "SCW", "scaleway_secret_key": SECRET, "scaleway_project_id": "p",
    "azure_tenant_id": "t", "azure_subscription_id": "s",
}  # fmt: skip


def _helm_repository(world: World) -> Made:
    smallest = {"name": "", "kind": "HTTPS", "skip_tls_verification": False, "config": {}}
    largest = {**smallest, "description": "for tests", "url": "https://charts.example.com", "config": _CONFIG}
    return Made(world, f"{world.home}/helmRepository", smallest, largest, _helm_kind)


def _container_registry(world: World) -> Made:
    smallest = {"name": "", "kind": "DOCKER_HUB", "config": {}}
    config = {**_CONFIG, "json_credentials": SECRET}
    largest = {**smallest, "kind": "GENERIC_CR", "description": "for tests", "url": "https://r.example.com", "config": config}
    return Made(world, f"{world.home}/containerRegistry", smallest, largest, _plain)


def _azure_credentials(world: World) -> Made:
    smallest = {"name": "", "azure_subscription_id": "s", "azure_tenant_id": "t"}
    return Made(world, f"{world.home}/azure/credentials", smallest, smallest, _plain)


MADE: dict[str, Callable[[World], Made]] = {
    "Cluster": _cluster,
    "Database": _database,
    "HelmRepository": _helm_repository,
    "ContainerRegistry": _container_registry,
    "AzureCredentials": _azure_credentials,
}


_REGIONS = {"AWS": "eu-west-3", "GCP": "europe-west9", "AZURE": "westeurope", "SCW": "fr-par"}


def _deployed_cluster(world: World, provider: str, secrets: Body | None = None) -> Any:
    accesses = [{"name": "vault", "endpoint": secrets, "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"}}] if secrets else []
    body = {"name": world.name(), "region": _REGIONS.get(provider, "west"), "cloud_provider": provider, "secret_manager_accesses": accesses}
    made = world.make(f"{world.home}/cluster", body)
    world.make(f"{world.home}/cluster/{made['id']}/deploy", None)
    world.settle()
    return world.get(f"{world.home}/cluster/{made['id']}")


def _features(world: World) -> list[Any]:
    catalogues: list[Any] = []
    for provider in ("aws", "gcp", "scaleway", "azure"):
        catalogues += world.get(f"/{provider}/clusterFeature")["results"]
    return catalogues + at(world.get(f"{world.home}/cluster"), "results[].features[]")


def _values(world: World) -> list[Any]:
    return [feature["value_object"] for feature in _features(world)]


def _statuses(world: World) -> list[Any]:
    before = world.get(f"/database/{world.database}/status")
    world.make(f"/environment/{world.environment}/deploy", None)
    world.settle()
    paths = (f"/database/{world.database}", f"/container/{world.container}", f"/job/{world.job}", f"/application/{world.application}")
    after = [world.get(path + "/status") for path in paths]
    return [before, *after, *world.get(f"/environment/{world.environment}/helm/status")["results"]]


def _stages(world: World) -> list[Any]:
    path = f"/environment/{world.environment}/deploymentStage"
    first, second, *_ = world.get(path)["results"]
    reply = world.ask("PUT", f"/deploymentStage/{first['id']}/moveAfter/{second['id']}")
    return [*reply.json()["results"], world.make(path, {"name": "last"})]


def _webhooks(world: World) -> list[Any]:
    found = []
    for hook in (None, [], ["push", "pull_request"], RuntimeError("no network")):
        world.hook = hook
        found.append(world.get(f"/service/{world.application}/gitWebhookStatus"))
    return found


def _upgrades(world: World) -> list[Any]:
    path = f"{world.home}/cluster/{world.cluster}"
    world.make(path + "/deploy", None)
    world.settle()
    upgraded = world.make(f"/cluster/{world.cluster}/upgrade", None)
    world.settle()
    world.make(f"/cluster/{world.cluster}/lock", {"reason": "the sale", "ttl_in_days": 2})
    locked = world.get(path + "/status")
    assert world.ask("DELETE", f"/cluster/{world.cluster}/lock").status == 204
    return [upgraded, locked, world.get(path + "/status")]


def _requests(world: World) -> list[Any]:
    request = world.make(f"/database/{world.database}/redeploy", None)["deployment_request_id"]
    queued = world.get("/environment/deploymentStatus", {"deploymentRequestId": request})
    world.settle()
    return [queued, world.get("/environment/deploymentStatus", {"deploymentRequestId": request})]


def _refusals(world: World) -> list[Any]:
    known = "/organization"
    asked: list[tuple[str, str, Any]] = [("GET", "/nowhere", None), ("PUT", known, None), ("POST", known, {}), ("POST", known, b"{")]
    return [world.ask(*request).json() for request in asked]


def _made(name: str, world: World) -> list[Any]:
    made = MADE[name](world)
    return [made.make(made.smallest), made.make(made.largest)]


def _clusters(world: World) -> list[Any]:
    kept = _deployed_cluster(world, "AWS", {"mode": "AWS_SECRET_MANAGER", "region": "west"})
    return [*_made("Cluster", world), kept]


def _outputs(provider: str, secrets: Body | None, world: World) -> list[Any]:
    clusters = [_deployed_cluster(world, provider)] + ([_deployed_cluster(world, provider, secrets)] if secrets else [])
    return [cluster["infrastructure_outputs"] for cluster in clusters]


def _of_type(kind: str, world: World) -> list[Any]:
    return [value for value in _values(world) if value["type"] == kind]


_AWS = {"mode": "AWS_PARAMETER_STORE", "region": "west"}
_GCP = {"mode": "GCP_SECRET_MANAGER", "region": "west", "project_id": "p"}

SEEN: dict[str, Callable[[World], list[Any]]] = {
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
