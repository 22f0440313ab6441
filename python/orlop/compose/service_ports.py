"""Ports of a service: those of the interface, and in `runtime` those that it cannot say."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .source import ComposeError, shown

if TYPE_CHECKING:
    from .project_contents import ProjectContents

    NoteAt = Callable[[tuple[str | int, ...], str], None]


def ports_of(
    project: ProjectContents,
    name: str,
    service: dict[str, Any],
    fields: dict[str, Any],
    runtime: dict[str, Any],
    note: NoteAt,
) -> None:
    """Adds `ports` to the fields and to `runtime`. A port of one address of the host is not public: it would be open to
    the network where `runtime` is not read."""
    ports: dict[tuple[int, str], dict[str, Any]] = {}
    special: list[dict[str, Any]] = []
    for at, given in enumerate(service.get("ports", ())):
        path = ("services", name, "ports", at)
        if not re.fullmatch("([0-9]+(-[0-9]+)?)?", given.get("published", "")):
            said = f"{shown(given['published'])} is no port of the host such as 8080, and no range such as 8080-8090"
            raise ComposeError(f"services.{name}.ports[{at}].published: {said}", project.mark(*path, "published"))
        protocol = given["protocol"].upper()
        if protocol not in ("TCP", "UDP"):
            note(path, f"services.{name}.ports[{at}] has the protocol {given['protocol']}, which is not honoured")
            continue
        port, published = given.get("target", 0), given.get("published", "")
        if not port:
            note(path, f"services.{name}.ports[{at}] is left out: the port 0 of a container is none")
            continue
        known = ports.get((port, protocol))
        if "host_ip" in given or known or "-" in published:
            entry: dict[str, Any] = {"internal_port": port, "protocol": protocol}
            if published:
                entry["external_port"] = published if "-" in published else int(published)
            if given.get("host_ip", "0.0.0.0") not in ("0.0.0.0", "::"):
                entry["host_address"] = given["host_ip"]
            elif not known and "-" not in published:
                ports[port, protocol] = _port(port, protocol, published)
                continue
            special.append(entry)
            ports.setdefault((port, protocol), _port(port, protocol, None))
        else:
            ports[port, protocol] = _port(port, protocol, published)
        if given.get("app_protocol"):
            note((*path, "app_protocol"), f"services.{name}.ports[{at}].app_protocol is not honoured")
        if given.get("mode") == "host" and project.given(*path, "mode"):
            note((*path, "mode"), f"services.{name}.ports[{at}].mode is not honoured")
    for at, text in enumerate(service.get("expose", ())):
        for port, protocol in _exposed(text):
            if protocol not in ("TCP", "UDP"):
                note(("services", name, "expose", at), f"services.{name}.expose {text} is not honoured")
            else:
                ports.setdefault((port, protocol), _port(port, protocol, None))
    if ports:
        fields["ports"] = list(ports.values())
    if special:
        runtime["ports"] = special
    _note_conflicts(project, name, service, note)


def _port(port: int, protocol: str, published: str | None) -> dict[str, Any]:
    """Returns the port of the interface. `published` None: not public; empty: on any port of the host."""
    made: dict[str, Any] = {"internal_port": port, "protocol": protocol, "publicly_accessible": published is not None}
    if published:
        made["external_port"] = int(published)
    return made


def _exposed(text: str) -> list[tuple[int, str]]:
    numbers, _, protocol = text.partition("/")
    first, _, last = numbers.partition("-")
    if not first.isdigit() or not (last or first).isdigit():
        return []
    return [(port, (protocol or "tcp").upper()) for port in range(int(first), int(last or first) + 1)]


def _note_conflicts(project: ProjectContents, name: str, service: dict[str, Any], note: NoteAt) -> None:
    """Notes a port of the host that an earlier service has: the engine would refuse the later one."""
    for other, earlier in project.services.items():
        if other == name:
            return
        taken = {_outside(port) for port in earlier.get("ports", ()) if port.get("published")}
        for at, port in enumerate(service.get("ports", ())):
            if _outside(port) in taken:
                said = f"has the host port {port['published']}, which services.{other} has, too"
                note(("services", name, "ports", at), f"services.{name}.ports[{at}] {said}")


def _outside(port: dict[str, Any]) -> tuple[str, str, str]:
    return port.get("host_ip", "0.0.0.0"), port.get("published", ""), port["protocol"]
