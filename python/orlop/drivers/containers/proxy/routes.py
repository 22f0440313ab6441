"""Routes of a service: which hosts and paths of the proxy lead to which of its ports. Pure functions."""

from __future__ import annotations

import hashlib
import re
import urllib.parse
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_LABEL_SIZE_MAX = 63
_HOST_SIZE_MAX = 253
_PATH_CHARACTERS = "/-._~!$&'()*+,=:@%"
SEGMENTS_MAX = 16
_UNSUPPORTED = {
    "network.ingress.whitelist_source_range": "0.0.0.0/0",
    "network.ingress.denylist_source_range": "",
    "network.ingress.basic_auth_env_var": "",
    "network.ingress.enable_cors": False,
    "network.ingress.extra_headers": "{}",
    "network.ingress.enable_sticky_session": False,
}


class Route(NamedTuple):
    """`host` may begin with `*.`, which stands for one label. `path` is a prefix of whole segments. `rewrite` replaces
    it; None leaves it as it is."""

    host: str
    path: str
    rewrite: str | None
    port: int
    protocol: str  # HTTP or GRPC
    has_certificate: bool


def hosts_of(plan: Mapping[str, Any], configuration: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the host name of a service below `localhost`, and another one, for the case that the first is in use."""
    environment = (configuration.get("environment") or {}).get("name", "")
    service = plan["service"]
    label = label_of(f"{service['name']}-{environment}") or str(plan["name"])
    mark = hashlib.sha256(str(service["id"]).encode()).hexdigest()[:8]
    return f"{label}.localhost", f"{_cut(label, len(mark) + 1)}-{mark}.localhost"


def label_of(text: str) -> str:
    """Returns a text as a label of a host name: letters, digits and hyphens, at most 63; "" if nothing is left."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return _cut(plain, 0)


def domain_of(text: str) -> str:
    """Returns a domain as clients send it: lower case, without a final dot, internationalized labels in Punycode."""
    lower = text.strip().lower().rstrip(".")
    if lower.isascii():
        return lower
    wildcard, _, rest = lower.rpartition("*.")
    try:
        encoded = rest.encode("idna").decode()
    except UnicodeError:
        return ""
    return f"*.{encoded}" if wildcard or lower.startswith("*.") else encoded


def public_ports(plan: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the ports of the plan that the proxy serves: public ones that speak HTTP or gRPC; the default first."""
    found = [port for port in plan.get("ports") or () if port["public"] and port["protocol"] in ("HTTP", "GRPC")]
    return sorted(found, key=lambda port: not port["default"])


def routes_of(plan: Mapping[str, Any], configuration: Mapping[str, Any], base: str) -> list[Route]:
    """Returns the routes of a service whose host name is `base`. The default port has the host name and the custom
    domains; each other port has them below its name, and on the host itself below its public path."""
    domains = [
        (domain_of(str(one.get("domain") or "")), bool(one.get("generate_certificate")))
        for one in configuration.get("domains") or ()
    ]
    hosts = [(base, True), *((domain, is_ours) for domain, is_ours in domains if domain)]
    routes: dict[tuple[str, str], Route] = {}
    for index, port in enumerate(public_ports(plan)):
        path = path_of(port["path"] or "/")
        rewrite = None if port["rewrite"] is None else path_of(port["rewrite"])
        for host, has_certificate in hosts:
            for name in _names(host, port, base, is_default=index == 0, has_path=path != "/"):
                route = Route(name, path, rewrite, int(port["port"]), str(port["protocol"]), has_certificate)
                if len(name) <= _HOST_SIZE_MAX:
                    routes.setdefault((name, path), route)
    return list(routes.values())


def notes_of(configuration: Mapping[str, Any], routes: list[Route]) -> list[str]:
    """Returns one sentence for each setting of a public service that the proxy does not honor."""
    settings = configuration.get("advanced_settings") or {}
    notes = [
        f"{name} has no effect: the proxy of this machine does not have it"
        for name, default in _UNSUPPORTED.items()
        if settings.get(name, default) not in (default, None)
    ]
    deep = {route.path for route in routes if route.rewrite is not None and segments_of(route.path) > SEGMENTS_MAX}
    notes += [f"public_path {path} is not rewritten: it has more than {SEGMENTS_MAX} segments" for path in sorted(deep)]
    return notes


def path_of(text: str) -> str:
    """Returns a path prefix without a final slash, in the characters of URLs; "/" for the root."""
    quoted = urllib.parse.quote("/" + text.strip().strip("/"), safe=_PATH_CHARACTERS)
    return re.sub(r"//+", "/", quoted)


def segments_of(path: str) -> int:
    """Returns the number of segments of a path prefix."""
    return 0 if path == "/" else path.count("/")


def _names(host: str, port: Mapping[str, Any], base: str, is_default: bool, has_path: bool) -> list[str]:
    plain = host.removeprefix("*.")
    if is_default:
        return [host] if plain == host else [host, plain]
    label = label_of(str(port["name"] or f"p{port['port']}"))
    names = [_joined(label, plain, "-" if host == base else ".")]
    return [*names, host] if has_path else names


def _joined(label: str, host: str, separator: str) -> str:
    """Returns the host name of a port: below `localhost` one label, since some resolvers know no deeper name there."""
    first, _, rest = host.partition(".")
    if separator == ".":
        return f"{label}.{host}"
    joined = f"{label}-{first}"
    if len(joined) > _LABEL_SIZE_MAX:
        mark = hashlib.sha256(joined.encode()).hexdigest()[:8]
        joined = f"{_cut(joined, len(mark) + 1)}-{mark}"
    return f"{joined}.{rest}"


def _cut(label: str, reserved: int) -> str:
    return label[: _LABEL_SIZE_MAX - reserved].strip("-")
