"""The configuration of HAProxy and the commands of its runtime API, as text. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .routes import SEGMENTS_MAX
from .table import Server, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

SOCKET, MAP, CERTIFICATES = "haproxy.sock", "routes.map", "certificates.list"
SLOTS = 512  # backends that are there from the start, because HAProxy adds servers at runtime, but no backends
_BUFFER_SIZE = 32768  # bytes; headers of a request and commands of the runtime API fit into it
_PART_SIZE_MAX = _BUFFER_SIZE // 2
_COMMANDS_IN_LINE = 50  # of a few hundred bytes at most
_READY = 0  # administrative state of a server that gets requests


class Settings(NamedTuple):
    """`https_port` is 0 without TLS; `user` is "" where the proxy keeps the user that starts it."""

    http_port: int
    https_port: int
    slots: int
    user: str


class Listed(NamedTuple):
    """A server as HAProxy lists it."""

    host: str
    port: int
    admin: int


class Changes(NamedTuple):
    """`commands` make the table true. `surplus` are the servers that are left: they have got `drain`, or had it."""

    commands: list[str]
    surplus: list[tuple[int, str]]


def configuration_of(settings: Settings, table: Table) -> str:
    """Returns the configuration file. Its paths are relative to the state folder, in which HAProxy starts, because the
    path of the folder may have characters that the file gives a meaning."""
    lines = [
        "# Written by the driver at each start of the proxy.",
        "global",
        f"  stats socket unix@{SOCKET} mode 600 level admin expose-fd listeners",
        "  stats timeout 1m",
        "  noreuseport",  # else another HAProxy on the same port starts without an error and takes half of the requests
        f"  tune.bufsize {_BUFFER_SIZE}",
        *([f"  user {settings.user}", f"  group {settings.user}"] if settings.user else []),
        "defaults",
        "  mode http",
        "  timeout connect 5s",
        "  timeout client 10m",
        "  timeout server 10m",
        "  timeout tunnel 24h",
        "  timeout http-request 30s",
        "  timeout http-keep-alive 2m",
        "  option redispatch 1",
        "frontend public",
        f"  bind 127.0.0.1:{settings.http_port}",
    ]
    if settings.https_port:
        tls = f"ssl crt-list {CERTIFICATES} alpn h2,http/1.1"
        lines.append(f"  bind 127.0.0.1:{settings.https_port} {tls}")
    lines += [
        "  http-request set-var(txn.host) req.hdr(host),field(1,:),lower,regsub(\\.$,)",
        "  http-request set-var(txn.path) path",
        f"  http-request set-var(txn.route) var(txn.host),concat(,txn.path,/),map_beg({MAP})",
        "  http-request set-var(txn.route) var(txn.host),regsub(^[^.]+,*),concat(,txn.path,/),"
        f"map_beg({MAP}) unless {{ var(txn.route) -m found }}",
        "  http-request return status 404 content-type text/plain lf-string "
        '"no service has the host %[var(txn.host)] and this path\\n" unless { var(txn.route) -m found }',
        "  http-request set-header X-Forwarded-For %[src]",
        "  http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]",
        "  http-request set-header X-Forwarded-Host %[req.hdr(host)]",
        *(
            f"  http-request set-path %[var(txn.route),field(3,|)]/%[path,field({number + 2},/,0)]"
            f" if {{ var(txn.route),field(2,|) -m str {number} }}"
            for number in range(SEGMENTS_MAX + 1)
        ),
        "  use_backend %[var(txn.route),field(1,|)]",
    ]
    for slot in range(settings.slots):
        lines.append(f"backend slot{slot}")
        lines += [f"  server {name} {_arguments(one)}" for name, one in sorted(table.servers.get(slot, {}).items())]
    return "\n".join(lines) + "\n"


def map_of(table: Table) -> str:
    """Returns the file of the map."""
    return "".join(f"{key} {value}\n" for key, value in sorted(table.lines.items()))


def parts_of_map(table: Table) -> list[str]:
    """Returns the file of the map in parts that fit into the buffer of the runtime API."""
    parts = [""]
    for line in map_of(table).splitlines(keepends=True):
        if len(parts[-1]) + len(line) > _PART_SIZE_MAX and parts[-1]:
            parts.append("")
        parts[-1] += line
    return [part for part in parts if part]


def changes_of(listed: Mapping[int, Mapping[str, Listed]], table: Table) -> Changes:
    """Returns the commands that give each slot the servers of the table."""
    commands, drains, surplus = [], [], []
    for slot in sorted({*listed, *table.servers}):
        present, wanted = listed.get(slot, {}), table.servers.get(slot, {})
        for name, server in sorted(wanted.items()):
            commands += _added(f"slot{slot}/{name}", present.get(name), server)
        for name, one in sorted(present.items()):
            if name not in wanted:
                surplus.append((slot, name))
                if one.admin == _READY:
                    drains.append(f"set server slot{slot}/{name} state drain")
    return Changes(commands + drains, surplus)


def joined(commands: list[str]) -> list[str]:
    """Returns lines of several commands each."""
    return ["; ".join(commands[at : at + _COMMANDS_IN_LINE]) for at in range(0, len(commands), _COMMANDS_IN_LINE)]


def servers_in(text: str) -> dict[int, dict[str, Listed]]:
    """Reads the answer of `show servers state`."""
    found: dict[int, dict[str, Listed]] = {}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) > 18 and fields[1].startswith("slot"):
            one = Listed(fields[4], int(fields[18]), int(fields[6]))
            found.setdefault(int(fields[1][4:]), {})[fields[3]] = one
    return found


def sessions_in(text: str) -> dict[tuple[int, str], int]:
    """Reads the requests in progress of each server from the answer of `show stat`."""
    found = {}
    for line in text.splitlines():
        fields = line.split(",")
        if len(fields) > 4 and fields[0].startswith("slot"):
            found[(int(fields[0][4:]), fields[1])] = int(fields[4] or 0)
    return found


def lines_in(text: str) -> dict[str, str]:
    """Reads the answer of `show map`: the address of the entry, the key and the value."""
    found = {}
    for line in text.splitlines():
        fields = line.split(" ", 2)
        if len(fields) == 3:
            found[fields[1]] = fields[2]
    return found


def _added(name: str, present: Listed | None, server: Server) -> list[str]:
    if present is None:
        return [f"add server {name} {_arguments(server)}", f"set server {name} state ready"]
    commands = []
    if (present.host, present.port) != (server.host, server.port):
        commands.append(f"set server {name} addr {server.host} port {server.port}")
    if present.admin != _READY:
        commands.append(f"set server {name} state ready")
    return commands


def _arguments(server: Server) -> str:
    host = f"[{server.host}]" if ":" in server.host else server.host
    return f"{host}:{server.port}" + (" proto h2" if server.protocol == "GRPC" else "")
