"""Releases, differences and roll-back as Python objects, and steps that were not needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish


class Careful(orlop.Driver):
    """Leaves alone what is unchanged."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, int, bool]] = []

    def deploy(self, step: orlop.Step) -> Any:
        self.steps.append((step.name, step.release, step.is_unchanged))
        assert step.digest.startswith("sha256:") and len(step.digest) == 71
        return orlop.UNCHANGED if step.is_unchanged else None


@pytest.fixture
def released() -> Any:
    with orlop.Simulation(seed=1, releases_kept=20) as simulation:
        yield furnish(simulation)


def test_a_driver_leaves_unchanged_services_alone(tmp_path: Path) -> None:
    driver = Careful()
    with orlop.Engine(storage=str(tmp_path / "store.db"), driver=driver) as engine:
        platform = furnish(engine)
        web, api = platform.container("web"), platform.container("api")
        assert platform.environment.deploy().wait().ok
        web.edit(tag="2.0")
        assert platform.environment.deploy().wait().ok
        assert sorted(driver.steps) == [
            ("api", 0, False),
            ("api", 1, True),
            ("web", 0, False),
            ("web", 1, False),
        ]
        assert [len(service.releases()) for service in (web, api)] == [2, 1]
        assert api.status()["steps"]["details"][-1]["status"] == "SKIP"
        assert repr(orlop.UNCHANGED) == "UNCHANGED"
    # The digests are those of the store, whatever process made them.
    driver.steps.clear()
    with orlop.Engine(storage=str(tmp_path / "store.db"), driver=driver) as engine:
        environment = engine.organizations.find("acme").projects.find("shop").environments.find("production")
        assert environment.deploy().wait().ok
    assert sorted(driver.steps) == [("api", 1, True), ("web", 2, True)]


def test_differences_are_objects_texts_tables_and_dictionaries(released: Platform) -> None:
    web = released.container("web")
    environment = released.environment
    assert web.diff() and web.diff().before is None and web.diff().after is None
    environment.deploy().wait()
    assert not web.diff() and not environment.diff() and len(environment.diff()) == 0
    assert str(environment.diff()) == "no service differs"
    assert str(web.diff()) == "web: release 1 -> wanted\n  no difference"
    assert "no difference" in web.diff()._repr_html_()
    web.edit(tag="2.0")
    web.variables.create(key="TOKEN", value="first", is_secret=True)
    [service] = environment.diff()
    assert service.name == "web" and service.service_id == web.id and service.before == 1
    assert [(change.path, change.kind, change.is_secret) for change in service] == [
        ("/tag", "changed", False),
        ("/variables/TOKEN", "added", True),
    ]
    assert service.changes[1].after["value"] == "***" and service.changes[1].before is None
    assert "first" not in str(service) + repr(service) + service._repr_html_() + str(service.to_dict())
    assert "<td>changed</td><td><code>/tag</code></td>" in environment.diff()._repr_html_()
    environment.deploy().wait()
    between = web.diff(2, 1)
    assert [change.kind for change in between] == ["changed", "removed"]
    assert str(between).splitlines()[0] == "web: release 2 -> release 1"
    assert environment.diff().to_dict() == {"services": []}
    with pytest.raises(orlop.NotFound, match="there is no release 9"):
        web.diff(9)


def test_a_service_and_an_environment_are_rolled_back(released: Platform) -> None:
    web = released.container("web")
    with pytest.raises(orlop.Conflict, match="has no release: no deployment of it has succeeded"):
        web.rollback()
    first = released.environment.deploy().wait()
    with pytest.raises(orlop.Conflict, match="has no release before the one that it runs"):
        web.rollback()
    web.edit(tag="2.0")
    released.environment.deploy().wait()
    assert web.rollback().wait().ok
    assert [release["version"]["tag"] for release in web.releases()] == ["1.0.0", "2.0", "1.0.0"]
    assert web.status()["service_deployment_status"] == "OUT_OF_DATE"
    assert released.environment.rollback(first) is None
    assert web.rollback(2).wait().ok
    back = released.environment.rollback(first.id)
    assert back is not None and back.wait().ok
    assert web.releases()[0]["rollback_of"] == 1
    for wrong in (0, 99):
        with pytest.raises(orlop.Error):
            web.rollback(wrong)


def _requests(platform: Platform) -> list[tuple[str, str]]:
    """The ended requests of the environment, the oldest first: result and origin."""
    path = f"/environment/{platform.environment.id}/deploymentHistoryV2"
    history = platform.engine.request("GET", path).check()["results"]
    return [(entry["status"], entry["auditing_data"]["origin"]) for entry in reversed(history)]


def test_a_failed_deployment_is_rolled_back_where_the_environment_asks_for_it(released: Platform) -> None:
    simulation = released.engine
    assert isinstance(simulation, orlop.Simulation)
    environment = released.environment.edit(on_failure="ROLLBACK")
    assert environment.on_failure == "ROLLBACK"
    api, web = released.container("api"), released.container("web")
    late = environment.stages.create(name="late")
    late.attach(web)
    assert environment.deploy().wait().ok

    api.edit(tag="2.0")
    web.edit(tag="2.0")
    simulation.rules.add(step="deploy", name="web", fails="no image", times=1)
    assert environment.deploy().wait().state == "DEPLOYMENT_ERROR"
    simulation.run_until_idle()
    # The first stage has succeeded: its service goes back too.
    assert [release["version"]["tag"] for release in api.releases()] == ["1.0.0", "2.0", "1.0.0"]
    assert [release["version"]["tag"] for release in web.releases()] == ["1.0.0", "1.0.0"]
    assert [(service.state, service.status()["service_deployment_status"]) for service in (api, web)] == [
        ("DEPLOYED", "OUT_OF_DATE"),
        ("DEPLOYED", "OUT_OF_DATE"),
    ]

    # A roll-back that fails is not rolled back.
    simulation.rules.add(step="deploy", name="web", fails="no contact", times=2)
    assert not environment.deploy().wait().ok
    simulation.run_until_idle()
    assert web.state == "DEPLOYMENT_ERROR"
    assert _requests(released) == [
        ("DEPLOYED", "API"),
        ("DEPLOYMENT_ERROR", "API"),
        ("DEPLOYED", "PLATFORM_INTERNAL"),
        ("DEPLOYMENT_ERROR", "API"),
        ("DEPLOYMENT_ERROR", "PLATFORM_INTERNAL"),
    ]


def test_a_failed_deployment_is_not_rolled_back_where_a_later_request_waits_or_nothing_ran(released: Platform) -> None:
    simulation = released.engine
    assert isinstance(simulation, orlop.Simulation)
    environment = released.environment.edit(on_failure="ROLLBACK")
    web = released.container("web")
    simulation.rules.add(step="deploy", fails="no image", times=1)
    assert not environment.deploy().wait().ok
    simulation.run_until_idle()
    assert web.releases() == [] and web.state == "DEPLOYMENT_ERROR"
    assert environment.deploy().wait().ok

    simulation.rules.add(step="deploy", fails="no image", times=1)
    web.edit(tag="2.0")
    failing = environment.deploy()
    simulation.tick()
    web.edit(tag="3.0")
    later = environment.deploy()
    assert not failing.wait().ok and later.wait().ok
    simulation.run_until_idle()
    assert [release["version"]["tag"] for release in web.releases()] == ["3.0", "1.0.0"]

    environment.edit(on_failure="NONE")
    simulation.rules.add(step="deploy", fails="no image", times=1)
    assert not environment.deploy().wait().ok
    simulation.run_until_idle()
    assert web.state == "DEPLOYMENT_ERROR"


def test_only_what_is_out_of_date_is_deployed(released: Platform) -> None:
    web = released.container("web")
    released.container("api")
    released.environment.deploy().wait()
    with pytest.raises(orlop.Conflict, match="nothing to do"):
        released.environment.deploy(only="out_of_date")
    web.edit(tag="2.0")
    run = released.environment.deploy(only="out_of_date").wait()
    assert run.ok and [len(service.releases()) for service in released.environment.services()] == [2, 1]
    with pytest.raises(orlop.Misuse, match="only must be 'out_of_date' or None, not 'all'"):
        released.environment.deploy(only="all")  # type: ignore[arg-type]


def test_a_simulation_makes_no_releases_unless_it_is_asked() -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = furnish(simulation)
        web = platform.container("web")
        platform.environment.deploy().wait()
        assert web.releases() == []


class Building(orlop.Driver):
    """Builds from git, and notes the commit that each step is given."""

    def __init__(self) -> None:
        self.head = "a" * 40
        self.given: list[tuple[str, str, str]] = []

    def build(self, step: orlop.Step) -> Any:
        commit = step.configuration.get("git_commit_id") or self.head
        self.given.append(("build", commit, step.configuration["dockerfile_path"]))
        return {"git_commit_id": commit}

    def deploy(self, step: orlop.Step) -> Any:
        return {"git_commit_id": step.configuration.get("git_commit_id") or self.head}


def test_a_roll_back_builds_the_commit_of_its_release() -> None:
    driver = Building()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        repository: Any = {"url": "https://github.com/acme/shop.git", "provider": "GITHUB", "branch": "main"}
        app = platform.environment.applications.create(
            name="app", git_repository=repository, build_mode="DOCKER", dockerfile_path="One", healthchecks={}
        )
        first = platform.environment.deploy().wait(20)
        assert first.ok
        driver.head = "b" * 40
        second = platform.environment.deploy().wait(20)
        assert second.ok
        # Nothing but the commit differs.
        assert [each["version"]["git_commit_id"][0] for each in app.releases()] == ["b", "a"]
        driver.given.clear()
        back = platform.environment.rollback(first)
        assert back is not None and back.wait(20).ok
        assert driver.given == [("build", "a" * 40, "One")]
        assert app.releases()[0]["version"]["git_commit_id"] == "a" * 40
        app.edit(dockerfile_path="Two")
        driver.given.clear()
        assert app.rollback(2).wait(20).ok
        assert driver.given == [("build", "b" * 40, "One")]


def test_a_deployment_after_a_waiting_roll_back_deploys_what_is_wanted() -> None:
    with orlop.Simulation(seed=1, releases_kept=20) as simulation:
        platform = furnish(simulation)
        web = platform.container("web")
        for tag in ("1", "2", "3"):
            web.edit(tag=tag)
            assert web.deploy().wait().ok
        simulation.rules.add(step="deploy", delay="1m")
        web.deploy()
        simulation.clock.advance(seconds=1)
        web.rollback(1)
        run = web.deploy()
        assert run.wait().ok
        simulation.run_until_idle()
        assert web.releases()[0]["version"]["tag"] == "3"
        assert web.status()["service_deployment_status"] == "UP_TO_DATE"


def test_a_roll_back_needs_no_valid_configuration() -> None:
    with orlop.Simulation(seed=1, releases_kept=20) as simulation:
        platform = furnish(simulation)
        web = platform.container("web")
        assert web.deploy().wait().ok
        cache = platform.environment.databases.create(name="cache", type="REDIS", version="7", mode="CONTAINER")
        web.variables.create(key="HOST", value="{{PLATFORM_REDIS_Z%s_HOST}}" % cache.id[:8].upper())
        assert platform.environment.deploy().wait().ok
        cache.delete()
        simulation.run_until_idle()
        failed = web.deploy().wait()
        assert not failed.ok and "cannot be resolved" in str(failed.reason)
        assert web.rollback(1).wait().ok


def test_deployments_without_releases_end_the_last_one(tmp_path: Path) -> None:
    class Noting(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            unchanged.append(step.is_unchanged)

    unchanged: list[bool] = []
    store, driver = str(tmp_path / "store.db"), Noting()
    for kept, tag in ((5, "1"), (0, "2"), (5, "2")):
        with orlop.Engine(storage=store, driver=driver, releases_kept=kept) as engine:
            platform = furnish(engine) if tag == "1" else None
            if platform is not None:
                web = platform.container("web")
            path = f"/container/{web.id}"
            body = {**engine.request("GET", path).check(), "tag": tag}
            wanted = {name: body[name] for name in ("name", "image_name", "tag", "healthchecks")}
            engine.request("PUT", path, {**wanted, "registry_id": body["registry"]["id"]}).check()
            if kept == 0:
                refused = engine.request("POST", f"/service/{web.id}/rollback", {"release": 1})
                assert refused.status == 409 and b"releases_kept" in refused.body
            engine.request("POST", f"{path}/deploy", {"image_tag": tag}).check()
            engine._drive(
                lambda: engine.request("GET", f"{path}/status").check()["state"] == "DEPLOYED", 20, "the deployment"
            )
    assert unchanged == [False, False, False]
