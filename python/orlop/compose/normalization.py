"""Members that a project need not write: the default network, names of resources, dependencies by links."""

from __future__ import annotations

import posixpath
from typing import Any

from .merging import merged
from .source import Map, copied

_IMPLIED = ("network_mode", "ipc", "pid", "uts", "cgroup")
_NOT_OF_CONTAINERS = frozenset(
    "profiles deploy develop restart scale attach container_name provider extends external_links links net pre_start "
    "post_start pre_stop build depends_on dockerfile expose healthcheck ports stdin_open tty triggers volumes".split()
)


def normalize(tree: Map, environment: dict[str, str]) -> None:
    """Completes the tree."""
    _networks(tree)
    for kind in ("services", "jobs"):
        for service in (tree.get(kind) or {}).values():
            if isinstance(service, dict):
                _service(service, environment)
    for kind in ("networks", "volumes", "configs", "secrets"):
        for key, given in (tree.get(kind) or {}).items():
            resource = Map() if given is None else given
            if resource.get("name") is None:
                resource["name"] = key if resource.get("external") else f"{tree['name']}_{key}"
            tree[kind][key] = resource


def _networks(tree: Map) -> None:
    """A service without networks is in the network `default`, which need not be defined."""
    networks = tree.get("networks") or Map()
    for kind in ("services", "jobs"):
        for service in (tree.get(kind) or {}).values():
            if not isinstance(service, dict) or "provider" in service or "network_mode" in service:
                continue
            if not service.get("networks"):
                service["networks"] = Map(default=None)
            if "default" in service["networks"]:
                networks.setdefault("default", None)
    if networks:
        tree["networks"] = networks


def _service(service: Any, environment: dict[str, str]) -> None:
    if service.get("pull_policy") == "if_not_present":
        service["pull_policy"] = "missing"
    build = service.get("build")
    if isinstance(build, dict):
        if build.get("context") is None:
            build["context"] = "."
        if build.get("dockerfile") is None and build.get("dockerfile_inline") is None:
            build["dockerfile"] = "Dockerfile"
        if "args" in build:
            build["args"] = _with_values(build["args"], environment, keeps_empty=False)
    if "environment" in service:
        service["environment"] = _with_values(service["environment"], environment, keeps_empty=True)
    dependencies = service.get("depends_on") or Map()
    _implied(service, dependencies)
    if dependencies:
        service["depends_on"] = dependencies
    for volume in service.get("volumes") or ():
        if isinstance(volume.get("target"), str):
            target = posixpath.normpath(volume["target"]) if volume["target"] else "."
            volume["target"] = target[1:] if target.startswith("//") else target
    hooks = service.get("pre_start")
    if hooks:
        base = {key: value for key, value in service.items() if key not in _NOT_OF_CONTAINERS and key[:2] != "x-"}
        service["pre_start"] = [merged(copied(Map(base)), hook, ("services", "hook")) for hook in hooks]


def _implied(service: Any, dependencies: Map) -> None:
    """Adds the dependencies that follow from links, shared namespaces and volumes."""

    def add(name: str, restart: bool) -> None:
        if name not in dependencies:
            dependencies[name] = Map(condition="service_started", restart=restart, required=True)

    for link in service.get("links") or ():
        parts = link.split(":")
        add(parts[0] if len(parts) == 2 else link, True)
    for key in _IMPLIED:
        shared = service.get(key)
        if isinstance(shared, str) and shared.startswith("service:"):
            add(shared.removeprefix("service:"), True)
    for source in service.get("volumes_from") or ():
        if not source.startswith("container:"):
            add(source.split(":")[0], False)


def _with_values(given: Any, environment: dict[str, str], keeps_empty: bool) -> Any:
    """Gives keys without a value the caller's. Those that the caller does not have stay without one, or go."""
    if isinstance(given, dict):
        made = Map(given)
        for key, value in given.items():
            if value is None and key in environment:
                made[key] = environment[key]
            elif value is None and not keeps_empty:
                del made[key]
        return made
    if not isinstance(given, list):
        return given
    items = []
    for item in given:
        if "=" in str(item):
            items.append(item)
        elif str(item) in environment:
            items.append(f"{item}={environment[str(item)]}")
        elif keeps_empty:
            items.append(item)
    return items
