"""Short forms of ports, volumes, dependencies and the like, written out, and the defaults of long forms."""

from __future__ import annotations

import ipaddress
import posixpath
import re
from collections.abc import Callable
from typing import Any

from .source import Fault, Map, Path, Text, kind_of, mark_of, shown
from .tree import Patterns

Form = Callable[[Any, Path], Any]
PROPAGATIONS = ("rprivate", "private", "rshared", "shared", "rslave", "slave")


def canonical(value: Any, path: Path = ()) -> Any:
    """Returns the tree with every short form written out. Raises Fault."""
    form = _FORMS.find(path)
    return form(value, path) if form else _inside(value, path, canonical)


def with_defaults(value: Any, path: Path = ()) -> Any:
    """Returns the tree with the defaults that the reference writes into long forms. Raises Fault."""
    form = _DEFAULTS.find(path)
    return form(value, path) if form else _inside(value, path, with_defaults)


def _inside(value: Any, path: Path, work: Form) -> Any:
    if isinstance(value, dict):
        for key in list(value):
            value[key] = work(value[key], (*path, key))
    elif isinstance(value, list):
        value[:] = [work(item, (*path, "[]")) for item in value]
    return value


def _members(value: Any, path: Path) -> Any:
    return _inside(value, path, canonical) if isinstance(value, dict) else value


def _refused(value: Any, path: Path, allowed: str) -> Fault:
    return Fault(path, f"must be {allowed}, not {kind_of(value)}")


# Ports


def _ports(value: Any, path: Path) -> Any:
    if not isinstance(value, list):
        raise _refused(value, path, "a list of ports")
    made: list[Any] = []
    for index, item in enumerate(value):
        if isinstance(item, dict):
            made.append(item)
        elif isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool)):
            made += _port(item, (*path, str(index)))
        else:
            raise _refused(item, (*path, str(index)), 'a port such as "8080:80" or a mapping')
    return made


def _port(item: str | int, path: Path) -> list[Map]:
    """Returns the ports that a short form names: a range of container ports is several."""
    address, _, rest = str(item).rpartition(":")
    address, _, host = address.rpartition(":") if address.count(":") else ("", "", address)
    container, _, protocol = rest.partition("/")
    protocol = protocol.split("/")[0].lower() or "tcp"
    address = _address(address, item, path)
    form = "allowed are [ADDRESS:][HOST:]CONTAINER[/PROTOCOL], ranges as 80-89, and tcp, udp, sctp"
    if protocol not in ("tcp", "udp", "sctp"):
        raise Fault(path, f"the port {shown(item)} has the protocol {protocol}; allowed are tcp, udp and sctp")
    inside, outside = _range(container), _range(host) if host else (0, 0)
    if inside is None or outside is None:
        raise Fault(path, f"{shown(item)} is no port; {form}, each port from 0 to 65535")
    first, last = inside
    if host and last - first != outside[1] - outside[0] and first != last:
        raise Fault(path, f"the port {shown(item)} maps ranges of different lengths")
    made = []
    for offset in range(last - first + 1):
        published = str(outside[0] + offset) if host else ""
        if first == last and outside[0] != outside[1]:
            published = f"{outside[0]}-{outside[1]}"
        port = Map(mark=mark_of(item), mode="ingress")
        values: dict[str, Any] = {"host_ip": address, "target": first + offset, "published": published}
        port.update({key: given for key, given in values.items() if given})
        port["protocol"] = protocol
        made.append(port)
    return sorted(made, key=lambda port: f"{port.get('target', 0)}/{protocol}")


def _address(text: str, item: Any, path: Path) -> str:
    """Returns the address of the host without brackets. IPv6 needs them."""
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    elif ":" in text:
        raise Fault(path, f"the port {shown(item)} has an IPv6 address without brackets: write [::1]:80:80")
    if text and not is_address(text):
        raise Fault(path, f"the port {shown(item)} has the host address {text}, which is no IP address")
    return text


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text


def _range(text: str) -> tuple[int, int] | None:
    parts = text.split("-")[:2]
    if not all(re.fullmatch("[0-9]{1,20}", part) and int(part) < 1 << 16 for part in parts):
        return None
    first, last = int(parts[0]), int(parts[-1])
    return (first, last) if first <= last else None


# Volumes


def volume_of(spec: str, path: Path) -> Map:
    """Returns the volume that a short form names. A letter before a colon is a drive of Windows, as the reference has
    it."""
    volume = Map(mark=mark_of(spec))
    if len(spec) <= 2:
        if not spec:
            raise Fault(path, "a volume must not be empty; allowed are [SOURCE:]TARGET[:OPTIONS]")
        volume.update(type="volume", target=spec)
        return volume
    fields = _fields(spec)
    if "" in fields or len(fields) > 3:
        raise Fault(
            path, f"the volume {shown(spec)} has an empty or a fourth part; allowed are [SOURCE:]TARGET[:OPTIONS]"
        )
    if len(fields) > 1:
        volume["source"] = fields[0]
    volume["target"] = fields[1] if len(fields) > 1 else fields[0]
    bind, own = Map(), Map()
    for option in fields[2].split(",") if len(fields) > 2 else ():
        if option in ("ro", "rw"):
            volume["read_only"] = option == "ro"
        elif option == "nocopy":
            own["nocopy"] = True
        elif option in PROPAGATIONS:
            bind["propagation"] = option
        elif option in ("z", "Z"):
            bind["selinux"] = option
    is_bind = _is_path(volume.get("source", ""))
    volume["type"] = "bind" if is_bind else "volume"
    if is_bind:
        bind["create_host_path"] = True
    if bind or is_bind:
        volume["bind"] = bind
    if own or not is_bind:
        volume["volume"] = own
    if not volume.get("read_only"):
        volume.pop("read_only", None)
    return volume


def _fields(spec: str) -> list[str]:
    """Splits at the colons outside of `${…}`. A letter with a colon at the beginning of a part stays with it."""
    fields, field, depth = [], "", 0
    for at, letter in enumerate(spec):
        if letter == "$" and spec[at + 1 : at + 2] == "{":
            depth += 1
        elif letter == "}" and depth:
            depth -= 1
        elif letter == ":" and not depth and not (len(field) == 1 and field.isalpha()):
            fields.append(field)
            field = ""
            continue
        field += letter
    return [*fields, field]


def _is_path(source: str) -> bool:
    return bool(source) and (source[0] in "./~" or source.startswith("\\\\") or bool(re.match(r"[^\W\d_]:", source)))


def _volume(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        raise _refused(value, path, "a text such as ./data:/data or a mapping")
    volume = volume_of(value, path)
    volume["target"] = posixpath.normpath(volume["target"]) if volume["target"] else ""
    if volume["target"].startswith("//"):
        volume["target"] = volume["target"][1:]
    return volume


def _bind_defaults(value: Any, path: Path) -> Any:
    if not isinstance(value, dict):
        raise _refused(value, path, "a mapping")
    value.setdefault("create_host_path", True)
    return value


# The others


def _list_of_texts(value: Any, path: Path) -> Any:
    return [value] if isinstance(value, str) else value


def _env_files(value: Any, path: Path) -> Any:
    if not isinstance(value, (str, list)):
        raise _refused(value, path, "a path or a list of paths")
    made = []
    for item in [value] if isinstance(value, str) else value:
        entry = item if isinstance(item, dict) else Map(mark=mark_of(item), path=item)
        entry.setdefault("required", True)
        made.append(entry)
    return made


def _gpus(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        return [Map(mark=mark_of(value), count="all")]
    if not isinstance(value, list):
        raise _refused(value, path, "all or a list of devices")
    return _inside(value, path, canonical)


def _keys_of_list(value: Any, path: Path) -> Any:
    if not isinstance(value, list):
        return value
    made = Map()
    for item in value:
        made[str(item)] = None
        _mark(made, str(item), item)
    return made


def _mark(made: Map, key: str, item: Any) -> None:
    mark = mark_of(item)
    if mark:
        made.marks[key] = mark


def _device(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        raise _refused(value, path, "a text such as /dev/dri:/dev/dri or a mapping")
    parts = value.split(":")
    if len(parts) > 3:
        raise Fault(
            path, f"the device {shown(value)} has more than three parts; allowed are SOURCE[:TARGET[:PERMISSIONS]]"
        )
    target = parts[1] if len(parts) > 1 and parts[1] else parts[0]
    permissions = parts[2] if len(parts) > 2 else "rwm"
    return Map(mark=mark_of(value), source=parts[0], target=target, permissions=permissions)


def _file_mount(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        raise _refused(value, path, "a name or a mapping")
    return Map(mark=mark_of(value), source=value)


def _ulimit(value: Any, path: Path) -> Any:
    if isinstance(value, dict) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise _refused(value, path, "a whole number, or a mapping of soft and hard")


def _depends_on(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        for key, entry in value.items():
            if not isinstance(entry, dict):
                raise _refused(entry, (*path, key), "a mapping with condition")
            entry.setdefault("condition", "service_started")
            entry.setdefault("required", True)
        return value
    if not isinstance(value, list):
        raise _refused(value, path, "a list of services or a mapping")
    made = Map()
    for item in value:
        made[str(item)] = Map(mark=mark_of(item), condition="service_started", required=True)
        _mark(made, str(item), item)
    return made


def _build(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        return Map(mark=mark_of(value), context=value)
    if not isinstance(value, dict):
        raise _refused(value, path, "the path of a folder or a mapping")
    return _inside(value, path, canonical)


def _build_defaults(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        value.setdefault("context", ".")
    return value


def _extends(value: Any, path: Path) -> Any:
    return Map(mark=mark_of(value), service=value) if isinstance(value, str) else value


def _ssh(value: Any, path: Path) -> Any:
    if not isinstance(value, list):
        return value
    made = Map()
    for item in value:
        name, has_path, key_path = str(item).partition("=")
        if not has_path and name != "default":
            raise Fault(path, f"the SSH key {shown(item)} must be default or ID=PATH")
        made[name] = Text(key_path, mark_of(item)) if has_path else None
    return made


def _key_values(value: Any, path: Path) -> Any:
    if not isinstance(value, list):
        return value
    made = Map()
    for item in value:
        key, has_value, given = str(item).partition("=")
        if not has_value:
            raise Fault(path, f"{shown(item)} must be KEY=VALUE")
        made[key] = Text(given, mark_of(item))
        _mark(made, key, item)
    return made


def _text(value: Any, path: Path) -> Any:
    return value if isinstance(value, str) or value is None else go_text(value)


def go_text(value: Any) -> str:
    """Returns a value as the reference writes it where a text is needed: 1.10 is `1.1`, 1e6 is `1e+06`."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN" if value != value else "+Inf" if value > 0 else "-Inf"
    shortest = next(text for text in (f"{value:.{digits}e}" for digits in range(18)) if float(text) == value)
    digits, _, exponent = shortest.partition("e")
    size, count = int(exponent), len(digits.lstrip("-").replace(".", ""))
    if size < -4 or size >= 6:
        return f"{digits}e{'-' if size < 0 else '+'}{abs(size):02d}"
    return f"{value:.{max(count - 1 - size, 0)}f}"


def _schedule(value: Any, path: Path) -> Any:
    return Map(mark=mark_of(value), cron=value) if isinstance(value, str) else value


def _maybe_external(value: Any, path: Path) -> Any:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _refused(value, path, "a mapping")
    value = _inside(value, path, canonical)
    external = value.get("external")
    if isinstance(external, dict):
        name = external.get("name")
        value["external"] = True
        if name is not None and value.setdefault("name", name) != name:
            raise Fault(path, "name and external.name differ; use only name")
    return value


def _port_defaults(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        value.setdefault("protocol", "tcp")
        value.setdefault("mode", "ingress")
    return value


def _secret_defaults(value: Any, path: Path) -> Any:
    if not isinstance(value, dict):
        raise _refused(value, path, "a mapping")
    value.setdefault("target", f"/run/secrets/{value.get('source')}")
    return value


def _device_defaults(value: Any, path: Path) -> Any:
    if not isinstance(value, dict):
        raise _refused(value, path, "a mapping")
    if "count" not in value and "device_ids" not in value:
        value["count"] = "all"
    return value


_OF_CONTAINERS: dict[str, Form] = {
    "env_file": _env_files,
    "label_file": _list_of_texts,
    "gpus": _gpus,
    "networks": _keys_of_list,
    "models": _keys_of_list,
    "volumes.*": _volume,
    "dns": _list_of_texts,
    "devices.*": _device,
    "secrets.*": _file_mount,
    "configs.*": _file_mount,
    "ulimits.*": _ulimit,
}
_OF_WORKLOADS: dict[str, Form] = {
    "build.secrets.*": _file_mount,
    "build.provenance": _text,
    "build.sbom": _text,
    "build.additional_contexts": _key_values,
    "depends_on": _depends_on,
    "extends": _extends,
    "ports": _ports,
    "build": _build,
    "build.ssh": _ssh,
    "build.ulimits.*": _ulimit,
}
_FORMS: Patterns[Form] = Patterns(
    [
        *(
            (f"{prefix}.{key}", form)
            for prefix in ("services.*", "jobs.*", "services.*.pre_start.*")
            for key, form in _OF_CONTAINERS.items()
        ),
        *((f"{prefix}.*.{key}", form) for prefix in ("services", "jobs") for key, form in _OF_WORKLOADS.items()),
        *((f"{prefix}.*", _members) for prefix in ("services", "jobs")),
        ("jobs.*.triggers.schedule.*", _schedule),
        ("services.*.develop.watch.*.ignore", _list_of_texts),
        ("services.*.develop.watch.*.include", _list_of_texts),
        *((f"{prefix}.*", _maybe_external) for prefix in ("volumes", "networks", "secrets", "configs")),
    ]
)
_DEFAULTS: Patterns[Form] = Patterns(
    [
        *(
            (f"{prefix}.*.{key}", form)
            for prefix in ("services", "jobs")
            for key, form in {
                "build": _build_defaults,
                "secrets.*": _secret_defaults,
                "ports.*": _port_defaults,
                "gpus.*": _device_defaults,
                "volumes.*.bind": _bind_defaults,
            }.items()
        ),
        ("services.*.deploy.resources.reservations.devices.*", _device_defaults),
    ]
)
