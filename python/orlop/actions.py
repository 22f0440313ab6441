"""What can be done with services, environments, clusters and stages beyond reading and writing them.

A class for each trait that families share. The classes of the families are in `models`; they name their traits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .arguments import segment, shown, timeout_of
from .deployment import Deployment
from .deployments import current_of, of_environment
from .errors import Conflict, Misuse, NotFound
from .resources import Resource
from .wire import member

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from .models import DeploymentStage, Environment


class Deploys(Resource):
    """What can be asked of an environment, in whole or in part."""

    __slots__ = ()

    def status(self) -> dict[str, Any]:
        """Its state, and its last deployment, read now."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/status"))

    @property
    def state(self) -> str:
        """Its state, read now: READY, DEPLOYING, DEPLOYED …"""
        return cast("str", self.status()["state"])

    def _deployment(
        self, environment: str, action: str, body: Any = None, query: Mapping[str, str] | None = None
    ) -> Deployment:
        since = self._engine.last_event
        request = self._act(action, body, query)["deployment_request_id"]
        if request is None:
            raise Conflict(f"{self._data['name']} has nothing to do for this", 409)
        return Deployment(self._engine, request, environment, member(self._data, "name"), since)


class Deployable(Deploys):
    """A service: it is deployed, restarted, stopped and uninstalled."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its name."""
        return cast("str", member(self._data, "name"))

    @property
    def service_type(self) -> str:
        """Its kind: APPLICATION, DATABASE, CONTAINER, JOB, HELM or TERRAFORM."""
        return cast("str", member(self._data, "service_type"))

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

    def stage(self) -> DeploymentStage:
        """The deployment stage it is in."""
        data = self._engine._call("GET", f"/service/{self.id}/deploymentStage")
        return cast("DeploymentStage", self._engine._class_of("DeploymentStage")(self._engine, data, self._parent))

    def _begin(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Deployment:
        return self._deployment(self._parent, action, body, query)


class EnvironmentDeploy(Deploys):
    """An environment: all its services, or some of them, in the order of its stages."""

    __slots__ = ()

    def statuses(self) -> dict[str, Any]:
        """The statuses of the environment and of every service in it, by kind."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/statuses"))

    def services(self) -> list[Deployable]:
        """Its services of every kind."""
        found: list[Deployable] = []
        for accessor in self._family.children:
            collection = getattr(self, accessor)
            if issubclass(collection._item, Deployable):
                found.extend(collection.list())
        return found

    def deployments(self) -> list[Deployment]:
        """Its deployment requests, the newest first: those that wait, the one that runs, and those that ended and are still kept."""
        return list(of_environment(cast("Environment", self)))

    @property
    def current_deployment(self) -> Deployment | None:
        """The deployment that runs; where none does, the next of those that wait; None if there is none either."""
        return current_of(cast("Environment", self))

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
        self._engine._drive(self._is_at_rest, timeout_of(timeout), f"the cluster {self._data['name']}")
        return self

    def _is_at_rest(self) -> bool:
        try:
            state = str(member(self.refresh()._data, "status"))
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
        self._engine._call("PUT", f"{self._path}/moveAfter/{_id_of('stage', stage)}")
        return self.refresh()

    def move_before(self, stage: Resource) -> Self:
        """Puts it before another stage of the environment."""
        self._engine._call("PUT", f"{self._path}/moveBefore/{_id_of('stage', stage)}")
        return self.refresh()

    def attach(self, service: Resource, *, is_skipped: bool = False) -> Self:
        """Brings a service into it; one that is skipped is left out when the environment is deployed, stopped or restarted."""
        self._engine._call("PUT", f"{self._path}/service/{_id_of('service', service)}", {"is_skipped": is_skipped})
        return self.refresh()


def _id_of(what: str, given: object) -> str:
    if not isinstance(given, Resource):
        raise Misuse(f"{what} must be an object of the package, as {what}s.get(id) gives it, not {shown(given)}")
    return given.id


class Previewable(Resource):
    """A service whose image can be previewed in a copy of its environment."""

    __slots__ = ()

    def preview(self, *, tag: str) -> dict[str, Any]:
        """Deploys its image with another tag in a copy of each environment that previews it. The status of the first copy."""
        environment = self._engine._call("GET", f"/environment/{self._parent}")
        path = f"/organization/{environment['organization']['id']}/container/preview"
        body = {"image_name": member(self._data, "image_name"), "tag": tag}
        return cast("dict[str, Any]", self._engine._call("POST", path, body))


class Group(Resource):
    """Labels or annotations that services carry together."""

    __slots__ = ()

    def associated_items(self) -> list[dict[str, Any]]:
        """The services and clusters that carry it."""
        answer = self._engine._call("GET", f"{self._path}/associatedItems")
        return cast("list[dict[str, Any]]", answer["results"])


class Notified(Resource):
    """A webhook: what it is told is kept until its receiver has taken it."""

    __slots__ = ()

    def deliveries(self) -> list[dict[str, Any]]:
        """Its messages, the newest first: all that are not delivered yet, and the last hundred that have ended."""
        answer = self._engine._call("GET", f"{self._path}/event")
        return cast("list[dict[str, Any]]", answer["results"])

    def replay(self, delivery_id: str) -> dict[str, Any]:
        """Sends a message again, under the same id."""
        return cast("dict[str, Any]", self._act(f"event/{segment('delivery_id', delivery_id)}/replay"))
