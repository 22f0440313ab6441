"""What the proxy of the driver for containers serves, as text: routes, the table, configuration and commands."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("docker")
from orlop.drivers.containers.proxy import configuration as texts  # noqa: E402
from orlop.drivers.containers.proxy.routes import (  # noqa: E402
    Route,
    domain_of,
    hosts_of,
    label_of,
    notes_of,
    path_of,
    routes_of,
)
from orlop.drivers.containers.proxy.table import (  # noqa: E402
    Server,
    Table,
    empty_entry,
    holders,
    slots_needed,
    table_of,
    with_routes,
)


def port(number: int, name: str = "", **fields: Any) -> dict[str, Any]:
    given = {"port": number, "name": name, "transport": "tcp", "protocol": "HTTP", "public": True, "default": False}
    return {**given, "path": None, "rewrite": None, **fields}


def plan(*ports: dict[str, Any], name: str = "web") -> dict[str, Any]:
    return {"service": {"id": "0000000a-1", "name": name}, "name": "app-z0000000a", "ports": list(ports)}


def configuration(environment: str = "production", *domains: dict[str, Any]) -> dict[str, Any]:
    return {"environment": {"name": environment}, "domains": list(domains)}


def lines(routes: list[Route]) -> list[str]:
    return [
        f"{one.host}{one.path} {one.port} {one.protocol} {one.rewrite} {'TLS' if one.has_certificate else 'plain'}"
        for one in routes
    ]


SHOP = {"domain": "shop.example.com", "generate_certificate": True}
ANY = {"domain": "*.Example.com", "generate_certificate": False}
CASES: list[tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]] = [
    ([port(80)], [], ["web.localhost/ 80 HTTP None TLS"]),
    ([port(80, public=False), port(5432, protocol="TCP"), port(53, protocol="UDP", transport="udp")], [], []),
    # The default port has the host name, the others a host name below theirs.
    (
        [port(80, "site"), port(81, "admin", default=True), port(82)],
        [],
        [
            "web.localhost/ 81 HTTP None TLS",
            "site-web.localhost/ 80 HTTP None TLS",
            "p82-web.localhost/ 82 HTTP None TLS",
        ],
    ),
    (
        [port(80), port(81, "api", path="/api/", rewrite="/"), port(50051, "rpc", protocol="GRPC")],
        [],
        [
            "web.localhost/ 80 HTTP None TLS",
            "api-web.localhost/api 81 HTTP / TLS",
            "web.localhost/api 81 HTTP / TLS",
            "rpc-web.localhost/ 50051 GRPC None TLS",
        ],
    ),
    (
        [port(80), port(81, "admin")],
        [SHOP],
        [
            "web.localhost/ 80 HTTP None TLS",
            "shop.example.com/ 80 HTTP None TLS",
            "admin-web.localhost/ 81 HTTP None TLS",
            "admin.shop.example.com/ 81 HTTP None TLS",
        ],
    ),
    (
        [port(80)],
        [ANY],
        [
            "web.localhost/ 80 HTTP None TLS",
            "*.example.com/ 80 HTTP None plain",
            "example.com/ 80 HTTP None plain",
        ],
    ),
    # Two ports of one path: the first has it.
    (
        [port(80, path="/a"), port(81, "b", path="/a")],
        [],
        ["web.localhost/a 80 HTTP None TLS", "b-web.localhost/a 81 HTTP None TLS"],
    ),
]


@pytest.mark.parametrize(("ports", "domains", "expected"), CASES)
def test_ports_and_domains_become_routes(
    ports: list[dict[str, Any]], domains: list[dict[str, Any]], expected: list[str]
) -> None:
    assert lines(routes_of(plan(*ports), configuration("p", *domains), "web.localhost")) == expected


@pytest.mark.parametrize(
    ("service", "environment", "expected"),
    (
        ("web", "production", "web-production.localhost"),
        ("My Web_Site!", "Été", "my-web-site-t.localhost"),
        ("日本", "日本", "app-z0000000a.localhost"),
        ("w" * 70, "production", "w" * 63 + ".localhost"),
    ),
)
def test_host_names_are_made_of_names(service: str, environment: str, expected: str) -> None:
    usual, other = hosts_of(plan(name=service), configuration(environment))
    assert usual == expected
    assert other != usual and len(other.partition(".")[0]) <= 63
    assert hosts_of(plan(name=service), configuration(environment)) == (usual, other)


def test_a_long_name_of_a_port_makes_a_host_name_of_one_label() -> None:
    base = "w" * 63 + ".localhost"
    found = routes_of(plan(port(80), port(81, "admin"), port(82, "admin2")), configuration(), base)
    hosts = {route.host for route in found}
    assert len(hosts) == 3 and all(len(host.partition(".")[0]) <= 63 for host in hosts)


@pytest.mark.parametrize(
    ("given", "expected"),
    (
        ("Shop.Example.COM", "shop.example.com"),
        ("shop.example.com.", "shop.example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("*.Bücher.example", "*.xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("ü" * 70 + ".example", ""),
    ),
)
def test_domains_are_those_that_clients_send(given: str, expected: str) -> None:
    assert domain_of(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    (("/", "/"), ("api", "/api"), ("/api/", "/api"), ("/a//b", "/a/b"), ("/a b|c;d", "/a%20b%7Cc%3Bd"), ("", "/")),
)
def test_paths_have_no_final_slash_and_no_separators_of_the_map(given: str, expected: str) -> None:
    assert path_of(given) == expected


def test_labels_are_those_of_host_names() -> None:
    assert [label_of(text) for text in ("a.b", "--A--", "é", "a" * 64)] == ["a-b", "a", "", "a" * 63]


def test_host_names_that_are_too_long_are_left_out() -> None:
    domain = {"domain": ".".join(["a" * 63] * 3 + ["b" * 57, "cd"]), "generate_certificate": True}
    found = routes_of(plan(port(80), port(81, "admin")), configuration("p", domain), "web.localhost")
    assert [route.host for route in found if route.port == 81] == ["admin-web.localhost"]
    assert domain["domain"] in [route.host for route in found]


def test_settings_without_effect_are_said() -> None:
    given = {"advanced_settings": {"network.ingress.basic_auth_env_var": "USERS", "network.ingress.enable_cors": False}}
    assert notes_of(given, []) == [
        "network.ingress.basic_auth_env_var has no effect: the proxy of this machine does not have it"
    ]
    deep = Route("a", "/a" * 17, "/", 80, "HTTP", True)
    assert "more than 16 segments" in notes_of({}, [deep])[0]


def state(*services: tuple[str, list[Route], float]) -> dict[str, Any]:
    made: dict[str, Any] = {"services": {}}
    for service, routes, now in services:
        with_routes(made, service, empty_entry("engine", ""), routes, now)
        made["services"][service]["servers"] = {f"{service}-0": {str(one.port): ["127.0.0.1", 4000] for one in routes}}
    return made


def test_of_two_services_that_claim_a_domain_the_first_has_it() -> None:
    one, two = Route("d.example", "/", None, 80, "HTTP", True), Route("d.example", "/", None, 81, "HTTP", True)
    made = state(("later", [one], 2.0), ("earlier", [two], 1.0))
    assert holders(made) == {"d.example/": "earlier"}
    table = table_of(made)
    assert table.lines == {"d.example/": "slot1|-|"} and list(table.servers) == [1]
    # It keeps it when it is deployed again, and the other one has it when it is gone.
    with_routes(made, "earlier", made["services"]["earlier"], [two], 3.0)
    assert holders(made) == {"d.example/": "earlier"}
    with_routes(made, "earlier", made["services"]["earlier"], [], 4.0)
    assert table_of(made).lines == {"d.example/": "slot0|-|"}


def test_a_path_is_one_of_whole_segments_and_its_rewrite_counts_them() -> None:
    routes = [
        Route("a.example", "/", None, 80, "HTTP", True),
        Route("a.example", "/api/v1", "/", 80, "HTTP", True),
        Route("a.example", "/old", "/new", 80, "HTTP", True),
        Route("b.example", "/", "/sub", 80, "HTTP", True),
    ]
    assert table_of(state(("s", routes, 1.0))).lines == {
        "a.example/": "slot0|-|",
        "a.example/api/v1/": "slot0|2|",
        "a.example/old/": "slot0|1|/new",
        "b.example/": "slot0|0|/sub",
    }


def test_ports_have_slots_of_their_own_and_keep_them() -> None:
    web, admin = Route("a", "/", None, 80, "HTTP", True), Route("b", "/", None, 81, "HTTP", True)
    made = state(("one", [web, admin], 1.0), ("two", [web], 1.0))
    assert [made["services"][service]["slots"] for service in ("one", "two")] == [{"80": 0, "81": 1}, {"80": 2}]
    with_routes(made, "one", made["services"]["one"], [admin], 1.0)
    assert made["services"]["one"]["slots"] == {"81": 1}
    with_routes(made, "three", empty_entry("engine", ""), [web], 1.0)
    assert made["services"]["three"]["slots"] == {"80": 0} and slots_needed(made) == 3


def test_the_configuration_has_the_servers_and_is_private() -> None:
    table = Table({"a/": "slot1|-|"}, {1: {"app-0": Server("127.0.0.1", 4000, "GRPC")}}, ["a"])
    text = texts.configuration_of(texts.Settings(8080, 8443, 2, "haproxy"), table)
    assert "backend slot0\nbackend slot1\n  server app-0 127.0.0.1:4000 proto h2\n" in text
    assert "bind 127.0.0.1:8443 ssl crt-list certificates.list alpn h2,http/1.1" in text
    assert "mode 600" in text and "noreuseport" in text and "user haproxy" in text
    without = texts.configuration_of(texts.Settings(8080, 0, 2, ""), table)
    assert "ssl crt-list" not in without and "  user" not in without


LISTED = """1
# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state …
4 slot0 1 old 127.0.0.1 2 0 1 1 3 1 0 2 0 0 0 0 - 4000 - 0 0 - - 0
4 slot0 2 gone 127.0.0.1 2 8 1 1 3 1 0 2 0 0 0 0 - 4001 - 0 0 - - 0
5 slot1 1 moved 127.0.0.1 2 0 1 1 3 1 0 2 0 0 0 0 - 4002 - 0 0 - - 0
6 slot2 1 back 127.0.0.1 2 8 1 1 3 1 0 2 0 0 0 0 - 4003 - 0 0 - - 0
7 slot3 1 same 127.0.0.1 2 0 1 1 3 1 0 2 0 0 0 0 - 4004 - 0 0 - - 0
"""


def test_changes_add_servers_before_they_drain_others() -> None:
    table = Table(
        {},
        {
            0: {"new": Server("127.0.0.1", 5000, "HTTP")},
            1: {"moved": Server("127.0.0.1", 5002, "HTTP")},
            2: {"back": Server("127.0.0.1", 4003, "HTTP")},
            3: {"same": Server("127.0.0.1", 4004, "HTTP")},
        },
        [],
    )
    changes = texts.changes_of(texts.servers_in(LISTED), table)
    assert changes.commands == [
        "add server slot0/new 127.0.0.1:5000",
        "set server slot0/new state ready",
        "set server slot1/moved addr 127.0.0.1 port 5002",
        "set server slot2/back state ready",
        "set server slot0/old state drain",
    ]
    assert changes.surplus == [(0, "gone"), (0, "old")]


def test_answers_of_the_runtime_api_are_read() -> None:
    stat = "# pxname,svname,qcur,qmax,scur,smax,\nslot3,app-0,0,0,2,5,\n\n"
    assert texts.sessions_in(stat) == {(3, "app-0"): 2}
    assert texts.lines_in("0x55d a/ slot0|-|\n0x55e b/x/ slot1|1|\n\n") == {"a/": "slot0|-|", "b/x/": "slot1|1|"}
