"""A snapshot forks a platform; sealed secrets are not included."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

import orlop
from conftest import furnish, furnished

CANARY = "canary-5d02b7"
KEY = bytes(range(32))


def test_what_if_forks_of_one_moment() -> None:
    with orlop.Simulation(seed=3) as simulation:
        simulation.rules.add(step="deploy", after="30s")
        platform = furnish(simulation)
        platform.container("web")
        platform.environment.deploy()
        simulation.clock.advance(seconds=10)
        moment = simulation.snapshot()
        simulation.run_until_idle()
        happened = simulation.events()

    with orlop.Simulation(seed=3, snapshot=moment) as again:
        again.rules.add(step="deploy", after="30s")
        again.run_until_idle()
        assert again.events() == happened

    with orlop.Simulation(seed=3, snapshot=moment) as otherwise:
        otherwise.rules.add(step="deploy", after="30s", fails="IMAGE_PULL")
        otherwise.run_until_idle()
        assert otherwise.events() != happened
        assert furnished(otherwise).environment.containers.find("web").status()["state"] == "DEPLOYMENT_ERROR"


def test_a_person_can_read_it() -> None:
    with orlop.Engine() as engine:
        furnish(engine)
        lines = [json.loads(line) for line in engine.snapshot().splitlines()]
        assert lines[0]["orlop_snapshot"] == 2
        assert lines[0]["events"] == engine.last_event
        assert {line["record"]["body"]["name"] for line in lines if "record" in line} >= {"acme", "shop", "europe"}


def test_another_version_is_named() -> None:
    for given in ("1", '"2"', "null"):
        with pytest.raises(orlop.Error, match=f"this library reads version 2, not {given}$"):
            orlop.Engine(snapshot=f'{{"orlop_snapshot":{given}}}\n'.encode())


def test_a_memory_becomes_a_file(tmp_path: Path) -> None:
    with orlop.Engine() as engine:
        furnish(engine)
        with orlop.Engine(tmp_path / "copy.db", snapshot=engine.snapshot()):
            pass
        with orlop.Engine(tmp_path / "copy.db") as copy:
            assert copy.events() == engine.events()
            assert furnished(copy).environment.to_dict() == furnished(engine).environment.to_dict()
        with pytest.raises(orlop.Error, match="empty"):
            orlop.Engine(tmp_path / "copy.db", snapshot=engine.snapshot())


def test_what_is_no_snapshot_is_refused() -> None:
    with pytest.raises(orlop.Error, match="line 1 of the snapshot"):
        orlop.Engine(snapshot=b"garbage")
    for kind in (orlop.Engine, orlop.Simulation):
        with pytest.raises(orlop.Misuse, match="snapshot must be the bytes of a snapshot, not empty ones"):
            kind(snapshot=b"")
    with orlop.Engine() as engine:
        furnish(engine)
        with pytest.raises(orlop.Error, match="its header promises"):
            orlop.Engine(snapshot=engine.snapshot()[: len(engine.snapshot().splitlines()[0])])


def test_a_key_is_needed_again(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    new = secrets.token_bytes(32)
    with orlop.Engine(path, secret_key=KEY) as engine:
        furnish(engine).organization.git_tokens.create(name="github", type="GITHUB", token=CANARY)
    for wrong in (None, new):
        with pytest.raises(orlop.StorageSealed):
            orlop.Engine(path, secret_key=wrong)
    with orlop.Engine(path, secret_key=new, previous_secret_keys=[KEY]):
        pass
    with pytest.raises(orlop.StorageSealed):
        orlop.Engine(path, secret_key=KEY)
    with orlop.Engine(path, secret_key=new) as engine:
        assert furnished(engine).organization.git_tokens.find("github").name == "github"
    with pytest.raises(orlop.Misuse, match="32 bytes"):
        orlop.Engine(secret_key=b"short")


def test_no_secret_is_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path, secret_key=KEY) as engine:
        organization = furnish(engine).organization
        token = organization.git_tokens.create(name="github", type="GITHUB", token=CANARY)
        registry = organization.container_registries.create(
            name="private", kind="DOCKER_HUB", config={"username": "zoe", "password": CANARY}
        )
        with pytest.raises(orlop.Invalid) as refused:
            organization.git_tokens.create(name="github", type="GITHUB", token=CANARY, color=CANARY + "!")  # type: ignore[call-arg]
        with pytest.raises(orlop.Conflict) as taken:
            organization.git_tokens.create(name="github", type="GITHUB", token=CANARY)
        shown = [
            repr(token),
            str(token.to_dict()),
            repr(registry),
            str(registry.to_dict()),
            repr(engine),
            str(engine.events()),
        ]
        shown += [
            str(refused.value),
            repr(refused.value),
            str(refused.value.violations),
            str(taken.value),
            engine.snapshot().decode(),
        ]
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert len(files) > 10_000
    shown += capfd.readouterr()
    assert [text for text in shown if CANARY in text] == []
    assert CANARY.encode() not in files


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ("fork.py", ["as it was: DEPLOYED", "otherwise: DEPLOYMENT_ERROR"]),
        (
            "sealed.py",
            [
                "from here on the next key opens it",
                "the store's secrets are sealed with another key than those that were given",
            ],
        ),
    ],
)
def test_the_examples_do_what_they_say(example: str, expected: list[str]) -> None:
    program = Path(__file__).parents[2] / "examples" / "python" / example
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == expected


def test_a_restore_of_bytes_leaves_no_earlier_snapshot() -> None:
    simulation = orlop.Simulation()
    first, second = simulation.snapshot(), simulation.snapshot()
    simulation.restore(bytes(first))
    for snapshot in (first, second):
        with pytest.raises(
            orlop.Conflict, match="taken by another simulation, or after one that has been restored since"
        ):
            simulation.restore(snapshot)
    simulation.restore(simulation.snapshot())


def test_a_snapshot_is_the_body_of_a_request() -> None:
    simulation = orlop.Simulation()
    before = simulation.snapshot()
    last = simulation.last_event
    simulation.organizations.create(name="another", plan="FREE")
    assert simulation.request("PUT", "/-/sim/snapshot", before).status == 204
    assert simulation.last_event == last
