"""Variables of a platform file: values, files, secrets and aliases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from ..base.wire import loads
from ..options.arguments import fold_case
from .plan import MASK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..base.wire import Reply
    from .document import Entry, PlatformFile, VariableEntry

_LINK = re.compile(r"\{\{\s*([^{}]+?)\.([A-Z][A-Z0-9_]*)\s*\}\}")
_BUILT_IN_KEY = re.compile(r"[A-Z0-9_]+_Z[0-9A-F]{8}_[A-Z0-9_]+")
_BUILT_IN = re.compile(r".*?_Z[0-9A-F]{8}_")
_UNSET: dict[str, Any] = {
    "description": "",
    "enable_interpolation_in_file": False,
    "mount_path": None,
    "secret_manager_access_id": None,
}
_FIXED = ("is_secret", "mount_path")  # these cannot be edited


class Pass(Protocol):
    """The pass over a file and a store to which the variables belong."""

    def ask(self, method: str, path: str, body: Any = None, query: Mapping[str, str] | None = None) -> Reply: ...
    def checked(self, entry: Entry, reply: Reply) -> Any: ...
    def change(self, entry: Entry, path: str, before: Any, after: Any) -> None: ...
    def id_of(self, entry: Entry) -> str: ...
    def is_changed_secret(self, entry: Entry, path: str) -> bool: ...


class Variables:
    """One pass over the variables of a file."""

    def __init__(self, pass_: Pass, file: PlatformFile, environment: str) -> None:
        self._pass = pass_
        self._file = file
        self._environment = environment
        self._has_links = False
        self._links: dict[str, dict[str, dict[str, Any]]] = {}  # built-in variables by service and end of the key
        self._linked_keys: dict[str, str] = {}  # their links, by key
        self._names = {fold_case(entry.name): entry for entry in file.services}

    def run(self) -> None:
        """Makes the variables of the environment and its services what the file says, and those of the project, if the
        file has some. Values first, since aliases name them."""
        file = self._file
        owners = [file.project] if file.project.variables else []
        owners += [file.environment, *(entry for entry in file.services if entry.kind.owns_variables)]
        owners += [entry for entry in file.others if entry.kind.owns_variables]
        current = {owner.path: self._current(owner) for owner in owners}
        for owner in owners:
            self._delete(owner, current[owner.path])
        for owner in owners:
            for variable in owner.variables.values():
                if not variable.alias_of:
                    self._ensure_value(owner, variable, current[owner.path].get(variable.key))
        for owner in owners:
            for variable in owner.variables.values():
                if variable.alias_of:
                    self._ensure_alias(owner, variable, current[owner.path].get(variable.key))

    def _current(self, owner: Entry) -> dict[str, dict[str, Any]]:
        """Returns the variables that are set on the owner itself, by key."""
        scope, identity = owner.kind.scope, self._pass.id_of(owner)
        body = self._pass.ask("GET", "/variable", query={"parent_id": identity, "scope": scope}).body
        if f'"scope":"{scope}"'.encode() not in body:  # most services have none, but see many of others
            return {}
        return {each["key"]: each for each in loads(body)["results"] if each["scope"] == scope}

    def _delete(self, owner: Entry, current: dict[str, dict[str, Any]]) -> None:
        for key, known in list(current.items()):
            wanted = owner.variables.get(key)
            if wanted is not None and not self._is_other(wanted, known):
                continue
            if wanted is None and owner is self._file.project:  # of other environments, maybe
                continue
            if wanted is None:
                self._pass.change(owner, f"variables.{key}", self._shown(known), None)
            self._pass.checked(owner, self._pass.ask("DELETE", f"/variable/{known['id']}"))
            if wanted is None:
                del current[key]
            else:
                current[key] = {**known, "id": ""}

    def _is_other(self, wanted: VariableEntry, known: dict[str, Any]) -> bool:
        """Reports whether the variable has to be deleted and created, because it cannot be edited into the wanted
        one."""
        if wanted.alias_of:
            link = self._target_of(wanted.alias_of)
            target = (known.get("aliased_variable") or {}).get("id")
            return known["variable_type"] != "ALIAS" or (link is not None and target != link["id"])
        if known["variable_type"] == "ALIAS":
            return True
        fields = {**_UNSET, **wanted.fields}
        return any(known.get(name) != fields[name] for name in _FIXED)

    def _ensure_value(self, owner: Entry, wanted: VariableEntry, known: dict[str, Any] | None) -> None:
        path = f"variables.{wanted.key}"
        fields = {**_UNSET, **wanted.fields}
        fields["description"] = fields["description"] or ""
        fields["enable_interpolation_in_file"] = bool(fields["enable_interpolation_in_file"])
        fields["value"] = self._linked(wanted, str(fields["value"]))
        is_masked = fields["is_secret"]
        after = MASK if is_masked else wanted.fields["value"]
        if known is None or not known["id"]:
            self._pass.change(owner, path, None if known is None else self._shown(known), after)
            body = {"key": wanted.key, **fields, "variable_scope": owner.kind.scope}
            body["variable_parent_id"] = self._pass.id_of(owner)
            self._check(wanted, self._pass.ask("POST", "/variable", body))
            return
        is_same = all(known.get(name) == fields[name] for name in _UNSET if name in known)
        if fields["is_secret"]:
            is_same_value = not self._pass.is_changed_secret(owner, path)
        else:
            is_same_value = known["value"] == fields["value"]
        if is_same and is_same_value:
            return
        if not is_same_value:
            self._pass.change(owner, path, self._shown(known), after)
        for name in _UNSET:
            if name in known and known[name] != fields[name]:
                self._pass.change(owner, f"{path}.{name}", known[name], fields[name])
        body = {name: value for name, value in fields.items() if name not in _FIXED}
        self._check(wanted, self._pass.ask("PUT", f"/variable/{known['id']}", {"key": wanted.key, **body}))

    def _ensure_alias(self, owner: Entry, wanted: VariableEntry, known: dict[str, Any] | None) -> None:
        target = self._target_of(wanted.alias_of) or self._visible(owner, wanted)
        is_there = known is not None and known["id"]
        if is_there and known is not None and (known.get("aliased_variable") or {}).get("id") == target["id"]:
            return
        self._pass.change(
            owner,
            f"variables.{wanted.key}",
            None if known is None else self._shown(known),
            f"alias of {wanted.alias_of}",
        )
        if is_there and known is not None:
            self._pass.checked(owner, self._pass.ask("DELETE", f"/variable/{known['id']}"))
        body = {"key": wanted.key, "alias_scope": owner.kind.scope, "alias_parent_id": self._pass.id_of(owner)}
        reply = self._pass.ask("POST", f"/variable/{target['id']}/alias", {**body, **wanted.fields})
        self._check(wanted, reply)

    def _check(self, wanted: VariableEntry, reply: Any) -> None:
        if not reply.ok:
            answer = reply.json()
            reasons = [f"{each['field']} {each['reason']}" for each in answer.get("violations", ())]
            said = "; ".join(reasons) or answer.get("message", "")
            raise wanted.node.error(f"{wanted.path}: {said}")

    def _visible(self, owner: Entry, wanted: VariableEntry) -> dict[str, Any]:
        """Returns the variable with the key that an alias names, as the owner sees it."""
        path = f"{wanted.path}.alias_of"
        query = {"parent_id": self._pass.id_of(owner), "scope": owner.kind.scope}
        seen = self._pass.ask("GET", "/variable", query=query).check()["results"]
        found = [each for each in seen if each["key"] == wanted.alias_of]
        if not found:
            self._refuse_unknown(wanted, wanted.alias_of.rpartition("."), path)
            other = owner.variables.get(wanted.alias_of)
            if other is not None and other.alias_of:
                raise wanted.node.error(f"{path}: {wanted.alias_of} is an alias itself, of {other.alias_of}")
            known = sorted(each["key"] for each in seen if each["scope"] != "BUILT_IN")
            services = ", ".join(f"{entry.name}.…" for entry in self._file.services)
            raise wanted.node.error(
                f"{path}: there is no variable {wanted.alias_of!r}; there are: {', '.join([*known, services])}"
            )
        nearest: dict[str, Any] = found[-1]
        return nearest

    # ---- Built-in variables of services, by the services' names ----
    def _target_of(self, link: str) -> dict[str, Any] | None:
        """Returns the built-in variable that a link such as `orders.DATABASE_URL` names; None if it names none."""
        service, _, suffix = link.rpartition(".")
        return self._built_in(service, suffix) if service else None

    def _built_in(self, service: str, suffix: str) -> dict[str, Any] | None:
        entry = self._names.get(fold_case(service))
        if entry is None:
            return None
        self._load_links()
        return self._links.get(self._pass.id_of(entry), {}).get(suffix)

    def _load_links(self) -> None:
        if self._has_links:
            return
        self._has_links = True
        query = {"parent_id": self._environment, "scope": "ENVIRONMENT"}
        for each in self._pass.ask("GET", "/variable", query=query).check()["results"]:
            if each["scope"] == "BUILT_IN" and each.get("service_id"):
                suffix = _BUILT_IN.sub("", each["key"], count=1)
                self._links.setdefault(each["service_id"], {})[suffix] = each
                self._linked_keys[each["key"]] = f"{each['service_name']}.{suffix}"

    def _linked(self, wanted: VariableEntry, value: str) -> str:
        """Returns the value with the keys of built-in variables for links such as `{{orders.HOST}}`."""

        def key(found: re.Match[str]) -> str:
            if fold_case(found[1]) not in self._names:
                return found[0]
            target = self._built_in(found[1], found[2])
            if target is None:
                self._refuse_unknown(wanted, (found[1], ".", found[2]), found[0])
                return found[0]
            return f"{{{{{target['key']}}}}}"

        return _LINK.sub(key, value)

    def _refuse_unknown(self, wanted: VariableEntry, link: tuple[str, str, str], said: str) -> None:
        """Refuses a built-in variable that a service of the file does not have."""
        entry = self._names.get(fold_case(link[0]))
        if entry is not None:
            known = ", ".join(sorted(self._links.get(self._pass.id_of(entry), {}))) or "none"
            raise wanted.node.error(f"{said}: {entry.path} has no built-in variable {link[2]!r}; it has: {known}")

    def _shown(self, known: dict[str, Any]) -> Any:
        """Returns the value of a variable of the store, as the plan shows it: with links for built-in variables."""
        if known["is_secret"] and known["variable_type"] != "ALIAS":
            return MASK
        self._load_links()
        value = _BUILT_IN_KEY.sub(lambda found: self._linked_keys.get(found[0], found[0]), str(known["value"]))
        return f"alias of {value}" if known["variable_type"] == "ALIAS" else value
