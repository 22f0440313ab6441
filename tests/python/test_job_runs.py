"""Runs of jobs: those on request count for the concurrency policy, and a failed run is restarted."""

from __future__ import annotations

from typing import Any

import pytest

import orlop
from conftest import furnish


def shop(**options: Any) -> tuple[orlop.Simulation, Any, Any]:
    simulation = orlop.Simulation(seed=5, start="2026-03-01T00:00:00Z", **options)
    made = furnish(simulation)
    return simulation, made.environment, made.registry


def add_job(environment: Any, hub: Any, schedule: dict[str, Any], **fields: Any) -> Any:
    source = {"image": {"registry_id": hub.id, "image_name": "acme/job", "tag": "1"}}
    return environment.jobs.create(name="job", source=source, healthchecks={}, schedule=schedule, **fields)


def most_at_once(events: list[dict[str, Any]]) -> int:
    running = most = 0
    for event in events:
        if event["kind"] in ("step.started", "step.ended"):
            running += 1 if event["kind"] == "step.started" else -1
            most = max(most, running)
    return most


CRON = {"cronjob": {"timezone": "UTC", "scheduled_at": "*/10 * * * *"}}


def cron_job(policy: str) -> tuple[orlop.Simulation, Any]:
    platform, environment, hub = shop()
    platform.rules.add(kind="job_run", after="12m")
    platform.rules.add(kind="job", step="execute", after="12m")
    job = add_job(environment, hub, CRON)
    platform.request(
        "PUT", f"/job/{job.id}/advancedSettings", {"cronjob.concurrency_policy": policy}
    ).raise_for_status()
    environment.deploy().wait()
    return platform, job


def force(platform: orlop.Simulation, job: Any) -> int:
    return platform.request("POST", f"/job/{job.id}/deploy", {}, query={"forceEvent": "CRON"}).status


def states(platform: orlop.Simulation, job: Any) -> list[str]:
    return [
        f"{run['scheduled_at'][14:16]} {run['state']}"
        for run in reversed(platform.request("GET", f"/job/{job.id}/run").json()["results"])
    ]


def test_forbid_leaves_a_time_out_while_a_forced_run_is_under_way() -> None:
    platform, job = cron_job("Forbid")
    with platform:
        since = platform.last_event
        platform.clock.advance(minutes=5)
        assert force(platform, job) == 202
        platform.clock.advance(minutes=20)
        assert most_at_once(list(platform.events(since))) == 1
        assert states(platform, job) == ["20 RUNNING"]


def test_forbid_refuses_a_forced_run_beside_a_scheduled_one() -> None:
    platform, job = cron_job("Forbid")
    with platform:
        platform.clock.advance(minutes=11)
        reply = platform.request("POST", f"/job/{job.id}/deploy", {}, query={"forceEvent": "CRON"})
        assert reply.status == 409 and "cronjob.concurrency_policy" in reply.json()["message"]
        platform.clock.advance(minutes=12)
        assert force(platform, job) == 202


def test_forbid_counts_a_forced_run_that_waits() -> None:
    platform, job = cron_job("Forbid")
    with platform:
        platform.clock.advance(minutes=9)
        since = platform.last_event
        platform.rules.add(kind="job", step="deploy", after="3m")
        job.deploy()
        platform.clock.advance(seconds=1)
        assert force(platform, job) == 202
        platform.clock.advance(minutes=20)
        assert most_at_once(list(platform.events(since))) == 1


def test_replace_cancels_the_other_run_in_both_directions() -> None:
    platform, job = cron_job("Replace")
    with platform:
        platform.clock.advance(minutes=5)
        assert force(platform, job) == 202
        platform.clock.advance(minutes=6)
        assert (job.state, states(platform, job)) == ("CANCELED", ["10 RUNNING"])
        assert force(platform, job) == 202
        platform.clock.advance(minutes=1)
        assert states(platform, job) == ["10 CANCELED"] and job.state == "EXECUTING"


def test_allow_lets_both_go_on() -> None:
    platform, job = cron_job("Allow")
    with platform:
        since = platform.last_event
        platform.clock.advance(minutes=5)
        assert force(platform, job) == 202
        platform.clock.advance(minutes=6)
        assert most_at_once(list(platform.events(since))) == 2


@pytest.mark.parametrize(
    ("failures", "restarts", "state", "minutes"),
    [(1, 3, "DEPLOYED", 2), (3, 3, "DEPLOYED", 4), (4, 3, "DEPLOYMENT_ERROR", 4), (1, 0, "DEPLOYMENT_ERROR", 1)],
)
def test_a_run_that_fails_is_restarted(failures: int, restarts: int, state: str, minutes: int) -> None:
    platform, environment, hub = shop()
    with platform:
        platform.rules.add(kind="job", step="execute", after="1m")
        platform.rules.add(kind="job", step="execute", fails="flaky", times=failures, after="1m")
        add_job(environment, hub, {"on_start": {}}, max_nb_restart=restarts)
        begin = platform.now()
        run = environment.deploy().wait()
        assert (run.state, (platform.now() - begin).total_seconds()) == (state, 60 * minutes)
        lines = [event["detail"]["text"] for event in platform.events() if event["kind"] == "step.log"]
        assert lines == [
            f"run {number} of {restarts + 1} failed: flaky; it is restarted"
            for number in range(1, min(failures, restarts) + 1)
        ]
        assert (
            sum(1 for event in platform.events() if event["kind"] == "step.started" and event.get("to") == "execute")
            == 1
        )


def test_a_scheduled_run_that_fails_is_restarted() -> None:
    platform, environment, hub = shop()
    with platform:
        platform.rules.add(kind="job_run", fails="flaky", times=1, after="1m")
        job = add_job(environment, hub, CRON, max_nb_restart=1)
        environment.deploy().wait()
        platform.clock.advance(minutes=15)
        assert states(platform, job) == ["10 SUCCEEDED"]


def test_each_restart_draws_anew() -> None:
    platform, environment, hub = shop()
    with platform:
        platform.rules.add(kind="job", step="execute", fails="flaky", probability=0.5, after="1m")
        add_job(environment, hub, {"on_start": {}}, max_nb_restart=50)
        assert environment.deploy().wait().state == "DEPLOYED"


def test_a_snapshot_goes_on_with_the_restarts() -> None:
    platform, environment, hub = shop()
    with platform:
        platform.rules.add(kind="job", step="execute", fails="flaky", times=2, after="10m")
        job = add_job(environment, hub, {"on_start": {}}, max_nb_restart=3)
        environment.deploy()
        platform.clock.advance(minutes=15)
        with orlop.Simulation(snapshot=platform.snapshot()) as later:
            later.run_until_idle()
            assert later.request("GET", f"/job/{job.id}/status").json()["state"] == "DEPLOYED"
        platform.run_until_idle()
        assert job.state == "DEPLOYED"


def test_a_job_that_always_fails_ends_after_its_restarts() -> None:
    platform, environment, hub = shop()
    with platform:
        platform.rules.add(kind="job", step="execute", fails="broken")
        add_job(environment, hub, {"on_start": {}}, max_nb_restart=1_000_000_000)
        assert environment.deploy().wait().state == "DEPLOYMENT_ERROR"
