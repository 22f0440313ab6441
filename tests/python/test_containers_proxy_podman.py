"""The driver for containers with its proxy, on a real Podman."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

import orlop
import podman_service
import pytest
from proxy_backends import Clients

pytest.importorskip("docker")
from orlop.drivers.containers import Containers  # noqa: E402
from proxy_bench import HAS_HAPROXY, HOST, free_port  # noqa: E402
from test_containers_podman import SERVE, Shop, await_condition, probe  # noqa: E402

_reason = podman_service.reason_to_skip()
if not _reason and not HAS_HAPROXY:
    _reason = "haproxy is not installed"
pytestmark = pytest.mark.skipif(bool(_reason), reason=_reason)


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[podman_service.Podman]:
    folder = tmp_path_factory.mktemp("podman")
    service = podman_service.Podman(folder)
    service.build("docker.io/acme/busybox:1")
    yield service
    service.close()
    shutil.rmtree(folder, ignore_errors=True)


class Public(Shop):
    def __init__(self, podman: podman_service.Podman, store: str = "memory:", **more: Any) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="px"))
        self.http = free_port()
        self.options: dict[str, Any] = {
            "proxy": "haproxy",
            "http_port": self.http,
            "https_port": None,
            "state_folder": str(self.folder),
            **more,
        }
        super().__init__(podman, store, **self.options)

    def get(self, host: str = HOST) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=10)
        try:
            connection.request("GET", "/", headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode().strip()
        except OSError as error:
            return 0, str(error)
        finally:
            connection.close()

    def close(self) -> None:
        self.driver.remove_orphans([])
        self.driver.close_proxy()
        super().close()
        shutil.rmtree(self.folder)


@pytest.fixture
def shop(podman: podman_service.Podman) -> Iterator[Public]:
    made = Public(podman)
    yield made
    made.close()


def paged(shop: Public, page: str) -> None:
    for variable in shop.environment.variables:
        if variable.key == "PAGE":
            variable.delete()
    shop.environment.variables.create(key="PAGE", value=page)


def test_a_switch_under_traffic_loses_no_request(shop: Public) -> None:
    paged(shop, "one")
    web = shop.web(min_running_instances=2, max_running_instances=2)
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    (address,) = web.refresh().addresses
    assert address == {
        "host": HOST,
        "port": shop.http,
        "internal_port": 8080,
        "protocol": "HTTP",
        "scope": "EXTERNAL",
        "url": f"http://{HOST}:{shop.http}",
    }
    clients = Clients(shop.http, HOST, method="GET")
    for page in ("two", "three"):
        clients.await_requests(100)
        paged(shop, page)
        run = shop.deploy()
        assert run.state == "DEPLOYED", run.reason
        assert shop.get() == (200, page)
    web.restart().wait()
    clients.await_requests(1000)
    clients.end()
    assert clients.failures == [] and clients.requests >= 1000
    assert {body.strip() for body in clients.bodies} == {"one", "two", "three"}


def test_a_broken_version_gets_no_request(shop: Public) -> None:
    paged(shop, "good")
    web = shop.web()
    assert shop.deploy().state == "DEPLOYED"
    clients = Clients(shop.http, HOST, method="GET")
    web.edit(arguments=["-c", "echo broken; exit 3"])
    assert shop.deploy().state == "DEPLOYMENT_ERROR"
    clients.await_requests(100)
    clients.end()
    assert clients.failures == [] and {body.strip() for body in clients.bodies} == {"good"}
    # One that stops first comes back, with the address that it has then.
    web.edit(storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}], arguments=["-c", "exit 4"])
    assert shop.deploy().state == "DEPLOYMENT_ERROR"
    assert shop.get() == (200, "good")


def test_a_service_in_the_network_of_the_machine_keeps_its_route(podman: podman_service.Podman) -> None:
    shop = Public(podman, allow_host_access=True)
    paged(shop, "of the machine")
    port = free_port()
    web = shop.web(
        arguments=["-c", SERVE.format(":").replace("8080", str(port))],
        ports=[{"internal_port": port, "publicly_accessible": True, "protocol": "HTTP"}],
        healthchecks={"readiness_probe": probe(type={"http": {"port": port, "path": "/"}})},
        runtime={"network_mode": "HOST"},
    )
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    assert shop.get() == (200, "of the machine")
    shop.driver.observe(orlop.Subjects("", (str(web.id),)))
    assert shop.get() == (200, "of the machine")
    web.edit(arguments=["-c", "exit 3"])
    assert shop.deploy().state == "DEPLOYMENT_ERROR"
    assert shop.get() == (200, "of the machine")
    shop.close()


def test_services_that_stop_or_go_leave_no_route(shop: Public) -> None:
    paged(shop, "x")
    web, other = shop.web(), shop.web("other")
    other.custom_domains.create(domain="Shop.example.com", generate_certificate=False)
    assert shop.deploy().state == "DEPLOYED"
    assert [shop.get(host)[0] for host in (HOST, "other-production.localhost", "shop.example.com")] == [200] * 3
    assert web.stop().wait().ok
    assert [shop.get(host)[0] for host in (HOST, "shop.example.com")] == [404, 200]
    assert web.deploy().wait().ok and shop.get() == (200, "x")
    other.edit(ports=[{"internal_port": 8080, "publicly_accessible": False, "protocol": "HTTP"}])
    assert other.deploy().wait().ok
    assert [shop.get(host)[0] for host in (HOST, "shop.example.com")] == [200, 404]
    assert shop.environment.stop().wait().ok
    assert shop.get()[0] == 0  # nothing is public: the proxy has ended


def test_a_container_that_another_program_starts_again_is_reached(podman: podman_service.Podman, shop: Public) -> None:
    web = shop.web()
    assert shop.deploy().state == "DEPLOYED"
    (pod,) = shop.driver.pods(str(web.id))
    shop.driver._api.stop(pod["name"], 0, None)
    subjects = orlop.Subjects("", (web.id,))
    shop.driver.observe(subjects)
    assert shop.get()[0] == 503
    podman.client().start(pod["name"])

    def answers() -> bool:
        shop.driver.observe(subjects)
        return shop.get()[0] == 200

    await_condition(shop.engine, answers)


CRASHING = """
import json
import sys
import orlop
from orlop.drivers.containers import Containers
driver = Containers(sys.argv[2], **json.loads(sys.argv[3]))
engine = orlop.Engine(sys.argv[1], driver=driver, require_cluster=False)
next(iter(engine.organizations)).projects.find("shop").environments.find("production").deploy().wait()
"""


@pytest.mark.parametrize("seconds", (0.4, 0.8, 1.2, 1.6))
def test_a_host_that_is_killed_is_resumed_with_the_routes_of_what_runs(
    podman: podman_service.Podman, tmp_path: pathlib.Path, seconds: float
) -> None:
    store = str(tmp_path / "platform.db")
    shop = Public(podman, store)
    for name in ("web", "api"):
        shop.web(name)
    paged(shop, "old")
    assert shop.deploy().state == "DEPLOYED"
    paged(shop, "new")
    shop.engine.close()
    arguments = [sys.executable, "-c", CRASHING, store, podman.address, json.dumps(shop.options)]
    process = subprocess.Popen(arguments, env=dict(os.environ))
    clients = Clients(shop.http, HOST, method="GET")
    threading.Event().wait(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()
    driver = Containers(podman.address, **shop.options)
    with orlop.Engine(store, driver=driver, require_cluster=False) as engine:
        environment = next(iter(engine.organizations)).projects.find("shop").environments.find("production")
        await_condition(engine, lambda: environment.refresh().state in ("DEPLOYED", "READY", "DEPLOYMENT_ERROR"))
        assert environment.deploy().wait().state == "DEPLOYED"
        clients.end()
        assert clients.failures == []
        for name in ("web", "api"):
            assert {shop.get(f"{name}-production.localhost") for _ in range(4)} == {(200, "new")}
    shop.close()


PRINTED = """DEPLOYED
http://web-local.localhost:8080
https://web-local.localhost:8443
http://shop.example.com:8080
https://shop.example.com:8443
web-local.localhost 200
shop.example.com 200
STOPPED
"""


def test_the_example_of_the_guide_prints_what_it_should(podman: podman_service.Podman, shop: Public) -> None:
    more = 'RUN mkdir -p /www && echo welcome >/www/index.html\nCMD ["httpd", "-f", "-p", "80", "-h", "/www"]\n'
    podman.build("docker.io/library/nginx:1.27", more + "STOPSIGNAL SIGKILL\n")
    ports = {"8080": str(shop.http), "8443": str(free_port())}
    text = (pathlib.Path(__file__).parents[2] / "examples/python/this_machine_hosts.py").read_text()
    expected = PRINTED
    for usual, free in ports.items():
        text, expected = text.replace(usual, free), expected.replace(usual, free)
    environment = {**os.environ, "DOCKER_HOST": podman.address, "XDG_STATE_HOME": str(shop.folder)}
    command = [sys.executable, "-c", text]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=shop.folder, env=environment)
    assert (ran.returncode, ran.stdout) == (0, expected), ran.stderr
    assert shop.get("web-local.localhost")[0] == 0  # it stopped the last public service
