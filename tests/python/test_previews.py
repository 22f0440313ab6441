"""Previews: one for each tag of an environment, with the jobs that run the image."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import orlop
from conftest import Platform


class PreviewPlatform(Platform):
    def container(self, name: str = "web", image: str = "acme/web", environment: Any = None, **fields: Any) -> Any:
        fields = {
            "registry_id": self.registry.id,
            "image_name": image,
            "tag": "1",
            "healthchecks": {},
            "auto_preview": True,
            **fields,
        }
        return (environment or self.environment).containers.create(name=name, **fields)

    def job(self, name: str, image: str = "acme/web", **fields: Any) -> Any:
        source: Any = {"image": {"registry_id": self.registry.id, "image_name": image, "tag": "1"}}
        return self.environment.jobs.create(
            name=name, source=source, schedule={"on_start": {}}, healthchecks={}, **fields
        )

    def preview(self, tag: str, image: str = "acme/web") -> orlop.Reply:
        reply = self.engine.request("POST", f"{self.home}/container/preview", {"image_name": image, "tag": tag})
        self.simulation.run_until_idle()
        return reply

    def previews(self) -> list[Any]:
        return [environment for environment in self.project.environments if environment.mode == "PREVIEW"]

    def tags(self) -> list[dict[str, str]]:
        return [
            {
                **{each.name: each.tag for each in environment.containers},
                **{each.name: each.source["image"]["tag"] for each in environment.jobs},
            }
            for environment in self.previews()
        ]


@pytest.fixture(name="platform")
def platform_fixture() -> Iterator[PreviewPlatform]:
    with PreviewPlatform() as platform:
        yield platform.create_all()


def deployments(simulation: orlop.Simulation) -> int:
    return sum(1 for event in simulation.events() if event["kind"] == "deployment.started")


def test_the_same_tag_again_deploys_the_one_preview_again(platform: PreviewPlatform) -> None:
    platform.container("web")
    assert platform.preview("pr-7").status == 202
    (first,) = platform.previews()
    before = deployments(platform.simulation)
    reply = platform.preview("pr-7")
    assert reply.status == 202
    assert [environment.id for environment in platform.previews()] == [first.id]
    (web,) = first.containers
    assert (reply.json()["id"], deployments(platform.simulation)) == (web.id, before + 1)
    platform.preview("pr-8")
    assert platform.tags() == [{"web": "pr-7"}, {"web": "pr-8"}]


def test_another_image_with_the_tag_joins_the_preview(platform: PreviewPlatform) -> None:
    platform.container("web")
    platform.container("api", "acme/api")
    platform.preview("pr-7")
    platform.preview("pr-7", "acme/api")
    assert platform.tags() == [{"web": "pr-7", "api": "pr-7"}]


def test_a_preview_that_was_renamed_is_found(platform: PreviewPlatform) -> None:
    platform.container("web")
    platform.preview("pr-7")
    (preview,) = platform.previews()
    preview.edit(name="mine")
    platform.preview("pr-7")
    assert [environment.name for environment in platform.previews()] == ["mine"]


def test_a_deleted_preview_makes_room_for_another(platform: PreviewPlatform) -> None:
    platform.container("web")
    platform.preview("pr-7")
    (first,) = platform.previews()
    platform.simulation.rules.add(step="delete", after="5m")
    first.delete()
    assert (
        platform.simulation.request(
            "POST", f"{platform.home}/container/preview", {"image_name": "acme/web", "tag": "pr-7"}
        ).status
        == 202
    )
    platform.simulation.run_until_idle()
    (second,) = platform.previews()
    assert second.id != first.id
    platform.preview("pr-7")
    assert [environment.id for environment in platform.previews()] == [second.id]


def test_each_environment_has_a_preview_of_its_own(platform: PreviewPlatform) -> None:
    platform.container("web")
    staging = platform.project.environments.create(name="staging", cluster_id=platform.cluster.id)
    platform.container("web", environment=staging)
    for _ in range(2):
        platform.preview("pr-7")
    assert sorted(environment.name for environment in platform.previews()) == [
        "production-preview-pr-7",
        "staging-preview-pr-7",
    ]


def test_jobs_with_auto_preview_follow_the_image(platform: PreviewPlatform) -> None:
    platform.container("web")
    platform.job("migrate", auto_preview=True)
    platform.job("report")
    platform.job("other", "acme/other", auto_preview=True)
    platform.preview("pr-7")
    assert platform.tags() == [{"web": "pr-7", "migrate": "pr-7", "report": "1", "other": "1"}]


def test_a_large_environment_has_one_preview_too(platform: PreviewPlatform) -> None:
    platform.container("web")
    for number in range(155):
        platform.container(f"s{number}", "acme/other", auto_preview=False)
    platform.job("migrate", auto_preview=True)
    for _ in range(2):
        assert platform.preview("pr-7").status == 202
    (tags,) = platform.tags()
    assert (tags["web"], tags["migrate"], tags["s1"]) == ("pr-7", "pr-7", "1")
