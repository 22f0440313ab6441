"""The driver for containers on a real Podman."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import orlop
import podman_service
import pytest

pytest.importorskip("docker")
from orlop.drivers.containers import Containers  # noqa: E402

_reason = podman_service.reason_to_skip()
pytestmark = pytest.mark.skipif(bool(_reason), reason=_reason)

IMAGE = {"image_name": "acme/busybox", "tag": "1"}
# Ends at once on SIGTERM, which the first process of a container ignores otherwise.
SERVE = (
    "trap 'exit 0' TERM; mkdir -p /www; echo \"$PAGE\" >/www/index.html; httpd -p 8080 -h /www; {}; "
    "while :; do sleep 0.1; done"
)


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[podman_service.Podman]:
    folder = tmp_path_factory.mktemp("podman")
    service = podman_service.Podman(folder)
    service.build("docker.io/acme/busybox:1")
    yield service
    service.close()
    shutil.rmtree(folder, ignore_errors=True)


class Shop:
    def __init__(self, podman: podman_service.Podman, store: str = "memory:", **options: Any) -> None:
        self.driver = Containers(podman.address, patience=20, **options)
        self.engine = orlop.Engine(store, driver=self.driver, require_cluster=False)
        self.acme = self.engine.organizations.create(name="acme", plan="FREE")
        self.hub = self.acme.container_registries.create(name="hub", kind="DOCKER_HUB", config={})
        self.acme.clusters.create(name="local", region="eu-west-3", cloud_provider="AWS")
        self.environment = self.acme.projects.create(name="shop").environments.create(name="production")

    def web(self, name: str = "web", script: str = ":", **fields: Any) -> Any:
        given: dict[str, Any] = {
            "entrypoint": "/bin/sh",
            "arguments": ["-c", SERVE.format(script)],
            "memory": 64,
            "ports": [{"internal_port": 8080, "publicly_accessible": True, "protocol": "HTTP"}],
            "healthchecks": {"readiness_probe": probe()},
        }
        return self.environment.containers.create(name=name, **{"registry_id": self.hub.id, **given, **IMAGE, **fields})

    def deploy(self) -> Any:
        return self.environment.deploy().wait()

    def page(self, service: Any) -> str:
        address = self.addresses(service)[0]
        with urllib.request.urlopen(address, timeout=5) as answer:
            return str(answer.read().decode()).strip()

    def addresses(self, service: Any) -> list[str]:
        mark = f"{service.name} answers at "
        found = [str(event["detail"]).partition(mark)[2] for event in self.engine.events() if mark in str(event)]
        return [text.partition("'")[0].partition('"')[0] for text in found[-1:]]

    def close(self) -> None:
        self.engine.close()


def probe(**fields: Any) -> Any:
    times = {"initial_delay_seconds": 5, "period_seconds": 1, "timeout_seconds": 2, "failure_threshold": 5}
    return {"type": {"http": {"port": 8080, "path": "/"}}, **times, **fields}


@pytest.fixture
def shop(podman: podman_service.Podman) -> Iterator[Shop]:
    made = Shop(podman)
    yield made
    made.driver.remove_orphans([])
    made.close()


def test_a_page_answers_and_shows_the_variable_and_the_file(shop: Shop) -> None:
    shop.environment.variables.create(key="PAGE", value='it\'s "$PATH" on\ntwo lines')
    shop.environment.variables.create(key="CONF", value="inside", mount_path="/etc/shop/conf")
    service = shop.web(script="cat $CONF >>/www/index.html")
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    assert shop.page(service) == 'it\'s "$PATH" on\ntwo lines\ninside'
    before = shop.driver.pods(str(service.id))
    assert shop.deploy().state == "DEPLOYED"
    assert shop.driver.pods(str(service.id)) == before


def test_services_find_each_other_by_name(shop: Shop) -> None:
    back = shop.web("back", "echo from-back >/www/index.html")
    alias = f"app-z{str(back.id)[:8]}"
    front = shop.web("front", f"until wget -qO /www/index.html http://{alias}:8080/; do sleep 0.1; done")
    wanted = {"type": {"exec": {"command": ["grep", "from-back", "/www/index.html"]}}, "failure_threshold": 5}
    front.edit(healthchecks={"readiness_probe": {**probe(), **wanted}})
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    assert shop.page(front) == "from-back"
    assert shop.driver.run_command(str(front.id), ["wget", "-qO-", "http://back:8080/"]) == (0, "from-back\n")


def test_a_broken_version_leaves_the_old_one_and_says_why(shop: Shop) -> None:
    shop.environment.variables.create(key="PAGE", value="old")
    service = shop.web()
    assert shop.deploy().state == "DEPLOYED"
    service.edit(arguments=["-c", "echo the table is missing; exit 3"])
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR"
    assert "the table is missing" in str(run.reason), run.reason
    assert shop.page(service) == "old"


def _port_of_the_machine() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_a_fixed_port_serves_the_old_version_after_a_broken_one(shop: Shop) -> None:
    shop.environment.variables.create(key="PAGE", value="old")
    port = _port_of_the_machine()
    service = shop.web(runtime={"published_ports": [{"internal_port": 8080, "external_port": port}]})
    assert shop.deploy().state == "DEPLOYED"
    good = list(service.arguments)
    for code in (4, 5):
        service.edit(arguments=["-c", f"sleep 0.3; exit {code}"])
        run = shop.deploy()
        assert run.state == "DEPLOYMENT_ERROR" and f"has ended with exit code {code}" in run.reason
        assert shop.page(service) == "old"
    service.edit(arguments=good)
    assert shop.deploy().state == "DEPLOYED" and shop.page(service) == "old"


def test_a_fixed_port_stays_with_the_service_that_has_it(shop: Shop) -> None:
    runtime = {"published_ports": [{"internal_port": 8080, "external_port": _port_of_the_machine()}]}
    shop.environment.variables.create(key="PAGE", value="of the first")
    first = shop.web("first", runtime=runtime)
    assert shop.deploy().state == "DEPLOYED"
    second = shop.web("second", runtime=runtime)
    for _ in range(2):
        # The first one is replaced too: its variables name the second one, or another version is wanted.
        run = shop.deploy()
        assert run.state == "DEPLOYMENT_ERROR"
        assert "must be free, but the service first publishes it" in run.reason
        assert shop.page(first) == "of the first" and shop.driver.pods(str(second.id)) == []
        first.edit(arguments=["-c", SERVE.format("true")])


def test_a_missing_command_is_the_reason(shop: Shop) -> None:
    shop.web(entrypoint="/bin/absent")
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR"
    assert "/bin/absent" in str(run.reason), run.reason


def test_a_volume_outlives_its_containers(shop: Shop) -> None:
    script = "echo x >>/data/starts; cp /data/starts /www/index.html"
    service = shop.web(script=script, storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])
    assert shop.deploy().state == "DEPLOYED"
    service.edit(memory=65)
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    assert shop.page(service) == "x\nx"


def test_a_job_gives_its_outputs_to_later_services(shop: Shop) -> None:
    script = """echo '{"page": {"value": "from the job"}}' >/platform-output/platform-output.json"""
    shop.environment.jobs.create(
        name="migrate",
        source={"image": {"registry_id": shop.hub.id, **IMAGE}},  # type: ignore[typeddict-item]
        schedule={"on_start": {"entrypoint": "/bin/sh", "arguments": ["-c", script]}},
        healthchecks={},
    )
    service = shop.web()
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    assert shop.page(service) == "from the job"


def test_the_runtime_of_a_service_is_that_of_its_container(
    podman: podman_service.Podman, tmp_path: pathlib.Path
) -> None:
    shop = Shop(podman, allow_host_access=True)
    (tmp_path / "given.txt").write_text("from the machine")
    script = (
        "(id -u; pwd; hostname; cat /given/given.txt; grep -c ' /cache tmpfs' /proc/mounts; cat /etc/hosts) "
        ">/www/index.html; echo kept >>/data/lines"
    )
    web = shop.web(
        script=script,
        runtime={
            "entrypoint": ["/bin/sh", "-c"],
            "user": "0:0",
            "working_dir": "/tmp",
            "hostname": "shop_web",
            "mounts": [
                {"type": "VOLUME", "source": "data", "mount_point": "/data"},
                {"type": "HOST_PATH", "source": str(tmp_path), "mount_point": "/given", "read_only": True},
                {"type": "HOST_PATH", "source": str(tmp_path / "made"), "mount_point": "/made"},
                {"type": "TMPFS", "mount_point": "/cache", "size_in_mib": 4},
            ],
            "published_ports": [{"internal_port": 8080, "host_address": "127.0.0.1"}],
            "extra_hosts": [{"hostname": "machine", "address": "10.1.2.3"}],
            "ulimits": [
                {"name": "nofile", "soft": 512, "hard": 1024},
                {"name": "nproc", "soft": 4096, "hard": 4096},  # a sandbox may not raise it
            ],
        },
        arguments=[SERVE.format(script)],
    )
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    await_condition(shop.engine, lambda: "10.1.2.3" in shop.page(web))
    page = shop.page(web).split("\n")
    assert page[:5] == ["0", "/tmp", "shop_web", "from the machine1", page[4]]
    assert any(line.split() == ["10.1.2.3", "machine"] for line in page), page
    assert (tmp_path / "made").is_dir()
    # Another service of the environment mounts the same volume; it stays when both are deleted.
    reader = shop.web(
        "reader",
        "cp /shared/lines /www/index.html",
        runtime={"mounts": [{"type": "VOLUME", "source": "data", "mount_point": "/shared", "read_only": True}]},
    )
    assert shop.deploy().state == "DEPLOYED"
    await_condition(shop.engine, lambda: shop.page(reader) == "kept")
    environment = shop.environment.id
    for service in (web, reader):
        service.delete()
    await_condition(shop.engine, lambda: shop.environment.services() == [])
    assert [volume["name"] for volume in shop.driver.volumes(environment)] == ["data"]
    assert [volume["name"] for volume in shop.driver.remove_volumes(environment)] == ["data"]
    assert shop.driver.volumes(environment) == []
    shop.close()


def test_host_access_is_refused_unless_it_is_allowed(shop: Shop) -> None:
    shop.web(runtime={"mounts": [{"type": "HOST_PATH", "source": "/srv", "mount_point": "/srv"}]})
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR"
    assert "runtime.mounts[0] needs access to this machine, which the option allow_host_access does not give" in str(
        run.reason
    )


def test_an_image_is_built_from_a_folder_once_for_each_content(
    podman: podman_service.Podman, tmp_path: pathlib.Path
) -> None:
    shop = Shop(podman, allow_host_access=True)
    (tmp_path / "Dockerfile").write_text(
        "FROM docker.io/acme/busybox:1\nARG PAGE_TEXT=none\nENV PAGE=$PAGE_TEXT\nCOPY text /text\n"
    )
    (tmp_path / "text").write_text("first")
    (tmp_path / ".dockerignore").write_text("ignored\n")
    build = {"context": str(tmp_path), "args": {"PAGE_TEXT": "built with an argument"}}
    web = shop.web(script="cat /text >>/www/index.html", runtime={"build": build})
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    await_condition(shop.engine, lambda: shop.page(web) == "built with an argument\nfirst")
    before = shop.driver.pods(web.id)
    (tmp_path / "ignored").write_text("anything")
    assert shop.deploy().state == "DEPLOYED"
    assert shop.driver.pods(web.id) == before
    (tmp_path / "text").write_text("second")
    assert shop.deploy().state == "DEPLOYED"
    await_condition(shop.engine, lambda: shop.page(web) == "built with an argument\nsecond")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".dockerignore", "Dockerfile", "ignored", "text"]
    # The folder has moved on: a roll-back deploys the image of the release.
    assert web.rollback().wait().state == "DEPLOYED"
    await_condition(shop.engine, lambda: shop.page(web) == "built with an argument\nfirst")
    assert [release["version"].get("image_digest") for release in web.releases()][::2] == [
        web.releases()[0]["version"]["image_digest"]
    ] * 2
    shop.driver.remove_orphans([])
    shop.close()


def test_a_dockerfile_of_the_service_builds_a_folder_that_has_none(
    podman: podman_service.Podman, tmp_path: pathlib.Path
) -> None:
    shop = Shop(podman, allow_host_access=True)
    (tmp_path / "text").write_text("of the folder")
    (tmp_path / "ignored").write_text("left out")
    (tmp_path / ".dockerignore").write_bytes(b"# \xff\nignored\n")
    raw = "FROM docker.io/acme/busybox:1\nCOPY . /found/\n"
    build = {"context": str(tmp_path), "dockerfile_raw": raw}
    web = shop.web(script="cat /found/text >/www/index.html; ls /found >>/www/index.html", runtime={"build": build})
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    await_condition(shop.engine, lambda: shop.page(web) == "of the foldertext")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".dockerignore", "ignored", "text"]
    (tmp_path / "Dockerfile").mkdir()
    web.edit(runtime={"build": {"context": str(tmp_path)}})
    assert "runtime.build.dockerfile must be a file, not 'Dockerfile'" in str(shop.deploy().reason)
    shop.driver.remove_orphans([])
    shop.close()


def test_a_cron_job_runs_at_its_time(shop: Shop) -> None:
    command = {"entrypoint": "/bin/sh", "arguments": ["-c", "echo ran at its time"]}
    job = shop.environment.jobs.create(
        name="tick",
        source={"image": {"registry_id": shop.hub.id, **IMAGE}},  # type: ignore[typeddict-item]
        schedule={"cronjob": {"scheduled_at": "@every 1s", **command}},  # type: ignore[typeddict-item]
        healthchecks={},
    )
    assert shop.deploy().state == "DEPLOYED"
    await_condition(shop.engine, lambda: any(run["state"] == "SUCCEEDED" for run in job.runs()))
    assert "ran at its time" in [event.get("detail", {}).get("text") for event in shop.engine.events()]
    assert shop.environment.stop().wait().state == "STOPPED"
    assert job.next_run is None


def test_an_application_is_built_from_git_once(shop: Shop, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    repository = tmp_path / "shop"
    (repository / "site").mkdir(parents=True)
    (repository / "site" / "Dockerfile").write_text(
        'FROM docker.io/acme/busybox:1\nARG GREETING\nRUN mkdir -p /www && echo "$GREETING" >/www/index.html\n'
        'CMD ["httpd", "-f", "-p", "8080", "-h", "/www"]\n'
    )
    for command in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@x", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(repository), *command], check=True)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{repository}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://git.example.com/acme/shop.git")
    shop.environment.variables.create(key="GREETING", value="built")
    service = shop.environment.applications.create(
        name="site",
        git_repository={
            "url": "https://git.example.com/acme/shop.git",
            "provider": "GITHUB",
            "branch": "main",
            "root_path": "/site",
        },
        memory=64,
        ports=[{"internal_port": 8080, "publicly_accessible": True, "protocol": "HTTP"}],
        healthchecks={"readiness_probe": probe()},
    )
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    assert shop.page(service) == "built"
    head = subprocess.check_output(["git", "-C", str(repository), "rev-parse", "HEAD"], text=True).strip()
    assert service.refresh().git_repository["deployed_commit_id"] == head
    before = shop.driver.pods(str(service.id))
    assert shop.deploy().state == "DEPLOYED"
    assert shop.driver.pods(str(service.id)) == before


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_a_database_is_ready_when_it_answers_and_its_names_resolve(podman: podman_service.Podman, shop: Shop) -> None:
    program = shutil.which("redis-server")
    assert program is not None
    path = os.path.realpath(program)
    podman.build_program("docker.io/library/redis:7", path, f"RUN mkdir -p /data && ln -s {path} /bin/redis-server\n")
    database = shop.environment.databases.create(name="cache", type="REDIS", version="7", mode="CONTAINER")
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    client = shop.web("client")
    assert shop.deploy().state == "DEPLOYED"
    for name in ("cache", f"z{str(database.id)[:8]}-redis", database.host):
        code, said = shop.driver.run_command(str(client.id), ["sh", "-c", f"echo PING | nc -w 2 {name} 6379"])
        assert "NOAUTH" in said, (name, code, said)


def test_an_image_comes_from_a_registry_with_credentials(
    podman: podman_service.Podman, shop: Shop, registry: str
) -> None:
    podman.client().tag("docker.io/acme/busybox:1", f"{registry}/acme/web", "2")
    login: Any = {"username": "acme", "password": "hub-secret"}
    pushed = list(podman.client().push(f"{registry}/acme/web", tag="2", auth_config=login, stream=True, decode=True))
    assert not any("error" in line for line in pushed), pushed
    podman.client().remove_image(f"{registry}/acme/web:2")
    fields = {"kind": "GENERIC_CR", "url": f"https://{registry}"}
    registries: Any = shop.acme.container_registries
    hub = registries.create(name="own", config={**login, "password": "wrong"}, **fields)
    service = shop.web(registry_id=hub.id, image_name="acme/web", tag="2")
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR" and "the registry refuses access" in str(run.reason), run.reason
    hub.edit(config=login)
    run = shop.deploy()
    assert run.state == "DEPLOYED", run.reason
    from orlop.drivers.containers.images import digest_in_registry

    digest = digest_in_registry(f"{registry}/acme/web:2", login)
    assert digest.startswith("sha256:") and digest in str(pushed)
    assert [pod["state"] for pod in shop.driver.pods(str(service.id))] == ["running"]


@pytest.fixture
def registry(tmp_path: pathlib.Path) -> Iterator[str]:
    """Debian's docker-registry on 127.0.0.1, which asks for a password."""
    program, htpasswd = shutil.which("docker-registry"), shutil.which("htpasswd")
    if program is None or htpasswd is None:
        pytest.skip("docker-registry or apache2-utils is not installed")
    entry = subprocess.check_output([htpasswd, "-nbB", "acme", "hub-secret"], text=True)
    (tmp_path / "htpasswd").write_text(entry.strip() + "\n")
    (tmp_path / "config.yml").write_text(
        f"version: 0.1\nstorage:\n  filesystem: {{rootdirectory: {tmp_path}/data}}\nhttp: {{addr: '127.0.0.1:5055'}}\n"
        f"auth: {{htpasswd: {{realm: test, path: {tmp_path}/htpasswd}}}}\n"
    )
    process = subprocess.Popen(
        [program, "serve", str(tmp_path / "config.yml")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", 5055), 1).close()
            break
        except OSError:
            threading.Event().wait(0.05)
    yield "127.0.0.1:5055"
    process.kill()
    process.wait()


def test_the_example_of_the_guide_prints_what_it_should(podman: podman_service.Podman, tmp_path: pathlib.Path) -> None:
    more = 'RUN mkdir -p /www && echo welcome >/www/index.html\nCMD ["httpd", "-f", "-p", "80", "-h", "/www"]\n'
    podman.build("docker.io/library/nginx:1.27", more + "STOPSIGNAL SIGKILL\n")
    program = pathlib.Path(__file__).parents[2] / "examples/python/this_machine.py"
    environment = {**os.environ, "DOCKER_HOST": podman.address}
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "DEPLOYED\n200\n['running']\nSTOPPED\n"
    Containers(podman.address).remove_orphans([])


CRASHING = """
import sys
import orlop
from orlop.drivers.containers import Containers
engine = orlop.Engine(sys.argv[1], driver=Containers(sys.argv[2]), require_cluster=False)
next(iter(engine.organizations)).projects.find("shop").environments.find("production").deploy().wait()
"""


@pytest.mark.parametrize("seconds", (0.3, 0.8, 1.3))
def test_a_host_that_is_killed_is_resumed_without_doubles(
    podman: podman_service.Podman, tmp_path: pathlib.Path, seconds: float
) -> None:
    store = str(tmp_path / "platform.db")
    shop = Shop(podman, store)
    services = [shop.web(f"web{number}") for number in range(4)]
    shop.close()
    process = subprocess.Popen([sys.executable, "-c", CRASHING, store, podman.address], env=dict(os.environ))
    threading.Event().wait(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()
    driver = Containers(podman.address)
    with orlop.Engine(store, driver=driver, require_cluster=False) as engine:
        environment = next(iter(engine.organizations)).projects.find("shop").environments.find("production")
        await_condition(engine, lambda: environment.refresh().state in ("DEPLOYED", "READY", "DEPLOYMENT_ERROR"))
        reasons = [str(event) for event in engine.events() if "reason" in str(event)]
        assert environment.state != "DEPLOYMENT_ERROR", reasons
        assert environment.deploy().wait().state == "DEPLOYED"
        for service in services:
            assert [pod["state"] for pod in driver.pods(str(service.id))] == ["running"]
    driver.remove_orphans([])


def test_the_container_engine_may_be_killed(podman: podman_service.Podman, shop: Shop) -> None:
    service = shop.web()
    assert shop.deploy().state == "DEPLOYED"
    before = shop.driver.pods(str(service.id))
    podman.kill()
    run = shop.environment.deploy()
    podman.start()
    assert run.wait().state == "DEPLOYED"
    assert shop.driver.pods(str(service.id)) == before


def await_condition(engine: orlop.Engine, condition: Callable[[], bool]) -> None:
    for _ in range(3000):
        engine.tick()
        if condition():
            return
        threading.Event().wait(0.02)
    raise AssertionError("the condition did not come true")


def test_what_runs_is_observed(shop: Shop) -> None:
    web = shop.web()
    assert shop.deploy().ok

    def seen() -> orlop.Observation:
        return shop.driver.observe(orlop.Subjects("", (web.id,)))[web.id]

    first = seen()
    assert (first.running_state, first.wanted, first.ready, first.failing, first.restarts) == ("RUNNING", 1, 1, 0, 0)
    assert first.since.endswith("Z") and first.last_exit_code is None
    (pod,) = shop.driver.pods(web.id)
    # Another program stops it, and then removes it.
    shop.driver._api.stop(pod["name"], 0, None)
    stopped = seen()
    assert (stopped.running_state, stopped.ready, stopped.failing) == ("ERROR", 0, 1)
    assert pod["name"] in stopped.reason and "it has ended with exit code" in stopped.reason
    assert stopped.last_exit_code is not None and stopped.since >= first.since
    shop.engine.report_running(web.id, stopped)
    shop.engine.tick()
    assert web.status()["observation"]["reason"] == stopped.reason
    shop.driver._api.remove(pod["name"], None)
    assert seen().reason == "it has no container: another program has removed it"
    assert web.deploy().wait().ok and seen().running_state == "RUNNING"
