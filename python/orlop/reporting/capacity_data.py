"""The capacity of clusters in a run, and its cost, from the events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.event_text import instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..simulation.traces.states import Subject

_KIND, _END = "cluster.capacity_changed", "cluster.deleted"
KINDS_OF_COST = (_KIND, _END)
_HOUR = 3600.0


def _changes(events: Iterable[Mapping[str, Any]]) -> list[tuple[float, str, Mapping[str, Any]]]:
    """Returns time, cluster and usage of each change; the usage of a deleted cluster is empty."""
    found: list[tuple[float, str, Mapping[str, Any]]] = []
    known: set[str] = set()
    for event in events:
        if event["kind"] == _KIND:
            known.add(event["subject"])
            found.append((instant(event["at"]).timestamp(), event["subject"], event["detail"]))
        elif event["kind"] == _END and event["subject"] in known:
            known.discard(event["subject"])
            found.append((instant(event["at"]).timestamp(), event["subject"], {}))
    return found


def _rate(usage: Mapping[str, Any]) -> float:
    """Returns the price of an hour."""
    return float(usage.get("nodes", 0) * usage.get("price", 0))


def cost_of(events: Iterable[Mapping[str, Any]], begin: float, end: float) -> float:
    """Returns the cost of the nodes of all clusters between two times, in seconds since 1970."""
    rates: dict[str, float] = {}
    last, cost = begin, 0.0
    for at, cluster, usage in _changes(events):
        until = min(max(at, begin), end)
        cost += sum(rates.values()) * (until - last) / _HOUR
        last = until
        rates[cluster] = _rate(usage)
    return cost + sum(rates.values()) * (end - last) / _HOUR


def capacity_series(
    events: Iterable[Mapping[str, Any]], subjects: Mapping[str, Subject], begin: float
) -> list[dict[str, Any]]:
    """Returns the series of a report: for each cluster its nodes, waiting services and use, and for all of them the
    price of an hour."""
    by_cluster: dict[str, list[tuple[float, Mapping[str, Any]]]] = {}
    rates: dict[str, float] = {}
    costs: list[tuple[float, dict[str, float]]] = []
    for at, cluster, usage in _changes(events):
        by_cluster.setdefault(cluster, []).append((round(at - begin, 3), usage))
        rates[cluster] = _rate(usage)
        costs.append((round(at - begin, 3), dict(rates)))
    found = []
    for cluster, changes in by_cluster.items():
        name = subjects[cluster].name if cluster in subjects else cluster
        found.append(
            _series(
                f"Nodes of {name}",
                changes,
                {"ready": "nodes", "coming": "coming", "lost": "lost", "services that wait": "waiting"},
            )
        )
        shares = [(at, {kind: _share(usage, kind) for kind in ("cpu", "memory", "pods")}) for at, usage in changes]
        found.append(_series(f"Use of {name}, in percent", shares, {kind: kind for kind in ("cpu", "memory", "pods")}))
    if any(any(values.values()) for _, values in costs):
        names = {(subjects[cluster].name if cluster in subjects else cluster): cluster for cluster in by_cluster}
        found.append(_series("Cost of the nodes an hour", costs, names))
    return found


def _share(usage: Mapping[str, Any], kind: str) -> float:
    return round(100.0 * usage.get(f"{kind}_used", 0) / usage[kind], 1) if usage.get(kind) else 0.0


def _series(title: str, changes: list[tuple[float, Any]], names: Mapping[str, str]) -> dict[str, Any]:
    """Returns a series of a report; of several changes at one time the last one counts."""
    last = dict(changes)
    return {
        "title": title,
        "at": list(last),
        "values": {label: [values.get(name, 0) for values in last.values()] for label, name in names.items()},
    }
