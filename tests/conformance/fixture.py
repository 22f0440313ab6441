"""A platform for requests: an engine in virtual time with one resource of each kind, and the requests of the tests."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from promised import DESCRIPTION, Promises

import orlop
from orlop import Reply

Body = dict[str, Any]
SECRET = "canary-9f2c"  # value of every secret


def at(value: Any, path: str) -> list[Any]:
    """Returns the values at the path, in every item of every list on it; empty if the path ends early."""
    found = [value]
    for name in path.split("."):
        plain = name.removesuffix("[]")
        found = [item[plain] for item in found if isinstance(item, dict) and plain in item]
        if name.endswith("[]"):
            found = [item for items in found if isinstance(items, list) for item in items]
    return found


def put(body: Body, path: str, value: Any) -> Body:
    """Returns a copy of the body with the value at the path. Creates missing objects; in lists it uses the first
    item."""
    changed = copy.deepcopy(body)
    place: Any = changed
    *way, last = path.split(".")
    for name in way:
        place = place[name[:-2]][0] if name.endswith("[]") else place.setdefault(name, {})
    if last.endswith("[]"):
        place[last[:-2]] = [value]
    else:
        place[last] = value
    return changed


def without(body: Body, path: str) -> Body:
    changed = copy.deepcopy(body)
    place: Any = changed
    *way, last = path.split(".")
    for name in way:
        place = place[name[:-2]][0] if name.endswith("[]") else place[name]
    del place[last]
    return changed


class Asking(Protocol):
    def ask(self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None) -> Reply: ...


class Stranger:
    """A caller from outside, with these headers."""

    def __init__(self, engine: orlop.Engine, headers: dict[str, str] | None = None) -> None:
        self._engine, self._headers = engine, headers or {}

    def ask(self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None) -> Reply:
        return self._engine.request(method, path, body, self._headers, query, trusted=False)


class _Systems(orlop.ExternalSystems):
    """Answers questions about repositories from the fixture."""

    def __init__(self, fixture: Fixture) -> None:
        self._fixture = fixture

    def find_webhook(self, question: Mapping[str, Any]) -> Any:
        if isinstance(self._fixture.hook, Exception):
            raise self._fixture.hook
        return self._fixture.hook


class Fixture:
    """The engine, and the ids of its resources."""

    def __init__(self) -> None:
        self.is_host = True  # False: requests come from outside
        self.hook: Sequence[str] | None | Exception = None
        self.engine = orlop.Simulation(seed=7, external_systems=_Systems(self), catalogs="open")
        self.guarded = orlop.Simulation(seed=8, authentication="required")
        self._promises = Promises(self.engine.request("GET", DESCRIPTION).json())
        self._numbers = itertools.count(1)
        self.organization: str = self.make("/organization", {"name": "acme", "plan": "FREE"})["id"]
        self.home = f"/organization/{self.organization}"
        self.registry = self.make(
            f"{self.home}/containerRegistry", {"name": "images", "kind": "DOCKER_HUB", "config": {}}
        )["id"]
        self.repository = self.make(
            f"{self.home}/helmRepository",
            {
                "name": "charts",
                "kind": "HTTPS",
                "url": "https://charts.example.com",
                "skip_tls_verification": False,
                "config": {},
            },
        )["id"]
        self.labels = self.make(
            f"{self.home}/labelsGroups",
            {"name": "costs", "labels": [{"key": "team", "value": "shop", "propagate_to_cloud_provider": True}]},
        )["id"]
        self.annotations = self.make(
            f"{self.home}/annotationsGroups",
            {"name": "scraping", "annotations": [{"key": "scrape", "value": "true"}], "scopes": ["PODS"]},
        )["id"]
        self.cluster = self.make(
            f"{self.home}/cluster", {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
        )["id"]
        self.make(f"{self.home}/cluster/{self.cluster}/deploy", None)
        self.settle()
        self.project = self.make(f"{self.home}/project", {"name": "shop"})["id"]
        self.environment = self.make_environment()
        self.database = self.make_service("database", {"type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})
        self.container = self.make_service("container", self.image("web"))
        repository = {"url": "https://github.com/acme/api.git", "provider": "GITHUB"}
        self.application = self.make_service("application", {"git_repository": repository, "healthchecks": {}})
        self.job = self.make_job({"on_start": {}})
        self.helm = self.make_service(
            "helm",
            {
                "auto_deploy": False,
                "arguments": [],
                "values_override": {},
                "source": {
                    "helm_repository": {"repository": self.repository, "chart_name": "queue", "chart_version": "1.0.0"}
                },
            },
        )

    def close(self) -> None:
        self.engine.close()
        self.guarded.close()

    def ask(self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None) -> Reply:
        """Sends a request; all tests use it. A success is checked against the description."""
        reply = self.engine.request(method, path, body, None, query, trusted=self.is_host)
        if reply.status < 300 and reply.body and path != DESCRIPTION:
            self._promises.check(method, path, reply.status, reply.json())
        return reply

    def outside(self) -> Asking:
        """Returns a caller without credentials of an engine that requires authentication."""
        return Stranger(self.guarded)

    def get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        reply = self.ask("GET", path, None, query)
        assert reply.status == 200, (path, reply.body)
        return reply.json()

    def make(self, path: str, body: Any) -> Any:
        """Creates a resource and returns it; fails if it is refused."""
        reply = self.ask("POST", path, body)
        assert reply.status in (200, 201, 202), (path, body, reply.body)
        return reply.json()

    def settle(self) -> None:
        self.engine.run_until_idle()

    def name(self) -> str:
        """Returns an unused name."""
        return f"thing {next(self._numbers)}"

    def image(self, name: str, tag: str = "1.0") -> Body:
        return {"registry_id": self.registry, "image_name": f"acme/{name}", "tag": tag, "healthchecks": {}}

    def make_environment(self) -> str:
        path = f"/project/{self.project}/environment"
        return str(self.make(path, {"name": self.name(), "cluster": self.cluster})["id"])

    def make_service(self, kind: str, fields: Body, environment: str = "") -> str:
        return str(
            self.make(f"/environment/{environment or self.environment}/{kind}", {"name": self.name(), **fields})["id"]
        )

    def make_job(self, schedule: Body, source: Body | None = None) -> str:
        image = {"image_name": "acme/migrate", "tag": "1.0", "registry_id": self.registry}
        return self.make_service(
            "job", {"healthchecks": {}, "source": source or {"image": image}, "schedule": schedule}
        )
