"""What a driver sees of the workloads that it has deployed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..base.wire import dumps
from ..errors import Misuse
from ..options.arguments import shown
from .clean_text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from typing_extensions import TypeAlias

    Seen: TypeAlias = "Mapping[str, Observation | str] | None"

    class ObservationReporter(Protocol):
        """Receiver of observations: the engine."""

        def report_running(self, service: str, state: str, observation: str) -> None: ...


class Subjects(NamedTuple):
    """Deployed services whose workloads a driver is asked to observe."""

    cluster: str
    """Id of the cluster that all of them are deployed on."""
    services: tuple[str, ...]
    """Ids of the services, at most 1,000; more of one cluster come with further calls."""


class Observation(NamedTuple):
    """What is seen of a workload. It replaces what was reported before."""

    running_state: str
    """STARTING, RUNNING, WARNING, ERROR, STOPPING, STOPPED, COMPLETED or UNKNOWN."""
    wanted: int | None = None
    """Number of instances that the driver has asked for."""
    ready: int | None = None
    """Number of instances that are ready."""
    failing: int | None = None
    """Number of instances that fail."""
    restarts: int | None = None
    """Number of restarts of the instances since they were made."""
    last_exit_code: int | None = None
    """Exit code of the instance that ended last."""
    reason: str = ""
    """Reason of the running state, as the system that runs the workload gives it. Cut at 4 KiB. It must hold no
    secrets: they are not masked here."""
    since: str = ""
    """Time since which the workload has its running state: RFC 3339."""


def details_of(observation: Observation) -> str:
    """Returns everything but the running state as JSON text; "" if there is nothing."""
    instances = {name: getattr(observation, name) for name in ("wanted", "ready", "failing")}
    data: dict[str, Any] = {"instances": {name: count for name, count in instances.items() if count is not None}}
    for name in ("restarts", "last_exit_code"):
        if getattr(observation, name) is not None:
            data[name] = getattr(observation, name)
    for name in ("reason", "since"):
        if getattr(observation, name) not in ("", None):
            data[name] = getattr(observation, name)
    if isinstance(data.get("reason"), str):
        data["reason"] = clean(data["reason"])
    if not data["instances"]:
        del data["instances"]
    return dumps(data).decode() if data else ""


def report_running(reporter: ObservationReporter, service_id: str, observation: Observation | str) -> None:
    """Reports the running state of a service, or all that was seen of it."""
    if isinstance(observation, Observation):
        reporter.report_running(service_id, observation.running_state, details_of(observation))
    else:
        reporter.report_running(service_id, observation, "")


def report_seen(reporter: ObservationReporter, seen: object, failed: Callable[[Exception], None]) -> None:
    """Reports what a driver's `observe` has returned. Calls `failed` for each observation that is refused."""
    from collections.abc import Mapping

    if seen is None:
        return
    if not isinstance(seen, Mapping):
        failed(Misuse(f"observe of the driver must return a mapping of ids to observations, not {shown(seen)}"))
        return
    for service_id, observation in seen.items():
        try:
            report_running(reporter, service_id, observation)
        except Exception as error:
            failed(error)
