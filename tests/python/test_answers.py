"""The answer in a typed object is parsed when a field is first read."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish, furnished
from orlop.base import wire
from orlop.models import Container
from orlop.resources import resource as resources


class Parses:
    """Counts the answers that typed objects have parsed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(resources, "loads", self.loads)

    def loads(self, text: bytes) -> Any:
        self.count += 1
        return wire.loads(text)


@pytest.fixture
def parses(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> Parses:
    return Parses(monkeypatch)


def test_what_is_not_read_is_not_parsed(platform: Platform, parses: Parses) -> None:
    web = platform.container()
    assert platform.environment.containers.get(web.id) == web
    assert hash(web.refresh()) == hash(web.id)
    assert web.edit(cpu=600).custom_domains.list() == []
    assert parses.count == 0


def test_an_answer_is_parsed_once(platform: Platform, parses: Parses) -> None:
    web = platform.container(cpu=600)
    assert (web.name, web.cpu, web["tag"], web.to_dict()["memory"], web.created_at, web.metadata) == (
        "web",
        600,
        "1.0.0",
        512,
        web.updated_at,
        {},
    )
    assert repr(web) == f"<Container {web.id[:8]}… web>"
    assert parses.count == 1
    assert web.refresh().cpu == 600
    assert web.edit(cpu=700).cpu == 700
    assert parses.count == 3


def everything(platform: Platform) -> Iterator[resources.Resource]:
    yield from (
        platform.organization,
        platform.registry,
        platform.cluster,
        platform.project,
        platform.environment,
        platform.container(),
    )
    yield platform.environment.stages.create(name="last")
    yield platform.project.variables.create(key="KEY", value="value")
    yield platform.organization.webhooks.create(
        target_url="https://acme.test", kind="STANDARD", events=["DEPLOYMENT_STARTED"]
    )


def test_the_id_is_that_of_the_answer(platform: Platform) -> None:
    for resource in everything(platform):
        assert resource.id == resource["id"]


def test_a_variable_holds_the_answer_to_its_change(platform: Platform) -> None:
    key = platform.project.variables.create(key="KEY", value="1")
    assert key.edit(value="2") is key
    assert (key.value, key.key, key.scope) == ("2", "KEY", "PROJECT")
    other = key.override("3", owner=platform.environment)
    assert (other.value, other.variable_type, other.refresh().value) == ("3", "OVERRIDE", "3")
    assert key.alias("OTHER").edit(key="ANOTHER").key == "ANOTHER"


ID = "00000002-8066-8ddb-9aa8-00c9d9f7ebf1"


@pytest.mark.parametrize(
    ("answer", "id"),
    [
        (f'{{"id":"{ID}","name":"web"}}', ID),
        (f'{{"name":"web","id":"{ID}"}}', ID),
        (f' {{"id": "{ID}"}}', ID),
        ('{"id":"short","name":"web"}', "short"),
        (f'{{"id":"\\u0030{ID[1:]}"}}', ID),
        (f'{{"id":"\\u0041{"0" * 30}"}}', "A" + "0" * 30),
        (f'{{"id":"{ID}0"}}', ID + "0"),
        (f'{{"no":"{ID}","id":"short"}}', "short"),
    ],
)
def test_the_id_is_read_wherever_it_stands(platform: Platform, answer: str, id: str) -> None:
    assert Container(platform.engine, answer.encode(), "").id == id


@pytest.mark.parametrize("answer", [b"{}", b'{"id', b'{"id":"\xff0000002-8066-8ddb-9aa8-00c9d9f7ebf"}', b""])
def test_an_answer_without_an_id_is_of_a_damaged_store(platform: Platform, answer: bytes) -> None:
    with pytest.raises(orlop.StorageCorrupt):
        Container(platform.engine, answer, "").id


def test_a_refresh_while_an_answer_is_parsed_is_kept(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    web = platform.container(cpu=600)
    platform.environment.containers.get(web.id).edit(cpu=700)

    def loads(text: bytes) -> Any:
        monkeypatch.undo()
        other = threading.Thread(target=web.refresh)
        other.start()
        other.join()
        return wire.loads(text)

    monkeypatch.setattr(resources, "loads", loads)
    assert web.cpu == 600
    assert web.cpu == 700


def test_threads_read_a_field_at_once(platform: Platform) -> None:
    for _ in range(50):
        web = platform.container(cpu=600)
        ready = threading.Barrier(4)
        seen: list[object] = []

        def read(web: Container = web, ready: threading.Barrier = ready, seen: list[object] = seen) -> None:
            ready.wait()
            seen.append((web.id, web.cpu, web.name))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [(web["id"], 600, "web")] * 4
        web.delete()


def test_a_damaged_record_is_reported_where_its_field_is_read(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Engine(path) as engine:
        id = furnish(engine).container().id
    sound = path.read_bytes()
    path.write_bytes(sound.replace(b'"name":"web"', b'"name";"web"'))
    assert path.read_bytes() != sound
    with orlop.Engine(path) as engine:
        web = furnished(engine).environment.containers.get(id)
        assert web.id == id
        for _ in range(2):
            with pytest.raises(orlop.StorageCorrupt, match="not JSON"):
                web.name  # noqa: B018
