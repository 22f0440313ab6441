"""Ten calls with the client that openapi-generator made for Python: calls.py URL TOKEN ORGANIZATION."""

from __future__ import annotations

import sys
from uuid import UUID

import openapi_client
from openapi_client import (
    ClustersApi,
    ContainerRegistriesApi,
    ContainersApi,
    EnvironmentsApi,
    JobsApi,
    ProjectsApi,
)


def main(url: str, token: str, organization: UUID) -> None:
    configuration = openapi_client.Configuration(
        host=url, api_key={"ApiKeyAuth": token}, api_key_prefix={"ApiKeyAuth": "Token"}
    )
    with openapi_client.ApiClient(configuration) as client:
        clusters, containers = ClustersApi(client), ContainersApi(client)
        cluster = clusters.create_cluster(
            organization, openapi_client.ClusterRequest(name="europe", region="eu-west-3", cloud_provider="AWS")
        )
        clusters.deploy_cluster(organization, cluster.id)
        while clusters.get_cluster_status(organization, cluster.id).status != "DEPLOYED":
            pass
        project = ProjectsApi(client).create_project(organization, openapi_client.ProjectRequest(name="shop"))
        environment = EnvironmentsApi(client).create_environment(
            project.id, openapi_client.EnvironmentRequest(name="production", cluster=str(cluster.id))
        )
        registry = ContainerRegistriesApi(client).create_container_registry(
            organization,
            openapi_client.ContainerRegistryRequest.from_dict({"name": "hub", "kind": "DOCKER_HUB", "config": {}}),
        )
        body = {
            "name": "web",
            "registry_id": str(registry.id),
            "image_name": "acme/web",
            "tag": "1",
            "healthchecks": {},
        }
        container = containers.create_container(environment.id, openapi_client.ContainerRequest.from_dict(body))
        job = {
            "name": "migrate",
            "healthchecks": {},
            "source": {"image": {"registry_id": str(registry.id), "image_name": "acme/migrate", "tag": "1"}},
            "schedule": {"on_start": {}},
        }
        assert JobsApi(client).create_job(environment.id, openapi_client.JobRequest.from_dict(job)).name == "migrate"
        containers.deploy_container(container.id)
        while containers.get_container_status(container.id).state != "DEPLOYED":
            pass
    print("ten calls")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], UUID(sys.argv[3]))
