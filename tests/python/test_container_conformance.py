"""The driver for containers keeps the contract of drivers, on a container engine in memory and on a real Podman."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

import podman_service
import pytest
from fake_engine import FakeEngine

pytest.importorskip("docker")
from orlop.drivers import Containers, DriverReport, check  # noqa: E402
from test_containers import IMAGE, probe  # noqa: E402
from test_containers_podman import SERVE  # noqa: E402
from test_containers_podman import probe as podman_probe  # noqa: E402

_reason = podman_service.reason_to_skip()
PORTS = [{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP"}]
NEVER_READY = {"arguments": ["unready"], "healthchecks": {"readiness_probe": probe(failure_threshold=600)}}


@pytest.fixture(autouse=True)
def stores_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.path.isdir("/dev/shm"):
        monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")


def expect_kept(report: DriverReport) -> None:
    assert report.ok and {one.outcome for one in report.results} == {"passed"}, str(report)


@pytest.mark.parametrize(
    "storage", ([], [{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}]), ids=["plain", "with a volume"]
)
def test_containers_keep_the_contract(storage: list[Mapping[str, Any]]) -> None:
    fake = FakeEngine()
    fake.add_image(IMAGE)
    service = {"image_name": "acme/web", "tag": "1", "ports": PORTS, "storage": storage}
    ready = {"healthchecks": {"readiness_probe": probe()}}
    report = check(
        lambda: Containers(fake.address, patience=20),
        service={**service, **ready},
        slow=NEVER_READY,
        broken={"arguments": ["exit", "3"]},
        job={
            "source": {"image": {"image_name": "acme/web", "tag": "1"}},
            "schedule": {"on_start": {"arguments": ["exit", "0"]}},
        },
        points=4,
    )
    expect_kept(report)
    assert not fake.containers and not fake.volumes and not fake.networks
    fake.close()


@pytest.mark.skipif(bool(_reason), reason=_reason)
def test_containers_of_podman_keep_the_contract(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("podman")
    podman = podman_service.Podman(folder)
    try:
        expect_kept(_checked(podman))
    finally:
        podman.close()
        shutil.rmtree(folder, ignore_errors=True)


def _checked(podman: podman_service.Podman) -> DriverReport:
    podman.build("docker.io/acme/busybox:1")
    service = {"image_name": "acme/busybox", "tag": "1", "memory": 64, "entrypoint": "/bin/sh"}
    service |= {"arguments": ["-c", SERVE.format(":")], "healthchecks": {"readiness_probe": podman_probe()}}
    service |= {"ports": [{"internal_port": 8080, "publicly_accessible": True, "protocol": "HTTP"}]}
    waiting = "trap 'exit 0' TERM; while :; do sleep 0.1; done"
    unready = {"readiness_probe": podman_probe(failure_threshold=600)}
    return check(
        lambda: Containers(podman.address, patience=20),
        service=service,
        slow={"arguments": ["-c", waiting], "healthchecks": unready},
        broken={"arguments": ["-c", "echo $TOKEN is wrong; exit 3"]},
        job={
            "source": {"image": {"image_name": "acme/busybox", "tag": "1"}},
            "schedule": {"on_start": {"entrypoint": "/bin/sh", "arguments": ["-c", "echo it has run"]}},
        },
        points=3,
    )
