"""Variables as a whole: aliases and overrides after a snapshot is opened, in clones, and after the engine was killed
while services are marked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import orlop
from conftest import Platform, furnish, furnished
from orlop.models import Container, Environment
from orlop.resources.variables import Variable

SERVICES = 1200  # more than two commits mark


def linked(variable: Variable) -> dict[str, Any]:
    """Returns the target of an alias or override."""
    return variable.to_dict().get("aliased_variable") or variable.to_dict().get("overridden_variable") or {}


def seen(owner: Container | Environment) -> list[tuple[str, str, str, str | None, str | None, str | None]]:
    """Returns the variables that the owner sees, without the built-in ones, in the order of their keys, with their
    targets."""
    found = [variable for variable in owner.variables if variable.scope != "BUILT_IN"]
    rows = [
        (
            variable.scope,
            variable.variable_type,
            variable.key,
            variable.value,
            linked(variable).get("key"),
            linked(variable).get("value"),
        )
        for variable in found
    ]
    return sorted(rows, key=lambda row: row[:3])


def link_everything(platform: Platform) -> Container:
    """Creates a container whose aliases and overrides refer to variables of every scope, other overrides, and built-ins
    of itself and of a database."""
    project, environment, api = platform.project, platform.environment, platform.container("api")
    environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    project.variables.create(key="A", value="1")
    project.variables.create(key="S", value="hidden", is_secret=True)
    environment.variables.create(key="B", value="{{A}}")
    environment.variables.create(key="FILE", value="text", mount_path="/etc/file")
    api.variables.create(key="OWN", value="x")
    for key in ("A", "S", "B", "OWN"):
        api.variables.find(key).alias(f"{key}_ALIAS")
    environment.variables.find("A").override("environment")
    api.variables.find("A").override("container")
    api.variables.find("A").alias("OF_OVERRIDE")
    environment.variables.find("S").override("hidden too")
    api.variables.find("FILE").override("other text")
    url = next(variable for variable in api.variables if variable.key.endswith("_DATABASE_URL"))
    url.alias("DATABASE_URL")
    url.override("postgres://pool").alias("POOL")
    api.variables.find("PLATFORM_ENVIRONMENT_NAME").alias("STAGE")
    return api


def test_a_snapshot_holds_aliases_and_overrides() -> None:
    with orlop.Simulation(seed=1) as simulation:
        api = link_everything(furnish(simulation))
        before, snapshot = seen(api), simulation.snapshot()
    with orlop.Simulation(seed=2, snapshot=snapshot) as simulation:
        platform = furnished(simulation)
        api = platform.environment.containers.find("api")
        assert seen(api) == before
        platform.project.variables.find("A").delete()
        gone = {row[2] for row in before} - {row[2] for row in seen(api)}
        assert gone == {"A", "A_ALIAS", "OF_OVERRIDE"}
        platform.environment.databases.find("orders").delete()
        simulation.run_until_idle()
        assert not {"DATABASE_URL", "POOL"} & {row[2] for row in seen(api)}


def test_links_of_a_clone_name_the_copies() -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = furnish(simulation)
        api = link_everything(platform)
        clone = platform.environment.clone(name="copy")
        simulation.run_until_idle()
        copy = clone.containers.find("api")
        ids = {row.id for row in api.variables if row.scope not in ("BUILT_IN", "PROJECT")}
        assert not ids & {linked(variable).get("id") for variable in copy.variables}
        for variable in copy.variables:
            if variable.variable_type == "OVERRIDE":
                assert linked(variable)["key"] == variable.key
        short = {
            name: environment.databases.find("orders").id[:8].upper()
            for name, environment in (("of", platform.environment), ("copy", clone))
        }
        expected = [
            tuple(text.replace(short["of"], short["copy"]) if text else text for text in row) for row in seen(api)
        ]
        expected = [row if row[2] != "STAGE" else (*row[:5], "copy") for row in expected]
        assert seen(copy) == expected
        platform.environment.delete()
        simulation.run_until_idle()
        assert seen(copy) == expected


def marks(platform: Platform) -> Counter[str]:
    statuses = platform.environment.statuses()
    return Counter(
        entry["service_deployment_status"]
        for kind, entries in statuses.items()
        if kind != "environment"
        for entry in entries
    )


def edit_and_die(file: str, ticks: int) -> None:
    """Runs in another process: edits a variable of the project, ticks while commits mark services, and kills itself."""
    simulation = orlop.Simulation(file, seed=1, durability="normal")
    furnished(simulation).project.variables.find("A").edit(value="2")
    for _ in range(ticks):
        simulation.tick()
    os.kill(os.getpid(), signal.SIGKILL)


def test_marks_go_on_after_the_engine_was_killed(tmp_path: Path) -> None:
    file = tmp_path / "platform.db"
    with orlop.Simulation(file, seed=1, durability="normal") as simulation:
        platform = furnish(simulation)
        platform.project.variables.create(key="A", value="1")
        for number in range(SERVICES):
            platform.container(f"web{number}")
        platform.environment.deploy()
        simulation.run_until_idle()
        assert marks(platform) == {"UP_TO_DATE": SERVICES}
    ended = subprocess.run([sys.executable, __file__, str(file), "1"], timeout=60, check=False)
    assert ended.returncode == -signal.SIGKILL
    with orlop.Simulation(file, seed=1, durability="normal") as simulation:
        platform = furnished(simulation)
        simulation.run_until_idle()
        assert marks(platform) == {"OUT_OF_DATE": SERVICES}


if __name__ == "__main__":
    edit_and_die(sys.argv[1], int(sys.argv[2]))
