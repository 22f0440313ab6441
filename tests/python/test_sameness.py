"""The same seed gives the same bytes: on every store, with a scripted driver and with the host's, in one process and in
eight, repeatedly."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import orlop
from test_processes import postgresql  # noqa: F401

REPETITIONS = 100
PROCESSES = 8


class Timed(orlop.Driver):
    """Takes the times that the rules of `trace` set."""

    async def deploy(self, step: orlop.Step) -> None:
        await step.sleep(40)
        if step.name == "web3" and step.attempt == 1:
            raise orlop.DriverFailed("the registry answered 503")

    def restart(self, step: orlop.Step) -> None:
        step.sleep(15)


def trace(storage: str = "memory:", seed: int = 11, *, is_hosted: bool = False, is_random: bool = False) -> str:
    """Returns the digest of all events of a simulation."""
    driver = Timed() if is_hosted else None
    with orlop.Simulation(storage, seed=seed, require_cluster=False, durability="normal", driver=driver) as simulation:
        if not is_hosted:
            simulation.rules.add(step="deploy", after=orlop.lognormal("40s", sigma=0.5) if is_random else "40s")
            simulation.rules.add(step="deploy", after="40s", name="web3", attempt=1, fails="the registry answered 503")
            simulation.rules.add(step="restart", after="15s")
        if is_random:
            simulation.rules.pack("chaos")
        acme = simulation.organizations.create(name="acme", plan="FREE")
        hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
        acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        shop = acme.projects.create(name="shop").environments.create(name="production")
        webs = [
            shop.containers.create(
                name=f"web{number}", registry_id=hub.id, image_name="acme/web", tag="1.0.0", healthchecks={}
            )
            for number in range(6)
        ]
        shop.deploy().wait()
        shop.deploy().wait()
        if webs[0].state == "DEPLOYED":
            webs[0].restart()
        simulation.clock.advance(hours=8)
        return hashlib.sha256(json.dumps(simulation.events(), sort_keys=True).encode()).hexdigest()


@pytest.mark.parametrize("is_random", [False, True])
def test_every_store_and_repetition_gives_the_same(tmp_path: Path, is_random: bool) -> None:
    first = trace(is_random=is_random)
    assert trace(f"sqlite:{tmp_path}/store.db", is_random=is_random) == first
    assert {trace(is_random=is_random) for _ in range(REPETITIONS // (10 if is_random else 1))} == {first}
    assert trace(seed=12, is_random=is_random) != first


@pytest.mark.parametrize("is_random", [False, True])
def test_postgresql_gives_the_same(postgresql: str, is_random: bool) -> None:
    assert trace(f"{postgresql}?schema=same{int(is_random)}", is_random=is_random) == trace(is_random=is_random)


def test_the_drivers_of_hosts_and_rules_give_the_same() -> None:
    assert trace(is_hosted=True) == trace()


@pytest.mark.parametrize("flags", ["", "is_hosted=True", "is_random=True"])
def test_eight_processes_give_the_same(flags: str) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); from test_sameness import trace; "
        f"print(trace({flags}))"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(at)},
        )
        for at in range(PROCESSES)
    ]
    seen = {process.communicate()[0].strip() for process in running}
    assert seen == {eval(f"trace({flags})")}
