"""A platform with one resource of each kind, and its ids by the path parameters that take them."""

from __future__ import annotations

from typing import Any

from orlop.models import Organization

DOCKERFILE: dict[str, Any] = {
    "git_repository": {"url": "https://github.com/acme/shop.git", "provider": "GITHUB"},
    "healthchecks": {},
}
TERRAFORM: dict[str, Any] = {
    "description": "network",
    "auto_deploy_config": {"auto_deploy": False, "terraform_action": "DEFAULT"},
    "terraform_files_source": {
        "git": {"git_repository": {"url": "https://github.com/acme/net.git", "provider": "GITHUB"}}
    },
    "terraform_variables_source": {"tf_vars": [], "tf_var_file_paths": []},
    "backend": {"kubernetes": {}},
    "engine": "TERRAFORM",
    "provider_version": {"read_from_terraform_block": False, "explicit_version": "1.9.7"},
    "job_resources": {"cpu_milli": 500, "ram_mib": 512, "storage_gib": 10},
}


def known_ids(organization: Organization, name: str) -> dict[str, list[str]]:
    """Creates the platform, with names that end with `name`, and returns the ids for each parameter."""
    hub = organization.container_registries.create(name=f"hub {name}", kind="DOCKER_HUB", config={})
    charts = organization.helm_repositories.create(
        name=f"charts {name}", kind="HTTPS", url="https://charts.example.com", skip_tls_verification=False, config={}
    )
    cluster = (
        organization.clusters.create(name=f"europe {name}", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    )
    project = organization.projects.create(name=f"shop {name}")
    environment = project.environments.create(name=f"production {name}", cluster_id=cluster.id)
    image: dict[str, Any] = {"registry_id": hub.id, "image_name": "acme/web", "tag": "1", "healthchecks": {}}
    services = {
        "containerId": environment.containers.create(name=f"web {name}", **image),
        "databaseId": environment.databases.create(
            name=f"orders {name}", type="POSTGRESQL", version="16", mode="CONTAINER"
        ),
        "applicationId": environment.applications.create(name=f"api {name}", **DOCKERFILE),
        "jobId": environment.jobs.create(
            name=f"migrate {name}",
            healthchecks={},
            source={"image": {"registry_id": hub.id, "image_name": "acme/job", "tag": "1"}},
            schedule={"on_start": {"arguments": ["up"]}},
        ),
        "helmId": environment.helms.create(
            name=f"cache {name}",
            auto_deploy=False,
            arguments=[],
            values_override={},
            source={"helm_repository": {"repository": charts.id, "chart_name": "redis", "chart_version": "1.0.0"}},
        ),
        "terraformId": environment.terraforms.create(name=f"network {name}", **TERRAFORM),
    }
    ids = {
        "organizationId": [organization.id],
        "containerRegistryId": [hub.id],
        "helmRepositoryId": [charts.id],
        "clusterId": [cluster.id],
        "projectId": [project.id],
        "environmentId": [environment.id],
        "deploymentStageId": [stage.id for stage in environment.stages],
    }
    ids["stageId"] = ids["deploymentStageId"]
    ids["credentialsId"] = [
        organization.aws_credentials.create(
            name=f"aws {name}", type="AWS_STATIC", access_key_id="AKIA", secret_access_key="secret"
        ).id
    ]
    ids["gitTokenId"] = [organization.git_tokens.create(name=f"git {name}", type="GITHUB", token="secret").id]
    label: Any = {"key": "team", "value": "shop", "propagate_to_cloud_provider": True}
    ids["labelsGroupId"] = [organization.labels_groups.create(name=f"costs {name}", labels=[label]).id]
    ids["annotationsGroupId"] = [
        organization.annotations_groups.create(
            name=f"scraping {name}", annotations=[{"key": "scrape", "value": "true"}], scopes=["PODS"]
        ).id
    ]
    ids.update({parameter: [service.id] for parameter, service in services.items()})
    ids["serviceId"] = [service.id for service in services.values()]
    return ids
