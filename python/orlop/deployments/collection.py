"""Deployment requests by id or by environment, also those that another program has started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.live_objects import Live
from ..base.wire import member
from ..generated.states import TRANSIENT
from ..options.arguments import text
from .deployment import Deployment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ..base.engine_protocol import EngineProtocol

_PAGE = 20  # entries of one page of the history


class Deployments(Live):
    """The deployment requests of the store."""

    def __init__(self, engine: EngineProtocol) -> None:
        self._engine = engine

    def get(self, id: str) -> Deployment:
        """Returns the request with this id; its `name` is the name of its environment. Raises `NotFound` if there is
        none.

        Requests that have ended are kept in the environment's history, whose length is `history_kept`.
        """
        status = self._engine._call(
            "GET", "/environment/deploymentStatus", None, {"deploymentRequestId": text("id", id)}
        )
        environment = self._engine._call("GET", f"/environment/{status['environment_id']}")
        return Deployment(self._engine, status["deployment_request_id"], environment["id"], member(environment, "name"))

    def __repr__(self) -> str:
        return "<Deployments of the engine>"


def current_of(engine: EngineProtocol, id: str, name: str, status: Mapping[str, Any]) -> Deployment | None:
    """Returns the environment's running request, else the first one in its queue, else None. `status` is the
    environment's."""
    request = status.get("deployment_request_id")
    if request is not None and status["last_deployment_state"] in TRANSIENT:
        return Deployment(engine, request, id, name)
    waiting = _waiting(engine, id)
    return Deployment(engine, waiting[0], id, name) if waiting else None


def _waiting(engine: EngineProtocol, environment: str) -> list[str]:
    queue = engine._call("GET", f"/environment/{environment}/deploymentQueue")["results"]
    return [entry["identifier"]["deployment_request_id"] for entry in queue]


def of_environment(engine: EngineProtocol, id: str, name: str) -> Iterator[Deployment]:
    """Yields the requests of an environment, newest first. Reads the history page by page."""
    waiting = _waiting(engine, id)
    seen = set(waiting)  # a request that begins between the two answers is in both
    for request in reversed(waiting):
        yield Deployment(engine, request, id, name)
    query: dict[str, str] = {}
    while True:
        page = engine._call("GET", f"/environment/{id}/deploymentHistory", None, query)["results"]
        for entry in page:
            if entry["id"] not in seen:
                seen.add(entry["id"])
                yield Deployment(engine, entry["id"], id, name)
        if len(page) < _PAGE:
            return
        query = {"startId": page[-1]["id"]}
