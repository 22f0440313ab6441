"""Settings of resources: documents of which each resource has one, such as `container.advanced_settings`. Their classes
are in `models`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ..base.live_objects import Live
from ..base.wire import loads
from ..errors import Misuse
from ..options.arguments import shown
from .resource import edited, field_property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from ..base.engine_protocol import EngineProtocol
    from .resource import Family


class Settings(Live):
    """Settings of one resource, as they were when last read. A setting that was never changed has its default.
    `settings["name"]` reads one."""

    _family: ClassVar[Family]
    __slots__ = ("_data", "_engine", "_path")

    def __init__(self, engine: EngineProtocol, parent: str, above: str) -> None:
        self._engine = engine
        self._path = self._family.path.format(parent=parent, above=above)
        self._data: dict[str, Any] = engine._call("GET", self._path)

    def __init_subclass__(cls) -> None:
        family = cls.__dict__.get("_family")
        for name in family.fields if family is not None else ():
            if name.isidentifier():
                setattr(cls, name, field_property(name))

    def refresh(self) -> Self:
        """Reads the settings again and returns this object. Raises `NotFound` if the resource was deleted."""
        self._data = self._engine._call("GET", self._path)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Returns the answer from which the object was last read, as a new dict."""
        return dict(self._data)

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._path}>"


class EditableSettings(Settings):
    """Settings that can be edited and replaced."""

    __slots__ = ()

    def edit(self, changes: Mapping[str, Any] | None = None, /, **fields: Any) -> Self:
        """Changes the named settings, keeps the others, and returns this object. Pass names with dots in a dict. Raises
        `Invalid`."""
        given = {**_dict_of(changes), **fields}
        self._data = loads(edited(self._engine, self._path, self._family.given, given))
        return self

    def replace(self, settings: Mapping[str, Any]) -> Self:
        """Replaces all settings and returns this object. Omitted settings get their defaults. Raises `Invalid`."""
        self._data = self._engine._call("PUT", self._path, _dict_of(settings))
        return self


def _dict_of(given: Mapping[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise Misuse(f"settings must be a dict of names and values, not {shown(given)}")
    return dict(given)
