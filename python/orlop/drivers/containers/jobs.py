"""Runs of jobs: each attempt is a container, which is found again by the step that made it.

A container stays until the next run of its job, also after its success: a host that is killed before the end of the
step is stored starts the step again, and the job must not run twice."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed, StepCanceled
from . import mounts
from .engine_api import EngineApi, EngineRefused
from .texts import archive_of, exit_text, with_log

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..driver import Step

OUTPUTS_SIZE_MAX = 1 << 20
_LOG_LINES_MAX = 1000
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_POLL = 0.2


class JobRun:
    """One run of a job, with its retries."""

    def __init__(self, api: EngineApi, plan: Mapping[str, Any], image: str, step: Step) -> None:
        self._api = api
        self._plan = plan
        self._image = image
        self._step = step
        self._prefix = str(plan["label_prefix"])

    def run(self, labels: Mapping[str, str]) -> dict[str, Any]:
        """Runs the job to its end. Returns its outputs. Raises `DriverFailed` after the last attempt."""
        self._remove_earlier()
        retries = int(self._plan["job"]["retries"])
        for attempt in range(retries + 1):
            name = f"{self._plan['name']}-{self._step.id[:13]}-{attempt}"
            container = self._begun(name, attempt, labels)
            try:
                state = self._wait(container)
            except (StepCanceled, DriverFailed):
                if not self._step.is_lost:
                    self._api.stop(container, int(self._plan["grace_seconds"]), None)
                raise
            if int(state.get("ExitCode") or 0) == 0:
                return self._finish(container)
            reason = f"{self._plan['service']['name']} has ended with {exit_text(state)}"
            if attempt == retries:
                raise DriverFailed(with_log(self._api, container, reason))
            self._step.log(f"{reason}; attempt {attempt + 2} of {retries + 1} begins")
        raise AssertionError

    def _remove_earlier(self) -> None:
        """Removes the containers of earlier runs."""
        labels = {f"{self._prefix}service-id": str(self._plan["service"]["id"])}
        for one in self._api.containers(labels, self._step):
            is_own = (one.get("Labels") or {}).get(f"{self._prefix}step") == self._step.id
            if not is_own and one.get("State") != "running":
                self._api.remove(str(one["Id"]), self._step)

    def _begun(self, name: str, attempt: int, labels: Mapping[str, str]) -> str:
        found = self._api.inspect(name, self._step)
        if found is not None and not str(found["State"].get("StartedAt") or "0001").startswith("0001"):
            return str(found["Id"])  # it was started before a crash
        if found is not None:
            self._api.remove(name, self._step)
        self._step.check_canceled()
        body = dict(self._plan["container"])
        body["Image"] = self._image
        body["Labels"] = {**body["Labels"], **labels, f"{self._prefix}attempt": str(attempt)}
        mounted = mounts.ensure(self._api, self._plan, 0, self._step)
        if mounted:
            body["HostConfig"] = {**body["HostConfig"], "Mounts": mounted}
        image = self._plan["image"]
        try:
            container = self._api.create(name, body, image["platform"] if image else None, self._step)
            folders = (str(self._plan["job"]["outputs_folder"]),)
            self._api.add_files(container, archive_of(self._plan["files"], folders), self._step)
            self._api.start(container, self._step)
        except EngineRefused as error:
            raise DriverFailed(f"the job {self._plan['service']['name']} cannot be started: {error}") from None
        return container

    def _wait(self, container: str) -> Mapping[str, Any]:
        bound = self._plan["job"]["duration_seconds"]
        begun = time.monotonic()
        while True:
            found = self._api.inspect(container, self._step)
            if found is None:
                raise DriverFailed(f"the container of {self._plan['service']['name']} was removed by another program")
            state: dict[str, Any] = found["State"]
            if not state.get("Running") and state.get("Status") in ("exited", "stopped", "dead"):
                return state
            if bound is not None and time.monotonic() - begun > float(bound):
                reason = f"{self._plan['service']['name']} has not ended within {bound} seconds"
                raise DriverFailed(with_log(self._api, container, reason))
            self._step.wait_canceled(_POLL)
            self._step.check_canceled()

    def _finish(self, container: str) -> dict[str, Any]:
        for line in self._api.log_lines(container, _LOG_LINES_MAX):
            self._step.log(line)
        text = self._api.read_file(container, str(self._plan["job"]["outputs"]), OUTPUTS_SIZE_MAX)
        return outputs_of(text, self._step)


def outputs_of(text: bytes | None, step: Step) -> dict[str, Any]:
    """Reads the outputs: an object of names with {"value", "sensitive"} or a plain value. Broken ones are none, and a
    line of the log says why."""
    if not text or not text.strip():
        return {}
    try:
        read = json.loads(text)
    except ValueError as error:
        step.log(f"the outputs of the job are left out: they must be a JSON object ({error})")
        return {}
    outputs: dict[str, Any] = {}
    for name, given in read.items() if isinstance(read, dict) else ():
        if not _NAME.fullmatch(name):
            step.log(f"the outputs of the job are left out: a name must be letters, digits and _, not {name!r}")
            return {}
        held = given if isinstance(given, dict) and "value" in given else {"value": given}
        value = held["value"]
        shown = value if isinstance(value, str) else json.dumps(value)
        outputs[name.upper()] = {"value": shown, "sensitive": bool(held.get("sensitive", False))}
    return outputs
