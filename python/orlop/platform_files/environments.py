"""The environment of a platform file in a store: its services, their states and deployments."""

from __future__ import annotations

import contextlib
import inspect
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from ..drivers.observation import Subjects
from ..errors import Conflict, Misuse, NotFound, Refused
from ..generated.states import ERROR, TRANSIENT
from ..options.arguments import fold_case, nearest_hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..deployments.deployment import Deployment
    from ..engine.engine import Engine
    from ..generated.models import Environment
    from ..resources.actions import Deployable
    from .document import PlatformFile
    from .interface import Interface


RUNNING = ("DEPLOYED", "RESTARTED")
_WITH_WORKLOAD = ("application", "container", "database", "helm")  # a job has none between its runs
_OBSERVED_AT_ONCE = 1_000
_TRIES = 8  # of an action, if others delete services at the same time


class ServiceStatus(NamedTuple):
    """A service and what is known of it."""

    id: str
    family: str
    name: str
    state: str
    """State, such as DEPLOYED."""
    freshness: str
    """UP_TO_DATE, OUT_OF_DATE or NEVER_DEPLOYED."""
    running: str
    """What the driver has seen last, such as RUNNING; "" if it was not asked."""
    reason: str
    version: str
    """What runs, such as the tag of the image; what is wanted, if nothing runs."""
    release: int
    """Number of the release that runs; 0 if none does."""
    addresses: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """False if its last action has failed or its workload does not run."""
        return self.state not in ERROR and self.running not in ("ERROR", "WARNING")


class FileEnvironment:
    """The environment that a file names."""

    def __init__(self, engine: Engine, file: PlatformFile) -> None:
        self._engine = engine
        self._file = file
        self._seen: dict[str, Any] = {}  # observations or running states of services

    def find(self) -> Environment | None:
        """Returns the environment; None before the first `orlop up`."""
        names = (self._file.organization.name, self._file.project.name, self._file.environment.name)
        organization = self._engine.organizations.find(names[0], None)
        project = None if organization is None else organization.projects.find(names[1], None)
        return None if project is None else project.environments.find(names[2], None)

    @property
    def environment(self) -> Environment:
        """The environment. Raises `NotFound`."""
        found = self.find()
        if found is None:
            raise NotFound(f"there is no environment {self._file.label} yet: orlop up creates it", 404)
        return found

    def ids(self) -> set[str]:
        """Returns the ids of the services."""
        found = self.find()
        return set() if found is None else {service.id for service in found.services()}

    def service(self, name: str) -> Deployable:
        """Returns the service with this name. Raises `Misuse`, which lists the names."""
        services = self.environment.services()
        for each in services:
            if fold_case(each.name) == fold_case(name):
                return each
        names = [each.name for each in services]
        hint = nearest_hint(name, names) or f"; there are {', '.join(names) or 'none'}"
        raise Misuse(f"there is no service {name!r} in {self._file.label}{hint}")

    def statuses(self) -> list[ServiceStatus]:
        """Returns the services of the environment."""
        environment = self.environment
        listed: dict[str, dict[str, Any]] = {
            each["id"]: each for each in _flat(environment.statuses()) if isinstance(each, dict) and "id" in each
        }
        found = []
        for service in environment.services():
            with contextlib.suppress(NotFound):  # another process deletes it
                found.append(_status(service, listed.get(service.id, {}), self._seen))
        return found

    def observe(self, driver: Any) -> None:
        """Asks the driver what runs now, which counts for `statuses` from now on. It is asked also if nothing is
        deployed, to find out whether it can answer. Raises what the driver raises."""
        observe = getattr(driver, "observe", None)
        if observe is None:
            return
        environment = self.find()
        cluster = "" if environment is None else str(environment["cluster_id"])
        statuses = [] if environment is None else self.statuses()
        deployed = [each.id for each in statuses if each.state in RUNNING and each.family in _WITH_WORKLOAD]
        for start in range(0, max(len(deployed), 1), _OBSERVED_AT_ONCE):
            seen = observe(Subjects(cluster, tuple(deployed[start : start + _OBSERVED_AT_ONCE])))
            if inspect.iscoroutine(seen):  # the engine's own rounds have it
                seen.close()
                return
            self._seen.update(seen or {})

    def is_deleting(self) -> bool:
        """Reports whether services are being deleted."""
        found = self.find()
        return found is not None and any("DELET" in str(each.get("state")) for each in _flat(found.statuses()))

    def active(self) -> list[Deployment]:
        """Returns the deployments that have not ended, the oldest first."""
        found = self.find()
        if found is None:
            return []
        waiting = takewhile(lambda each: not each.is_done, found.deployments())  # the newest first; they end in order
        return [*waiting][::-1]

    def previous(self) -> Deployment:
        """Returns the deployment to which a roll-back of the environment leads: the newest that succeeded before the
        last one. Raises `Conflict` if there is none."""
        ended = dropwhile(lambda each: not each.is_done, self.environment.deployments())
        next(ended, None)
        found = next((each for each in ended if each.state == "DEPLOYED"), None)
        if found is None:
            raise Conflict(f"{self._file.label} has no earlier deployment that succeeded", 409)
        return found

    def deploy_services(self, interface: Interface, services: Sequence[Deployable]) -> str | None:
        """Deploys these services. Returns the id of the deployment request; None if it has ended."""
        body: dict[str, list[Any]] = {}
        kinds = {kind.family: kind for kind in interface.services.values()}
        for service in services:
            kind = kinds[service._family.name]
            body.setdefault(kind.accessor, []).append(interface.selection(kind, service.id))
        return self._begin("deploy", body)

    def stop_services(self, services: Sequence[Deployable]) -> str | None:
        """Stops these services. Returns the id of the deployment request; None if it has ended."""
        body: dict[str, list[str]] = {}
        for service in services:
            body.setdefault(f"{service._family.name}_ids", []).append(service.id)
        return self._begin("stop", body)

    def _begin(self, action: str, body: dict[str, Any]) -> str | None:
        self._seen.clear()
        path = f"/environment/{self.environment.id}/service/{action}"
        answer = self._engine.request("POST", path, body).check()
        if answer is not None:
            return str(answer["deployment_request_id"])
        active = self.active()  # the operation that stops services answers nothing
        return active[-1].id if active else None

    def deploy(self, interface: Interface) -> str | None:
        """Deploys the services of the file that do not run what is wanted: changed, never deployed, stopped, failed or
        gone. Returns the id of the deployment request; None if there are none."""
        for tries_left in reversed(range(_TRIES)):
            found = self._to_deploy()
            try:
                return self.deploy_services(interface, found) if found else None
            except Refused:  # another process may have deleted a service
                if tries_left == 0 or {each.id for each in found} <= self.ids():
                    raise
        raise AssertionError("the last try returns or raises")

    def _to_deploy(self) -> list[Deployable]:
        wanted = {fold_case(entry.name) for entry in self._file.services if not entry.is_skipped}
        found = []
        statuses = {status.id: status for status in self.statuses()}
        for service in self.environment.services():
            status = statuses.get(service.id)
            if status is None or fold_case(service.name) not in wanted or status.state in TRANSIENT:
                continue
            if status.state not in RUNNING or status.freshness != "UP_TO_DATE" or status.running == "ERROR":
                found.append(service)
        return found


def _flat(statuses: dict[str, Any]) -> list[Any]:
    return [each for listed in statuses.values() if isinstance(listed, list) for each in listed]


def _status(service: Deployable, status: dict[str, Any], seen: dict[str, Any]) -> ServiceStatus:
    data = service.to_dict()
    state, reason = status.get("running_state") or "", (status.get("observation") or {}).get("reason") or ""
    if service.id in seen:
        observation = seen[service.id]
        is_state = isinstance(observation, str)
        state, reason = (observation, "") if is_state else (observation.running_state, observation.reason)
    running = next((each for each in service.releases() if each.get("is_running")), {})
    version = [*running.get("version", {}).values()] or [data.get("tag") or data.get("version") or ""]
    is_there = bool(running) and status.get("state") not in ("STOPPED", "READY")
    addresses = (data.get("addresses") or ()) if is_there else ()
    return ServiceStatus(
        service.id,
        service._family.name,
        service.name,
        str(status.get("state", "")),
        str(status.get("service_deployment_status", "")),
        str(state),
        str(reason),
        str(version[-1]),
        int(running.get("release") or 0),
        tuple(str(each["url"]) for each in addresses if each.get("url")),
    )
