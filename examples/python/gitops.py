"""Applications of an Argo CD server are services of environments."""

from collections.abc import Mapping
from typing import Any

import orlop

IN_CLUSTER = "https://kubernetes.default.svc"


class ArgoCd(orlop.ExternalSystems):
    health = "HEALTHY"

    def list_argocd_applications(self, question: Mapping[str, Any]) -> Any:
        return [
            {
                "name": "api",
                "project": "shop",
                "namespace": "production",
                "argocd_cluster_url": IN_CLUSTER,
                "health": self.health,
                "health_message": "the probe fails",
                "sync_status": "SYNCED",
                "last_synced_at": "2026-01-01T00:00:00Z",
                "manifest_revision": "4e1f2a",
            }
        ]


argocd = ArgoCd()
with orlop.Simulation(seed=7, external_systems=argocd) as simulation:
    organization = simulation.organizations.create(name="acme", plan="FREE")
    cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    simulation.request(
        "POST", f"/cluster/{cluster.id}/argoCdConfig", {"argocd_url": "https://argocd.example.com", "argocd_token": "…"}
    ).raise_for_status()
    mapping = {"agent_cluster_id": cluster.id, "argocd_cluster_url": IN_CLUSTER, "cluster_id": cluster.id}
    simulation.request(
        "POST", f"/organization/{organization.id}/argoCdDestinationClusterMapping", mapping
    ).raise_for_status()
    for argocd.health in ("HEALTHY", "DEGRADED"):
        simulation.clock.advance(minutes=3)
        [app] = simulation.request("GET", f"/cluster/{cluster.id}/argocdApps/associatedServices").check()["results"]
        statuses = simulation.request("GET", f"/environment/{app['environment_id']}/statuses").check()
        print(app["project_name"], app["environment_name"], app["service_name"], statuses["argocd_apps"][0]["state"])
