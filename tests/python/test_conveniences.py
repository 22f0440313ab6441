"""Objects in place of ids, durations as texts, `find` with a default, `ensure`, and the representation of objects."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish
from orlop.resources.resource import Ensurable, Listable


def test_events_take_objects_for_ids(platform: Platform) -> None:
    web = platform.container("web")
    run = platform.environment.deploy().wait()
    engine = platform.engine
    assert engine.events(subject=web) == engine.events(subject=web.id) != []
    assert engine.events(request=run) == engine.events(request=run.id) != []
    assert engine.events(subject=run) == engine.events(subject=run.id) != []
    assert (
        engine.events(organization=platform.organization) == engine.events(organization=platform.organization.id) != []
    )
    assert isinstance(engine, orlop.Simulation)
    assert engine.events.where(subject=web, request=run) == engine.events.where(subject=web.id, request=run.id) != []

    async def read() -> tuple[Any, Any]:
        twin = orlop.AsyncSimulation.over(engine)
        return await twin.events(subject=web), await twin.events(request=run)

    assert asyncio.run(read()) == (engine.events(subject=web.id), engine.events(request=run.id))
    for wrong in (7, object(), engine, [web]):
        with pytest.raises(orlop.Misuse, match="^subject must be text"):
            engine.events(subject=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("opened", [orlop.Engine, orlop.Simulation])
def test_timeouts_are_durations(opened: Any) -> None:
    with opened() as engine:
        platform = furnish(engine)
        platform.container()
        assert platform.environment.deploy().wait(timeout="10s").ok
        platform.cluster.deploy().wait(timeout="1m30s")
        assert engine.events(engine.last_event, timeout="1ms") == []
        assert engine.drain(timeout="1s")
        for call in (platform.environment.deploy().wait, platform.cluster.wait, engine.drain, engine.close):
            with pytest.raises(
                orlop.Misuse,
                match="^timeout must be a duration like 30s, 2m30s or 250ms, or a number of seconds, not 'soon'",
            ):
                call(timeout="soon")
        engine.close(timeout="1s")


def test_a_timeout_in_words_ends_a_wait() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        platform.container()
        simulation.rules.add(step="deploy", after="1h")
        run, begun = platform.environment.deploy(), simulation.now()
        with pytest.raises(orlop.WaitTimeout, match="within 90 s of virtual time"):
            run.wait(timeout="1m30s")
        assert (simulation.now() - begun).total_seconds() == 90


def test_find_answers_a_default(platform: Platform) -> None:
    containers = platform.environment.containers
    web = platform.container("web")
    assert containers.find("WEB", None) == web
    assert containers.find("api", None) is None
    assert containers.find("api", default=web) is web
    assert platform.project.variables.find("NOTHING", None) is None
    for names in (containers, platform.project.variables):
        with pytest.raises(orlop.NotFound):
            names.find("api")


def test_ensure_creates_edits_and_leaves_alone(platform: Platform) -> None:
    registry = platform.container("first").registry["id"]
    fields: dict[str, Any] = {
        "registry_id": registry,
        "image_name": "web",
        "tag": "1",
        "healthchecks": {},
        "ports": [{"internal_port": 8080, "publicly_accessible": False, "protocol": "HTTP"}],
    }
    containers = platform.environment.containers
    web, change = containers.ensure(name="web", **fields)
    assert (change, web.name, web.tag) == ("created", "web", "1")
    before = platform.engine.last_event
    same, change = containers.ensure(name="WEB".lower(), **fields)
    assert (same, change, platform.engine.last_event) == (web, "unchanged", before), "it wrote what was there"
    edited, change = containers.ensure(name="web", tag="2")
    assert (edited, change, edited.tag, edited.image_name) == (web, "edited", "2", "web")
    assert containers.ensure(name="web", healthchecks={}, cpu=edited.cpu)[1] == "unchanged"
    renamed, change = containers.ensure(name="Web")
    assert (renamed, change, renamed.name, len(containers)) == (web, "edited", "Web", 2)
    with pytest.raises(orlop.Invalid, match="tag"):
        containers.ensure(name="web", tag=7)
    with pytest.raises(orlop.Invalid, match="image"):
        containers.ensure(name="other", tag="1")


def test_ensure_writes_secrets_each_time(platform: Platform) -> None:
    credentials = platform.organization.aws_credentials
    fields = {
        "type": "AWS_STATIC",
        "access_key_id": "AKIA0000000000000000",
        "secret_access_key": "a secret of the cloud",
    }
    keys, change = credentials.ensure(name="aws", **fields)
    assert change == "created"
    again, change = credentials.ensure(name="aws", **fields)
    assert (again, change) == (keys, "edited"), "what is not read may be another secret"


def test_ensure_and_another_caller(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    projects = platform.organization.projects
    find = type(projects).find
    looks: list[str] = []

    def beaten(self: Any, name: str, default: Any = None) -> Any:
        found = find(self, name, default)
        looks.append(name)
        if len(looks) == 1:
            projects.create(name=name, description="of another caller")
        return found

    monkeypatch.setattr(type(projects), "find", beaten)
    project, change = projects.ensure(name="late", description="ours")
    assert (change, project.description, len(looks)) == ("edited", "ours", 3)


def test_every_collection_that_can_has_ensure() -> None:
    with orlop.Engine() as engine:
        assert isinstance(engine.organizations, Ensurable)
        acme, change = engine.organizations.ensure(name="acme", plan="FREE")
        assert change == "created" and engine.organizations.ensure(name="acme", plan="FREE")[1] == "unchanged"
        assert not isinstance(acme.members, Ensurable) and isinstance(acme.members, Listable)


def test_objects_say_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        assert repr(engine) == f"<Engine on {path}, event 0>"
    assert repr(engine) == f"<Engine on {path}, closed>"
    with orlop.Simulation(seed=7, start="2026-01-01T00:00:00Z") as simulation:
        assert repr(simulation) == "<Simulation on memory:, seed 7, 2026-01-01T00:00:00.000Z, event 0>"
        assert [repr(part) for part in (simulation.rules, simulation.faults, simulation.externals)] == [
            "<Rules of 0>",
            "<Faults of 0>",
            "<Externals of 0>",
        ]
        for number in range(5):
            simulation.rules.add(name=f"web{number}", fails="x" * 1000)
        said = repr(simulation.rules)
        assert (
            said.startswith("<Rules of 5: {")
            and said.endswith(" and 2 more>")
            and "web2" in said
            and "web3" not in said
            and len(said) < 450
        )
        simulation.transitions["cluster"] = "manual"
        assert repr(simulation.transitions) == "<Transitions of 1: cluster: manual>"
        assert repr(simulation.capacity) == "<Capacity of 0>"
        rules = simulation.rules
    assert repr(rules) == "<Rules of a closed simulation>" and repr(simulation) == "<Simulation on memory:, closed>"


def test_a_repr_shows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = orlop.Engine.__new__(orlop.Engine)
    engine.__dict__["_storage"] = "postgresql://ada:secret@db/orlop?password=secret"
    assert repr(engine) == "<Engine on postgresql://…, not open>"


def test_collections_name_their_first_resources(platform: Platform) -> None:
    containers = platform.environment.containers
    assert repr(containers) == "<ContainerCollection of 0>"
    for number in range(13):
        platform.container(f"web{number:02}")
    assert repr(containers) == "<ContainerCollection of 13: web00, web01, web02 and 10 more>"
    platform.project.variables.create(key="LEVEL", value="debug")
    assert (
        "LEVEL" in repr(platform.project.variables)
        and len(platform.project.variables) == len(list(platform.project.variables)) > 0
    )
    platform.engine.close()
    assert repr(containers).startswith("<ContainerCollection of ")


def test_a_run_says_how_many_more_have_failed(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    for number in range(12):
        platform.container(f"web{number:02}")
    platform.engine.rules.add(step="deploy", fails="no such tag")
    assert repr(platform.environment.deploy().wait()).endswith(": no such tag and 11 more>")
    platform.engine.rules.add(step="deploy", name="web0*", outcome="succeed")
    platform.engine.rules.add(step="deploy", name="web10", outcome="succeed")
    assert repr(platform.environment.deploy().wait()).endswith(": no such tag>")
