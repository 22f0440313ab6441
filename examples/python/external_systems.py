"""External systems: the engine asks a git provider and a policy; a simulation scripts the same questions."""

from collections.abc import Mapping
from typing import Any

import orlop


class Company(orlop.ExternalSystems):
    """Answers from a table. A real implementation calls the API of a git provider and of a policy engine."""

    async def list_branches(self, question: Mapping[str, Any]) -> list[dict[str, str]]:
        branches = {"acme/shop": ["main", "next"]}
        return [{"name": name} for name in branches[question["repository"]]]

    def admit(self, question: Mapping[str, Any]) -> dict[str, Any]:
        if question["method"] == "DELETE" and question["resource"]["family"] == "project":
            return {"allowed": False, "reason": "projects are deleted by the platform team"}
        return {"allowed": True}


with orlop.Engine(external_systems=Company(), port_timeout="2s") as engine:
    organization = engine.organizations.create(name="acme", plan="FREE")
    github = f"/organization/{organization.id}/account/github/repository"
    print(engine.request("GET", f"{github}/branch", query={"name": "acme/shop"}).json())

    project = organization.projects.create(name="shop")
    try:
        project.delete()
    except orlop.Forbidden as refusal:
        print(f"{refusal.status}: {refusal.message}")

    unanswered = engine.request("GET", github)
    print(f"{unanswered.status}: {unanswered.json()['message']}")

with orlop.Simulation() as simulation:
    before = simulation.clock.now()
    simulation.externals.add("list_branches", [{"name": "main"}], where={"repository": "acme/*"}, delay="3s")
    simulation.externals.add("list_branches", error="rate limit exceeded", where={"repository": "acme/busy"})
    for name in ("acme/shop", "acme/busy"):
        reply = simulation.request("GET", "/account/github/repository/branch", query={"name": name})
        print(f"{name}: {reply.status} {reply.json().get('message') or reply.json()['results']}")
    print(f"{(simulation.clock.now() - before).total_seconds():g} s of virtual time")
