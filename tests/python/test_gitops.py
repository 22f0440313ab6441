"""Synchronization with Argo CD where the platform refuses what an application needs: the other applications appear, and
the engine continues."""

from __future__ import annotations

from typing import Any

import orlop
import pytest

IN_CLUSTER = "https://kubernetes.default.svc"


def application(name: str, namespace: str = "production", project: str = "argo") -> dict[str, Any]:
    return {
        "name": name,
        "project": project,
        "namespace": namespace,
        "argocd_cluster_url": IN_CLUSTER,
        "health": "HEALTHY",
        "sync_status": "SYNCED",
        "last_synced_at": "2026-01-01T00:00:00Z",
        "manifest_revision": "1",
    }


class Platform:
    def __init__(self, simulation: orlop.Simulation, *applications: dict[str, Any]) -> None:
        self.simulation = simulation
        self.answer(*applications)
        self.organization = simulation.organizations.create(name="acme", plan="FREE")
        self.cluster = self.organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").id

    def answer(self, *applications: dict[str, Any]) -> None:
        self.simulation.externals.add("list_argocd_applications", list(applications))

    def begin(self) -> None:
        mapping = {"agent_cluster_id": self.cluster, "argocd_cluster_url": IN_CLUSTER, "cluster_id": self.cluster}
        self.simulation.request(
            "POST", f"/organization/{self.organization.id}/argoCdDestinationClusterMapping", mapping
        ).check()
        self.simulation.request(
            "POST",
            f"/cluster/{self.cluster}/argoCdConfig",
            {"argocd_url": "https://argocd.example.com", "argocd_token": "t"},
        ).check()
        self.simulation.clock.advance(minutes=1)

    def services(self) -> list[str]:
        found = self.simulation.request("GET", f"/cluster/{self.cluster}/argocdApps/associatedServices").check()[
            "results"
        ]
        return sorted(f"{entry['project_name']}/{entry['environment_name']}/{entry['service_name']}" for entry in found)

    def fault(self) -> str:
        return str(self.simulation.request("GET", f"/cluster/{self.cluster}/argoCdConfig").check()["sync_error"])


@pytest.mark.parametrize(
    ("limits", "services", "fault"),
    [
        (["environments=0"], [], "allows 0 environments"),
        (["projects=0"], [], "allows 0 projects"),
        (["services=0"], [], "allows 0 services"),
        (["environments=1"], ["argo/production/a"], 'application "b": the plan FREE allows 1 environments'),
        (["projects=1"], ["argo/production/a"], 'application "b": the plan FREE allows 1 projects'),
        (["services=1"], ["argo/production/a"], 'application "b": the plan FREE allows 1 services'),
    ],
)
def test_a_plan_without_room_leaves_applications_out_and_stops_nothing_else(
    limits: list[str], services: list[str], fault: str
) -> None:
    with orlop.Simulation(
        seed=1, require_cluster=False, billing=[f"limit.FREE.{limit}" for limit in limits]
    ) as simulation:
        platform = Platform(simulation, application("a"), application("b", "staging", "other"))
        platform.begin()
        assert platform.services() == services
        assert fault in platform.fault()
        assert [project.name for project in platform.organization.projects] == (["argo"] if services else [])
        other = simulation.organizations.create(name="other", plan="BUSINESS")
        europe = other.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        assert europe.deploy().wait().state()["status"] == "DEPLOYED"


def test_a_service_that_moves_to_where_there_is_no_room_is_named() -> None:
    with orlop.Simulation(seed=1, require_cluster=False, billing=["limit.FREE.environments=1"]) as simulation:
        platform = Platform(simulation, application("a"))
        platform.begin()
        platform.answer(application("a", "staging"))
        simulation.clock.advance(minutes=4)
        assert platform.services() == [] and 'application "a": the plan FREE allows 1 environments' in platform.fault()
        platform.answer(application("a"))
        simulation.clock.advance(minutes=4)
        assert platform.services() == ["argo/production/a"] and platform.fault() == "None"


def test_other_organizations_and_their_clusters_are_not_there() -> None:
    with orlop.Simulation(seed=1, require_cluster=False) as simulation:
        first = Platform(simulation, application("a"))
        other = simulation.organizations.create(name="other", plan="FREE")
        foreign = other.clusters.create(name="foreign", region="eu-west-3", cloud_provider="AWS")
        path = f"/organization/{first.organization.id}/argoCdDestinationClusterMapping"
        for agent, target in ((first.cluster, foreign.id), (foreign.id, first.cluster)):
            with pytest.raises((orlop.Invalid, orlop.NotFound), match=foreign.id):
                simulation.request(
                    "POST", path, {"agent_cluster_id": agent, "argocd_cluster_url": IN_CLUSTER, "cluster_id": target}
                ).check()
