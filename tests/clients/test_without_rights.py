"""Callers without rights: every operation is called without a token, with the token of another organization, and with a
read-only token, by requests that succeed for the owner of the organization. Each is answered as the description says,
and nothing is stored or changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bodies import smallest

import orlop
from known import TERRAFORM, known_ids

ROOT = Path(__file__).parents[2]
DOCUMENT = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))
PARAMETER = re.compile(r"{(\w+)}")

NOTHING = "0198c0de-0000-7000-8000-00000000000f"

NAMED = {
    "region": "eu-west-3",
    "serviceType": "CONTAINER",
    "provider": "STRIPE",
    "databaseType": "POSTGRESQL",
    "serviceFamily": "POSTGRESQL",
    "serviceVersion": "16",
    "templateKey": "a",
    "templateVersion": "1",
    "componentKey": "b",
    "zone": "eu-west-3a",
    "connectionName": "sso",
    "clusterMode": "MANAGED",
    "cloudProvider": "AWS",
    "endpoint": "query",
    "query": "up",
    "service_type": "CONTAINER",
    "from_date_time": "2026-01-01T00:00:00Z",
    "to_date_time": "2026-01-02T00:00:00Z",
    "argocdClusterUrl": "https://kubernetes.default.svc",
    "scope": "CONTAINER",
    "deploymentRequestId": "0198c0de-0000-7000-8000-000000000001",
}
QUERY_IDS = {
    "parent_id": "containerId",
    "service_id": "containerId",
    "agentClusterId": "clusterId",
    "environmentId": "environmentId",
}


# Members that rules require beyond the schema, by the end of the collection's path; "@": the id for a parameter.
DEMANDED: dict[str, dict[str, Any]] = {
    "/environment/{environmentId}/clone": {},
    "/service/deploy": {"databases": ["@databaseId"]},
    "/service/stop": {"container_ids": ["@containerId"]},
    "/service/delete": {"container_ids": ["@containerId"]},
    "/service/uninstall": {"container_ids": ["@containerId"]},
    "/service/restart-service": {"container_ids": ["@containerId"]},
    "/terraform": TERRAFORM,
    "/job": {
        "source": {"image": {"registry_id": "@containerRegistryId", "image_name": "acme/job", "tag": "1"}},
        "schedule": {"on_start": {}},
    },
    "/helm": {
        "source": {
            "helm_repository": {"repository": "@helmRepositoryId", "chart_name": "redis", "chart_version": "1.0.0"}
        }
    },
    "/deploymentRule": {"stop_time": "1970-01-01T19:00:00Z"},
    "/alert-rules": {"target": {"target_type": "CLUSTER", "target_id": "@clusterId"}},
    "/checkContainerImage": {},
    "/changePlan": {"plan": "TEAM"},
    "/cluster": {"region": "eu-west-3", "cloud_provider": "AWS", "kubernetes": "MANAGED"},
    "/application": {"git_repository": {"url": "https://github.com/acme/api.git", "provider": "GITHUB"}},
    "/clone": {"environment_id": "@environmentId"},
    "/database": {"type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"},
    "/aws/credentials": {"type": "AWS_STATIC", "access_key_id": "A", "secret_access_key": "s"},
    "/gcp/credentials": {"gcp_credentials": "e30="},
    "/inviteMember": {"email": "ada@example.org"},
    "/webhook": {"target_url": "https://example.com/hook"},
    "/customDomain": {"domain": "www.example.com"},
    "/enterpriseconnection": {"connection_name": "sso"},
    "/creditCard": {"number": "4242424242424242", "cvv": "123", "expiry_year": 2030, "expiry_month": 1},
    "/argoCdConfig": {"argocd_url": "https://argocd.example.com"},
    "/alert-receivers": {"webhook_url": "https://example.com/hook"},
    "/mcpServer": {"url": "https://example.com/mcp"},
    "/gitToken": {"type": "GITHUB", "token": "t"},
    "/containerRegistry": {"kind": "DOCKER_HUB", "config": {}},
    "/helmRepository": {"kind": "HTTPS", "url": "https://charts.example.com", "config": {}},
    "/billingInfo": {
        "first_name": "A",
        "last_name": "B",
        "email": "a@example.org",
        "address": "a",
        "city": "b",
        "zip": "1",
        "country_code": "FR",
    },
}


class Asked(NamedTuple):
    name: str  # "POST /organization"
    method: str
    path: str
    body: Any
    query: dict[str, str]
    statuses: set[int]  # in the description


def flat(schema: dict[str, Any]) -> dict[str, Any]:
    """Resolves the schema's references; takes the first of several alternatives."""
    while True:
        if "$ref" in schema:
            schema = DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        elif "oneOf" in schema or "anyOf" in schema:
            schema = (schema.get("oneOf") or schema["anyOf"])[0]
        elif "allOf" in schema:
            parts = [flat(part) for part in schema["allOf"]]
            merged = {key: value for part in parts for key, value in part.items()}
            merged["properties"] = {
                name: member for part in parts for name, member in part.get("properties", {}).items()
            }
            merged["required"] = [name for part in parts for name in part.get("required", [])]
            return (
                merged
                if merged["properties"]
                else {key: value for key, value in merged.items() if key not in ("properties", "required")}
            )
        else:
            return schema


class Ids(dict[str, str]):
    """An id for each parameter; an unused id for a parameter without a resource."""

    def __missing__(self, parameter: str) -> str:
        return NOTHING


class CallersPlatform:
    """Two organizations, of which one has a record for each path parameter, and their callers."""

    def __init__(self, simulation: orlop.Simulation) -> None:
        self.simulation = simulation
        organization = simulation.organizations.create(name="ours", plan="FREE")
        self.organization = organization.id
        self.ids = Ids({parameter: found[0] for parameter, found in known_ids(organization, "one").items()})
        self.known = set(self.ids) - {"credentialsId"}  # a parameter that several families share
        self.at: dict[str, str] = {}  # id of an item, by the path of the item
        self.make_all()
        self.host("POST", f"/environment/{self.ids['environmentId']}/deploy").check()
        simulation.run_until_idle()
        self.make_all()  # collections that need resources created after them
        other = simulation.organizations.create(name="theirs", plan="FREE")
        roles = {
            role["name"].lower(): role["id"]
            for role in self.host("GET", f"/organization/{self.organization}/availableRole").json()["results"]
        }
        self.owner = self.token_of(self.organization, roles["owner"])
        self.viewer = self.token_of(self.organization, roles["viewer"])
        self.stranger = self.token_of(other.id, roles["owner"])

    def host(self, method: str, path: str, body: Any = None) -> Any:
        return self.simulation.request(method, path, body)

    def token_of(self, organization: str, role: str) -> str:
        made = self.host("POST", f"/organization/{organization}/apiToken", {"name": role[-4:], "role_id": role}).check()
        return str(made["token"])

    def make_all(self) -> None:
        """Creates a record in each collection whose items have paths."""
        for path, methods in DOCUMENT["paths"].items():
            item = next((other for other in DOCUMENT["paths"] if re.fullmatch(re.escape(path) + r"/{\w+}", other)), "")
            if "post" not in methods or not item or item in self.at or PARAMETER.findall(item)[-1] in self.known:
                continue
            reply = self.host("POST", self.path_of(path), self.body_of(f"POST {path}", methods["post"]))
            if reply.status in (200, 201) and isinstance(reply.json(), dict) and "id" in reply.json():
                self.at[item] = reply.json()["id"]
                self.ids.setdefault(PARAMETER.findall(item)[-1], reply.json()["id"])

    def path_of(self, path: str) -> str:
        at = {
            PARAMETER.findall(item)[-1]: found
            for item, found in self.at.items()
            if path == item or path.startswith(item + "/")
        }
        return PARAMETER.sub(lambda match: {**NAMED, **self.ids, **at}.get(match[1], NOTHING), path)

    def body_of(self, name: str, operation: dict[str, Any]) -> Any:
        """Returns the smallest body, with the members that rules require beyond the schema."""
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            return "apiVersion: v1" if content else None
        body = smallest(content["application/json"]["schema"], flat, self.ids)
        return {**body, **self.demanded(name)} if isinstance(body, dict) else body

    def demanded(self, name: str) -> dict[str, Any]:
        method, path = name.split(" ")
        path = re.sub(r"/{\w+}$", "", path) if method in ("PUT", "PATCH") else path
        found: dict[str, Any] = next((members for ending, members in DEMANDED.items() if path.endswith(ending)), {})
        made: dict[str, Any] = json.loads(
            re.sub(r"\"@(\w+)\"", lambda match: json.dumps(self.ids[match[1]]), json.dumps(found))
        )
        return made

    def requests(self) -> Iterator[Asked]:
        for path, methods in DOCUMENT["paths"].items():
            for method, operation in methods.items():
                parameters = [
                    one for one in operation.get("parameters", []) if one.get("in") == "query" and one.get("required")
                ]
                query = {one["name"]: NAMED.get(one["name"]) or self.ids[QUERY_IDS[one["name"]]] for one in parameters}
                statuses = {int(status) for status in operation["responses"]}
                yield Asked(
                    f"{method.upper()} {path}",
                    method.upper(),
                    self.path_of(path),
                    self.body_of(f"{method.upper()} {path}", operation),
                    query,
                    statuses,
                )

    def ask(self, asked: Asked, token: str) -> Any:
        headers = {"Authorization": f"Token {token}"} if token else {}
        return self.simulation.request(asked.method, asked.path, asked.body, headers, asked.query, trusted=False)

    def ours(self) -> set[str]:
        return {*self.ids.values(), *self.at.values()}

    def stored(self) -> bytes:
        return bytes(self.simulation.snapshot())


@pytest.fixture(scope="module", name="platform")
def platform_fixture() -> Iterator[CallersPlatform]:
    with orlop.Simulation(seed=1, authentication="required", rate_limit=0, require_cluster=False) as simulation:
        platform = CallersPlatform(simulation)
        for token in (platform.owner, platform.viewer, platform.stranger):  # the first use of a token is stored
            platform.simulation.request(
                "GET", "/organization", headers={"Authorization": f"Token {token}"}, trusted=False
            )
        yield platform


def faults(platform: CallersPlatform, expected: Callable[[Asked], set[int]], token: str) -> list[str]:
    """Returns the wrong answers to a caller, as text."""
    before = platform.stored()
    found = []
    for asked in platform.requests():
        reply = platform.ask(asked, token)
        if reply.status not in expected(asked):
            found.append(f"{asked.name} {asked.path} is answered with {reply.status}: {reply.body[:200]!r}")
        if reply.status not in asked.statuses:
            found.append(f"{asked.name} is answered with {reply.status}, which is not described")
        if platform.stored() != before:
            found.append(f"{asked.name} changes what is stored")
            before = platform.stored()
    return found


PUBLIC = {
    f"{method.upper()} {path}"
    for path, methods in DOCUMENT["paths"].items()
    for method, one in methods.items()
    if one.get("security") == []
}


def test_a_request_without_a_token_is_asked_for_one(platform: CallersPlatform) -> None:
    assert PUBLIC == {"GET /ips"}
    assert faults(platform, lambda asked: {200} if asked.name in PUBLIC else {401}, "") == []


def test_another_organization_is_not_there(platform: CallersPlatform) -> None:
    """A body or query that is invalid by itself is answered with 400 to every caller."""

    def expected(asked: Asked) -> set[int]:
        names_ours = any(id in f"{asked.path} {asked.body} {asked.query}" for id in platform.ours())
        return {400, 404} if names_ours else asked.statuses - {201, 202, 204, 401}

    assert faults(platform, expected, platform.stranger) == []


def changed_by_owner(platform: CallersPlatform) -> set[str]:
    before = platform.simulation.snapshot()
    stored = bytes(before)
    found = set()
    for asked in platform.requests():
        platform.ask(asked, platform.owner)
        if platform.stored() != stored:
            found.add(asked.name)
            platform.simulation.restore(before)
    return found


def test_who_may_only_read_changes_nothing(platform: CallersPlatform) -> None:
    """Operations that change something for the owner are refused to read-only callers, whatever level the description
    names."""
    changing = changed_by_owner(platform)
    assert len(changing) > 190, "the requests are as good as those of an owner"
    assert (
        faults(platform, lambda asked: {403} if asked.name in changing else asked.statuses - {401}, platform.viewer)
        == []
    )
