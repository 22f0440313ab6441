"""Synchronization with Argo CD where the platform refuses what an application needs: the other applications appear, and
the engine continues."""

from __future__ import annotations

from typing import Any

import orlop
import pytest
from conftest import Platform

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


class ArgoPlatform(Platform):
    def __init__(self, *applications: dict[str, Any], **options: Any) -> None:
        super().__init__(**options)
        self.answer(*applications)

    def answer(self, *applications: dict[str, Any]) -> None:
        self.simulation.externals.add("list_argocd_applications", list(applications))

    def begin(self) -> None:
        mapping = {
            "agent_cluster_id": self.cluster.id,
            "argocd_cluster_url": IN_CLUSTER,
            "cluster_id": self.cluster.id,
        }
        self.ask("POST", f"{self.home}/argoCdDestinationClusterMapping", mapping)
        self.ask(
            "POST",
            f"/cluster/{self.cluster.id}/argoCdConfig",
            {"argocd_url": "https://argocd.example.com", "argocd_token": "t"},
        )
        self.simulation.clock.advance(minutes=1)

    def services(self) -> list[str]:
        found = self.ask("GET", f"/cluster/{self.cluster.id}/argocdApps/associatedServices")["results"]
        return sorted(f"{entry['project_name']}/{entry['environment_name']}/{entry['service_name']}" for entry in found)

    def fault(self) -> str:
        return str(self.ask("GET", f"/cluster/{self.cluster.id}/argoCdConfig")["sync_error"])


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
    with ArgoPlatform(
        application("a"),
        application("b", "staging", "other"),
        billing=[f"limit.FREE.{limit}" for limit in limits],
    ) as platform:
        platform.begin()
        assert platform.services() == services
        assert fault in platform.fault()
        assert [project.name for project in platform.organization.projects] == (["argo"] if services else [])
        other = platform.engine.organizations.create(name="other", plan="BUSINESS")
        europe = other.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        assert europe.deploy().wait().state()["status"] == "DEPLOYED"


def test_a_service_that_moves_to_where_there_is_no_room_is_named() -> None:
    with ArgoPlatform(application("a"), billing=["limit.FREE.environments=1"]) as platform:
        platform.begin()
        platform.answer(application("a", "staging"))
        platform.simulation.clock.advance(minutes=4)
        assert platform.services() == [] and 'application "a": the plan FREE allows 1 environments' in platform.fault()
        platform.answer(application("a"))
        platform.simulation.clock.advance(minutes=4)
        assert platform.services() == ["argo/production/a"] and platform.fault() == "None"


def test_other_organizations_and_their_clusters_are_not_there() -> None:
    with ArgoPlatform(application("a")) as first:
        other = first.engine.organizations.create(name="other", plan="FREE")
        foreign = other.clusters.create(name="foreign", region="eu-west-3", cloud_provider="AWS")
        path = f"{first.home}/argoCdDestinationClusterMapping"
        for agent, target in ((first.cluster.id, foreign.id), (foreign.id, first.cluster.id)):
            with pytest.raises((orlop.Invalid, orlop.NotFound), match=foreign.id):
                first.ask(
                    "POST", path, {"agent_cluster_id": agent, "argocd_cluster_url": IN_CLUSTER, "cluster_id": target}
                )
