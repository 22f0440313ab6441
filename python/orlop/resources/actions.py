"""The actions of services, environments, clusters, stages, groups and webhooks.

One class for each operation set. The classes of the families in `models` are based on these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from ..base.wire import member
from ..deployments.collection import current_of, of_environment
from ..deployments.deployment import Deployment
from ..deployments.differences import Differences, ServiceDifferences
from ..errors import Conflict, Misuse, NotFound
from ..generated.states import TRANSIENT
from ..options.arguments import segment, shown, text, timeout_of
from .resource import Resource, class_of
from .variables import Variables, scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from ..simulation.prediction.prediction import Prediction


class VariableOwner(Resource):
    """A project, an environment or a service that has variables."""

    __slots__ = ()

    @property
    def variables(self) -> Variables:
        """Variables of the owner, including inherited ones."""
        return Variables(self._engine, self.id, scope_of(self))


class Deploys(Resource):
    """An environment or a service with its deployment status."""

    __slots__ = ()

    def status(self) -> dict[str, Any]:
        """Reads the status: state, freshness and the last deployment."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/status"))

    @property
    def state(self) -> str:
        """Current state: READY, DEPLOYING, DEPLOYED and so on. Read at each access."""
        return cast("str", self.status()["state"])

    def _deployment(
        self, environment: str, action: str, body: Any = None, query: Mapping[str, str] | None = None, path: str = ""
    ) -> Deployment:
        found = self._deployment_if_any(environment, action, body, query, path)
        if found is None:
            raise Conflict(f"{self._data['name']} has nothing to do for this", 409)
        return found

    def _deployment_if_any(
        self, environment: str, action: str, body: Any = None, query: Mapping[str, str] | None = None, path: str = ""
    ) -> Deployment | None:
        since = self._engine.last_event
        answer = self._engine._call("POST", f"{path or self._path}/{action}", body, query)
        if answer is None or answer["deployment_request_id"] is None:
            return None
        return Deployment(self._engine, answer["deployment_request_id"], environment, member(self._data, "name"), since)


# Services whose own operation needs a version: the name of their list in the body of the environment's operation, and
# of the id in its entries.
_NEEDS_VERSION = {"application": ("applications", "application_id"), "container": ("containers", "id")}


class Deployable(Deploys):
    """A service that can be deployed and uninstalled. Each action raises `Conflict` if the state does not allow it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Name of the service."""
        return cast("str", member(self._data, "name"))

    @property
    def service_type(self) -> str:
        """Kind of the service: APPLICATION, DATABASE, CONTAINER, JOB, HELM or TERRAFORM."""
        return cast("str", member(self._data, "service_type"))

    def deploy(self, *, force_event: str | None = None, **version: str) -> Deployment:
        """Deploys the service, with another version if one is passed (`image_tag`, `git_commit_id`, `chart_version`).
        `force_event` runs a job for one event."""
        if not version and force_event is None and self._family.name in _NEEDS_VERSION:
            members, identity = _NEEDS_VERSION[self._family.name]
            body = {members: [{identity: self.id}]}
            return self._deployment(self._parent, "service/deploy", body, path=f"/environment/{self._parent}")
        query = {"forceEvent": force_event} if force_event is not None else None
        return self._begin("deploy", version or None, query)

    def redeploy(self) -> Deployment:
        """Deploys the service with its current configuration, at the deployed commit."""
        return self._begin("redeploy")

    def uninstall(self) -> Deployment | None:
        """Removes the service from the cluster and keeps its configuration. Returns None if it was never deployed."""
        return self._deployment_if_any(self._parent, "uninstall", {})

    def releases(self) -> list[dict[str, Any]]:
        """Returns what successful deployments made of the service, newest first: `release` (the number), `version`,
        `digest`, `is_running` and so on."""
        return cast("list[dict[str, Any]]", self._engine._call("GET", f"/service/{self.id}/release")["results"])

    def rollback(self, release: int | None = None) -> Deployment:
        """Deploys the configuration of an earlier release as a new one: image, commit, and variables with their secrets
        as they were. None: the newest release if the service does not run it, else the one before it.

        The configuration of the service itself stays: its next deployment deploys that. Raises `NotFound` if the
        release is not kept, and `Conflict` if there is none to roll back to.
        """
        body = {} if release is None else {"release": _release("release", release)}
        since = self._engine.last_event
        answer = self._engine._call("POST", f"/service/{self.id}/rollback", body)
        return Deployment(self._engine, answer["deployment_request_id"], self._parent, self.name, since)

    def diff(self, before: int | None = None, after: int | None = None) -> ServiceDifferences:
        """Compares two releases, by number. `before` None: the newest one; `after` None: the wanted configuration,
        which a deployment would deploy now."""
        query = {
            name: str(_release("before" if name == "from" else "after", number))
            for name, number in (("from", before), ("to", after))
            if number is not None
        }
        return ServiceDifferences(self._engine._call("GET", f"/service/{self.id}/diff", None, query))

    def stage(self) -> Staged:
        """Returns the deployment stage of the service."""
        data = self._engine._call("GET", f"/service/{self.id}/deploymentStage")
        return cast("Staged", class_of("DeploymentStage")(self._engine, data, self._parent))

    def _begin(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Deployment:
        return self._deployment(self._parent, action, body, query)


class Restartable(Deploys):
    """A service that can be restarted: an application, a container or a database."""

    __slots__ = ()

    def restart(self) -> Deployment:
        """Restarts the instances of the service. Raises `Conflict` if it was never deployed, or its state does not
        allow it."""
        return self._deployment(self._parent, "restart-service")


class Stoppable(Deploys):
    """A service that can be stopped: any except Terraform."""

    __slots__ = ()

    def stop(self) -> Deployment:
        """Stops the service and keeps its data and configuration. Raises `Conflict` if its state does not allow it."""
        return self._deployment(self._parent, "stop")


class Scheduled(Resource):
    """A job, which may run on a cron schedule."""

    __slots__ = ()

    def runs(self) -> list[dict[str, Any]]:
        """Returns the job's runs on its schedule, newest first: those that have not ended, and as many others as its
        advanced settings say.

        Each has `scheduled_at`, `started_at`, `ended_at`, `state` (`QUEUED`, `RUNNING`, `SUCCEEDED`, `FAILED` or
        `CANCELED`) and `reason`. The list is empty with a driver of the host, which itself runs the schedules that it
        deploys.
        """
        return cast("list[dict[str, Any]]", self._engine._call("GET", f"{self._path}/run")["results"])

    @property
    def next_run(self) -> str | None:
        """Time of the next run; None if the job is not deployed or has no cron schedule. Read at each access."""
        return cast("str | None", self._engine._call("GET", f"{self._path}/run")["next_run_at"])


class EnvironmentDeploy(Deploys):
    """An environment whose services are deployed in the order of its stages. Each action raises `Conflict` if there is
    nothing to do."""

    __slots__ = ()

    def statuses(self) -> dict[str, Any]:
        """Reads the status of the environment and of every service in it, by kind."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/statuses"))

    def check(self) -> list[dict[str, Any]]:
        """Checks the variables of the services as a deployment would. Returns the problems, each with `service_name`,
        `level` (`ERROR`: the deployment of the service fails) and `message`."""
        return cast("list[dict[str, Any]]", self._engine._call("GET", f"{self._path}/check")["results"])

    def services(self) -> list[Deployable]:
        """Returns the services of every kind."""
        found: list[Deployable] = []
        for accessor in self._family.children:
            collection = getattr(self, accessor)
            if issubclass(collection._item, Deployable):
                found.extend(collection.list())
        return found

    def deployments(self) -> list[Deployment]:
        """Returns the deployment requests, newest first: waiting, running, and ended ones that the history still
        holds."""
        return list(of_environment(self._engine, self.id, member(self._data, "name")))

    @property
    def current_deployment(self) -> Deployment | None:
        """The running deployment, else the first waiting one, else None."""
        return current_of(self._engine, self.id, member(self._data, "name"), self.status())

    def deploy(self, *, only: Literal["out_of_date"] | None = None) -> Deployment:
        """Deploys all services that are not skipped, or `only` those that do not run what is wanted: out of date, or
        never deployed. Raises `Conflict` if there are none."""
        if only is None:
            return self._begin("deploy")
        if only != "out_of_date":
            raise Misuse(f"only must be 'out_of_date' or None, not {shown(only)}")
        return self._deployment(self.id, "deploy", query={"only": "OUT_OF_DATE"})

    def redeploy(self) -> Deployment:
        """Deploys all services again that are not skipped."""
        return self._begin("redeploy")

    def stop(self) -> Deployment:
        """Stops all services that are not skipped, last stage first."""
        return self._begin("stop")

    def restart(self) -> Deployment:
        """Restarts the instances of all running services that are not skipped, stage by stage."""
        return self._begin("restart-service")

    def uninstall(self) -> Deployment:
        """Removes the services from the cluster and keeps their configuration."""
        return self._begin("uninstall")

    def rollback(self, deployment: Deployment | str) -> Deployment | None:
        """Deploys each service with the release that it had when a deployment had ended. Returns None if every service
        runs it already. Raises `Conflict` if that deployment has not ended."""
        identity = deployment.id if isinstance(deployment, Deployment) else deployment
        if not isinstance(identity, str):
            raise Misuse(f"deployment must be a deployment or its id, not {shown(deployment)}")
        since = self._engine.last_event
        answer = self._engine._call("POST", f"{self._path}/rollback", {"deployment_request_id": identity})
        if answer["deployment_request_id"] is None:
            return None
        name = member(self._data, "name")
        return Deployment(self._engine, answer["deployment_request_id"], self.id, name, since)

    def diff(self) -> Differences:
        """Compares what is deployed with what is wanted: what a deployment would change."""
        return Differences(self._engine._call("GET", f"{self._path}/diff"))

    def predict(
        self, action: Literal["deploy", "redeploy", "stop", "uninstall"] = "deploy", *, runs: int = 200, seed: int = 0
    ) -> Prediction:
        """Predicts the end, the waits and the risk of failure of an action.

        The store is forked into `runs` simulations, whose steps take as long and fail as often as those in the store's
        history; the store itself is only read. Raises `Misuse`, and `Conflict` if the action has nothing to do.
        """
        from ..simulation.prediction.forks import predict

        return predict(self, action, runs, seed)

    def cancel(self, *, force: bool = False) -> None:
        """Cancels the running request and the waiting ones. `force` also interrupts steps that normally run to their
        end."""
        self._act("cancelDeployment", {"force_cancel": force})

    def _begin(self, action: str) -> Deployment:
        return self._deployment(self.id, action)


class ClusterDeploy(Resource):
    """A cluster that can be created, updated, upgraded and stopped. Each action raises `Conflict` while another one is
    in progress."""

    __slots__ = ()

    def state(self) -> dict[str, Any]:
        """Reads the status of the cluster."""
        return cast("dict[str, Any]", self._engine._call("GET", f"{self._path}/status"))

    def deploy(self, *, dry_run: bool = False) -> Self:
        """Creates the cluster, or updates it to its configuration. Returns at once; `wait` waits for the end. `dry_run`
        changes nothing."""
        self._act("deploy", None, {"dry_run": "true"} if dry_run else None)
        return self.refresh()

    def stop(self) -> Self:
        """Stops the nodes of the cluster. Raises `Conflict` while a deployment runs or waits on it."""
        self._act("stop")
        return self.refresh()

    def upgrade(self) -> Self:
        """Upgrades the cluster to the next Kubernetes version of the catalog."""
        self._engine._call("POST", f"/cluster/{self.id}/upgrade")
        return self.refresh()

    def lock(self, *, reason: str, ttl_in_days: int | None = None) -> None:
        """Blocks update, upgrade and maintenance of the cluster for `ttl_in_days` (1 to 5, default 1) days."""
        body = {"reason": reason} if ttl_in_days is None else {"reason": reason, "ttl_in_days": ttl_in_days}
        self._engine._call("POST", f"/cluster/{self.id}/lock", body)

    def unlock(self) -> None:
        """Removes the lock."""
        self._engine._call("DELETE", f"/cluster/{self.id}/lock")

    def kubeconfig(self) -> str:
        """Returns the kubeconfig as YAML: the one stored last, or one made from the driver's outputs with a token of
        external systems.

        Raises `NotFound` if there is neither, and `Unanswered` if no external system gives the token.
        """
        reply = self._engine.request("GET", f"{self._path}/kubeconfig")
        return reply.body.decode() if reply.ok else cast("str", reply.check())

    def set_kubeconfig(self, kubeconfig: str) -> None:
        """Stores the kubeconfig of the cluster, a YAML mapping with apiVersion, encrypted. Raises `Invalid`."""
        self._engine._call("PUT", f"{self._path}/kubeconfig", text("kubeconfig", kubeconfig).encode())

    def wait(self, timeout: str | float | None = None) -> Self:
        """Ticks the engine until no action is in progress on the cluster. `timeout` is real or virtual time: seconds,
        or a text like "30s"; None: no limit. Raises `WaitTimeout`."""
        self._engine._drive(self._is_at_rest, timeout_of(timeout), f"the cluster {self._data['name']}")
        return self

    def _is_at_rest(self) -> bool:
        try:
            state = str(member(self.refresh()._data, "status"))
        except NotFound:
            return True
        return state not in TRANSIENT


class ClonableService(Resource):
    """A service that can be cloned."""

    __slots__ = ()

    def clone(self, *, name: str, environment_id: str | None = None) -> Self:
        """Creates a service with the same configuration under another name, in this or another environment. It is not
        deployed."""
        target = environment_id or self._parent
        data = self._act("clone", {"name": name, "environment_id": target})
        return type(self)(self._engine, data, target)


class ClonableEnvironment(Resource):
    """An environment that can be cloned."""

    __slots__ = ()

    def clone(self, *, name: str, **changes: str) -> Self:
        """Creates an environment with the same services, stages and skip flags, without data. `changes` may set
        `cluster_id`, `mode` and `project_id`."""
        data = self._act("clone", {"name": name, **changes})
        return type(self)(self._engine, data, changes.get("project_id", self._parent))


class Staged(Resource):
    """A deployment stage: its name, its position and its services."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Name of the stage."""
        return cast("str", member(self._data, "name"))

    def move_after(self, stage: Resource) -> Self:
        """Moves the stage after another one of the environment, and renumbers the others."""
        self._engine._call("PUT", f"{self._path}/moveAfter/{_id_of('stage', stage)}")
        return self.refresh()

    def move_before(self, stage: Resource) -> Self:
        """Moves the stage before another one of the environment, and renumbers the others."""
        self._engine._call("PUT", f"{self._path}/moveBefore/{_id_of('stage', stage)}")
        return self.refresh()

    def attach(self, service: Resource, *, is_skipped: bool = False) -> Self:
        """Moves a service to this stage. A skipped service is left out when the environment is deployed, stopped or
        restarted."""
        self._engine._call("PUT", f"{self._path}/service/{_id_of('service', service)}", {"is_skipped": is_skipped})
        return self.refresh()


_RELEASE_MAX = 2**32 - 1


def _release(what: str, given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= _RELEASE_MAX:
        raise Misuse(f"{what} must be the number of a release, 1 or more, not {shown(given)}")
    return given


def _id_of(what: str, given: object) -> str:
    if not isinstance(given, Resource):
        raise Misuse(f"{what} must be an object of the package, as {what}s.get(id) gives it, not {shown(given)}")
    return given.id


class Previewable(Resource):
    """A service whose image can be previewed in a clone of its environment."""

    __slots__ = ()

    def preview(self, *, tag: str) -> dict[str, Any]:
        """Clones each environment with automatic previews of this image, and deploys the clone with another tag.
        Returns the status of the first clone."""
        environment = self._engine._call("GET", f"/environment/{self._parent}")
        path = f"/organization/{environment['organization']['id']}/container/preview"
        body = {"image_name": member(self._data, "image_name"), "tag": tag}
        return cast("dict[str, Any]", self._engine._call("POST", path, body))


class Group(Resource):
    """A group of labels or annotations."""

    __slots__ = ()

    def associated_items(self) -> list[dict[str, Any]]:
        """Returns the services and clusters that refer to the group."""
        answer = self._engine._call("GET", f"{self._path}/associatedItems")
        return cast("list[dict[str, Any]]", answer["results"])


class Notified(Resource):
    """A webhook with its deliveries."""

    __slots__ = ()

    def deliveries(self) -> list[dict[str, Any]]:
        """Returns the deliveries, newest first: all that are pending, and the last 100 that have ended."""
        answer = self._engine._call("GET", f"{self._path}/event")
        return cast("list[dict[str, Any]]", answer["results"])

    def replay(self, delivery_id: str) -> dict[str, Any]:
        """Sends the message of a delivery again, with the same message id."""
        return cast("dict[str, Any]", self._act(f"event/{segment('delivery_id', delivery_id)}/replay"))
