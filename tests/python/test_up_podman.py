"""`orlop up` and the commands on a platform file with a real Podman."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import podman_service
import pytest

pytest.importorskip("docker")
pytest.importorskip("yaml")

_reason = podman_service.reason_to_skip()
pytestmark = pytest.mark.skipif(bool(_reason), reason=_reason)

PAGE = """containers:
  page:
    image_name: acme/busybox
    tag: 1
    entrypoint: /bin/sh
    arguments:
      - -c
      - 'trap "exit 0" TERM; {}mkdir -p /www; echo "$TEXT" >/www/index.html; echo "serves $TEXT"; httpd -p 8080 -h /www;
        while :; do sleep 0.1; done'
    memory: 64
    ports: [{{internal_port: 8080}}]
    healthchecks:
      readiness_probe: {{type: {{http: {{port: 8080, path: /}}}}, initial_delay_seconds: 5, period_seconds: 1}}
    storage: [{{type: FAST_SSD, size: 1, mount_point: /data}}]
    variables: {{TEXT: hello}}
  other:
    image_name: acme/busybox
    tag: 1
    entrypoint: /bin/sh
    arguments: [-c, 'trap "exit 0" TERM; while :; do sleep 0.1; done']
    memory: 64
"""


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[podman_service.Podman]:
    folder = tmp_path_factory.mktemp("podman")
    service = podman_service.Podman(folder)
    service.build("docker.io/acme/busybox:1")
    yield service
    service.close()
    shutil.rmtree(folder, ignore_errors=True)


class Shop:
    def __init__(self, podman: podman_service.Podman, folder: pathlib.Path) -> None:
        self.folder = folder
        self.podman = podman
        self.environment = {**os.environ, "DOCKER_HOST": podman.address}

    def write(self, text: str) -> None:
        (self.folder / "orlop.yaml").write_text(text.format(""))

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "orlop", *arguments]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def run(self, *arguments: str) -> tuple[int, str]:
        process = self.begin(*arguments)
        out, err = process.communicate(timeout=120)
        assert process.returncode in (0, 1), err
        return process.returncode, out

    def containers(self) -> list[str]:
        return sorted(self.podman.run("ps", "--format", "{{.ID}} {{.Names}}").split("\n"))

    def page(self) -> str:
        _, address = self.run("open", "page")
        with urllib.request.urlopen(address.strip(), timeout=5) as answer:
            return str(answer.read().decode()).strip()


@pytest.fixture
def shop(podman: podman_service.Podman, tmp_path: pathlib.Path) -> Iterator[Shop]:
    made = Shop(podman, tmp_path)
    yield made
    if (tmp_path / ".orlop").exists():
        made.run("down", "--volumes", "--yes")
    assert podman.run("ps", "--all", "--quiet") == ""


def test_a_page_from_the_first_up_to_down(shop: Shop) -> None:
    shop.write(PAGE)
    status, out = shop.run("up", "--yes")
    assert status == 0, out
    assert "page: DEPLOYED" in out.splitlines()
    assert out.splitlines()[-1].startswith("page   http://127.0.0.1:")
    assert shop.page() == "hello"
    before = shop.containers()

    status, out = shop.run("up")
    assert (status, out.splitlines()[0]) == (0, "nothing to change")
    assert shop.containers() == before

    shop.write(PAGE.replace("TEXT: hello", "TEXT: welcome"))
    assert shop.run("up", "--yes")[0] == 0
    assert shop.page() == "welcome"
    assert len(set(shop.containers()) & set(before)) == 2  # the other service, and an empty line

    assert shop.run("logs", "page") == (0, "serves welcome\n")
    assert shop.run("exec", "page", "--", "cat", "/www/index.html") == (0, "welcome\n")
    assert shop.run("exec", "page", "--", "false") == (1, "")
    statuses = json.loads(shop.run("status", "--json")[1])["services"]
    assert [(each["name"], each["state"], each["release"]) for each in statuses] == [
        ("page", "DEPLOYED", 2),
        ("other", "DEPLOYED", 1),
    ]
    assert shop.run("rollback", "page")[0] == 0
    assert shop.page() == "hello"

    shop.podman.run("rm", "--force", "--time", "0", *shop.podman.run("ps", "--quiet").split())
    status, out = shop.run("status")
    assert status == 1
    assert "it has no container: another program has removed it" in out
    assert shop.run("up")[0] == 0
    assert len(shop.containers()) == 3
    assert shop.run("status")[0] == 0

    assert shop.run("stop", "page") == (0, "page: STOPPING\npage: STOPPED\n")
    assert len(shop.containers()) == 2
    assert shop.run("up")[0] == 0
    assert shop.page() == "welcome"

    volumes = shop.podman.run("volume", "ls", "--quiet")
    assert shop.run("down", "--yes")[0] == 0
    assert shop.podman.run("ps", "--all", "--quiet") == ""
    assert shop.podman.run("volume", "ls", "--quiet") == volumes
    assert shop.run("down", "--volumes", "--yes")[0] == 0
    assert shop.podman.run("volume", "ls", "--quiet") == ""


def test_a_killed_up_is_finished_by_the_next(shop: Shop) -> None:
    shop.write(PAGE)
    process = shop.begin("up", "--yes")
    assert process.stdout is not None
    for line in process.stdout:
        if line == "page: DEPLOYING\n":
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    status, out = shop.run("up")
    assert status == 0, out
    assert shop.page() == "hello"
    assert len(shop.containers()) == 3


def test_a_log_is_followed(shop: Shop) -> None:
    shop.write(PAGE)
    assert shop.run("up", "--yes")[0] == 0
    process = shop.begin("logs", "page", "-f")
    assert process.stdout is not None
    assert process.stdout.readline() == "serves hello\n"
    shop.run("exec", "page", "--", "sh", "-c", "echo one more line >/proc/1/fd/1")
    assert process.stdout.readline() == "one more line\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130


def test_the_server_deploys_to_the_same_containers(shop: Shop) -> None:
    shop.write(PAGE)
    assert shop.run("up", "--yes")[0] == 0
    before = shop.containers()
    ready = shop.folder / "ready.json"
    serve = ("serve", ".orlop/platform.db", "--driver", "containers", "--port", "0", "--ready-file", str(ready))
    server = shop.begin(*serve, "--no-require-cluster", "--no-access-log")
    assert server.stdout is not None
    server.stdout.readline()  # the banner comes after the file
    url = json.loads(ready.read_text())["url"]
    statuses = json.loads(shop.run("status", "--json")[1])["services"]
    stop = urllib.request.Request(f"{url}/container/{statuses[1]['id']}/stop", method="POST")
    with urllib.request.urlopen(stop) as answer:
        assert answer.status == 202
    for line in server.stdout:
        if "container other of local: STOPPING -> STOPPED" in line:
            break
    assert len(set(before) - set(shop.containers())) == 1
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=30)
    assert server.returncode == 0


def test_the_reason_of_a_failure_has_the_log(shop: Shop) -> None:
    (shop.folder / "orlop.yaml").write_text(PAGE.format("echo no database >&2; exit 3; "))
    status, out = shop.run("up", "--yes")
    assert status == 1
    assert "no database" in out
