"""The base classes of typed objects. The classes of the families are in `models`, generated from the families'
descriptions.

An object holds the answer from which it was last read. `refresh` reads it again, `edit` changes it. A class has a
method only if the family has the operation: each verb that some families lack is a class, such as `Editable`, among the
bases of those that have it. `object["field"]` reads any field of the answer. The answer of one resource is parsed when
a field other than `id` is first read: `StorageCorrupt`, for a damaged one, is raised there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypedDict, TypeVar, cast, overload

from ..base.live_objects import Live
from ..base.wire import dumps, loads, member, refused
from ..errors import Conflict, Error, NotFound, PreconditionFailed
from ..options.arguments import fold_case, percent_encoded, segment, shown, text, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from typing_extensions import Self

    from ..base.engine_protocol import EngineProtocol

_EDIT_TRIES = 16
_NAME_MAX = 1_000  # bytes of a name in a request's target
_ID_BEFORE, _ID_AFTER = b'{"id":"', b'"'  # text around the id at the beginning of an answer
_ID_SIZE = 36
_ID_START, _ID_END = len(_ID_BEFORE), len(_ID_BEFORE) + _ID_SIZE
_LISTED_SIZE = _ID_SIZE + len('"",')  # size of an id in a list of ids

_SHOWN = 3  # names in the `repr` of a collection
_ENSURE_TRIES = 16

Model = TypeVar("Model", bound="Resource")
Default = TypeVar("Default")


REQUIRED: Any = object()
"""Default of a parameter whose absence differs from None."""


def edited(engine: EngineProtocol, path: str, given: Iterable[str], changes: Mapping[str, Any]) -> bytes:
    """Puts the current body with the changes and returns the answer. Starts again if another caller has changed it
    meanwhile."""
    for tries_left in reversed(range(_EDIT_TRIES)):
        reply = engine.request("GET", path)
        current = reply.check()
        body = {name: current[name] for name in given if name in current}
        unchanged = {"if-match": reply.headers["etag"]} if "etag" in reply.headers else {}
        try:
            changed = engine.request("PUT", path, {**body, **changes}, unchanged)
            if changed.ok:
                return changed.body
            raise refused(changed.status, changed.body)
        except PreconditionFailed:
            if tries_left == 0:
                raise
    raise AssertionError("the last try returns or raises")


class Reference(TypedDict):
    """A reference to another resource."""

    id: str
    """Id of the resource."""


class Family:
    """Paths and fields of a family."""

    __slots__ = (
        "children",
        "collection",
        "fields",
        "given",
        "is_below_path",
        "is_read",
        "kind",
        "name",
        "path",
        "secret",
        "singles",
    )

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
        self.is_below_path = "{above}" in path or "{above}" in collection


def field_property(name: str) -> property:
    """Returns a property that reads a field of the last answer."""
    return property(lambda self: self._data.get(name), doc=f"The field {name}.")


def _child(module: str, collection: str) -> property:
    def make(self: Resource) -> Any:
        kind: type[Collection[Any]] = getattr(sys.modules[module], collection)
        return kind(self._engine, self.id, self._path if kind._item._family.is_below_path else "")

    return property(make, doc=f"Its {collection}.")


def _single(module: str, name: str) -> property:
    def read(self: Resource) -> Any:
        return getattr(sys.modules[module], name)(self._engine, self.id, self._path)

    return property(read, doc=f"Its {name}, read at each access.")


_CLASSES: dict[str, type[Resource]] = {}  # of the families, by class name


def class_of(name: str) -> type[Resource]:
    """Returns the class of a family, for modules that `models` imports."""
    return _CLASSES[name]


def family_of_kind(kind: str) -> Family | None:
    """Returns the family of the services of a kind such as "CONTAINER"; None for an unknown kind, which a newer server
    may return."""
    return next((each._family for each in _CLASSES.values() if each._family.kind == kind), None)


class Resource(Live):
    """One resource, as it was when last read. Two objects are equal if their ids are equal. Its fields are attributes.

    The operations of its family determine its other methods: see the table of resources.
    """

    _family: ClassVar[Family]
    __slots__ = ("_above", "_answer", "_engine", "_id", "_parent")

    def __init__(
        self,
        engine: EngineProtocol,
        answer: dict[str, Any] | bytes | None,
        parent: str,
        above: str = "",
        id: str | None = None,
    ) -> None:
        self._engine = engine
        self._hold(answer)
        self._id = id
        self._parent = parent
        self._above = above

    def __init_subclass__(cls) -> None:
        family = cls.__dict__.get("_family")
        if family is None:
            return
        _CLASSES[cls.__name__] = cls
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
        if self._id is None:
            answer = self._answer[0]
            found = _first_id(answer) if isinstance(answer, bytes) else None
            self._id = found or cast("str", member(self._data, "id"))
        return self._id

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
        self._hold(self._read())
        return self

    def to_dict(self) -> dict[str, Any]:
        """Returns the answer from which the object was last read, as a new dict."""
        return dict(self._data)

    def __getitem__(self, field: str) -> Any:
        return self._data[field]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resource) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        try:
            name = self._data.get("name", "")
        except Error:  # an object of `create_many` whose resource, or engine, is gone
            name = ""
        return f"<{type(self).__name__} {self.id[:8]}… {name}>" if name else f"<{type(self).__name__} {self.id}>"

    @property
    def _path(self) -> str:
        return self._family.path.format(id=self.id, parent=self._parent, above=self._above)

    @property
    def _collection(self) -> str:
        return self._family.collection.format(parent=self._parent, above=self._above)

    @property
    def _data(self) -> dict[str, Any]:
        """The answer that is held. Its parsed form replaces its own text only, not another answer that a thread stores
        meanwhile."""
        held = self._answer
        answer = held[0]
        if answer is None:
            answer = self._read()
        if isinstance(answer, bytes):
            answer = loads(answer)
        held[0] = answer
        return answer

    def _hold(self, answer: dict[str, Any] | bytes | None) -> None:
        """Holds an answer; without one, the first access to a field reads it."""
        self._answer = [answer]

    def _read(self) -> dict[str, Any] | bytes:
        if self._family.is_read:
            return self._engine._ask("GET", self._path)
        return listed(self._engine, self._family, self._collection, self.id)

    def _act(self, action: str, body: Any = None, query: Mapping[str, str] | None = None) -> Any:
        return self._engine._call("POST", f"{self._path}/{action}", body, query)


class Editable(Resource):
    """A resource that can be edited."""

    __slots__ = ()

    def edit(self, **changes: Any) -> Self:
        """Changes the named fields, keeps the others, and returns this object. Raises `Invalid`, `Conflict` or
        `NotFound`.

        A change that another caller makes to other fields at the same time is kept. After 16 such changes in a row:
        `PreconditionFailed`.
        """
        family = self._family
        if family.is_read:
            self._hold(edited(self._engine, self._path, family.given, changes))
        else:
            current = listed(self._engine, family, self._collection, self.id)
            body = {name: current[name] for name in family.given if name in current}
            self._hold(self._engine._ask("PUT", self._path, {**body, **changes}))
        return self


class Deletable(Resource):
    """A resource that can be deleted."""

    __slots__ = ()

    def delete(self) -> None:
        """Deletes the resource and everything below it. Deleting a deployed service or cluster starts a deployment that
        removes it. Raises `Conflict` if it is in use."""
        self._engine._call("DELETE", self._path)


def _first_id(answer: bytes) -> str | None:
    """Returns the id at the beginning of an answer; None if it begins with anything else."""
    found = answer[_ID_START:_ID_END]
    is_id = (
        answer.startswith(_ID_BEFORE)
        and answer[_ID_END : _ID_END + 1] == _ID_AFTER
        and found.replace(b"-", b"").isalnum()
    )
    return found.decode() if is_id else None


def listed(engine: EngineProtocol, family: Family, collection: str, id: str) -> dict[str, Any]:
    """Returns a resource of a family that can only be listed. Raises `NotFound`."""
    for data in engine._call("GET", collection)["results"]:
        if data["id"] == id:
            return cast("dict[str, Any]", data)
    raise NotFound(f"there is no {family.name.replace('_', ' ')} {shown(id)} here", 404)


class Collection(Live, Generic[Model]):
    """The resources of one family below one parent. Every call reads from the engine.

    The operations of its family determine its other methods: see the table of resources.
    """

    _item: type[Model]
    __slots__ = ("_above", "_engine", "_parent")

    def __init__(self, engine: EngineProtocol, parent: str, above: str = "") -> None:
        self._engine = engine
        self._parent = parent
        self._above = above

    def get(self, id: str) -> Model:
        """Returns the resource with this id. Raises `NotFound` if there is none."""
        family, wanted = self._item._family, segment("id", id)
        if not family.is_read:
            return self._make(listed(self._engine, family, self._path, wanted))
        return self._make(
            self._engine._ask("GET", family.path.format(id=wanted, parent=self._parent, above=self._above))
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._parent or 'the engine'}>"

    @property
    def _path(self) -> str:
        return self._item._family.collection.format(parent=self._parent, above=self._above)

    def _make(self, answer: dict[str, Any] | bytes) -> Model:
        return self._item(self._engine, answer, self._parent, self._above)


class Listable(Collection[Model]):
    """A collection that can be listed and iterated; `len` counts it."""

    __slots__ = ()

    def list(self) -> list[Model]:
        """Returns all resources of the collection, oldest first."""
        answer = self._engine._call("GET", self._path)
        return [self._make(data) for data in answer["results"]]

    def __iter__(self) -> Iterator[Model]:
        return iter(self.list())

    def __len__(self) -> int:
        return self._page(1)[1]

    def _page(self, size: int) -> tuple[Sequence[Mapping[str, Any]], int]:
        """Returns the first resources and the total number."""
        answer = self._engine._call("GET", f"{self._path}?page=1&page_size={size}")
        return answer["results"][:size], int(answer["pagination"]["total_count"]) if "pagination" in answer else len(
            answer["results"]
        )

    def __repr__(self) -> str:
        """Names the first resources if the engine can be read."""
        try:
            first, count = self._page(_SHOWN)
        except Error:
            return super().__repr__()
        names = [str(data.get("name") or data.get("key") or data.get("id", "")) for data in first]
        return (
            f"<{type(self).__name__} of {count}: {in_words(names, count)}>"
            if names
            else f"<{type(self).__name__} of 0>"
        )


class Findable(Listable[Model]):
    """A collection whose resources can be found by their names."""

    __slots__ = ()

    @overload
    def find(self, name: str) -> Model: ...
    @overload
    def find(self, name: str, default: Default) -> Model | Default: ...
    def find(self, name: str, default: Any = REQUIRED) -> Any:
        """Returns the resource with this name, compared without regard to case. If there is none, returns `default`, or
        raises `NotFound` without one."""
        wanted = text("name", name)
        is_name = wanted.isprintable() and len(wanted.encode(errors="replace")) <= _NAME_MAX
        query = f"?name={percent_encoded(wanted)}" if is_name else ""
        for data in self._engine._call("GET", self._path + query)["results"]:
            if fold_case(str(data.get("name", ""))) == fold_case(wanted):
                return self._make(data)
        if default is not REQUIRED:
            return default
        raise NotFound(f"there is no {self._item._family.name} named {shown(name)} here", 404)


class Creatable(Collection[Model]):
    """A collection in which resources can be created."""

    __slots__ = ()

    def create(self, **fields: Any) -> Model:
        """Creates a resource. Omitted fields have their defaults. Raises `Invalid` or `Conflict`."""
        return self._make(self._engine._ask("POST", self._path, fields))


class Ensurable(Findable[Model], Creatable[Model]):
    """A collection whose resources can be found by name, created and edited."""

    __slots__ = ()

    def ensure(self, *, name: str, **fields: Any) -> tuple[Model, Literal["created", "edited", "unchanged"]]:
        """Creates a resource with this name and these fields, or edits fields that differ. Returns the resource and
        which of these it did: `web, change = environment.containers.ensure(name="web", …)`.

        Omitted fields stay as they are. Fields that cannot be read, such as secrets, are written each time. Raises
        `Invalid` or `Conflict`.
        """
        for tries_left in reversed(range(_ENSURE_TRIES)):
            found = self.find(name, None)
            try:
                if found is None:
                    return self.create(name=name, **fields), "created"
                return found, self._adjust(found, {"name": name, **fields})
            except (Conflict, NotFound):  # another caller may have created or deleted it meanwhile
                if tries_left == 0 or (self.find(name, None) is None) == (found is None):
                    raise
        raise AssertionError("the last try returns or raises")

    def _adjust(self, found: Model, fields: Mapping[str, Any]) -> Literal["edited", "unchanged"]:
        before, wanted = found.to_dict(), loads(dumps(fields))
        changes = {
            field: value for field, value in wanted.items() if field not in before or not _holds(before[field], value)
        }
        if not changes:
            return "unchanged"
        after = cast("Editable", found).edit(**changes).to_dict()
        is_seen = changes.keys() <= before.keys() and all(after.get(field) == before[field] for field in changes)
        return "unchanged" if is_seen else "edited"


def _holds(current: Any, wanted: Any) -> bool:
    """Reports whether an answer contains `wanted`: it may have more members, which have their defaults."""
    if isinstance(current, dict) and isinstance(wanted, dict):
        return all(name in current and _holds(current[name], value) for name, value in wanted.items())
    if isinstance(current, list) and isinstance(wanted, list):
        return len(current) == len(wanted) and all(_holds(*pair) for pair in zip(current, wanted))
    return type(current) is type(wanted) and bool(current == wanted)


def in_words(names: Sequence[str], count: int) -> str:
    """Lists the first names and counts the others: "web, worker and 11 more"."""
    listed = ", ".join(names)
    return f"{listed} and {count - len(names)} more" if count > len(names) else listed


class BulkCreatable(Creatable[Model]):
    """A collection in which a resource can be created for each of many names."""

    __slots__ = ()

    def create_many(self, names: Iterable[str], **fields: Any) -> Created[Model]:
        """Creates a resource for each name, in this order and with the same fields; all in one commit, or none.

        Equal to `create` for each name; for services at a fraction of the cost. The returned objects know their ids,
        and read their fields from the engine when the first one is needed. Without names nothing is created. Raises
        `Invalid` or `Conflict`, which say which name is refused.
        """
        given = texts("names", names)
        return Created(self, self._engine._ask("POST", self._path, fields, None, given) if given else b"[]")


class Created(Live, Sequence[Model]):
    """The resources that `create_many` has made, in the order of their names. Each access by index makes a new
    object."""

    __slots__ = ("_answer", "_collection")

    def __init__(self, collection: Collection[Model], answer: bytes) -> None:
        self._collection = collection
        self._answer = answer

    @property
    def ids(self) -> list[str]:
        """Ids of the resources: a new list."""
        return cast("list[str]", loads(self._answer))

    def __len__(self) -> int:
        return len(self._answer) // _LISTED_SIZE

    @overload
    def __getitem__(self, place: int) -> Model: ...
    @overload
    def __getitem__(self, place: slice) -> list[Model]: ...
    def __getitem__(self, place: int | slice) -> Model | list[Model]:
        places = range(len(self))[place]
        return self._at(places) if isinstance(places, int) else [self._at(each) for each in places]

    def __repr__(self) -> str:
        return f"<{len(self)} new of {self._collection!r}>"

    def _at(self, place: int) -> Model:
        start = place * _LISTED_SIZE + len('["')
        of = self._collection
        return of._item(of._engine, None, of._parent, of._above, self._answer[start : start + _ID_SIZE].decode())
