"""`orlop up` with Compose files: what becomes of them, what is said of the rest, and a real Podman."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import podman_service
import pytest

pytest.importorskip("yaml")
from orlop.compose import read_compose  # noqa: E402
from orlop.compose.platform_file import contents_of  # noqa: E402
from platform_folder import Folder  # noqa: E402

_reason = podman_service.reason_to_skip()
SHOP = """services:
  web:
    image: acme/busybox:1
    command: [sh, -c, "mkdir -p /www; cp /conf/page /www/index.html; cat /data/rows >>/www/index.html; trap 'exit 0' TERM;
      httpd -f -p 8080 -h /www & wait"]
    ports: ["127.0.0.1:${PORT:?is needed}:8080"]
    user: "0"
    volumes: ["data:/data", "./conf:/conf:ro"]
    tmpfs: /run:size=4m
    depends_on: {db: {condition: service_started}, seed: {condition: service_started}}
    restart: unless-stopped
    logging: {driver: syslog}
  db:
    build: {context: ./db, args: {ROWS: "42 chairs"}}
    volumes: ["data:/data"]
    restart: always
  seed:
    image: acme/busybox:1
    command: [sh, -c, "echo ended well"]
  idle:
    image: acme/busybox:1
    profiles: [rare]
volumes:
  data:
"""
DOCKERFILE = """FROM docker.io/acme/busybox:1
ARG ROWS
ENV ROWS=$ROWS
CMD ["sh", "-c", "trap 'exit 0' TERM; echo $ROWS >/data/rows; while :; do sleep 0.1; done"]
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Folder:
    return Folder(tmp_path, monkeypatch, capsys)


def runtime_of(tmp_path: pathlib.Path, text: str) -> tuple[dict[str, Any], list[str]]:
    (tmp_path / "compose.yaml").write_text(f"services:\n  a:\n    image: a\n    {text}\nvolumes: {{vol: }}\n")
    contents = contents_of(read_compose(tmp_path / "compose.yaml", environment={}, name="shop"))
    made = contents.data["containers"]["a"]["runtime"]
    assert made.pop("restart") == "NO" or "restart" in text
    assert made.pop("memory_unlimited", False) == ("mem_limit" not in text)
    return made, [str(note).partition(": ")[2] for note in contents.notes]


HONOURED: list[tuple[str, dict[str, Any]]] = [
    ("user: '1000:1000'", {"user": "1000:1000"}),
    ("entrypoint: [tini]", {"entrypoint": ["tini"]}),
    ("container_name: shop-a", {"aliases": ["shop-a"]}),
    ("cap_add: [net_admin]", {"capabilities_add": ["NET_ADMIN"]}),
    ("security_opt: ['seccomp=unconfined']", {"security_options": ["seccomp=unconfined"]}),
    ("network_mode: host", {"network_mode": "HOST"}),
    ("network_mode: bridge", {}),
    ("pid: host", {"pid_mode": "HOST"}),
    ("ipc: shareable", {}),
    ("stop_signal: SIGINT", {"stop_signal": "SIGINT"}),
    ("shm_size: 100m", {"shm_size_in_mib": 100}),
    ("mem_limit: 100m", {}),
    ("pids_limit: 10", {"pids_max": 10}),
    ("group_add: [video]", {"groups": ["video"]}),
    ("sysctls: {net.core.somaxconn: 1024}", {"sysctls": {"net.core.somaxconn": "1024"}}),
    ("dns: 9.9.9.9", {"dns_servers": ["9.9.9.9"]}),
    ("extra_hosts: ['h:1.1.1.1']", {"extra_hosts": [{"hostname": "h", "address": "1.1.1.1"}]}),
    ("ulimits: {nofile: 5}", {"ulimits": [{"name": "nofile", "soft": 5, "hard": 5}]}),
    (
        "devices: ['/dev/snd:/dev/x:r']",
        {"devices": [{"host_path": "/dev/snd", "container_path": "/dev/x", "permissions": "r"}]},
    ),
    ("tmpfs: /run:size=5m", {"mounts": [{"type": "TMPFS", "mount_point": "/run", "size_in_mib": 5}]}),
    (
        "volumes: ['vol:/v:ro']",
        {"mounts": [{"type": "VOLUME", "source": "vol", "mount_point": "/v", "read_only": True}]},
    ),
    (
        "ports: ['80:8080', '127.0.0.1:81:8080', '53/udp']",
        {
            "published_ports": [
                {"internal_port": 8080, "external_port": 80},
                {"internal_port": 53, "transport": "UDP"},
                {"internal_port": 8080, "external_port": 81, "host_address": "127.0.0.1"},
            ]
        },
    ),
    ("labels: {a: b}", {"labels": {"a": "b"}}),
]


@pytest.mark.parametrize(("text", "expected"), HONOURED, ids=[case[0] for case in HONOURED])
def test_settings_of_compose_become_the_runtime(tmp_path: pathlib.Path, text: str, expected: dict[str, Any]) -> None:
    assert runtime_of(tmp_path, text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("cpuset: '0'", "services.a.cpuset is not honoured"),
        ("userns_mode: host", "services.a.userns_mode is not honoured"),
        ("uts: host", "services.a.uts is not honoured"),
        ("ports: ['8000-8001:80']", "services.a.ports: of 8000-8001 the port 8000 is taken"),
        ("tmpfs: /run:mode=700", "services.a.tmpfs: mode of /run is not honoured"),
    ],
)
def test_a_setting_that_no_runtime_has_is_a_note(tmp_path: pathlib.Path, text: str, note: str) -> None:
    assert runtime_of(tmp_path, text)[1] == [note]


def test_a_compose_file_is_found_planned_and_applied(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "18080")
    folder.write(SHOP, "compose.yaml")
    status, out, err = folder.up()
    assert status == 0, err
    assert "+ container web" in out and "container idle" not in out
    assert "compose.yaml:12: services.web.logging is not honoured" in err
    assert "services.idle is not created: it needs a profile of rare" in err
    assert folder.up()[1].startswith("nothing to change\n")
    folder.write(SHOP.replace("42 chairs", "43 chairs"), "compose.yaml")
    assert "runtime.build.args.ROWS: 42 chairs -> 43 chairs" in folder.run("plan")[1]
    # An override of the folder counts, other files do only if they are given.
    folder.write("services: {web: {user: '1'}}\n", "compose.override.yaml")
    assert "runtime.user: 0 -> 1" in folder.run("plan")[1]
    folder.write("services: {web: {user: '2'}}\n", "more.yaml")
    assert "runtime.user: 0 -> 2" in folder.run("plan", "-f", "compose.yaml", "-f", "more.yaml")[1]
    assert "+ container idle" in folder.run("plan", "--profile", "rare")[1]
    folder.write("PORT=18081\n", "prod.env")
    monkeypatch.delenv("PORT")
    assert "external_port: 18080 -> 18081" in folder.run("plan", "--env-file", "prod.env")[1]
    status, _, err = folder.run("plan")
    assert status == 2 and "compose.yaml:6: " in err and "is needed" in err
    assert folder.run("status", "--driver", "none", "--env-file", "prod.env")[0] == 0


def test_options_of_compose_files_are_refused_for_a_platform_file(folder: Folder) -> None:
    folder.write("containers: {web: {image_name: a, tag: 1}}\n")
    for option in ("--env-file", "--profile"):
        status, _, err = folder.run("plan", option, "x")
        assert status == 2 and f"{option} must be left out for a platform file" in err


@pytest.mark.skipif(bool(_reason), reason=_reason)
def test_a_compose_file_runs_on_podman(podman: podman_service.Podman, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("docker")
    (tmp_path / "compose.yaml").write_text(SHOP)
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "Dockerfile").write_text(DOCKERFILE)
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "page").write_text("a shop of\n")
    environment = {**os.environ, "DOCKER_HOST": podman.address, "PORT": "18083"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "orlop", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180)

    refused = run("up", "--yes")
    assert refused.returncode == 2
    assert "compose.yaml:8: services.web.volumes mounts" in refused.stderr
    assert "which --allow-host-access must allow" in refused.stderr
    done = run("up", "--yes", "--allow-host-access")
    assert done.returncode == 0, done.stdout + done.stderr
    with urllib.request.urlopen("http://127.0.0.1:18083", timeout=5) as answer:
        assert answer.read().decode() == "a shop of\n42 chairs\n"
    before = podman.run("ps", "--format", "{{.ID}} {{.Names}}")
    again = run("up", "--yes", "--allow-host-access")
    assert again.returncode == 0 and "nothing to change" in again.stdout, again.stdout + again.stderr
    assert sorted(podman.run("ps", "--format", "{{.ID}} {{.Names}}").split("\n")) == sorted(before.split("\n"))
    seen = {one["name"]: one for one in json.loads(run("status", "--json", "--allow-host-access").stdout)["services"]}
    assert seen["web"]["state"] == "DEPLOYED"
    gone = run("down", "--yes", "--volumes", "--allow-host-access")
    assert gone.returncode == 0, gone.stderr
    assert podman.run("ps", "--all", "--quiet") == "" and podman.run("volume", "ls", "--quiet") == ""


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[podman_service.Podman]:
    folder = tmp_path_factory.mktemp("podman")
    service = podman_service.Podman(folder)
    service.build("docker.io/acme/busybox:1")
    yield service
    service.close()
    shutil.rmtree(folder, ignore_errors=True)
