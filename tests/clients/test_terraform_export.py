"""The Terraform export of an environment, applied to another platform: it creates the same environment there, with an
empty plan afterwards."""

from __future__ import annotations

import json
from typing import Any

import orlop
import pytest
from declarative import Description
from known import DOCKERFILE, TERRAFORM
from terraform_file import File, read_blocks

GIT: dict[str, Any] = {"git_repository": {"url": "https://github.com/acme/shop.git", "provider": "GITHUB"}}


class Before:
    """Prerequisites that the file does not create: the organization, its registries and cluster, and the project with a
    variable."""

    def __init__(self, simulation: orlop.Simulation) -> None:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        self.hub = organization.container_registries.create(name="hub", kind="DOCKER_HUB", config={}).id
        self.charts = organization.helm_repositories.create(
            name="charts", kind="HTTPS", url="https://charts.example.com", skip_tls_verification=False, config={}
        ).id
        self.cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").id
        self.labels = organization.labels_groups.create(
            name="costs", labels=[{"key": "team", "value": "shop", "propagate_to_cloud_provider": True}]
        ).id
        self.project = organization.projects.create(name="shop").id
        self.level = variable(simulation, "LEVEL", "info", "PROJECT", self.project)
        self.token = variable(simulation, "TOKEN", "hidden-value", "PROJECT", self.project, is_secret=True)


def ask(simulation: orlop.Simulation, method: str, path: str, body: Any = None) -> Any:
    return simulation.request(method, path, body).check()


def variable(simulation: orlop.Simulation, key: str, value: str, scope: str, parent: str, **more: Any) -> str:
    body = {
        "key": key,
        "value": value,
        "is_secret": False,
        "variable_scope": scope,
        "variable_parent_id": parent,
        **more,
    }
    return str(ask(simulation, "POST", "/variable", body)["id"])


def make_services(simulation: orlop.Simulation, before: Before) -> tuple[str, dict[str, str]]:
    project = simulation.organizations.list()[0].projects.list()[0]
    environment = project.environments.create(name="Production 1", cluster_id=before.cluster, mode="PRODUCTION")
    image: dict[str, Any] = {"registry_id": before.hub, "image_name": "acme/web", "tag": "1"}
    port: Any = {"internal_port": 80, "external_port": 443, "publicly_accessible": True, "protocol": "HTTP"}
    web = environment.containers.create(
        name="web",
        healthchecks={},
        ports=[port],
        entrypoint="${HOME}/run %{x}",
        labels_groups=[{"id": before.labels}],
        max_running_instances=3,
        **image,
    )
    services = {
        "container": web,
        "database": environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER"),
        "application": environment.applications.create(name="api", **DOCKERFILE),
        "job": environment.jobs.create(
            name="migrate", healthchecks={}, source={"image": image}, schedule={"on_start": {"arguments": ["up"]}}
        ),
        "helm": environment.helms.create(
            name="web",
            auto_deploy=False,
            arguments=[],
            values_override={},
            source={"helm_repository": {"repository": before.charts, "chart_name": "redis", "chart_version": "1"}},
        ),
        "terraform": environment.terraforms.create(name="network", **TERRAFORM),
    }
    return environment.id, {kind: service.id for kind, service in services.items()}


def make_settings(simulation: orlop.Simulation, environment: str, services: dict[str, str]) -> None:
    web, api = services["container"], services["application"]
    settings = ask(simulation, "GET", f"/container/{web}/advancedSettings")
    ask(
        simulation,
        "PUT",
        f"/container/{web}/advancedSettings",
        {**settings, "network.ingress.keepalive_time_seconds": 77},
    )
    ask(simulation, "PUT", f"/application/{api}/network", {"sticky_session": True})
    ask(
        simulation,
        "POST",
        f"/application/{api}/customDomain",
        {"domain": "www.example.com", "generate_certificate": True},
    )
    ask(
        simulation,
        "POST",
        f"/application/{api}/deploymentRestriction",
        {"mode": "MATCH", "type": "PATH", "value": "src/"},
    )
    hours = {
        "timezone": "Europe/Paris",
        "start_time": "1970-01-01T07:00:00Z",
        "stop_time": "1970-01-01T20:00:00Z",
        "weekdays": ["MONDAY"],
    }
    ask(simulation, "PUT", f"/environment/{environment}/deploymentRule/{environment}", {"auto_stop": True, **hours})
    stages = ask(simulation, "GET", f"/environment/{environment}/deploymentStage")["results"]
    early = ask(
        simulation,
        "POST",
        f"/environment/{environment}/deploymentStage",
        {"name": "early", "description": "Before all others."},
    )["id"]
    ask(simulation, "PUT", f"/deploymentStage/{early}/moveBefore/{stages[0]['id']}")
    ask(simulation, "PUT", f"/deploymentStage/{early}/service/{services['job']}", {"is_skipped": True})


def make_variables(simulation: orlop.Simulation, environment: str, services: dict[str, str], before: Before) -> None:
    web, database = services["container"], services["database"]
    host = f"PLATFORM_POSTGRESQL_Z{database[:8].upper()}_HOST"
    listed = ask(simulation, "GET", f"/variable?scope=CONTAINER&parent_id={web}")["results"]
    built_in = next(one for one in listed if one["variable_type"] == "BUILT_IN" and database[:8].upper() in one["key"])
    host = built_in["key"]
    own = variable(
        simulation, "URL", f"sql://{{{{{host}}}}}", "ENVIRONMENT", environment, description="Of the database."
    )
    variable(
        simulation,
        "CONFIG",
        "a = {{LEVEL}}",
        "CONTAINER",
        web,
        mount_path="/etc/a.conf",
        enable_interpolation_in_file=True,
    )
    variable(simulation, "PASSWORD", "hidden-value-2", "CONTAINER", web, is_secret=True)
    for named, key in ((own, "DSN"), (before.level, "LOG_LEVEL"), (built_in["id"], "DB_HOST")):
        ask(
            simulation,
            "POST",
            f"/variable/{named}/alias",
            {"key": key, "alias_scope": "CONTAINER", "alias_parent_id": web},
        )
    for named, value in ((before.level, "debug"), (before.token, "hidden-value-3"), (own, "none")):
        ask(
            simulation,
            "POST",
            f"/variable/{named}/override",
            {"value": value, "override_scope": "CONTAINER", "override_parent_id": web},
        )


def seen(simulation: orlop.Simulation, environment: str) -> dict[str, Any]:
    """Reads the environment by other operations than the export: stages with their services, settings, and the
    variables of the container."""
    services = ask(simulation, "GET", f"/environment/{environment}/services")["results"]
    names = {service["id"]: f"{service['service_type']} {service['name']}" for service in services}
    stages = ask(simulation, "GET", f"/environment/{environment}/deploymentStage")["results"]
    ids = {name: id for id, name in names.items()}
    web, api = ids["CONTAINER web"], ids["APPLICATION api"]
    listed = ask(simulation, "GET", f"/variable?scope=CONTAINER&parent_id={web}")["results"]
    own = [one for one in listed if one["variable_type"] != "BUILT_IN"]
    rule = ask(simulation, "GET", f"/environment/{environment}/deploymentRule")
    return {
        "services": sorted(names.values()),
        "stages": [
            (
                stage["name"],
                stage["description"],
                sorted((names[one["service_id"]], one["is_skipped"]) for one in stage["services"]),
            )
            for stage in stages
        ],
        "settings": ask(simulation, "GET", f"/container/{web}/advancedSettings"),
        "network": ask(simulation, "GET", f"/application/{api}/network"),
        "domains": [one["domain"] for one in ask(simulation, "GET", f"/application/{api}/customDomain")["results"]],
        "restrictions": [
            one["value"] for one in ask(simulation, "GET", f"/application/{api}/deploymentRestriction")["results"]
        ],
        "rule": {name: rule[name] for name in ("auto_stop", "timezone", "start_time", "stop_time", "weekdays")},
        "variables": sorted(
            (one["key"].split("_Z")[0], one["scope"], one["variable_type"], one["mount_path"], one["is_secret"])
            for one in own
        ),
    }


def exported(simulation: orlop.Simulation, environment: str, secrets: bool = True) -> str:
    return simulation.request(
        "GET", f"/environment/{environment}/terraformExport?exportSecrets={str(secrets).lower()}"
    ).body.decode()


def test_an_export_makes_the_same_environment_on_another_platform() -> None:
    with orlop.Simulation(seed=1) as simulation:
        before = Before(simulation)
        snapshot = simulation.snapshot()
        environment, services = make_services(simulation, before)
        make_settings(simulation, environment, services)
        make_variables(simulation, environment, services, before)
        text, original = exported(simulation, environment), seen(simulation, environment)
    with orlop.Simulation(seed=2, snapshot=snapshot) as other:
        file = File(text, Description(other.request("GET", "/openapi.json").json()), other.request)
        file.apply()
        assert file.plan() == []
        made = file.resources["platform_environment.production_1"].id
        assert made != environment and json.loads(exported(other, made)) == json.loads(text)
        assert seen(other, made) == original
        # The plan reports changes by another client.
        web = file.resources["platform_container.web"]
        ask(other, "PUT", f"/container/{web.id}", {**web.declared, "tag": "2"})
        ask(
            other,
            "PUT",
            f"/application/{file.resources['platform_application.api'].id}/network",
            {"sticky_session": False},
        )
        assert file.plan() == [
            "platform_container.web: tag: '1' was declared, '2' is answered",
            "platform_network.network: sticky_session: True was declared, False is answered",
        ]


def test_an_export_without_secrets_names_none() -> None:
    with orlop.Simulation(seed=1) as simulation:
        before = Before(simulation)
        environment, services = make_services(simulation, before)
        make_variables(simulation, environment, services, before)
        text = exported(simulation, environment, secrets=False)
        assert "hidden-value" not in text
        overrides = [block.arguments["value"] for block in read_blocks(text) if block.kind == "variable_override"]
        assert sorted(overrides) == ["debug", "none"]


@pytest.mark.parametrize("planted", ["resource", "alias", "stage"])
def test_what_an_export_lacks_is_found(planted: str) -> None:
    """A file with a missing part does not create the same environment."""
    with orlop.Simulation(seed=1) as simulation:
        before = Before(simulation)
        snapshot = simulation.snapshot()
        environment, services = make_services(simulation, before)
        make_settings(simulation, environment, services)
        make_variables(simulation, environment, services, before)
        text = exported(simulation, environment)
    file = json.loads(text)
    if planted == "resource":
        del file["resource"]["platform_deployment_restriction"]
    elif planted == "alias":
        file["resource"]["platform_variable_alias"].popitem()
    else:
        file["resource"]["platform_job"]["migrate"].pop("deployment_stage_id")
    with orlop.Simulation(seed=2, snapshot=snapshot) as other:
        applied = File(json.dumps(file), Description(other.request("GET", "/openapi.json").json()), other.request)
        applied.apply()
        assert json.loads(exported(other, applied.resources["platform_environment.production_1"].id)) != json.loads(
            text
        )
