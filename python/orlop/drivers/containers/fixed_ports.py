"""Ports of the machine with a fixed number, which one container has at a time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..driver import Step
    from .engine_api import EngineApi

_EVERY_ADDRESS = ("", "0.0.0.0", "::")
_POLL = 0.1  # seconds

Port = tuple[str, int, str]  # address of the machine, number, transport


class FixedPorts:
    """The ports that steps of this driver are about to publish. A service claims its ports before its old container
    stops, so that no other service takes them while none has them."""

    def __init__(self, api: EngineApi) -> None:
        self._api = api
        self._lock = threading.Lock()
        self._claimed: list[Port] = []

    @contextlib.contextmanager
    def claimed(self, plan: Mapping[str, Any], step: Step) -> Iterator[None]:
        """Waits until no other step claims a port of the plan. Raises `DriverFailed` if another service has one."""
        wanted = fixed_ports(plan)
        while not self._claim(wanted):
            step.wait_canceled(_POLL)
            step.check_canceled()
        try:
            if wanted:
                self._check_owners(wanted, plan, step)
            yield
        finally:
            with self._lock:
                for port in wanted:
                    self._claimed.remove(port)

    def _claim(self, wanted: list[Port]) -> bool:
        with self._lock:
            if any(_collide(port, other) for port in wanted for other in self._claimed):
                return False
            self._claimed += wanted
            return True

    def _check_owners(self, wanted: list[Port], plan: Mapping[str, Any], step: Step) -> None:
        prefix = str(plan["label_prefix"])
        for one in self._api.containers({f"{prefix}managed-by": prefix.partition(".")[0]}, step):
            labels = one.get("Labels") or {}
            if one.get("State") != "running" or labels.get(f"{prefix}service-id") == str(plan["service"]["id"]):
                continue
            for held in one.get("Ports") or ():
                other = (str(held.get("IP") or ""), int(held.get("PublicPort") or 0), str(held.get("Type") or "tcp"))
                if any(_collide(port, other) for port in wanted):
                    owner = labels.get(f"{prefix}service-name") or labels.get(f"{prefix}service-id")
                    raise DriverFailed(
                        f"the port {other[1]} of this machine must be free, but the service {owner} publishes it"
                    )


def fixed_ports(plan: Mapping[str, Any]) -> list[Port]:
    """Returns the ports of the machine that the plan names."""
    found = []
    for key, bindings in (plan["container"]["HostConfig"].get("PortBindings") or {}).items():
        transport = str(key).partition("/")[2]
        found += [(str(one["HostIp"]), int(one["HostPort"]), transport) for one in bindings if one["HostPort"]]
    return found


def _collide(port: Port, other: Port) -> bool:
    is_same_address = port[0] == other[0] or port[0] in _EVERY_ADDRESS or other[0] in _EVERY_ADDRESS
    return is_same_address and port[1:] == other[1:]
