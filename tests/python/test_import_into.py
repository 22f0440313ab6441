"""Imports a part of a snapshot into a store that is in use."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import orlop
from conftest import furnish
from orlop.commands.main import main
from test_processes import postgresql, store  # noqa: F401

KEY = bytes(range(32))

# Imports an environment repeatedly under other names until it is killed.
IMPORTER = """
import sys
import orlop
with orlop.Engine(sys.argv[1], role="serve") as engine:
    snapshot = open(sys.argv[2], "rb").read()
    print("ready", flush=True)
    for number in range(10_000):
        engine.import_from(snapshot, environment="acme/shop/production", name=f"copy {number}")
"""


def taken(secrets_key: bytes | None = None) -> bytes:
    with orlop.Engine() as engine:
        platform = furnish(engine)
        for name in ("web", "worker"):
            platform.container(name)
        return engine.snapshot(secrets_key)


def test_another_engine_on_the_store_sees_it(store: str) -> None:
    with orlop.Engine(store) as reader, orlop.Engine(store) as writer:
        made = writer.import_from(taken(), organization="acme")
        assert made["family"] == "organization" and made["new_ids"] == {}
        acme = reader.organizations.find("acme")
        assert acme.id == made["id"]
        production = acme.projects.find("shop").environments.find("production")
        assert {container.name for container in production.containers} == {"web", "worker"}
        assert {event["kind"] for event in reader.events() if event["subject"] == production.id} == {
            "environment.created"
        }
        acme.clusters.find("europe").deploy()
        production.deploy().wait()
        assert production.status()["state"] == "DEPLOYED"


def test_arguments_are_checked() -> None:
    snapshot = taken()
    with orlop.Engine() as engine:
        with pytest.raises(orlop.Misuse, match="one of organization, project and environment must be given$"):
            engine.import_from(snapshot)
        with pytest.raises(orlop.Misuse, match="not several"):
            engine.import_from(snapshot, organization="acme", project="acme/shop")
        with pytest.raises(orlop.Misuse, match="organization must be text"):
            engine.import_from(snapshot, organization=3)  # type: ignore[arg-type]
        for empty in ({"name": ""}, {"parent": ""}, {"secrets_key": b""}):
            with pytest.raises(orlop.Misuse, match="must not be empty"):
                engine.import_from(snapshot, organization="acme", **empty)
        with pytest.raises(orlop.Misuse, match="secrets_key must be left out"):
            engine.import_from(snapshot, organization="acme", secrets_key=KEY)
        with pytest.raises(orlop.NotFound, match='the snapshot has no organization "unknown"'):
            engine.import_from(snapshot, organization="unknown")
        assert engine.last_event == 0


def test_a_name_that_is_taken_and_what_is_missing_are_named() -> None:
    with orlop.Engine() as engine:
        engine.organizations.create(name="acme", plan="FREE").projects.create(name="shop")
        with pytest.raises(orlop.Conflict, match='organization "acme" is taken here: give another name'):
            engine.import_from(taken(), organization="acme")
        with pytest.raises(orlop.Conflict, match='(?s)cluster "europe".*container registry') as refused:
            engine.import_from(taken(), environment="acme/shop/production")
        assert "is missing here" in str(refused.value)


def test_the_command(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, key = tmp_path / "all.jsonl", tmp_path / "move.key"
    key.write_bytes(KEY)
    file.write_bytes(taken(KEY))
    with orlop.Engine(store) as engine:
        furnish(engine)
        arguments = ["import", "--into", store, str(file), "--secrets-key", str(key)]
        assert main([*arguments, "--environment", "acme/shop/production", "--name", "second"]) == 0
        assert capsys.readouterr().out.startswith("environment ")
        environments = engine.organizations.find("acme").projects.find("shop").environments
        assert {container.name for container in environments.find("second").containers} == {"web", "worker"}
        assert main([*arguments, "--environment", "acme/shop/production"]) != 0
        assert 'environment "production" is taken here' in capsys.readouterr().err
        assert main(arguments) != 0
        assert "one of organization, project and environment must be given" in capsys.readouterr().err
        assert main(["import", str(tmp_path / "new.db"), str(file), "--project", "acme/shop"]) != 0
        assert "give --into, too" in capsys.readouterr().err
        assert main(["import", "--into", str(tmp_path / "none.db"), str(file), "--organization", "acme"]) != 0
        assert "there is no store at" in capsys.readouterr().err


def test_a_killed_import_leaves_all_or_nothing(store: str, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(taken())
    with orlop.Engine(store) as engine:
        furnish(engine)
        process = subprocess.Popen(
            [sys.executable, "-c", IMPORTER, store, str(file)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        environments = engine.organizations.find("acme").projects.find("shop").environments
        number = 0
        while number < 3:
            number = sum(1 for each in environments if each.name.startswith("copy"))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        for environment in environments:
            if environment.name.startswith("copy"):
                assert {container.name for container in environment.containers} == {"web", "worker"}
        assert [fault for fault in engine.check() if "secret" not in json.dumps(fault)] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [("bad\nname", "name must have no control characters"), ("x" * 256, "name must be 1 to 255 bytes long")],
)
def test_a_new_name_is_one_that_a_create_takes(name: str, words: str) -> None:
    with orlop.Engine() as source:
        source.organizations.create(name="acme", plan="FREE")
        snapshot = bytes(source.snapshot())
    with orlop.Engine() as target:
        with pytest.raises((orlop.Invalid, orlop.Misuse), match=words):
            target.import_from(snapshot, organization="acme", name=name)
        assert target.last_event == 0
