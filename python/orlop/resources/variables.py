"""Variables of projects, environments and services: `service.variables`.

A collection holds the variables that its owner sees: its own, inherited ones, and the built-in ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from ..errors import Misuse, NotFound
from ..options.arguments import segment, shown, text
from .resource import REQUIRED, Creatable, Deletable, Editable, Family, Findable, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from typing_extensions import Self

    from ..base.engine_protocol import EngineProtocol


class Variable(Editable, Deletable):
    """A key and a value that a service receives as an environment variable or as a file."""

    _family: ClassVar[Family] = Family(
        name="variable",
        kind="",
        path="/variable/{id}",
        collection="/variable",
        fields=(),
        given=("key", "value", "description", "enable_interpolation_in_file", "secret_manager_access_id"),
        secret=("value",),
        children={},
    )
    __slots__ = ("_scope",)

    def __init__(self, engine: EngineProtocol, answer: dict[str, Any] | bytes, parent: str, scope: str) -> None:
        super().__init__(engine, answer, parent)
        self._scope = scope

    @property
    def key(self) -> str:
        """Name of the environment variable."""
        return cast("str", self._data["key"])

    @property
    def value(self) -> str | None:
        """Value of the variable; for an alias the key of the other variable. None if the variable is a secret."""
        return cast("str | None", self._data["value"])

    @property
    def is_secret(self) -> bool:
        """True if the value is stored encrypted and never returned."""
        return cast("bool", self._data["is_secret"])

    @property
    def scope(self) -> str:
        """Level at which the variable is set: PROJECT, ENVIRONMENT, a kind of service, or BUILT_IN."""
        return cast("str", self._data["scope"])

    @property
    def variable_type(self) -> str:
        """VALUE, FILE, ALIAS, OVERRIDE, BUILT_IN, EXTERNAL_SECRET or FILE_EXTERNAL_SECRET."""
        return cast("str", self._data["variable_type"])

    @property
    def mount_path(self) -> str | None:
        """Path at which the value is mounted as a file; None if the variable is not a file."""
        return cast("str | None", self._data["mount_path"])

    def refresh(self) -> Self:
        """Reads the variable again and returns this object. Raises `NotFound` if it was deleted."""
        self._hold(_seen(self._engine, self._parent, self._scope, self.id))
        return self

    def edit(self, **changes: Any) -> Self:
        """Changes the named fields, keeps the others, and returns this object. Raises `Invalid`, `Conflict` or
        `NotFound`."""
        current = _seen(self._engine, self._parent, self._scope, self.id)
        kept = {name: current[name] for name in self._family.given if name in current and name != "value"}
        self._hold(self._engine._ask("PUT", self._path, {**kept, **changes}))
        return self

    def alias(self, key: str, *, owner: Resource | None = None) -> Variable:
        """Creates another key for this variable, in `owner` or in the owner whose variables were read. Raises `Invalid`
        or `Conflict`."""
        parent, scope = self._place(owner)
        body = {"key": key, "alias_scope": scope, "alias_parent_id": parent}
        return Variable(self._engine, self._engine._ask("POST", f"{self._path}/alias", body), parent, scope)

    def override(self, value: str, *, owner: Resource | None = None) -> Variable:
        """Creates another value for this variable, in `owner` or in the owner whose variables were read. Raises
        `Invalid` or `Conflict`."""
        parent, scope = self._place(owner)
        body = {"value": value, "override_scope": scope, "override_parent_id": parent}
        return Variable(self._engine, self._engine._ask("POST", f"{self._path}/override", body), parent, scope)

    def _place(self, owner: Resource | None) -> tuple[str, str]:
        if owner is None:
            return self._parent, self._scope
        if not isinstance(owner, Resource):
            raise Misuse(
                f"owner must be a project, an environment or a service, as an object of the package, not {shown(owner)}"
            )
        return owner.id, scope_of(owner)

    def __repr__(self) -> str:
        return f"<Variable {self.id[:8]}… {self.key}>"


class Variables(Findable[Variable], Creatable[Variable]):
    """The variables that a project, an environment or a service sees. It can be iterated, and `len` counts it. Every
    call reads from the engine."""

    _item = Variable
    __slots__ = ("_scope",)

    def __init__(self, engine: EngineProtocol, parent: str, scope: str) -> None:
        super().__init__(engine, parent)
        self._scope = scope

    def create(  # type: ignore[override]
        self,
        *,
        key: str,
        value: str,
        is_secret: bool = False,
        mount_path: str | None = None,
        description: str | None = None,
        enable_interpolation_in_file: bool | None = None,
        secret_manager_access_id: str | None = None,
    ) -> Variable:
        """Creates a variable in the owner. With a mount path it is a file. Raises `Invalid` or `Conflict`."""
        body = {
            "key": key,
            "value": value,
            "is_secret": is_secret,
            "mount_path": mount_path,
            "description": description,
            "enable_interpolation_in_file": enable_interpolation_in_file,
            "secret_manager_access_id": secret_manager_access_id,
            "variable_scope": self._scope,
            "variable_parent_id": self._parent,
        }
        return self._make(self._engine._ask("POST", "/variable", body))

    def list(self, *, is_secret: bool | None = None) -> list[Variable]:
        """Returns all variables that the owner sees, the widest scope first. `is_secret`: only secrets (True) or none
        (False)."""
        query = {"parent_id": self._parent, "scope": self._scope}
        if is_secret is not None:
            query["is_secret"] = "true" if is_secret else "false"
        answer = self._engine._call("GET", "/variable", None, query)
        return [self._make(data) for data in answer["results"]]

    def _page(self, size: int) -> tuple[Sequence[Mapping[str, Any]], int]:
        found = self.list()
        return [item.to_dict() for item in found[:size]], len(found)

    def get(self, id: str) -> Variable:
        """Returns the variable with this id. Raises `NotFound` if the owner does not see it."""
        return self._make(_seen(self._engine, self._parent, self._scope, segment("id", id)))

    def find(self, name: str, default: Any = REQUIRED) -> Any:
        """Returns the variable with this key, in the nearest scope. Keys are case-sensitive. If the owner sees none,
        returns `default`, or raises `NotFound` without one."""
        wanted = text("name", name)
        for item in reversed(self.list()):
            if item.key == wanted:
                return item
        if default is not REQUIRED:
            return default
        raise NotFound(f"there is no variable with key {shown(name)} here", 404)

    def load(self, variables: Iterable[Mapping[str, Any]], *, overwrite: bool = False) -> int:
        """Imports variables of a service, each with `name`, `value`, `scope` and `is_secret`. Returns the number of
        those imported. Raises `Invalid` and imports nothing if one breaks a rule."""
        query = {"service_id": self._parent, "service_type": self._scope}
        try:
            given = [dict(variable) for variable in variables]
        except (TypeError, ValueError):
            raise Misuse(
                f"variables must be a list of dicts with name, value, scope and is_secret, not {shown(variables)}"
            ) from None
        body = {"overwrite": overwrite, "vars": given}
        answer = self._engine._call("POST", "/variable/import", body, query)
        return len(answer["successful_imported_variables"])

    def _make(self, answer: dict[str, Any] | bytes) -> Variable:
        return Variable(self._engine, answer, self._parent, self._scope)


def scope_of(owner: Resource) -> str:
    """Returns the scope of the variables of this resource."""
    return owner._family.kind or owner._family.name.upper()


def _seen(engine: EngineProtocol, parent: str, scope: str, id: str) -> dict[str, Any]:
    answer = engine._call("GET", "/variable", None, {"parent_id": parent, "scope": scope})
    for data in answer["results"]:
        if data["id"] == id:
            return cast("dict[str, Any]", data)
    raise NotFound(f"there is no variable {shown(id)} here", 404)
