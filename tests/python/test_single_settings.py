"""Settings of which a resource has one each: advanced settings, network, routing table, kubeconfig; and what can only be listed."""

from __future__ import annotations

from typing import Final

import pytest

import orlop
from conftest import Platform
from orlop import models
from orlop.settings import Settings

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


def test_the_kubeconfig_of_a_cluster(platform: Platform) -> None:
    with pytest.raises(orlop.NotFound):
        platform.cluster.kubeconfig()
    text = "apiVersion: v1\nclusters: []\n# ü\n"
    platform.cluster.set_kubeconfig(text)
    assert platform.cluster.kubeconfig() == text
    with pytest.raises(orlop.Invalid, match="apiVersion"):
        platform.cluster.set_kubeconfig("kind: Config")


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
    classes = {name for name, value in vars(models).items() if isinstance(value, type) and issubclass(value, Settings) and value is not Settings}
    reached = {single for value in vars(models).values() if hasattr(value, "_family") for single in value._family.singles.values()}
    assert classes == reached and len(classes) >= 8
