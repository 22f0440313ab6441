"""Secrets of secret managers: read when a step is offered, for the driver alone; a missing secret fails the step, a
manager that does not answer postpones it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import orlop
import pytest
from conftest import Platform

ACCESS: Any = {
    "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "eu-west-3"},
    "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"},
}


class Recorder(orlop.Driver):
    def __init__(self) -> None:
        self.variables: list[dict[str, Any]] = []

    def deploy(self, step: orlop.Step) -> None:
        self.variables = [
            variable for variable in step.configuration["variables"] if variable["key"] in ("A", "AGAIN", "B", "C")
        ]


class SecretsPlatform(Platform):
    def __init__(self, **options: Any) -> None:
        self.driver = Recorder()
        super().__init__(**{"driver": self.driver, **options})
        self.cluster = self.create_cluster(
            secret_manager_accesses=[{"name": name, **ACCESS} for name in ("one", "two")]
        )
        shown = self.ask("GET", f"{self.home}/cluster/{self.cluster.id}")
        self.accesses = [access["id"] for access in shown["secret_manager_accesses"]]
        self.web = self.container()

    def external(self, key: str, name: str, access: int = 0) -> None:
        body = {
            "key": key,
            "value": name,
            "is_secret": False,
            "variable_scope": "CONTAINER",
            "variable_parent_id": self.web.id,
            "secret_manager_access_id": self.accesses[access],
        }
        self.ask("POST", "/variable", body)

    def answer(self, values: dict[str, str], access: int = 0) -> None:
        self.simulation.externals.add(
            "resolve_secrets", values, where={"secret_manager_access_id": self.accesses[access]}
        )

    def given(self) -> dict[str, str]:
        return {variable["key"]: variable["value"] for variable in self.driver.variables}


@pytest.fixture(name="platform")
def platform_fixture() -> Iterator[SecretsPlatform]:
    with SecretsPlatform() as platform:
        yield platform


def test_each_manager_is_asked_for_its_own_names(platform: SecretsPlatform) -> None:
    for key, name, access in (("A", "prod/a", 0), ("AGAIN", "prod/a", 0), ("B", "prod/b", 0), ("C", "prod/a", 1)):
        platform.external(key, name, access)
    platform.answer({"prod/a": "hidden-1", "prod/b": "hidden-2", "other": "hidden-4"})
    platform.answer({"prod/a": "hidden-3"}, access=1)
    platform.environment.deploy().wait()
    assert platform.given() == {"A": "hidden-1", "AGAIN": "hidden-1", "B": "hidden-2", "C": "hidden-3"}
    assert all(variable["is_secret"] for variable in platform.driver.variables)
    assert b"hidden-" not in bytes(platform.simulation.snapshot())
    assert "hidden-" not in str(platform.simulation.events())


def test_a_manager_of_the_host_may_wait_for_other_writers() -> None:
    """The scripted driver of a simulation is called before the commit, except where writers would wait for the host
    meanwhile."""
    written: list[int] = []

    class Systems(orlop.ExternalSystems):
        def resolve_secrets(self, question: Any) -> dict[str, str]:
            def write() -> None:
                written.append(
                    platform.simulation.request("POST", "/organization", {"name": "other", "plan": "FREE"}).status
                )

            thread = threading.Thread(target=write)
            thread.start()
            thread.join(timeout=30)
            assert written == [201]
            return dict.fromkeys(question["names"], "hidden")

    with SecretsPlatform(driver=None, external_systems=Systems()) as platform:
        platform.external("A", "prod/a")
        rule = {"step": "deploy", "metadata": {"tier": "gold"}}  # a rule that reads the configuration of steps
        platform.ask("POST", "/-/sim/rules", rule)
        platform.environment.deploy()
        platform.simulation.run_until_idle()
        assert platform.web.status()["state"] == "DEPLOYED" and written == [201]


def test_a_secret_that_is_missing_fails_the_step(platform: SecretsPlatform) -> None:
    platform.external("A", "prod/a")
    platform.answer({"prod/b": "hidden"})
    platform.environment.deploy()
    platform.simulation.run_until_idle()
    status = platform.web.status()
    assert status["state"] == "DEPLOYMENT_ERROR" and 'has no secret "prod/a"' in status["status_details"]["reason"]
    assert platform.driver.variables == [], "the driver was not asked"


def test_a_manager_that_does_not_answer_puts_the_step_off(platform: SecretsPlatform) -> None:
    platform.external("A", "prod/a")
    platform.simulation.externals.add("resolve_secrets", error="the manager is sealed")
    platform.environment.deploy()
    platform.simulation.clock.advance(minutes=5)
    assert platform.web.status()["state"] == "WAITING_RUNNING" and platform.driver.variables == []
    platform.simulation.externals.clear()
    platform.answer({"prod/a": "hidden"})
    platform.simulation.clock.advance(minutes=2)
    assert platform.web.status()["state"] == "DEPLOYED" and platform.given() == {"A": "hidden"}
