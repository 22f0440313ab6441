"""Rules about resources beyond single fields: each function shows lines `rule` of interface.txt."""

from __future__ import annotations

from typing import Any

from description import Description
from objects import MADE, SEEN
from shown import shows
from fixture import SECRET, Body, Fixture, without


def _schema(fixture: Fixture, name: str) -> Any:
    return Description(fixture).schema_at(name)


# Clusters.


@shows("cluster.described_only")
def cluster_describes_what_it_does_not_know(fixture: Fixture) -> None:
    properties = _schema(fixture, "Cluster")["properties"]
    for name in ("cpu", "memory", "estimated_cloud_provider_cost"):
        assert properties[name]["type"] == "integer"


@shows("cluster.fixed")
def cluster_stays_where_it_is(fixture: Fixture) -> None:
    made = MADE["Cluster"](fixture)
    path = f"{made.collection}/{made.make(made.smallest)['id']}"
    for changed in ({"region": "elsewhere"}, {"cloud_provider": "GCP"}):
        assert fixture.ask("PUT", path, {**made.smallest, "name": fixture.name(), **changed}).status == 400


@shows("feature.accepted_values")
def feature_accepts_texts_and_truth_values(fixture: Fixture) -> None:
    accepted = [value for feature in SEEN["ClusterFeature"](fixture) for value in feature["accepted_values"]]
    assert {type(value) for value in accepted} == {str, bool}


@shows("feature.types")
def feature_has_a_form_for_each_type(fixture: Fixture) -> None:
    catalogue = {feature["value_object"]["type"]: feature for feature in SEEN["ClusterFeature"](fixture)}
    assert len(catalogue) == 6
    providers = {
        "AWS_USER_PROVIDED_NETWORK": "AWS",
        "KARPENTER": "AWS",
        "GCP_USER_PROVIDED_NETWORK": "GCP",
        "NAT_GATEWAY": "GCP",
    }
    made = MADE["Cluster"](fixture)
    for kind, provider in providers.items():
        offered = fixture.get(f"/{provider.lower()}/clusterFeature")["results"]
        feature = next(item for item in offered if item["value_object"]["type"] == kind)
        body = {**made.smallest, "cloud_provider": provider}
        chosen = {"id": feature["id"], "value": feature["value_object"]["value"]}
        assert made.make({**body, "features": [chosen]})["features"][0]["value_object"] == feature["value_object"]
        assert made.try_out({**body, "features": [{**chosen, "value": {"no": "such member"}}]}).status == 400


@shows("feature.updatable")
def feature_is_not_updatable_by_default(fixture: Fixture) -> None:
    assert _schema(fixture, "ClusterFeature")["properties"]["is_value_updatable"]["default"] is False
    assert {feature["is_value_updatable"] for feature in SEEN["ClusterFeature"](fixture)} == {True, False}


@shows("outputs.kinds")
def outputs_have_a_kind(fixture: Fixture) -> None:
    kinds = {"OutputsAks": "AKS", "OutputsEks": "EKS", "OutputsGke": "GKE", "OutputsKapsule": "SCW_KAPSULE"}
    for name, kind in kinds.items():
        assert {outputs["kind"] for outputs in SEEN[name](fixture)} == {kind}
    assert set(_schema(fixture, "InfrastructureOutputs")["discriminator"]["mapping"]) == set(kinds.values())


# Databases, statuses, stages.


def _database(fixture: Fixture, **fields: Any) -> Any:
    made = MADE["Database"](fixture)
    return made.make({**made.smallest, **fields})


@shows("database.memory")
def database_gets_memory_by_its_engine(fixture: Fixture) -> None:
    memory = {"POSTGRESQL": 100, "REDIS": 100, "MYSQL": 512, "MONGODB": 256}
    for engine, expected in memory.items():
        assert _database(fixture, type=engine)["memory"] == expected


@shows("database.container")
def database_in_a_container_has_no_instance_and_disk_type(fixture: Fixture) -> None:
    made = _database(fixture)
    assert made["instance_type"] is None and made["disk_type"] is None
    subject = MADE["Database"](fixture)
    assert subject.try_out({**subject.smallest, "instance_type": "db.t3.micro"}).status == 400


@shows("database.managed")
def database_that_is_managed_has_them(fixture: Fixture) -> None:
    for disk in ("gp2", "gp3"):
        made = _database(fixture, mode="MANAGED", disk_type=disk, instance_type="db.t3.micro")
        assert (made["disk_type"], made["instance_type"]) == (disk, "db.t3.micro")
    subject = MADE["Database"](fixture)
    assert subject.try_out({**subject.smallest, "mode": "MANAGED", "disk_type": "gp4"}).status == 400


@shows("status.none")
def status_has_no_sub_action(fixture: Fixture) -> None:
    assert {status["status_details"]["sub_action"] for status in SEEN["DeploymentStatus"](fixture)} == {"NONE"}


@shows("stage.entry_updated_at")
def stage_entries_are_described_with_the_time_of_their_change(fixture: Fixture) -> None:
    assert _schema(fixture, "DeploymentStageServiceResponse")["properties"]["updated_at"]["format"] == "date-time"


@shows("stage.order")
def stage_moves_behind_the_other(fixture: Fixture) -> None:
    path = f"/environment/{fixture.make_environment()}/deploymentStage"
    stages = [stage["id"] for stage in fixture.get(path)["results"]]
    moved = fixture.ask("PUT", f"/deploymentStage/{stages[0]}/moveAfter/{stages[2]}").json()["results"]
    assert [stage["id"] for stage in moved] == [stages[1], stages[2], stages[0], *stages[3:]]
    assert [stage["deployment_order"] for stage in moved] == list(range(len(stages)))


# Helm repositories and container registries.


def _repository(fixture: Fixture, kind: str, url: str) -> int:
    made = MADE["HelmRepository"](fixture)
    return made.try_out({**made.smallest, "kind": kind, "url": url}).status


@shows("helm.oci")
def helm_of_an_oci_kind_has_an_oci_url(fixture: Fixture) -> None:
    kinds = [kind for kind in Description(fixture).words("HelmRepository", "kind") if kind.startswith("OCI_")]
    assert len(kinds) == 7
    for kind in kinds:
        assert _repository(fixture, kind, "oci://charts.example.com") == 201
        assert _repository(fixture, kind, "https://charts.example.com") == 400


@shows("helm.https")
def helm_of_the_https_kind_has_an_https_url(fixture: Fixture) -> None:
    assert _repository(fixture, "HTTPS", "https://charts.example.com") == 201
    for url in ("oci://charts.example.com", "http://charts.example.com"):
        assert _repository(fixture, "HTTPS", url) == 400


@shows("helm.counts")
def helm_repository_counts_its_services(fixture: Fixture) -> None:
    made = MADE["HelmRepository"](fixture)
    repository = made.make({**made.smallest, "url": "https://charts.example.com"})
    assert repository["associated_services_count"] == 0
    source = {"helm_repository": {"repository": repository["id"], "chart_name": "c", "chart_version": "1"}}
    for count in (1, 2):
        fixture.make_service("helm", {"auto_deploy": False, "arguments": [], "values_override": {}, "source": source})
        assert fixture.get(f"{made.collection}/{repository['id']}")["associated_services_count"] == count


_ADDRESS = {
    "DOCKER_HUB": "https://docker.io",
    "GITHUB_CR": "https://ghcr.io",
    "GITLAB_CR": "https://registry.gitlab.com",
}
_NEEDED = {
    "ECR": {"region": "r", "access_key_id": "k", "secret_access_key": SECRET},
    "SCALEWAY_CR": {"region": "r", "scaleway_access_key": "k", "scaleway_secret_key": SECRET},
    "GCP_ARTIFACT_REGISTRY": {"region": "r", "json_credentials": SECRET},
    "AZURE_CR": {"azure_tenant_id": "t", "azure_subscription_id": "s"},
}


def _registry(fixture: Fixture, kind: str, config: Body | None = None, **fields: Any) -> Body:
    url = {} if kind in _ADDRESS else {"url": "https://registry.example.com"}
    return {"name": "", "kind": kind, "config": _NEEDED.get(kind, {}) if config is None else config, **url, **fields}


def _needs(fixture: Fixture, kind: str) -> None:
    made = MADE["ContainerRegistry"](fixture)
    body = _registry(fixture, kind)
    assert made.try_out(body).status == 201
    for name in _NEEDED[kind]:
        reply = made.try_out(without(body, f"config.{name}"))
        assert reply.status == 400 and reply.json()["violations"][0]["field"] == f"config.{name}"


@shows("registry.ecr")
def registry_of_ecr_needs_a_key(fixture: Fixture) -> None:
    _needs(fixture, "ECR")


@shows("registry.scaleway")
def registry_of_scaleway_needs_a_key(fixture: Fixture) -> None:
    _needs(fixture, "SCALEWAY_CR")


@shows("registry.gcp")
def registry_of_gcp_needs_credentials(fixture: Fixture) -> None:
    _needs(fixture, "GCP_ARTIFACT_REGISTRY")


@shows("registry.kinds", "registry.docr")
def registry_takes_every_kind_but_docr(fixture: Fixture) -> None:
    made = MADE["ContainerRegistry"](fixture)
    kinds = Description(fixture).words("ContainerRegistry", "kind")
    assert len(kinds) == 11
    for kind in kinds:
        reply = made.try_out(_registry(fixture, kind))
        assert reply.status == (400 if kind == "DOCR" else 201), (kind, reply.body)
        assert kind == "DOCR" or reply.json()["kind"] == kind


@shows("registry.plain")
def registry_may_have_a_user(fixture: Fixture) -> None:
    made = MADE["ContainerRegistry"](fixture)
    for kind in ("DOCKER_HUB", "GITHUB_CR", "GITLAB_CR", "GENERIC_CR"):
        for config in ({}, {"username": "ann", "password": SECRET}):
            assert made.try_out(_registry(fixture, kind, config)).status == 201


@shows("registry.public")
def registry_that_is_public_needs_nothing(fixture: Fixture) -> None:
    assert MADE["ContainerRegistry"](fixture).try_out(_registry(fixture, "PUBLIC_ECR", {})).status == 201


@shows("registry.azure")
def registry_of_azure_shows_the_application(fixture: Fixture) -> None:
    config = MADE["ContainerRegistry"](fixture).make(_registry(fixture, "AZURE_CR"))["config"]
    assert config["azure_application_id"] and config["azure_application_object_id"]


@shows("registry.cluster")
def registry_describes_its_cluster(fixture: Fixture) -> None:
    assert sorted(_schema(fixture, "ContainerRegistryCluster")["required"]) == ["id", "name"]


@shows("registry.known_urls")
def registry_that_is_known_has_its_own_url(fixture: Fixture) -> None:
    made = MADE["ContainerRegistry"](fixture)
    for kind, url in _ADDRESS.items():
        assert made.make(_registry(fixture, kind))["url"] == url
        assert made.make(_registry(fixture, kind, url=url))["url"] == url
        assert made.try_out(_registry(fixture, kind, url="https://registry.example.com")).status == 400


@shows("registry.other_urls")
def registry_of_another_kind_needs_an_https_url(fixture: Fixture) -> None:
    made = MADE["ContainerRegistry"](fixture)
    kinds = set(Description(fixture).words("ContainerRegistry", "kind")) - set(_ADDRESS) - {"DOCR"}
    for kind in kinds:
        assert made.try_out(without(_registry(fixture, kind), "url")).status == 400
        assert made.try_out(_registry(fixture, kind, url="http://registry.example.com")).status == 400


# Git webhooks.


def _hook(fixture: Fixture, hook: Any) -> Any:
    fixture.hook = hook
    return fixture.get(f"/service/{fixture.application}/gitWebhookStatus")


@shows("webhook.misconfigured", "webhook.active")
def webhook_is_active_with_all_events(fixture: Fixture) -> None:
    lacking = _hook(fixture, [])
    assert lacking["status"] == "MISCONFIGURED" and lacking["missing_events"]
    for known in (lacking["missing_events"], [*lacking["missing_events"], "star"]):
        active = _hook(fixture, known)
        assert active["status"] == "ACTIVE" and "missing_events" not in active
    some = _hook(fixture, lacking["missing_events"][1:])
    assert some["status"] == "MISCONFIGURED" and some["missing_events"] == lacking["missing_events"][:1]


@shows("webhook.not_configured")
def webhook_is_not_configured_without_a_hook(fixture: Fixture) -> None:
    status = _hook(fixture, None)
    assert status["status"] == "NOT_CONFIGURED" and "missing_events" not in status


@shows("webhook.unable")
def webhook_cannot_be_verified(fixture: Fixture) -> None:
    assert _hook(fixture, RuntimeError("rate limit"))["status"] == "UNABLE_TO_VERIFY"
    status = _hook(fixture, OSError("no network"))
    assert status["status"] == "UNABLE_TO_VERIFY" and "missing_events" not in status
