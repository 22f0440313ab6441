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
