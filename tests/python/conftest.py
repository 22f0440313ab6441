"""Shared fixtures: a platform on any engine."""

from __future__ import annotations

import contextlib
import re
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

import orlop
from orlop.models import Cluster, Container, ContainerRegistry, Environment, Organization, Project

if TYPE_CHECKING:
    from typing_extensions import Self


# Tests that are begun in the background of a script ignore SIGINT, and so would the processes that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Platform:
    """One resource of each kind that a deployment needs, created at its first use. Without an engine, it opens a
    simulation in which deployments need no running cluster; `options` add to its options or replace them."""

    def __init__(self, engine: orlop.Engine | None = None, **options: Any) -> None:
        self.engine = engine or orlop.Simulation(**{"seed": 1, "require_cluster": False, **options})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()

    @property
    def simulation(self) -> orlop.Simulation:
        assert isinstance(self.engine, orlop.Simulation)
        return self.engine

    @cached_property
    def organization(self) -> Organization:
        return self.engine.organizations.create(name="acme", plan="FREE")

    @cached_property
    def registry(self) -> ContainerRegistry:
        return self.organization.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})

    @property
    def home(self) -> str:
        """Path of the organization."""
        return f"/organization/{self.organization.id}"

    def create_cluster(self, **fields: Any) -> Cluster:
        return self.organization.clusters.create(
            **{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS", **fields}
        )

    @cached_property
    def cluster(self) -> Cluster:
        return self.create_cluster()

    @cached_property
    def project(self) -> Project:
        return self.organization.projects.create(name="shop")

    @cached_property
    def environment(self) -> Environment:
        return self.project.environments.create(name="production", cluster_id=self.cluster.id)

    def create_all(self) -> Self:
        """Creates all resources, and deploys the cluster."""
        _ = self.registry
        self.cluster = self.cluster.deploy().wait()
        _ = self.environment
        return self

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Returns the answer's body. Raises the answer's exception if the request is refused."""
        return self.engine.request(method, path, body, **more).check()

    def container(self, name: str = "web", **fields: Any) -> Container:
        given = {
            "registry_id": self.registry.id,
            "image_name": "acme/" + (re.sub("[^a-z0-9]+", "-", name.lower()).strip("-") or "web"),
            "tag": "1.0.0",
            "healthchecks": {},
            **fields,
        }
        return self.environment.containers.create(name=name, **given)


@contextlib.contextmanager
def counted_calls() -> Iterator[Callable[[], int]]:
    """Counts the calls and returns of Python inside the block, a measure of work that other programs do not disturb."""
    calls = 0

    def note(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(note)
    try:
        yield lambda: calls
    finally:
        sys.setprofile(None)


def furnish(engine: orlop.Engine) -> Platform:
    return Platform(engine).create_all()


def furnished(engine: orlop.Engine) -> Platform:
    """Finds the resources of `furnish` in a store that was opened again."""
    platform = Platform(engine)
    platform.organization = engine.organizations.find("acme")
    platform.registry = platform.organization.container_registries.find("docker hub")
    platform.cluster = platform.organization.clusters.find("europe")
    platform.project = platform.organization.projects.find("shop")
    platform.environment = platform.project.environments.find("production")
    return platform


@pytest.fixture
def platform() -> Iterator[Platform]:
    with orlop.Simulation(seed=1) as simulation:
        yield furnish(simulation)
