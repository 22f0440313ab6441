"""The proxy of the driver for containers: a real HAProxy before servers of the tests' own."""

from __future__ import annotations

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from orlop.errors import DriverFailed
from proxy_backends import Clients, echoes, open_websocket

pytest.importorskip("docker")
from orlop.drivers.containers.proxy import configuration  # noqa: E402
from orlop.drivers.containers.proxy.process import find_program  # noqa: E402
from orlop.drivers.containers.proxy.routes import Route  # noqa: E402
from proxy_bench import HOST, Bench, await_condition, free_port, listed, needs_haproxy, route  # noqa: E402

pytestmark = needs_haproxy


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


def test_hosts_and_paths_lead_to_services(bench: Bench) -> None:
    web, api, any_host = bench.backend("web"), bench.backend("api"), bench.backend("any")
    bench.put("web", web)
    bench.put("api", api, routes=[route(HOST, "/api/v1", "/"), route("api.example.com", "/", "/base")])
    bench.put("any", any_host, routes=[route("*.example.com")])
    for host in (HOST, HOST.upper(), f"{HOST}:8080", f"{HOST}.", f"{HOST.title()}.:80"):
        assert bench.get(host) == (200, "web /"), host
    assert bench.get(path="/api/v1") == (200, "api /")
    assert bench.get(path="/api/v1/items/7?all=1") == (200, "api /items/7?all=1")
    assert bench.get(path="/api/v10") == (200, "web /api/v10")
    assert bench.get("api.example.com", "/x") == (200, "api /base/x")
    assert bench.get("other.example.com") == (200, "any /")
    for host in ("a.other.example.com", "example.com", "unknown.localhost", "127.0.0.1", "[::1]:80", ""):
        assert bench.get(host)[0] == 404, host
    status, said = bench.get("unknown.localhost:8080")
    assert (status, said) == (404, "no service has the host unknown.localhost and this path\n")


def test_a_service_sees_the_client_and_not_what_the_client_says_of_itself(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    bench.get(headers={"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Proto": "https"})
    seen = web.seen[0]
    assert (seen["x-forwarded-for"], seen["x-forwarded-proto"]) == ("127.0.0.1", "http")
    assert (seen["host"], seen["x-forwarded-host"]) == (HOST, HOST)


def test_a_header_that_is_too_large_is_refused_and_others_are_served(bench: Bench) -> None:
    bench.put("web", bench.backend("web"))
    pid = bench.pid()
    assert bench.get(headers={"X-Large": "x" * 30_000})[0] == 200
    for _ in range(3):
        with contextlib.suppress(OSError):  # it may close the connection before the client has sent all
            assert bench.get(headers={"X-Large": "x" * 70_000})[0] == 400
    assert bench.get() == (200, "web /") and bench.pid() == pid


def test_a_switch_loses_no_request_and_no_connection(bench: Bench) -> None:
    first, second = bench.backend("first"), bench.backend("second")
    bench.proxy._drain_seconds = 0.5
    bench.put("web", first)
    websocket = open_websocket(bench.http, HOST)
    clients = Clients(bench.http, HOST)
    for number in range(6):
        clients.await_requests(100)
        bench.put("web", (second, first)[number % 2])
        bench.put(f"other{number}", first, routes=[route(f"other{number}.localhost")])
        assert echoes(websocket)
    clients.await_requests(400)
    clients.end()
    assert clients.failures == [] and clients.requests >= 1000
    assert clients.bodies == {"first /", "second /"}
    assert echoes(websocket)


def test_a_switch_waits_for_requests_in_progress(bench: Bench) -> None:
    old, new = bench.backend("old"), bench.backend("new")
    bench.put("web", old)
    said: list[Any] = []
    slow = threading.Thread(target=lambda: said.append(bench.get(path="/slow")))
    slow.start()
    assert old.entered.wait(10)
    switch = threading.Thread(target=lambda: bench.put("web", new))
    switch.start()
    await_condition(lambda: bench.get()[1] == "new /")
    assert switch.is_alive() and "old" in bench.command("show servers state slot0")
    old.released.set()
    switch.join(10)
    slow.join(10)
    assert said == [(200, "old /slow")]
    await_condition(lambda: bench.put("web", new) == {} and " old " not in bench.command("show servers state slot0"))


def test_several_containers_share_the_requests_and_one_that_is_gone_gets_none(bench: Bench) -> None:
    one, two = bench.backend("one"), bench.backend("two")
    bench.put("web", one, two)
    assert {bench.get()[1] for _ in range(8)} == {"one /", "two /"}
    one.close()
    assert {bench.get() for _ in range(4)} == {(200, "two /")}


def test_tls_is_signed_by_an_authority_of_this_machine(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    bench.put("shop", web, routes=[route("shop.example.com"), route("*.example.org")])
    context = ssl.create_default_context(cafile=str(bench.folder / "ca.pem"))
    context.set_alpn_protocols(["h2", "http/1.1"])
    for host in (HOST, "shop.example.com", "any.example.org"):
        with socket.create_connection(("127.0.0.1", bench.https), 10) as plain:
            with context.wrap_socket(plain, server_hostname=host) as connection:
                assert connection.selected_alpn_protocol() == "h2"
    context.set_alpn_protocols(["http/1.1"])
    with socket.create_connection(("127.0.0.1", bench.https), 10) as plain:
        with context.wrap_socket(plain, server_hostname=HOST) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            assert b"200 OK" in connection.recv(1000)
    assert web.seen[-1]["x-forwarded-proto"] == "https"
    with socket.create_connection(("127.0.0.1", bench.https), 10) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="unknown.example.com")
    for path in [bench.folder, *bench.folder.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0 or path.name in ("ca.pem", "haproxy.pid", "lock"), path


def test_certificates_are_made_once_and_survive_a_new_start(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    path = bench.folder / "certificates" / f"{HOST}.pem"
    content = path.read_bytes()
    bench.proxy.close()
    bench.proxy = bench.open()
    bench.put("web", web)
    assert path.read_bytes() == content


def test_a_proxy_that_is_killed_comes_back(bench: Bench) -> None:
    bench.put("web", bench.backend("web"))
    killed = bench.pid()
    os.kill(killed, signal.SIGKILL)

    def answers() -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return bench.get() == (200, "web /")
        return False

    await_condition(answers)
    assert bench.pid() not in (0, killed)


def test_a_driver_takes_over_what_another_one_has_left(bench: Bench) -> None:
    web, new = bench.backend("web"), bench.backend("new")
    bench.put("web", web)
    pid = bench.pid()
    bench.proxy = bench.open()  # what a process that was killed leaves is the same
    assert bench.get() == (200, "web /")
    bench.put("web", new)
    assert (bench.pid(), bench.get()) == (pid, (200, "new /"))


def test_a_driver_that_is_killed_between_two_commands_leaves_nothing_wrong(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = bench.backend("old"), bench.backend("new")
    bench.put("web", old)
    bench.put("other", old, routes=[route("other.localhost")])
    command = bench.proxy._process.command
    total = 0
    for number in range(1, 40):
        left = number

        def dying(text: str) -> str:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return command(text)

        monkeypatch.setattr(bench.proxy._process, "command", dying)
        try:
            bench.put("web", new)
        except KeyboardInterrupt:
            pass
        else:
            total = number
        monkeypatch.undo()
        assert bench.get("other.localhost") == (200, "old /")
        bench.proxy = bench.open()
        command = bench.proxy._process.command
        bench.put("web", new)
        assert bench.get() == (200, "new /"), number
        assert bench.put("web", old) == {} and bench.get() == (200, "old /")
        assert bench.command("show servers state slot0").count(" 127.0.0.1 ") == 1
        if total:
            break
    assert total > 5


def test_foreign_servers_and_routes_are_removed(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    bench.command("add server slot0/foreign 127.0.0.1:9")
    bench.command("set server slot0/foreign state ready")
    bench.command("add map routes.map foreign.localhost/ slot0|-|")
    bench.put("other", web, routes=[route("other.localhost")])
    assert {bench.get() for _ in range(4)} == {(200, "web /")} and bench.get("foreign.localhost")[0] == 404
    assert "foreign" not in bench.command("show servers state slot0")


def test_the_first_service_that_claims_a_domain_keeps_it(bench: Bench) -> None:
    one, two = bench.backend("one"), bench.backend("two")
    claimed = [route("d.example.com")]
    assert bench.put("1", one, routes=claimed) == {}
    assert bench.put("2", two, routes=[*claimed, route("two.localhost")]) == {"d.example.com/": "1"}
    assert (bench.get("d.example.com"), bench.get("two.localhost")) == ((200, "one /"), (200, "two /"))
    bench.proxy.remove("1", None)
    assert bench.get("d.example.com") == (200, "two /")


def test_a_host_name_in_use_gets_a_mark(bench: Bench) -> None:
    def begin(service: str) -> str:
        plan = {"service": {"id": service, "name": "web"}, "name": f"app-{service}"}
        return bench.proxy.begin(plan, {"environment": {"name": "production"}}, list)

    assert begin("1") == begin("1") == HOST
    assert begin("2").startswith("web-production-") and begin("2") == begin("2")
    bench.proxy.forget("1")
    assert begin("2") == HOST


def test_the_proxy_ends_when_nothing_is_public(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    bench.put("other", web, routes=[route("other.localhost")])
    bench.proxy.remove("web", None)
    assert bench.get()[0] == 404 and bench.get("other.localhost")[0] == 200
    bench.proxy.forget("other")
    assert bench.pid() == 0
    bench.put("web", web)
    assert bench.get() == (200, "web /")


def test_a_proxy_that_is_closed_stays_closed(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("1", web)
    bench.proxy.close()
    bench.proxy.mend(lambda: [listed("web", web.address[1], "1", http_port=bench.http)])
    assert bench.pid() == 0
    bench.put("1", web)
    assert bench.get() == (200, "web /")


def test_many_domains_and_long_ones_are_served(bench: Bench) -> None:
    web = bench.backend("web")
    longest = ".".join(["a" * 63] * 3 + ["b" * 57, "cd"])
    assert len(longest) == 252
    hosts = [f"{'x' * 60}.{number}.example.com" for number in range(700)]
    bench.proxy = bench.open(https_port=None)
    bench.put("many", web, routes=[route(host) for host in hosts])
    assert {bench.get(host) for host in (hosts[0], hosts[350], hosts[699])} == {(200, "web /")}
    bench.put("many", web, routes=[route(host) for host in hosts[1:]])
    assert (bench.get(hosts[0])[0], bench.get(hosts[699])[0]) == (404, 200)
    bench.proxy = bench.open()
    bench.put("long", web, routes=[Route(longest, "/", None, 80, "HTTP", True)])
    bench.proxy.remove("many", None)
    context = ssl.create_default_context(cafile=str(bench.folder / "ca.pem"))
    with socket.create_connection(("127.0.0.1", bench.https), 10) as plain:
        context.wrap_socket(plain, server_hostname=longest).close()


def test_a_driver_watches_a_proxy_that_it_has_not_changed(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    bench.proxy = bench.open()
    bench.proxy._apply = lambda state: []  # type: ignore[method-assign]
    bench.put("web", web)
    assert not bench.proxy._watching.acquire(blocking=False)


def test_more_services_than_backends_need_a_new_process_and_keep_websockets(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "SLOTS", 2)
    web = bench.backend("web")
    bench.put("web", web)
    websocket = open_websocket(bench.http, HOST)
    clients = Clients(bench.http, HOST, method="GET")
    clients.await_requests(50)
    pid = bench.pid()
    for number in range(5):
        bench.put(f"other{number}", web, routes=[route(f"other{number}.localhost")])
    clients.await_requests(50)
    clients.end()
    assert bench.pid() != pid
    # The old process closes kept connections that are idle: two for each of two new processes.
    assert len(clients.failures) <= 4 and not [text for text in clients.failures if text[0].isdigit()]
    assert [bench.get(f"other{number}.localhost")[0] for number in range(5)] == [200] * 5
    assert echoes(websocket)


def test_a_port_in_use_is_the_reason(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("web", web)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="px"))
    second = bench.open(folder=str(folder))  # HAProxy would share the port with the first
    with pytest.raises(DriverFailed, match=rf"cannot be started: .*127.0.0.1:{bench.http}"):
        second.put_in("web", [route(HOST)], {"web": {80: web.address}}, None)
    assert bench.get() == (200, "web /")
    shutil.rmtree(folder)


HTTP_2 = """defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend rpc
  bind 127.0.0.1:{} proto h2
  http-request return status 200 content-type application/grpc string answered
"""


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_grpc_is_spoken_with_http_2(bench: Bench, tmp_path: pathlib.Path) -> None:
    port = free_port()
    (tmp_path / "rpc.cfg").write_text(HTTP_2.format(port))  # the only server with HTTP/2 that the tests have
    server = subprocess.Popen([find_program(), "-db", "-f", str(tmp_path / "rpc.cfg")], stderr=subprocess.DEVNULL)
    bench.proxy.put_in("rpc", [route("rpc.localhost", protocol="GRPC")], {"rpc": {80: ("127.0.0.1", port)}}, None)

    def answered(*arguments: str) -> bool:
        show = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", *arguments]
        return subprocess.run(show, capture_output=True, text=True).stdout == "2 200"

    try:
        prior = ["--http2-prior-knowledge", "-H", "Host: rpc.localhost", f"http://127.0.0.1:{bench.http}/"]
        await_condition(lambda: answered(*prior))
        url = f"https://rpc.localhost:{bench.https}/"
        resolved = ["--resolve", f"rpc.localhost:{bench.https}:127.0.0.1"]
        assert answered("--cacert", str(bench.folder / "ca.pem"), *resolved, url)
    finally:
        server.kill()
        server.wait()
