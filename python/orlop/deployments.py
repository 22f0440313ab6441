"""Deployments that were begun elsewhere: found by their id, or by their environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arguments import text
from .deployment import Deployment
from .event_text import is_transient
from .live import Live
from .wire import member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .engine import Engine
    from .models import Environment

_PAGE = 20  # entries of the history that one answer holds


class Deployments(Live):
    """The deployment requests that the store holds. Nothing is kept: every call asks the engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, id: str) -> Deployment:
        """The request with this id; NotFound if there is none. Its `name` is that of its environment.

        It waits, runs or has ended; requests that ended are kept as long as the environment's history (`history_kept`).
        """
        status = self._engine._call("GET", "/environment/deploymentStatus", None, {"deploymentRequestId": text("id", id)})
        environment = self._engine._call("GET", f"/environment/{status['environment_id']}")
        return Deployment(self._engine, status["deployment_request_id"], environment["id"], member(environment, "name"))

    def __repr__(self) -> str:
        return "<Deployments of the engine>"


def current_of(environment: Environment) -> Deployment | None:
    """The request that the environment's status speaks of, if it has not ended; else the first of those that wait."""
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
    """Its requests, the newest first. A page of the history is read when it is come to."""
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
