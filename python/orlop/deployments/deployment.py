"""Deployment requests, which actions on an environment or a service return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.event_text import cut, instant, is_change_of_state, words_of
from ..base.live_objects import Live
from ..base.wire import member
from ..generated.states import ERROR, TRANSIENT
from ..options.arguments import timeout_of
from ..resources.resource import family_of_kind

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..base.engine_protocol import EngineProtocol
    from .timeline import Timeline

_REASON_SHOWN = 200  # characters


class Change(NamedTuple):
    """A change of a service's state. `at` is RFC 3339, UTC."""

    at: str
    name: str
    state: str


class Failure(NamedTuple):
    """A failed step: the id and name of the service, the kind of step, and the reason from the driver or the engine; ""
    if there is none."""

    id: str
    name: str
    step: str
    reason: str


class ServiceRun(NamedTuple):
    """One service of a deployment: its id, name, kind and last state."""

    id: str
    name: str
    kind: str
    state: str


class StageRun(NamedTuple):
    """One stage of a deployment with its services."""

    name: str
    services: tuple[ServiceRun, ...]


class Deployment(Live):
    """One deployment request. Attributes other than the ids and the name are read from the engine at each access."""

    id: str
    """Id of the deployment request."""
    environment_id: str
    """Id of the environment."""
    name: str
    """Name of the environment or service that the action was called on."""

    def __init__(self, engine: EngineProtocol, id: str, environment_id: str, name: str, since: int = 0) -> None:
        self._engine = engine
        self._since = since
        self.id = id
        self.environment_id = environment_id
        self.name = name

    @property
    def state(self) -> str:
        """State of the request: DEPLOYMENT_QUEUED, DEPLOYING, DEPLOYED, DEPLOYMENT_ERROR, CANCELED and so on."""
        query = {"deploymentRequestId": self.id}
        return str(self._engine._call("GET", "/environment/deploymentStatus", None, query)["status"])

    @property
    def is_done(self) -> bool:
        """True if the request has ended, with or without success."""
        return self.state not in TRANSIENT

    @property
    def ok(self) -> bool:
        """True if the request has ended without an error and was not canceled."""
        state = self.state
        return state not in TRANSIENT and state not in ERROR and state != "CANCELED"

    def wait(self, timeout: str | float | None = None) -> Self:
        """Ticks the engine until the request has ended, and returns it. `ok` and `state` say how it ended.

        In a simulation virtual time advances and the call returns at once. `timeout` is real or virtual time: seconds,
        or a text like "30s"; None: no limit. Raises `WaitTimeout` after it; the deployment continues and can be waited
        for again.
        """
        self._engine._await_end(
            self.id, lambda: self.is_done, timeout_of(timeout), f"the deployment {self.id} of {self.name}"
        )
        return self

    def cancel(self, *, force: bool = False) -> None:
        """Cancels the request. `force` also interrupts steps that normally run to their end (terraform, managed
        databases, jobs)."""
        self._engine._call(
            "POST", f"/deploymentQueue/{self.id}/cancelDeployment", {"force_cancel": force} if force else {}
        )

    def events(self) -> list[dict[str, Any]]:
        """Returns the events of the request so far, in order."""
        return self._engine.events(self._since, request=self.id)

    @property
    def duration(self) -> float:
        """Seconds from the start of the request to its end, or to now; 0 while it waits."""
        began = ended = None
        for event in self.events():
            if event["kind"] == "deployment.started":
                began = instant(event["at"])
            if event["kind"] == "deployment.ended":
                ended = instant(event["at"])
        return ((ended or self._engine.now()) - began).total_seconds() if began else 0.0

    @property
    def stages(self) -> list[StageRun]:
        """The stages with services of the request, in order, with the last state of each service."""
        states: dict[str, str] = {}
        for event in self.events():
            if is_change_of_state(event):
                states[event["subject"]] = event["to"]
        runs = []
        for stage in self._stages():
            services = tuple(
                ServiceRun(
                    entry["service_id"], self._name_of(entry), entry["service_type"], states[entry["service_id"]]
                )
                for entry in stage["services"]
                if entry["service_id"] in states
            )
            if services:
                runs.append(StageRun(stage["name"], services))
        return runs

    def changes(self) -> list[Change]:
        """Returns the state changes of its services, in order."""
        names = {service.id: service.name for stage in self.stages for service in stage.services}
        return [
            Change(event["at"], names[event["subject"]], event["to"])
            for event in self.events()
            if event["subject"] in names and is_change_of_state(event)
        ]

    def failures(self) -> list[Failure]:
        """Returns its failed steps, in order."""
        ended = [
            event for event in self.events() if event["kind"] == "step.ended" and event["detail"]["status"] == "ERROR"
        ]
        failed = {event["subject"] for event in ended}
        stages = self._stages() if failed else []
        names = {
            entry["service_id"]: self._name_of(entry)
            for stage in stages
            for entry in stage["services"]
            if entry["service_id"] in failed
        }
        return [
            Failure(
                event["subject"],
                names.get(event["subject"], ""),
                event["detail"]["kind"],
                event["detail"].get("reason", ""),
            )
            for event in ended
        ]

    @property
    def reason(self) -> str:
        """Name of the service that failed first, and the reason; "" if nothing failed or no reason was given."""
        for event in self.events():
            if event["kind"] == "deployment.ended" and "reason" in (event.get("detail") or {}):
                return str(event["detail"]["reason"])
        for failure in self.failures():
            if failure.reason:
                return f"{failure.name or failure.id}: {failure.reason}"
        return ""

    @property
    def timeline(self) -> Timeline:
        """The states of its services over time."""
        from .timeline import Timeline

        names = {service.id: (stage.name, service.name) for stage in self.stages for service in stage.services}
        return Timeline.of(self.events(), names, title=f"{self.name}: {self.state}")

    def _repr_html_(self) -> str:
        """For notebooks: the timeline, or the state while no service has changed."""
        from html import escape

        timeline = self.timeline
        return timeline._repr_html_() if timeline.rows else f"<p>{escape(repr(self))}</p>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deployment) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def _stages(self) -> list[dict[str, Any]]:
        stages: list[dict[str, Any]] = self._engine._call("GET", f"/environment/{self.environment_id}/deploymentStage")[
            "results"
        ]
        return stages

    def _name_of(self, entry: dict[str, Any]) -> str:
        family = family_of_kind(entry["service_type"])
        if family is None:
            return str(entry["service_id"])
        return str(member(self._engine.request("GET", family.path.format(id=entry["service_id"])).check(), "name"))

    def __repr__(self) -> str:
        stages = len(self.stages)
        plural = "stage" if stages == 1 else "stages"
        state = self.state
        reason = self.reason if state in ERROR else ""
        others = len({failure.id for failure in self.failures()}) - 1 if reason else 0
        why = (f": {cut(reason, _REASON_SHOWN)}" if reason else "") + (f" and {others} more" if others > 0 else "")
        return f"<Deployment {self.id[:8]}… {self.name} {state} {words_of(self.duration)}, {stages} {plural}{why}>"
