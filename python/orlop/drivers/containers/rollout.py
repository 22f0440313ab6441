"""The switch from the containers of one version of a service to those of another."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed, StepCanceled
from . import mounts, probes
from .engine_api import EngineApi, EngineRefused
from .fixed_ports import fixed_ports
from .texts import archive_of, exit_text, with_log

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..driver import Step
    from .proxy import ServiceRoutes

Addresses = dict[int, tuple[str, int]]  # published address of each TCP port of a container

SETTLED_AFTER = 0.3  # seconds: a container without a probe counts as ready if it still runs then
_RESTARTS_MAX = 3
_ENDED_FOR = 0.5  # seconds: the engine does not restart a container that has ended for longer
_POLL_FIRST = 0.05
_END_TRIES = 40  # that a container which is restarted again and again gets to be seen at its end
_POLL_LAST = 1.0


class Rollout:
    """One deployment of a service. `version` names the containers that it makes, so that a repeated one finds them.
    `routes` are those of a service that the proxy serves."""

    def __init__(
        self,
        api: EngineApi,
        plan: Mapping[str, Any],
        version: str,
        image: str,
        step: Step,
        routes: ServiceRoutes | None = None,
    ) -> None:
        self._api = api
        self._plan = plan
        self._version = version
        self._image = image
        self._step = step
        self._routes = routes
        self._prefix = str(plan["label_prefix"])
        self._grace = int(plan["grace_seconds"])
        self.service_labels = {f"{self._prefix}service-id": str(plan["service"]["id"])}
        self.changed = False

    def run(self, labels: Mapping[str, str]) -> list[Addresses]:
        """Makes the service run with this version. Returns the addresses of its containers."""
        brand = (f"{self._prefix}managed-by", self._prefix.partition(".")[0])
        present = self._api.of_service(self.service_labels, brand, self._step)
        names = [self._name(index) for index in range(len(self._plan["instances"]))]
        running = {name_of(one): one for one in present if one.get("State") == "running"}
        others = [one for one in present if name_of(one) not in names]
        if all(name in running for name in names) and not any(one.get("State") == "running" for one in others):
            ready = [self._wait_unchanged(running[name]) for name in names]
            self._put_in(names, ready)
            self._remove([one for one in others if not is_failed(one)])
            return ready
        self.changed = True
        others_running = [one for one in others if one.get("State") == "running"]
        if not others_running and self._plan["strategy"]["kind"] == "recreate":
            # A crash between the stop of the old containers and the start of the new ones.
            others_running = [one for one in others if not is_failed(one)] if self._step.resumed else []
        for one in present:  # those that were stopped, or that a crash has left before their start
            if name_of(one) in names and name_of(one) not in running:
                self._api.remove(str(one["Id"]), self._step)
        return self._switch(names, running, others, others_running, labels)

    def _switch(
        self,
        names: list[str],
        running: Mapping[str, Any],
        others: list[dict[str, Any]],
        previous: list[dict[str, Any]],
        labels: Mapping[str, str],
    ) -> list[Addresses]:
        is_stop_first = self._plan["strategy"]["kind"] == "recreate"
        if is_stop_first and previous:
            self._step.log(f"the old containers are stopped first: {self._plan['strategy']['reason']}")
            self._put_in([], [])
            self._stop(previous)
        try:
            for index, name in enumerate(names):
                if name not in running:
                    self._make(index, name, labels)
            begun = time.monotonic()
            ready = [self.wait_one(name, begun) for name in names]
            self._put_in(names, ready)
        except (DriverFailed, StepCanceled):
            if not self._step.is_lost:
                self._undo(names, running, previous if is_stop_first else [])
            raise
        if not is_stop_first:
            self._stop(previous)
        self._remove(others)
        return ready

    def _undo(self, names: list[str], running: Mapping[str, Any], previous: list[dict[str, Any]]) -> None:
        """Stops the new containers and starts the old ones. The new ones stay, so that their log can be read, but those
        with fixed ports: Podman holds the ports of a container that it has restarted until the container is removed."""
        keeps_ports = bool(fixed_ports(self._plan))
        for name in names:
            found = self._api.inspect(name)
            if found is None or name in running:
                continue
            self._api.stop(str(found["Id"]), 0, None)
            if keeps_ports:
                self._api.remove(str(found["Id"]), None)
                continue
            self._api.remove(f"failed-{name}", None)
            self._api.rename(str(found["Id"]), f"failed-{name}", None)
        for one in previous:
            self._api.start_again(str(one["Id"]))
        found = {name_of(one): self._api.inspect(str(one["Id"])) for one in previous}
        running = {name: one for name, one in found.items() if one and one["State"].get("Running")}
        restored = {name: addresses_of(one) or self._of_machine() for name, one in running.items()}
        if restored:
            with contextlib.suppress(DriverFailed):  # the reason that is raised is that of the new containers
                self._put_in(list(restored), list(restored.values()))

    def _put_in(self, names: list[str], addresses: list[Addresses]) -> None:
        """Makes the proxy send requests to these containers alone, and waits until the others have answered theirs."""
        if self._routes is not None:
            self._routes.put_in(dict(zip(names, addresses)))

    def _make(self, index: int, name: str, labels: Mapping[str, str]) -> None:
        """Creates and starts a container. One whose port was taken meanwhile is made anew."""
        self._step.check_canceled()
        try:
            self._create_and_start(index, name, labels)
        except EngineRefused as first:
            found = self._api.inspect(name, self._step)
            reason = (found or {}).get("State", {}).get("Error") or str(first)
            if found is not None:
                self._api.remove(name, self._step)
            if "address already in use" not in reason and "already exists" not in reason:
                raise DriverFailed(f"a container of {self._plan['name']} cannot be started: {reason}") from None
            try:
                self._create_and_start(index, name, labels)
            except EngineRefused as error:
                raise DriverFailed(f"a container of {self._plan['name']} cannot be started: {error}") from None

    def _create_and_start(self, index: int, name: str, labels: Mapping[str, str]) -> None:
        mounted = mounts.ensure(self._api, self._plan, index, self._step)
        body = dict(self._plan["container"])
        body["Image"] = self._image
        body["Labels"] = {**body["Labels"], **labels, f"{self._prefix}version": self._version}
        body["HostConfig"] = {**body["HostConfig"], "Mounts": [*mounted, *self._folders_of_files()]}
        container = self._api.create(name, body, self._platform(), self._step)
        if self._plan["files"]:
            self._api.add_files(container, archive_of(self._plan["files"]), self._step)
        self._api.start(container, self._step)

    def _folders_of_files(self) -> list[dict[str, Any]]:
        """Docker adds no file to a container whose root is read-only, but it does to a volume of it."""
        if not self._plan["container"]["HostConfig"].get("ReadonlyRootfs"):
            return []
        folders = sorted({str(file["path"]).rpartition("/")[0] for file in self._plan["files"]} - {"", "/tmp"})
        return [{"Type": "volume", "Target": folder} for folder in folders]

    def _platform(self) -> str | None:
        return None if self._plan["image"] is None else self._plan["image"]["platform"]

    def _wait_unchanged(self, listed: dict[str, Any]) -> Addresses:
        """Returns the addresses of a container that runs already; waits only if it is not healthy now."""
        addresses = addresses_of_listed(listed) or self._of_machine()
        probe = self._plan["probes"]["readiness"]
        if probe is None or not probes.check(probe, self._api, str(listed["Id"]), addresses):
            return addresses
        return self.wait_one(name_of(listed), time.monotonic(), is_new=False)

    def wait_one(self, name: str, begun: float, is_new: bool = True) -> Addresses:
        """Waits until a container is ready. Raises `DriverFailed` with the end of its log if it will not be."""
        probe = self._plan["probes"]["readiness"]
        limit = SETTLED_AFTER if probe is None else float(probe["limit_seconds"])
        delay, successes, said, ended_at = _POLL_FIRST, 0, "it has not been probed", 0.0
        ended: Mapping[str, Any] | None = None  # the last state in which it was seen not to run
        restarts_before = -1  # those that it has had when it is first seen
        while True:
            found = self._api.inspect(name, self._step)
            now = time.monotonic()
            if found is None:
                raise DriverFailed(f"the container {name} was removed by another program")
            if found["State"].get("Running"):
                ended_at = 0.0
                said = self._said(probe, found, now - begun >= limit or not is_new)
                successes = 0 if said else successes + 1
                if not said and (probe is None or successes >= int(probe["success_threshold"])):
                    return addresses_of(found) or self._of_machine()
            elif self._has_done_its_work(found["State"]):
                return {}
            else:
                ended_at = ended_at or now
            if _has_ended(found["State"]):
                ended = found["State"]
            restarts = int(found.get("RestartCount") or 0)
            restarts_before = restarts if restarts_before < 0 else restarts_before
            self._check_runs(ended, name, restarts - restarts_before, now - ended_at if ended_at else 0.0)
            if probe is not None and now - begun > limit:
                reason = f"{self._plan['name']} was not ready within {limit:g} seconds ({said})"
                raise DriverFailed(with_log(self._api, name, reason))
            self._step.wait_canceled(delay)
            self._step.check_canceled()
            delay = min(delay * 1.5, _POLL_LAST)

    def _said(self, probe: Mapping[str, Any] | None, found: dict[str, Any], has_settled: bool) -> str:
        """Returns "" if a running container counts as healthy now, else the reason."""
        if probe is None:
            return "" if has_settled else "it has begun just now"
        return probes.check(probe, self._api, str(found["Id"]), addresses_of(found) or self._of_machine())

    def _check_runs(self, ended: Mapping[str, Any] | None, name: str, restarts: int, ended_for: float) -> None:
        """Raises for a container that has ended, or that the engine restarts again and again: Podman never says so."""
        most = _RESTARTS_MAX if self._plan["probes"]["readiness"] else 1
        if restarts >= most or ended_for > _ENDED_FOR:
            ended = ended or self._next_end(name)
            reason = f"{self._plan['name']} has ended" + (f" with {exit_text(ended)}" if ended else "")
            raise DriverFailed(with_log(self._api, name, reason + (f", {restarts} restarts" if restarts else "")))

    def _has_done_its_work(self, state: Mapping[str, Any]) -> bool:
        """Reports whether the container has ended well and is not to be started again (`runtime.restart` NO)."""
        policy = self._plan["container"]["HostConfig"]["RestartPolicy"]["Name"]
        return policy == "no" and state.get("Status") in ("exited", "stopped") and state.get("ExitCode") == 0

    def _next_end(self, name: str) -> Mapping[str, Any] | None:
        """Waits a little for the container to end again: Podman shows no exit code of one that it has restarted."""
        for _ in range(_END_TRIES):
            found = self._api.inspect(name, self._step)
            if found is not None and _has_ended(found["State"]):
                state: Mapping[str, Any] = found["State"]
                return state
            self._step.wait_canceled(_POLL_FIRST)
            self._step.check_canceled()
        return None

    def _of_machine(self) -> Addresses:
        """Returns the addresses of a service that uses the network of the machine."""
        if self._plan["container"]["HostConfig"]["NetworkMode"] != "host":
            return {}
        return {int(port["port"]): ("127.0.0.1", int(port["port"])) for port in self._plan["ports"]}

    def _stop(self, containers: list[dict[str, Any]]) -> None:
        for one in containers:
            self._api.stop(str(one["Id"]), self._grace, self._step)

    def _remove(self, containers: list[dict[str, Any]]) -> None:
        for one in containers:
            self._api.remove(str(one["Id"]), self._step)

    def _name(self, index: int) -> str:
        return f"{self._plan['name']}-{self._version}-{index}"


def _has_ended(state: Mapping[str, Any]) -> bool:
    """Reports whether the state has an exit code. Docker shows one that it starts again as running."""
    return bool(state.get("ExitCode")) or (not state.get("Running") and state.get("Status") != "created")


def name_of(listed: Mapping[str, Any]) -> str:
    """Returns the name of a listed container."""
    return str((listed.get("Names") or [""])[0]).lstrip("/")


def is_failed(listed: Mapping[str, Any]) -> bool:
    """Reports whether the container is kept only for its log."""
    return name_of(listed).startswith("failed-")


def addresses_of(found: Mapping[str, Any]) -> Addresses:
    """Returns the published address of each TCP port. Docker chooses another port at each start."""
    addresses: Addresses = {}
    for key, bindings in ((found.get("NetworkSettings") or {}).get("Ports") or {}).items():
        number, _, transport = str(key).partition("/")
        if transport != "udp" and bindings:
            addresses[int(number)] = (_reached(bindings[0].get("HostIp")), int(bindings[0]["HostPort"]))
    return addresses


def addresses_of_listed(listed: Mapping[str, Any]) -> Addresses:
    """Returns the same of a listed container."""
    ports = [one for one in listed.get("Ports") or () if one.get("PublicPort") and one.get("Type") != "udp"]
    return {int(one["PrivatePort"]): (_reached(one.get("IP")), int(one["PublicPort"])) for one in ports}


def _reached(host: object) -> str:
    return "127.0.0.1" if not host or host == "0.0.0.0" else str(host)
