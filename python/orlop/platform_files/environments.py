"""The environment of a platform file in a store: its services, their states and deployments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Misuse, NotFound
from ..generated.states import ERROR, TRANSIENT
from ..options.arguments import fold_case, nearest_hint

if TYPE_CHECKING:
    from ..deployments.deployment import Deployment
    from ..engine.engine import Engine
    from ..generated.models import Environment
    from ..resources.actions import Deployable
    from .document import PlatformFile
    from .interface import Interface


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
        return [_status(service, listed.get(service.id, {})) for service in environment.services()]

    def active(self) -> list[Deployment]:
        """Returns the deployments that have not ended, the oldest first."""
        found = self.find()
        if found is None:
            return []
        return [each for each in reversed(found.deployments()) if not each.is_done]

    def deploy(self, interface: Interface) -> str | None:
        """Deploys the services of the file that do not run what is wanted: changed, never deployed, stopped or failed.
        Returns the id of the deployment request; None if there are none."""
        skipped = {fold_case(entry.name) for entry in self._file.services if entry.is_skipped}
        managed = {fold_case(entry.name): entry.kind for entry in self._file.services}
        body: dict[str, list[Any]] = {}
        for status in self.statuses():
            kind = managed.get(fold_case(status.name))
            runs = status.state in ("DEPLOYED", "RESTARTED") and status.freshness == "UP_TO_DATE"
            if kind is None or fold_case(status.name) in skipped or runs or status.state in TRANSIENT:
                continue
            body.setdefault(kind.accessor, []).append(interface.selection(kind, status.id))
        if not body:
            return None
        path = f"/environment/{self.environment.id}/service/deploy"
        return str(self._engine.request("POST", path, body).check()["deployment_request_id"])


def _flat(statuses: dict[str, Any]) -> list[Any]:
    return [each for listed in statuses.values() if isinstance(listed, list) for each in listed]


def _status(service: Deployable, status: dict[str, Any]) -> ServiceStatus:
    data = service.to_dict()
    observation = status.get("observation") or {}
    version = data.get("tag") or data.get("version") or ""
    return ServiceStatus(
        service.id,
        service._family.name,
        service.name,
        str(status.get("state", "")),
        str(status.get("service_deployment_status", "")),
        str(status.get("running_state") or ""),
        str(observation.get("reason") or ""),
        str(version),
        tuple(str(each["url"]) for each in data.get("addresses") or () if each.get("url")),
    )
