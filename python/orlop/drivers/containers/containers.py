"""`Containers`: services become containers of Docker or Podman on this machine."""

from __future__ import annotations

import contextlib
import threading
import time
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed, Misuse, text_of
from ...options.arguments import shown
from ...workloads import container_plan
from .. import driver
from ..workload import Workload
from ..driver import Driver, Step
from . import builds, images
from .engine_api import EngineApi, EngineRefused, default_address
from .fixed_ports import FixedPorts
from .jobs import JobRun
from .log_streams import merged
from .observed import observed
from .proxy import Proxy, ServiceRoutes, has_routes
from .rollout import Addresses, Rollout, addresses_of_listed, is_failed, name_of
from .texts import version_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..observation import Observation, Subjects

_EVENTS = {
    "deploy": "on_start",
    "stop": "on_stop",
    "delete": "on_delete",
    "remove": "on_delete",
    "uninstall": "on_delete",
}
_NETWORK_TRIES = 50
_NETWORK_DELAY = 0.2  # seconds
_ADDRESSES_MAX = 100  # that a step returns
_LOOKS_AGAIN_AFTER = 0.2  # seconds
_SCHEMES = {"HTTP": "http", "GRPC": "grpc"}


class Containers(Driver):
    """Driver that runs services as containers of Docker or Podman.

    `address` is that of the engine's API (default: `DOCKER_HOST`, else the socket of Docker or Podman on this machine).
    `options` are those of `orlop.workloads.container_plan`, such as `brand` and `ulimits`. `patience` is the time in
    seconds for which a step waits for an engine that does not answer; `keep_images` the number of built images of a
    service that are kept for a rollback. With `allow_host_access` the `runtime` of a service may mount paths of this
    machine, use its network and devices, and have its image built from a folder. Needs the extra `orlop[containers]`.

    With `proxy="haproxy"` the public HTTP and gRPC ports of services have host names on 127.0.0.1, at `http_port` and,
    with TLS, at `https_port` (None: without TLS). HAProxy outlives the driver; its state is in `state_folder` (default:
    a folder of the user). `drain_seconds` is how long old containers get to answer their requests at a switch.
    """

    workers = 32
    """Steps at the same time, 32: most of them wait for the container engine."""
    schedules = "engine"
    """The engine runs cron jobs at their times: a container engine has no schedules."""

    def __init__(
        self,
        address: str = "",
        *,
        options: Mapping[str, Any] | None = None,
        patience: float = 30.0,
        timeout: float = 60.0,
        parallel: int = 8,
        keep_images: int = 3,
        allow_host_access: bool = False,
        proxy: str | None = None,
        http_port: int = 8080,
        https_port: int | None = 8443,
        state_folder: str = "",
        drain_seconds: float = 10.0,
    ) -> None:
        if keep_images < 1:
            raise Misuse(f"keep_images must be 1 or more, not {shown(keep_images)}")
        if proxy not in (None, "haproxy"):
            raise Misuse(f'proxy must be None or "haproxy", not {shown(proxy)}')
        self._api = EngineApi(address or default_address(), timeout, patience, parallel)
        self._options = dict(options or {})
        if allow_host_access:
            self._options["allow_host_access"] = True
        self._ports = FixedPorts(self._api)
        self._networks: dict[str, str] = {}
        self._lock = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}  # by service
        self._keep_images = keep_images
        self._proxy: Proxy | None = None
        if proxy is not None:
            self._proxy = Proxy(http_port, https_port, state_folder, drain_seconds, self._api.address, self._prefix())

    # ---- Steps ----
    def build(self, step: Step) -> None:
        """Builds the image of an application or job, once for each commit, Dockerfile and arguments."""
        plan = self._plan(step)
        if plan["build"] is not None:
            builds.ensure(self._api, plan, step, self._keep_images)

    def deploy(self, step: Step) -> Any:
        """Deploys a service: new copies become ready before the old ones are stopped, where nothing forbids it."""
        plan = self._plan(step)
        with self._turn(step):
            return self._deploy(plan, step)

    def _deploy(self, plan: Mapping[str, Any], step: Step) -> Any:
        for note in plan["notes"]:
            step.log(note)
        if plan["kind"] == "terraform":
            raise DriverFailed("Terraform services are not deployed by this driver yet")
        image, outputs = self._image(plan, step)
        if plan["kind"] == "job":  # a job that waits for its schedule or for another event
            return outputs
        self._ensure_network(plan, step)
        version = version_of(str(plan["hash"]), image)
        routes = self._routes(plan, step)
        rollout = Rollout(self._api, plan, version, image, step, routes)
        with self._ports.claimed(plan, step):
            ready = self._retried(rollout, plan, step, {} if routes is None else routes.labels())
        outputs["instances"] = len(ready)
        outputs["addresses"] = _addresses(plan, ready, routes)
        if not rollout.changed:
            return getattr(driver, "UNCHANGED", outputs)
        for address in outputs["addresses"]:
            step.log(f"{plan['service']['name']} answers at {address['url']}")
        return outputs

    def execute(self, step: Step) -> dict[str, Any]:
        """Runs a job to its end."""
        with self._turn(step):
            return self._run_job(step, _EVENTS.get(step.action, ""))

    def task(self, step: Step) -> dict[str, Any] | None:
        """Runs a cron job at its time. Other tasks need no work on a container engine."""
        return self._run_job(step, "cronjob") if step.family == "job_run" else None

    def stop(self, step: Step) -> None:
        """Stops the containers. Volumes and logs stay."""
        plan = self._plan(step)
        with self._turn(step):
            self._take_out(str(plan["service"]["id"]), step)
            for one in self._of_service(plan, step):
                if one.get("State") == "running":
                    self._api.stop(str(one["Id"]), int(plan["grace_seconds"]), step)

    def restart(self, step: Step) -> dict[str, Any]:
        """Restarts the containers, one after the other, each when the one before is ready."""
        plan = self._plan(step)
        routes = self._routes(plan, step)
        rollout = Rollout(self._api, plan, "", "", step)
        with self._turn(step):
            listed = [one for one in self._of_service(plan, step) if one.get("State") == "running"]
            ready = {name_of(one): addresses_of_listed(one) for one in listed}
            for one in listed:
                name = name_of(one)
                if routes is not None and len(listed) > 1:
                    routes.put_in({other: ready[other] for other in ready if other != name})
                self._api.restart(str(one["Id"]), int(plan["grace_seconds"]), step)
                ready[name] = rollout.wait_one(name, time.monotonic())
                if routes is not None:
                    routes.put_in(ready)
        addresses = list(ready.values())
        return {"instances": len(ready), "addresses": _addresses(plan, addresses, routes)}

    def delete(self, step: Step) -> None:
        """Removes the containers, and the volumes and images too unless the service is only uninstalled."""
        configuration = step.configuration
        prefix = f"{self._options.get('brand', 'platform')}.io/"
        labels = {f"{prefix}service-id": str(configuration["id"])}
        settings = configuration.get("advanced_settings") or {}
        grace = int(settings.get("deployment.termination_grace_period_seconds", 60))
        with self._turn(step):
            self._take_out(step.subject, step)
            self._remove_all(labels, grace, step)
        self._turns.pop(step.subject, None)
        self._remove_network(prefix, str((configuration.get("environment") or {}).get("id", "")), step)

    def _remove_all(self, labels: Mapping[str, str], grace: int, step: Step) -> None:
        for one in self._api.containers(labels, step):
            if one.get("State") == "running":
                self._api.stop(str(one["Id"]), grace, step)
            self._api.remove(str(one["Id"]), step)
        if self._proxy is not None:
            self._proxy.forget(step.subject)
        if step.action != "uninstall":
            for volume in self._api.volumes(labels):
                self._api.remove_volume(str(volume["Name"]), step)
            for image in self._api.images(labels):
                self._api.remove_image(str(image["Id"]))

    # ---- What runs ----
    def observe(self, subjects: Subjects) -> dict[str, Observation]:
        """Returns what the containers of the services say of their running states."""
        key = f"{self._prefix()}service-id"
        owned = {f"{self._prefix()}managed-by": self._prefix().partition(".")[0]}
        found: dict[str, list[dict[str, Any]]] = {service: [] for service in subjects.services}
        for one in self._api.containers(owned):
            service = str((one.get("Labels") or {}).get(key, ""))
            if service in found and not is_failed(one) and (known := self._api.inspect(str(one["Id"]))) is not None:
                found[service].append(known)
        if self._proxy is not None:
            with contextlib.suppress(DriverFailed):  # the next step says it
                self._proxy.mend(lambda: self._api.containers(owned))
        now = datetime.now(timezone.utc)
        return {service: observed(containers, now) for service, containers in found.items()}

    def pods(self, service: str) -> list[dict[str, Any]]:
        """Lists the containers of a service: `name`, `state`, `version`, `image`, `restarts`, `started_at`."""
        found = []
        for one in self._api.containers(self._labels(service)):
            if (known := self._api.inspect(str(one["Id"]))) is not None and not is_failed(one):
                found.append(
                    {
                        "name": name_of(one),
                        "state": str(known["State"].get("Status")),
                        "version": (one.get("Labels") or {}).get(f"{self._prefix()}version", ""),
                        "image": str(known.get("Image")),
                        "restarts": int(known.get("RestartCount") or 0),
                        "started_at": str(known["State"].get("StartedAt")),
                    }
                )
        return sorted(found, key=lambda pod: str(pod["name"]))

    def addresses(self, service: str) -> list[str]:
        """Returns where this machine reaches the TCP ports of the service's running containers, as `host:port`."""
        found = []
        for one in self._api.containers(self._labels(service)):
            if one.get("State") == "running":
                found += [f"{host}:{number}" for host, number in addresses_of_listed(one).values()]
        return found

    def logs(self, service: str, tail: int = 100) -> list[str]:
        """Returns the last lines of the service's containers, those that failed included."""
        lines: list[str] = []
        for one in self._api.containers(self._labels(service)):
            lines += self._api.log_lines(str(one["Id"]), tail)
        return lines[-tail:]

    def follow_logs(self, service: str, tail: int = 100) -> Iterator[str]:
        """Yields the last lines of the service's running containers, and then the new ones, until the containers
        end."""
        running = [one for one in self._api.containers(self._labels(service)) if one.get("State") == "running"]
        return merged([partial(self._api.follow_log, str(one["Id"]), tail) for one in running])

    def metrics(self, service: str) -> list[dict[str, Any]]:
        """Returns the counters of each running container: `cpu_nanoseconds` and `memory_bytes`."""
        found = []
        for one in self._api.containers(self._labels(service)):
            if one.get("State") == "running" and (counted := self._api.stats(str(one["Id"]))):
                usage = (counted.get("cpu_stats") or {}).get("cpu_usage") or {}
                memory = counted.get("memory_stats") or {}
                found.append(
                    {
                        "name": name_of(one),
                        "cpu_nanoseconds": int(usage.get("total_usage") or 0),
                        "memory_bytes": int(memory.get("usage") or 0),
                    }
                )
        return found

    def run_command(self, service: str, command: list[str], timeout: float = 60.0) -> tuple[int, str]:
        """Runs a command in the first running container of the service. Returns its exit code and output."""
        for one in self._api.containers(self._labels(service)):
            if one.get("State") == "running":
                return self._api.run(str(one["Id"]), command, timeout)
        raise DriverFailed(f"no container of the service {service} runs")

    def orphans(self, services: Iterable[str]) -> list[dict[str, str]]:
        """Lists containers and volumes of the brand whose service is not among `services`: `kind`, `name`,
        `service`."""
        known = set(services)
        owned = {f"{self._prefix()}managed-by": self._prefix().partition(".")[0]}
        key = f"{self._prefix()}service-id"
        found = []
        for one in self._api.containers(owned):
            service = str((one.get("Labels") or {}).get(key, ""))
            if service not in known:
                found.append({"kind": "container", "name": name_of(one), "service": service})
        for one in self._api.volumes(owned):
            service = str((one.get("Labels") or {}).get(key, ""))
            if service and service not in known:  # those without one belong to their environment
                found.append({"kind": "volume", "name": str(one["Name"]), "service": service})
        return found

    def volumes(self, environment: str) -> list[dict[str, str]]:
        """Lists the volumes that services of the environment mount by a name (`runtime.mounts`), and that stay when the
        services are deleted: `name` as the services have it, `volume` of the container engine."""
        named = f"{self._prefix()}volume-name"
        found = []
        for one in self._api.volumes({f"{self._prefix()}environment-id": environment}):
            labels = one.get("Labels") or {}
            if named in labels:
                found.append({"name": str(labels[named]), "volume": str(one["Name"])})
        return sorted(found, key=lambda volume: volume["name"])

    def remove_volumes(self, environment: str) -> list[dict[str, str]]:
        """Removes the volumes that `volumes` lists, and returns them. Raises `DriverFailed` for one in use."""
        found = self.volumes(environment)
        for one in found:
            try:
                self._api.remove_volume(one["volume"], None)
            except EngineRefused as error:
                raise DriverFailed(f"the volume {one['name']} cannot be removed: {error}") from None
        return found

    def remove_left(self, services: Iterable[str]) -> None:
        """Removes containers and volumes of services that the engine has deleted without a step, because they were
        uninstalled before."""
        wanted = set(services)
        key = f"{self._prefix()}service-id"
        owned = {f"{self._prefix()}managed-by": self._prefix().partition(".")[0]}
        for one in self._api.containers(owned):
            if (one.get("Labels") or {}).get(key) in wanted:
                self._api.stop(str(one["Id"]), 0, None)
                self._api.remove(str(one["Id"]), None)
        for one in self._api.volumes(owned):
            if (one.get("Labels") or {}).get(key) in wanted:
                self._api.remove_volume(str(one["Name"]), None)

    def remove_orphans(self, services: Iterable[str]) -> list[dict[str, str]]:
        """Removes what `orphans` lists, and returns it."""
        found = self.orphans(services)
        if self._proxy is not None:
            for service in {one["service"] for one in found}:
                self._proxy.remove(service, None)
        for one in found:
            if one["kind"] == "container":
                self._api.stop(one["name"], 0, None)  # Podman's forced removal waits for the grace
                self._api.remove(one["name"], None)
        for one in found:
            if one["kind"] == "volume":
                self._api.remove_volume(one["name"], None)
        owned = {f"{self._prefix()}managed-by": self._prefix().partition(".")[0]}
        for network in self._api.networks(owned):
            self._networks.pop(str(network["Name"]), None)
            self._api.remove_network(str(network["Id"]))  # one that a container uses stays
        if self._proxy is not None:
            for service in {one["service"] for one in found}:
                self._proxy.forget(service)
        return found

    def close_proxy(self) -> None:
        """Ends the proxy of this machine and removes all its routes. The next deployment of a public service starts it
        again, with the routes of the services that are deployed then."""
        if self._proxy is not None:
            self._proxy.close()

    def workloads(self, environment: str) -> list[Workload]:
        """Lists containers, volumes and networks of an environment, for `orlop.drivers.check`."""
        labels = {f"{self._prefix()}environment-id": environment}
        key = f"{self._prefix()}service-id"
        found = []
        for one in self._api.containers(labels):
            if (known := self._api.inspect(str(one["Id"]))) is not None:
                state = known["State"]
                service = str((one.get("Labels") or {}).get(key, ""))
                name = f"container {name_of(one)} {str(one['Id'])[:12]}"
                found.append(Workload(name, service, bool(state.get("Running")), str(state.get("StartedAt"))))
        for one in self._api.volumes(labels):
            found.append(Workload(f"volume {one['Name']}", str((one.get("Labels") or {}).get(key, "")), False))
        for one in self._api.networks(labels):
            found.append(Workload(f"network {one['Name']}", "", False))
        return found

    # ---- Parts ----
    @contextlib.contextmanager
    def _turn(self, step: Step) -> Iterator[None]:
        """Waits until no other step of the service runs here: one that has passed its deadline still undoes its work
        when the next one begins, and the containers of both have the same names."""
        turn = self._turns.setdefault(step.subject, threading.Lock())
        while not turn.acquire(timeout=_LOOKS_AGAIN_AFTER):
            step.check_canceled()
        try:
            yield
        finally:
            turn.release()

    def _plan(self, step: Step, event: str = "") -> dict[str, Any]:
        options = {**self._options, "event": event} if event else self._options
        try:
            return container_plan(step._configuration or b"{}", options)
        except Misuse as error:
            raise DriverFailed(text_of(error)) from None

    def _image(self, plan: Mapping[str, Any], step: Step) -> tuple[str, dict[str, Any]]:
        """Returns the id of the image, and the outputs that describe it."""
        try:
            if plan["build"] is not None:
                built = builds.ensure(self._api, plan, step, self._keep_images)
                if plan["build"].get("folder"):  # a roll-back finds it by its id
                    return built.id, {"image_digest": built.id}
                return built.id, {f"git_commit_{name}": value for name, value in built.commit.items() if value}
            image = images.ensure(self._api, plan["image"], step)
        except EngineRefused as error:
            raise DriverFailed(f"the container engine refuses the image: {error}") from None
        return image.id, {"image_digest": image.digest} if image.digest else {}

    def _run_job(self, step: Step, event: str) -> dict[str, Any]:
        plan = self._plan(step, event)
        if not plan["job"]["runs"] and event == "on_start":  # an event that the request forces
            plan = self._plan(step)
        if not plan["job"]["runs"]:
            return {}
        image, _ = self._image(plan, step)
        self._ensure_network(plan, step)
        return JobRun(self._api, plan, image, step).run(self._step_labels(step, plan))

    def _retried(
        self, rollout: Rollout, plan: Mapping[str, Any], step: Step, labels: Mapping[str, str]
    ) -> list[Addresses]:
        try:
            return rollout.run({**self._step_labels(step, plan), **labels})
        except EngineRefused as error:
            raise DriverFailed(f"the container engine refuses {plan['name']}: {error}") from None

    def _ensure_network(self, plan: Mapping[str, Any], step: Step) -> None:
        """Creates the network of the environment. Two of one name would be useless: one call at a time, and the engine
        refuses a second one."""
        body = plan["network"]
        name = str(body["Name"])
        with self._lock:
            if name in self._networks:
                return
            labels = {key: str(value) for key, value in body["Labels"].items() if str(key).endswith("environment-id")}
            refusal = ""
            for attempt in range(_NETWORK_TRIES):
                found = [one for one in self._api.networks(labels, step) if one["Name"] == name]
                if found:
                    self._networks[name] = str(found[0]["Id"])
                    return
                if attempt > 0:  # a call of a host that was killed may not be finished yet
                    step.wait_canceled(_NETWORK_DELAY)
                    step.check_canceled()
                refusal = self._api.create_network(body, step)
                if refusal and "use" not in refusal and "exists" not in refusal:
                    break
        raise DriverFailed(f"the network {name} cannot be created: {refusal}")

    def _remove_network(self, prefix: str, environment: str, step: Step) -> None:
        if not environment:
            return
        labels = {f"{prefix}environment-id": environment}
        with self._lock:
            owned = [one for one in self._api.volumes(labels) if f"{prefix}service-id" in (one.get("Labels") or {})]
            if self._api.containers(labels, step) or owned:
                return
            for network in self._api.networks(labels, step):
                self._networks.pop(str(network["Name"]), None)
                self._api.remove_network(str(network["Id"]))

    def _of_service(self, plan: Mapping[str, Any], step: Step) -> list[dict[str, Any]]:
        labels = {f"{plan['label_prefix']}service-id": str(plan["service"]["id"])}
        return [one for one in self._api.containers(labels, step) if not is_failed(one)]

    def _routes(self, plan: Mapping[str, Any], step: Step) -> ServiceRoutes | None:
        """Returns the routes of a service that has a public port, or had one."""
        if self._proxy is None or not (has_routes(plan) or self._proxy.knows(str(plan["service"]["id"]))):
            return None
        owned = {f"{self._prefix()}managed-by": self._prefix().partition(".")[0]}
        return ServiceRoutes(self._proxy, plan, step.configuration, step, lambda: self._api.containers(owned, step))

    def _take_out(self, service: str, step: Step) -> None:
        if self._proxy is not None:
            self._proxy.remove(service, step)

    def _step_labels(self, step: Step, plan: Mapping[str, Any]) -> dict[str, str]:
        prefix = plan["label_prefix"]
        return {f"{prefix}step": step.id, f"{prefix}release": str(getattr(step, "release", "") or "")}

    def _labels(self, service: str) -> dict[str, str]:
        return {f"{self._prefix()}service-id": service}

    def _prefix(self) -> str:
        return f"{self._options.get('brand', 'platform')}.io/"


def _addresses(
    plan: Mapping[str, Any], ready: list[Addresses], routes: ServiceRoutes | None = None
) -> list[dict[str, Any]]:
    """Returns the addresses of the proxy, and of each container those of the ports that the proxy does not serve."""
    found = [] if routes is None else routes.addresses()
    for published in ready:
        for port in plan["ports"]:
            is_served = routes is not None and routes.serves(port["port"])
            if port["transport"] == "tcp" and port["port"] in published and not is_served:
                host, number = published[port["port"]]
                protocol = port["protocol"] if port["protocol"] in _SCHEMES else "TCP"
                found.append(
                    {
                        "host": host,
                        "port": number,
                        "internal_port": port["port"],
                        "protocol": protocol,
                        "scope": "EXTERNAL",
                        "url": f"{_SCHEMES.get(protocol, 'tcp')}://{host}:{number}",
                    }
                )
    return found[:_ADDRESSES_MAX]
