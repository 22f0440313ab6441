"""The requests that make a store what a platform file says, in one batch.

The same pass plans and applies. A plan sends every edit, compares the answers with those before, and drops the batch:
the engine itself decides what is allowed and what an edit would change. Applying sends only the edits that the plan
found to change something, and stores the batch if its changes are those of the plan.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import Conflict, Error
from ..options.arguments import fold_case
from . import secret_digests
from .document import default_stage
from .plan import MASK, Change, FieldChange, Plan, differences
from .variables import Variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..base.wire import Reply
    from ..engine.batch import Batch
    from ..engine.engine import Engine
    from .bodies import Body, Reference
    from .document import Entry, PlatformFile
    from .interface import Kind

MARK = "orlop.managed-by"
MADE_BY = "platform file"
_TRIES = 4
_STAGE = "deployment_stage"


class Dropped(Exception):
    """Ends a batch of which nothing is stored."""


class PlanOutdated(Conflict):
    """The store was changed after the plan was made."""


def plan(engine: Engine, file: PlatformFile) -> Plan:
    """Returns what applying the file would change. Nothing is stored. Raises `FileError` for what the engine
    refuses."""
    found = _dry_run(engine, file)
    return found.plan()


def apply(engine: Engine, file: PlatformFile, wanted: Plan) -> None:
    """Applies the file in one commit, if its changes are those of the plan. Raises `PlanOutdated` if they are not."""
    for _ in range(_TRIES):
        before = engine.last_event
        dry = _dry_run(engine, file)
        if dry.plan() != wanted:
            raise PlanOutdated("the platform was changed since this plan was made; nothing was stored", 409)
        try:
            with engine.batch() as batch:
                found = Reconciliation(file, batch, dry.edits)
                found.run()
                if found.plan() != wanted:
                    raise Dropped
            return
        except Dropped:  # another process has written between the two passes
            if engine.last_event == before:
                raise Error("the changes differ from those of the plan, and nothing was stored") from None
    raise PlanOutdated("the platform is changed all the time by others; nothing was stored", 409)


def _dry_run(engine: Engine, file: PlatformFile) -> Reconciliation:
    try:
        with engine.batch() as batch:
            found = Reconciliation(file, batch, None)
            found.run()
            raise Dropped
    except Dropped:
        return found


class Row:
    """The changes of one resource, while they are collected."""

    def __init__(self, family: str, name: str) -> None:
        self.family = family
        self.name = name
        self.action = ""
        self.fields: list[FieldChange] = []
        self.note = ""

    def add(self, path: str, before: Any, after: Any) -> None:
        """Adds a field that changes."""
        self.fields.append(FieldChange(path, before, after))


class Reconciliation:
    """One pass over a file and a store. `edits`: those that are sent, None for all."""

    def __init__(self, file: PlatformFile, batch: Batch, edits: frozenset[str] | None) -> None:
        self._file = file
        self._batch = batch
        self._decided = edits
        self.edits: frozenset[str] = frozenset() if edits is None else edits
        self._rows: dict[str, Row] = {}
        self._ids: dict[str, str] = {}  # by path in the file
        self._changed_secrets: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}  # of resources by id, for the plan
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._in_progress: list[Entry] = []
        self._kept: list[str] = []

    def plan(self) -> Plan:
        """Returns the changes that the pass has found, in the order of the file; deletions come first."""
        order = {entry.path: number for number, entry in enumerate(self._file.entries)}
        rows = sorted(self._rows.items(), key=lambda item: order.get(item[0], -1))
        changes = tuple(
            Change(row.action, row.family, row.name, tuple(row.fields), row.note) for _, row in rows if row.action
        )
        return Plan(self._file.label, changes, tuple(self._kept))

    def run(self) -> None:
        """Sends the requests. Raises `FileError` for one that is refused."""
        file = self._file
        organization = self._ensure(file.organization, "")
        project = self._ensure(file.project, organization)
        for entry in file.shared:
            self._ensure_shared(entry)
        is_new = self._find(file.environment, project) is None
        environment = self._ensure(file.environment, project, self._cluster() if is_new else {})
        self._delete_missing(environment, [*file.interface.services.values()])
        for entry in [*file.others, *file.stages, *file.services]:
            self._ensure(entry, environment)
        for entry in [*file.shared, *file.services]:
            self._ensure_below(entry)
        self._order_stages(environment)
        self._assign_stages(environment)
        self._delete_missing(environment, [*file.interface.others.values()])
        Variables(self, file, environment).run()

    # ---- Requests ----
    def ask(self, method: str, path: str, body: Any = None, query: Mapping[str, str] | None = None) -> Reply:
        """Sends a request of the batch."""
        return self._batch.request(method, path, body, None, query)

    def checked(self, entry: Entry, reply: Reply, body: Body | None = None, path: str | None = None) -> Any:
        """Returns the answer. Raises `FileError` about the field that the engine refuses."""
        if reply.ok:
            return reply.json() if reply.body else None
        where = entry.path if path is None else path
        given = entry.body if body is None else body
        answer = reply.json()
        said = [
            (given.node_of(each["field"], entry.node), f"{where}.{each['field']} " + str(each["reason"]))
            if each["field"]
            else (entry.node, f"{where}: {each['reason']}")
            for each in answer.get("violations", ())
        ] or [(entry.node, f"{where}: {answer.get('message', reply.status)}")]
        node, first = said[0]
        raise node.error("; ".join([first, *(text for _, text in said[1:])]))

    def listed(self, kind: Kind, parent: str) -> list[dict[str, Any]]:
        """Returns the resources of a collection, read once."""
        path = kind.item._family.collection.format(parent=parent, above="")
        if path not in self._lists:
            self._lists[path] = self.ask("GET", path).check()["results"]
            for each in self._lists[path]:
                self._names[each["id"]] = each.get("name", "")
        return self._lists[path]

    def row(self, entry: Entry) -> Row:
        """Returns the row of a resource in the plan."""
        return self._rows.setdefault(entry.path, Row(entry.kind.family, entry.name))

    def change(self, entry: Entry, path: str, before: Any, after: Any) -> None:
        """Notes a field that changes."""
        row = self.row(entry)
        row.action = row.action or "change"
        row.add(path, before, after)

    def id_of(self, entry: Entry) -> str:
        """Returns the id of a resource of the file that exists by now."""
        return self._ids[entry.path]

    # ---- Resources by name ----
    def _find(self, entry: Entry, parent: str) -> dict[str, Any] | None:
        wanted = fold_case(entry.name)
        return next((each for each in self.listed(entry.kind, parent) if fold_case(each["name"]) == wanted), None)

    def _ensure_shared(self, entry: Entry) -> str:
        in_project = entry.kind.accessor in self._file.interface.of_project
        above = self.id_of(self._file.project if in_project else self._file.organization)
        if entry.is_implicit and entry.kind.accessor == "clusters" and self.listed(entry.kind, above):
            return ""  # the environment runs on the default cluster of the organization
        return self._ensure(entry, above)

    def _ensure(self, entry: Entry, parent: str, defaults: Mapping[str, Any] = MappingProxyType({})) -> str:
        """Creates the resource, or edits it where it differs. `defaults`: fields that the file may leave out. Returns
        its id."""
        if entry.path in self._ids:
            return self._ids[entry.path]
        if entry in self._in_progress:
            names = " -> ".join(each.path for each in [*self._in_progress, entry])
            raise entry.node.error(f"{entry.path} refers to itself: {names}")
        self._in_progress.append(entry)
        found = self._find(entry, parent)
        fields = {**defaults, **entry.body.filled(self._identity)}
        identity = self._create(entry, fields, parent) if found is None else self._edit(entry, fields, found, parent)
        self._in_progress.pop()
        self._ids[entry.path] = identity
        self._names[identity] = entry.name
        return identity

    def _create(self, entry: Entry, fields: dict[str, Any], parent: str) -> str:
        metadata, _ = self._metadata_of(entry, {})
        body = {"name": entry.name, **fields, **({"metadata": metadata} if metadata else {})}
        path = entry.kind.item._family.collection.format(parent=parent, above="")
        row = self.row(entry)
        row.action = "create"
        for name, value in entry.body.filled(lambda reference: reference.name).items():
            for change in _leaves(value, name) if name in entry.body.nodes else ():  # not defaults
                row.add(change.path, None, MASK if entry.body.is_masked(change.path) else change.after)
        answer = self.checked(entry, self.ask("POST", path, body))
        return str(answer["id"])

    def _edit(self, entry: Entry, fields: dict[str, Any], found: dict[str, Any], parent: str) -> str:
        identity = str(found["id"])
        if entry.is_implicit:
            return identity
        path = entry.kind.item._family.path.format(id=identity, parent=parent, above="")
        metadata, changed = self._metadata_of(entry, found.get("metadata") or {})
        if entry.is_partial:
            if not fields and metadata == (found.get("metadata") or {}):
                return identity
            given = entry.kind.item._family.given
            fields = {**{name: found[name] for name in given if name in found}, **fields}
        body = {"name": entry.name, **fields, "metadata": metadata}
        if MARK in metadata and MARK not in (found.get("metadata") or {}):
            row = self.row(entry)
            row.action, row.note = "change", "managed by the file from now on"
        for secret in changed:
            if not secret.startswith("variables."):  # the variables report theirs
                self.change(entry, secret, MASK, MASK)
        after = self._put(entry, path, body, found, entry.body, entry.path)
        for change in self._visible(entry, found, after):
            self.change(entry, change.path, change.before, change.after)
        return identity

    def _put(
        self, entry: Entry, path: str, body: dict[str, Any], before: dict[str, Any], given: Body, where: str
    ) -> dict[str, Any]:
        """Sends the edit, if it is one of the plan. Returns what the resource is after it. `where` is its path in the
        file: ids of new resources differ from pass to pass."""
        if self._decided is not None and where not in self._decided:
            return before
        after: dict[str, Any] = self.checked(entry, self.ask("PUT", path, body), given, where)
        unseen = ("updated_at",)
        if {**before, **dict.fromkeys(unseen)} != {**after, **dict.fromkeys(unseen)} or self.row(entry).action:
            self.edits |= {where}
        return after

    def _visible(self, entry: Entry, before: dict[str, Any], after: dict[str, Any]) -> list[FieldChange]:
        """Returns the differences in fields that a file may have, with names for ids."""
        fields = [name for name in ("name", *entry.kind.item._family.given) if name in before or name in after]
        found = []
        for name in dict.fromkeys(fields):
            found += differences(_without_ids(before.get(name)), _without_ids(after.get(name)), name)
        found += differences(_own(before.get("metadata")), _own(after.get("metadata")), "metadata")
        return [
            FieldChange(each.path, MASK, MASK)
            if entry.body.is_masked(each.path)
            else FieldChange(each.path, self._named(each.before), self._named(each.after))
            for each in found
        ]

    def _named(self, value: Any) -> Any:
        return self._names.get(value, value) if isinstance(value, str) else value

    def _metadata_of(self, entry: Entry, current: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
        """Returns the metadata that the resource gets, and the paths of its secrets that have changed."""
        given = entry.body.fields.get("metadata")
        found = {key: value for key, value in current.items() if not secret_digests.is_ours(key)}
        if isinstance(given, dict):
            found = {**{key: value for key, value in found.items() if key == MARK}, **given}
        elif not entry.is_partial:
            found = {key: value for key, value in found.items() if key == MARK}
        secrets = dict(entry.body.secrets)
        for variable in entry.variables.values():
            if variable.fields.get("is_secret") and variable.fields.get("value") is not None:
                secrets[f"variables.{variable.key}"] = str(variable.fields["value"])
        entries, changed = secret_digests.digests_of(current, secrets, entry.salt)
        if not entry.is_partial or entry is self._file.environment:
            found[MARK] = MADE_BY
        self._changed_secrets.setdefault(entry.path, set()).update(changed)
        return {**found, **entries}, changed

    def is_changed_secret(self, entry: Entry, path: str) -> bool:
        """Reports whether a secret differs from the one that the store was given last."""
        return path in self._changed_secrets.get(entry.path, ())

    def _identity(self, reference: Reference) -> str:
        """Returns the id of the resource with this name: one of the file, or of the store."""
        wanted = fold_case(reference.name)
        families = " or ".join(kind.label for kind in reference.kinds)
        known: list[str] = []
        for kind in reference.kinds:
            for entry in self._file.shared:
                if entry.kind is kind and fold_case(entry.name) == wanted:
                    return self._ensure_shared(entry)
        for kind in reference.kinds:
            for each in self.listed(kind, self.id_of(self._file.organization)):
                if fold_case(each["name"]) == wanted:
                    return str(each["id"])
                known.append(each["name"])
        known += [entry.name for entry in self._file.shared if entry.kind in reference.kinds]
        there = ", ".join(dict.fromkeys(known)) or "none"
        raise reference.node.error(f"there is no {families} {reference.name!r}; there are: {there}")

    def _cluster(self) -> dict[str, str]:
        """Returns the cluster of a new environment for which the file names none: the first one of the file."""
        if not self._file.environment.body.fields.keys() & {"cluster", "cluster_id"}:
            for each in self._file.shared:
                if each.kind.accessor == "clusters" and (identity := self._ensure_shared(each)):
                    return {"cluster_id": identity}
        return {}

    # ---- What lies below services ----
    def _ensure_below(self, entry: Entry) -> None:
        for kind, wanted in entry.lists.items():
            self._ensure_list(entry, kind, wanted)
        for name, (path, body) in entry.settings.items():
            family = entry.kind.item._family
            above = family.path.format(id=self.id_of(entry), parent=self.id_of(self._file.organization), above="")
            at = path.format(parent=self.id_of(entry), above=above)
            before = self.ask("GET", at).check()
            after = self._put(entry, at, body.filled(self._identity), before, body, f"{entry.path}.{name}")
            for change in differences(before, after, name):
                self.change(entry, change.path, change.before, change.after)

    def _ensure_list(self, entry: Entry, kind: Kind, wanted: list[Entry]) -> None:
        """Makes a collection without names what the file has: resources with the same key are edited, others deleted
        and created. The key is the domain of a custom domain, else all fields."""
        family = kind.item._family
        above = entry.kind.item._family.path.format(id=self.id_of(entry), parent="", above="")
        collection = family.collection.format(parent=self.id_of(entry), above=above)
        current = list(self.ask("GET", collection).check()["results"])
        pairs = []
        for each in wanted:
            fields = each.body.filled(self._identity)
            names = ["domain"] if "domain" in kind.schema["properties"] else list(fields)
            same = next((one for one in current if all(one.get(name) == fields.get(name) for name in names)), None)
            if same is not None:
                current.remove(same)
            pairs.append((each, fields, same))
        for one in current:
            self.change(entry, kind.accessor, _given(one, kind), None)
            self.checked(entry, self.ask("DELETE", _path_of(kind, one["id"], self.id_of(entry), above)))
        for each, fields, same in pairs:
            if same is None:
                self.change(entry, kind.accessor, None, each.body.filled(lambda reference: reference.name))
                self.checked(each, self.ask("POST", collection, fields))
            else:
                path = _path_of(kind, same["id"], self.id_of(entry), above)
                after = self._put(each, path, fields, same, each.body, each.path)
                for change in differences(_given(same, kind), _given(after, kind), each.name):
                    self.change(entry, change.path, change.before, change.after)

    # ---- Stages ----
    def _stages(self, environment: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("GET", f"/environment/{environment}/deploymentStage").check()["results"]
        return found

    def _order_stages(self, environment: str) -> None:
        """Puts the stages of the file in its order."""
        wanted = [self.id_of(entry) for entry in self._file.stages]
        for before, entry in zip(wanted, self._file.stages[1:]):
            order = {each["id"]: each["deployment_order"] for each in self._stages(environment)}
            if order[before] > order[self.id_of(entry)]:
                self.change(entry, "order", None, f"after {self._names[before]}")
                self.checked(entry, self.ask("PUT", f"/deploymentStage/{self.id_of(entry)}/moveAfter/{before}"))

    def _assign_stages(self, environment: str) -> None:
        stages = self._stages(environment)
        names = {fold_case(each["name"]): each for each in reversed(stages)}
        for entry in self._file.services:
            identity = self.id_of(entry)
            at, skipped = next(
                (each["id"], bool(one["is_skipped"]))
                for each in stages
                for one in each["services"]
                if one["service_id"] == identity
            )
            wanted = names.get(fold_case(entry.stage)) if entry.stage else _default_stage(entry.kind, stages, at)
            if wanted is None:
                there = ", ".join(each["name"] for each in stages)
                node = entry.node.value[_STAGE]
                raise node.error(f"{entry.path}.{_STAGE}: there is no stage {entry.stage!r}; there are: {there}")
            if (wanted["id"], entry.is_skipped) == (at, skipped):
                continue
            if wanted["id"] != at and (self.row(entry).action != "create" or entry.stage):
                self.change(entry, _STAGE, _name(stages, at), wanted["name"])
            if skipped != entry.is_skipped:
                self.change(entry, "is_skipped", skipped, entry.is_skipped)
            path = f"/deploymentStage/{wanted['id']}/service/{identity}"
            self.checked(entry, self.ask("PUT", path, {"is_skipped": entry.is_skipped}))

    # ---- What the file no longer has ----
    def _delete_missing(self, environment: str, kinds: list[Kind]) -> None:
        stages = {one["service_id"]: each["id"] for each in self._stages(environment) for one in each["services"]}
        wanted = {
            (entry.kind.accessor, fold_case(entry.name))
            for entry in [*self._file.services, *self._file.others, *self._file.stages]
        }
        for kind in kinds:
            for each in list(self.listed(kind, environment)):
                if (kind.accessor, fold_case(each["name"])) in wanted:
                    continue
                if (each.get("metadata") or {}).get(MARK) != MADE_BY:
                    if kind.is_service:
                        self._kept.append(f"{kind.label} {each['name']}")
                    continue
                row = self._rows.setdefault(f"-{kind.accessor}.{each['name']}", Row(kind.family, each["name"]))
                row.action, row.note = "delete", "with its data" if kind.is_service else ""
                path = kind.item._family.path.format(id=each["id"], parent="", above="")
                if kind.is_service:  # its stage may go, too, and must be empty then
                    self._leave_stage(environment, kind, each["id"], stages[each["id"]])
                self.checked(self._file.environment, self.ask("DELETE", path), path=f"{kind.accessor}.{each['name']}")

    def _leave_stage(self, environment: str, kind: Kind, service: str, at: str) -> None:
        stages = self._stages(environment)
        target = _default_stage(kind, stages, at)
        if target["id"] != at:
            self.ask("PUT", f"/deploymentStage/{target['id']}/service/{service}").check()


def _default_stage(kind: Kind, stages: list[dict[str, Any]], at: str) -> dict[str, Any]:
    """Returns the stage of a service for which the file has none: that of its kind in a new environment, else the one
    where it is."""
    name = default_stage(kind)
    return next((each for each in stages if each["name"] == name), next(each for each in stages if each["id"] == at))


def _leaves(value: Any, path: str) -> list[FieldChange]:
    """Returns the values of a new resource, each with its path."""
    if isinstance(value, dict) and value:
        return [each for name, item in value.items() for each in _leaves(item, f"{path}.{name}")]
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return [each for index, item in enumerate(value) for each in _leaves(item, f"{path}[{index}]")]
    return [FieldChange(path, None, value)]


def _without_ids(value: Any) -> Any:
    """Returns a list without the ids that the engine gives to its entries, such as those of ports."""
    if not isinstance(value, list):
        return value
    return [
        {name: part for name, part in item.items() if name != "id"}
        if isinstance(item, dict) and len(item) > 1
        else item
        for item in value
    ]


def _own(metadata: Mapping[str, str] | None) -> dict[str, str]:
    """Returns the metadata without the entries of platform files."""
    found = metadata or {}
    return {key: value for key, value in found.items() if key != MARK and not secret_digests.is_ours(key)}


def _given(answer: Mapping[str, Any], kind: Kind) -> dict[str, Any]:
    return {name: answer[name] for name in kind.item._family.given if name in answer}


def _path_of(kind: Kind, identity: str, parent: str, above: str) -> str:
    return kind.item._family.path.format(id=identity, parent=parent, above=above)


def _name(stages: list[dict[str, Any]], identity: str) -> str:
    return next(str(each["name"]) for each in stages if each["id"] == identity)
