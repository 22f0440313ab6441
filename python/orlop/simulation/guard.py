"""A guard around a test: it refuses and records connections to hosts other than the simulation."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from ..engine.open_engines import SERVED
from ..errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from typing_extensions import Self

_OPEN: list[Guard] = []
_LOCK = threading.Lock()
_HOOK: list[bool] = []
# Events of Python's audit hooks.
_CONNECTIONS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_LOOK_UPS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


class ForeignHost(Error):
    """A guarded test connects to a host other than the simulation."""

    code = "misuse"


class Guard:
    """During its `with` block, a connection of this process to any host but the servers of its engines and the allowed
    ones raises `ForeignHost`.

    `allowed` lists hosts, `"127.0.0.1"`, or hosts with a port, `"localhost:5432"`. Unix sockets are always allowed.
    Connections of C libraries are not detected.
    """

    attempts: list[str]
    """Refused attempts, such as "connect to example.com:443"."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self.attempts = []
        self._allowed = frozenset(each.lower() for each in allowed)
        self._resolved: set[str] | None = None  # the addresses of allowed names, in the form of `_allowed`

    def __enter__(self) -> Self:
        with _LOCK:
            _OPEN.append(self)
            if not _HOOK:
                _HOOK.append(True)
                sys.addaudithook(_audit)  # cannot be removed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _LOCK:
            _OPEN.remove(self)

    def check(self, what: str, host: str, port: object) -> None:
        """Raises `ForeignHost` if the address is not allowed."""
        if (host, port) in SERVED or (host in ("localhost", "::1") and any(port == served for _, served in SERVED)):
            return
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        forms = {host.lower(), place.lower()}
        if forms & self._allowed or (_is_address(host) and forms & self._addresses()):
            return
        # A look-up of a name that is allowed with a port.
        if port is None and any(each.startswith(f"{host.lower()}:") for each in self._allowed):
            return
        attempt = f"{what} {place}" if port is not None else f"{what} {host}"
        self.attempts.append(attempt)
        raise ForeignHost(
            f"the test tried to {attempt}, which is not the simulation; allow it with "
            f"@pytest.mark.orlop(allow_hosts=[{host!r}]) or a rule for the simulation"
        )

    def _addresses(self) -> set[str]:
        """Returns the addresses of the allowed names, because a connection shows an address instead of a name. Looks
        them up once."""
        if self._resolved is None:
            self._resolved = set()
            for each in self._allowed:
                name, _, port = each.rpartition(":") if each.rpartition(":")[2].isdigit() else (each, "", "")
                if _is_address(name.strip("[]")):
                    continue
                with contextlib.suppress(OSError, UnicodeError):  # an unknown name has no address
                    found = {str(entry[4][0]) for entry in socket.getaddrinfo(name, port or None)}
                    self._resolved |= {
                        (f"[{address}]:{port}" if ":" in address else f"{address}:{port}") if port else address
                        for address in found
                    }
        return self._resolved


def _audit(event: str, arguments: Sequence[Any]) -> None:
    if not _OPEN or event not in (*_CONNECTIONS, *_LOOK_UPS):
        return
    if event in _LOOK_UPS:
        host, port = arguments[0], arguments[1] if event == "socket.getaddrinfo" else None
        host = host.decode(errors="replace") if isinstance(host, bytes) else host
        if isinstance(host, str) and not _is_address(host) and host not in ("localhost", socket.gethostname()):
            _OPEN[-1].check("look up", host, port)
        return
    sock, address = arguments[0], arguments[1]
    if sock.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
        _OPEN[-1].check("connect to" if event == "socket.connect" else "send to", str(address[0]), address[1])


def _is_address(host: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
            return True
        except OSError:
            continue
    return False
