"""The state log of `orlop serve`: one line for each change of state and for each failure."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Any

from ..base.event_text import in_lines, is_change_of_state
from ..errors import Closed, Error, EventsForgotten, StorageBusy
from ..simulation.faults import without_faults
from .ending import say

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableSequence

    from ..engine.engine import Engine

_SERVICES = ("application", "argocd_app", "container", "database", "helm", "job", "terraform")
_KINDS = (
    "service.*",
    "cluster.*",
    "deployment.*",
    "step.ended",
    *(f"{family}.edited" for family in ("environment", *_SERVICES)),
)
_NAMES_KEPT = 10_000
_WAITS_FOR = 3600.0  # seconds; then it waits again
_PAUSE = 1.0  # seconds, before a store that could not be read is tried again
_LAST_LINES = 2.0  # seconds for the last lines at the end


class StateLog:
    """Follows the events of an engine and writes to the file descriptor `out`. The events are in the store, so that a
    slow reader of the lines delays and misses nothing.

    `position` holds the number of the last event written; -1 begins after the last event of the store. Processes on one
    store that take turns share it.
    """

    def __init__(self, engine: Engine, out: int, position: MutableSequence[int] | memoryview[int]) -> None:
        self._engine = engine
        self._out = out
        self._position = position
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}
        self._actions: dict[str, str] = {}  # by id of a deployment that has not ended
        self._reasons: dict[str, str] = {}  # last reason written for a subject, until its step has ended
        self._thread = threading.Thread(target=self._run, name="orlop-state-log", daemon=True)
        if position[0] < 0:
            position[0] = engine.last_event

    def start(self) -> None:
        """Follows events from now on, until the engine is closed."""
        self._thread.start()

    def finish(self) -> None:
        """Writes the remaining events, unless the thread is busy for two seconds. Called before the engine is
        closed."""
        if self._lock.acquire(timeout=_LAST_LINES):
            try:
                with contextlib.suppress(Error, OSError):
                    self._write(self._engine.events(self._position[0], kinds=_KINDS))
            finally:
                self._lock.release()

    def _run(self) -> None:
        pause = threading.Event()
        with contextlib.suppress(OSError):  # the reader of the lines has closed the output
            while True:
                try:
                    since = self._position[0]
                    events = self._engine.events(since, kinds=_KINDS, timeout=_WAITS_FOR)
                    with self._lock:
                        self._write([event for event in events if event["sequence"] > self._position[0]])
                except EventsForgotten:  # another caller has removed them
                    self._position[0] = self._engine.last_event
                except StorageBusy:  # the engine has logged it
                    pause.wait(_PAUSE)
                except Closed:
                    return
                except Error as error:
                    say(f"changes of states are not printed any more: {error}")
                    return

    def _write(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            line = self._line(event)
            if line is not None:
                left = memoryview((in_lines([line]) + "\n").encode(errors="replace"))
                while left:
                    left = left[os.write(self._out, left) :]
            self._position[0] = event["sequence"]

    def _line(self, event: Mapping[str, Any]) -> str | None:
        kind, subject = event["kind"], event["subject"]
        detail = event.get("detail") or {}
        noun, _, change = kind.partition(".")
        if noun == "deployment":
            return self._of_deployment(event, change, detail)
        if kind == "step.ended":
            reason = str(detail.get("reason", ""))
            if detail.get("status") != "ERROR" or self._reasons.pop(subject, None) == reason:
                return None
            return f"{self._about(event)}: the step {event.get('to', '')} failed: {reason}"
        if change == "edited":
            if subject in self._names and "name" in detail:
                self._names[subject] = str(detail["name"])
            return None
        if change == "running_changed":
            return f"{self._about(event)} runs: {event.get('from', '')} -> {event.get('to', '')}"
        if not is_change_of_state(event):
            return None
        reason = str(detail.get("reason", ""))
        if reason:
            self._reasons[subject] = reason
        return f"{self._about(event)}: {event.get('from', '')} -> {event['to']}{': ' if reason else ''}{reason}"

    def _of_deployment(self, event: Mapping[str, Any], change: str, detail: Mapping[str, Any]) -> str | None:
        """Returns the line of the environment, whose state is that of its deployments."""
        request = event["subject"]
        if change == "queued":
            self._actions[request] = str(detail.get("action", ""))
        action = self._actions.get(request) or "deployment"
        states = {"queued": f"{action} QUEUED", "started": f"{action} STARTED", "ended": str(event.get("to", ""))}
        if change == "ended":
            self._actions.pop(request, None)
        if change not in states:
            return None
        return f"{event['at']} environment {self._name('environment', event.get('owner', ''), event)}: {states[change]}"

    def _about(self, event: Mapping[str, Any]) -> str:
        family = str(event.get("family", ""))
        said = f"{event['at']} {family} {self._name(family, event['subject'], event)}"
        return f"{said} of {self._name('environment', event.get('owner', ''), event)}" if family in _SERVICES else said

    def _name(self, family: str, id: str, event: Mapping[str, Any]) -> str:
        found = self._names.get(id)
        if found is None:
            if len(self._names) >= _NAMES_KEPT:
                self._names.clear()
            found = self._names[id] = self._read_name(family, id, str(event.get("organization", ""))) or id
        return found

    def _read_name(self, family: str, id: str, organization: str) -> str | None:
        """Reads the name from the subject's events, which exist also after its deletion; else from the record, if the
        events were removed."""
        with contextlib.suppress(Error):
            kinds = [f"{family}.{change}" for change in ("created", "edited", "deleted")]
            names = [
                event["detail"]["name"]
                for event in self._engine.events(subject=id, kinds=kinds)
                if "name" in (event.get("detail") or {})
            ]
            if names:
                return str(names[-1])
        with contextlib.suppress(Error), without_faults(self._engine) as reader:
            path = f"/organization/{organization}/cluster/{id}" if family == "cluster" else f"/{family}/{id}"
            return str(reader.request("GET", path).check()["name"])
        return None
