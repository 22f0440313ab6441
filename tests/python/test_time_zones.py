"""Local time: by the tables of the library, or by a folder of compiled zones of the host."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform

HOUR = 3600


def zone_file(offset: int, rule: str) -> bytes:
    """Returns a compiled zone with one offset, version 2 (RFC 9636)."""
    header = b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 4)
    body = struct.pack(">lbb", offset, 0, 0) + b"AAA\0"
    return header + body + header + body + b"\n" + rule.encode() + b"\n"


def environment_of(simulation: orlop.Simulation) -> Any:
    (acme,) = simulation.organizations
    (shop,) = acme.projects
    (production,) = shop.environments
    return production


@pytest.fixture
def zones(tmp_path: Path) -> Path:
    """Creates a folder like /usr/share/zoneinfo, with a link and a file that is not a zone."""
    for folder in ("Etc", "Europe"):
        (tmp_path / folder).mkdir()
    (tmp_path / "Etc/UTC").write_bytes(zone_file(0, "UTC0"))
    (tmp_path / "Europe/Paris").write_bytes(zone_file(5 * HOUR, "<+05>-5"))
    (tmp_path / "Europe/Monaco").symlink_to("Paris")
    (tmp_path / "zone.tab").write_text("no zone")
    return tmp_path


@pytest.fixture
def job() -> Callable[[orlop.Simulation, str], Any]:
    def make(simulation: orlop.Simulation, timezone: str) -> Any:
        platform = Platform(simulation)
        made = platform.environment.jobs.create(
            name="nightly",
            source={"image": {"registry_id": platform.registry.id, "image_name": "a", "tag": "1"}},
            healthchecks={},
            schedule={"cronjob": {"timezone": timezone, "scheduled_at": "0 3 * * *"}},
        )
        platform.environment.deploy().wait()
        return made

    return make


@pytest.mark.parametrize(
    ("timezone", "start", "expected"),
    [
        ("Africa/Casablanca", "2026-01-20T12:00:00Z", "02:00"),
        ("Africa/Casablanca", "2026-02-20T12:00:00Z", "03:00"),  # Ramadan
        ("Africa/Casablanca", "2026-04-20T12:00:00Z", "02:00"),
        ("Africa/El_Aaiun", "2025-03-10T12:00:00Z", "03:00"),
        ("Asia/Gaza", "2026-03-10T12:00:00Z", "01:00"),
        ("Asia/Gaza", "2026-04-10T12:00:00Z", "00:00"),
        ("America/Vancouver", "2026-01-20T12:00:00Z", "11:00"),
        ("America/Vancouver", "2027-01-20T12:00:00Z", "10:00"),  # summer time all year
        ("America/Edmonton", "2027-01-20T12:00:00Z", "09:00"),
        ("America/Winnipeg", "2027-01-20T12:00:00Z", "08:00"),
    ],
)
def test_clocks_are_those_of_the_newest_tables(
    job: Callable[[orlop.Simulation, str], Any], timezone: str, start: str, expected: str
) -> None:
    with orlop.Simulation(seed=1, start=start, require_cluster=False) as simulation:
        assert job(simulation, timezone).next_run[11:16] == expected


def test_a_folder_replaces_the_time_zones(job: Callable[[orlop.Simulation, str], Any], zones: Path) -> None:
    with orlop.Simulation(seed=1, start="2026-01-20T12:00:00Z", require_cluster=False, time_zones=zones) as simulation:
        nightly = job(simulation, "Europe/Monaco")
        assert nightly.next_run == "2026-01-20T22:00:00.000Z"
        with pytest.raises(orlop.Invalid, match="must be a time zone"):
            nightly.edit(schedule={"cronjob": {"timezone": "Europe/Berlin", "scheduled_at": "0 3 * * *"}})
        (zones / "Europe/Paris").unlink()
        with simulation.fork() as fork:
            fork.clock.advance(days=1)
            assert [each.next_run for each in environment_of(fork).jobs] == ["2026-01-21T22:00:00.000Z"]


def test_hours_of_environments_follow_the_folder(job: Callable[[orlop.Simulation, str], Any], zones: Path) -> None:
    with orlop.Simulation(
        seed=1, start="2026-01-20T12:00:00Z", require_cluster=False, time_zones=str(zones)
    ) as simulation:
        job(simulation, "Etc/UTC")
        shop = environment_of(simulation)
        rule = {
            "auto_stop": True,
            "timezone": "Europe/Paris",
            "start_time": "1970-01-01T08:00:00Z",
            "stop_time": "1970-01-01T19:00:00Z",
            "weekdays": ["TUESDAY", "WEDNESDAY"],
        }
        simulation.request("PUT", f"/environment/{shop.id}/deploymentRule/{shop.id}", rule).check()
        simulation.clock.advance(minutes=119)
        assert shop.state == "DEPLOYED"
        simulation.clock.advance(minutes=2)  # at 19:00
        assert shop.state == "STOPPED"


def test_what_is_no_folder_of_time_zones_is_refused(tmp_path: Path, zones: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for given, message in [
        (tmp_path / "nowhere", "time_zones must be a folder, not '/"),
        (zones / "zone.tab", "time_zones must be a folder, not '/"),
        (5, "time_zones must be a path"),
        (empty, "time_zones must be TZif files in folders as in /usr/share/zoneinfo, among them Etc/UTC"),
        (b"no archive", "time_zones must be a tar archive"),
    ]:
        with pytest.raises(orlop.Misuse, match=message):
            orlop.Engine(time_zones=given)  # type: ignore[arg-type]
    (zones / "Europe/Paris").write_bytes(b"TZif2 and no more")
    with pytest.raises(
        orlop.Misuse,
        match="time_zones must be TZif files of version 2 or later without leap seconds, unlike Europe/Monaco",
    ):
        orlop.Engine(time_zones=zones)
