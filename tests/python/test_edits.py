"""The members that an edit changes, and those that it leaves unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform


@pytest.mark.parametrize("storage", ["memory", "file"])
def test_names_and_references_are_those_of_the_last_edit(storage: str, tmp_path: Path) -> None:
    with orlop.Engine("memory:" if storage == "memory" else tmp_path / "platform.db", require_cluster=False) as engine:
        platform = Platform(engine)
        first = platform.registry
        second = platform.organization.container_registries.create(name="second", kind="DOCKER_HUB", config={})
        container = platform.container
        web = container("web")
        edits: tuple[dict[str, Any], ...] = (
            {"description": "the front"},
            {"tag": "2"},
            {"name": "WEB"},
            {"name": "web"},
        )
        for edit in edits:
            web.edit(**edit)
            with pytest.raises(orlop.Conflict, match="Web"):
                container("Web")
            with pytest.raises(orlop.Conflict):
                first.delete()
        web.edit(name="shop")
        container("web", registry_id=second.id).delete()
        with pytest.raises(orlop.Conflict, match="shop"):
            container("shop")
        web.edit(registry_id=second.id)
        first.delete()
        web.edit(description="the front of the shop")
        with pytest.raises(orlop.Conflict):
            second.delete()
        assert engine.check() == []
