"""Deployment requests by id or by environment, also those that were started by another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .checking.arguments import text
from .deployment import Deployment
from .live import Live
from .reporting.event_text import is_transient
from .wire import member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .engine import Engine
    from .models import Environment

_PAGE = 20  # entries of the history that one answer holds


class Deployments(Live):
    """The deployment requests of the store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, id: str) -> Deployment:
        """Returns the request with this id; its `name` is the name of its environment. Raises `NotFound` if there is none.

        Requests that have ended are kept in the environment's history, whose length is `history_kept`.
        """
        status = self._engine._call("GET", "/environment/deploymentStatus", None, {"deploymentRequestId": text("id", id)})
        environment = self._engine._call("GET", f"/environment/{status['environment_id']}")
        return Deployment(self._engine, status["deployment_request_id"], environment["id"], member(environment, "name"))

    def __repr__(self) -> str:
        return "<Deployments of the engine>"


def current_of(environment: Environment) -> Deployment | None:
    """The running request, else the first waiting one, else None."""
    engine, id, name = environment._engine, environment.id, environment.name
    status = environment.status()
    request = status.get("deployment_request_id")
    if request is not None and is_transient(status["last_deployment_state"]):
        return Deployment(engine, request, id, name)
    waiting = _waiting(environment)
    return Deployment(engine, waiting[0], id, name) if waiting else None


def _waiting(environment: Environment) -> list[str]:
    queue = environment._engine._call("GET", f"/environment/{environment.id}/deploymentQueue")["results"]
    return [entry["identifier"]["deployment_request_id"] for entry in queue]


def of_environment(environment: Environment) -> Iterator[Deployment]:
    """The requests of an environment, newest first. The history is read page by page."""
    engine, id, name = environment._engine, environment.id, environment.name
    waiting = _waiting(environment)
    seen = set(waiting)  # one that begins between the two answers is in both
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
