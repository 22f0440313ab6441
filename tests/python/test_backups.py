"""Backups of databases with a lifetime: they are deleted when it ends, also in an engine that was closed meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orlop
import pytest
from conftest import Platform


class BackupPlatform(Platform):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.database = self.environment.databases.create(
            name="orders", type="POSTGRESQL", version="16", mode="CONTAINER"
        ).id
        self.path = f"/database/{self.database}/backup"

    def begin(self, name: str, **more: Any) -> str:
        return str(self.ask("POST", self.path, {"name": name, "message": "", **more})["id"])

    def back_up(self, name: str, **more: Any) -> str:
        made = self.begin(name, **more)
        self.simulation.run_until_idle()
        return made

    def names(self) -> list[str]:
        return [backup["name"] for backup in self.ask("GET", self.path)["results"]]


@pytest.fixture(name="platform")
def platform_fixture() -> Iterator[BackupPlatform]:
    with BackupPlatform() as platform:
        yield platform


def test_a_backup_is_deleted_when_its_lifetime_has_passed(platform: BackupPlatform) -> None:
    platform.back_up("kept")
    platform.back_up("a day", ttl_in_days=1)
    gone = platform.back_up("a week", ttl_in_days=7)
    clock = platform.simulation.clock
    clock.advance(hours=23)
    assert platform.names() == ["a week", "a day", "kept"]
    clock.advance(hours=2)
    assert platform.names() == ["a week", "kept"]
    clock.advance(days=7)
    assert platform.names() == ["kept"]
    deleted = [
        event
        for event in platform.simulation.events()
        if event["kind"] == "database_backup.deleted" and event["subject"] == gone
    ]
    assert len(deleted) == 1, "the host learns that the data can go"
    clock.advance(days=400)
    assert platform.names() == ["kept"]


def test_a_backup_that_runs_is_deleted_once_it_has_ended() -> None:
    with BackupPlatform(start_deadline="3d", step_deadline="3d") as platform:
        platform.simulation.rules.add(step="task", after="30h")
        platform.begin("slow", ttl_in_days=1)
        with pytest.raises(orlop.Conflict, match="has not ended"):
            platform.begin("second")
        platform.simulation.clock.advance(hours=29)
        assert platform.names() == ["slow"]
        platform.simulation.clock.advance(hours=2)
        assert platform.names() == []


def test_a_backup_that_has_failed_is_deleted_too(platform: BackupPlatform) -> None:
    platform.simulation.rules.add(step="task", fails="no space")
    platform.back_up("failed", ttl_in_days=1)
    assert platform.names() == ["failed"]
    platform.simulation.clock.advance(days=1, hours=1)
    assert platform.names() == []


def test_a_lifetime_outlives_the_process(tmp_path: Path) -> None:
    storage = str(tmp_path / "platform.db")
    with BackupPlatform(storage=storage) as platform:
        platform.back_up("kept")
        platform.back_up("a week", ttl_in_days=7)
    with orlop.Simulation(seed=1, require_cluster=False, storage=storage, start="2026-04-01T00:00:00Z") as simulation:
        simulation.clock.advance(seconds=1)
        assert [backup["name"] for backup in simulation.request("GET", platform.path).check()["results"]] == ["kept"]


@pytest.mark.parametrize("wrong", [0, -1, 36_501, "", "7", 1.5, True, [], {}])
def test_a_wrong_lifetime_is_named(platform: BackupPlatform, wrong: Any) -> None:
    with pytest.raises(orlop.Invalid, match="ttl_in_days"):
        platform.begin("a", ttl_in_days=wrong)
    platform.begin("null is none", ttl_in_days=None)


def test_lifetimes_go_with_their_database(platform: BackupPlatform) -> None:
    platform.back_up("a week", ttl_in_days=7)
    platform.ask("DELETE", f"/database/{platform.database}")
    platform.simulation.run_until_idle()
    platform.simulation.clock.advance(days=30)
    assert platform.simulation.request("GET", platform.path).status == 404
