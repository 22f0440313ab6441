"""Names, environments and stages of a trace's resources: from an engine that holds them, or from the events alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...base.event_text import instant
from ...errors import Misuse, StorageCorrupt
from ...options.arguments import shown
from ...reporting.run_data import Trace
from ..faults import without_faults
from .states import Subject

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from ...base.engine_protocol import EngineWithObjects

_LINE_MAX = 1 << 22  # bytes of one event
_MEMBERS = ("sequence", "at", "kind", "subject")
_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "sequence": (int, "a whole number"),
    "detail": ((dict, type(None)), "an object"),
    **dict.fromkeys(
        ("at", "kind", "subject", "family", "owner", "organization", "request", "from", "to"), (str, "text")
    ),
}


def trace_of(engine: EngineWithObjects, label: str) -> Trace:
    """Returns the events of an engine, with the names of its resources; those of deleted ones as far as the events have
    them."""
    events = engine._read_events(0, None, None)
    found = subjects_of_events(events)
    return Trace(label, events, _joined(found, subjects_of(engine)), _virtual_time_of(engine))


def _virtual_time_of(engine: EngineWithObjects) -> float:
    """Returns virtual time in seconds since 1970; 0 for an engine in real time."""
    return engine.now().timestamp() if hasattr(engine, "clock") else 0.0


def _joined(of_events: Mapping[str, Subject], of_engine: Mapping[str, Subject]) -> dict[str, Subject]:
    """Joins both; the engine has more details of existing resources, and the order of stages."""
    return {**of_engine, **{id: subject for id, subject in of_events.items() if id not in of_engine}}


def subjects_of_events(events: Iterable[Mapping[str, Any]]) -> dict[str, Subject]:
    """Returns the resources from the events of their creation: the name, the family, and the environment of a
    service."""
    found: dict[str, Subject] = {}
    note_subjects(events, found)
    return found


def note_subjects(events: Iterable[Mapping[str, Any]], found: dict[str, Subject]) -> None:
    """Adds the resources of further events."""
    for event in events:
        family, _, change = event["kind"].partition(".")
        name = (event.get("detail") or {}).get("name")
        if change in ("created", "edited") and name and event["subject"] not in found:
            owner = found.get(event.get("owner", ""))
            inside = owner.name if owner is not None and owner.kind == "environment" else ""
            found[event["subject"]] = Subject(family, str(name), str(name) if family == "environment" else inside)


def subjects_of(engine: EngineWithObjects) -> dict[str, Subject]:
    """Returns the existing resources, in the order of clusters, environments, stages and services."""
    found: dict[str, Subject] = {}
    with without_faults(engine) as reader:
        for organization in reader.organizations:
            for cluster in organization.clusters:
                found[cluster.id] = Subject("cluster", cluster.name)
            for project in organization.projects:
                for environment in project.environments:
                    found[environment.id] = Subject("environment", environment.name, environment.name)
                    found.update(services_of(environment))
    return found


def services_of(environment: Any) -> dict[str, Subject]:
    """Returns the services of an environment, in the order of its stages."""
    services = {service.id: service for service in environment.services()}
    inside = [
        (services.get(entry["service_id"]), stage.name) for stage in environment.stages for entry in stage.services
    ]
    return {
        service.id: Subject(service._family.name, service.name, environment.name, stage)
        for service, stage in inside
        if service is not None
    }


def read_trace(path: str | os.PathLike[str], label: str = "") -> Trace:
    """Reads a trace file, with an event as JSON in each line. Raises `Misuse`, which names the line, and OSError."""
    events = []
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            events.append(_event(f"{path}:{number}", line))
    return Trace(label or str(path), events, subjects_of_events(events))


def _event(place: str, line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line) if len(line) <= _LINE_MAX else None
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or not all(name in event for name in _MEMBERS):
        raise Misuse(
            f"{place}: the line must be an event, a JSON object with {', '.join(_MEMBERS)}, as orlop sim --trace "
            f"writes it"
        )
    for name, value in event.items():
        wanted, words = _TYPES.get(name, (object, ""))
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise Misuse(f"{place}: {name} must be {words}, not {shown(value)}")
    try:
        instant(event["at"])
    except StorageCorrupt:
        raise Misuse(f"{place}: at must be a time like 2026-01-01T00:00:00.000Z, not {shown(event['at'])}") from None
    return event
