"""Rules about resources that are more than a field: each function shows lines `rule` of interface.txt."""

from __future__ import annotations

from typing import Any

from description import Description
from objects import MADE, SEEN
from shown import shows
from world import SECRET, Body, World, without

def _schema(world: World, name: str) -> Any:
    return Description(world).schema_at(name)


# Clusters.


@shows("cluster.described_only")
def cluster_describes_what_it_does_not_know(world: World) -> None:
    properties = _schema(world, "Cluster")["properties"]
    for name in ("cpu", "memory", "estimated_cloud_provider_cost"):
        assert properties[name]["type"] == "integer"


@shows("cluster.fixed")
def cluster_stays_where_it_is(world: World) -> None:
    made = MADE["Cluster"](world)
    path = f"{made.collection}/{made.make(made.smallest)['id']}"
    for changed in ({"region": "elsewhere"}, {"cloud_provider": "GCP"}):
        assert world.ask("PUT", path, {**made.smallest, "name": world.name(), **changed}).status == 400


@shows("feature.accepted_values")
def feature_accepts_texts_and_truth_values(world: World) -> None:
    accepted = [value for feature in SEEN["ClusterFeature"](world) for value in feature["accepted_values"]]
    assert {type(value) for value in accepted} == {str, bool}


@shows("feature.types")
def feature_has_a_form_for_each_type(world: World) -> None:
    catalogue = {feature["value_object"]["type"]: feature for feature in SEEN["ClusterFeature"](world)}
    assert len(catalogue) == 6
    providers = {"AWS_USER_PROVIDED_NETWORK": "AWS", "KARPENTER": "AWS", "GCP_USER_PROVIDED_NETWORK": "GCP", "NAT_GATEWAY": "GCP"}
    made = MADE["Cluster"](world)
    for kind, provider in providers.items():
        offered = world.get(f"/{provider.lower()}/clusterFeature")["results"]
        feature = next(item for item in offered if item["value_object"]["type"] == kind)
        body = {**made.smallest, "cloud_provider": provider}
        chosen = {"id": feature["id"], "value": feature["value_object"]["value"]}
        assert made.make({**body, "features": [chosen]})["features"][0]["value_object"] == feature["value_object"]
        assert made.try_out({**body, "features": [{**chosen, "value": {"no": "such member"}}]}).status == 400


@shows("feature.updatable")
def feature_is_not_updatable_by_default(world: World) -> None:
    assert _schema(world, "ClusterFeature")["properties"]["is_value_updatable"]["default"] is False
    assert {feature["is_value_updatable"] for feature in SEEN["ClusterFeature"](world)} == {True, False}


@shows("outputs.kinds")
def outputs_tell_their_kind(world: World) -> None:
    kinds = {"OutputsAks": "AKS", "OutputsEks": "EKS", "OutputsGke": "GKE", "OutputsKapsule": "SCW_KAPSULE"}
    for name, kind in kinds.items():
        assert {outputs["kind"] for outputs in SEEN[name](world)} == {kind}
    assert set(_schema(world, "InfrastructureOutputs")["discriminator"]["mapping"]) == set(kinds.values())


# Databases, statuses, stages.


def _database(world: World, **fields: Any) -> Any:
    made = MADE["Database"](world)
    return made.make({**made.smallest, **fields})


@shows("database.memory")
def database_gets_memory_by_its_engine(world: World) -> None:
    memory = {"POSTGRESQL": 100, "REDIS": 100, "MYSQL": 512, "MONGODB": 256}
    for engine, expected in memory.items():
        assert _database(world, type=engine)["memory"] == expected


@shows("database.container")
def database_in_a_container_has_no_instance_and_disk_type(world: World) -> None:
    made = _database(world)
    assert made["instance_type"] is None and made["disk_type"] is None
    subject = MADE["Database"](world)
    assert subject.try_out({**subject.smallest, "instance_type": "db.t3.micro"}).status == 400


@shows("database.managed")
def database_that_is_managed_has_them(world: World) -> None:
    for disk in ("gp2", "gp3"):
        made = _database(world, mode="MANAGED", disk_type=disk, instance_type="db.t3.micro")
        assert (made["disk_type"], made["instance_type"]) == (disk, "db.t3.micro")
    subject = MADE["Database"](world)
    assert subject.try_out({**subject.smallest, "mode": "MANAGED", "disk_type": "gp4"}).status == 400


@shows("status.none")
def status_has_no_sub_action(world: World) -> None:
    assert {status["status_details"]["sub_action"] for status in SEEN["DeploymentStatus"](world)} == {"NONE"}


@shows("stage.entry_updated_at")
def stage_entries_are_described_with_the_time_of_their_change(world: World) -> None:
    assert _schema(world, "DeploymentStageServiceResponse")["properties"]["updated_at"]["format"] == "date-time"


@shows("stage.order")
def stage_moves_behind_the_other(world: World) -> None:
    path = f"/environment/{world.make_environment()}/deploymentStage"
    stages = [stage["id"] for stage in world.get(path)["results"]]
    moved = world.ask("PUT", f"/deploymentStage/{stages[0]}/moveAfter/{stages[2]}").json()["results"]
    assert [stage["id"] for stage in moved] == [stages[1], stages[2], stages[0], *stages[3:]]
    assert [stage["deployment_order"] for stage in moved] == list(range(len(stages)))


# Helm repositories and container registries.


def _repository(world: World, kind: str, url: str) -> int:
    made = MADE["HelmRepository"](world)
    return made.try_out({**made.smallest, "kind": kind, "url": url}).status


@shows("helm.oci")
def helm_of_an_oci_kind_has_an_oci_url(world: World) -> None:
    kinds = [kind for kind in Description(world).words("HelmRepository", "kind") if kind.startswith("OCI_")]
    assert len(kinds) == 7
    for kind in kinds:
        assert _repository(world, kind, "oci://charts.example.com") == 201
        assert _repository(world, kind, "https://charts.example.com") == 400


@shows("helm.https")
def helm_of_the_https_kind_has_an_https_url(world: World) -> None:
    assert _repository(world, "HTTPS", "https://charts.example.com") == 201
    for url in ("oci://charts.example.com", "http://charts.example.com"):
        assert _repository(world, "HTTPS", url) == 400


@shows("helm.counts")
def helm_repository_counts_its_services(world: World) -> None:
    made = MADE["HelmRepository"](world)
    repository = made.make({**made.smallest, "url": "https://charts.example.com"})
    assert repository["associated_services_count"] == 0
    source = {"helm_repository": {"repository": repository["id"], "chart_name": "c", "chart_version": "1"}}
    for count in (1, 2):
        world.make_service("helm", {"auto_deploy": False, "arguments": [], "values_override": {}, "source": source})
        assert world.get(f"{made.collection}/{repository['id']}")["associated_services_count"] == count


_ADDRESS = {"DOCKER_HUB": "https://docker.io", "GITHUB_CR": "https://ghcr.io", "GITLAB_CR": "https://registry.gitlab.com"}
_NEEDED = {
    "ECR": {"region": "r", "access_key_id": "k", "secret_access_key": SECRET},
    "SCALEWAY_CR": {"region": "r", "scaleway_access_key": "k", "scaleway_secret_key": SECRET},
    "GCP_ARTIFACT_REGISTRY": {"region": "r", "json_credentials": SECRET},
    "AZURE_CR": {"azure_tenant_id": "t", "azure_subscription_id": "s"},
}


def _registry(world: World, kind: str, config: Body | None = None, **fields: Any) -> Body:
    url = {} if kind in _ADDRESS else {"url": "https://registry.example.com"}
    return {"name": "", "kind": kind, "config": _NEEDED.get(kind, {}) if config is None else config, **url, **fields}


def _needs(world: World, kind: str) -> None:
    made = MADE["ContainerRegistry"](world)
    body = _registry(world, kind)
    assert made.try_out(body).status == 201
    for name in _NEEDED[kind]:
        reply = made.try_out(without(body, f"config.{name}"))
        assert reply.status == 400 and reply.json()["violations"][0]["field"] == f"config.{name}"


@shows("registry.ecr")
def registry_of_ecr_needs_a_key(world: World) -> None:
    _needs(world, "ECR")


@shows("registry.scaleway")
def registry_of_scaleway_needs_a_key(world: World) -> None:
    _needs(world, "SCALEWAY_CR")


@shows("registry.gcp")
def registry_of_gcp_needs_credentials(world: World) -> None:
    _needs(world, "GCP_ARTIFACT_REGISTRY")


@shows("registry.kinds", "registry.docr")
def registry_takes_every_kind_but_docr(world: World) -> None:
    made = MADE["ContainerRegistry"](world)
    kinds = Description(world).words("ContainerRegistry", "kind")
    assert len(kinds) == 11
    for kind in kinds:
        reply = made.try_out(_registry(world, kind))
        assert reply.status == (400 if kind == "DOCR" else 201), (kind, reply.body)
        assert kind == "DOCR" or reply.json()["kind"] == kind


@shows("registry.plain")
def registry_may_have_a_user(world: World) -> None:
    made = MADE["ContainerRegistry"](world)
    for kind in ("DOCKER_HUB", "GITHUB_CR", "GITLAB_CR", "GENERIC_CR"):
        for config in ({}, {"username": "ann", "password": SECRET}):
            assert made.try_out(_registry(world, kind, config)).status == 201


@shows("registry.public")
def registry_that_is_public_needs_nothing(world: World) -> None:
    assert MADE["ContainerRegistry"](world).try_out(_registry(world, "PUBLIC_ECR", {})).status == 201


@shows("registry.azure")
def registry_of_azure_shows_the_application(world: World) -> None:
    config = MADE["ContainerRegistry"](world).make(_registry(world, "AZURE_CR"))["config"]
    assert config["azure_application_id"] and config["azure_application_object_id"]


@shows("registry.cluster")
def registry_describes_its_cluster(world: World) -> None:
    assert sorted(_schema(world, "ContainerRegistryCluster")["required"]) == ["id", "name"]


@shows("registry.known_urls")
def registry_that_is_known_has_its_own_url(world: World) -> None:
    made = MADE["ContainerRegistry"](world)
    for kind, url in _ADDRESS.items():
        assert made.make(_registry(world, kind))["url"] == url
        assert made.make(_registry(world, kind, url=url))["url"] == url
        assert made.try_out(_registry(world, kind, url="https://registry.example.com")).status == 400


@shows("registry.other_urls")
def registry_of_another_kind_needs_an_https_url(world: World) -> None:
    made = MADE["ContainerRegistry"](world)
    kinds = set(Description(world).words("ContainerRegistry", "kind")) - set(_ADDRESS) - {"DOCR"}
    for kind in kinds:
        assert made.try_out(without(_registry(world, kind), "url")).status == 400
        assert made.try_out(_registry(world, kind, url="http://registry.example.com")).status == 400


# Git webhooks.


def _hook(world: World, hook: Any) -> Any:
    world.hook = hook
    return world.get(f"/service/{world.application}/gitWebhookStatus")


@shows("webhook.misconfigured", "webhook.active")
def webhook_is_active_with_all_events(world: World) -> None:
    lacking = _hook(world, [])
    assert lacking["status"] == "MISCONFIGURED" and lacking["missing_events"]
    for known in (lacking["missing_events"], [*lacking["missing_events"], "star"]):
        active = _hook(world, known)
        assert active["status"] == "ACTIVE" and "missing_events" not in active
    some = _hook(world, lacking["missing_events"][1:])
    assert some["status"] == "MISCONFIGURED" and some["missing_events"] == lacking["missing_events"][:1]


@shows("webhook.not_configured")
def webhook_is_not_configured_without_a_hook(world: World) -> None:
    status = _hook(world, None)
    assert status["status"] == "NOT_CONFIGURED" and "missing_events" not in status


@shows("webhook.unable")
def webhook_cannot_be_verified(world: World) -> None:
    assert _hook(world, RuntimeError("rate limit"))["status"] == "UNABLE_TO_VERIFY"
    status = _hook(world, OSError("no network"))
    assert status["status"] == "UNABLE_TO_VERIFY" and "missing_events" not in status
