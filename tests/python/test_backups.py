"""Backups of databases with a lifetime: they are deleted when it ends, also in an engine that was closed meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orlop
import pytest


class Platform:
    def __init__(self, simulation: orlop.Simulation) -> None:
        self.simulation = simulation
        organization = simulation.organizations.create(name="acme", plan="FREE")
        organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(name="production")
        self.database = environment.databases.create(
            name="orders", type="POSTGRESQL", version="16", mode="CONTAINER"
        ).id
        self.path = f"/database/{self.database}/backup"

    def begin(self, name: str, **more: Any) -> str:
        return str(self.simulation.request("POST", self.path, {"name": name, "message": "", **more}).check()["id"])

    def back_up(self, name: str, **more: Any) -> str:
        made = self.begin(name, **more)
        self.simulation.run_until_idle()
        return made

    def names(self) -> list[str]:
        return [backup["name"] for backup in self.simulation.request("GET", self.path).check()["results"]]


@pytest.fixture(name="platform")
def platform_fixture() -> Any:
    with orlop.Simulation(seed=1, require_cluster=False) as simulation:
        yield Platform(simulation)


def test_a_backup_is_deleted_when_its_lifetime_has_passed(platform: Platform) -> None:
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
    with orlop.Simulation(seed=1, require_cluster=False, start_deadline="3d", step_deadline="3d") as simulation:
        platform = Platform(simulation)
        simulation.rules.add(step="task", after="30h")
        platform.begin("slow", ttl_in_days=1)
        with pytest.raises(orlop.Conflict, match="has not ended"):
            platform.begin("second")
        simulation.clock.advance(hours=29)
        assert platform.names() == ["slow"]
        simulation.clock.advance(hours=2)
        assert platform.names() == []


def test_a_backup_that_has_failed_is_deleted_too(platform: Platform) -> None:
    platform.simulation.rules.add(step="task", fails="no space")
    platform.back_up("failed", ttl_in_days=1)
    assert platform.names() == ["failed"]
    platform.simulation.clock.advance(days=1, hours=1)
    assert platform.names() == []


def test_a_lifetime_outlives_the_process(tmp_path: Path) -> None:
    storage = str(tmp_path / "platform.db")
    with orlop.Simulation(seed=1, require_cluster=False, storage=storage) as simulation:
        platform = Platform(simulation)
        platform.back_up("kept")
        platform.back_up("a week", ttl_in_days=7)
    with orlop.Simulation(seed=1, require_cluster=False, storage=storage, start="2026-04-01T00:00:00Z") as simulation:
        simulation.clock.advance(seconds=1)
        assert [backup["name"] for backup in simulation.request("GET", platform.path).check()["results"]] == ["kept"]


@pytest.mark.parametrize("wrong", [0, -1, 36_501, "", "7", 1.5, True, [], {}])
def test_a_wrong_lifetime_is_named(platform: Platform, wrong: Any) -> None:
    with pytest.raises(orlop.Invalid, match="ttl_in_days"):
        platform.begin("a", ttl_in_days=wrong)
    platform.begin("null is none", ttl_in_days=None)


def test_lifetimes_go_with_their_database(platform: Platform) -> None:
    platform.back_up("a week", ttl_in_days=7)
    platform.simulation.request("DELETE", f"/database/{platform.database}").check()
    platform.simulation.run_until_idle()
    platform.simulation.clock.advance(days=30)
    assert platform.simulation.request("GET", platform.path).status == 404
