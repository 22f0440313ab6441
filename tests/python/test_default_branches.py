"""The default branch of a git repository that a service names without a branch: external systems are asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import orlop
from conftest import furnish
from test_existing_clients import GIT, bodies_of_git

URL = "https://git.example.com/acme/api.git"
TRUNK = [
    {"id": "1", "name": "acme/api", "url": URL, "default_branch": "trunk"},
    {"id": "2", "name": "acme/other", "url": "https://git.example.com/acme/other"},
]


class Provider(orlop.ExternalSystems):
    def __init__(self, answer: Any = None) -> None:
        self.answer = TRUNK if answer is None else answer
        self.asked: list[Mapping[str, Any]] = []

    def list_repositories(self, question: Mapping[str, Any]) -> Any:
        self.asked.append(question)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def without_branch(value: Any) -> Any:
    if isinstance(value, dict):
        if "url" in value:
            return {name: each for name, each in value.items() if name != "branch"} | {"url": URL}
        return {name: without_branch(each) for name, each in value.items()}
    return [without_branch(each) for each in value] if isinstance(value, list) else value


def branches_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["branch"]] if "branch" in value and "url" in value else []
        return own + [found for each in value.values() for found in branches_in(each)]
    return [found for each in value for found in branches_in(each)] if isinstance(value, list) else []


def body_of(kind: str) -> dict[str, Any]:
    body = without_branch(bodies_of_git()[kind])
    if kind == "helm":
        file = {"git": {"git_repository": {"url": URL, "provider": "GITHUB"}, "paths": ["/values.yaml"]}}
        body["values_override"] = {"file": file}
    return {"name": kind, **body}


@pytest.mark.parametrize("kind", ["application", "job", "helm", "terraform"])
def test_creates_and_edits_ask_for_it(kind: str) -> None:
    systems = Provider()
    with orlop.Simulation(external_systems=systems) as simulation:
        platform = furnish(simulation)
        path = f"/environment/{platform.environment.id}/{kind}"
        created = simulation.request("POST", path, body_of(kind)).check()
        count = 2 if kind == "helm" else 1
        assert branches_in(created) == ["trunk"] * count and len(systems.asked) == count
        question = systems.asked[0]
        assert (question["organization_id"], question["provider"], question["caller"], question["token"]) == (
            platform.organization.id,
            "GITHUB",
            "host",
            "",
        )
        systems.answer = [{**TRUNK[0], "default_branch": "next"}]
        edited = simulation.request("PUT", f"/{kind}/{created['id']}", body_of(kind)).check()
        assert branches_in(edited) == ["next"] * count
        assert branches_in(simulation.request("GET", f"/{kind}/{created['id']}").check()) == ["next"] * count
        # A given branch is kept, also if other members have none.
        named = simulation.request("POST", path, {**body_of(kind), **bodies_of_git()[kind], "name": "named"}).check()
        assert set(branches_in(named)) == {"main"}
        assert len(systems.asked) == 2 * count


def test_a_git_token_of_the_organization_goes_with_the_question() -> None:
    systems = Provider()
    with orlop.Simulation(external_systems=systems) as simulation:
        platform = furnish(simulation)
        token = platform.organization.git_tokens.create(name="lab", type="GITLAB", token="glpat-secret")
        body = body_of("terraform")
        body["terraform_files_source"]["git_repository"]["git_token_id"] = token.id
        created = simulation.request("POST", f"/environment/{platform.environment.id}/terraform", body).check()
        assert branches_in(created) == ["trunk"]
        assert (systems.asked[-1]["provider"], systems.asked[-1]["token"]) == ("GITLAB", "glpat-secret")


UNKNOWN = [([], False), ([{"id": "1", "name": "acme/api", "url": URL}], False), (ValueError("down"), True), ([7], True)]
ELSEWHERE = [
    {"id": "1", "name": "acme/api", "url": "https://other.example.com/acme/api.git", "default_branch": "trunk"}
]


def test_a_repository_is_found_by_its_ssh_address_too() -> None:
    systems = Provider([{**TRUNK[0], "url": "git@git.example.com:acme/api.git"}])
    with orlop.Simulation(external_systems=systems) as simulation:
        path = f"/environment/{furnish(simulation).environment.id}/application"
        assert branches_in(simulation.request("POST", path, body_of("application")).check()) == ["trunk"]


@pytest.mark.parametrize(("answer", "warns"), [*UNKNOWN, (ELSEWHERE, False)])
def test_else_it_is_main(answer: Any, warns: bool) -> None:
    with orlop.Simulation(external_systems=Provider(answer)) as simulation:
        platform = furnish(simulation)
        reply = simulation.request(
            "POST", f"/environment/{platform.environment.id}/application", body_of("application")
        )
        assert reply.status == 201 and branches_in(reply.json()) == ["main"]
        assert ("warning" in dict(reply.headers)) == warns
        assert not warns or "default branch" in dict(reply.headers)["warning"]


def test_a_refused_request_asks_nothing() -> None:
    systems = Provider()
    with orlop.Simulation(external_systems=systems) as simulation:
        platform = furnish(simulation)
        path = f"/environment/{platform.environment.id}/application"
        assert simulation.request("POST", path, {**body_of("application"), "cpu": -1}).status == 400
        assert (
            simulation.request("POST", f"/environment/{platform.project.id}/application", body_of("application")).status
            == 404
        )
        assert systems.asked == []


def test_several_at_once_have_it_too() -> None:
    systems = Provider()
    with orlop.Simulation(external_systems=systems) as simulation:
        platform = furnish(simulation)
        git: Any = {"url": URL, "provider": "GITHUB"}
        platform.environment.applications.create_many(["a", "b", "c"], git_repository=git, healthchecks={})
        assert [each.to_dict()["git_repository"]["branch"] for each in platform.environment.applications] == [
            "trunk"
        ] * 3
        assert len(systems.asked) == 1


def test_engines_without_answers_take_main_at_once() -> None:
    class Others(orlop.ExternalSystems):
        def list_branches(self, question: Mapping[str, Any]) -> Any:
            return question

    with orlop.Engine() as engine, orlop.Engine(external_systems=Others()) as silent:
        for each in (engine, silent):
            organization = each.organizations.create(name="acme", plan="FREE")
            cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
            environment = organization.projects.create(name="shop").environments.create(
                name="production", cluster_id=cluster.id
            )
            assert branches_in(
                each.request("POST", f"/environment/{environment.id}/application", body_of("application")).check()
            ) == ["main"]


def test_the_sources_of_a_simulation_know_it() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        simulation.sources.add(git=URL, branch="develop", commits=["c1"])
        path = f"/environment/{platform.environment.id}/application"
        assert branches_in(simulation.request("POST", path, body_of("application")).check()) == ["develop"]
        assert branches_in(
            simulation.request(
                "POST",
                path,
                {"name": "other", **bodies_of_git()["application"], "git_repository": {**GIT, "branch": ""}},
            ).check()
        ) == ["main"]
