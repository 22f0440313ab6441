"""The members that an edit changes, and those that it leaves unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

import orlop


@pytest.mark.parametrize("storage", ["memory", "file"])
def test_names_and_references_are_those_of_the_last_edit(storage: str, tmp_path: Path) -> None:
    with orlop.Engine("memory:" if storage == "memory" else tmp_path / "platform.db", require_cluster=False) as engine:
        acme = engine.organizations.create(name="acme", plan="FREE")
        first, second = (
            acme.container_registries.create(name=name, kind="DOCKER_HUB", config={}) for name in ("first", "second")
        )
        cluster = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = acme.projects.create(name="shop").environments.create(name="production", cluster_id=cluster.id)

        def container(name: str, registry: orlop.Resource = first) -> orlop.Resource:
            return environment.containers.create(
                name=name, registry_id=registry.id, image_name="acme/web", tag="1", healthchecks={}
            )

        web = container("web")
        for edit in ({"description": "the front"}, {"tag": "2"}, {"name": "WEB"}, {"name": "web"}):
            web.edit(**edit)
            with pytest.raises(orlop.Conflict, match="Web"):
                container("Web")
            with pytest.raises(orlop.Conflict):
                first.delete()
        web.edit(name="shop")
        container("web", second).delete()
        with pytest.raises(orlop.Conflict, match="shop"):
            container("shop")
        web.edit(registry_id=second.id)
        first.delete()
        web.edit(description="the front of the shop")
        with pytest.raises(orlop.Conflict):
            second.delete()
        assert engine.check() == []
