"""Previews: one for each tag of an environment, with the jobs that run the image."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import orlop


class Shop:
    def __init__(self) -> None:
        self.platform = orlop.Simulation(seed=1)
        self.acme = self.platform.organizations.create(name="acme", plan="FREE")
        self.hub = self.acme.container_registries.create(name="hub", kind="DOCKER_HUB", config={})
        self.europe = self.acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        self.shop = self.acme.projects.create(name="shop")
        self.environment = self.shop.environments.create(name="production", cluster_id=self.europe.id)

    def container(self, name: str, image: str = "acme/web", environment: Any = None, **fields: Any) -> Any:
        fields = {
            "registry_id": self.hub.id,
            "image_name": image,
            "tag": "1",
            "healthchecks": {},
            "auto_preview": True,
            **fields,
        }
        return (environment or self.environment).containers.create(name=name, **fields)

    def job(self, name: str, image: str = "acme/web", **fields: Any) -> Any:
        source: Any = {"image": {"registry_id": self.hub.id, "image_name": image, "tag": "1"}}
        return self.environment.jobs.create(
            name=name, source=source, schedule={"on_start": {}}, healthchecks={}, **fields
        )

    def preview(self, tag: str, image: str = "acme/web") -> orlop.Reply:
        reply = self.platform.request(
            "POST", f"/organization/{self.acme.id}/container/preview", {"image_name": image, "tag": tag}
        )
        self.platform.run_until_idle()
        return reply

    def previews(self) -> list[Any]:
        return [environment for environment in self.shop.environments if environment.mode == "PREVIEW"]

    def tags(self) -> list[dict[str, str]]:
        return [
            {
                **{each.name: each.tag for each in environment.containers},
                **{each.name: each.source["image"]["tag"] for each in environment.jobs},
            }
            for environment in self.previews()
        ]


@pytest.fixture
def shop() -> Iterator[Shop]:
    made = Shop()
    with made.platform:
        yield made


def deployments(platform: orlop.Simulation) -> int:
    return sum(1 for event in platform.events() if event["kind"] == "deployment.started")


def test_the_same_tag_again_deploys_the_one_preview_again(shop: Shop) -> None:
    shop.container("web")
    assert shop.preview("pr-7").status == 202
    (first,) = shop.previews()
    before = deployments(shop.platform)
    reply = shop.preview("pr-7")
    assert reply.status == 202
    assert [environment.id for environment in shop.previews()] == [first.id]
    (web,) = first.containers
    assert (reply.json()["id"], deployments(shop.platform)) == (web.id, before + 1)
    shop.preview("pr-8")
    assert shop.tags() == [{"web": "pr-7"}, {"web": "pr-8"}]


def test_another_image_with_the_tag_joins_the_preview(shop: Shop) -> None:
    shop.container("web")
    shop.container("api", "acme/api")
    shop.preview("pr-7")
    shop.preview("pr-7", "acme/api")
    assert shop.tags() == [{"web": "pr-7", "api": "pr-7"}]


def test_a_preview_that_was_renamed_is_found(shop: Shop) -> None:
    shop.container("web")
    shop.preview("pr-7")
    (preview,) = shop.previews()
    preview.edit(name="mine")
    shop.preview("pr-7")
    assert [environment.name for environment in shop.previews()] == ["mine"]


def test_a_deleted_preview_makes_room_for_another(shop: Shop) -> None:
    shop.container("web")
    shop.preview("pr-7")
    (first,) = shop.previews()
    shop.platform.rules.add(step="delete", after="5m")
    first.delete()
    assert (
        shop.platform.request(
            "POST", f"/organization/{shop.acme.id}/container/preview", {"image_name": "acme/web", "tag": "pr-7"}
        ).status
        == 202
    )
    shop.platform.run_until_idle()
    (second,) = shop.previews()
    assert second.id != first.id
    shop.preview("pr-7")
    assert [environment.id for environment in shop.previews()] == [second.id]


def test_each_environment_has_a_preview_of_its_own(shop: Shop) -> None:
    shop.container("web")
    staging = shop.shop.environments.create(name="staging", cluster_id=shop.europe.id)
    shop.container("web", environment=staging)
    for _ in range(2):
        shop.preview("pr-7")
    assert sorted(environment.name for environment in shop.previews()) == [
        "production-preview-pr-7",
        "staging-preview-pr-7",
    ]


def test_jobs_with_auto_preview_follow_the_image(shop: Shop) -> None:
    shop.container("web")
    shop.job("migrate", auto_preview=True)
    shop.job("report")
    shop.job("other", "acme/other", auto_preview=True)
    shop.preview("pr-7")
    assert shop.tags() == [{"web": "pr-7", "migrate": "pr-7", "report": "1", "other": "1"}]


def test_a_large_environment_has_one_preview_too(shop: Shop) -> None:
    shop.container("web")
    for number in range(155):
        shop.container(f"s{number}", "acme/other", auto_preview=False)
    shop.job("migrate", auto_preview=True)
    for _ in range(2):
        assert shop.preview("pr-7").status == 202
    (tags,) = shop.tags()
    assert (tags["web"], tags["migrate"], tags["s1"]) == ("pr-7", "pr-7", "1")
