"""A prediction: the results of some hundred simulated runs of an action, as data, text and report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import in_lines, words_of
from ...generated.states import ERROR
from ...options.arguments import number
from ..scenarios import statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...reporting.run_data import Trace
    from ...reporting.run_report import Report

_SHOWN = 12  # services in the text
_THIN = 20  # steps: after as many that all succeeded, the failure rate may still be 17 %


class PredictedRun(NamedTuple):
    """One simulated run."""

    seed: int
    seconds: float
    """Time from the request to the end."""
    state: str
    """State of the request at the end."""
    failed: tuple[str, ...]
    """Ids of the services with a failed step."""
    path: tuple[str, ...]
    """Ids of the services that the run waited for: the one that ended last in each stage."""
    took: dict[str, float]
    """Seconds of work on each service, by its id."""


class PredictedService(NamedTuple):
    """Results of the runs for one service."""

    id: str
    name: str
    kind: str
    stage: str
    failure: float
    """Share of the runs in which a step of it failed."""
    critical: float
    """Share of the runs that waited for it: it ended last in its stage."""
    seconds: dict[str, float | None]
    """Percentiles of the time of work on it, in seconds."""
    learned_from: int
    """Number of its ended steps in the history, of the kinds that the action takes."""
    failed_before: int = 0
    """Number of failed ones among them."""

    @property
    def failure_before(self) -> statistics.Interval:
        """Share of its steps in the history that failed, with exact bounds of its failure rate at 95 % confidence: the
        fewer steps, the wider."""
        return statistics.exact_share(self.failed_before, self.learned_from)

    @property
    def is_thin(self) -> bool:
        """True if its history is too short for reliable rates: fewer than 20 steps."""
        return self.learned_from < _THIN

    def to_dict(self) -> dict[str, Any]:
        """Returns all of it as plain values."""
        return {**self._asdict(), "failure_before": self.failure_before._asdict(), "is_thin": self.is_thin}


class Prediction:
    """The probable result of an action. `seconds` are percentiles of its duration, from the request to the end."""

    environment: str
    """Name of the environment."""
    action: str
    """The action."""
    runs: int
    """Number of simulated runs."""
    seconds: dict[str, float | None]
    """Percentiles of the duration: "p50", "p90", "p95", "p99"."""
    failure: statistics.Interval
    """Share of the simulated runs that did not succeed. The bounds reflect only the number of runs: with a probability
    of 95 % they contain the share of endless runs. `failure_before` shows how reliable the history itself is."""
    failure_before: statistics.Interval
    """Share of the ended steps in the history that failed, with exact bounds of the failure rate at 95 % confidence."""
    services: tuple[PredictedService, ...]
    """The services that take part, the most often awaited ones first."""
    learned_from: int
    """Ended steps in the history of the kinds that the action takes; 0: their durations are unknown."""

    def __init__(
        self,
        environment: str,
        action: str,
        runs: Sequence[PredictedRun],
        services: Sequence[PredictedService],
        learned_from: int,
        traces: Sequence[Trace],
        failed_before: int = 0,
    ) -> None:
        self.environment = environment
        self.action = action
        self.runs = len(runs)
        self.learned_from = learned_from
        self.failure_before = statistics.exact_share(failed_before, learned_from)
        self._runs = tuple(runs)
        self._traces = tuple(traces)
        self.seconds = statistics.percentiles([run.seconds for run in runs])
        self.failure = statistics.exact_share(sum(_has_failed(run.state) for run in runs), len(runs))
        self.services = tuple(sorted(services, key=lambda service: (-service.critical, -service.failure, service.name)))

    @property
    def durations(self) -> list[float]:
        """Seconds of each run, in the order of seeds."""
        return [run.seconds for run in self._runs]

    @property
    def is_thin(self) -> bool:
        """True if the history of one of the services is too short for reliable rates: fewer than 20 steps."""
        return any(service.is_thin for service in self.services)

    @property
    def critical_path(self) -> list[str]:
        """Names of the services that the runs wait for most often, in the order of stages."""
        paths = Counter(
            [run.path for run in self._runs if not _has_failed(run.state)] or [run.path for run in self._runs]
        )
        most = min(paths, key=lambda path: (-paths[path], path), default=())
        names = {service.id: service.name for service in self.services}
        return [names.get(id, id) for id in most]

    def chance_within(self, seconds: float) -> float:
        """Returns the share of the runs that end within this time."""
        number("seconds", seconds)
        return sum(run.seconds <= seconds for run in self._runs) / len(self._runs) if self._runs else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Returns all of it as plain values."""
        return {
            "environment": self.environment,
            "action": self.action,
            "runs": self.runs,
            "learned_from": self.learned_from,
            "seconds": self.seconds,
            "failure": self.failure._asdict(),
            "failure_before": self.failure_before._asdict(),
            "is_thin": self.is_thin,
            "critical_path": self.critical_path,
            "services": [service.to_dict() for service in self.services],
        }

    def report(self) -> Report:
        """Returns the report: the median run next to a slow one (the 95th percentile), and the distribution of all."""
        from ...reporting.run_report import Report

        found = {"p50": "median", "p90": "90 %", "p95": "95 %", "p99": "99 %"}
        facts = [f"prediction from {self.runs} runs and {self.learned_from} ended steps", *self._reservations()]
        facts += [f"{found[name]} {words_of(value)}" for name, value in self.seconds.items() if value is not None]
        steps = statistics.convergence(
            [[run.seconds] for run in self._runs], [_has_failed(run.state) for run in self._runs]
        )
        worst = sorted(self._runs, key=lambda run: (not _has_failed(run.state), -run.seconds))[:10]
        many = {
            "runs": self.runs,
            "failed": sum(_has_failed(run.state) for run in self._runs),
            "durations": self.seconds,
            "histogram": [list(bin) for bin in statistics.histogram(self.durations)],
            "convergence": [step._asdict() for step in steps],
            "converged": statistics.has_converged(steps),
            "worst": [
                {
                    "seed": run.seed,
                    "longest": run.seconds,
                    "failed": [self._named(id) for id in run.failed],
                    "repeat": "",
                }
                for run in worst
            ],
        }
        first, *others = self._traces
        return Report(
            f"Prediction: {self.action} {self.environment}",
            first,
            others[0] if others else None,
            facts=facts,
            many=many,
        )

    def _named(self, id: str) -> str:
        return next((f"{service.name} fails" for service in self.services if service.id == id), id)

    def _repr_html_(self) -> str:
        """For notebooks: the report."""
        return self.report()._repr_html_()

    def __str__(self) -> str:
        parts = {"p50": "50 %", "p90": "90 %", "p95": "95 %", "p99": "99 %"}
        ends = ", ".join(
            f"{parts[name]} within {words_of(value)}" for name, value in self.seconds.items() if value is not None
        )
        share, least, most = self.failure
        lines = [
            f"{self.action} {self.environment}: {ends}",
            f"does not succeed in {share:.0%} of {self.runs} simulated runs (more runs would show {least:.0%} to "
            f"{most:.0%})",
        ]
        lines.append(f"critical path: {' → '.join(self.critical_path) or 'nothing to do'}")
        lines += [
            f"  {service.name:24} {words_of(service.seconds['p50'] or 0):>7}  waited for in "
            f"{service.critical:4.0%}  fails in {service.failure:5.1%}  ({_history_of(service)})"
            for service in self.services[:_SHOWN]
        ]
        if len(self.services) > _SHOWN:
            lines.append(f"  and {len(self.services) - _SHOWN} more")
        return in_lines([*lines, *self._reservations()])

    def _reservations(self) -> list[str]:
        """Returns warnings about figures that are not reliable."""
        if not self.services:
            return []
        if not self.learned_from:
            return ["the history has no such step: nothing is known of how long they take and how often they fail"]
        thin = [service for service in self.services if service.is_thin]
        if not thin:
            return []
        names = ", ".join(service.name for service in thin[:_SHOWN]) + (
            f" and {len(thin) - _SHOWN} more" if len(thin) > _SHOWN else ""
        )
        return [
            f"thin history: {names}. The rates in brackets are what fewer than {_THIN} steps speak for, with a "
            f"probability of 95 % (exact binomial); the runs cannot know better"
        ]

    def __repr__(self) -> str:
        return (
            f"<Prediction {self.action} {self.environment}: median {words_of(self.seconds['p50'] or 0)}, "
            f"fails in {self.failure.estimate:.0%}, {self.runs} runs>"
        )


def _history_of(service: PredictedService) -> str:
    if not service.learned_from:
        return "no steps in the history"
    _, least, most = service.failure_before
    return f"{service.failed_before} of {service.learned_from} steps in the history failed: {least:.0%} to {most:.0%}"


def _has_failed(state: str) -> bool:
    return state in ERROR or state == "CANCELED"
