"""Many resources that differ in their names, created by one call. tests/whole tests for every family that they equal
those of single creates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish
from orlop.models import Container

ODD = ['quote "', "back\\slash", "</b>", "$&", "ünïcödé", "日本", "a", "b", "c", "d", "é", "e"]


def fields(platform: Platform) -> dict[str, Any]:
    return {"registry_id": platform.registry.id, "image_name": "acme/web", "tag": "1.0.0", "healthchecks": {}}


@pytest.mark.parametrize("storage", ["memory:", "sqlite"])
def test_services_are_those_of_single_creates(storage: str, tmp_path: Path) -> None:
    ports = [
        {"internal_port": 80, "publicly_accessible": False},
        {"internal_port": 81, "publicly_accessible": False, "name": "admin"},
    ]
    given: dict[str, Any] = {"ports": ports, "metadata": {"name": "x", "customer": "17"}, "description": "web-3"}
    sims = [orlop.Simulation(storage if storage == "memory:" else tmp_path / f"{side}.db", seed=3) for side in "ab"]
    singly, together = map(furnish, sims)
    names = [f"web-{number}" for number in range(700)] + ODD
    with singly.engine.batch() as batch:
        containers = type(singly.environment.containers)(batch, singly.environment.id)  # type: ignore[arg-type]
        expected = [containers.create(name=name, **fields(singly), **given).id for name in names]
    made = together.environment.containers.create_many(names, **fields(together), **given)
    assert made.ids == expected
    assert sims[0].snapshot() == sims[1].snapshot() and sims[0].events() == sims[1].events()
    for platform in (singly, together):
        platform.environment.deploy().wait()
    assert sims[0].events() == sims[1].events()
    assert together.environment.containers.find("ünïcödé").id == made[names.index("ünïcödé")].id
    for sim in sims:
        sim.close()


def test_a_text_that_looks_like_an_id_stays() -> None:
    names = [f"web{number}" for number in range(6)]

    def made(**given: Any) -> list[Container]:
        with orlop.Simulation(seed=3) as sim:
            platform = furnish(sim)
            return [
                container.refresh()
                for container in platform.environment.containers.create_many(names, **fields(platform), **given)
            ]

    for before in made():
        after = made(description=before.id)
        assert [container.id for container in after] == [container.id for container in made()]
        assert {container.description for container in after} == {before.id}


def test_the_answer_is_a_sequence_whose_objects_read_when_asked(platform: Platform) -> None:
    made = platform.environment.containers.create_many((f"web{number}" for number in range(5)), **fields(platform))
    assert len(made) == 5 and made.ids == [container.id for container in made]
    assert all(isinstance(container, Container) for container in made)
    assert [container.name for container in made[1:3]] == ["web1", "web2"] and made[-1].name == "web4"
    assert made[2] in made and made[0].image_name == "acme/web" and made[0].to_dict()["tag"] == "1.0.0"
    assert made[3].edit(tag="2.0.0").tag == "2.0.0" and made[3].refresh().tag == "2.0.0"
    assert repr(made).startswith("<5 new of <ContainerCollection") and "web1" in repr(made[1])
    with pytest.raises(IndexError):
        made[5]
    gone = made[4]
    gone.delete()
    assert gone.id == made.ids[4]
    with pytest.raises(orlop.NotFound):
        gone.name  # noqa: B018
    assert gone.id in repr(gone)


def test_no_names_create_nothing(platform: Platform) -> None:
    last = platform.engine.last_event
    made = platform.environment.containers.create_many([], **fields(platform))
    assert len(made) == 0 and list(made) == [] and made.ids == [] and platform.engine.last_event == last


@pytest.mark.parametrize(
    ("names", "error", "said"),
    [
        (
            ["a", "b", "c", "d", "B"],
            orlop.Conflict,
            r'names\[4\] "B": name "B" is taken by another container of this environment',
        ),
        (["a", "b", "c", "d", "Taken"], orlop.Conflict, r'names\[4\] "Taken": name "Taken" is taken'),
        (["a", "b", "c", "d", ""], orlop.Invalid, r'names\[4\] "": name'),
        (["a", "b", "c", "d", "x" * 70_000], orlop.Invalid, r'names\[4\] "xxx'),
        (["a", None], orlop.Misuse, "an entry of names must be text"),
        (["a", 7], orlop.Misuse, "an entry of names must be text"),
        ("abc", orlop.Misuse, "names must be a list"),
        (None, orlop.Misuse, "names must be a list"),
        (["\ud800"], orlop.Misuse, "surrogate"),
    ],
)
def test_a_name_that_is_refused_is_named_and_nothing_is_stored(
    platform: Platform, names: Any, error: type[Exception], said: str
) -> None:
    platform.container("taken")
    last = platform.engine.last_event
    with pytest.raises(error, match=said):
        platform.environment.containers.create_many(names, **fields(platform))
    assert platform.engine.last_event == last and len(platform.environment.containers) == 1
    assert len(platform.environment.containers.create_many(["a", "b", "c", "d", "e"], **fields(platform))) == 5


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"nonsense": 1}, r'names\[0\] "a": nonsense is not a field'),
        ({"name": "x"}, "name is that of each"),
        ({"id": "x"}, "id cannot be chosen"),
    ],
)
def test_a_member_that_is_refused_is_named(platform: Platform, members: dict[str, Any], said: str) -> None:
    with pytest.raises(orlop.Invalid, match=said):
        platform.environment.containers.create_many(["a", "b"], **fields(platform), **members)
    assert len(platform.environment.containers) == 0


def test_a_generator_that_raises_creates_nothing(platform: Platform) -> None:
    def names() -> Iterator[str]:
        yield from ("a", "b")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        platform.environment.containers.create_many(names(), **fields(platform))
    assert len(platform.environment.containers) == 0


def test_a_batch_holds_it(platform: Platform) -> None:
    with platform.engine.batch() as batch:
        organization = batch.organizations.get(platform.organization.id)
        environment = organization.projects.find("shop").environments.find("production")
        environment.containers.create(name="first", **fields(platform))
        made = environment.containers.create_many([f"web{number}" for number in range(600)], **fields(platform))
        assert made[599].name == "web599" and len(environment.containers) == 601
        organization.projects.create_many(["one", "two"])
    assert len(platform.environment.containers) == 601 and made[1].refresh().name == "web1"
    last = platform.engine.last_event
    with pytest.raises(orlop.Conflict, match=r'names\[599\] "WEB0"'), platform.engine.batch() as batch:
        environment = (
            batch.organizations.get(platform.organization.id).projects.find("shop").environments.find("production")
        )
        environment.containers.create_many([f"other{number}" for number in range(599)] + ["WEB0"], **fields(platform))
    assert platform.engine.last_event == last and len(platform.environment.containers) == 601


def test_ten_thousand(platform: Platform) -> None:
    names = [f"service-{number}" for number in range(10_000)]
    made = platform.environment.containers.create_many(names, **fields(platform))
    assert [container.name for container in platform.environment.containers] == names
    assert made[9_999].name == "service-9999" and len(set(made.ids)) == 10_000


TERMS = ("currency=EUR", "limit.FREE.services=300", "limit.FREE.projects=3")


@pytest.mark.parametrize("kind", ["containers", "databases"])
def test_limits_of_the_plan_hold_in_the_middle(kind: str) -> None:
    with orlop.Simulation(billing=TERMS, require_cluster=False) as sim:
        platform = furnish(sim)
        platform.container("first")
        given = fields(platform) if kind == "containers" else {"type": "REDIS", "version": "7", "mode": "CONTAINER"}
        services = getattr(platform.environment, kind)
        last = sim.last_event
        names = [f"service{number}" for number in range(310)]
        with pytest.raises(
            orlop.Conflict,
            match=r'names\[299\] "service299": the plan FREE allows 300 services, and the organization would have 301',
        ):
            services.create_many(names, **given)
        assert sim.last_event == last and len(services) == (1 if kind == "containers" else 0)
        assert len(services.create_many(names[:299], **given)) == 299
        with pytest.raises(orlop.Conflict, match=r'names\[0\] "one": the plan FREE allows 300 services'):
            services.create_many(["one"], **given)
        with pytest.raises(orlop.Conflict, match=r'names\[2\] "c": the plan FREE allows 3 projects'):
            platform.organization.projects.create_many(["a", "b", "c"])


def test_external_systems_that_admit_changes_refuse_it() -> None:
    class Policy(orlop.ExternalSystems):
        def admit(self, question: Any) -> Any:
            return {"allowed": True}

    with orlop.Simulation(external_systems=Policy()) as sim:
        platform = furnish(sim)
        with pytest.raises(orlop.Conflict, match="external systems admit each change"):
            platform.environment.containers.create_many(["a", "b"], **fields(platform))
        assert len(platform.environment.containers) == 0
