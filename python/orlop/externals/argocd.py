"""Answers about Argo CD servers, by their API."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import ExternalFailed
from ..generated.external_systems import ExternalSystems
from .access import TIMEOUT, Access
from .guarded_http import Answer
from .targets import Refused, Resolver, resolve

_ANSWER_SIZE = 1 << 27
_APPLICATIONS_MAX = 10_000
_HEALTH = {"Healthy", "Progressing", "Degraded", "Suspended", "Missing"}
_SYNC = {"Synced": "SYNCED", "OutOfSync": "OUT_OF_SYNC"}
_REFUSALS = {401: "authentication_failed", 403: "insufficient_permissions"}


class ArgoCd(ExternalSystems):
    """Answers about Argo CD servers: the check of a connection, clusters and applications. Needs the extra
    `orlop[externals]`. Address and token come with the questions.

    `allow` lists hosts and address ranges that are allowed in addition to the public internet. `timeout` is the time of
    one question in seconds. `resolver` and `ssl_context` replace the system's. Raises `Misuse` for an argument out of
    bounds.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        timeout: float = TIMEOUT,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._access = Access(allow, timeout, resolver, ssl_context)

    def check_argocd(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the number of applications, or why there is no connection."""
        try:
            answer = self._ask(question, "applications?fields=items.metadata.name")
            if answer.status == 200:
                return {"status": "connected", "app_count": len(_items(answer))}
        except (ExternalFailed, Refused, TimeoutError):
            return {"status": "error", "reason": "unreachable"}
        return {"status": "error", "reason": _REFUSALS.get(answer.status, "unreachable")}

    def list_argocd_clusters(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the destinations of the server."""
        found = []
        for cluster in self._list(question, "clusters"):
            count = _member(cluster, "info", "applicationsCount")
            found.append(
                {
                    "argocd_cluster_url": _text(cluster, "server"),
                    "argocd_cluster_name": _text(cluster, "name"),
                    "applications_count": count if isinstance(count, int) else 0,
                }
            )
        return found

    def list_argocd_applications(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the applications of the server with their state."""
        listed = self._list(question, "applications")
        if len(listed) > _APPLICATIONS_MAX:
            raise ExternalFailed(f"the Argo CD server has {len(listed)} applications, more than {_APPLICATIONS_MAX}")
        urls: dict[str, str] = {}
        if any(not _text(each, "spec", "destination", "server") for each in listed):
            urls = {_text(each, "name"): _text(each, "server") for each in self._list(question, "clusters")}
        return [_application(each, urls) for each in listed]

    def _list(self, question: Mapping[str, Any], kind: str) -> list[Any]:
        answer = self._ask(question, kind)
        if answer.status != 200:
            raise ExternalFailed(f"the Argo CD server does not list its {kind}: status {answer.status}")
        return _items(answer)

    def _ask(self, question: Mapping[str, Any], path: str) -> Answer:
        with self._access.session(self._access.deadline()) as session:
            url = f"{question['url'].rstrip('/')}/api/v1/{path}"
            return session.ask(url, headers={"authorization": f"Bearer {question['token']}"}, size=_ANSWER_SIZE)


def _application(given: Any, urls: Mapping[str, str]) -> dict[str, Any]:
    """Returns an application of the API as the engine has it."""
    health = _text(given, "status", "health", "status")
    phase, finished = (
        _text(given, "status", "operationState", "phase"),
        _text(given, "status", "operationState", "finishedAt"),
    )
    destination = _text(given, "spec", "destination", "server")
    return {
        "name": _text(given, "metadata", "name"),
        "project": _text(given, "spec", "project"),
        "namespace": _text(given, "spec", "destination", "namespace") or "default",
        "argocd_cluster_url": destination or urls.get(_text(given, "spec", "destination", "name"), ""),
        "health": health.upper() if health in _HEALTH else "UNKNOWN",
        "health_message": _text(given, "status", "health", "message"),
        "sync_status": _SYNC.get(_text(given, "status", "sync", "status"), "UNKNOWN"),
        "last_synced_at": finished if phase == "Succeeded" and finished else None,
        "manifest_revision": _text(given, "status", "sync", "revision") or None,
        "git_repository": _repository(given),
    }


def _repository(given: Any) -> dict[str, str] | None:
    """Returns the git repository of an application; None for a chart, or a repository that is not read by https."""
    several = _member(given, "spec", "sources")
    source = several[0] if isinstance(several, list) and several else _member(given, "spec", "source")
    url, branch = _text(source, "repoURL"), _text(source, "targetRevision")
    if _text(source, "chart") or not url.startswith("https://"):
        return None
    return {"url": url, "branch": "" if branch == "HEAD" else branch, "root_path": _text(source, "path")}


def _items(answer: Answer) -> list[Any]:
    content = answer.json()
    if not isinstance(content, dict):
        raise ExternalFailed("the Argo CD server gives an answer without items")
    items = content.get("items")
    return items if isinstance(items, list) else []  # null: there are none


def _member(given: Any, *path: str) -> Any:
    for name in path:
        given = given.get(name) if isinstance(given, dict) else None
    return given


def _text(given: Any, *path: str) -> str:
    found = _member(given, *path)
    return found if isinstance(found, str) else ""
