"""The base classes of typed objects. The classes of the families are in `models`, generated from the families' descriptions.

An object holds the answer that it was last read from. `refresh` reads it again, `edit` changes it. `object["field"]` reads any field of the answer.
"""

from __future__ import annotations

import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypedDict, TypeVar, cast

from .checking.arguments import segment, shown, text
from .errors import NotFound, PreconditionFailed
from .live import Live
from .wire import member

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from typing_extensions import Self

    from .engine import Engine

_EDIT_TRIES = 16

Model = TypeVar("Model", bound="Resource")


def edited(engine: Engine, path: str, given: Iterable[str], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a PUT of what is there now with the changes; begun again if another caller changes it in between."""
    for tries_left in reversed(range(_EDIT_TRIES)):
        reply = engine.request("GET", path)
        current = reply.check()
        body = {name: current[name] for name in given if name in current}
        unchanged = {"if-match": reply.headers["etag"]} if "etag" in reply.headers else {}
        try:
            return cast("dict[str, Any]", engine.request("PUT", path, {**body, **changes}, unchanged).check())
        except PreconditionFailed:
            if tries_left == 0:
                raise
    raise AssertionError("the last try returns or raises")


class Reference(TypedDict):
    """Refers to another resource."""

    id: str
    """Id of the resource."""


class Family:
    """Paths and fields of a family."""

    __slots__ = ("children", "collection", "fields", "given", "is_read", "kind", "name", "path", "secret", "singles")

    def __init__(
        self,
        *,
        name: str,
        path: str,
        fields: tuple[str, ...],
        given: tuple[str, ...],
        kind: str = "",
        collection: str = "",
        secret: tuple[str, ...] = (),
        children: Mapping[str, str] = MappingProxyType({}),
        singles: Mapping[str, str] = MappingProxyType({}),
        is_read: bool = True,
    ) -> None:
        self.name = name
        self.kind = kind
        self.path = path
        self.collection = collection
        self.fields = fields
        self.given = given
        self.secret = secret
        self.children = children
        self.singles = singles
        self.is_read = is_read


def field_property(name: str) -> property:
    """Reads a field of the last answer."""
    return property(lambda self: self._data.get(name), doc=f"The field {name}.")


def _child(module: str, collection: str) -> property:
    def make(self: Resource) -> Any:
        return getattr(sys.modules[module], collection)(self._engine, self.id, self._path)

    return property(make, doc=f"Its {collection}.")


def _single(module: str, name: str) -> property:
    def read(self: Resource) -> Any:
        return getattr(sys.modules[module], name)(self._engine, self.id, self._path)

    return property(read, doc=f"Its {name}, read at each access.")


class Resource(Live):
    """One resource, as it was when it was last read. Two objects are equal if their ids are. Its fields are attributes."""

    _family: ClassVar[Family]
    __slots__ = ("_above", "_data", "_engine", "_parent")

    def __init__(self, engine: Engine, data: dict[str, Any], parent: str, above: str = "") -> None:
        self._engine = engine
        self._data = data
        self._parent = parent
        self._above = above

    def __init_subclass__(cls) -> None:
        family = cls.__dict__.get("_family")
        if family is None:
            return
        for name in family.fields:
            if not hasattr(cls, name):
                setattr(cls, name, field_property(name))
        for accessor, collection in family.children.items():
            setattr(cls, accessor, _child(cls.__module__, collection))
        for accessor, single in family.singles.items():
            setattr(cls, accessor, _single(cls.__module__, single))

    @property
    def id(self) -> str:
        """Id of the resource, a UUID."""
        return cast("str", member(self._data, "id"))

    @property
    def created_at(self) -> str:
        """Time of creation: RFC 3339, UTC."""
        return cast("str", member(self._data, "created_at"))

    @property
    def updated_at(self) -> str | None:
        """Time of the last change: RFC 3339, UTC; None if it was never changed."""
        return cast("str | None", self._data.get("updated_at"))

    @property
    def metadata(self) -> dict[str, str]:
        """Metadata of the host: a new dict, empty if there is none."""
        return dict(self._data.get("metadata") or {})

    def refresh(self) -> Self:
        """Reads the resource again and returns this object. Raises `NotFound` if it was deleted."""
        self._data = self._read()
        return self

    def edit(self, **changes: Any) -> Self:
        """Changes the given fields, keeps the others, and returns this object. Raises `Invalid`, `Conflict` or `NotFound`.

        A change that another caller makes to other fields at the same time is kept. After 16 such changes in a row: `PreconditionFailed`.
        """
        family = self._family
        if family.is_read:
            self._data = edited(self._engine, self._path, family.given, changes)
        else:
            current = self._read()
            body = {name: current[name] for name in family.given if name in current}
            self._data = self._engine._call("PUT", self._path, {**body, **changes})
        return self

    def delete(self) -> None:
        """Deletes the resource and everything below it. Deleting a deployed service or cluster starts a deployment that removes it. Raises `Conflict` if it is in use."""
        self._engine._call("DELETE", self._path)

    def to_dict(self) -> dict[str, Any]:
        """The answer that the object was last read from, as a new dict."""
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
        return self._family.path.format(id=self.id, parent=self._parent, above=self._above)

    def _read(self) -> dict[str, Any]:
        family = self._family
        if family.is_read:
            return cast("dict[str, Any]", self._engine._call("GET", self._path))
        return listed(self._engine, family, family.collection.format(parent=self._parent, above=self._above), self.id)

    def _act(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Any:
        return self._engine._call("POST", f"{self._path}/{action}", body, query)


def listed(engine: Engine, family: Family, collection: str, id: str) -> dict[str, Any]:
    """A resource of a family that can only be listed. Raises `NotFound`."""
    for data in engine._call("GET", collection)["results"]:
        if data["id"] == id:
            return cast("dict[str, Any]", data)
    raise NotFound(f"there is no {family.name.replace('_', ' ')} {shown(id)} here", 404)


class Collection(Live, Generic[Model]):
    """The resources of one family below one parent. It can be iterated, and `len` counts it. Every call reads from the engine."""

    _item: type[Model]
    __slots__ = ("_above", "_engine", "_parent")

    def __init__(self, engine: Engine, parent: str, above: str = "") -> None:
        self._engine = engine
        self._parent = parent
        self._above = above

    def create(self, **fields: Any) -> Model:
        """Creates a resource. Fields that are not given have their defaults. Raises `Invalid` or `Conflict`."""
        return self._make(self._engine._call("POST", self._path, fields))

    def list(self) -> list[Model]:
        """All resources of the collection, oldest first."""
        answer = self._engine._call("GET", self._path)
        return [self._make(data) for data in answer["results"]]

    def get(self, id: str) -> Model:
        """The resource with this id. Raises `NotFound` if there is none."""
        family, wanted = self._item._family, segment("id", id)
        if not family.is_read:
            return self._make(listed(self._engine, family, self._path, wanted))
        return self._make(self._engine._call("GET", family.path.format(id=wanted, parent=self._parent, above=self._above)))

    def find(self, name: str) -> Model:
        """The resource with this name, compared without regard to case. Raises `NotFound` if there is none."""
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
        return self._item._family.collection.format(parent=self._parent, above=self._above)

    def _make(self, data: dict[str, Any]) -> Model:
        return self._item(self._engine, data, self._parent, self._above)
