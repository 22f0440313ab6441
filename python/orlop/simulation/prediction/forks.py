"""Predicts an action by forking the store into simulations that behave as its history did. The store itself is only
read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, cast

from ...base.event_text import instant, is_change_of_state
from ...base.wire import dumps
from ...errors import Misuse
from ...generated.states import PHASE_OF_STATE, TRANSIENT
from ...options.arguments import shown, whole
from ...reporting.run_data import Trace
from ..base_simulation import BaseSimulation
from ..faults import without_faults
from ..forked_snapshots import for_simulation
from ..rules import control
from ..scenarios import statistics
from ..traces.subjects import services_of
from .history import STEPS, EndedSteps, History, rules_of
from .prediction import PredictedRun, PredictedService, Prediction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...base.engine_protocol import EngineWithObjects
    from ...resources.resource import Resource
    from ..traces.states import Subject

ACTIONS = ("deploy", "redeploy", "stop", "uninstall")
RUNS = 200
_RUNS_MAX = 100_000
_DAYS_MAX = 30
_SLOW = 0.95
# Kinds of events that _read() needs of a run.
_KINDS = (
    "deployment.queued",
    "deployment.ended",
    *STEPS,
    *(f"service.{state.lower()}" for state in PHASE_OF_STATE if state not in TRANSIENT),
)


def predict(
    environment: Resource,
    action: str = "deploy",
    runs: int = RUNS,
    seed: int = 0,
    after_run: Callable[[], None] = lambda: None,
) -> Prediction:
    """Predicts the action of an environment. `after_run` is called after each run.

    Raises `Misuse` for arguments that are not allowed, and `Conflict` if the action has nothing to do.
    """
    if action not in ACTIONS:
        raise Misuse(f"action must be one of {', '.join(ACTIONS)}, not {shown(action)}")
    whole("runs", runs, 1, _RUNS_MAX)
    whole("seed", seed, 0, 2**63 - 1 - runs)
    engine = environment._engine
    history = History(engine._read_events(0, None, None, kinds=STEPS))
    snapshot = engine.snapshot()
    with without_faults(cast("EngineWithObjects", engine)) as reader:
        services = services_of(type(environment)(reader, environment._data, environment._parent, environment._above))
    found = []
    with _Fork(snapshot, environment, action, rules_of(history, services), services) as fork:
        for number in range(runs):
            found.append(fork.run(seed + number))
            after_run()
        order = sorted(found, key=lambda run: run.seconds)
        median, slow = order[len(order) // 2], order[min(len(order) - 1, int(len(order) * _SLOW))]
        traces = [fork.trace(median.seed, "the median run"), fork.trace(slow.seed, "a slow run (95 %)")]
    ended = history.ended(fork.kinds)
    total, failed = (sum(counts) for counts in zip(*ended.values(), strict=True)) if ended else (0, 0)
    return Prediction(environment["name"], action, found, _services(found, services, ended), total, traces, failed)


class _Fork:
    """A simulation of a snapshot that repeats one action, each time with another seed."""

    kinds: set[str]
    """Kinds of steps that the runs took."""

    def __init__(
        self,
        snapshot: bytes,
        environment: Resource,
        action: str,
        rules: Sequence[Mapping[str, Any]],
        services: Mapping[str, Subject],
    ) -> None:
        self._simulation = BaseSimulation(snapshot=for_simulation(snapshot, with_events=False))
        control(self._simulation._core, "POST", "rules", dumps({"rules": list(rules)}, "rules"))
        self._since = self._simulation.last_event
        self._begin = self._simulation.snapshot()  # running steps have begun again
        self._environment = type(environment)(self._simulation, environment._data, environment._parent)
        self._action = action
        self._services = services
        self.kinds = set()

    def __enter__(self) -> _Fork:
        return self

    def __exit__(self, *_: object) -> None:
        self._simulation.close()

    def run(self, seed: int) -> PredictedRun:
        events, request, state = self._events(seed, _KINDS)
        self.kinds.update(event["to"] for event in events if event["kind"] == "step.started")
        return _read(seed, events, request, state, self._services)

    def trace(self, seed: int, label: str) -> Trace:
        """Makes the run again and returns its trace."""
        return Trace(label, self._events(seed)[0], self._services)

    def _events(self, seed: int, kinds: Sequence[str] = ()) -> tuple[list[dict[str, Any]], str, str]:
        self._simulation.restore(self._begin, seed=seed)
        run = getattr(self._environment, self._action)()
        run.wait(timeout=_DAYS_MAX * 86_400)
        return self._simulation._read_events(self._since, None, None, kinds=kinds), run.id, run.state


def _read(
    seed: int, events: Sequence[Mapping[str, Any]], request: str, state: str, services: Mapping[str, Subject]
) -> PredictedRun:
    """Reads the result of one run from its events."""
    queued = ended = 0.0
    began: dict[str, float] = {}
    took: dict[str, float] = {}
    last: dict[str, tuple[float, str]] = {}
    failed: dict[str, None] = {}
    for event in events:
        at, subject = instant(event["at"]).timestamp(), event["subject"]
        if subject == request and event["kind"] == "deployment.queued":
            queued = at
        elif subject == request and event["kind"] == "deployment.ended":
            ended = at
        elif event.get("request") != request or subject not in services:
            continue
        elif event["kind"] == "step.started":
            began.setdefault(subject, at)
        elif event["kind"] == "step.ended" and (event.get("detail") or {}).get("status") == "ERROR":
            failed[subject] = None
        elif is_change_of_state(event) and event["to"] not in TRANSIENT and subject in began:
            took[subject] = round(at - began[subject], 3)
            stage = services[subject].stage
            if stage not in last or at >= last[stage][0]:
                last[stage] = (at, subject)
    path = tuple(subject for _, subject in sorted(last.values()))
    return PredictedRun(seed, round(ended - queued, 3), state, tuple(failed), path, took)


def _services(
    runs: Sequence[PredictedRun], services: Mapping[str, Subject], ended: Mapping[str, EndedSteps]
) -> list[PredictedService]:
    times: dict[str, list[float]] = defaultdict(list)
    failed: Counter[str] = Counter()
    critical: Counter[str] = Counter()
    for run in runs:
        failed.update(run.failed)
        critical.update(run.path)
        for id, seconds in run.took.items():
            times[id].append(seconds)
    return [
        PredictedService(
            id,
            subject.name,
            subject.kind,
            subject.stage,
            failed[id] / len(runs),
            critical[id] / len(runs),
            statistics.percentiles(times[id]),
            ended.get(id, EndedSteps(0, 0)).total,
            ended.get(id, EndedSteps(0, 0)).failed,
        )
        for id, subject in services.items()
        if id in times
    ]
