"""Rules that the schema does not hold: members that exclude one another, references to what is not there, circles."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .short_forms import is_address
from .source import Fault, Path, kind_of, shown
from .tree import Patterns

Rule = Callable[[Any, Path], None]
Tree = dict[str, Any]


def validate(value: Any, path: Path = ()) -> None:
    """Raises Fault for members of one value that exclude one another."""
    rule = _RULES.find(path)
    if rule:
        rule(value, path)
    elif isinstance(value, dict):
        for key, inner in value.items():
            validate(inner, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            validate(item, (*path, str(at)))


def _volume(value: Any, path: Path) -> None:
    if isinstance(value, dict) and value.get("external"):
        for key in value:
            if key not in ("name", "external") and not key.startswith("x-"):
                raise Fault((*path, key), "a volume that is external has no other keys than name")


def _file_object(*keys: str) -> Rule:
    def rule(value: Any, path: Path) -> None:
        if not isinstance(value, dict):
            raise Fault(path, f"must be a mapping with one of {', '.join(keys)}, not {kind_of(value)}")
        found = [key for key in keys if key in value]
        if len(found) > 1:
            raise Fault(path, f"has {' and '.join(found)}; only one of {', '.join(keys)} is allowed")
        if not found and "driver" not in value and "external" not in value:
            raise Fault(path, f"must have one of {', '.join(keys)}")

    return rule


def _port(value: Any, path: Path) -> None:
    address = value.get("host_ip") if isinstance(value, dict) else None
    if address is not None and not is_address(str(address)):
        raise Fault((*path, "host_ip"), f"{shown(address)} is no IP address")


def _watched(value: Any, path: Path) -> None:
    if value == "":
        raise Fault(path, "must not be empty")


def _device(value: Any, path: Path) -> None:
    if isinstance(value, dict) and "count" in value and "device_ids" in value:
        raise Fault(path, "has count and device_ids; only one is allowed")


_RULES: Patterns[Rule] = Patterns(
    [
        ("volumes.*", _volume),
        ("configs.*", _file_object("file", "environment", "content")),
        ("secrets.*", _file_object("file", "environment")),
        ("services.*.ports.*", _port),
        ("services.*.develop.watch.*.path", _watched),
        ("services.*.deploy.resources.reservations.devices.*", _device),
        ("services.*.gpus.*", _device),
    ]
)


def check_consistency(project: Tree, disabled: Tree) -> None:
    """Raises Fault for the first service that refers to what is not there or says two things. `project` holds the
    decoded members, `disabled` the services and jobs without an active profile."""
    for name, service in project["services"].items():
        path = ("services", name)
        for rule in (_source, _networks, _health, _dependencies, _references, _amounts, _mounts):
            rule(project, disabled["services"], path, service)
    _check_jobs(project, disabled)
    for name, secret in project["secrets"].items():
        if not secret.get("external") and not secret.get("file") and not secret.get("environment"):
            raise Fault(("secrets", name), "must have file or environment")
    _check_circles(project["services"])


def _source(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    build = service.get("build")
    if build is None and not service.get("image") and "provider" not in service:
        raise Fault(path, "must have an image or a build")
    if build is None:
        return
    if build.get("dockerfile_inline") and build.get("dockerfile"):
        raise Fault((*path, "build", "dockerfile_inline"), "excludes dockerfile")
    for key, context in build.get("additional_contexts", {}).items():
        if context.startswith("service:"):
            target = context.removeprefix("service:")
            found = project["services"].get(target) or disabled.get(target)
            if not found or "build" not in found:
                raise Fault((*path, "build", "additional_contexts", key), f"there is no service {target} that is built")
    if build.get("platforms") and service.get("platform") not in (None, *build["platforms"]):
        raise Fault((*path, "build", "platforms"), f"must hold the service's platform {service['platform']}")


def _networks(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    if service.get("network_mode") and service.get("networks"):
        raise Fault((*path, "network_mode"), "excludes networks")
    for name in service.get("networks", ()):
        if name not in project["networks"]:
            raise Fault((*path, "networks", name), f"the network {name} is not defined below networks")
    mode = service.get("network_mode", "")
    if mode.startswith("service:") and mode.removeprefix("service:") not in project["services"]:
        raise Fault((*path, "network_mode"), f"there is no service {mode.removeprefix('service:')}")


def _health(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    test = service.get("healthcheck", {}).get("test")
    if test and test[0] not in ("CMD", "CMD-SHELL", "NONE"):
        raise Fault((*path, "healthcheck", "test"), f"must begin with CMD, CMD-SHELL or NONE, not {shown(test[0])}")


def _dependencies(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    for name, dependency in service.get("depends_on", {}).items():
        if name in project["services"] or (name in disabled and not dependency["required"]):
            continue
        at = (*path, "depends_on", name)
        if name in disabled:
            profiles = ", ".join(disabled[name].get("profiles", ()))
            raise Fault(at, f"the service {name} is not active; it needs one of the profiles {profiles}")
        if name in project["jobs"]:
            raise Fault(at, f"{name} is a job; a service depends on services only")
        raise Fault(at, f"there is no service {name}")


def _references(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    for at, mount in enumerate(service.get("volumes", ())):
        source = mount.get("source")
        if mount.get("type") == "volume" and source and source not in project["volumes"]:
            hint = f"; a relative path begins with ./, such as ./{source}" if "/" in source else ""
            raise Fault((*path, "volumes", str(at)), f"the volume {source} is not defined below volumes{hint}")
    build = service.get("build", {})
    for kind, key, items in (
        ("secrets", ("build", "secrets"), build.get("secrets", ())),
        ("configs", ("configs",), service.get("configs", ())),
        ("secrets", ("secrets",), service.get("secrets", ())),
    ):
        for at, item in enumerate(items):
            if item.get("source", "") not in project[kind]:
                said = f"{item.get('source', '')} is not defined below {kind}"
                raise Fault((*path, *key, str(at)), said)
    for name in service.get("models", ()):
        if name not in project["models"]:
            raise Fault((*path, "models", name), f"the model {name} is not defined below models")


_LIMITS = (
    ("cpus", "limits", "cpus", 0),
    ("mem_limit", "limits", "memory", "0"),
    ("mem_reservation", "reservations", "memory", "0"),
    ("pids_limit", "limits", "pids", 0),
)


def _amounts(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    deploy = service.get("deploy", {})
    scale, replicas = service.get("scale"), deploy.get("replicas")
    if scale is not None and replicas is not None and scale != replicas:
        raise Fault((*path, "scale"), f"is {scale}, and deploy.replicas is {replicas}; they must be equal")
    if scale is not None and "deploy" in service:
        deploy["replicas"] = scale
    for key, number in (("scale", scale), ("deploy.replicas", deploy.get("replicas"))):
        if number is not None and number < 0:
            raise Fault((*path, *key.split(".")), f"must be at least 0, not {number}")
    for key, kind, member, zero in _LIMITS:
        resources = deploy.get("resources", {}).get(kind)
        if key in service and resources is not None and resources.get(member, zero) != service[key]:
            said = f"is {service[key]}, and deploy.resources.{kind}.{member} is {resources.get(member, 'not given')}"
            raise Fault((*path, key), f"{said}; they must be equal")
    number = scale if scale is not None else deploy.get("replicas")
    if (number or 1) > 1 and service.get("container_name"):
        raise Fault((*path, "container_name"), f"is one name, and the service has {number} containers")


def _mounts(project: Tree, disabled: Tree, path: Path, service: Tree) -> None:
    for at, watch in enumerate(service.get("develop", {}).get("watch", ())):
        if not watch.get("target") and watch.get("action") not in ("rebuild", "restart"):
            raise Fault((*path, "develop", "watch", str(at)), "must have a target")
    seen: set[str] = set()
    mounts = [("tmpfs", at, item.partition(":")[0]) for at, item in enumerate(service.get("tmpfs", ()))]
    mounts += [("volumes", at, item.get("target", "")) for at, item in enumerate(service.get("volumes", ()))]
    for key, at, target in mounts:
        if target in seen:
            raise Fault((*path, key, str(at)), f"something else is mounted at {target}")
        seen.add(target)


def _check_jobs(project: Tree, disabled: Tree) -> None:
    for name in (*project["jobs"], *disabled["jobs"]):
        if name in project["services"] or name in disabled["services"]:
            raise Fault(("jobs", name), f"{name} is the name of a service, too")
    for name, job in project["jobs"].items():
        for dependency, given in job.get("depends_on", {}).items():
            is_optional = dependency in disabled["services"] and not given["required"]
            if dependency not in project["jobs"] and dependency not in project["services"] and not is_optional:
                raise Fault(("jobs", name, "depends_on", dependency), f"there is no service or job {dependency}")


def _check_circles(services: Tree) -> None:
    """Raises Fault if services depend on one another in a circle."""
    done: set[str] = set()
    for start in sorted(services):
        trail: list[str] = []
        open_names = [(start, iter(sorted(services[start].get("depends_on", ()))))] if start not in done else []
        trail += [start] if open_names else []
        while open_names:
            name, rest = open_names[-1]
            following = next((item for item in rest if item in services), None)
            if following is None:
                done.add(name)
                open_names.pop()
                trail.pop()
            elif following in trail:
                circle = " -> ".join([*trail[trail.index(following) :], following])
                raise Fault(("services", name, "depends_on", following), f"services depend on one another: {circle}")
            elif following not in done:
                trail.append(following)
                open_names.append((following, iter(sorted(services[following].get("depends_on", ())))))


def is_project_name(name: str) -> bool:
    return bool(re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name))
