"""Blueprints in environments, and platform templates of clusters: answers of external systems become services and
settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import orlop
import pytest
from conftest import Platform

TYPE = {"type": "string"}
TAG, NEXT = "aws/postgresql/16/1.0.0", "aws/postgresql/16/1.1.0"


def variable(name: str, **members: Any) -> dict[str, Any]:
    return {"kind": "variable", "name": name, "type": TYPE, "required": False, "is_secret": False, **members}


def blueprint(
    *variables: Any, kind: str = "terraform", version: str = "1.9.0", latest: str = TAG, **engine: Any
) -> dict[str, Any]:
    return {
        "catalog_url": "https://catalog.example.com/postgresql",
        "repository_url": "https://github.com/acme/blueprints.git",
        "root_path": "/postgresql",
        "latest_tag": latest,
        "variables": list(variables),
        "engine": {"type": kind, "version": version, **engine},
        "new_major_versions": [{"service_version": "17", "latest_tag": "aws/postgresql/17/1.0.0"}],
    }


SIZE = variable("size", required=True, type={"type": "number", "min": 10, "max": 100})
PASSWORD = variable("password", is_secret=True)
BODY = {
    "name": "orders",
    "tag": TAG,
    "icon": "https://example.com/i.svg",
    "variables": [{"name": "size", "value": "20"}, {"name": "password", "value": "hidden-value", "is_secret": True}],
}


class BlueprintPlatform(Platform):
    def __init__(self) -> None:
        super().__init__()
        self.catalogue(blueprint(SIZE, PASSWORD))

    def catalogue(self, found: Any, tag: str = TAG) -> None:
        self.simulation.externals.add("find_blueprint", found, where={"tag": tag})

    def create(self, body: Any = None, query: str = "") -> Any:
        return self.ask("POST", f"/environment/{self.environment.id}/blueprint{query}", body or BODY)

    def services(self) -> list[Any]:
        return [entry for entry in self.ask("GET", f"/environment/{self.environment.id}/services")["results"]]


@pytest.fixture(name="platform")
def platform_fixture() -> Iterator[BlueprintPlatform]:
    with BlueprintPlatform() as platform:
        yield platform


def test_a_blueprint_makes_a_service(platform: BlueprintPlatform) -> None:
    made = platform.create()
    assert made == {
        "id": made["id"],
        "catalog_url": "https://catalog.example.com/postgresql",
        "tag": TAG,
        "environment_id": platform.environment.id,
    }
    [service] = platform.services()
    assert (service["name"], service["service_type"], service["blueprint_id"], service["engine"]) == (
        "orders",
        "TERRAFORM",
        made["id"],
        "TERRAFORM",
    )
    assert service["terraform_files_source"]["git"]["git_repository"]["root_path"] == "/postgresql"
    values = {entry["key"]: entry.get("value") for entry in service["terraform_variables_source"]["tf_vars"]}
    assert values == {"size": "20", "password": None}
    assert "hidden-value" not in json.dumps([event for event in platform.simulation.events()]) + json.dumps(
        platform.services()
    )


def test_it_can_be_deployed_at_once_and_again(platform: BlueprintPlatform) -> None:
    made = platform.create(query="?deploy=true")
    platform.simulation.run_until_idle()
    state = f"/terraform/{platform.services()[0]['id']}/status"
    assert platform.ask("GET", state)["state"] == "DEPLOYED"
    placed = platform.ask("POST", f"/blueprint/{made['id']}/deploy")
    assert set(placed) == {"deployment_id", "execution_id"}
    platform.simulation.run_until_idle()
    assert platform.ask("GET", state)["execution_id"] == placed["execution_id"]


@pytest.mark.parametrize(
    ("variables", "field"),
    [
        ([], "variables.size"),
        ([{"name": "size", "value": "5"}], "variables.size"),
        ([{"name": "size", "value": "big"}], "variables.size"),
        ([{"name": "size", "value": "20"}, {"name": "other", "value": "1"}], "variables.other"),
        ([{"name": "size", "value": "20"}] * 2, "variables"),
    ],
)
def test_values_that_do_not_fit_are_refused(platform: BlueprintPlatform, variables: Any, field: str) -> None:
    with pytest.raises(orlop.Invalid) as refused:
        platform.create({**BODY, "variables": variables})
    assert field in str(refused.value)
    assert platform.services() == []


def test_an_unknown_tag_and_a_taken_name_are_refused(platform: BlueprintPlatform) -> None:
    platform.catalogue(None, "none")
    with pytest.raises(orlop.Invalid, match="tag"):
        platform.create({**BODY, "tag": "none"})
    platform.create()
    with pytest.raises(orlop.Conflict):
        platform.create()
    assert len(platform.services()) == 1


def test_a_secret_for_helm_is_refused(platform: BlueprintPlatform) -> None:
    platform.catalogue(blueprint(SIZE, PASSWORD, kind="helm", version="3"))
    with pytest.raises(orlop.Invalid, match="password"):
        platform.create()
    made = platform.create({**BODY, "variables": BODY["variables"][:1]})
    [service] = platform.services()
    assert service["service_type"] == "HELM" and service["blueprint_id"] == made["id"]
    assert service["values_override"]["set_string"] == [["size", "20"]]


def test_an_update_is_described_previewed_and_made(platform: BlueprintPlatform) -> None:
    made = platform.create()
    item = f"/blueprint/{made['id']}"
    platform.catalogue(blueprint(SIZE, PASSWORD, latest=NEXT))
    zone = variable("zone", required=True)
    note = variable("note", default_value="none")
    platform.catalogue(blueprint({**SIZE, "default_value": "30"}, zone, note, version="1.10.0", latest=NEXT), NEXT)
    update = platform.ask("GET", f"{item}/update")
    assert (update["is_up_to_date"], update["current_tag"], update["latest_tag"]) == (False, TAG, NEXT)
    names = {
        key: [entry["name"] for entry in update[key]]
        for key in (
            "new_required_values",
            "new_optional_values",
            "now_required_values",
            "updated_values",
            "removed_values",
        )
    }
    assert names == {
        "new_required_values": ["zone"],
        "new_optional_values": ["note"],
        "now_required_values": [],
        "updated_values": ["size"],
        "removed_values": ["password"],
    }
    assert update["updated_values"][0]["current_value"] == "20"
    assert update["engine_diff"]["updated_values"] == [
        {
            "name": "engine_version",
            "current_default_value": "1.9.0",
            "new_default_value": "1.10.0",
            "current_value": None,
        }
    ]
    body = {
        "name": "orders",
        "tag": NEXT,
        "icon": BODY["icon"],
        "variables": {"zone": {"value": "a"}, "password": None},
    }
    preview = platform.ask("POST", f"{item}/update/preview", body)
    assert preview["service_type"] == "TERRAFORM"
    platform.simulation.run_until_idle()
    shown = platform.ask("GET", f"{item}/preview/{preview['preview_id']}")
    assert shown["status"] == "SUCCEEDED" and shown["difference"]["new_required_values"][0]["name"] == "zone"
    assert platform.services()[0]["provider_version"]["explicit_version"] == "1.9.0"  # unchanged
    assert platform.ask("PATCH", item, body)["tag"] == NEXT
    [service] = platform.services()
    assert service["provider_version"]["explicit_version"] == "1.10.0"
    assert {entry["key"]: entry["value"] for entry in service["terraform_variables_source"]["tf_vars"]} == {
        "size": "20",
        "zone": "a",
    }


def test_an_idempotency_key_makes_one_blueprint(platform: BlueprintPlatform) -> None:
    path = f"/environment/{platform.environment.id}/blueprint"
    first, second = (
        platform.simulation.request("POST", path, BODY, headers={"Idempotency-Key": "k"}) for _ in range(2)
    )
    assert first.status == second.status == 201 and first.json() == second.json()
    assert len(platform.services()) == 1


def test_a_catalogue_that_fails_changes_nothing(platform: BlueprintPlatform) -> None:
    platform.simulation.externals.add("find_blueprint", error="the catalogue is closed")
    with pytest.raises(orlop.Refused):
        platform.create()
    assert platform.services() == []


# ---- Platform templates

FIELD = {
    "key": "retention",
    "type": "number",
    "required": True,
    "label": "Retention",
    "sensitive": False,
    "constraints": {"min": 1, "max": 30},
}
SECRET = {
    "key": "token",
    "type": "string",
    "required": True,
    "label": "Token",
    "sensitive": True,
    "constraints": {},
    "scope": "CLUSTER",
}
LAYERS = [
    {"key": "base", "mandatory": True, "enabledByDefault": False, "modes": ["PLATFORM_MANAGED"], "components": []},
    {
        "key": "metrics",
        "mandatory": False,
        "enabledByDefault": False,
        "modes": ["PLATFORM_MANAGED"],
        "providers": ["AWS"],
        "components": [{"key": "prometheus", "kind": "HELM", "fields": [FIELD, SECRET]}],
    },
    {
        "key": "gcp",
        "mandatory": False,
        "enabledByDefault": True,
        "modes": ["PLATFORM_MANAGED"],
        "providers": ["GCP"],
        "components": [],
    },
]
BINDING = {
    "templateKey": "k8s",
    "templateVersion": "1",
    "layerSelections": {"metrics": True},
    "managedConfig": {"prometheus": {"retention": 15}},
    "customerProvidedInputs": {"prometheus": {"token": "hidden-value"}},
}


@pytest.fixture(name="templates")
def templates_fixture(platform: BlueprintPlatform) -> BlueprintPlatform:
    platform.simulation.externals.add(
        "list_platform_templates", [{"key": "k8s", "version": "1", "status": "PUBLISHED", "layers": LAYERS}]
    )
    return platform


def test_templates_are_listed_for_a_provider(templates: BlueprintPlatform) -> None:
    home = f"{templates.home}/platformTemplate"
    [template] = templates.ask("GET", f"{home}?cloudProvider=AWS")["results"]
    assert [layer["key"] for layer in template["layers"]] == ["base", "metrics"]
    assert (
        template["layers"][1]["componentKeys"] == ["prometheus"]
        and "scope" not in template["layers"][1]["components"][0]["fields"][0]
    )


def test_a_cluster_is_bound_to_a_template(templates: BlueprintPlatform) -> None:
    path = f"{templates.home}/cluster/{templates.cluster.id}/platformBinding"
    with pytest.raises(orlop.NotFound):
        templates.ask("GET", path)
    bound = templates.ask("PUT", path, BINDING)
    assert bound == templates.ask("GET", path)
    assert {layer["key"]: layer["status"] for layer in bound["layers"]} == {
        "base": "ENABLED",
        "metrics": "ENABLED",
        "gcp": "SKIPPED",
    }
    assert bound["managedConfig"] == {"prometheus": {"retention": 15}} and bound["customerProvidedInputs"] == {
        "prometheus": {}
    }
    resolved = templates.ask("POST", f"{path}/component/prometheus/resolve", {})
    assert {entry["key"]: entry["status"] for entry in resolved["requirements"]} == {
        "retention": "READY",
        "token": "READY",
    } and resolved["violations"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"templateKey": "x"}, "templateKey"),
        ({"layerSelections": {"x": True}}, "layerSelections.x"),
        ({"managedConfig": {"x": {}}}, "managedConfig.x"),
        ({"layerSelections": {"metrics": 1}}, "layerSelections.metrics"),
        ({"customerProvidedInputs": {"prometheus": {"token": 1}}}, "customerProvidedInputs.prometheus.token"),
    ],
)
def test_bindings_that_do_not_fit_are_refused(templates: BlueprintPlatform, change: Any, field: str) -> None:
    path = f"{templates.home}/cluster/{templates.cluster.id}/platformBinding"
    with pytest.raises(orlop.Invalid) as refused:
        templates.ask("PUT", path, {**BINDING, **change})
    assert field in str(refused.value)


def test_a_component_is_checked_without_a_cluster(templates: BlueprintPlatform) -> None:
    home = f"{templates.home}/platformTemplate/k8s/1/component"
    query = "resolve?clusterMode=PLATFORM_MANAGED&cloudProvider=AWS"
    resolved = templates.ask("POST", f"{home}/prometheus/{query}", {"profileConfig": {"retention": 90, "x": 1}})
    assert [(entry["code"], entry["fieldPath"]) for entry in resolved["violations"]] == [
        ("TOO_LARGE", "profileConfig.retention"),
        ("UNKNOWN_FIELD", "profileConfig.x"),
    ]
    assert {entry["key"]: entry["status"] for entry in resolved["requirements"]} == {
        "retention": "READY",
        "token": "MISSING",
    }
    with pytest.raises(orlop.NotFound):
        templates.ask("POST", f"{home}/none/{query}", {})
