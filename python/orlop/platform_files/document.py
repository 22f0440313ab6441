"""Platform files: what one says of an organization, a project, an environment and its services."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Misuse
from ..generated import models
from ..options.arguments import fold_case
from ..resources.actions import Deployable
from .bodies import FROM, Body, BodyReader, Reference, refuse_unknown
from .secret_digests import new_salt
from .yaml_nodes import SIZE_MAX, Node, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .interface import Interface, Kind

COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
FILES = ("orlop.yaml", "orlop.yml", "platform.yaml", "platform.yml")
"""Names of a platform file, which the commands look for in this order."""
LOCAL = "local"
_TREE = ("organization", "project", "environment")
_VARIABLES, _STAGE, _SKIPPED = "variables", "deployment_stage", "is_skipped"
# Fields that are given where a file leaves them out.
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "organizations": {"plan": "FREE"},
    "applications": {"healthchecks": {}},
    "containers": {"healthchecks": {}, "registry_id": ""},
    "jobs": {"healthchecks": {}},
    "databases": {"mode": "CONTAINER"},
}
DEFAULT_STAGES: Mapping[str, str] = {"helms": "CONTAINER DEFAULT", "terraforms": "DATABASE DEFAULT"}
"""Stages of new services, where they are not named like the family."""
REGISTRY = "docker hub"
CLUSTER = "this machine"
IMPLICIT: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "container_registries": (REGISTRY, {"kind": "DOCKER_HUB", "config": {}}),
    "clusters": (CLUSTER, {"cloud_provider": "ON_PREMISE", "region": "this-machine"}),
}
"""Resources of the organization that are created where a file names none: name and fields."""


class VariableEntry:
    """A variable of a file."""

    def __init__(self, key: str, node: Node, path: str) -> None:
        self.key = key
        self.path = path
        self.node = node
        self.fields: dict[str, Any] = {"value": "", "is_secret": False}
        self.alias_of = ""


class Entry:
    """One resource of a file."""

    def __init__(self, kind: Kind, name: str, node: Node, path: str = "") -> None:
        self.kind = kind
        self.path = path
        """Path of the resource in the file: `containers.web`."""
        self.name = name
        self.node = node
        self.body = Body()
        self.is_partial = False
        """True for a resource that others use too: fields that the file leaves out stay as they are."""
        self.is_implicit = False
        """True if the file does not name it: it is created if it is missing, and never changed."""
        self.variables: dict[str, VariableEntry] = {}
        self.lists: dict[Kind, list[Entry]] = {}
        self.settings: dict[str, tuple[str, Body]] = {}
        self.stage = ""
        self.is_skipped = False
        self.salt = new_salt()

    @property
    def label(self) -> str:
        """Family and name."""
        return f"{self.kind.label} {self.name}"


class PlatformFile:
    """The contents of a platform file."""

    def __init__(self, path: Path, interface: Interface) -> None:
        self.path = path
        self.interface = interface
        self.organization: Entry
        self.project: Entry
        self.environment: Entry
        self.shared: list[Entry] = []
        """Resources of the organization and the project, which other files may use."""
        self.stages: list[Entry] = []
        self.others: list[Entry] = []
        """Named resources of the environment that are no services."""
        self.services: list[Entry] = []

    @property
    def entries(self) -> list[Entry]:
        """All resources of the file, those above first."""
        above = [self.organization, self.project, *self.shared, self.environment]
        return [*above, *self.others, *self.stages, *self.services]

    @property
    def label(self) -> str:
        """Names of organization, project and environment."""
        return f"{self.organization.name}/{self.project.name}/{self.environment.name}"


def default_stage(kind: Kind) -> str:
    """Returns the name of the stage that the services of a kind have in a new environment."""
    return DEFAULT_STAGES.get(kind.accessor, f"{kind.family.upper()} DEFAULT")


def find(given: str | None) -> Path:
    """Returns the path of the file: the given one, also a folder that has one, else that of this folder. A folder
    without a platform file may have a Compose file. Raises `Misuse`."""
    path = Path(given) if given is not None else Path()
    if not path.is_dir():
        if not path.exists():
            raise Misuse(f"there is no file {path}")
        return path
    for name in (*FILES, *COMPOSE_FILES):
        if (path / name).is_file():
            return path / name
    raise Misuse(
        f"there is no platform file in {path.resolve()}: it is named {' or '.join(FILES)}, or given; "
        f"a Compose file is named {' or '.join(COMPOSE_FILES)}"
    )


def service_names(path: Path) -> list[str]:
    """Returns the names of the services of a platform file or a Compose file, without a check of the file."""
    members = parse(path.read_bytes(), str(path)).mapping("the file")
    if "services" in members:
        return list(members["services"].mapping("services"))
    accessors = models.Environment._family.children
    services = [name for name, kind in accessors.items() if issubclass(getattr(models, kind)._item, Deployable)]
    return [name for accessor in services if accessor in members for name in members[accessor].mapping(accessor)]


def read(path: Path, interface: Interface, with_sources: bool = True) -> PlatformFile:
    """Reads a platform file. `with_sources` False: without what `from_env` and `from_file` name, for commands that need
    only names. Raises `FileError` and OSError."""
    with open(path, "rb") as file:
        content = file.read(SIZE_MAX + 1)
    return _Reading(path, interface, parse(content, str(path)), with_sources).read()


def is_compose(path: Path) -> bool:
    """Reports whether the file is a Compose file: those have `services`, which platform files do not."""
    with open(path, "rb") as file:
        return re.search(rb"^[\"']?(services|include)[\"']?\s*:", file.read(SIZE_MAX), re.MULTILINE) is not None


def of_contents(path: Path, interface: Interface, contents: Mapping[str, Any]) -> PlatformFile:
    """Returns a platform file of these members, which were read from `path` in another form."""
    text = json.dumps(contents, ensure_ascii=False, indent=1)
    return _Reading(path, interface, parse(text.encode(), f"{path} as a platform file"), True).read()


class _Reading:
    """One reading of a file."""

    def __init__(self, path: Path, interface: Interface, root: Node, with_sources: bool) -> None:
        self._interface = interface
        self._root = root
        self._bodies = BodyReader(interface, with_sources)
        self._file = PlatformFile(path, interface)

    def read(self) -> PlatformFile:
        file, interface = self._file, self._interface
        members = {
            name: node
            for name, node in self._root.mapping("the file").items()
            if not name.startswith("x-")  # for the anchors of a file
        }
        known = [*_TREE, _VARIABLES, *(kind.accessor for kind in interface.every_kind())]
        for name in members:
            if name not in known:
                refuse_unknown(self._root, name, "", known)
        self._read_tree(members)
        for kind in interface.every_kind():
            if kind.accessor not in members:
                continue
            for entry in self._named(kind, members[kind.accessor]):
                self._list_of(kind).append(entry)
        self._check_services()
        self._add_implicit()
        return file

    def _list_of(self, kind: Kind) -> list[Entry]:
        if kind.is_service:
            return self._file.services
        if kind.accessor == "stages":
            return self._file.stages
        return self._file.others if kind.accessor in self._interface.others else self._file.shared

    def _read_tree(self, members: Mapping[str, Node]) -> None:
        """Reads organization, project and environment. Each is a name, or a mapping with its fields."""
        path = self._file.path.resolve()
        stem = LOCAL if path.name in FILES else path.stem
        names = {"organization": LOCAL, "project": path.parent.name or LOCAL, "environment": stem}
        for member, kind in zip(
            _TREE, (self._interface.organization, self._interface.project, self._interface.environment)
        ):
            node = members.get(member, self._root)
            given = node.value if member in members else None
            name = names[member]
            fields: dict[str, Node] = {}
            if isinstance(given, dict):
                fields = {key: item for key, item in given.items() if key != "name"}
                if "name" in given:
                    name = given["name"].text(f"{member}.name")
            elif member in members:
                name = node.text(member)
            entry = Entry(kind, name, node, member)
            entry.is_partial = True
            self._read_entry(entry, fields, member)
            setattr(self._file, member, entry)
        if _VARIABLES in members:
            if self._file.environment.variables:
                raise self._root.error("variables must be given once, here or in environment", _VARIABLES)
            self._file.environment.variables = self._variables(members[_VARIABLES], _VARIABLES)

    def _named(self, kind: Kind, node: Node) -> list[Entry]:
        found: dict[str, Entry] = {}
        for name, item in node.mapping(kind.accessor).items():
            if not name:
                raise node.error(f"a name in {kind.accessor} must not be empty", name)
            folded = fold_case(name)
            if folded in found:
                raise node.error(
                    f"{kind.accessor}.{name} must differ from {found[folded].name} in more than case", name
                )
            line, column = node.keys[name]
            entry = Entry(kind, name, item._replace(line=line, column=column), f"{kind.accessor}.{name}")
            self._read_entry(entry, item.mapping(f"{kind.accessor}.{name}"), f"{kind.accessor}.{name}")
            found[folded] = entry
        return list(found.values())

    def _read_entry(self, entry: Entry, members: Mapping[str, Node], path: str) -> None:
        kind = entry.kind
        lists = self._interface.lists(kind) if kind.is_service else {}
        settings = self._interface.settings(kind)
        own = [*lists, *settings]
        if kind.owns_variables:
            own.append(_VARIABLES)
        if kind.is_service:
            own += [_STAGE, _SKIPPED]
        fields = {name: node for name, node in members.items() if name not in own}
        if "name" in fields and kind.accessor not in ("organizations", "projects", "environments"):
            raise entry.node.error(f"{path}.name must be left out: the name is {entry.name}", "name")
        entry.body = self._body(fields, kind.schema, entry.node, path, own)
        for name, value in DEFAULTS.get(kind.accessor, {}).items():
            entry.body.fields.setdefault(name, value)
        if _VARIABLES in members and kind.owns_variables:
            entry.variables = self._variables(members[_VARIABLES], f"{path}.{_VARIABLES}")
        if _STAGE in members and kind.is_service:
            entry.stage = members[_STAGE].text(f"{path}.{_STAGE}")
        if _SKIPPED in members and kind.is_service:
            entry.is_skipped = members[_SKIPPED].flag(f"{path}.{_SKIPPED}")
        for name, below in lists.items():
            entries = []
            for index, item in enumerate(members[name].items(f"{path}.{name}") if name in members else []):
                each = Entry(below, f"{name}[{index}]", item, f"{path}.{name}[{index}]")
                each.body = self._body(item.mapping(each.path), below.schema, item, each.path)
                entries.append(each)
            entry.lists[below] = entries
        for name, (where, schema) in settings.items():
            if name in members or kind.is_service:
                node = members.get(name, entry.node)
                given = members[name].mapping(f"{path}.{name}") if name in members else {}
                entry.settings[name] = (where, self._body(given, schema, node, f"{path}.{name}"))

    def _variables(self, node: Node, path: str) -> dict[str, VariableEntry]:
        found = {}
        known = [name for name in self._interface.variable["properties"] if name not in ("key", *_SET_BY_OWNER)]
        for key, item in node.mapping(path).items():
            at = f"{path}.{key}"
            entry = VariableEntry(key, item, at)
            if isinstance(item.value, list) or item.value is None:
                raise item.error(f'{at} must be text or a mapping, not {item.shown}; an empty text is ""')
            if not isinstance(item.value, dict):
                entry.fields["value"] = item.written
            elif len(item.value) == 1 and next(iter(item.value)) in FROM:
                entry.fields.update(value=self._bodies.read_from(item, at), is_secret=True)
            else:
                self._read_variable(entry, item, at, known)
            found[key] = entry
        return found

    def _read_variable(self, entry: VariableEntry, node: Node, path: str, known: Sequence[str]) -> None:
        members = dict(node.value)
        for name in members:
            if name not in known and name not in _SOURCES:
                refuse_unknown(node, name, path, [*known, *_SOURCES])
        sources = [name for name in _SOURCES if name in members]
        if len(sources) != 1:
            said = f"; it has {' and '.join(sources)}" if sources else ""
            raise node.error(f"{path} must have one of {', '.join(_SOURCES)}{said}", sources[-1] if sources else None)
        name = sources[0]
        source = members.pop(name)
        if name == "alias_of":
            for fixed in ("is_secret", "mount_path"):
                if fixed in members:
                    raise node.error(f"{path}.{fixed} must be left out where alias_of is given", fixed)
            entry.alias_of, entry.fields = source.text(f"{path}.alias_of"), {}
        elif name in FROM:
            given = node._replace(value={name: source})
            entry.fields.update(value=self._bodies.read_from(given, path), is_secret=True)
        elif isinstance(source.value, dict) and len(source.value) == 1 and next(iter(source.value)) in FROM:
            entry.fields.update(value=self._bodies.read_from(source, f"{path}.value"), is_secret=True)
        else:
            entry.fields["value"] = self._text_of(source, f"{path}.value", False)
        for name, item in members.items():
            schema = self._interface.resolve(self._interface.variable["properties"][name])
            is_text = schema.get("type") == "string"
            at = f"{path}.{name}"
            entry.fields[name] = self._text_of(item, at, bool(schema.get("nullable"))) if is_text else item.flag(at)

    def _text_of(self, node: Node, path: str, is_nullable: bool) -> str | None:
        """Returns a scalar as it is written."""
        if isinstance(node.value, dict | list):
            raise node.error(f"{path} must be text, not {node.shown}")
        if node.value is None and not is_nullable:
            raise node.error(f'{path} must be text, not null; an empty text is ""')
        return None if node.value is None else node.written

    def _body(
        self, members: Mapping[str, Node], schema: Mapping[str, Any], node: Node, path: str, others: Sequence[str] = ()
    ) -> Body:
        """Reads the fields of the value at the path."""
        try:
            return self._bodies.read(members, schema, node, others)
        except Misuse as error:
            raise type(error)(_below(str(error), path)) from None

    def _check_services(self) -> None:
        """Refuses services of two kinds with one name, which the commands could not tell apart."""
        found: dict[str, Entry] = {}
        for entry in self._file.services:
            other = found.setdefault(fold_case(entry.name), entry)
            if other is not entry:
                raise entry.node.error(
                    f"{entry.kind.accessor}.{entry.name} must differ from {other.kind.accessor}.{other.name}, in line "
                    f"{other.node.line}: services have different names"
                )

    def _add_implicit(self) -> None:
        """Adds Docker Hub where a container needs a registry, and a cluster where the file has none."""
        needed = []
        for entry in self._file.services:
            if entry.body.fields.get("registry_id") == "":
                kind = self._interface.shared["container_registries"]
                entry.body.fields["registry_id"] = Reference(REGISTRY, (kind,), entry.node)
                needed.append("container_registries")
        if not self._file.environment.body.fields.keys() & {"cluster", "cluster_id"}:
            needed.append("clusters")
        for accessor in dict.fromkeys(needed):
            name, fields = IMPLICIT[accessor]
            given = [each for each in self._file.shared if each.kind.accessor == accessor]
            if any(fold_case(each.name) == name for each in given) or (accessor == "clusters" and given):
                continue
            entry = Entry(self._interface.shared[accessor], name, self._root, f"{accessor}.{name}")
            entry.body.fields = dict(fields)
            entry.is_implicit = True
            self._file.shared.append(entry)


_SOURCES = ("value", "alias_of", *FROM)  # of a variable's value
_SET_BY_OWNER = ("variable_scope", "variable_parent_id")
_ERROR = re.compile(r"(.*?:\d+:\d+: )(.*)", re.DOTALL)


def _below(said: str, path: str) -> str:
    """Puts the path of the resource before the path in an error."""
    found = _ERROR.fullmatch(said)
    return f"{found[1]}{path}.{found[2]}" if found else said
