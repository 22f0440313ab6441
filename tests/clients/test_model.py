"""The interface against a model of it that fits on a screen: both give the same answers to random requests in random
order."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

import orlop

# Few names, in different cases, so that some collide.
NAMES = some.sampled_from(["shop", "Shop", "SHOP", "blog", "wiki", "données", "名"])
EXAMPLES = int(os.environ.get("ORLOP_MODEL_EXAMPLES", "100"))


@dataclass
class Service:
    """Known state of a service: its path, environment, name, and condition."""

    path: str
    environment: Place
    name: str
    state: str = "READY"
    freshness: str = "NEVER_DEPLOYED"
    tag: str = "1"


@dataclass
class Place:
    """A project or an environment: its path, its name, and its children."""

    path: str
    name: str
    inside: dict[str, Any] = field(default_factory=dict)
    above: Place | None = None


def services_in(place: Place) -> Iterator[Service]:
    for inside in place.inside.values():
        if isinstance(inside, Service):
            yield inside
        else:
            yield from services_in(inside)


def taken(name: str, places: dict[str, Any]) -> bool:
    return name.lower() in (place.name.lower() for place in places.values())


class Interface(RuleBasedStateMachine):
    """Projects, environments and containers of one organization: created, renamed, deployed, stopped, deleted."""

    projects = Bundle("projects")
    environments = Bundle("environments")
    services = Bundle("services")

    def __init__(self) -> None:
        super().__init__()
        self.platform = orlop.Simulation(seed=1)
        self.platform.rules.add(after="10s")
        organization = self.platform.organizations.create(name="acme", plan="FREE")
        self.top = f"/organization/{organization.id}"
        self.hub = organization.container_registries.create(name="hub", kind="DOCKER_HUB", config={}).id
        self.cluster = (
            organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait().id
        )
        self.known: dict[str, Place] = {}
        # Some resources exist from the beginning: otherwise creations would take most of the steps.
        self.first_project = self.make_project("first")
        self.first_environment = self.make_environment(self.first_project, "first")
        self.first_service = self.make_container(self.first_environment, "first")

    @initialize(target=projects)
    def has_project(self) -> Any:
        return self.first_project

    @initialize(target=environments)
    def has_environment(self) -> Any:
        return self.first_environment

    @initialize(target=services)
    def has_service(self) -> Any:
        return self.first_service

    def teardown(self) -> None:
        self.platform.close()

    def ask(self, method: str, path: str, body: Any, status: int) -> Any:
        reply = self.platform.request(method, path, body)
        assert reply.status == status, (method, path, body, reply.status, reply.body)
        return reply.json()

    @rule(target=projects, name=NAMES)
    def create_project(self, name: str) -> Any:
        return self.make_project(name)

    def make_project(self, name: str) -> Any:
        is_taken = taken(name, self.known)
        made = self.ask("POST", f"{self.top}/project", {"name": name}, 409 if is_taken else 200)
        if is_taken:
            return multiple()
        place = Place(f"/project/{made['id']}", name)
        self.known[made["id"]] = place
        return place

    @rule(target=environments, project=projects, name=NAMES)
    def create_environment(self, project: Place, name: str) -> Any:
        return self.make_environment(project, name)

    def make_environment(self, project: Place, name: str) -> Any:
        is_taken = taken(name, project.inside)
        made = self.ask(
            "POST", f"{project.path}/environment", {"name": name, "cluster": self.cluster}, 409 if is_taken else 201
        )
        if is_taken:
            return multiple()
        place = Place(f"/environment/{made['id']}", name, above=project)
        project.inside[made["id"]] = place
        return place

    @rule(target=services, environment=environments, name=NAMES)
    def create_container(self, environment: Place, name: str) -> Any:
        return self.make_container(environment, name)

    def make_container(self, environment: Place, name: str) -> Any:
        is_taken = taken(name, environment.inside)
        body = {"name": name, "registry_id": self.hub, "image_name": "acme/web", "tag": "1", "healthchecks": {}}
        made = self.ask("POST", f"{environment.path}/container", body, 409 if is_taken else 201)
        if is_taken:
            return multiple()
        service = Service(f"/container/{made['id']}", environment, name)
        environment.inside[made["id"]] = service
        return service

    @rule(place=projects | environments, name=NAMES)
    def rename(self, place: Place, name: str) -> None:
        siblings = self.known if place.above is None else place.above.inside
        others = {key: other for key, other in siblings.items() if other is not place}
        is_taken = taken(name, others)
        self.ask("PUT", place.path, {"name": name}, 409 if is_taken else 200)
        if is_taken:
            return
        if name != place.name:  # built-in variables contain the name
            for service in services_in(place):
                service.freshness = "OUT_OF_DATE" if service.freshness == "UP_TO_DATE" else service.freshness
        place.name = name

    @rule(service=services, tag=some.sampled_from(["1", "2"]))
    def edit_container(self, service: Service, tag: str) -> None:
        body = {"name": service.name, "registry_id": self.hub, "image_name": "acme/web", "tag": tag, "healthchecks": {}}
        self.ask("PUT", service.path, body, 200)
        if tag != service.tag and service.freshness == "UP_TO_DATE":
            service.freshness = "OUT_OF_DATE"
        service.tag = tag

    @rule(service=services)
    def deploy(self, service: Service) -> None:
        assert (
            self.ask("POST", f"{service.path}/deploy", {"image_tag": service.tag}, 202)["state"] == "DEPLOYMENT_QUEUED"
        )
        self.platform.run_until_idle()
        service.state, service.freshness = "DEPLOYED", "UP_TO_DATE"

    @rule(service=services)
    def stop(self, service: Service) -> None:
        is_running = service.state == "DEPLOYED"
        self.ask("POST", f"{service.path}/stop", None, 202 if is_running else 409)
        self.platform.run_until_idle()
        service.state = "STOPPED" if is_running else service.state

    @rule(environment=environments)
    def deploy_all(self, environment: Place) -> None:
        reply = self.platform.request("POST", f"{environment.path}/deploy")
        assert reply.status == 202, reply.body
        self.platform.run_until_idle()
        for service in environment.inside.values():
            service.state, service.freshness = "DEPLOYED", "UP_TO_DATE"

    @rule(service=consumes(services))
    def delete_container(self, service: Service) -> None:
        self.ask("DELETE", service.path, None, 204)
        if service.state != "READY":
            self.ask("GET", f"{service.path}/status", None, 200)
            self.platform.run_until_idle()
        self.ask("GET", service.path, None, 404)
        self.ask("DELETE", service.path, None, 404)
        del service.environment.inside[service.path.rpartition("/")[2]]

    @rule(kind=some.sampled_from(["project", "environment", "container", "database"]), body=some.none() | some.just({}))
    def ask_for_what_is_not_there(self, kind: str, body: Any) -> None:
        path = f"/{kind}/{uuid.UUID(int=7)}"
        self.ask("GET", path, None, 404)
        self.ask("DELETE", path, None, 404)

    @rule(
        place=projects | environments | services,
        body=some.sampled_from([{}, {"name": 7}, {"name": ""}, {"name": "a", "what": 1}, [], "a"]),
    )
    def edit_wrongly(self, place: Any, body: Any) -> None:
        refused = (
            self.ask("PUT", place.path, body, 400)
            if not (body == {} and isinstance(place, Place) and place.above)
            else None
        )
        assert refused is None or refused["violations"]

    @invariant()
    def both_say_the_same(self) -> None:
        self.same_list(f"{self.top}/project", self.known)
        for project in self.known.values():
            self.same_list(f"{project.path}/environment", project.inside)
            for environment in project.inside.values():
                self.same_list(f"{environment.path}/container", environment.inside)
                for key, service in environment.inside.items():
                    status = self.ask("GET", f"{service.path}/status", None, 200)
                    assert (status["id"], status["state"], status["service_deployment_status"]) == (
                        key,
                        service.state,
                        service.freshness,
                    )

    def same_list(self, path: str, places: dict[str, Any]) -> None:
        found = self.ask("GET", path, None, 200)["results"]
        assert [(one["id"], one["name"]) for one in found] == [(key, place.name) for key, place in places.items()]


TestInterface = Interface.TestCase
TestInterface.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
