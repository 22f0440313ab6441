"""What every typed object can do. The classes of the families are in `models`, written by the build; they stand on these.

An object holds the answer it was last read from: `refresh` reads it again, `edit` sends it back with changes. What an answer holds
beside the typed properties is found with `object["field"]`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypedDict, TypeVar, cast

from .deployment import Deployment
from .errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typing_extensions import Self

    from .engine import Engine

Model = TypeVar("Model", bound="Resource")


class Reference(TypedDict):
    """Names another resource."""

    id: str


class Family:
    """What the descriptions say of a family: where it is addressed, and what its requests and answers hold."""

    __slots__ = ("children", "collection", "fields", "given", "kind", "name", "path", "secret")

    def __init__(
        self,
        *,
        name: str,
        kind: str,
        path: str,
        collection: str,
        fields: tuple[str, ...],
        given: tuple[str, ...],
        secret: tuple[str, ...],
        children: dict[str, str],
    ) -> None:
        self.name = name
        self.kind = kind
        self.path = path
        self.collection = collection
        self.fields = fields
        self.given = given
        self.secret = secret
        self.children = children


def _field(name: str) -> property:
    return property(lambda self: self._data.get(name), doc=f"The field {name}.")


def _child(module: str, collection: str) -> property:
    def make(self: Resource) -> Any:
        return getattr(sys.modules[module], collection)(self._engine, self.id)

    return property(make, doc=f"Its {collection}.")


class Resource:
    """One resource of the platform, as it was when it was last read."""

    _family: ClassVar[Family]
    __slots__ = ("_data", "_engine", "_parent")

    def __init__(self, engine: Engine, data: dict[str, Any], parent: str) -> None:
        self._engine = engine
        self._data = data
        self._parent = parent

    def __init_subclass__(cls) -> None:
        family = cls.__dict__.get("_family")
        if family is None:
            return
        for name in family.fields:
            if not hasattr(cls, name):
                setattr(cls, name, _field(name))
        for accessor, collection in family.children.items():
            setattr(cls, accessor, _child(cls.__module__, collection))

    @property
    def id(self) -> str:
        """Its id: a UUID."""
        return cast("str", self._data["id"])

    @property
    def created_at(self) -> str:
        """When it was created: RFC 3339, UTC."""
        return cast("str", self._data["created_at"])

    @property
    def updated_at(self) -> str | None:
        """When it was changed last; None if it never was."""
        return cast("str | None", self._data.get("updated_at"))

    def refresh(self) -> Self:
        """Reads it again."""
        self._data = self._engine._call("GET", self._path)
        return self

    def edit(self, **changes: Any) -> Self:
        """Changes the fields that are given, and leaves the others as they are now."""
        family = self._family
        current = self._engine._call("GET", self._path)
        body = {name: current[name] for name in family.given if name in current}
        self._data = self._engine._call("PUT", self._path, {**body, **changes})
        return self

    def delete(self) -> None:
        """Deletes it and all below it. A service or cluster that was deployed goes once its deletion has run."""
        self._engine._call("DELETE", self._path)

    def to_dict(self) -> dict[str, Any]:
        """The answer it was last read from."""
        return dict(self._data)

    def __getitem__(self, field: str) -> Any:
        return self._data[field]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resource) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        name = self._data.get("name", "")
        return f"<{type(self).__name__} {self.id[:8]}… {name}>" if name else f"<{type(self).__name__} {self.id}>"

    @property
    def _path(self) -> str:
        return self._family.path.format(id=self._data["id"], parent=self._parent)

    def _act(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Any:
        return self._engine._call("POST", f"{self._path}/{action}", body, query)

    def _deployment(
        self, environment: str, action: str, body: Any = None, query: Mapping[str, str] | None = None
    ) -> Deployment:
        since = self._engine.last_event
        status = self._act(action, body, query)
        return Deployment(self._engine, status["deployment_request_id"], environment, self._data["name"], since)


class Collection(Generic[Model]):
    """The resources of one family below one parent. Nothing is kept: every call asks the engine."""

    _item: type[Model]
    __slots__ = ("_engine", "_parent")

    def __init__(self, engine: Engine, parent: str) -> None:
        self._engine = engine
        self._parent = parent

    def create(self, **fields: Any) -> Model:
        """Creates one; what is not given takes its default."""
        return self._make(self._engine._call("POST", self._path, fields))

    def list(self) -> list[Model]:
        """All of them, the oldest first."""
        answer = self._engine._call("GET", self._path)
        return [self._make(data) for data in answer["results"]]

    def get(self, id: str) -> Model:
        """The one with this id; NotFound if there is none."""
        path = self._item._family.path.format(id=id, parent=self._parent)
        return self._make(self._engine._call("GET", path))

    def find(self, name: str) -> Model:
        """The one with this name, without regard to case; NotFound if there is none."""
        for item in self.list():
            if str(item._data.get("name", "")).casefold() == name.casefold():
                return item
        raise NotFound(f"there is no {self._item._family.name} named {name!r} here", 404)

    def __iter__(self) -> Iterator[Model]:
        return iter(self.list())

    def __len__(self) -> int:
        return len(self.list())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._parent or 'the engine'}>"

    @property
    def _path(self) -> str:
        return self._item._family.collection.format(parent=self._parent)

    def _make(self, data: dict[str, Any]) -> Model:
        return self._item(self._engine, data, self._parent)


class Deployable(Resource):
    """A service: it is deployed, restarted, stopped and uninstalled."""

    __slots__ = ()

    def status(self) -> dict[str, Any]:
        """Its state, freshness and last deployment, read now."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/status"))

    @property
    def state(self) -> str:
        """Its state, read now: READY, DEPLOYING, DEPLOYED …"""
        return cast("str", self.status()["state"])

    def deploy(self, *, force_event: str | None = None, **version: str) -> Deployment:
        """Deploys it, at another version if one is given (`image_tag`, `git_commit_id`, `chart_version`)."""
        if not version and force_event is None and self._family.name in ("application", "container"):
            return self.redeploy()
        query = {"forceEvent": force_event} if force_event is not None else None
        return self._begin("deploy", version or None, query)

    def redeploy(self) -> Deployment:
        """Deploys it as it is configured now."""
        return self._begin("redeploy")

    def restart(self) -> Deployment:
        """Starts its instances anew."""
        return self._begin("restart-service")

    def stop(self) -> Deployment:
        """Takes it down, and keeps its data and configuration."""
        return self._begin("stop")

    def uninstall(self) -> Deployment | None:
        """Removes it from the cluster and keeps its configuration; None if it was never there."""
        return None if self.state == "READY" else self._begin("uninstall", {})

    def stage(self) -> Staged:
        """The deployment stage it is in."""
        from .models import DeploymentStage

        data = self._engine._call("GET", f"/service/{self.id}/deploymentStage")
        return DeploymentStage(self._engine, data, self._parent)

    def _begin(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Deployment:
        return self._deployment(self._parent, action, body, query)


class EnvironmentDeploy(Resource):
    """An environment: all its services, or some of them, in the order of its stages."""

    __slots__ = ()

    def status(self) -> dict[str, Any]:
        """Its state, and its last deployment, read now."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/status"))

    @property
    def state(self) -> str:
        """Its state, read now: READY, DEPLOYING, DEPLOYED …"""
        return cast("str", self.status()["state"])

    def statuses(self) -> dict[str, Any]:
        """The statuses of the environment and of every service in it, by kind."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/statuses"))

    def services(self) -> list[Deployable]:
        """Its services of every kind."""
        found: list[Deployable] = []
        for accessor in self._family.children:
            collection = getattr(self, accessor)
            if collection._item._family.kind:
                found.extend(collection.list())
        return found

    def deploy(self) -> Deployment:
        """Deploys all its services but the skipped ones."""
        return self._begin("deploy")

    def redeploy(self) -> Deployment:
        """Deploys all its services again."""
        return self._begin("redeploy")

    def stop(self) -> Deployment:
        """Stops all its services, the last stage first."""
        return self._begin("stop")

    def uninstall(self) -> Deployment:
        """Removes its services from the cluster and keeps their configuration."""
        return self._begin("uninstall")

    def cancel(self, *, force: bool = False) -> None:
        """Cancels what runs and what waits; `force` interrupts steps that normally run to their end."""
        self._act("cancelDeployment", {"force_cancel": force})

    def _begin(self, action: str) -> Deployment:
        return self._deployment(self.id, action)


class ClusterDeploy(Resource):
    """A cluster: it is made, updated, upgraded, stopped and removed."""

    __slots__ = ()

    def state(self) -> dict[str, Any]:
        """Its status with all that belongs to it, read now."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/status"))

    def deploy(self, *, dry_run: bool = False) -> Self:
        """Makes it, or brings it to its configuration. Returns at once: `wait` waits for the end."""
        self._act("deploy", None, {"dry_run": "true"} if dry_run else None)
        return self.refresh()

    def stop(self) -> Self:
        """Stops its nodes."""
        self._act("stop")
        return self.refresh()

    def upgrade(self) -> Self:
        """Moves it to the next version of Kubernetes."""
        self._engine._call("POST", f"/cluster/{self.id}/upgrade")
        return self.refresh()

    def lock(self, *, reason: str, ttl_in_days: int | None = None) -> None:
        """Keeps it from being changed or upgraded for so many days."""
        body = {"reason": reason} if ttl_in_days is None else {"reason": reason, "ttl_in_days": ttl_in_days}
        self._engine._call("POST", f"/cluster/{self.id}/lock", body)

    def unlock(self) -> None:
        """Ends its lock."""
        self._engine._call("DELETE", f"/cluster/{self.id}/lock")

    def wait(self, timeout: float | None = None) -> Self:
        """Runs the engine until nothing is under way on it."""
        self._engine._drive(self._is_at_rest, timeout, f"the cluster {self._data['name']}")
        return self

    def _is_at_rest(self) -> bool:
        try:
            state = str(self.refresh()._data["status"])
        except NotFound:
            return True
        return state != "QUEUED" and state != "DRY_RUN" and not state.endswith(("_QUEUED", "ING"))


class ClonableService(Resource):
    """A service that can be copied."""

    __slots__ = ()

    def clone(self, *, name: str, environment_id: str | None = None) -> Self:
        """A copy of its configuration under another name, here or in another environment; not deployed."""
        target = environment_id or self._parent
        data = self._act("clone", {"name": name, "environment_id": target})
        return type(self)(self._engine, data, target)


class ClonableEnvironment(Resource):
    """An environment that can be copied."""

    __slots__ = ()

    def clone(self, *, name: str, **changes: str) -> Self:
        """A copy with its services, stages and skip flags, without data; `cluster_id`, `mode` and `project_id` may be others."""
        data = self._act("clone", {"name": name, **changes})
        return type(self)(self._engine, data, changes.get("project_id", self._parent))


class Staged(Resource):
    """A deployment stage: its place among the others, and the services in it."""

    __slots__ = ()

    def move_after(self, stage: Resource) -> Self:
        """Puts it after another stage of the environment."""
        self._engine._call("PUT", f"{self._path}/moveAfter/{stage.id}")
        return self.refresh()

    def move_before(self, stage: Resource) -> Self:
        """Puts it before another stage of the environment."""
        self._engine._call("PUT", f"{self._path}/moveBefore/{stage.id}")
        return self.refresh()

    def attach(self, service: Resource, *, is_skipped: bool = False) -> Self:
        """Brings a service into it; one that is skipped is left out when the environment is deployed, stopped or restarted."""
        self._engine._call("PUT", f"{self._path}/service/{service.id}", {"is_skipped": is_skipped})
        return self.refresh()


class Previewable(Resource):
    """A service whose image can be previewed in a copy of its environment."""

    __slots__ = ()

    def preview(self, *, tag: str) -> dict[str, Any]:
        """Deploys its image with another tag in a copy of each environment that previews it. The status of the first copy."""
        environment = self._engine._call("GET", f"/environment/{self._parent}")
        path = f"/organization/{environment['organization']['id']}/container/preview"
        body = {"image_name": self._data["image_name"], "tag": tag}
        return cast("dict[str, Any]", self._engine._call("POST", path, body))


def family_of_kind(kind: str) -> Family:
    """The family of the services of this kind, "CONTAINER" say."""
    from . import models

    del models  # imported so that the classes are there
    return next(service._family for service in Deployable.__subclasses__() if service._family.kind == kind)
