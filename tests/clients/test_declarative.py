"""A declarative client creates, reads, plans, updates, imports and destroys a resource of every kind, with every value
of every member."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from bodies import changes, smallest
from declarative import Body, Client, Description, Kind, Resource
from known import TERRAFORM, known_ids

REFUSED = Path(__file__).parent / "refused_changes.txt"
FAMILIES = Path(__file__).parents[1] / "interface/families.txt"
GIT: Body = {"url": "https://github.com/acme/shop.git", "provider": "GITHUB"}


class DeclarativePlatform:
    """A simulation with one resource of each kind; `declare` adds members that rules require beyond the description of
    a kind."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.simulation = orlop.Simulation(seed=1)
        self.ids = {
            name: ids[0]
            for name, ids in known_ids(self.simulation.organizations.create(name="acme", plan="FREE"), "kept").items()
        }
        receiver = {
            "name": "on call",
            "description": "",
            "type": "SLACK",
            "send_resolved": True,
            "webhook_url": "https://hooks.example.com/secret",
        }
        made = self.simulation.request(
            "POST", "/alert-receivers", {"organization_id": self.ids["organizationId"], **receiver}
        ).check()
        self.ids["alertReceiverId"] = made["id"]
        self.description = Description(self.simulation.request("GET", "/openapi.json").json())
        self.client = Client(self.description, self.simulation.request)

    def make_variable(self) -> str:
        where = {"variable_scope": "PROJECT", "variable_parent_id": self.ids["projectId"]}
        body = {"key": f"KEPT_{next(self._numbers)}", "value": "1", "is_secret": False, **where}
        return str(self.simulation.request("POST", "/variable", body).check()["id"])

    def beyond_the_schema(self) -> dict[str, list[Body]]:
        """Returns, for each kind, the first bodies with the members that its rules require beyond the schema; each body
        makes other members possible."""
        number = next(self._numbers)
        image = {
            "registry_id": self.ids["containerRegistryId"],
            "image_name": "acme/web",
            "tag": "1",
            "max_running_instances": 9,
        }
        probe = {
            "type": {"tcp": {"port": 80}},
            "initial_delay_seconds": 1,
            "period_seconds": 1,
            "timeout_seconds": 1,
            "success_threshold": 1,
            "failure_threshold": 1,
        }
        probed = {"healthchecks": {"readiness_probe": probe, "liveness_probe": probe}}
        chart = {"repository": self.ids["helmRepositoryId"], "chart_name": "redis", "chart_version": "1"}
        metrics = {"kind": "MANAGED_BY_PLATFORM"}
        metered = {"metrics_parameters": {"enabled": True, "configuration": metrics}, "max_running_nodes": 9}
        aws = {"region": "eu-west-3", "cloud_provider": "AWS"}
        return {
            "cluster": [aws, {**aws, **metered}],
            "application": [{"git_repository": GIT, "max_running_instances": 9}, {"git_repository": GIT, **probed}],
            "container": [image, {**image, **probed}],
            "database": [
                {"type": "POSTGRESQL", "version": "16"},
                {"type": "POSTGRESQL", "version": "16", "mode": "MANAGED"},
            ],
            "job": [
                {"source": {"image": image_of(image)}, "schedule": {"on_start": {"arguments": ["up"]}}},
                {
                    "source": {"docker": {"git_repository": GIT}},
                    "schedule": {"cronjob": {"scheduled_at": "0 4 * * *"}},
                    **probed,
                },
            ],
            "helm": [
                {"source": {"helm_repository": chart}},
                {
                    "source": {"git_repository": GIT},
                    "values_override": {"file": {"git": {"git_repository": GIT, "paths": ["a"]}}},
                },
            ],
            "terraform": [TERRAFORM],
            "credit_card": [{"number": "4242424242424242", "cvv": "123", "expiry_month": 12, "expiry_year": 2040}],
            "webhook": [{"target_url": "https://hooks.example.com/a"}],
            **self.other_bodies(number),
        }

    def other_bodies(self, number: int) -> dict[str, list[Body]]:
        return {
            "aws_credentials": [
                {"type": "AWS_STATIC", "access_key_id": "AKIA", "secret_access_key": "secret"},
                {"type": "AWS_ROLE", "role_arn": "arn:aws:iam::1:role/a"},
            ],
            "gcp_credentials": [{"gcp_credentials": "e30="}],
            "container_registry": [
                {"kind": "DOCKER_HUB", "config": {}},
                {"kind": "GENERIC_CR", "url": "https://images.example.com"},
            ],
            "helm_repository": [{"kind": "HTTPS", "url": "https://charts.example.com"}],
            "git_token": [{"type": "GITHUB"}, {"type": "BITBUCKET", "workspace": "acme"}],
            "invitation": [{"email": f"ann.{number}@example.com"}],
            "application_custom_domain": [{"domain": f"www.a{number}.example.com"}],
            "container_custom_domain": [{"domain": f"www.c{number}.example.com"}],
            "helm_custom_domain": [{"domain": f"www.h{number}.example.com"}],
            "alert_receiver": [
                {"type": "SLACK", "webhook_url": "https://hooks.example.com/a"},
                {
                    "type": "EMAIL",
                    "to": "a@example.com",
                    "from": "b@example.com",
                    "smarthost": "smtp.example.com:587",
                    "auth_password": "x",
                    "require_tls": True,
                },
            ],
            "project_deployment_rule": [
                {"timezone": "Europe/Paris", "start_time": "1970-01-01T08:00:00Z", "stop_time": "1970-01-01T19:00:00Z"}
            ],
            "alert_rule": [
                {
                    "condition": {"kind": "CUSTOM", "promql": "up"},
                    "for_duration": "PT1M",
                    "target": {"target_type": "CLUSTER", "target_id": self.ids["clusterId"]},
                },
                {
                    "condition": {
                        "kind": "BUILT",
                        "promql": "up",
                        "operator": "BELOW",
                        "threshold": 1,
                        "function": "MIN",
                    },
                    "for_duration": "PT5M",
                    "target": {"target_type": "CONTAINER", "target_id": self.ids["containerId"]},
                },
            ],
            "variable": [
                {"is_secret": False, "variable_scope": "CONTAINER", "variable_parent_id": self.ids["containerId"]},
                {"is_secret": True, "variable_scope": "PROJECT", "variable_parent_id": self.ids["projectId"]},
                {
                    "mount_path": "/etc/a",
                    "variable_scope": "ENVIRONMENT",
                    "variable_parent_id": self.ids["environmentId"],
                },
            ],
            "variable_alias": [{"alias_scope": "JOB", "alias_parent_id": self.ids["jobId"]}],
            "variable_override": [{"override_scope": "CONTAINER", "override_parent_id": self.ids["containerId"]}],
        }

    def query_of(self, body: Body) -> str:
        """Returns the query of the list of variables: the owner and its scope."""
        for name in ("variable", "alias", "override"):
            if f"{name}_scope" in body:
                return f"?scope={body[f'{name}_scope']}&parent_id={body[f'{name}_parent_id']}"
        return ""

    def declare(self, kind: Kind) -> list[Resource]:
        if "{variableId}" in kind.collection:  # a variable has one override in a scope
            self.ids["variableId"] = self.make_variable()
        parent = next((part[1:-1] for part in kind.collection.split("/") if part.startswith("{")), "")
        bodies = [
            {**smallest(kind.create, self.description.flat, self.ids), **rest}
            for rest in self.beyond_the_schema().get(kind.name, [{}])
        ]
        return [Resource(kind, self.ids.get(parent, ""), body, query=self.query_of(body)) for body in bodies]

    def created(self, resource: Resource) -> Resource:
        reply = self.client.create(resource)
        assert reply.status in (200, 201), (resource.kind.name, resource.declared, reply.body)
        return resource


def image_of(image: Body) -> Body:
    return {name: image[name] for name in ("registry_id", "image_name", "tag")}


@pytest.fixture(scope="module")
def platform() -> Iterator[DeclarativePlatform]:
    made = DeclarativePlatform()
    yield made
    made.simulation.close()


def description() -> Description:
    with orlop.Simulation(seed=1) as simulation:
        return Description(simulation.request("GET", "/openapi.json").json())


# Requests that cannot be declared: tasks, a questionnaire, the default values of a chart. A blueprint cannot be read:
# the interface has no operation that gets or lists blueprints of environments; the service that it creates can be read.
REQUESTED = {"cluster_analysis", "database_backup", "user_sign_up", "helm_default_values", "blueprint"}
# Settings with several forms, or with names that external systems know: the test of single changes does not vary these,
# the test of several forms does.
SEVERAL_FORMS: dict[str, list[Body]] = {
    "cluster_dns_provider": [
        {
            "dns_provider": {
                "provider": "CLOUDFLARE",
                "domain": "a.example.com",
                "email": "ada@example.com",
                "api_token": "secret",
            }
        },
        {
            "dns_provider": {
                "provider": "CLOUDFLARE",
                "domain": "b.example.com",
                "email": "bob@example.com",
                "proxied": True,
            }
        },
        {
            "dns_provider": {
                "provider": "ROUTE53",
                "domain": "a.example.com",
                "aws_region": "eu-west-3",
                "credentials": {"type": "STATIC", "aws_access_key_id": "AKIA", "aws_secret_access_key": "secret"},
            }
        },
        {"dns_provider": {"provider": "PLATFORM", "domain": "c.example.com"}},
    ],
    "cluster_platform_binding": [
        {
            "templateKey": "k8s",
            "templateVersion": "1",
            "layerSelections": {"metrics": True},
            "managedConfig": {"prometheus": {"retention": 3}},
        },
        {"templateKey": "k8s", "templateVersion": "1", "layerSelections": {"metrics": False}, "managedConfig": {}},
    ],
}
TEMPLATE: Body = {
    "key": "k8s",
    "version": "1",
    "status": "PUBLISHED",
    "description": "All.",
    "layers": [
        {
            "key": "metrics",
            "mandatory": False,
            "enabledByDefault": True,
            "modes": ["PLATFORM_MANAGED"],
            "providers": ["AWS"],
            "description": "Metrics.",
            "components": [
                {
                    "key": "prometheus",
                    "kind": "HELM",
                    "description": "Prometheus.",
                    "bindings": [],
                    "fields": [
                        {
                            "key": "retention",
                            "type": "number",
                            "required": True,
                            "defaultValue": "15",
                            "label": "Retention",
                            "description": "Days.",
                            "sensitive": False,
                            "constraints": {},
                        }
                    ],
                }
            ],
        }
    ],
}
KINDS = [kind for kind in (*description().kinds(), *description().listed_kinds()) if kind.name not in REQUESTED]
SETTINGS = [kind for kind in description().settings_kinds() if kind.name not in SEVERAL_FORMS]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
each_settings = pytest.mark.parametrize("kind", SETTINGS, ids=lambda kind: kind.name)


def test_the_description_names_the_kinds() -> None:
    names = [kind.name for kind in KINDS]
    assert len(set(names)) == len(names) >= 44
    assert {
        "variable",
        "variable_alias",
        "variable_override",
        "job_secret",
        "api_token",
        "helm_deployment_restriction",
    } <= set(names)
    assert len(SETTINGS) >= 9


def test_every_family_is_played() -> None:
    """Every family that can be created belongs to a kind here, or its operations give the reason why not."""
    with orlop.Simulation(seed=1) as simulation:
        paths = simulation.request("GET", "/openapi.json").json()["paths"]
    created = {
        one["operationId"].removeprefix("create_")
        for operations in paths.values()
        for one in operations.values()
        if one["operationId"].startswith("create_")
    }
    # The older operations for aliases and overrides create the same records as the unified ones.
    assert created >= REQUESTED
    left = {
        name
        for name in created - {kind.name for kind in KINDS} - REQUESTED
        if not name.endswith(("_variable_alias", "_variable_override", "_secret_alias", "_secret_override"))
    }
    rows = "".join(f'\n"{name}",' for name in sorted(left))
    assert not rows, (
        f"no operation gets or lists what creates these: serve one, or add rows to REQUESTED of "
        f"tests/clients/test_declarative.py:{rows}"
    )


# Write operations of the first three tiers that are not resources to declare: actions, an order, a text in YAML.
NOT_DECLARED = {
    "DELETE /cluster/{clusterId}/lock",
    "PUT /organization/{organizationId}/cluster/{clusterId}/kubeconfig",
    "PUT /deploymentStage/{deploymentStageId}/moveAfter/{stageId}",
    "PUT /deploymentStage/{deploymentStageId}/moveBefore/{stageId}",
    "PUT /deploymentStage/{deploymentStageId}/service/{serviceId}",
}


def test_every_resource_of_the_first_tiers_is_played() -> None:
    rows = [line.split(" ") for line in FAMILIES.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
    written = {f"{method} {path}" for tier, method, path in rows if int(tier) <= 3 and method in ("PUT", "DELETE")}
    played = {f"{method} {kind.item}" for kind in (*KINDS, *SETTINGS) for method in ("PUT", "DELETE")}
    assert written - played == NOT_DECLARED


@each_kind
def test_a_created_resource_needs_no_change(platform: DeclarativePlatform, kind: Kind) -> None:
    for resource in platform.declare(kind):
        created = platform.created(resource).state
        assert platform.client.plan(resource) == []
        # The answer to the create of a token also holds its value, which is shown once.
        assert resource.state.items() <= created.items() if kind.listed else resource.state == created, (
            "the answer to a create is what is read later"
        )


@each_kind
def test_an_imported_resource_needs_no_change(platform: DeclarativePlatform, kind: Kind) -> None:
    for resource in platform.declare(kind):
        platform.created(resource)
        imported = platform.client.adopt(kind, resource.parent, resource.id, resource.query)
        assert platform.client.plan(imported, resource.declared) == []


# Members that an edit requires and that are empty before the first edit.
FIRST: dict[str, Body] = {
    "account": {"communication_email": "ada@example.com"},
    "billing_info": {
        "first_name": "Ada",
        "last_name": "Byron",
        "email": "ada@example.com",
        "address": "1 Quai",
        "city": "Paris",
        "zip": "75001",
        "country_code": "FR",
    },
}


def settings_of(platform: DeclarativePlatform, kind: Kind) -> Resource:
    """Returns the initial settings, declared as they are answered."""
    parent = next(
        (part[1:-1] for part in reversed(kind.item.split("/")) if part.startswith("{")), ""
    )  # the account has no parent
    ids = {"": "", **platform.ids}
    item = kind.item.replace("{organizationId}", ids["organizationId"])
    settings = Kind(kind.name, "", item, {}, kind.edit)
    if kind.name in FIRST:
        assert platform.client.update(platform.client.adopt(settings, ids[parent], ""), FIRST[kind.name]).status in (
            200,
            201,
        )
    resource = platform.client.adopt(settings, ids[parent], "")
    assert kind.edit is not None
    resource.declared = {name: value for name, value in resource.state.items() if name in kind.edit["properties"]}
    for name in kind.edit.get("required", []):
        resource.declared.setdefault(name, [])
    return resource


@each_settings
def test_settings_are_read_planned_changed_and_set_back(platform: DeclarativePlatform, kind: Kind) -> None:
    settings = settings_of(platform, kind)
    before = settings.state
    if settings.declared.keys() <= before.keys():
        assert platform.client.plan(settings) == []
    assert platform.client.update(settings, settings.declared).status in (200, 201)
    assert settings.state == before, "writing what was read changes nothing"
    tried, accepted = try_changes(platform, settings)
    assert tried and len(accepted) >= len(tried) // 2
    assert settings.state == before


@pytest.mark.parametrize("name", SEVERAL_FORMS)
def test_settings_of_several_forms_are_planned_and_changed(platform: DeclarativePlatform, name: str) -> None:
    platform.simulation.externals.add("list_platform_templates", [TEMPLATE])
    [kind] = [kind for kind in platform.description.settings_kinds() if kind.name == name]
    kind = Kind(name, "", kind.item.replace("{organizationId}", platform.ids["organizationId"]), {}, kind.edit)
    resource = Resource(kind, platform.ids["clusterId"], {})
    planned: list[str] = []
    for body in SEVERAL_FORMS[name]:
        if resource.declared:
            planned = platform.client.plan(resource, body)
            assert planned, "another form is a change"
        assert platform.client.update(resource, body).status == 200
        assert platform.client.plan(resource) == []
        assert platform.client.plan(platform.client.adopt(kind, resource.parent, ""), body) == []


@each_kind
def test_a_destroyed_resource_is_gone_and_can_be_created_again(platform: DeclarativePlatform, kind: Kind) -> None:
    for resource in platform.declare(kind):
        platform.created(resource)
        assert platform.client.destroy(resource).status in (200, 202, 204)
        platform.simulation.run_until_idle()
        assert not platform.client.read(resource)
        platform.created(resource)
        assert platform.client.plan(resource) == []


def try_changes(platform: DeclarativePlatform, resource: Resource) -> tuple[set[str], set[str]]:
    """Makes every change of one member; checks that an accepted change is read back, and that a second update changes
    nothing. Returns the members that were tried, and those accepted."""
    edit = resource.kind.edit
    assert edit is not None
    first = {name: value for name, value in resource.declared.items() if name in edit["properties"]}
    first = {**{name: resource.state[name] for name in edit.get("required", []) if name in resource.state}, **first}
    tried: set[str] = set()
    accepted: set[str] = set()
    for path, declared in changes(first, edit, platform.description.flat, platform.ids):
        tried.add(path)
        reply = platform.client.update(resource, declared)
        if reply.status in (400, 409):
            assert all(reply.json()[name] for name in ("message", "detail")), path
            continue
        assert reply.status in (200, 201), (path, declared, reply.body)
        accepted.add(path)
        once = resource.state
        assert platform.client.plan(resource) == [], path
        assert platform.client.update(resource, declared).status in (200, 201)
        assert {**resource.state, "updated_at": once.get("updated_at")} == {
            **once,
            "updated_at": once.get("updated_at"),
        }, path
        assert platform.client.update(resource, first).status in (200, 201)
    return tried, accepted


def test_every_accepted_change_is_what_is_read(platform: DeclarativePlatform) -> None:
    refused: list[str] = []
    for kind in KINDS:
        if kind.edit is None:
            continue
        members = [try_changes(platform, platform.created(resource)) for resource in platform.declare(kind)]
        refused += sorted(
            f"{kind.name} {path}"
            for path in set.union(*(one[0] for one in members)).difference(*(one[1] for one in members))
        )
    expected = REFUSED.read_text(encoding="utf-8").splitlines()
    assert refused == [line for line in expected if not line.startswith("#")]


def test_what_another_changed_is_in_the_plan(platform: DeclarativePlatform) -> None:
    kind = next(kind for kind in KINDS if kind.name == "container")
    resource = platform.created(platform.declare(kind)[0])
    other = platform.client.adopt(kind, resource.parent, resource.id)
    assert platform.client.update(other, {**resource.declared, "tag": "2"}).status == 200
    assert platform.client.plan(resource) == ["tag: '1' was declared, '2' is answered"]


def test_a_platform_that_loses_a_member_is_found(platform: DeclarativePlatform) -> None:
    def forgetful(method: str, path: str, body: Any) -> Any:
        kept = {name: value for name, value in body.items() if name != "description"} if method == "PUT" else body
        return platform.simulation.request(method, path, kept)

    resource = platform.created(platform.declare(next(kind for kind in KINDS if kind.name == "project"))[0])
    client = Client(platform.description, forgetful)
    assert client.update(resource, {**resource.declared, "description": "for tests"}).status == 200
    assert client.plan(resource) == ["description: 'for tests' was declared, '' is answered"]
