"""A handle on deployments that another caller requested: found by the environment, or by the id, also in another
process."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import orlop
from conftest import Platform, furnish, furnished


def simulation_of(platform: Platform) -> orlop.Simulation:
    assert isinstance(platform.engine, orlop.Simulation)
    return platform.engine


def test_an_environment_knows_its_deployments(platform: Platform) -> None:
    simulation = simulation_of(platform)
    assert platform.environment.deployments() == [] and platform.environment.current_deployment is None
    platform.container()
    simulation.rules.add(step="deploy", after="30s")
    first = platform.environment.deploy()
    assert platform.environment.current_deployment == first and first.state == "DEPLOYMENT_QUEUED"
    simulation.clock.advance(seconds=5)
    second, third = platform.environment.stop(), platform.environment.redeploy()
    assert platform.environment.deployments() == [third, second, first]
    current = platform.environment.current_deployment
    assert current is not None and current == first and hash(current) == hash(first) and current is not first
    assert (current.state, current.name, current.environment_id) == ("DEPLOYING", "production", platform.environment.id)
    assert repr(current).startswith(f"<Deployment {first.id[:8]}… production DEPLOYING 5s")
    assert current.wait().ok and current.duration == pytest.approx(30, abs=1)
    assert platform.environment.current_deployment == third
    simulation.run_until_idle()
    assert platform.environment.current_deployment is None
    assert platform.environment.deployments() == [third, second, first]
    assert [deployment.is_done for deployment in platform.environment.deployments()] == [True] * 3


def test_of_those_that_wait_the_next_is_the_current_one(platform: Platform) -> None:
    platform.container()
    platform.environment.deploy().wait()
    first, second = platform.environment.redeploy(), platform.environment.stop()
    assert platform.environment.current_deployment == first
    first.cancel()
    assert platform.environment.current_deployment == second
    second.cancel()
    assert platform.environment.current_deployment is None


def test_all_that_are_kept_are_listed(platform: Platform) -> None:
    platform.container()
    made = [platform.environment.redeploy().wait() for _ in range(45)]
    assert platform.environment.deployments() == made[::-1]


def test_a_deployment_is_found_by_its_id(platform: Platform) -> None:
    web = platform.container()
    begun = web.deploy()
    found = platform.engine.deployments.get(begun.id)
    assert isinstance(found, orlop.Deployment) and found == begun
    assert (found.name, found.environment_id, found.state) == (
        "production",
        platform.environment.id,
        "DEPLOYMENT_QUEUED",
    )
    found.cancel()
    assert found.wait().state == "CANCELED" == begun.state
    assert repr(platform.engine.deployments) == "<Deployments of the engine>"


@pytest.mark.parametrize("id", ["00000000-0000-0000-0000-000000000000", "not an id", "", "x" * 70_000, "a&b=c"])
def test_what_is_no_deployment_is_refused(platform: Platform, id: str) -> None:
    with pytest.raises(orlop.Refused):
        platform.engine.deployments.get(id)


def test_a_deployment_is_found_after_the_store_was_opened_again(tmp_path: Path) -> None:
    began = threading.Event()

    class Patient(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            began.set()
            if not step.resumed:
                step.wait_canceled(20)

    with orlop.Engine(tmp_path / "platform.db", driver=Patient()) as engine:
        platform = furnish(engine)
        platform.container()
        begun = platform.environment.deploy()
        engine._drive(began.is_set, 20, "the step's begin")
    with orlop.Engine(tmp_path / "platform.db", driver=Patient()) as engine:
        found = engine.deployments.get(begun.id)
        assert found == furnished(engine).environment.current_deployment
        assert not found.is_done
        assert found.wait(20).ok
        assert [change.state for change in found.changes()][-1] == "DEPLOYED"
        assert [stage.name for stage in found.stages] == ["CONTAINER DEFAULT"]


def test_what_services_gives_knows_its_name(platform: Platform) -> None:
    platform.container("web")
    platform.environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    found: list[tuple[str, str]] = [(service.name, service.service_type) for service in platform.environment.services()]
    assert sorted(found) == [("orders", "DATABASE"), ("web", "CONTAINER")]
