"""Tests of a deployment script, against a platform in memory. Run them with pytest."""

import orlop
import pytest


def release(platform: orlop.Engine, tag: str) -> str:
    """The script under test: sets the image tag of every container, and deploys."""
    environment = platform.organizations.find("acme").projects.find("shop").environments.find("production")
    for container in environment.containers:
        container.edit(tag=tag)
    return environment.deploy().wait(timeout=1800).state


@pytest.fixture
def platform(orlop_sim: orlop.Simulation) -> orlop.Simulation:
    acme = orlop_sim.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    shop.containers.create(name="web", registry_id=hub.id, image_name="acme/web", tag="1.0.0", healthchecks={})
    return orlop_sim


def test_a_release_deploys(platform: orlop.Simulation) -> None:
    assert release(platform, "1.1.0") == "DEPLOYED"


def test_a_release_that_fails_says_so(platform: orlop.Simulation) -> None:
    platform.rules.add(step="deploy", name="web", after="10m", fails="OUT_OF_MEMORY")
    assert release(platform, "1.1.0") == "DEPLOYMENT_ERROR"


def test_a_slow_release_times_out(platform: orlop.Simulation) -> None:
    platform.rules.add(step="deploy", after="45m")
    with pytest.raises(orlop.WaitTimeout):
        release(platform, "1.1.0")
