"""Settings, which each resource has once: advanced settings, network, routing table, kubeconfig; and families that can
only be listed."""

from __future__ import annotations

import base64
from typing import Any, Final

import pytest
import yaml

import orlop
from conftest import Platform
from orlop.generated import models
from orlop.resources.settings import Settings

GRACE: Final = "deployment.termination_grace_period_seconds"


def test_advanced_settings_have_defaults_until_they_are_changed(platform: Platform) -> None:
    api = platform.container()
    settings = api.advanced_settings
    assert settings[GRACE] == 60 and len(settings) > 30 and GRACE in list(settings)
    assert settings.edit({GRACE: 90}) is settings and settings[GRACE] == 90
    settings.edit({"network.ingress.enable_cors": True})
    assert api.advanced_settings.to_dict() == settings.to_dict() and api.advanced_settings[GRACE] == 90
    assert settings.replace({"network.ingress.enable_cors": True})[GRACE] == 60
    with pytest.raises(orlop.Invalid, match="nonsense"):
        api.advanced_settings.replace({"nonsense": 1})
    with pytest.raises(orlop.Invalid, match=GRACE):
        settings.edit({GRACE: -1})
    assert settings[GRACE] == 60, "a refused change changes nothing"


def test_settings_are_read_again(platform: Platform) -> None:
    api = platform.container()
    network, other = api.network, api.network
    assert network.sticky_session is False
    network.edit(sticky_session=True)
    assert not other.sticky_session and other.refresh().sticky_session
    api.delete()
    with pytest.raises(orlop.NotFound):
        network.refresh()


def test_a_changed_setting_marks_the_service(platform: Platform) -> None:
    api = platform.container()
    api.deploy().wait()
    api.network.edit(sticky_session=True)
    assert api.status()["service_deployment_status"] == "OUT_OF_DATE"


def test_the_routing_table_of_a_cluster(platform: Platform) -> None:
    table = platform.cluster.routing_table
    assert table.results == []
    route: models.ClusterRoute = {"destination": "10.30.0.0/16", "target": "pcx-1", "description": "peering"}
    assert table.edit(routes=[route]).results == [route] and platform.cluster.routing_table.results == [route]
    assert platform.cluster.advanced_settings["loki.log_retention_in_week"] > 0


def chosen(kubeconfig: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the cluster and the user of the current context, as kubectl does."""
    config = yaml.safe_load(kubeconfig)
    assert (config["apiVersion"], config["kind"]) == ("v1", "Config")
    [context] = [each["context"] for each in config["contexts"] if each["name"] == config["current-context"]]
    [cluster] = [each["cluster"] for each in config["clusters"] if each["name"] == context["cluster"]]
    [user] = [each["user"] for each in config["users"] if each["name"] == context["user"]]
    assert cluster["server"].startswith("https://")
    assert base64.b64decode(cluster["certificate-authority-data"], validate=True).startswith(
        b"-----BEGIN CERTIFICATE-----"
    )
    return cluster, user


def test_the_kubeconfig_of_a_cluster_is_made_of_its_outputs(platform: Platform) -> None:
    outputs = platform.cluster.infrastructure_outputs
    assert outputs is not None and isinstance(platform.engine, orlop.Simulation)
    assert chosen(platform.cluster.kubeconfig())[1]["token"].startswith("token-")
    token = 'a"b\n  c: é # {{d}}'
    for is_read_only in (True, False):
        answer = {"token": f"{is_read_only} {token}", "expires_at": "2026-01-01T01:00:00Z"}
        platform.engine.externals.add(
            "get_cluster_token", answer, where={"cluster_id": platform.cluster.id, "read_only": is_read_only}
        )
    cluster, user = chosen(platform.cluster.kubeconfig())
    assert (cluster["server"], user) == (outputs["kubernetes_endpoint"], {"token": f"False {token}"})
    path = f"/organization/{platform.organization.id}/cluster/{platform.cluster.id}/kubeconfig"
    read = platform.engine.request("GET", f"{path}?read_only=true")
    assert dict(read.headers)["content-type"].startswith("application/x-yaml")
    assert chosen(read.body.decode())[1] == {"token": f"True {token}"}
    # The kubeconfig runs a command that gets the token on demand.
    _, user = chosen(platform.engine.request("GET", f"{path}?with_token_from_cli=true&read_only=true").body.decode())
    assert user["exec"]["apiVersion"] == "client.authentication.k8s.io/v1" and user["exec"]["command"] == "platform"
    assert user["exec"]["args"] == ["cluster", "token", "--cluster-id", platform.cluster.id, "--read-only"]


def test_the_kubeconfig_of_a_cluster_is_stored(platform: Platform) -> None:
    other = platform.organization.clusters.create(name="cellar", region="here", cloud_provider="ON_PREMISE")
    with pytest.raises(orlop.NotFound):
        other.kubeconfig()
    text = "apiVersion: v1\nclusters: []\n# ü\n"
    other.set_kubeconfig(text)
    assert other.kubeconfig() == text
    with pytest.raises(orlop.Invalid, match="apiVersion"):
        other.set_kubeconfig("kind: Config")


def test_what_can_only_be_listed_is_read_edited_and_found(platform: Platform) -> None:
    git: models.ApplicationGitRepository = {"url": "https://github.com/acme/shop.git", "provider": "GITHUB"}
    api = platform.environment.applications.create(name="api", git_repository=git, healthchecks={})
    restriction = api.deployment_restrictions.create(mode="MATCH", type="PATH", value="a/")
    same = api.deployment_restrictions.get(restriction.id)
    assert restriction.edit(value="b/").mode == "MATCH"
    assert same.value == "a/" and same.refresh().value == "b/"
    restriction.delete()
    for read in (same.refresh, lambda: api.deployment_restrictions.get(same.id)):
        with pytest.raises(orlop.NotFound, match="deployment restriction"):
            read()


def test_every_kind_of_settings_has_a_class() -> None:
    classes = {
        name
        for name, value in vars(models).items()
        if isinstance(value, type) and issubclass(value, Settings) and value.__module__ == models.__name__
    }
    reached = {
        single
        for value in vars(models).values()
        if hasattr(value, "_family")
        for single in value._family.singles.values()
    }
    assert classes == reached and len(classes) >= 8
