"""The reason of a failed deployment: in its handle, in statuses and histories, and in its timeline."""

from __future__ import annotations

import pytest

import orlop
from conftest import Platform
from orlop.deployments.deployment import Failure

REASON = "IMAGE_PULL: <acme/web> & no such tag"


@pytest.fixture
def failed(platform: Platform) -> orlop.Deployment:
    """Deploys two services, of which "web" fails."""
    assert isinstance(platform.engine, orlop.Simulation)
    platform.container("web")
    platform.container("worker")
    platform.engine.rules.add(step="deploy", after="30s")
    platform.engine.rules.add(step="deploy", name="web", after="20s", fails=REASON)
    return platform.environment.deploy().wait()


def test_a_failure_has_its_service_its_step_and_its_reason(platform: Platform, failed: orlop.Deployment) -> None:
    (web,) = [service for service in platform.environment.containers.list() if service.name == "web"]
    assert failed.failures() == [Failure(web.id, "web", "deploy", REASON)]
    assert failed.reason == f"web: {REASON}"
    assert f"web: {REASON}" in repr(failed)
    assert web.status()["status_details"]["reason"] == REASON


def test_what_succeeds_has_no_reason(platform: Platform) -> None:
    web = platform.container("web")
    run = platform.environment.deploy().wait()
    assert (run.ok, run.failures(), run.reason) == (True, [], "")
    assert repr(run).endswith("1 stage>")
    assert "reason" not in web.status()["status_details"]
    assert not any(line.startswith("!") for line in run.timeline.text().splitlines())


def test_a_failure_that_was_mended_shows_in_its_own_deployment_alone(
    platform: Platform, failed: orlop.Deployment
) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    platform.engine.rules.clear()
    again = platform.environment.deploy().wait()
    assert (again.ok, again.reason) == (True, "")
    assert failed.reason == f"web: {REASON}"


def test_a_long_reason_is_cut_where_it_is_shown_in_a_line(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    platform.container("web")
    platform.engine.rules.add(step="deploy", fails="first line\n" + "x" * 5000 + " at the end")
    run = platform.environment.deploy().wait()
    assert len(repr(run)) < 320 and "\n" not in repr(run) and "at the end" in repr(run)
    assert len(run.reason) > 5000
    assert any(
        line.startswith("! web: first line") and len(line) <= 80 for line in run.timeline.text(width=80).splitlines()
    )


def test_a_timeline_shows_reasons(failed: orlop.Deployment) -> None:
    timeline = failed.timeline
    assert {row.name: row.reason for row in timeline.rows} == {"web": REASON, "worker": ""}
    assert f"! web: {REASON}" in timeline.text().splitlines()
    page = timeline._repr_html_()
    assert "IMAGE_PULL: &lt;acme/web&gt; &amp; no such tag" in page and "<acme/web>" not in page
