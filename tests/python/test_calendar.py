"""Scheduled events in a simulation: cron jobs run, tokens and credentials expire, snapshots and forks keep them."""

from __future__ import annotations

from typing import Any

import pytest

import orlop
from conftest import Platform
from orlop.models import JobSource


class CronPlatform(Platform):
    def __init__(self, **options: Any) -> None:
        super().__init__(seed=4, start="2026-01-01T00:00:00Z", **options)

    def job(self, name: str, scheduled_at: str, timezone: str = "Etc/UTC") -> Any:
        image: JobSource = {"image": {"registry_id": self.registry.id, "image_name": "acme/report", "tag": "1.0.0"}}
        return self.environment.jobs.create(
            name=name,
            source=image,
            schedule={"cronjob": {"timezone": timezone, "scheduled_at": scheduled_at}},
            healthchecks={},
        )

    def ended(self, state: str) -> int:
        return len(
            [
                event
                for event in self.simulation.events()
                if event["kind"] == f"task.{state}" and event["family"] == "job_run"
            ]
        )


def test_a_cron_job_runs_for_a_month_at_its_time() -> None:
    month = CronPlatform()
    month.simulation.rules.add(kind="job_run", name="report", after="5m")
    month.simulation.rules.add(kind="job_run", name="report", every=10, fails="the database does not answer")
    report = month.job("report", "15 * * * *")
    month.environment.deploy().wait()
    month.simulation.clock.advance(days=30)
    assert (month.ended("succeeded"), month.ended("failed")) == (648, 72)
    assert report.next_run == "2026-01-31T00:15:00.000Z"
    assert [run["state"] for run in report.runs()] == ["FAILED", "SUCCEEDED"]
    assert report.runs()[0]["reason"] == "the database does not answer"
    assert report.state == "DEPLOYED"


def test_a_fork_and_a_snapshot_go_on_with_the_runs() -> None:
    first = CronPlatform()
    first.simulation.rules.add(kind="job_run", after="20m")
    first.job("report", "0 * * * *")
    first.environment.deploy().wait()
    first.simulation.clock.advance(minutes=70)
    saved = first.simulation.snapshot()
    first.simulation.clock.advance(hours=5)
    whole = first.simulation.events()
    with orlop.Simulation(seed=4, snapshot=saved, require_cluster=False) as again:
        again.rules.add(kind="job_run", after="20m")
        again.clock.advance(hours=5)
        assert [event["kind"] for event in again.events()] == [event["kind"] for event in whole]
        assert [event["at"] for event in again.events()] == [event["at"] for event in whole]
    first.simulation.restore(saved)
    first.simulation.clock.advance(hours=5)
    assert first.simulation.events() == whole


def test_idle_schedules_are_no_work() -> None:
    idle = CronPlatform()
    idle.job("yearly", "0 0 1 1 *")
    idle.environment.deploy().wait()
    before = idle.simulation.clock.now()
    idle.simulation.run_until_idle()
    assert idle.simulation.clock.now() == before
    idle.simulation.clock.advance(days=364)
    assert idle.ended("succeeded") == 0
    idle.simulation.clock.advance(days=2)
    assert idle.ended("succeeded") == 1


def test_a_driver_of_the_host_has_the_schedules() -> None:
    class Host(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            assert "schedule" in step.configuration

        def task(self, step: orlop.Step) -> None:
            raise AssertionError("no run is started")

    hosted = CronPlatform(driver=Host())
    job = hosted.job("report", "* * * * *")
    hosted.environment.deploy().wait()
    hosted.simulation.clock.advance(days=1)
    assert job.next_run is None
    assert job.runs() == []


def test_the_report_has_a_row_for_the_runs_of_each_job() -> None:
    shown = CronPlatform()
    shown.simulation.rules.add(kind="job_run", after="5m", fails="no space left on device")
    shown.job("report", "0 3 * * *")
    shown.environment.deploy().wait()
    shown.simulation.clock.advance(days=3)
    text = shown.simulation.report().html()
    assert text.count("report (runs)") >= 1
    assert "no space left on device" in text


def test_a_token_expires_at_its_time() -> None:
    with orlop.Simulation(seed=4, start="2026-01-01T00:00:00Z", authentication="required") as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        body = {"name": "ci", "role_id": None, "expires_at": "2026-01-02T00:00:00Z"}
        token = simulation.request("POST", f"/organization/{acme.id}/apiToken", body).check()["token"]

        def status() -> int:
            return simulation.request(
                "GET", f"/organization/{acme.id}", headers={"authorization": f"Token {token}"}, trusted=False
            ).status

        assert status() == 200
        simulation.clock.advance(hours=23, minutes=59)
        assert status() == 200
        simulation.clock.advance(minutes=1)
        assert status() == 401


def test_credentials_are_refused_from_their_time_on() -> None:
    with orlop.Simulation(seed=4, start="2026-01-01T00:00:00Z") as simulation:
        simulation.rules.add(
            kind="cluster", starts="2026-01-02T00:00:00Z", outcome="credentials_refused", fails="the key has expired"
        )
        europe = simulation.organizations.create(name="acme", plan="FREE").clusters.create(
            name="europe", region="eu-west-3", cloud_provider="AWS"
        )
        assert europe.deploy().wait().state()["status"] == "DEPLOYED"
        simulation.clock.advance(days=1)
        assert europe.deploy().wait().state()["status"] == "INVALID_CREDENTIALS"


@pytest.mark.parametrize(
    "scheduled_at", ["", "* * * *", "61 * * * *", "0 0 * * 7", "TZ=UTC 0 0 * * *", "@reboot", "x" * 70_000]
)
def test_a_schedule_that_is_none_is_refused(scheduled_at: str) -> None:
    with pytest.raises(orlop.Invalid, match="scheduled_at"):
        CronPlatform().job("report", scheduled_at)
