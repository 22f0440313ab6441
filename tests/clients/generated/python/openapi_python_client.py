"""Ten calls with the client that openapi-python-client generated: calls.py URL TOKEN ORGANIZATION."""

from __future__ import annotations

import sys
from uuid import UUID

from platform_client import AuthenticatedClient
from platform_client.api.clusters import create_cluster, deploy_cluster, get_cluster_status
from platform_client.api.container_registries import create_container_registry
from platform_client.api.containers import create_container, deploy_container, get_container_status
from platform_client.api.environments import create_environment
from platform_client.api.jobs import create_job
from platform_client.api.projects import create_project
from platform_client.models import (
    ClusterRequest,
    ContainerRegistryRequest,
    ContainerRequest,
    EnvironmentRequest,
    JobRequest,
    ProjectRequest,
)


def main(url: str, token: str, organization: UUID) -> None:
    client = AuthenticatedClient(base_url=url, token=token, prefix="Token")
    cluster = create_cluster.sync(
        organization,
        client=client,
        body=ClusterRequest.from_dict({"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}),
    )
    assert cluster.name == "europe"
    deploy_cluster.sync(organization, cluster.id, client=client)
    while get_cluster_status.sync(organization, cluster.id, client=client).status != "DEPLOYED":
        pass
    project = create_project.sync(organization, client=client, body=ProjectRequest(name="shop"))
    environment = create_environment.sync(
        project.id, client=client, body=EnvironmentRequest.from_dict({"name": "production", "cluster": str(cluster.id)})
    )
    registry = create_container_registry.sync(
        organization,
        client=client,
        body=ContainerRegistryRequest.from_dict({"name": "hub", "kind": "DOCKER_HUB", "config": {}}),
    )
    body = {"name": "web", "registry_id": str(registry.id), "image_name": "acme/web", "tag": "1", "healthchecks": {}}
    container = create_container.sync(environment.id, client=client, body=ContainerRequest.from_dict(body))
    assert container.description is not None or container.name == "web"
    job = {
        "name": "migrate",
        "healthchecks": {},
        "source": {"image": {"registry_id": str(registry.id), "image_name": "acme/migrate", "tag": "1"}},
        "schedule": {"on_start": {}},
    }
    assert create_job.sync(environment.id, client=client, body=JobRequest.from_dict(job)).name == "migrate"
    deploy_container.sync(container.id, client=client)
    while get_container_status.sync(container.id, client=client).state != "DEPLOYED":
        pass
    print("ten calls")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], UUID(sys.argv[3]))
