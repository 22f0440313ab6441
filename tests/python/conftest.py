"""Shared fixtures: a platform with one environment, on any engine."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import orlop
from orlop.models import Cluster, Container, ContainerRegistry, Environment, Organization, Project


@dataclass
class Platform:
    """One resource of each kind, which a deployment needs."""

    engine: orlop.Engine
    organization: Organization
    registry: ContainerRegistry
    cluster: Cluster
    project: Project
    environment: Environment

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
    organization = engine.organizations.create(name="acme", plan="FREE")
    registry = organization.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    project = organization.projects.create(name="shop")
    environment = project.environments.create(name="production", cluster_id=cluster.id)
    return Platform(engine, organization, registry, cluster, project, environment)


def furnished(engine: orlop.Engine) -> Platform:
    """Finds the resources of `furnish` in a store that was opened again."""
    organization = engine.organizations.find("acme")
    project = organization.projects.find("shop")
    return Platform(
        engine,
        organization,
        organization.container_registries.find("docker hub"),
        organization.clusters.find("europe"),
        project,
        project.environments.find("production"),
    )


@pytest.fixture
def platform() -> Iterator[Platform]:
    with orlop.Simulation(seed=1) as simulation:
        yield furnish(simulation)
