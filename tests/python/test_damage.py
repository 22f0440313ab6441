"""A damaged store raises errors of the package, whatever is damaged; never one of a decoder, and never a crash."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.resources.resource import Listable, Resource

FLIPS = 100


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "platform.db"
    with orlop.Engine(path) as engine:
        platform = furnish(engine)
        for number in range(3):
            platform.container(f"web {number}", description="Käse " * 20)
        platform.environment.deploy().wait(20)
        platform.environment.deploy()
    return path


def everything_below(resource: Resource) -> Iterator[Resource]:
    yield resource
    for accessor in resource._family.children:
        collection = getattr(resource, accessor)
        if not isinstance(collection, Listable):
            continue
        try:
            children = collection.list()
        except orlop.Error:
            continue
        for child in children:
            yield from everything_below(child)


def read_all(path: Path) -> list[BaseException]:
    """Reads the store with every kind of read, and returns the errors."""
    raised: list[BaseException] = []

    def attempt(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except BaseException as error:
            raised.append(error)

    def walk(engine: orlop.Engine) -> None:
        for organization in engine.organizations:
            for resource in everything_below(organization):
                attempt(lambda: (repr(resource), resource.id, resource.created_at, resource.updated_at, hash(resource)))
                attempt(resource.refresh)
                for environment in [resource] if isinstance(resource, orlop.models.Environment) else []:
                    attempt(environment.statuses)
                    attempt(environment.services)
                    for run in attempt(environment.deployments) or []:
                        attempt(
                            lambda: (repr(run), run.events(), run.changes(), run.timeline.text(), run._repr_html_())
                        )
                    attempt(lambda: environment.deploy().wait(5))

    def visit() -> None:
        with orlop.Engine(path) as engine:
            for look in (engine.events, engine.snapshot, engine.tick, lambda: walk(engine)):
                attempt(look)

    attempt(visit)
    return raised


def test_a_sound_store_raises_nothing(store: Path, tmp_path: Path) -> None:
    shutil.copy(store, tmp_path / "copy.db")
    assert read_all(tmp_path / "copy.db") == []


@pytest.mark.parametrize("seed", range(10))
def test_flipped_bytes_raise_errors_of_the_package(store: Path, tmp_path: Path, seed: int) -> None:
    random_source = random.Random(seed)
    sound = store.read_bytes()
    foreign = []
    for number in range(FLIPS // 10):
        damaged = bytearray(sound)
        place = random_source.randrange(len(damaged))
        damaged[place] ^= 1 << random_source.randrange(8)
        path = tmp_path / f"{number}.db"
        path.write_bytes(damaged)
        foreign += [(place, error) for error in read_all(path) if not isinstance(error, orlop.Error)]
    assert foreign == []


# Damage that SQLite does not detect, and that the core returns unchanged.
DAMAGES: dict[str, tuple[bytes, bytes]] = {
    "no UTF-8": (b"web 1", b"we\xff 1"),
    "no JSON": (b'"name":"web 1"', b'"name";"web 1"'),
    "another field": (b'"name":"web 1"', b'"nbme":"web 1"'),
    "another type": (b'"name":"web 1"', b'"name":1234567'),
    "no end": (b'"web 1"', b'"web 1 '),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_record_raises_errors_of_the_package(
    store: Path, tmp_path: Path, damage: tuple[bytes, bytes]
) -> None:
    old, new = damage
    path = tmp_path / "copy.db"
    shutil.copy(store, path)
    assert len(old) == len(new) and old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new))
    raised = read_all(path)
    assert all(isinstance(error, orlop.Error) for error in raised), raised


def test_what_the_core_gives_that_is_no_json_is_a_damaged_store() -> None:
    for body in (b'{"name":"\xff"}', b'{"name"', b"[" * 100_000):
        with pytest.raises(orlop.StorageCorrupt, match="not JSON"):
            orlop.Reply(200, {}, body).json()
        with pytest.raises(orlop.StorageCorrupt):
            orlop.Reply(400, {}, body).check()


@pytest.mark.parametrize("name", ["missing/platform.db", "a directory", "no store.db", "empty name\n.db/x"])
def test_a_store_that_cannot_be_opened_names_its_path(tmp_path: Path, name: str) -> None:
    (tmp_path / "a directory").mkdir()
    (tmp_path / "no store.db").write_text("This is a letter. " * 100)
    with pytest.raises(orlop.StorageError) as caught:
        orlop.Engine(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_a_store_of_a_newer_version_names_its_path(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    shutil.copy(store, path)
    holder = sqlite3.connect(path)
    holder.execute("PRAGMA user_version = 1000000")
    holder.commit()
    holder.close()
    with pytest.raises(orlop.StorageError) as caught:
        orlop.Engine(path)
    assert str(path) in str(caught.value), caught.value
