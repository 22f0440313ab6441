"""A file outlives its process, also a process that is killed in the middle of a deployment."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import orlop
from conftest import furnish, furnished

KILLED = textwrap.dedent("""
    import os, signal, sys
    sys.path.insert(0, sys.argv[2])
    import orlop
    from conftest import furnish

    class Deadly(orlop.Driver):
        workers = 1
        def deploy(self, step):
            with open(sys.argv[1] + ".steps", "a") as file:
                print(step.id, step.name, file=file)
            if step.name == "web 2":
                os.kill(os.getpid(), signal.SIGKILL)

    with orlop.Engine(sys.argv[1], driver=Deadly()) as engine:
        platform = furnish(engine)
        for number in range(4):
            platform.container(f"web {number}")
        platform.environment.deploy().wait(60)
""")


def test_a_file_is_closed_and_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        platform = furnish(engine)
        made = platform.container().to_dict()
        events = engine.events()
    with orlop.Engine(f"sqlite:{path}") as engine:
        platform = furnished(engine)
        assert platform.environment.containers.get(made["id"]).to_dict() == made
        assert engine.events() == events
        with pytest.raises(orlop.Conflict):
            engine.organizations.create(name="ACME", plan="FREE")


def test_memory_is_gone_with_its_engine() -> None:
    with orlop.Engine() as engine:
        furnish(engine)
    with orlop.Engine() as engine:
        assert engine.organizations.list() == []


def test_a_person_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        furnish(engine)
    with sqlite3.connect(path) as file:
        bodies = [json.loads(body) for (body,) in file.execute("SELECT body FROM record")]
    assert {"acme", "shop", "production", "docker hub", "europe"} <= {body["name"] for body in bodies}


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        furnish(engine)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 1000000")
    with pytest.raises(orlop.StorageNewer):
        orlop.Engine(path)


def test_a_process_that_is_killed_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    command = [sys.executable, "-c", KILLED, str(path), str(Path(__file__).parent)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    before = {line[37:]: line[:36] for line in Path(f"{path}.steps").read_text().splitlines()}
    resumed: dict[str, orlop.Step] = {}

    class Second(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            resumed[step.name] = step

    with orlop.Engine(path, driver=Second()) as engine:
        platform = furnished(engine)
        assert "web 2" in before
        run = next(event["request"] for event in reversed(engine.events()) if event["kind"] == "deployment.started")
        deployment = orlop.Deployment(engine, run, platform.environment.id, "production")
        assert not deployment.is_done
        assert deployment.wait(30).ok
        assert [service.state for service in platform.environment.services()] == ["DEPLOYED"] * 4
        assert (resumed["web 2"].resumed, resumed["web 2"].id) == (True, before["web 2"])
        for name, step in resumed.items():
            assert step.id == before.get(name, step.id)
        started = [event["detail"]["step"] for event in deployment.events() if event["kind"] == "step.started"]
        assert len(started) == len(set(started)) == 4
