"""The proxy of a machine, and its use by the steps of the driver.

The state file has what each service claims and which containers serve it; it is written after HAProxy has it. A lock
file lets one driver of the machine at a time change both. HAProxy is always compared with the whole state, so that a
driver that was killed between two commands leaves nothing that the next change does not mend.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import pwd
import threading
import time
from typing import TYPE_CHECKING, Any

from ....errors import DriverFailed, Error, Misuse
from ....options.arguments import number, shown, text, whole
from . import configuration as texts
from .certificates import Authority, write_private
from .process import NotRunning, Process, find_program, wait_for_end
from .routes import Route, hosts_of, notes_of, public_ports, routes_of
from .table import Entry, State, Table, empty_entry, holders, key_of, routes_in, slots_needed, table_of, with_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...driver import Step

    Addresses = Mapping[int, tuple[str, int]]
    Listing = Callable[[], list[dict[str, Any]]]

_POLL_FIRST = 0.01  # seconds
_POLL_LAST = 0.2
_NAME_SIZE_MAX = 200  # bytes; file systems have 255, and a domain may have 253
_RESTARTS_MAX = 5  # of a proxy that ends again and again, within
_RESTARTS_WITHIN = 60.0  # seconds


class Proxy:
    """HAProxy for the public HTTP ports of services. `engine` is the address of the container engine: drivers of
    several engines share a proxy. `prefix` is that of the driver's labels: users choose others. Its methods may be
    called from any thread and process."""

    def __init__(
        self,
        http_port: int,
        https_port: int | None,
        folder: str,
        drain_seconds: float,
        engine: str,
        prefix: str = "platform.io/",
    ) -> None:
        whole("http_port", http_port, 1, 65535)
        if https_port is not None:
            whole("https_port", https_port, 1, 65535)
        if number("drain_seconds", drain_seconds) < 0:
            raise Misuse(f"drain_seconds must be 0 or more, not {shown(drain_seconds)}")
        if http_port == https_port:
            raise Misuse(f"https_port must not be the http_port, {http_port}")
        self.http_port, self.https_port = http_port, https_port or 0
        self._engine = engine
        self._prefix = prefix
        self._drain_seconds = drain_seconds
        self.folder = pathlib.Path(text("state_folder", folder) or default_folder(http_port)).absolute()
        self._process = Process(find_program(), self.folder)
        self._authority = Authority(self.folder) if https_port else None
        self._issued: dict[str, float] = {}
        self._watching = threading.Lock()

    # ---- Services ----
    def begin(self, plan: Mapping[str, Any], configuration: Mapping[str, Any], listing: Listing) -> str:
        """Registers a service before its first container starts, so that none gets requests before it is ready.
        Returns its host name."""
        service = str(plan["service"]["id"])
        usual, other = hosts_of(plan, configuration)
        known = self._load()["services"].get(service)
        if known is not None and (known["engine"], known["host"]) == (self._engine, usual) and not known["removed"]:
            return usual
        with self._locked() as state:
            if self._engine not in state.get("engines", ()):  # a new state, or one that was lost
                self._recover(state, listing())
            entry = state["services"].setdefault(service, empty_entry(self._engine, ""))
            taken = {one["host"] for id, one in state["services"].items() if id != service}
            entry.update(engine=self._engine, host=other if usual in taken else usual, removed=False)
            self._save(state)
            return str(entry["host"])

    def knows(self, service: str) -> bool:
        """Reports whether the service has, or had, routes."""
        return service in self._load()["services"]

    def put_in(
        self, service: str, routes: list[Route], containers: Mapping[str, Addresses], step: Step | None
    ) -> dict[str, str]:
        """Makes these containers serve the routes of a service, and waits until the others have no request in progress.
        Returns by key the service that holds it, if that is another one."""
        ports = {route.port for route in routes}
        servers = {
            name: {str(port): list(addresses[port]) for port in sorted(ports) if port in addresses}
            for name, addresses in containers.items()
        }
        wanted = [list(route) for route in routes]
        state = self._load()
        entry = state["services"].get(service)
        if entry is None or entry["routes"] != wanted or entry["servers"] != servers or not self._process.pid():
            with self._locked() as state:
                entry = state["services"].get(service) or empty_entry(self._engine, "")
                before = json.dumps(entry)
                with_routes(state, service, entry, routes, time.time())
                entry.update(servers=servers, names=sorted(servers), removed=not routes)
                try:
                    surplus = self._apply(state)
                    self._save(state)
                except Error:
                    with contextlib.suppress(Error):
                        self._apply({**state, "services": {**state["services"], service: json.loads(before)}})
                    raise
            self._drain(surplus, step)
        elif routes:
            self._watch()
        held = holders(state)
        keys = [key_of(route.host, route.path) for route in routes]
        return {key: held[key] for key in keys if held.get(key, service) != service}

    def remove(self, service: str, step: Step | None) -> None:
        """Takes the routes of a service out, and waits until its containers have no request in progress. The service
        stays known, so that its containers get no route while they stop."""
        if self._is_used():
            self.put_in(service, [], {}, step)

    def forget(self, service: str) -> None:
        """Removes a service whose containers are gone."""
        if not self.knows(service):
            return
        with self._locked() as state:
            state["services"].pop(service, None)
            surplus = self._apply(state)
            self._save(state)
        self._drain(surplus, None)

    def mend(self, listing: Listing) -> None:
        """Gives the proxy the addresses that the containers have now: an engine may choose another port when it starts
        a container again. Starts a proxy that has ended."""
        if not self._is_used():
            return
        with self._locked() as state:
            containers = listing()
            self._recover(state, containers)
            self._refresh(state, containers)
            surplus = self._apply(state)
            self._save(state)
        self._drain(surplus, None)

    def close(self) -> None:
        """Ends HAProxy and removes all routes. Services stay known, so that labels do not bring their routes back."""
        with self._locked() as state:
            for service, entry in state["services"].items():
                with_routes(state, service, entry, [], 0.0)
                entry.update(servers={}, names=[], removed=True)
            self._save(state)
            self._process.stop()

    # ---- State ----
    @contextlib.contextmanager
    def _locked(self) -> Iterator[State]:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(self.folder / "lock", "a") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                try:
                    yield self._load()
                finally:
                    fcntl.flock(file, fcntl.LOCK_UN)  # a process that was forked meanwhile has the file too
        except OSError as error:
            raise DriverFailed(f"the state folder {self.folder} of the proxy cannot be used: {error}") from None

    def _load(self) -> State:
        """Returns the state. One that cannot be read is made anew of the labels of containers."""
        try:
            state: State = json.loads((self.folder / "state.json").read_bytes())
        except (OSError, ValueError):
            return {"services": {}}
        return state if isinstance(state.get("services"), dict) else {"services": {}}

    def _save(self, state: State) -> None:
        path, content = self.folder / "state.json", json.dumps(state).encode()
        if not path.exists() or path.read_bytes() != content:
            write_private(path, content)

    def _is_used(self) -> bool:
        return (self.folder / "state.json").exists() or bool(self._process.pid())

    def _recover(self, state: State, containers: list[dict[str, Any]]) -> None:
        """Adds services that only the labels of their containers know: those of the oldest version serve."""
        state["engines"] = sorted({*state.get("engines", ()), self._engine})
        found: dict[str, list[tuple[int, str, dict[str, Any], dict[str, Any]]]] = {}
        for one in containers:
            label = _label_in(one, self._prefix, self.http_port)
            if label is None or one.get("State") != "running":
                continue
            if label["service"] and label["service"] not in state["services"]:
                row = (int(one.get("Created") or 0), str(label["version"]), label, one)
                found.setdefault(str(label["service"]), []).append(row)
        for service, rows in found.items():
            _, version, label, _ = min(rows, key=lambda row: row[:2])
            entry = empty_entry(self._engine, str(label["host"]))
            entry["names"] = sorted(_name_of(one) for _, other, _, one in rows if other == version)
            with_routes(state, service, entry, [Route(*route) for route in label["routes"]], 0.0)
        if found:
            self._refresh(state, containers)

    def _refresh(self, state: State, containers: list[dict[str, Any]]) -> None:
        """Sets the addresses of running containers. Forgets services that were removed and have no container."""
        running = {_name_of(one): one for one in containers if one.get("State") == "running"}
        present = {
            str(label["service"]) for one in containers if (label := _label_in(one, self._prefix, self.http_port))
        }
        for service, entry in list(state["services"].items()):
            if entry["engine"] != self._engine:
                continue
            ports = {route.port for route in routes_in(entry)}
            entry["servers"] = {
                name: _servers_of(running[name], ports, entry["servers"].get(name) or {})
                for name in entry["names"]
                if name in running
            }
            if entry["removed"] and service not in present:
                del state["services"][service]

    # ---- HAProxy ----
    def _apply(self, state: State) -> list[tuple[int, str]]:
        """Makes HAProxy serve the state. Returns the servers that get no new requests any more."""
        table = table_of(state)
        if table.lines or self._process.pid():
            with contextlib.suppress(NotRunning):
                return self._changed(state, table)
            return self._changed(state, table)  # it has ended meanwhile
        return []

    def _changed(self, state: State, table: Table) -> list[tuple[int, str]]:
        self._issue(table)
        settings = self._settings(state)
        head = texts.configuration_of(settings, Table({}, {}, []))
        digest = hashlib.sha256(head.encode()).hexdigest()
        if not self._process.pid() or state.get("configuration") != digest:
            write_private(self.folder / texts.MAP, texts.map_of(table).encode())
            self._write_certificates(table)
            self._process.start(texts.configuration_of(settings, table))
            state["configuration"] = digest
        self._load_certificates(table)
        changes = texts.changes_of(texts.servers_in(self._process.command("show servers state")), table)
        said = [self._process.command(line).strip() for line in texts.joined(changes.commands)]
        said += self._replace_map(table)
        left = changes
        if changes.commands:
            left = texts.changes_of(texts.servers_in(self._process.command("show servers state")), table)
        if left.commands or texts.lines_in(self._show_map()) != table.lines:
            raise DriverFailed(f"the proxy has not carried out {left.commands[:1]}: {'; '.join(filter(None, said))}")
        self._watch()
        return left.surplus

    def _settings(self, state: State) -> texts.Settings:
        slots = texts.SLOTS
        while slots < slots_needed(state):
            slots *= 2
        user = ""
        if os.geteuid() == 0:
            with contextlib.suppress(KeyError):
                user = pwd.getpwnam("haproxy").pw_name
        return texts.Settings(self.http_port, self.https_port, slots, user)

    def _show_map(self) -> str:
        return self._process.command(f"show map {texts.MAP}")

    def _replace_map(self, table: Table) -> list[str]:
        """Replaces all entries of the map at once."""
        if texts.lines_in(self._show_map()) == table.lines:
            return []
        path = texts.MAP
        version = self._process.command(f"prepare map {path}").strip().rpartition(" ")[2]
        said = [self._process.with_payload(f"add map @{version} {path}", part) for part in texts.parts_of_map(table)]
        return [*said, self._process.command(f"commit map @{version} {path}")]

    def _drain(self, surplus: list[tuple[int, str]], step: Step | None) -> None:
        """Waits until servers have no request in progress, and removes those. Ends HAProxy if nothing has a route."""
        if not surplus and table_of(self._load()).lines:
            return
        delay, until = _POLL_FIRST, time.monotonic() + self._drain_seconds
        with contextlib.suppress(NotRunning):
            while surplus and time.monotonic() < until:
                sessions = texts.sessions_in(self._process.command("show stat -1 4 -1"))
                if not any(sessions.get(one, 0) for one in surplus):
                    break
                if step is not None and step.wait_canceled(delay):
                    break
                if step is None:
                    time.sleep(delay)
                delay = min(delay * 1.5, _POLL_LAST)
            with self._locked() as state:
                self._sweep(table_of(state))

    def _sweep(self, table: Table) -> None:
        if not table.lines:
            self._process.stop()
            return
        listed = texts.servers_in(self._process.command("show servers state"))
        sessions = texts.sessions_in(self._process.command("show stat -1 4 -1"))
        for slot, name in texts.changes_of(listed, table).surplus:
            if not sessions.get((slot, name), 0):  # one that is not removed for a last connection is so next time
                self._process.command(f"set server slot{slot}/{name} state maint")
                self._process.command(f"del server slot{slot}/{name}")

    # ---- Certificates ----
    def _issue(self, table: Table) -> None:
        """Makes or renews the certificates of hosts. Each is looked at once a day."""
        if self._authority is None:
            return
        for host in ("localhost", *table.certified):
            is_new, name = False, self._certificate_of(host)
            if time.time() - self._issued.get(host, 0.0) > 86400 or not (self.folder / name).exists():
                is_new = self._authority.ensure(host, self.folder / name)
                self._issued[host] = time.time()
            if is_new:
                with contextlib.suppress(NotRunning):
                    self._replace_certificate(name)

    def _certificate_of(self, host: str) -> str:
        """Returns the file of a certificate as HAProxy names it, relative to the state folder."""
        name = host.replace("*", "_")
        if len(name) > _NAME_SIZE_MAX:
            name = hashlib.sha256(name.encode()).hexdigest()
        return f"certificates/{name}.pem"

    def _write_certificates(self, table: Table) -> None:
        if self._authority is not None:
            lines = "".join(f"{self._certificate_of(host)}\n" for host in ("localhost", *table.certified))
            write_private(self.folder / texts.CERTIFICATES, lines.encode())

    def _load_certificates(self, table: Table) -> None:
        if self._authority is None:
            return
        loaded = set(self._process.command(f"show ssl crt-list {texts.CERTIFICATES}").split())
        for host in table.certified:
            certificate = self._certificate_of(host)
            if certificate not in loaded:
                self._process.command(f"new ssl cert {certificate}")
                self._replace_certificate(certificate)
                said = self._process.command(f"add ssl crt-list {texts.CERTIFICATES} {certificate}")
                if "Success" not in said:
                    raise DriverFailed(f"the proxy does not take the certificate of {host}: {said.strip()}")

    def _replace_certificate(self, name: str) -> None:
        self._process.with_payload(f"set ssl cert {name}", (self.folder / name).read_text())
        self._process.command(f"commit ssl cert {name}")

    # ---- Watching ----
    def _watch(self) -> None:
        """Starts HAProxy again when it ends, as long as there are routes and this driver."""
        if self._watching.acquire(blocking=False):
            threading.Thread(target=self._watched, name="orlop proxy", daemon=True).start()

    def _watched(self) -> None:
        restarts: list[float] = []
        try:
            while (pid := self._process.pid()) and len(restarts) < _RESTARTS_MAX:
                wait_for_end(pid, None)
                if self._process.pid():  # a new one has taken over
                    continue
                now = time.monotonic()
                restarts = [at for at in restarts if now - at < _RESTARTS_WITHIN] + [now]
                if not table_of(self._load()).lines:
                    return
                with contextlib.suppress(Error), self._locked() as state:
                    self._apply(state)
                    self._save(state)
        finally:
            self._watching.release()


class ServiceRoutes:
    """The routes of one service during a step."""

    def __init__(
        self, proxy: Proxy, plan: Mapping[str, Any], configuration: Mapping[str, Any], step: Step, listing: Listing
    ) -> None:
        self._proxy = proxy
        self._plan = plan
        self._step = step
        self._service = str(plan["service"]["id"])
        self.host = proxy.begin(plan, configuration, listing)
        self.routes = routes_of(plan, configuration, self.host)
        for note in notes_of(configuration, self.routes):
            step.log(note)

    def labels(self) -> dict[str, str]:
        """Returns the label by which a proxy that has lost its state finds the routes again."""
        text = {"port": self._proxy.http_port, "host": self.host, "routes": [list(route) for route in self.routes]}
        return {f"{self._plan['label_prefix']}proxy": json.dumps(text, separators=(",", ":"))}

    def put_in(self, containers: Mapping[str, Addresses]) -> None:
        """Makes these containers serve the service, and no others."""
        held = self._proxy.put_in(self._service, self.routes, containers, self._step)
        for key, other in held.items():
            self._step.log(f"{key} leads to the service {other}, which has claimed it before")

    def addresses(self) -> list[dict[str, Any]]:
        """Returns the addresses of the service by the proxy, those of its host name first."""
        proxy, found = self._proxy, []
        schemes = [("http", "HTTP", proxy.http_port)]
        if proxy.https_port:
            schemes.append(("https", "HTTPS", proxy.https_port))
        for route in self.routes:
            for scheme, protocol, port in schemes:
                if route.host.startswith("*") or (protocol == "HTTPS" and not route.has_certificate):
                    continue
                found.append(
                    {
                        "host": route.host,
                        "port": port,
                        "internal_port": route.port,
                        "protocol": "GRPC" if route.protocol == "GRPC" and protocol == "HTTP" else protocol,
                        "scope": "EXTERNAL",
                        "url": f"{scheme}://{route.host}:{port}",
                    }
                )
        return found

    def serves(self, port: int) -> bool:
        """Reports whether the proxy serves the port."""
        return any(route.port == port for route in self.routes)


def default_folder(http_port: int) -> str:
    """Returns the state folder of a proxy of this user."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(state, "orlop", f"proxy-{http_port}")


def has_routes(plan: Mapping[str, Any]) -> bool:
    """Reports whether a service of the plan is one for the proxy."""
    return bool(public_ports(plan))


def _label_in(listed: Mapping[str, Any], prefix: str, http_port: int) -> Entry | None:
    """Returns the label of a container that a proxy on this port has given it, with its service and version."""
    labels = listed.get("Labels") or {}
    try:
        found: Entry = json.loads(labels[f"{prefix}proxy"])
        if int(found["port"]) != http_port or not isinstance(found["routes"], list):
            return None
    except (ValueError, TypeError, KeyError):
        return None
    return {**found, "service": labels.get(f"{prefix}service-id"), "version": labels.get(f"{prefix}version", "")}


def _servers_of(listed: Mapping[str, Any], ports: set[int], before: Entry) -> Entry:
    """Returns the address of each port of a running container. One that lists no ports uses the network of the machine:
    its addresses are those that its deployment has given."""
    if not listed.get("Ports"):
        return before
    return {str(one["PrivatePort"]): _address_of(one) for one in _published(listed, ports)}


def _published(listed: Mapping[str, Any], ports: set[int]) -> list[Mapping[str, Any]]:
    return [
        one
        for one in listed.get("Ports") or ()
        if one.get("PublicPort") and one.get("Type") != "udp" and one.get("PrivatePort") in ports
    ]


def _address_of(port: Mapping[str, Any]) -> list[Any]:
    host = port.get("IP")
    return ["127.0.0.1" if not host or host == "0.0.0.0" else str(host), int(port["PublicPort"])]


def _name_of(listed: Mapping[str, Any]) -> str:
    return str((listed.get("Names") or [""])[0]).lstrip("/")
