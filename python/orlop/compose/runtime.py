"""Settings of a service in Compose that the interface has no field for, as `Project.to_platform` returns them.

`FIELDS` lists them, each with its type and the Compose keys that it comes from. `orlop.compose.platform_file` makes the
member `runtime` of the interface of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .project_contents import Note, ProjectContents


class Field(NamedTuple):
    """A setting. Absent: as the image or the container engine has it."""

    name: str
    type: str
    keys: tuple[str, ...]
    """The Compose keys that it comes from."""
    description: str
    needs_host_access: bool = False
    """True if it reaches the machine: it is refused unless the driver allows access to the host."""


FIELDS = (
    Field("user", "text", ("user",), "User, and group behind a colon, that the process runs as."),
    Field("working_dir", "text", ("working_dir",), "Folder that the process starts in."),
    Field("hostname", "text", ("hostname",), "Name of the container's host."),
    Field("domainname", "text", ("domainname",), "Domain of the container's host."),
    Field("init", "boolean", ("init",), "Run an init process that forwards signals and reaps children."),
    Field("tty", "boolean", ("tty",), "Give the process a terminal."),
    Field("stdin_open", "boolean", ("stdin_open",), "Keep the standard input open."),
    Field("stop_signal", "text", ("stop_signal",), "Signal that stops the process."),
    Field("privileged", "boolean", ("privileged",), "Run with all rights of the host.", True),
    Field("cap_add", "list of text", ("cap_add",), "Capabilities of the kernel to add.", True),
    Field("cap_drop", "list of text", ("cap_drop",), "Capabilities of the kernel to drop."),
    Field("security_opt", "list of text", ("security_opt",), "Options of the kernel's security modules.", True),
    Field("group_add", "list of text", ("group_add",), "Further groups of the process."),
    Field("sysctls", "map of text", ("sysctls",), "Kernel parameters of the container."),
    Field("network_mode", "text", ("network_mode",), "`host`, `none`, `bridge` or `service:NAME`.", True),
    Field("pid", "text", ("pid",), "Namespace of processes: `host` or `service:NAME`.", True),
    Field("ipc", "text", ("ipc",), "Namespace of shared memory: `host`, `shareable` or `service:NAME`.", True),
    Field("uts", "text", ("uts",), "Namespace of host names: `host`.", True),
    Field("userns_mode", "text", ("userns_mode",), "Namespace of users: `host`.", True),
    Field("cgroup", "text", ("cgroup",), "Namespace of control groups: `host` or `private`.", True),
    Field("cgroup_parent", "text", ("cgroup_parent",), "Control group above the container's.", True),
    Field("oci_runtime", "text", ("runtime",), "Runtime of the container engine.", True),
    Field("dns", "list of text", ("dns",), "Addresses of name servers."),
    Field("dns_search", "list of text", ("dns_search",), "Domains that short names are looked up in."),
    Field("dns_options", "list of text", ("dns_opt",), "Options of the resolver."),
    Field("mac_address", "text", ("mac_address",), "MAC address of the container."),
    Field("pull_policy", "text", ("pull_policy",), "When the image is pulled: `always`, `missing`, `never` or others."),
    Field("cpuset", "text", ("cpuset",), "Processors that the container may use."),
    Field("cpu_shares", "integer", ("cpu_shares",), "Weight of the container among others."),
    Field("pids_limit", "integer", ("pids_limit",), "Highest number of processes."),
    Field("oom_score_adj", "integer", ("oom_score_adj",), "Preference when memory runs out, -1000 to 1000."),
    Field("oom_kill_disable", "boolean", ("oom_kill_disable",), "Do not end the process when memory runs out.", True),
    Field("shm_size", "integer", ("shm_size",), "Size of `/dev/shm` in bytes."),
    Field("memory_swap", "integer", ("memswap_limit",), "Memory and swap together in bytes, -1 for no limit."),
    Field("memory_reservation", "integer", ("mem_reservation", "deploy.resources.reservations.memory"), "In bytes."),
    Field("mounts", "list of mounts", ("volumes",), "Folders of the host and named volumes. See `MOUNT`."),
    Field("tmpfs", "list of objects", ("tmpfs", "volumes"), "Memory mounts: `mount_point`, `size`, `mode`, `options`."),
    Field("entrypoint", "list of text", ("entrypoint",), "Entrypoint where one text and arguments do not hold it."),
    Field("aliases", "list of text", ("container_name", "networks", "links"), "Further names in the network."),
    Field("ports", "list of ports", ("ports",), "Ports with a host address, and a port published twice. See `PORT`."),
    Field("extra_hosts", "map of lists", ("extra_hosts",), "Addresses of further names of hosts."),
    Field("devices", "list of objects", ("devices",), "Devices: `source`, `target`, `permissions`.", True),
    Field("ulimits", "map of objects", ("ulimits",), "Limits of the process: `soft` and `hard`."),
    Field("restart", "object", ("restart", "deploy.restart_policy"), "`policy` and `max_attempts`."),
    Field("labels", "map of text", ("labels",), "Labels of the container."),
    Field("build", "object", ("build",), "Build from a local folder: the members of Compose's `build`."),
    Field("unlimited", "list of text", (), "`cpu`, `memory`: the file sets no limit for it."),
)
"""All settings."""
MOUNT = {
    "type": "HOST_PATH or VOLUME",
    "source": "absolute path of the host, or name of a volume of the environment; absent: a volume without a name",
    "mount_point": "absolute path in the container",
    "read_only": "true: the container cannot write",
    "propagation": "propagation of a host path",
    "selinux": "z or Z: relabel the host path",
    "create_host_path": "true: make a folder if the host path is missing",
    "no_copy": "true: the volume does not begin with the image's files",
    "sub_path": "path within the volume",
}
PORT = {
    "internal_port": "port of the container",
    "protocol": "TCP or UDP",
    "external_port": "port of the host, or a range such as 9000-9002 of which one is taken; absent: any",
    "host_address": "address of the host; absent: all",
}
_SIZES = ("shm_size", "memory_swap", "memory_reservation")
_COPIED = {
    field.keys[0]: field.name
    for field in FIELDS
    if field.type in ("text", "boolean", "integer", "list of text", "map of text") and len(field.keys) == 1
    if field.name != "entrypoint"
}
_HARMLESS = {
    "network_mode": ("none", "bridge", "default"),
    "ipc": ("private", "shareable", "none"),
    "cgroup": ("private",),
    "security_opt": (["no-new-privileges:true"], ["no-new-privileges"]),
}
KEYS = frozenset(key.split(".")[0] for field in FIELDS for key in field.keys)


def settings_of(service: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields that depend on nothing but one service: all but mounts, ports, aliases and the entrypoint."""
    made: dict[str, Any] = {}
    for key, name in _COPIED.items():
        if key in service:
            made[name] = int(service[key]) if name in _SIZES else service[key]
    reserved = service.get("mem_reservation") or _resources(service, "reservations").get("memory")
    if reserved:
        made["memory_reservation"] = int(reserved)
    if "extra_hosts" in service:
        made["extra_hosts"] = {}
        for entry in service["extra_hosts"]:
            host, _, address = entry.partition("=")
            made["extra_hosts"].setdefault(host, []).append(address)
    if "devices" in service:
        made["devices"] = service["devices"]
    if "ulimits" in service:
        made["ulimits"] = {
            name: limit if isinstance(limit, dict) else {"soft": limit, "hard": limit}
            for name, limit in service["ulimits"].items()
        }
    made["restart"] = _restart(service)
    unlimited = [
        name for name, is_limited in (("cpu", cpu_of(service)), ("memory", memory_of(service))) if not is_limited
    ]
    if unlimited:
        made["unlimited"] = unlimited
    return made


def _resources(service: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = service.get("deploy", {}).get("resources", {}).get(kind, {})
    return found


def cpu_of(service: dict[str, Any]) -> float:
    """Returns the limit of processors, 0 if there is none."""
    quota, period = service.get("cpu_quota", 0), service.get("cpu_period", 100_000)
    by_quota = quota / period if quota > 0 and period > 0 else 0
    return float(service.get("cpus") or _resources(service, "limits").get("cpus") or by_quota)


def memory_of(service: dict[str, Any]) -> int:
    """Returns the limit of memory in bytes, 0 if there is none."""
    return max(0, int(service.get("mem_limit") or _resources(service, "limits").get("memory") or 0))


def _restart(service: dict[str, Any]) -> dict[str, Any]:
    """Returns when an ended container is started again. Compose never does unless the file says so."""
    policy, _, attempts = service.get("restart", "").partition(":")
    own = service.get("deploy", {}).get("restart_policy", {})
    if not policy and own:
        policy = {"any": "always", "none": "no"}.get(own.get("condition", "any"), "on-failure")
        attempts = str(own.get("max_attempts", ""))
    made: dict[str, Any] = {"policy": policy or "no"}
    if re.fullmatch("[0-9]+", attempts):
        made["max_attempts"] = int(attempts)
    return made


def host_access(project: ProjectContents, name: str, runtime: dict[str, Any]) -> list[Note]:
    """Returns a note for each field that reaches the machine, which the driver refuses unless it is allowed."""
    found = []
    for field in FIELDS:
        value = runtime.get(field.name)
        if not field.needs_host_access or value in (None, False) or value in _HARMLESS.get(field.name, ()):
            continue
        if isinstance(value, str) and value.startswith("service:"):
            continue
        said = f"services.{name}.{field.keys[0]} reaches the machine: it needs --allow-host-access"
        found.append(project.note(("services", name, field.keys[0]), said))
    own = [mount["target"] for mount in project.services[name].get("volumes", ())]
    for mount in runtime.get("mounts", ()):
        if mount["type"] == "HOST_PATH":
            target = mount["mount_point"]
            path = ("volumes", own.index(target)) if target in own else ("volumes_from",)
            said = f"services.{name}.{path[0]} mounts {mount['source']} of the machine: it needs --allow-host-access"
            found.append(project.note(("services", name, *path), said))
    return found
