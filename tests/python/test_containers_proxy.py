"""The proxy of the driver for containers: a real HAProxy before servers of the tests' own."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

import orlop
import pytest
from fake_engine import FakeEngine
from orlop.errors import DriverFailed, Misuse
from proxy_backends import Backend, Clients, echoes, open_websocket

pytest.importorskip("docker")
from orlop.drivers.containers import Containers  # noqa: E402
from orlop.drivers.containers.proxy import Proxy, configuration  # noqa: E402
from orlop.drivers.containers.proxy.process import find_program  # noqa: E402
from orlop.drivers.containers.proxy.routes import Route  # noqa: E402

pytestmark = pytest.mark.skipif(
    shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin") is None, reason="haproxy is not installed"
)
HOST = "web-production.localhost"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Bench:
    """A proxy in a folder of its own, and servers."""

    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="p x#'%"))
        self.http, self.https = free_port(), free_port()
        self.proxy = self.open()
        self.backends: list[Backend] = []

    def open(self, **fields: Any) -> Proxy:
        given = {"http_port": self.http, "https_port": self.https, "folder": str(self.folder), "drain_seconds": 5.0}
        return Proxy(**{**given, "engine": "unix:///engine.sock", **fields})

    def backend(self, name: str) -> Backend:
        self.backends.append(Backend(name))
        return self.backends[-1]

    def put(self, service: str, *backends: Backend, routes: list[Route] | None = None) -> dict[str, str]:
        routes = routes or [route(HOST)]
        ports = {one.port for one in routes}
        containers = {one.name: dict.fromkeys(ports, one.address) for one in backends}
        return self.proxy.put_in(service, routes, containers, None)

    def get(self, host: str = HOST, path: str = "/", headers: dict[str, str] | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=10)
        connection.request("GET", path, headers={"Host": host, **(headers or {})})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        return answer.status, said

    def pid(self) -> int:
        return self.proxy._process.pid()

    def command(self, text: str) -> str:
        return self.proxy._process.command(text)

    def close(self) -> None:
        self.proxy.close()
        for one in self.backends:
            one.close()
        shutil.rmtree(self.folder)


def route(host: str, path: str = "/", rewrite: str | None = None, port: int = 80, protocol: str = "HTTP") -> Route:
    return Route(host, path, rewrite, port, protocol, True)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


def await_condition(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("the condition did not come true")


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
    assert bench.get(headers={"X-Large": "x" * 20_000})[0] == 200
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


def listed(name: str, port: int, service: str, **fields: Any) -> dict[str, Any]:
    """A container as an engine lists it."""
    label = {"port": fields.pop("http_port"), "host": HOST, "routes": [list(route(HOST))]}
    labels = {"platform.io/service-id": service, "platform.io/version": fields.pop("version", "v1")}
    return {
        "Names": [f"/{name}"],
        "State": "running",
        "Created": 1,
        "Labels": {**labels, "platform.io/proxy": json.dumps(label)},
        "Ports": [{"IP": "127.0.0.1", "PrivatePort": 80, "PublicPort": port, "Type": "tcp"}],
        **fields,
    }


def test_an_address_that_the_engine_has_changed_is_mended(bench: Bench) -> None:
    old, new = bench.backend("web"), bench.backend("web")
    bench.put("1", old)
    websocket = open_websocket(bench.http, HOST)
    assert echoes(websocket)
    old.close()
    bench.proxy.mend(lambda: [listed("web", new.address[1], "1", http_port=bench.http)])
    assert bench.get() == (200, "web /") and len(new.seen) == 1
    bench.proxy.mend(lambda: [listed("web", new.address[1], "1", http_port=bench.http, State="exited")])
    assert bench.get()[0] == 503
    bench.proxy.mend(lambda: [listed("web", new.address[1], "1", http_port=bench.http)])
    assert bench.get() == (200, "web /")


@pytest.mark.parametrize("content", (None, b"", b"{", b'{"services": 1}'))
def test_a_lost_state_is_made_anew_of_labels(bench: Bench, content: bytes | None) -> None:
    old, new = bench.backend("old"), bench.backend("new")
    bench.put("1", old)
    path = bench.folder / "state.json"
    path.unlink() if content is None else path.write_bytes(content)
    containers = [
        listed("new", new.address[1], "1", http_port=bench.http, version="v2", Created=2),
        listed("old", old.address[1], "1", http_port=bench.http),
        listed("elsewhere", new.address[1], "2", http_port=bench.http + 1),
        listed("stopped", new.address[1], "3", http_port=bench.http, State="exited"),
        {"Names": ["/x"], "State": "running", "Labels": {"platform.io/proxy": "{"}},
    ]
    bench.proxy.mend(lambda: containers)
    assert {bench.get() for _ in range(4)} == {(200, "old /")}
    assert list(json.loads(path.read_bytes())["services"]) == ["1"]


def test_containers_of_a_service_that_is_taken_out_get_no_route_while_they_stop(bench: Bench) -> None:
    web = bench.backend("web")
    bench.put("1", web)
    bench.put("2", web, routes=[route("other.localhost")])
    bench.proxy.remove("1", None)
    bench.proxy.mend(lambda: [listed("web", web.address[1], "1", http_port=bench.http)])
    assert bench.get()[0] == 404
    bench.proxy.mend(list)
    assert not bench.proxy.knows("1")


def test_services_of_another_container_engine_are_left_alone(bench: Bench) -> None:
    bench.put("1", bench.backend("web"))
    other = bench.open(engine="unix:///other.sock")
    other.mend(list)
    assert bench.get() == (200, "web /")


@pytest.fixture
def fake() -> Iterator[FakeEngine]:
    made = FakeEngine()
    made.add_image("docker.io/acme/web:1")
    yield made
    made.close()


class Shop:
    """An environment on an engine that chooses another port at each start, as Docker does."""

    def __init__(self, fake: FakeEngine, bench: Bench) -> None:
        options: dict[str, Any] = {"http_port": bench.http, "https_port": None, "state_folder": str(bench.folder)}
        self.driver = Containers(fake.address, patience=5, proxy="haproxy", **options)
        self.engine = orlop.Engine("memory:", driver=self.driver, require_cluster=False)
        acme = self.engine.organizations.create(name="acme", plan="FREE")
        hub = acme.container_registries.create(name="hub", kind="DOCKER_HUB", config={})
        acme.clusters.create(name="local", region="eu-west-3", cloud_provider="AWS")
        self.environment = acme.projects.create(name="shop").environments.create(name="production")
        times = {"initial_delay_seconds": 0, "period_seconds": 1, "timeout_seconds": 1, "failure_threshold": 1}
        probe: Any = {"type": {"http": {"port": 80, "path": "/"}}, **times}
        self.web = self.environment.containers.create(
            name="web",
            registry_id=hub.id,
            image_name="acme/web",
            tag="1",
            min_running_instances=2,
            max_running_instances=2,
            ports=[{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP"}],
            healthchecks={"readiness_probe": probe},
        )


@pytest.fixture
def shop(fake: FakeEngine, bench: Bench) -> Iterator[Shop]:
    made = Shop(fake, bench)
    yield made
    made.engine.close()
    made.driver.close_proxy()


def test_copies_are_restarted_without_losing_a_request(bench: Bench, shop: Shop, fake: FakeEngine) -> None:
    assert shop.environment.deploy().wait().ok
    clients = Clients(bench.http, HOST, method="GET")
    clients.await_requests(50)
    ports = sorted(shop.driver.addresses(shop.web.id))
    assert shop.web.restart().wait().ok
    assert not set(ports) & set(shop.driver.addresses(shop.web.id))
    shop.web.edit(arguments=["serve"])
    assert shop.environment.deploy().wait().ok
    clients.await_requests(50)
    clients.end()
    assert clients.failures == []


def test_a_new_port_of_a_container_is_observed(bench: Bench, shop: Shop, fake: FakeEngine) -> None:
    assert shop.environment.deploy().wait().ok
    for name in fake.running():
        fake.kill(name)
        fake.start_container({}, b"", name)
    assert bench.get()[0] == 503
    shop.driver.observe(orlop.Subjects("", (shop.web.id,)))
    assert bench.get()[0] == 200
    # An environment in which nothing has changed mends it as well.
    for name in fake.running():
        fake.kill(name)
        fake.start_container({}, b"", name)
    written = len(fake.writes)
    assert shop.environment.deploy().wait().ok
    assert bench.get()[0] == 200 and fake.writes[written:] == []


def test_a_state_folder_that_cannot_be_used_is_the_reason(bench: Bench, shop: Shop, fake: FakeEngine) -> None:
    assert shop.environment.deploy().wait().ok
    before = fake.running()
    os.rename(bench.folder / "lock", bench.folder / "before")
    (bench.folder / "lock").mkdir()
    shop.web.edit(arguments=["serve"])
    run = shop.environment.deploy().wait()
    assert run.state == "DEPLOYMENT_ERROR" and f"the state folder {bench.folder} of the proxy" in str(run.reason)
    assert (fake.running(), bench.get()[0]) == (before, 200)
    (bench.folder / "lock").rmdir()


PUTTING = """
import sys
from orlop.drivers.containers.proxy import Proxy
from orlop.drivers.containers.proxy.routes import Route
http, folder, port, name = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
proxy = Proxy(http, None, folder, 5.0, "unix:///engine.sock")
for number in range(20):
    service = f"{name}-{number}"
    route = Route(f"{service}.localhost", "/", None, 80, "HTTP", True)
    proxy.put_in(service, [route], {service: {80: ("127.0.0.1", port)}}, None)
"""


def test_drivers_of_several_processes_share_the_proxy(bench: Bench) -> None:
    web = bench.backend("web")
    bench.proxy = bench.open(https_port=None)
    arguments = [sys.executable, "-c", PUTTING, str(bench.http), str(bench.folder), str(web.address[1])]
    processes = [subprocess.Popen([*arguments, name]) for name in "abc"]
    assert [process.wait() for process in processes] == [0, 0, 0]
    hosts = [f"{name}-{number}.localhost" for name in "abc" for number in range(20)]
    assert {bench.get(host) for host in hosts} == {(200, "web /")}
    slots = [
        entry["slots"]["80"] for entry in json.loads((bench.folder / "state.json").read_bytes())["services"].values()
    ]
    assert sorted(slots) == list(range(60))


@pytest.mark.parametrize(
    ("options", "text"),
    (
        ({"proxy": "caddy"}, "proxy must be None or \"haproxy\", not 'caddy'"),
        ({"proxy": "haproxy", "http_port": 0}, "http_port must be a whole number of 1 to 65535, not 0"),
        ({"proxy": "haproxy", "https_port": 70000}, "https_port must be a whole number of 1 to 65535, not 70000"),
        ({"proxy": "haproxy", "http_port": "80"}, "http_port must be a whole number of 1 to 65535, not '80'"),
        ({"proxy": "haproxy", "state_folder": 3}, "state_folder must be text (str), not 3"),
        ({"proxy": "haproxy", "drain_seconds": -1}, "drain_seconds must be 0 or more, not -1"),
        ({"proxy": "haproxy", "http_port": 8443}, "https_port must not be the http_port, 8443"),
        ({"proxy": "haproxy", "state_folder": "/tmp/" + "x" * 99}, "at most 107 bytes for the path of a socket"),
    ),
)
def test_options_are_checked(options: dict[str, Any], text: str) -> None:
    with pytest.raises(Misuse) as raised:
        Containers("unix:///absent.sock", **options)
    assert text in str(raised.value)
