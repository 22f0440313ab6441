"""Opens a store as it was at an event of its feed in a simulation, to try another outcome. The store itself is only
read.

The feed holds every change of state, and no bodies. So the states of services, clusters and environments are those at
the event, later resources are left out, and names and settings are the current ones; resources deleted since are
missing. A deployment that was in progress is begun again from the states before it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.event_text import in_lines, is_change_of_state, words_of
from ..engine.engine import Engine
from ..errors import Misuse, Refused
from ..generated.states import TRANSIENT
from ..options.arguments import shown
from ..reporting.run_data import Trace
from .faults import without_faults
from .forked_snapshots import for_simulation
from .scenarios.existing_resources import state_of
from .simulation import Simulation
from .traces.subjects import subjects_of, subjects_of_events

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..generated.models import Environment
    from ..reporting.run_report import Report

_READY, _NEVER_DEPLOYED = 1, 1  # numbers of the state and the freshness of a new resource
_METHODS = {"DEPLOY": "deploy", "REDEPLOY": "redeploy", "STOP": "stop", "RESTART": "restart", "UNINSTALL": "uninstall"}
# Members of the row of an idle machine; the others belong to a later step or deployment.
_KEPT = (
    "id",
    "family",
    "owner",
    "revision",
    "partition",
    "configuration",
    "plan_flags",
    "planned_flags",
    "stage",
    "configured",
    "deployed",
)


class Interrupted(NamedTuple):
    """A deployment that waited or ran at the event."""

    request: str
    environment: str
    """Id of its environment."""
    action: str
    services: tuple[str, ...]
    """Ids of its services; empty for the whole environment."""


class Begun(NamedTuple):
    """A deployment that was begun again."""

    environment: str
    """Name of its environment."""
    action: str
    state: str
    """State at the end, or the reason of the refusal."""
    seconds: float


class ReplayRun(NamedTuple):
    """The outcome of a replay in a simulation."""

    seed: int
    begun: tuple[Begun, ...]
    states: Mapping[str, str]
    """State of each service and cluster at the end, by its name and environment."""
    trace: Trace

    def to_dict(self) -> dict[str, Any]:
        """Returns all of it as plain values."""
        return {"seed": self.seed, "begun": [each._asdict() for each in self.begun], "states": dict(self.states)}


class Replay:
    """A store as it was at an event."""

    until: int
    """Number of the event."""
    snapshot: bytes
    """Snapshot of the store at the event, for the option `snapshot` of an engine or a simulation."""
    interrupted: tuple[Interrupted, ...]
    """Deployments that were in progress."""
    edited: int
    """Number of resources that have been edited since: they are as they are now."""
    deleted: int
    """Number of resources that have been deleted since: they are missing."""

    def __init__(self, engine: Engine, until: int) -> None:
        """Reads the engine's store. Raises `Misuse` for a number that no event has, and for a store that has dropped
        some of its events."""
        if not isinstance(engine, Engine):
            raise Misuse(f"engine must be an engine, not {shown(engine)}")
        last = engine.last_event
        if not isinstance(until, int) or isinstance(until, bool) or not 1 <= until <= last:
            raise Misuse(f"until must be the number of an event, 1 to {last}, not {shown(until)}")
        self.until = until
        taken = engine.snapshot()
        raw, events = _raw_events(taken), engine._read_events(0, None, None)
        if len(events) < last:
            raise Misuse(
                f"until must be the number of an event of a store that keeps all of its events, and this one "
                f"keeps {len(events)} of {last}: what it was then follows from all before"
            )
        self._past, self._later = events[:until], events[until:]
        self._at: str = self._past[-1]["at"]
        self._original = Trace("what happened", events, {**subjects_of_events(events), **subjects_of(engine)})
        with without_faults(engine) as reader:
            self._now = _states(reader)
        self.interrupted = tuple(_interrupted(self._past, events, _requests(taken)))
        self.snapshot = self._rewound(_settled(taken), raw)
        kept = {
            json.loads(line)["record"]["id"] for line in self.snapshot.splitlines() if line.startswith(b'{"record"')
        }
        self.edited = len({event["subject"] for event in self._later if event["kind"].endswith(".edited")} & kept)
        created = {event["subject"] for event in self._later if event["kind"].endswith(".created")}
        self.deleted = len({event["subject"] for event in self._later if event["kind"].endswith(".deleted")} - created)

    def open(self, seed: int = 0) -> Simulation:
        """Returns a simulation of the store at the event, without anything in progress."""
        return Simulation(seed=seed, snapshot=self.snapshot)

    def run(self, seed: int = 0, rules: Mapping[str, Any] | None = None) -> ReplayRun:
        """Begins the interrupted deployments again, under these rules, and advances time until no work is left. `rules`
        is a document of rules."""
        with self.open(seed) as simulation:
            simulation.rules.load(rules or {})
            runs = [self._begin(simulation, each) for each in self.interrupted]
            simulation.run_until_idle()
            begun = tuple(
                Begun(
                    name,
                    action,
                    run if isinstance(run, str) else run.state,
                    0.0 if isinstance(run, str) else run.duration,
                )
                for name, action, run in runs
            )
            events = simulation.events()
            subjects = {**subjects_of_events(events), **subjects_of(simulation)}
            states = {self._now[id][0]: state for id, (_, state) in _states(simulation).items()}
            return ReplayRun(seed, begun, states, Trace(f"seed {seed}", events, subjects))

    def report(self, run: ReplayRun) -> Report:
        """Returns the report of a run next to the original events."""
        from ..reporting.run_report import Report

        return Report(f"The store at the event {self.until}", run.trace, self._original)

    def to_dict(self) -> dict[str, Any]:
        """Returns all of it as plain values."""
        return {
            "until": self.until,
            "at": self._at,
            "interrupted": [each._asdict() for each in self.interrupted],
            "edited": self.edited,
            "deleted": self.deleted,
        }

    def text(self, run: ReplayRun) -> str:
        """Returns a summary of the run as plain text."""
        lines = [f"the store at the event {self.until}, {self._at}: {len(self.interrupted)} deployments under way"]
        if self.edited or self.deleted:
            lines.append(
                f"{self.edited} resources have been edited since and are as they are now; {self.deleted} have "
                f"been deleted since and are missing"
            )
        lines += [
            f"  {each.action} {each.environment}: {each.state} after {words_of(each.seconds)}" for each in run.begun
        ]
        now = dict(self._now.values())
        changed = [
            f"  {name}: {state}, and not {now[name]}" for name, state in run.states.items() if now[name] != state
        ]
        lines += (
            ["at the end, other than in the store now:", *changed]
            if changed
            else ["at the end every service is as in the store now"]
        )
        return in_lines(lines)

    def _begin(self, simulation: Simulation, each: Interrupted) -> tuple[str, str, Any]:
        """Begins a deployment again. Returns the name of its environment, its action, and the deployment or the reason
        of its refusal."""
        environment = _environment(simulation, each.environment)
        if environment is None:
            return each.environment, each.action, "missing: the environment has been deleted since"
        method = _METHODS.get(each.action, "deploy")
        run: Any = None
        try:
            if not each.services:
                run = getattr(environment, method)()
            for service in environment.services() if each.services else ():
                if service.id in each.services:
                    run = getattr(service, method)()
        except Refused as refusal:
            return environment.name, each.action, f"refused: {refusal}"
        return environment.name, each.action, run if run is not None else "nothing to do"

    def _rewound(self, settled: bytes, raw: Sequence[Mapping[str, Any]]) -> bytes:
        """Returns the snapshot with the states of the event and without later resources."""
        later = {event["subject"] for event in self._later if event["kind"].endswith(".created")}
        known = {event["subject"] for event in self._past if event["kind"].split(".")[1] in ("created", "queued")}
        states = _Numbers(raw[: self.until], self._past)
        open_requests = {each.request for each in self.interrupted}
        records, machines, lines = 0, 0, []
        dropped: set[str] = set(later)
        for line in settled.splitlines(keepends=True)[1:]:
            kind = next((kind for kind in ("record", "machine") if line.startswith(f'{{"{kind}"'.encode())), "")
            if not kind:
                continue
            row = json.loads(line)[kind]
            is_request = row["family"] == "deployment"
            if (
                row["id"] in dropped
                or row.get("parent") in dropped
                or (is_request and (row["id"] in open_requests or row["id"] not in known))
            ):
                dropped.add(row["id"])
                continue
            if kind == "machine" and not is_request:
                line = json.dumps({"machine": states.at_rest(row, self._at)}).encode() + b"\n"
            lines.append(line)
            records, machines = records + (kind == "record"), machines + (kind == "machine")
        header = {
            **json.loads(settled.splitlines()[0]),
            "taken_at": self._at,
            "records": records,
            "machines": machines,
            "events": self.until,
        }
        past = [json.dumps({"event": event}, ensure_ascii=False).encode() + b"\n" for event in raw[: self.until]]
        return b"".join([json.dumps(header).encode() + b"\n", *lines, *past])


class _Numbers:
    """The states of machines at an event, as numbers of the snapshot. Names of states come from the feed, their numbers
    from the snapshot's events."""

    def __init__(self, raw: Sequence[Mapping[str, Any]], past: Sequence[Mapping[str, Any]]) -> None:
        self._state: dict[str, int] = {}
        self._freshness: dict[str, int] = {}
        self._running: dict[str, int] = {}
        self._environment: dict[str, int] = {}
        for number, event in zip(raw, past):
            subject = event["subject"]
            if is_change_of_state(event) and event["to"] not in TRANSIENT:
                self._state[subject] = number["to"]
            elif event["kind"].endswith(".freshness_changed"):
                self._freshness[subject] = number["to"]
            elif event["kind"].endswith(".running_changed"):
                self._running[subject] = number["to"]
            elif event["kind"] == "deployment.ended":
                self._environment[event["owner"]] = number["to"]

    def at_rest(self, row: Mapping[str, Any], at: str) -> dict[str, Any]:
        """Returns the machine at the event, with nothing in progress."""
        id = row["id"]
        states = self._environment if row["family"] == "environment" else self._state
        state = states.get(id, _READY)
        if row.get("state") == state and not row.get("active"):
            return {**row, **({"freshness": self._freshness.get(id, _NEVER_DEPLOYED)} if "freshness" in row else {})}
        found = {name: row[name] for name in _KEPT if name in row}
        found.update(
            state=state, origin_state=_READY, freshness=self._freshness.get(id, _NEVER_DEPLOYED), changed_at=at
        )
        if id in self._running:
            found["running"] = self._running[id]
        return found


def _raw_events(snapshot: bytes) -> list[dict[str, Any]]:
    return [json.loads(line)["event"] for line in snapshot.splitlines() if line.startswith(b'{"event"')]


def _settled(snapshot: bytes) -> bytes:
    """Returns the snapshot after all work has ended, because the rows of busy machines refer to each other."""
    with Simulation(snapshot=for_simulation(snapshot)) as simulation:
        simulation.run_until_idle()
        return simulation.snapshot()


def _requests(snapshot: bytes) -> dict[str, dict[str, Any]]:
    """Returns the bodies of the deployment requests by id."""
    rows = (
        json.loads(line)["record"]
        for line in snapshot.splitlines()
        if line.startswith(b'{"record"') and b'"family":"deployment"' in line
    )
    return {row["id"]: row["body"] for row in rows if row["family"] == "deployment"}


def _interrupted(
    past: Sequence[Mapping[str, Any]], events: Sequence[Mapping[str, Any]], requests: Mapping[str, Mapping[str, Any]]
) -> list[Interrupted]:
    """Returns the deployments that were requested and had not ended, in the order of their requests."""
    found: dict[str, Mapping[str, Any]] = {}
    for event in past:
        if event["kind"] == "deployment.queued":
            found[event["subject"]] = event
        elif event["kind"] == "deployment.ended":
            found.pop(event["subject"], None)
    return [
        Interrupted(
            request,
            event["owner"],
            str((event.get("detail") or {}).get("action", "DEPLOY")),
            tuple(requests[request].get("services", ()))
            if request in requests
            else _concerned(request, event["owner"], events),
        )
        for request, event in found.items()
    ]


def _concerned(request: str, environment: str, events: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Returns the services of a deployment whose request is no longer kept, from their events; empty if these are all
    services of the environment."""
    changes = [
        event
        for event in events
        if event.get("owner") == environment and event["kind"].startswith("service.") and is_change_of_state(event)
    ]
    services = dict.fromkeys(event["subject"] for event in changes if event.get("request") == request)
    return () if set(services) == {event["subject"] for event in changes} else tuple(services)


def _environment(engine: Engine, id: str) -> Environment | None:
    for organization in engine.organizations:
        for project in organization.projects:
            for environment in project.environments:
                if environment.id == id:
                    return environment
    return None


def _states(engine: Engine) -> dict[str, tuple[str, str]]:
    """Returns name and state of each service and cluster by id. The name includes the environment, and for a name that
    exists already the project."""
    found: dict[str, tuple[str, str]] = {}
    names: set[str] = set()
    for organization in engine.organizations:
        found.update((cluster.id, (cluster.name, state_of(cluster))) for cluster in organization.clusters)
        for project in organization.projects:
            for environment in project.environments:
                for service in environment.services():
                    name = f"{service.name} of {environment.name}"
                    found[service.id] = (
                        f"{service.name} of {project.name}/{environment.name}" if name in names else name,
                        state_of(service),
                    )
                    names.add(name)
    return found
