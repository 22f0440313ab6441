"""Platform files of environments that exist.

A field is left out where it has its default. The engine says which that is: a resource with the required fields alone
is created in a batch that is dropped.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

from .bodies import FROM, SECRET_FLAGS, writable
from .document import DEFAULTS, default_stage
from .interface import is_reference, is_secret
from .reconciliation import Dropped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..engine.batch import Batch
    from ..engine.engine import Engine
    from ..generated.models import Environment
    from .interface import Interface, Kind

_BUILT_IN = re.compile(r"[A-Z0-9_]+?_Z[0-9A-F]{8}_")
_LINKED = re.compile(r"\{\{\s*([A-Z0-9_]+_Z[0-9A-F]{8}_[A-Z0-9_]+)\s*\}\}")
_HEAD = """# The environment {name}, as it was written from its store.
# Resources of the organization that it uses are named, and not described.
"""


def write(engine: Engine, interface: Interface, environment: Environment) -> str:
    """Returns the platform file of the environment as YAML. Secrets, which cannot be read, come from environment
    variables that it names."""
    import yaml

    with contextlib.suppress(Dropped), engine.batch() as batch:
        name, data = _Writing(batch, interface, environment.id).document()
        raise Dropped

    class Dumper(yaml.SafeDumper):  # type: ignore[misc, unused-ignore]
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
            return super().increase_indent(flow, False)

    def text_of(dumper: Any, value: str) -> Any:
        style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text_of)
    text = yaml.dump(data, Dumper=Dumper, sort_keys=False, width=110, allow_unicode=True)
    return _HEAD.format(name=" ".join(name.split())) + str(text)


class _Writing:
    """One environment, read in a batch that is dropped."""

    def __init__(self, batch: Batch, interface: Interface, environment: str) -> None:
        self._batch = batch
        self._interface = interface
        self._id = environment
        self._names: dict[str, str] = {}
        self._variables = self._get(f"/variable?parent_id={environment}&scope=ENVIRONMENT")["results"]
        self._links = {
            each["key"]: f"{each['service_name']}.{_BUILT_IN.sub('', each['key'], count=1)}"
            for each in self._variables
            if each["scope"] == "BUILT_IN" and each.get("service_id")
        }

    def document(self) -> tuple[str, dict[str, Any]]:
        """Returns the names of organization, project and environment in one text, and the members of the file."""
        data = self._get(f"/environment/{self._id}")
        organization = self._get(f"/organization/{data['organization']['id']}")
        project = self._get(f"/project/{data['project']['id']}")
        for kind in self._interface.shared.values():
            path = kind.item._family.collection.format(parent=organization["id"], above="")
            self._names |= {each["id"]: each["name"] for each in self._get(path)["results"]}
        fields = {"name": data["name"], "cluster_id": self._names.get(data["cluster_id"], data["cluster_id"])}
        found: dict[str, Any] = {"organization": organization["name"], "project": project["name"]}
        found["environment"] = {**fields, **({"mode": data["mode"]} if data.get("mode") != "DEVELOPMENT" else {})}
        found["variables"] = dict(self._own(self._interface.environment, self._id, self._variables))
        stages = self._get(f"/environment/{self._id}/deploymentStage")["results"]
        of_services = {one["service_id"]: (each["name"], one) for each in stages for one in each["services"]}
        for kind in (*self._interface.others.values(), *self._interface.services.values()):
            path = kind.item._family.collection.format(parent=self._id, above="")
            for each in self._get(path)["results"]:
                if kind.accessor == "stages" and each["name"].endswith(" DEFAULT"):
                    continue
                entry = self._entry(kind, each)
                stage, one = of_services.get(each["id"], ("", {}))
                if stage and stage != default_stage(kind):
                    entry["deployment_stage"] = stage
                if one.get("is_skipped"):
                    entry["is_skipped"] = True
                found.setdefault(kind.accessor, {})[each["name"]] = entry
        return "/".join(each["name"] for each in (organization, project, data)), {
            name: value for name, value in found.items() if value != {}
        }

    def _entry(self, kind: Kind, data: Mapping[str, Any]) -> dict[str, Any]:
        known = kind.schema["properties"]
        required = [name for name in kind.schema.get("required", ()) if name in data and name != "name"]
        body = {"name": f"like {data['id']}", **{name: _with_secrets(data[name], "hidden") for name in required}}
        path = kind.item._family.collection.format(parent=self._id, above="")
        usual = self._batch.request("POST", path, body).check()
        optional = [name for name in writable(known) if name not in ("name", "metadata", *required)]
        wanted = {name: data[name] for name in optional if name in data and data[name] != usual.get(name)}
        fields = {name: _with_secrets(data[name], data["name"]) for name in required} | wanted
        defaults = DEFAULTS.get(kind.accessor, {})
        entry = {
            name: self._value(value, known[name], name, kind.family)
            for name, value in fields.items()
            if value is not None and (name not in defaults or defaults[name] != value)
        }
        entry |= self._secrets(kind, data)
        metadata = {key: value for key, value in (data.get("metadata") or {}).items() if not key.startswith("orlop.")}
        if metadata:
            entry["metadata"] = metadata
        entry |= self._below(kind, data["id"], usual["id"])
        if kind.owns_variables:
            seen = self._get(f"/variable?parent_id={data['id']}&scope={kind.scope}")["results"]
            variables = dict(self._own(kind, data["id"], seen))
            if variables:
                entry["variables"] = variables
        return entry

    def _below(self, kind: Kind, identity: str, usual: str) -> dict[str, Any]:
        """Returns settings that differ from those of a new resource, and the resources without names."""
        found: dict[str, Any] = {}
        path = kind.item._family.path
        if not kind.is_service:
            return found
        for name, (at, _) in self._interface.settings(kind).items():
            own, other = (
                self._get(at.format(parent=each, above=path.format(id=each, parent="", above="")))
                for each in (identity, usual)
            )
            changed = {key: value for key, value in own.items() if value != other.get(key)}
            if changed:
                found[name] = changed
        for name, below in self._interface.lists(kind).items():
            above = path.format(id=identity, parent="", above="")
            listed = self._get(below.item._family.collection.format(parent=identity, above=above))["results"]
            known = below.schema["properties"]
            if listed:
                found[name] = [
                    {
                        field: each[field]
                        for field in below.item._family.given
                        if field in each and each[field] != known[field].get("default")
                    }
                    for each in listed
                ]
        return found

    def _secrets(self, kind: Kind, data: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the secret fields of the resource itself, such as a key, which it may have."""
        return {
            name: {"from_env": _variable_name(data["name"], name)}
            for name, schema in kind.schema["properties"].items()
            if is_secret(self._interface.resolve(schema)) and name in kind.schema.get("required", ())
        }

    def _own(self, kind: Kind, identity: str, seen: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
        """Yields the variables that are set on the resource itself."""
        for each in seen:
            if each["scope"] != kind.scope:
                continue
            if each["variable_type"] == "ALIAS":
                value = str(each["value"])
                yield each["key"], {"alias_of": self._links.get(value, value)}
                continue
            fields = {
                name: each[name]
                for name in ("mount_path", "description", "enable_interpolation_in_file", "secret_manager_access_id")
                if each.get(name)
            }
            if each["is_secret"]:
                owner = "" if kind.accessor == "environments" else str(each.get("service_name") or "")
                source = {"from_env": _variable_name(owner, each["key"])}
                yield each["key"], source if not fields else {"value": source, **fields}
                continue
            value = _LINKED.sub(lambda found: f"{{{{{self._links.get(found[1], found[1])}}}}}", str(each["value"]))
            yield each["key"], value if not fields else {"value": value, **fields}

    def _value(self, value: Any, schema: Mapping[str, Any], name: str, parent: str) -> Any:
        """Returns a value with names for ids, and without members that have their declared default."""
        given = self._interface.resolve(schema)
        if isinstance(value, dict) and value.keys() != set(FROM[:1]):
            known = given.get("properties", {})
            if not known:
                return value
            return {
                key: self._value(item, known[key], key, name)
                for key, item in value.items()
                if key in known and self._is_given(key, item, self._interface.resolve(known[key]), name)
            }
        if isinstance(value, list):
            return [self._value(item, given.get("items", {}), name, name) for item in value]
        if is_reference(given) and self._interface.targets(name, parent):
            return self._names.get(value, value)
        return value

    def _is_given(self, key: str, value: Any, schema: Mapping[str, Any], parent: str) -> bool:
        if schema.get("readOnly") or value is None or value == schema.get("default", ...):
            return False
        return key != "id" or bool(self._interface.targets(key, parent))

    def _get(self, path: str) -> Any:
        return self._batch.request("GET", path).check()


def _with_secrets(value: Any, name: str) -> Any:
    """Returns a value with texts where answers hide secrets: in groups with a flag that says so. The text is `hidden`,
    or the source that a file has for it."""
    if isinstance(value, list):
        return [_with_secrets(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: _with_secrets(item, name) for key, item in value.items()}
    if any(found.get(flag) is True for flag in SECRET_FLAGS) and found.get("value") is None:
        key = str(found.get("key") or found.get("name") or "")
        found["value"] = name if name == "hidden" else {"from_env": _variable_name(name, key)}
    return found


def _variable_name(*names: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", "_".join(name for name in names if name).upper()).strip("_")
