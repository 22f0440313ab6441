"""A Compose project in the fields of the platform's interface, in the form of a platform file.

    containers:
      web: {image_name: library/nginx, tag: "1", ports: […], variables: {…}, deployment_stage: …, runtime: {…}}

References are names. `runtime` holds what the interface has no field for (see `orlop.compose.runtime`)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .images import image_of, is_valid, registry_of
from .service_variables import FileVariables, is_secret, variables_of
from .source import ComposeError, Map, shown
from .units import nanoseconds_of
from .service_mounts import Mounts
from .service_ports import ports_of
from .runtime import KEYS, cpu_of, host_access, memory_of, settings_of

if TYPE_CHECKING:
    from .project_contents import Note, ProjectContents

# Keys of a service that become fields outside of `runtime`, or are followed by the reader.
_HONOURED = frozenset(
    "image build command entrypoint environment env_file label_file ports expose healthcheck depends_on volumes "
    "secrets configs scale deploy platform profiles extends stop_grace_period read_only mem_limit cpus cpu_quota "
    "cpu_period gpus networks links volumes_from".split()
)
_OF_DEPLOY = frozenset(("replicas", "resources", "restart_policy"))
_ARCHITECTURES = {
    "linux/amd64": "AMD64",
    "linux/x86_64": "AMD64",
    "linux/arm64": "ARM64",
    "linux/arm64/v8": "ARM64",
    "linux/aarch64": "ARM64",
}
_GIT = re.compile(r"https://(github\.com|gitlab\.com|bitbucket\.org)/[\w.-]+(/[\w.-]+)+(#|\Z)")
_GIT_PROVIDERS = {"github.com": "GITHUB", "gitlab.com": "GITLAB", "bitbucket.org": "BITBUCKET"}
_GRACE_MAX = 86_400  # seconds


class Platform(NamedTuple):
    """What becomes of a project on the platform."""

    data: dict[str, Any]
    """The members of a platform file."""
    notes: list[Note]
    """A note for each key that is not honoured, and for each that means something else here."""
    host_access: list[Note]
    """A note for each key that reaches the machine, which a driver refuses unless it is allowed."""


def platform_of(project: ProjectContents, volumes: str, storage_size: int) -> Platform:
    """Returns the project as a platform file. The arguments are those of `Project.to_platform`."""
    return _Mapping(project, volumes, storage_size).platform()


class _Mapping:
    """The mapping of one project."""

    def __init__(self, project: ProjectContents, volumes: str, storage_size: int) -> None:
        self.project = project
        self.notes: list[Note] = list(project.warnings)
        self.host_access: list[Note] = []
        self.registries: dict[str, Any] = {}
        self.files = FileVariables(project, self.note)
        self.mounts = Mounts(project, self.files, self.note, volumes, storage_size)
        self.levels = _levels(project)
        self.jobs = {
            name
            for service in project.services.values()
            for name, given in service.get("depends_on", {}).items()
            if given["condition"] == "service_completed_successfully" and name in project.services
        }

    def note(self, path: tuple[str | int, ...], text: str) -> None:
        self.notes.append(self.project.note(path, text))

    def platform(self) -> Platform:
        project = self.project
        kinds: dict[str, dict[str, Any]] = {"containers": {}, "applications": {}, "jobs": {}}
        for name, service in project.services.items():
            if "provider" in service:
                self.note(("services", name, "provider"), "a service of a provider is not created")
                continue
            kind, fields = self.service(name, service)
            kinds[kind][name] = fields
        data: dict[str, Any] = {"environment": {"name": project.name}}
        if self.registries:
            data["container_registries"] = self.registries
        stages = sorted({level for name, level in self.levels.items() if name in project.services})
        if len(stages) > 1 or self.jobs:
            data["stages"] = {self.stage(level): {} for level in stages}
        if self.mounts.resources:
            data["volumes"] = self.mounts.resources
        data.update({kind: services for kind, services in kinds.items() if services})
        self.note_the_rest()
        return Platform(data, self.notes, self.host_access)

    def stage(self, level: int) -> str:
        return f"{self.project.name} {level + 1}"

    def service(self, name: str, service: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Returns the kind of the service and its fields."""
        project = self.project
        kind = "jobs" if name in self.jobs else "containers"
        fields: dict[str, Any] = {}
        runtime = settings_of(service)
        image = self.image(name, service, runtime)
        if image is None:
            kind = "applications"
            fields.update(self.application(name, service["build"]))
        self.command(service, fields, runtime)
        fields["healthchecks"] = self.health(name, service)
        self.resources(name, service, fields)
        ports_of(project, name, service, fields, runtime, self.note)
        variables = variables_of(project, name, service, self.note)
        if image is None:
            for key, value in service["build"].get("args", {}).items():
                if value is not None and key not in variables:
                    variables[key] = {"value": value, "is_secret": is_secret(key, value)}
        self.files.add(name, service, variables)
        self.mounts.add(name, service, fields, runtime, variables)
        if variables:
            fields["variables"] = variables
        aliases = _aliases(project, name, service)
        if aliases:
            runtime["aliases"] = aliases
        if len(set(self.levels.values())) > 1 or self.jobs:
            fields["deployment_stage"] = self.stage(self.levels[name])
        settings = self.settings(name, service)
        if settings:
            fields["advanced_settings"] = settings
        self.host_access += host_access(project, name, runtime)
        if kind == "jobs":
            self.job(name, service, fields, runtime, image)
        elif image is not None:
            fields = {**image, **fields}
        fields["runtime"] = runtime
        self.note_keys(name, service)
        return kind, fields

    def image(self, name: str, service: dict[str, Any], runtime: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the fields of the image, None for an application that is built from a git repository."""
        build = service.get("build")
        if build is not None:
            if _GIT.match(build.get("context", "")) and "image" not in service:
                return None
            runtime["build"] = build
        text = service.get("image") or f"{self.project.name}-{name}".lower()
        image = image_of(text)
        if not is_valid(image):
            said = (
                f"services.{name}.image: {shown(text)} is no name of an image; allowed are [HOST/]NAME[:TAG][@DIGEST]"
            )
            raise ComposeError(said, self.project.mark("services", name, "image"))
        self.registries[image.registry] = registry_of(image.registry)
        return {"image_name": image.name, "tag": image.tag, "registry_id": image.registry}

    def application(self, name: str, build: dict[str, Any]) -> dict[str, Any]:
        url, _, reference = build["context"].partition("#")
        branch, _, folder = reference.partition(":")
        for key in build:
            if key not in ("context", "dockerfile", "target", "args"):
                self.note(("services", name, "build", key), f"services.{name}.build.{key} is not honoured")
        provider = _GIT_PROVIDERS[url.split("/")[2]]
        repository = {"url": url, "provider": provider, "root_path": f"/{folder}"}
        if branch:
            repository["branch"] = branch
        fields: dict[str, Any] = {"git_repository": repository, "dockerfile_path": build.get("dockerfile")}
        if build.get("target"):
            fields["docker_target_build_stage"] = build["target"]
        return fields

    @staticmethod
    def command(service: dict[str, Any], fields: dict[str, Any], runtime: dict[str, Any]) -> None:
        """An entrypoint is one text here: the others of a list stand before the arguments."""
        entrypoint, command = service.get("entrypoint"), service.get("command")
        arguments = [*(entrypoint or [])[1:], *(command or [])]
        if entrypoint:
            fields["entrypoint"] = entrypoint[0]
        if entrypoint is not None and not arguments:
            runtime["entrypoint"] = entrypoint  # Without arguments those of the image would follow.
        if arguments:
            fields["arguments"] = arguments

    def health(self, name: str, service: dict[str, Any]) -> dict[str, Any]:
        """Compose waits for health, and never starts an unhealthy container again: a readiness probe, no liveness."""
        given = service.get("healthcheck", {})
        test = given.get("test")
        if not given or given.get("disable") or test == ["NONE"]:
            return {}
        path = ("services", name, "healthcheck")
        if not test:
            self.note(path, f"services.{name}.healthcheck has no test: that of the image is not known here")
            return {}
        command = ["/bin/sh", "-c", *test[1:2]] if test[0] == "CMD-SHELL" else test[1:]
        if not command:
            self.note(path, f"services.{name}.healthcheck.test names no command")
            return {}
        seconds = {key: _seconds(given.get(key), default) for key, default in _PERIODS.items()}
        interval = max(1, math.ceil(seconds["interval"]))
        for key in ("interval", "timeout"):
            if seconds[key] != int(seconds[key]):
                self.note((*path, key), f"services.{name}.healthcheck.{key} is rounded up to whole seconds")
        if "start_interval" in given:
            self.note((*path, "start_interval"), f"services.{name}.healthcheck.start_interval is not honoured")
        failures = (given.get("retries") or 3) + math.ceil(seconds["start_period"] / interval)
        probe = {
            "type": {"exec": {"command": command}},
            "initial_delay_seconds": 0,
            "period_seconds": interval,
            "timeout_seconds": max(1, math.ceil(seconds["timeout"])),
            "success_threshold": 1,
            "failure_threshold": failures,
        }
        return {"readiness_probe": probe}

    def resources(self, name: str, service: dict[str, Any], fields: dict[str, Any]) -> None:
        if cpu_of(service):
            fields["cpu"] = max(1, math.ceil(cpu_of(service) * 1000))
        memory = memory_of(service)
        if memory:
            fields["memory"] = max(1, math.ceil(memory / (1 << 20)))
        deploy = service.get("deploy", {})
        number = service.get("scale", deploy.get("replicas"))
        if number is not None and name not in self.jobs:
            fields["min_running_instances"] = fields["max_running_instances"] = number
        devices = [*deploy.get("resources", {}).get("reservations", {}).get("devices", ()), *service.get("gpus", ())]
        count = sum(_gpus(device) for device in devices)
        if count:
            fields["gpu"] = count
        if any(device.get("count") == -1 for device in devices):
            self.note(("services", name, "deploy"), f"services.{name} asks for all GPUs; it gets 1")
        platform = service.get("platform")
        if platform in _ARCHITECTURES:
            fields["cpu_architecture"] = _ARCHITECTURES[platform]
        elif platform:
            allowed = ", ".join(_ARCHITECTURES)
            self.note(
                ("services", name, "platform"),
                f"services.{name}.platform {platform} is not honoured; known are {allowed}",
            )

    def settings(self, name: str, service: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        if "stop_grace_period" in service:
            seconds = math.ceil(nanoseconds_of(service["stop_grace_period"]) / 1e9)
            taken = min(max(seconds, 0), _GRACE_MAX)
            if taken != seconds:
                said = f"services.{name}.stop_grace_period is not between 0 and a day: {taken} seconds are taken"
                self.note(("services", name, "stop_grace_period"), said)
            made["deployment.termination_grace_period_seconds"] = taken
        if service.get("read_only"):
            made["security.read_only_root_filesystem"] = True
        return made

    def job(
        self,
        name: str,
        service: dict[str, Any],
        fields: dict[str, Any],
        runtime: dict[str, Any],
        image: dict[str, Any] | None,
    ) -> None:
        """A service that others wait for until it has ended is a job that runs when the environment is deployed."""
        event = {key: fields.pop(key) for key in ("entrypoint", "arguments") if key in fields}
        for key in ("ports", "storage"):
            if key in fields:
                del fields[key]
                of = "volumes" if key == "storage" else key
                self.note(("services", name, of), f"services.{name} ends, so it is a job, which has no {key}")
        fields["source"] = {"image": image}
        fields["schedule"] = {"on_start": event}
        restart = runtime.pop("restart")
        if restart["policy"] == "on-failure":
            fields["max_nb_restart"] = restart.get("max_attempts", 10)

    def note_keys(self, name: str, service: dict[str, Any]) -> None:
        """Notes the keys of a service that nothing honours."""
        for key in self.project.given("services", name) or ():
            if key not in _HONOURED and key not in KEYS and not key.startswith("x-"):
                self.note(("services", name, key), f"services.{name}.{key} is not honoured")
        for key in service.get("deploy", {}):
            if key not in _OF_DEPLOY and self.project.given("services", name, "deploy", key) is not None:
                self.note(("services", name, "deploy", key), f"services.{name}.deploy.{key} is not honoured")
        depends_on = self.project.given("services", name, "depends_on")
        written = depends_on.marks if isinstance(depends_on, Map) else {}  # The others follow from links and the like.
        for dependency, given in service.get("depends_on", {}).items():
            path = ("services", name, "depends_on", dependency)
            if given.get("restart") and dependency in written and dependency in self.project.services:
                self.note((*path, "restart"), f"services.{name} is not started again when {dependency} is")
            if given["condition"] == "service_healthy" and dependency in self.project.services:
                if "healthcheck" not in self.project.services[dependency]:
                    said = f"services.{dependency} has no healthcheck: services.{name} waits only until it is started"
                    self.note(path, said)
        for network, given in service.get("networks", {}).items():
            for key in given or ():
                if key != "aliases":
                    said = f"services.{name}.networks.{network}.{key} is not honoured"
                    self.note(("services", name, "networks", network, key), said)

    def note_the_rest(self) -> None:
        """Notes what is outside of services: networks, services without an active profile, jobs, models."""
        project = self.project
        for name, service in project.disabled_services.items():
            profiles = ", ".join(service.get("profiles", ()))
            self.note(
                ("services", name, "profiles"), f"services.{name} is not created: it needs a profile of {profiles}"
            )
        networks = [name for name in project.networks if project.given("networks", name)]
        for name in networks:
            given = project.networks[name]
            is_plain = not any(given.get(key) for key in ("external", "internal", "driver_opts", "ipam"))
            if len(project.networks) > 1 or not is_plain:
                what = "external " if given.get("external") else "internal " if given.get("internal") else ""
                said = f"the {what}network {name} is not made: all services are in the environment's network"
                self.note(("networks", name), said)
        for kind in ("jobs", "models"):
            for name in getattr(project, kind):
                self.note((kind, name), f"{kind}.{name} is not honoured")


_PERIODS = {"interval": 30.0, "timeout": 30.0, "start_period": 0.0}


def _seconds(text: str | None, default: float) -> float:
    return default if text is None else nanoseconds_of(text) / 1e9 or default


def _gpus(device: dict[str, Any]) -> int:
    if "gpu" not in device.get("capabilities", ["gpu"]):
        return 0
    count = device.get("count", len(device.get("device_ids", ())))
    return 1 if count == -1 else int(count)


def _levels(project: ProjectContents) -> dict[str, int]:
    """Returns the stage of each service: one behind the last of those that it depends on."""
    levels: dict[str, int] = {}
    waiting = dict(project.services)
    while waiting:
        for name in list(waiting):
            needed = [other for other in waiting[name].get("depends_on", ()) if other in project.services]
            if all(other in levels for other in needed):
                levels[name] = 1 + max((levels[other] for other in needed), default=-1)
                del waiting[name]
    return levels


def _aliases(project: ProjectContents, name: str, service: dict[str, Any]) -> list[str]:
    """Returns the names that others reach the service by, besides its own."""
    found = [service["container_name"]] if "container_name" in service else []
    if "hostname" in service:
        found.append(service["hostname"])
    for given in service.get("networks", {}).values():
        found += (given or {}).get("aliases", ())
    for other in project.services.values():
        for link in other.get("links", ()):
            target, _, alias = link.partition(":")
            if target == name and alias:
                found.append(alias)
    return [alias for alias in dict.fromkeys(found) if alias != name]
