"""How a file overrides the files before it, and a service the one that it extends; which entries of a list are one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .short_forms import go_text, volume_of
from .source import Fault, Map, Path, Text, kind_of, mark_of, same
from .tree import Patterns

Merger = Callable[[Any, Any, Path], Any]
Index = Callable[[Any, Path], Any]


def merged(base: Any, over: Any, path: Path = ()) -> Any:
    """Returns the base with the values of `over`. Changes the base. Raises Fault."""
    merger = _MERGERS.find(path)
    if merger:
        return merger(base, over, path)
    if over is None:
        return base
    if isinstance(base, dict):
        if not isinstance(over, dict):
            raise Fault(path, f"must be a mapping as in the file before, not {kind_of(over)}")
        return _members(base, over, path)
    if isinstance(base, list):
        if not isinstance(over, list):
            raise Fault(path, f"must be a list as in the file before, not {kind_of(over)}")
        return _appended(base, over)
    return over


def _members(base: Any, over: Any, path: Path) -> Any:
    for key, value in over.items():
        known = key in base
        value = merged(base[key], value, (*path, key)) if known else value
        if isinstance(base, Map) and isinstance(over, Map):
            base.put(key, value, over)
        else:
            base[key] = value
    return base


def _appended(base: list[Any], over: list[Any]) -> list[Any]:
    made = list(base)
    for item in over:
        if not any(same(item, known) for known in made):
            made.append(item)
    return made


def _overrides(base: Any, over: Any, path: Path) -> Any:
    return over


def _sequences(base: Any, over: Any, path: Path) -> Any:
    return _appended(_sequence(base), _sequence(over))


def _key_values(base: Any, over: Any, path: Path) -> Any:
    for value in (base, over):
        for key, given in value.items() if isinstance(value, dict) else ():
            if isinstance(given, (dict, list)):
                raise Fault((*path, key), f"must be a text, a number, or true or false, not {kind_of(given)}")
    return _unique(_sequence(base) + _sequence(over), key_of, path)


def _sequence(value: Any) -> list[Any]:
    """Returns a mapping as the list `KEY=VALUE`, sorted by text."""
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [value]
    if not isinstance(value, dict):
        return []
    made = []
    for key, given in value.items():
        mark = (value.marks.get(key) if isinstance(value, Map) else None) or mark_of(given)
        for item in given if isinstance(given, list) else [given]:
            made.append(Text(key if given is None else f"{key}={go_text(item)}", mark))
    return sorted(made)


def _logging(base: Any, over: Any, path: Path) -> Any:
    for value in (base, over):
        if not isinstance(value, dict):
            raise Fault(path, f"must be a mapping, not {kind_of(value)}")
    drivers = [value.get("driver") for value in (base, over)]
    is_same = drivers[0] == drivers[1] or "driver" not in base or "driver" not in over
    return _members(base, over, path) if is_same else over


def _build(base: Any, over: Any, path: Path) -> Any:
    def long(value: Any) -> Any:
        return Map(mark=mark_of(value), context=value) if isinstance(value, str) else value

    base, over = long(base), long(over)
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over if base is None else base
    return _members(base, over, path)


def _as_mapping(defaults: dict[str, Any] | None) -> Merger:
    """Returns the merger of a list of names or a mapping. A name alone stands for the defaults."""

    def mapping(value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            return value
        made = Map()
        items = [] if value is None else [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise Fault(path, "must be a list of names or a mapping")
        for item in items:
            made[str(item)] = None if defaults is None else Map(mark=mark_of(item), **defaults)
            mark = mark_of(item)
            if mark:
                made.marks[str(item)] = mark
        return made

    return lambda base, over, path: _members(mapping(base, path), mapping(over, path), path)


def _ulimit(base: Any, over: Any, path: Path) -> Any:
    return _members(base, over, path) if isinstance(base, dict) and isinstance(over, dict) else over


def _ipam(base: Any, over: Any, path: Path) -> Any:
    """Merges the pools of a network by their subnet, in the order that the reference has."""
    if not isinstance(base, list) or not isinstance(over, list):
        raise Fault(path, "must be a list of mappings")
    made: list[Any] = []
    for right in base:
        for left in over:
            if not isinstance(right, dict) or not isinstance(left, dict):
                raise Fault(path, "must be a list of mappings")
            known = [pool.get("subnet") for pool in made]
            if left.get("subnet") != right.get("subnet") and left.get("subnet") not in known:
                made.append(left)
                continue
            pool = _members(right, left, path)
            if pool.get("subnet") in known:
                made[known.index(pool.get("subnet"))] = pool
            else:
                made.append(pool)
    return made


_OF_WORKLOADS: dict[str, Merger] = {
    "annotations": _key_values,
    "build": _build,
    "build.args": _key_values,
    "build.additional_contexts": _key_values,
    "build.extra_hosts": _sequences,
    "build.labels": _key_values,
    "command": _overrides,
    "depends_on": _as_mapping({"condition": "service_started", "required": True}),
    "dns": _sequences,
    "dns_opt": _sequences,
    "dns_search": _sequences,
    "entrypoint": _overrides,
    "env_file": _sequences,
    "label_file": _sequences,
    "environment": _key_values,
    "extra_hosts": _sequences,
    "healthcheck.test": _overrides,
    "labels": _key_values,
    "volumes.*.volume.labels": _key_values,
    "logging": _logging,
    "models": _as_mapping(None),
    "networks": _as_mapping(None),
    "sysctls": _key_values,
    "tmpfs": _sequences,
    "ulimits.*": _ulimit,
}
_MERGERS: Patterns[Merger] = Patterns(
    [
        *((f"{prefix}.*.{key}", merger) for prefix in ("services", "jobs") for key, merger in _OF_WORKLOADS.items()),
        ("networks.*.ipam.config", _ipam),
        *((f"{prefix}.*.labels", _key_values) for prefix in ("networks", "volumes", "secrets", "configs")),
        ("services.*.deploy.labels", _key_values),
    ]
)


def without_repetitions(value: Any, path: Path = ()) -> Any:
    """Returns the tree with one entry for each key of its lists: the last one counts, where the first one is."""
    if isinstance(value, dict):
        for key in list(value):
            value[key] = without_repetitions(value[key], (*path, key))
        return value
    index = _INDEXES.find(path) if isinstance(value, list) else None
    return _unique(value, index, path) if index else value


def _unique(entries: list[Any], index: Index, path: Path) -> list[Any]:
    made: dict[Any, Any] = {}
    for at, entry in enumerate(entries):
        made[index(entry, (*path, str(at)))] = entry
    return list(made.values())


def key_of(item: Any, path: Path) -> str:
    if not isinstance(item, str):
        raise Fault(path, f"must be a text, not {kind_of(item)}: put it in quotes")
    return item.partition("=")[0]


def _target(item: Any, path: Path) -> Any:
    if isinstance(item, dict):
        if not isinstance(item.get("target"), str):
            raise Fault(path, "the mount has no target")
        return item["target"]
    return str(volume_of(item, path)["target"]) if isinstance(item, str) else ""


def _device(item: Any, path: Path) -> Any:
    if isinstance(item, dict):
        if not isinstance(item.get("target"), str):
            raise Fault(path, "the device has no target")
        return item["target"]
    parts = item.split(":") if isinstance(item, str) else [""]
    return parts[1] if len(parts) > 1 else parts[0]


def _exposed(item: Any, path: Path) -> Any:
    if isinstance(item, (str, int)) and not isinstance(item, bool):
        return str(item)
    raise Fault(path, f"must be a port, not {kind_of(item)}")


def _mount(folder: str) -> Index:
    def index(item: Any, path: Path) -> Any:
        if isinstance(item, str):
            return f"{folder}/{item}"
        if not isinstance(item, dict):
            raise Fault(path, f"must be a name or a mapping, not {kind_of(item)}")
        return str(item["target"]) if "target" in item else f"{folder}/{item.get('source')}"

    return index


def _port(item: Any, path: Path) -> Any:
    if not isinstance(item, dict):
        return str(item) if isinstance(item, (str, int)) else ""
    if "target" not in item:
        raise Fault(path, "the port has no target")
    published = item.get("published")
    kind = "number" if isinstance(published, int) else "text"
    host, protocol = item.get("host_ip", "0.0.0.0"), item.get("protocol", "tcp")
    return str(host), kind, str(published), str(item["target"]), str(protocol)


def _env_file(item: Any, path: Path) -> Any:
    if isinstance(item, dict):
        if "path" not in item:
            raise Fault(path, "the file of variables has no path")
        return str(item["path"])
    return item if isinstance(item, str) else ""


_KEYED = (
    "annotations build.args build.additional_contexts build.platform build.tags build.labels cap_add cap_drop "
    "deploy.labels dns dns_opt dns_search environment labels links networks.*.aliases networks.*.link_local_ips "
    "profiles sysctls tmpfs"
)
_INDEXES: Patterns[Index] = Patterns(
    [
        ("networks.*.labels", key_of),
        ("networks.*.ipam.options", key_of),
        *((f"services.*.{key}", key_of) for key in _KEYED.split()),
        ("services.*.devices", _device),
        ("services.*.configs", _mount("")),
        ("services.*.secrets", _mount("/run/secrets")),
        ("services.*.env_file", _env_file),
        ("services.*.expose", _exposed),
        ("services.*.ports", _port),
        ("services.*.volumes", _target),
    ]
)
