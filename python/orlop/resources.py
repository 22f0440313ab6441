"""What every typed object can do. The classes of the families are in `models`, generated from the families' descriptions; they stand on these.

An object holds the answer it was last read from: `refresh` reads it again, `edit` sends it back with changes. What an answer holds
beside the typed properties is found with `object["field"]`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypedDict, TypeVar, cast

from .arguments import segment, shown, text
from .errors import NotFound
from .live import Live
from .wire import member

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typing_extensions import Self

    from .engine import Engine

Model = TypeVar("Model", bound="Resource")


class Reference(TypedDict):
    """Names another resource."""

    id: str


class Family:
    """What the descriptions say of a family: where it is addressed, and what its requests and answers hold."""

    __slots__ = ("children", "collection", "fields", "given", "kind", "name", "path", "secret")

    def __init__(
        self,
        *,
        name: str,
        kind: str,
        path: str,
        collection: str,
        fields: tuple[str, ...],
        given: tuple[str, ...],
        secret: tuple[str, ...],
        children: dict[str, str],
    ) -> None:
        self.name = name
        self.kind = kind
        self.path = path
        self.collection = collection
        self.fields = fields
        self.given = given
        self.secret = secret
        self.children = children


def _field(name: str) -> property:
    return property(lambda self: self._data.get(name), doc=f"The field {name}.")


def _child(module: str, collection: str) -> property:
    def make(self: Resource) -> Any:
        return getattr(sys.modules[module], collection)(self._engine, self.id)

    return property(make, doc=f"Its {collection}.")


class Resource(Live):
    """One resource of the platform, as it was when it was last read."""

    _family: ClassVar[Family]
    __slots__ = ("_data", "_engine", "_parent")

    def __init__(self, engine: Engine, data: dict[str, Any], parent: str) -> None:
        self._engine = engine
        self._data = data
        self._parent = parent

    def __init_subclass__(cls) -> None:
        family = cls.__dict__.get("_family")
        if family is None:
            return
        for name in family.fields:
            if not hasattr(cls, name):
                setattr(cls, name, _field(name))
        for accessor, collection in family.children.items():
            setattr(cls, accessor, _child(cls.__module__, collection))

    @property
    def id(self) -> str:
        """Its id: a UUID."""
        return cast("str", member(self._data, "id"))

    @property
    def created_at(self) -> str:
        """When it was created: RFC 3339, UTC."""
        return cast("str", member(self._data, "created_at"))

    @property
    def updated_at(self) -> str | None:
        """When it was changed last; None if it never was."""
        return cast("str | None", self._data.get("updated_at"))

    def refresh(self) -> Self:
        """Reads it again."""
        self._data = self._engine._call("GET", self._path)
        return self

    def edit(self, **changes: Any) -> Self:
        """Changes the fields that are given, and leaves the others as they are now."""
        family = self._family
        current = self._engine._call("GET", self._path)
        body = {name: current[name] for name in family.given if name in current}
        self._data = self._engine._call("PUT", self._path, {**body, **changes})
        return self

    def delete(self) -> None:
        """Deletes it and all below it. A service or cluster that was deployed goes once its deletion has run."""
        self._engine._call("DELETE", self._path)

    def to_dict(self) -> dict[str, Any]:
        """The answer it was last read from."""
        return dict(self._data)

    def __getitem__(self, field: str) -> Any:
        return self._data[field]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resource) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        name = self._data.get("name", "")
        return f"<{type(self).__name__} {self.id[:8]}… {name}>" if name else f"<{type(self).__name__} {self.id}>"

    @property
    def _path(self) -> str:
        return self._family.path.format(id=self.id, parent=self._parent)

    def _act(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Any:
        return self._engine._call("POST", f"{self._path}/{action}", body, query)


class Collection(Live, Generic[Model]):
    """The resources of one family below one parent. Nothing is kept: every call asks the engine."""

    _item: type[Model]
    __slots__ = ("_engine", "_parent")

    def __init__(self, engine: Engine, parent: str) -> None:
        self._engine = engine
        self._parent = parent

    def create(self, **fields: Any) -> Model:
        """Creates one; what is not given takes its default."""
        return self._make(self._engine._call("POST", self._path, fields))

    def list(self) -> list[Model]:
        """All of them, the oldest first."""
        answer = self._engine._call("GET", self._path)
        return [self._make(data) for data in answer["results"]]

    def get(self, id: str) -> Model:
        """The one with this id; NotFound if there is none."""
        path = self._item._family.path.format(id=segment("id", id), parent=self._parent)
        return self._make(self._engine._call("GET", path))

    def find(self, name: str) -> Model:
        """The one with this name, without regard to case; NotFound if there is none."""
        wanted = text("name", name).casefold()
        for item in self.list():
            if str(item._data.get("name", "")).casefold() == wanted:
                return item
        raise NotFound(f"there is no {self._item._family.name} named {shown(name)} here", 404)

    def __iter__(self) -> Iterator[Model]:
        return iter(self.list())

    def __len__(self) -> int:
        return len(self.list())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._parent or 'the engine'}>"

    @property
    def _path(self) -> str:
        return self._item._family.collection.format(parent=self._parent)

    def _make(self, data: dict[str, Any]) -> Model:
        return self._item(self._engine, data, self._parent)
