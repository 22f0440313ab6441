"""A Compose project as a platform file that `orlop up` deploys: the fields of `Project.to_platform`, whose settings
become the member `runtime` of the interface, and notes about what no service can have."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from .project import Project
    from .project_contents import Note

_MEBIBYTE = 1 << 20
_SAME = (
    "user",
    "working_dir",
    "hostname",
    "init",
    "tty",
    "stdin_open",
    "privileged",
    "entrypoint",
    "aliases",
    "labels",
)
_RENAMED = {
    "security_opt": "security_options",
    "group_add": "groups",
    "dns": "dns_servers",
    "dns_search": "dns_search",
    "dns_options": "dns_options",
}
_RESTARTS = {"always": "ALWAYS", "unless-stopped": "UNLESS_STOPPED", "on-failure": "ON_FAILURE", "no": "NO"}
_MODES = {"network_mode": "network_mode", "pid": "pid_mode", "ipc": "ipc_mode"}
_MEANT = {
    "network_mode": ("bridge", "default"),
    "ipc": ("private", "shareable", "none"),
    "pid": (),
    "cgroup": ("private",),
}
_BUILD = ("context", "dockerfile", "dockerfile_inline", "target", "args")
_MOUNT = ("type", "source", "mount_point", "read_only", "create_host_path")
# Settings of Compose that the runtime of a service does not have.
_LEFT_OUT = (
    "domainname uts userns_mode cgroup cgroup_parent oci_runtime mac_address pull_policy cpuset cpu_shares "
    "oom_score_adj oom_kill_disable memory_swap memory_reservation"
).split()


class Contents(NamedTuple):
    """A Compose project as the members of a platform file."""

    data: dict[str, Any]
    notes: list[Note]
    """A note for each key that is not honoured, and for each that means something else here."""
    host_access: list[Note]
    """A note for each key that reaches the machine, which the driver refuses unless it is allowed."""


def contents_of(project: Project) -> Contents:
    """Returns what the platform file of the project has. Raises ComposeError."""
    platform = project.to_platform(volumes="runtime")
    data, notes = dict(platform.data), list(platform.notes)
    for name, given in data.pop("volumes", {}).items():
        if given.get("external"):
            said = f"the external volume {given.get('name', name)} is not used: the environment has one of its own"
            notes.append(project.note(("volumes", name), said))
    for kind in ("containers", "applications", "jobs"):
        for name, fields in data.get(kind, {}).items():

            def note(key: str, text: str, service: str = name) -> None:
                notes.append(project.note(("services", service, key), text))

            member = _member(name, fields.pop("runtime", {}), fields.get("ports", []), note)
            if member:
                fields["runtime"] = member
    return Contents(data, notes, list(platform.host_access))


def _member(
    name: str, settings: dict[str, Any], ports: list[dict[str, Any]], note: Callable[[str, str], None]
) -> dict[str, Any]:
    """Returns the member `runtime` of a service."""
    made: dict[str, Any] = {key: settings[key] for key in _SAME if settings.get(key)}
    for old, new in _RENAMED.items():
        if settings.get(old):
            made[new] = [str(item) for item in settings[old]]
    if settings.get("sysctls"):
        made["sysctls"] = {key: str(value) for key, value in settings["sysctls"].items()}
    for old, new in (("cap_add", "capabilities_add"), ("cap_drop", "capabilities_drop")):
        if settings.get(old):
            made[new] = list(dict.fromkeys(str(one).upper() for one in settings[old]))
    if settings.get("stop_signal"):
        made["stop_signal"] = str(settings["stop_signal"]).upper()
    if "restart" in settings:
        made["restart"] = _RESTARTS.get(settings["restart"]["policy"], "NO")
    if "memory" in settings.get("unlimited", ()):
        made["memory_unlimited"] = True
    if settings.get("pids_limit", 0) > 0:
        made["pids_max"] = settings["pids_limit"]
    if settings.get("shm_size"):
        made["shm_size_in_mib"] = _mebibytes(settings["shm_size"])
    for old, new in _MODES.items():
        mode = settings.get(old)
        if mode in ("host", "none") and (mode == "host" or old == "network_mode"):
            made[new] = mode.upper()
        elif mode and mode not in _MEANT[old]:
            note(old, f"services.{name}.{old} {mode} is not honoured")
    for key in _LEFT_OUT:
        if settings.get(key) and settings[key] not in _MEANT.get(key, ()):
            note("runtime" if key == "oci_runtime" else key, f"services.{name}.{key} is not honoured")
    made |= _hosts(settings) | _limits(settings)
    mounts = _mounts(name, settings, note)
    if mounts:
        made["mounts"] = mounts
    published = _published(name, settings, ports, note)
    if published and "network_mode" not in made:
        made["published_ports"] = published
    if "network_mode" in made:
        made.pop("aliases", None)
    if settings.get("build"):
        made["build"] = _build(name, settings["build"], note)
    return made


def _mebibytes(size: int) -> int:
    return max(1, math.ceil(int(size) / _MEBIBYTE))


def _hosts(settings: dict[str, Any]) -> dict[str, Any]:
    found = [
        {"hostname": host, "address": address}
        for host, addresses in settings.get("extra_hosts", {}).items()
        for address in addresses
    ]
    return {"extra_hosts": found} if found else {}


def _limits(settings: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if settings.get("ulimits"):
        made["ulimits"] = [
            {"name": name, "soft": limit["soft"], "hard": limit["hard"]} for name, limit in settings["ulimits"].items()
        ]
    if settings.get("devices"):
        made["devices"] = [
            {
                "host_path": device["source"],
                "container_path": device.get("target") or device["source"],
                "permissions": device.get("permissions") or "rwm",
            }
            for device in settings["devices"]
        ]
    return made


def _mounts(name: str, settings: dict[str, Any], note: Callable[[str, str], None]) -> list[dict[str, Any]]:
    made = []
    for given in settings.get("mounts", ()):
        for key in given:
            if key not in _MOUNT:
                note("volumes", f"services.{name}.volumes: {key} of {given['mount_point']} is not honoured")
        target = given["mount_point"].rstrip("/")
        if not target or ":" in target:
            note(
                "volumes",
                f"services.{name}.volumes: {given['mount_point']} is left out: it must be below / and without :",
            )
            continue
        source = given.get("source") or f"{name}-{re.sub('[^A-Za-z0-9]+', '-', given['mount_point']).strip('-')}"
        mount = {"type": given["type"], "source": source, "mount_point": target}
        if given.get("read_only"):
            mount["read_only"] = True
        made.append(mount)
    for given in settings.get("tmpfs", ()):
        mount = {"type": "TMPFS", "mount_point": given["mount_point"].rstrip("/")}
        if given.get("size"):
            mount["size_in_mib"] = _mebibytes(given["size"])
        for key in given.keys() - {"mount_point", "size"}:
            note("tmpfs", f"services.{name}.tmpfs: {key} of {given['mount_point']} is not honoured")
        made.append(mount)
    return made


def _published(
    name: str, settings: dict[str, Any], ports: list[dict[str, Any]], note: Callable[[str, str], None]
) -> list[dict[str, Any]]:
    """Returns the ports of the machine. Of a range the first port is taken."""
    made = []
    for given in [*(port for port in ports if port.get("publicly_accessible")), *settings.get("ports", ())]:
        port: dict[str, Any] = {"internal_port": given["internal_port"]}
        if given.get("protocol") == "UDP":
            port["transport"] = "UDP"
        number = given.get("external_port")
        if isinstance(number, str):
            first = number.partition("-")[0]
            note("ports", f"services.{name}.ports: of {number} the port {first} is taken")
            number = int(first)
        if number:
            port["external_port"] = number
        if given.get("host_address"):
            port["host_address"] = given["host_address"]
        made.append(port)
    return made


def _build(name: str, given: dict[str, Any], note: Callable[[str, str], None]) -> dict[str, Any]:
    for key in given:
        if key not in _BUILD:
            note("build", f"services.{name}.build.{key} is not honoured")
    made: dict[str, Any] = {"context": given["context"]}
    if given.get("dockerfile_inline"):
        made["dockerfile_raw"] = given["dockerfile_inline"]
    elif given.get("dockerfile"):
        made["dockerfile"] = given["dockerfile"]
    if given.get("target"):
        made["target"] = given["target"]
    arguments = {key: str(value) for key, value in (given.get("args") or {}).items() if value is not None}
    if arguments:
        made["args"] = arguments
    return made
