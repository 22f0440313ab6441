"""The guard of webhook senders and external systems: it keeps messages and requests away from addresses inside the
host's own network.

The engine checks the text of an address. This module checks the addresses to which its name resolves, at every hop.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Union
from urllib.parse import urlsplit

from ..errors import Misuse
from ..options.arguments import shown, text, texts

Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]
Network = Union[ipaddress.IPv4Network, ipaddress.IPv6Network]

Resolver = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a host and port. May raise OSError."""

# The registries of special addresses (RFC 6890 and its additions), and a cloud provider's own services.
_SPECIAL = [
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
]
# The only IPv6 range that is assigned. Addresses that embed an IPv4 address are outside of it, or special.
_GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")


class Refused(Exception):
    """The message or request must not be sent to this address."""


def allowed_targets(what: str, given: Iterable[str]) -> list[str]:
    """Returns the hosts and address ranges of an argument. Raises `Misuse` for an entry that is neither."""
    return [_target(what, entry) for entry in texts(what, given)]


def _target(what: str, given: str) -> str:
    entry = text(f"an entry of {what}", given)
    try:
        ipaddress.ip_network(entry, strict=False)
    except ValueError:
        if re.fullmatch(r"[A-Za-z0-9._-]+", entry) is None:
            raise Misuse(
                f"{what} must hold names of hosts, addresses and ranges like 10.0.0.0/8, not {shown(entry)}"
            ) from None
    return entry


class Target(NamedTuple):
    """The target of a message: the host of its address, and the addresses of that host, all checked."""

    host: str
    addresses: tuple[str, ...]


def resolve(host: str, port: int) -> Sequence[str]:
    """Returns the addresses of a host from the system's resolver, without duplicates."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: Address) -> bool:
    if address.version == 6 and address not in _GLOBAL_IPV6:
        return False
    return not any(address in network for network in _SPECIAL if network.version == address.version)


class Guard:
    """Decides which targets are allowed: the public internet by https, and the hosts and address ranges of `allow`.
    `subject` is the plural of what is sent, as a refusal names it."""

    def __init__(self, allow: Iterable[str] = (), subject: str = "messages") -> None:
        self._subject = subject
        self._hosts: set[str] = set()
        self._networks: list[Network] = []
        for entry in allow:
            try:
                self._networks.append(ipaddress.ip_network(entry, strict=False))
            except ValueError:
                self._hosts.add(entry.lower())

    def host_of(self, url: str) -> tuple[str, int]:
        """Returns the host and port of the URL. Raises Refused unless it is plain http or https."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise Refused(f"{url!r} is not an address: {error}") from None
        if parts.scheme not in ("https", "http") or not parts.hostname:
            raise Refused(f"{self._subject} go to https addresses, not to {url!r}")
        if parts.username is not None or parts.password is not None:
            raise Refused("an address must not hold a user or password")
        if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
            raise Refused("an address holds nothing but printable ASCII letters")
        return parts.hostname, port or (443 if parts.scheme == "https" else 80)

    def check(self, url: str, host: str, addresses: Sequence[str]) -> Target:
        """Returns the target if all of `addresses`, to which the host resolved, are allowed; else raises Refused."""
        if not addresses:
            raise Refused(f"{host} has no address")
        found = [ipaddress.ip_address(text) for text in addresses]
        is_unique_name = host.rstrip(".").lower() in self._hosts
        is_allowed = is_unique_name or all(self._holds(address) for address in found)
        if not is_allowed and not url.lower().startswith("https://"):
            raise Refused(f"{self._subject} go to {host} by https alone")
        for address in found:
            if not is_unique_name and not is_public(address) and not self._holds(address):
                raise Refused(f"{host} leads to {address}, which is not on the public internet")
        return Target(host, tuple(addresses))

    def _holds(self, address: Address) -> bool:
        return any(address in network for network in self._networks if network.version == address.version)
