"""Answers about PromQL and metrics, by the API of Prometheus servers."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from ..errors import ExternalFailed, Misuse, Unanswered
from ..generated.external_systems import ExternalSystems
from ..options.arguments import shown, text
from .access import TIMEOUT, Access
from .guarded_http import Answer
from .targets import Resolver, resolve

_ENDPOINTS = ("query", "query_range", "query_exemplars", "series", "labels", "format_query")
_NOT_SENT = ("endpoint", "board_short_name", "metric_short_name", "trace_id")
_FAULT_MAX = 500  # characters


class Prometheus(ExternalSystems):
    """Answers whether a query is PromQL, and queries the metrics of clusters. Needs the extra `orlop[externals]`.

    `url` is a Prometheus server, or another with its API, which checks queries. `clusters` has the URL of the server of
    each cluster by its id, for queries of metrics; other clusters are not answered. A server answers all queries of
    those who may see the cluster, so it must not have metrics of others. The hosts of these URLs are allowed, `allow`
    lists further hosts and address ranges. `token` is sent to them as bearer token. `timeout` is the time of one
    question in seconds. `resolver` and `ssl_context` replace the system's. Raises `Misuse` for an argument out of
    bounds.
    """

    def __init__(
        self,
        url: str,
        *,
        clusters: Mapping[str, str] | None = None,
        token: str = "",
        allow: Iterable[str] = (),
        timeout: float = TIMEOUT,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._url = text("url", url)
        self._clusters = {each.lower(): address for each, address in (clusters or {}).items()}
        self._headers = {"authorization": f"Bearer {text('token', token)}"} if token else {}
        hosts = [_host_of(each) for each in (url, *self._clusters.values())]
        self._access = Access([*allow, *hosts], timeout, resolver, ssl_context)

    def check_promql(self, question: Mapping[str, Any]) -> str:
        """Returns why a query is not PromQL; "" if it is."""
        form = {"query": question["query"]}
        answer = self._ask(self._url, "format_query", form)
        if answer.status == 404:  # older servers, and others with the same API: an instant without samples is cheap
            answer = self._ask(self._url, "query", {**form, "time": "0"})
        if answer.status == 200:
            return ""
        content = answer.json()
        if answer.status != 400 or not isinstance(content, dict) or content.get("errorType") != "bad_data":
            raise ExternalFailed(f"the Prometheus server does not check queries: status {answer.status}")
        return str(content.get("error") or "the query is not PromQL")[:_FAULT_MAX]

    def query_cluster_metrics(self, question: Mapping[str, Any]) -> str:
        """Returns the response of the server of a cluster."""
        url = self._clusters.get(question["cluster_id"].lower())
        if url is None:
            raise Unanswered("the question query_cluster_metrics is not answered for this cluster")
        parameters = question["parameters"]
        endpoint = parameters.get("endpoint")
        if endpoint not in _ENDPOINTS:
            raise ExternalFailed(f"endpoint must be one of {', '.join(_ENDPOINTS)}, not {shown(endpoint)}")
        form = {name: str(value) for name, value in parameters.items() if name not in _NOT_SENT}
        answer = self._ask(url, endpoint, form)
        said = answer.body.decode("utf-8", "replace")
        if answer.status != 200:
            raise ExternalFailed(f"the Prometheus server answers with the status {answer.status}: {said[:_FAULT_MAX]}")
        return said

    def _ask(self, url: str, endpoint: str, form: Mapping[str, str]) -> Answer:
        with self._access.session(self._access.deadline()) as session:
            return session.ask(f"{url.rstrip('/')}/api/v1/{endpoint}", method="POST", headers=self._headers, form=form)


def _host_of(url: str) -> str:
    try:
        found = urlsplit(url)
    except ValueError:
        found = urlsplit("")
    if found.scheme not in ("http", "https") or not found.hostname:
        raise Misuse(f"url must be the URL of a Prometheus server, such as http://127.0.0.1:9090, not {shown(url)}")
    return found.hostname
