"""The interfaces of the engine for objects, servers and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from .. import _core
    from .restores import Restores
    from .wire import Reply


class EngineProtocol(Protocol):
    """Requests, events and waits. Each member does the same as that of `Engine`."""

    _core: _core.Engine
    _asks_credentials: bool

    @property
    def _is_simulation(self) -> bool: ...

    @property
    def _restores(self) -> Restores | None: ...

    @property
    def last_event(self) -> int: ...

    def request(
        self,
        method: str,
        path: str,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        trusted: bool = True,
    ) -> Reply: ...

    def now(self) -> datetime: ...

    def events(
        self, since: int = 0, *, request: str | None = None, kinds: Iterable[str] = ()
    ) -> list[dict[str, Any]]: ...

    def snapshot(self) -> bytes: ...

    def close(self, timeout: str | float | None = 10.0) -> None: ...

    def _call(self, method: str, path: str, json: Any = None, query: Mapping[str, str] | None = None) -> Any: ...

    def _ask(
        self,
        method: str,
        path: str,
        json: Any = None,
        query: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
    ) -> bytes: ...

    def _read_events(
        self,
        since: int,
        request: str | None,
        subject: str | None,
        organization: str | None = None,
        kinds: Sequence[str] = (),
        timeout: float = 0.0,
    ) -> list[dict[str, Any]]: ...

    def _await_end(self, request: str, is_done: Callable[[], bool], timeout: float | None, what: str) -> None: ...

    def _drive(self, is_done: Callable[[], bool], timeout: float | None, what: str) -> None: ...


class SimulationProtocol(EngineProtocol, Protocol):
    """The interface of a simulation for objects, servers and reports."""

    seed: int


class EngineWithObjects(EngineProtocol, Protocol):
    """An engine with typed objects."""

    @property
    def organizations(self) -> Any: ...

    def batch(self) -> AbstractContextManager[Any]: ...
