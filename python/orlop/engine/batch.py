"""Several requests in one transaction."""

from __future__ import annotations

from .. import _core
from ..base.live_objects import Live
from ..base.wire import Reply, encode, loads, pairs, query_text, refused
from ..errors import Misuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any

    from ..base.engine_protocol import EngineProtocol
    from ..generated.models import OrganizationCollection


class Batch(Live):
    """Requests that take effect together or not at all; made by `Engine.batch`, and used in a `with` block on one
    thread.

    The end of the block stores all changes in one commit. An exception in it, or a change that is refused, stores none.
    While the block runs every other writer of the store waits, and this thread may use the engine only through the
    batch. Objects that were made through the batch use the engine after it.
    """

    def __init__(self, engine: EngineProtocol) -> None:
        self._engine = engine
        self._core: _core.Batch | None = None
        self._has_ended = False

    def request(
        self,
        method: str,
        path: str,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Answers a request as `Engine.request` does; it sees the changes of the requests before it. The caller is the
        host.

        A refused change ends the batch: the reply gives the reason, and everything after it raises `Conflict`.
        Operations that need several commits or an answer of external systems are refused with 409.
        """
        return self._dispatch(method, path, json, headers, query)

    def _dispatch(
        self,
        method: str,
        path: str,
        json: Any,
        headers: Mapping[str, str] | None,
        query: Mapping[str, Any] | None,
        names: Sequence[str] = (),
    ) -> Reply:
        if self._core is None:
            raise Misuse("a batch is used inside its `with` block")
        body = b"" if json is None else encode(json)
        text = query_text(query) if query else ""
        return Reply(
            *self._core.dispatch(method, path, text, pairs("headers", headers) if headers else [], body, names)
        )

    @property
    def organizations(self) -> OrganizationCollection:
        """The organizations as typed objects, as `Engine.organizations`; their changes belong to the batch."""
        from ..generated.models import OrganizationCollection

        return OrganizationCollection(self, "")  # type: ignore[arg-type]

    def __enter__(self) -> Batch:
        if self._core is not None or self._has_ended:
            raise Misuse("a batch is used in one `with` block; begin another one with engine.batch()")
        self._core = _core.Batch(self._engine._core)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        core, self._core, self._has_ended = self._core, None, True
        assert core is not None
        try:
            if kind is None:
                core.commit()
        finally:
            core.end()

    def _call(self, method: str, path: str, json: Any = None, query: Mapping[str, str] | None = None) -> Any:
        body = self._ask(method, path, json, query)
        return loads(body) if body else None

    def _ask(
        self,
        method: str,
        path: str,
        json: Any = None,
        query: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
    ) -> bytes:
        if self._has_ended:
            return self._engine._ask(method, path, json, query, names)
        reply = self._dispatch(method, path, json, None, query, names)
        if reply.ok:
            return reply.body
        raise refused(reply.status, reply.body)

    def __getattr__(self, name: str) -> Any:
        # Typed objects also use waits and events, which are those of the engine.
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._engine, name)
