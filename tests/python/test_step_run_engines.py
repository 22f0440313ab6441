"""Commands of steps that engines start: their end with the step, the engine and the process, and after a crash."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import textwrap
import threading

import pytest

import orlop
from processes import WITHIN, wait_until
from step_commands import Group


def shop_of(engine: orlop.Engine, *services: str) -> orlop.models.Environment:
    organization = engine.organizations.create(name="acme", plan="FREE")
    cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    shop = organization.projects.create(name="shop").environments.create(name="production", cluster_id=cluster.id)
    for name in services or ("orders",):
        shop.databases.create(name=name, type="REDIS", version="7", mode="CONTAINER")
    return shop


class Runner(orlop.Driver):
    """Runs a group, in a plain method or in an `async` one."""

    def __init__(self, group: Group, folder: pathlib.Path) -> None:
        self.group = group
        self.run_folder = folder


class Plain(Runner):
    def deploy(self, step: orlop.Step) -> None:
        step.run(*self.group.command)


class Async(Runner):
    async def deploy(self, step: orlop.Step) -> None:
        await step.run(*self.group.command)


@pytest.mark.parametrize("kind", [Plain, Async])
def test_an_engine_ends_the_commands_of_its_steps(kind: type[Runner], tmp_path: pathlib.Path) -> None:
    group = Group(tmp_path)
    with orlop.Engine(driver=kind(group, tmp_path / "run"), require_cluster=False) as engine:
        run = shop_of(engine).deploy()
        engine._drive(lambda: len(group.begun) == 2, WITHIN, "the command")
        run.cancel()
        assert run.wait(WITHIN).state == "CANCELED"
    group.wait_ended()


@pytest.mark.parametrize("kind", [Plain, Async])
def test_the_deadline_of_a_step_ends_its_command(kind: type[Runner], tmp_path: pathlib.Path) -> None:
    group = Group(tmp_path)
    driver = kind(group, tmp_path / "run")
    with orlop.Engine(driver=driver, require_cluster=False, step_deadline="2s") as engine:
        assert shop_of(engine).deploy().wait(WITHIN).state == "DEPLOYMENT_ERROR"
        group.wait_ended()


@pytest.mark.parametrize("kind", [Plain, Async])
def test_close_ends_the_commands(kind: type[Runner], tmp_path: pathlib.Path) -> None:
    group = Group(tmp_path)
    with orlop.Engine(driver=kind(group, tmp_path / "run"), require_cluster=False) as engine:
        shop_of(engine).deploy()
        engine._drive(lambda: len(group.begun) == 2, WITHIN, "the command")
    assert not group.has_living and os.listdir(tmp_path / "run") == []


HOST = textwrap.dedent("""
    import sys, orlop
    store, folder, *command = sys.argv[1:]

    class Host(orlop.Driver):
        run_folder = folder
        async def deploy(self, step):
            await step.run(*command, grace=1)

    engine = orlop.Engine(store, driver=Host(), require_cluster=False, lease_time="1s")
    print("ready", flush=True)
    while True:
        engine.tick()
        if select.select([sys.stdin], [], [], 0.05)[0]:
            engine.close(timeout=0)
            sys.exit()
""").replace("import sys,", "import select, sys,")


class Host:
    """A process that drives a store."""

    def __init__(self, store: pathlib.Path, folder: pathlib.Path, *command: str) -> None:
        arguments = [sys.executable, "-c", HOST, str(store), str(folder), *command]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None and self.process.stdout.readline() == b"ready\n"

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.end()

    def end(self) -> None:
        self.process.communicate(timeout=WITHIN)


def deployed(store: pathlib.Path) -> None:
    """Asks for a deployment in a store, which another process drives."""
    with orlop.Engine(store, require_cluster=False, lease_time="1s") as engine:
        shop = shop_of(engine)
        assert engine.request("POST", f"/environment/{shop.id}/deploy").status < 300


def test_a_process_that_exits_ends_its_commands(tmp_path: pathlib.Path) -> None:
    """Its step is not failed: the next engine starts it again."""
    group, store = Group(tmp_path, is_stubborn=True), tmp_path / "platform.db"
    deployed(store)
    with Host(store, tmp_path / "run", *group.command) as host:
        group.wait_begun()
        host.end()
        assert host.process.returncode == 0 and not group.has_living
    resumed: list[orlop.Step] = []

    class Again(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            resumed.append(step)

    with orlop.Engine(store, driver=Again(), require_cluster=False, lease_time="1s") as engine:
        engine._drive(lambda: bool(resumed), WITHIN, "the step")
        assert resumed[0].resumed


def test_a_command_of_a_killed_process_is_waited_for(tmp_path: pathlib.Path) -> None:
    store, folder, log, gate = (tmp_path / name for name in ("platform.db", "run", "log", "gate"))
    os.mkfifo(gate)
    program = f"echo begin >> {log}; read line < {gate}; echo end >> {log}"
    deployed(store)

    def words() -> list[str]:
        return log.read_text().split() if log.exists() else []

    with Host(store, folder, "sh", "-c", program) as host:
        wait_until(lambda: words() == ["begin"], "the begin of the command")
        host.process.kill()
        host.end()
    assert len(os.listdir(folder)) == 1
    waits, ended = threading.Event(), threading.Event()

    class Again(orlop.Driver):
        run_folder = folder

        async def deploy(self, step: orlop.Step) -> None:
            assert step.resumed
            await step.run("sh", "-c", program)
            ended.set()

    def is_waiting() -> bool:
        lines = [event["detail"]["text"] for event in engine.events() if event["kind"] == "step.log"]
        return lines == ["sh waits for the end of the command that an earlier run of this step started"]

    with orlop.Engine(store, driver=Again(), require_cluster=False, lease_time="1s") as engine:
        engine._drive(is_waiting, WITHIN, "the line")
        assert words() == ["begin"]
        gate.write_text("\n")
        engine._drive(lambda: words() == ["begin", "end", "begin"], WITHIN, "the second run")
        gate.write_text("\n")
        engine._drive(ended.is_set, WITHIN, "the end of the step")
    assert words() == ["begin", "end"] * 2 and os.listdir(folder) == []


def test_a_simulation_runs_no_command() -> None:
    class Running(orlop.Driver):
        def __init__(self, is_plain: bool) -> None:
            self.deploy = self._plain if is_plain else self._asynchronous  # type: ignore[method-assign]

        def _plain(self, step: orlop.Step) -> None:
            step.run("true")

        async def _asynchronous(self, step: orlop.Step) -> None:
            await step.run("true")

    for is_plain in (True, False):
        with orlop.Simulation(seed=1, driver=Running(is_plain), require_cluster=False) as simulation:
            run = shop_of(simulation).deploy().wait()
            assert "a step of a simulation runs no command" in str(run.reason)
