"""Names: the characters that they may hold, and which names are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import orlop


@pytest.fixture
def acme() -> Iterator[Any]:
    with orlop.Simulation(seed=3, require_cluster=False) as simulation:
        acme = simulation.organizations.create(name="acme", plan="FREE")
        acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        yield acme


@pytest.fixture
def shop(acme: Any) -> Any:
    return acme.projects.create(name="shop").environments.create(name="production")


def image(acme: Any) -> dict[str, Any]:
    hub = acme.container_registries.create(name="hub", kind="DOCKER_HUB", config={})
    return {"registry_id": hub.id, "image_name": "a", "tag": "1", "healthchecks": {}}


MAKERS: dict[str, Callable[[Any, Any, str], Any]] = {
    "organization": lambda acme, shop, name: acme._engine.organizations.create(name=name, plan="FREE"),
    "project": lambda acme, shop, name: acme.projects.create(name=name),
    "cluster": lambda acme, shop, name: acme.clusters.create(name=name, region="eu-west-3", cloud_provider="AWS"),
    "registry": lambda acme, shop, name: acme.container_registries.create(name=name, kind="DOCKER_HUB", config={}),
    "environment": lambda acme, shop, name: next(iter(acme.projects)).environments.create(name=name),
    "clone": lambda acme, shop, name: shop.clone(name=name),
    "stage": lambda acme, shop, name: shop.stages.create(name=name),
    "container": lambda acme, shop, name: shop.containers.create(name=name, **image(acme)),
    "many": lambda acme, shop, name: shop.containers.create_many(["a", "b", name], **image(acme)),
    "port": lambda acme, shop, name: shop.containers.create(
        name="api",
        ports=[{"name": name, "internal_port": 80, "protocol": "HTTP", "publicly_accessible": False}],
        **image(acme),
    ),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("name", ["a\tb", "a\nb", "\u0007", "a\u007f", "a\u0085b"])
def test_a_name_has_no_control_characters(acme: Any, shop: Any, maker: str, name: str) -> None:
    with pytest.raises(orlop.Invalid, match="control characters"):
        MAKERS[maker](acme, shop, name)


def test_names_that_differ_in_case_alone_are_one(acme: Any, shop: Any) -> None:
    for first, second in [
        ("été", "ÉTÉ"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("straße", "STRAẞE"),
        ("имя", "ИМЯ"),
        ("\u212aelvin", "kelvin"),
    ]:
        made = acme.projects.create(name=first)
        assert made.name == first
        with pytest.raises(orlop.Conflict, match="differ in more than case"):
            acme.projects.create(name=second)
        assert acme.projects.find(second).id == made.id
        assert (
            acme._engine.request("GET", f"/organization/{acme.id}/project", query={"name": second}).check()["results"][
                0
            ]["id"]
            == made.id
        )
    for other in ("STRASSE", "ete", "İ", "i"):  # letters that remain distinct, and accents
        acme.projects.create(name=other)
    with pytest.raises(orlop.NotFound):
        acme.projects.find("strasse ")


def test_a_rename_to_another_case_keeps_the_name(acme: Any) -> None:
    project = acme.projects.create(name="été")
    project.edit(name="Été")
    assert project.name == "Été"
    project.edit(name="autumn")
    acme.projects.create(name="ÉTÉ")
