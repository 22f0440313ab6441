"""The data of a report: services, deployments and queues, read from the events of a run, as plain values for the
page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.event_text import instant, is_change_of_state
from ..generated.states import PHASE_OF_STATE, PHASES
from .capacity_data import capacity_series, cost_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..simulation.traces.states import Subject

_LOG_LINES_MAX = 20_000  # log lines of a run in its report
_LOG_TEXT_MAX = 500
_CELLS_MAX = 2_000_000  # states of a run in its report

_PHASE_OF_RUNNING = {
    "STARTING": "working",
    "RUNNING": "running",
    "WARNING": "stopping",
    "ERROR": "failed",
    "STOPPING": "stopping",
    "STOPPED": "stopped",
    "COMPLETED": "canceled",
    "UNKNOWN": "waiting",
}
_PHASE_OF_RUN = {"RUNNING": "working", "SUCCEEDED": "idle", "FAILED": "failed"}  # states that only tasks have


class Trace(NamedTuple):
    """The events of a run, and the names of its resources."""

    label: str
    """Name of the run, such as "seed 42"."""
    events: Sequence[Mapping[str, Any]]
    subjects: Mapping[str, Subject]
    end: float = 0.0
    """Time of the end of the run in seconds since 1970, if it is later than the last event."""


class _Row:
    """The states of a service or cluster over time, in seconds since the run began."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.at: list[float] = []
        self.state: list[int] = []
        self.ran_at: list[float] = []
        self.ran: list[int] = []
        self.reasons: dict[int, str] = {}
        self.log: list[tuple[float, str]] = []
        self.until: float | None = None


class _Reader:
    """Reads the events once, in order."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.begin = instant(trace.events[0]["at"]).timestamp() if trace.events else trace.end
        self.end = max(
            instant(trace.events[-1]["at"]).timestamp() if trace.events else 0.0, self.begin + 0.001, trace.end
        )
        self.rows: dict[str, _Row] = {}
        self.states: dict[str, int] = {}
        self.running_states: dict[str, int] = {}
        self.deployments: dict[str, list[Any]] = {}
        self.failures: list[list[Any]] = []
        self.queue: dict[str, list[float]] = {"at": [0.0], "waiting": [0], "running": [0]}
        self._rules: dict[str, str] = {}
        self._lines = 0
        for event in trace.events:
            self._take(event, round(instant(event["at"]).timestamp() - self.begin, 3))

    def _take(self, event: Mapping[str, Any], at: float) -> None:
        kind, subject = event["kind"], event["subject"]
        if kind.startswith("deployment.") and kind.split(".")[1] in ("queued", "started", "ended"):
            self._deployment(event, at)
        elif is_change_of_state(event) or _is_of_run(event, "task."):
            self._state(event, at)
        elif kind.endswith(".running_changed"):
            row = self._row(event)
            row.ran_at.append(at)
            row.ran.append(self.running_states.setdefault(event.get("to", ""), len(self.running_states)))
        elif kind == "step.log":
            self._log(event, at)
        elif kind == "step.ended":
            self._step(event, at)
        elif kind.endswith(".deleted") and subject in self.rows:
            self.rows[subject].until = at

    def _subject(self, id: str, kind: str) -> Subject:
        from ..simulation.traces.states import Subject

        return self._trace.subjects.get(id) or Subject(kind, id)

    def _named(self, event: Mapping[str, Any], kind: str) -> tuple[str, Subject]:
        """Returns the subject of the event. All runs of a cron job count as one subject, the job's runs."""
        if not _is_of_run(event):
            return event["subject"], self._subject(event["subject"], kind)
        job = self._subject(event["owner"], "service")
        return f"{event['owner']} runs", job._replace(kind="job_run", name=f"{job.name} (runs)")

    def _row(self, event: Mapping[str, Any]) -> _Row:
        id, subject = self._named(event, event["kind"].partition(".")[0])
        if id not in self.rows:
            self.rows[id] = _Row(subject)
        return self.rows[id]

    def _state(self, event: Mapping[str, Any], at: float) -> None:
        row = self._row(event)
        reason = (event.get("detail") or {}).get("reason", "")
        if reason:
            row.reasons[len(row.at)] = str(reason)[:_LOG_TEXT_MAX]
        row.at.append(at)
        row.state.append(self.states.setdefault(event["to"], len(self.states)))

    def _log(self, event: Mapping[str, Any], at: float) -> None:
        text = str((event.get("detail") or {}).get("text", ""))[:_LOG_TEXT_MAX]
        rule = rule_of(text)
        if rule:
            self._rules[event["subject"]] = rule
        self._row(event).log.append((at, text))
        self._lines += 1

    def _step(self, event: Mapping[str, Any], at: float) -> None:
        detail = event.get("detail") or {}
        if detail.get("status") == "ERROR":
            _, subject = self._named(event, "service")
            reason = str(detail.get("reason", ""))[:_LOG_TEXT_MAX]
            rule = self._rules.get(event["subject"], "")
            self.failures.append(
                [
                    at,
                    subject.environment,
                    subject.stage,
                    subject.name,
                    str(detail.get("kind", event.get("to", ""))),
                    reason,
                    rule,
                ]
            )
        self._rules.pop(event["subject"], None)

    def _deployment(self, event: Mapping[str, Any], at: float) -> None:
        id, change = event["subject"], event["kind"].split(".")[1]
        found = self.deployments.setdefault(
            id, [self._subject(event.get("owner", ""), "environment").name, at, None, None, ""]
        )
        waiting, running = self.queue["waiting"][-1], self.queue["running"][-1]
        if change == "queued":
            waiting += 1
        elif change == "started":
            waiting, running, found[2] = waiting - 1, running + 1, at
        else:
            found[3], found[4] = at, event.get("to", "")
            waiting, running = (waiting - 1, running) if found[2] is None else (waiting, running - 1)
        if self.queue["at"][-1] != at:
            for name, value in (("at", at), ("waiting", waiting), ("running", running)):
                self.queue[name].append(value)
        else:
            self.queue["waiting"][-1], self.queue["running"][-1] = waiting, running


def _is_of_run(event: Mapping[str, Any], kind: str = "") -> bool:
    return event.get("family") == "job_run" and str(event["kind"]).startswith(kind)


def rule_of(text: str) -> str:
    """Returns the name of the rule in a log line that names the one that decides about a step; "" for any other
    line."""
    head, _, rest = text.partition('the rule "')
    name, mark, _ = rest.rpartition('" decides')
    return name if mark and not head else ""


def run_data(trace: Trace) -> dict[str, Any]:
    reader = _Reader(trace)
    groups: dict[tuple[str, str], int] = {}
    rows = []
    drop = max(0, reader._lines - _LOG_LINES_MAX)
    cells = 0
    order = {id: number for number, id in enumerate(trace.subjects)}
    ordered = sorted(reader.rows.items(), key=lambda entry: order.get(entry[0], len(order)))
    first: dict[tuple[str, str], int] = {}
    for _, row in ordered:
        first.setdefault((row.subject.environment, row.subject.stage), len(first))
    for _, row in sorted(ordered, key=lambda entry: first[(entry[1].subject.environment, entry[1].subject.stage)]):
        if not row.at or cells + len(row.at) + len(row.ran) > _CELLS_MAX:
            continue
        cells += len(row.at) + len(row.ran)
        cut = min(drop, len(row.log))
        drop -= cut
        group = groups.setdefault((row.subject.environment, row.subject.stage), len(groups))
        rows.append(
            {
                "group": group,
                "name": row.subject.name,
                "kind": row.subject.kind,
                "at": row.at,
                "state": row.state,
                "until": row.until,
                "reasons": row.reasons,
                "log": row.log[cut:],
                "ran_at": row.ran_at,
                "ran": row.ran,
            }
        )
    named = [list(key) if any(key) else ["clusters and other resources", ""] for key in groups]
    return {
        "label": trace.label,
        "begin": reader.begin,
        "end": reader.end,
        "groups": named,
        "states": list(reader.states),
        "running_states": list(reader.running_states),
        "rows": rows,
        "queue": reader.queue,
        "cost": cost_of(trace.events, reader.begin, reader.end),
        "series": capacity_series(trace.events, trace.subjects, reader.begin),
        "deployments": list(reader.deployments.values()),
        "failures": reader.failures,
    }


def page_data(
    title: str,
    facts: Sequence[str],
    runs: Sequence[Mapping[str, Any]],
    many: Mapping[str, Any] | None,
    difference: str,
    answer: Sequence[str],
) -> str:
    """Returns all data of a page as JSON that is safe inside HTML."""
    names = list(PHASES)
    found = {
        "title": title,
        "facts": list(facts),
        "runs": list(runs),
        "many": many,
        "difference": difference,
        "answer": list(answer),
        "idle": names.index("idle"),
        "phases": [{"name": name, "colour": phase.colour, "meaning": phase.meaning} for name, phase in PHASES.items()],
        "phase_of_state": {state: names.index(phase) for state, phase in (PHASE_OF_STATE | _PHASE_OF_RUN).items()},
        "phase_of_running": {state: names.index(phase) for state, phase in _PHASE_OF_RUNNING.items()},
    }
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
