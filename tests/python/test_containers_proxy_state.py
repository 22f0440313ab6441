"""The state of the proxy of containers: engines that change it, states that are lost, several processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import orlop
import pytest
from fake_engine import FakeEngine
from orlop.errors import Misuse
from proxy_backends import Clients, echoes, open_websocket

pytest.importorskip("docker")
from orlop.drivers.containers import Containers  # noqa: E402
from proxy_bench import HOST, Bench, listed, needs_haproxy, route  # noqa: E402

pytestmark = needs_haproxy


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


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


def _with_labels_of_a_user(listed: dict[str, Any]) -> dict[str, Any]:
    """Returns the container with the labels of a proxy under another prefix, such as a label group may have."""
    return {**listed, "Labels": {key.replace("platform", "acme"): value for key, value in listed["Labels"].items()}}


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
        _with_labels_of_a_user(listed("other", new.address[1], "4", http_port=bench.http)),
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
