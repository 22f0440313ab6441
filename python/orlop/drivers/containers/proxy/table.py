"""What the proxy has to serve, made of the routes and containers of all services. Pure functions on the state file.

The state: {"services": {id: {"engine", "host", "removed", "since", "routes", "servers", "names", "slots"}},
"engines", "configuration"}. `names` are the containers that get requests, `servers` the published addresses of their
ports, `slots` the backend of each port. `since` is when a host and path was claimed: the first service that claims one
keeps it. `removed` marks a service whose containers may be there still, but must get no requests. `engines` are those
that were asked for the services of a state that was lost, `configuration` the digest of the file that HAProxy has
started with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .routes import SEGMENTS_MAX, Route, segments_of

if TYPE_CHECKING:
    from collections.abc import Mapping

Entry = dict[str, Any]
State = dict[str, Any]


class Server(NamedTuple):
    """A port of a container. `protocol` is that of the route: HTTP or GRPC."""

    host: str
    port: int
    protocol: str


class Table(NamedTuple):
    """`lines` is the map of the proxy, by key; `servers` those of each slot, by name; `certified` hosts with TLS."""

    lines: dict[str, str]
    servers: dict[int, dict[str, Server]]
    certified: list[str]


def routes_in(entry: Mapping[str, Any]) -> list[Route]:
    """Returns the routes of a service in the state."""
    return [Route(*route) for route in entry.get("routes") or ()]


def empty_entry(engine: str, host: str) -> Entry:
    """Returns the entry of a service that has no route yet."""
    lists: Entry = {"since": {}, "routes": [], "servers": {}, "names": [], "slots": {}}
    return {"engine": engine, "host": host, "removed": False, **lists}


def key_of(host: str, path: str) -> str:
    """Returns the key of a host and path prefix. It ends with a slash, so that /api does not match /apis."""
    return host + ("/" if path == "/" else path + "/")


def holders(state: State) -> dict[str, str]:
    """Returns by key the service that serves it: the first that claimed it."""
    held: dict[str, tuple[float, str]] = {}
    for service, entry in state["services"].items():
        for route in routes_in(entry):
            key = key_of(route.host, route.path)
            claim = (float(entry["since"].get(key, 0.0)), service)
            held[key] = min(held.get(key, claim), claim)
    return {key: service for key, (_, service) in held.items()}


def table_of(state: State) -> Table:
    """Returns what the proxy has to serve."""
    held = holders(state)
    lines, certified = {}, set()
    servers: dict[int, dict[str, Server]] = {}
    for service, entry in state["services"].items():
        for route in routes_in(entry):
            key = key_of(route.host, route.path)
            slot = entry["slots"].get(str(route.port))
            if held[key] != service or slot is None:
                continue
            lines[key] = _value(route, slot)
            if route.has_certificate:
                certified.add(route.host)
            servers.setdefault(slot, {}).update(_servers(entry, route))
    return Table(lines, servers, sorted(certified))


def with_routes(state: State, service: str, entry: Entry, routes: list[Route], now: float) -> None:
    """Replaces the routes of a service. Each port has a slot that no other port has."""
    before = entry["since"]
    entry["since"] = {key_of(r.host, r.path): before.get(key_of(r.host, r.path), now) for r in routes}
    entry["routes"] = [list(route) for route in routes]
    taken = {slot for other in state["services"].values() for slot in other["slots"].values()}
    ports = {str(route.port) for route in routes}
    entry["slots"] = {port: slot for port, slot in entry["slots"].items() if port in ports}
    for port in sorted(ports - set(entry["slots"])):
        slot = next(number for number in range(len(taken) + 1) if number not in taken)
        entry["slots"][port] = slot
        taken.add(slot)
    state["services"][service] = entry


def slots_needed(state: State) -> int:
    """Returns one more than the highest slot."""
    return max((slot for entry in state["services"].values() for slot in entry["slots"].values()), default=-1) + 1


def _value(route: Route, slot: int) -> str:
    """Returns the value of the map: the backend, and for a rewrite the number of segments that go and what comes."""
    segments = segments_of(route.path)
    if route.rewrite is None or segments > SEGMENTS_MAX:
        return f"slot{slot}|-|"
    return f"slot{slot}|{segments}|{'' if route.rewrite == '/' else route.rewrite}"


def _servers(entry: Mapping[str, Any], route: Route) -> dict[str, Server]:
    """A container that turns from HTTP to gRPC needs another server, since a server keeps its protocol."""
    suffix = ".h2" if route.protocol == "GRPC" else ""
    return {
        name + suffix: Server(str(ports[str(route.port)][0]), int(ports[str(route.port)][1]), route.protocol)
        for name, ports in entry["servers"].items()
        if str(route.port) in ports
    }
