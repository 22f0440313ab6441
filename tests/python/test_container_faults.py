"""The driver for containers when the container engine or the host fails between any two calls."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import orlop
import pytest
from fake_engine import FakeEngine

pytest.importorskip("docker")
from orlop.drivers.containers import Containers  # noqa: E402
from test_containers import IMAGE, Shop, wait_until  # noqa: E402


@pytest.fixture
def made() -> Iterator[Callable[[], FakeEngine]]:
    engines: list[FakeEngine] = []

    def make() -> FakeEngine:
        engine = FakeEngine()
        engine.add_image(IMAGE)
        engines.append(engine)
        return engine

    yield make
    for engine in engines:
        engine.close()


def furnish(shop: Shop) -> Any:
    """Creates a job and a service with a volume and a file: every kind of request is needed."""
    shop.environment.variables.create(key="CONF", value="x=1", mount_path="/etc/conf")
    shop.job(["exit", "0", json.dumps({"schema": {"value": "42"}})])
    return shop.container(storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])


def shape(fake: FakeEngine) -> Any:
    """Returns what exists, without ids."""
    containers = []
    for one in fake.containers.values():
        variables = one["Config"]["Env"]
        containers.append((one["State"]["Status"], one["files"], len(variables), "SCHEMA=42" in variables))
    return sorted(containers, key=str), len(fake.volumes), len(fake.networks)


def counted(fake: FakeEngine) -> tuple[int, Any]:
    """Deploys without a fault. Returns the number of requests, and what exists then."""
    shop = Shop(fake)
    furnish(shop)
    begun = len(fake.requests)
    assert shop.deploy().state == "DEPLOYED"
    shop.close()
    return len(fake.requests) - begun, shape(fake)


@pytest.mark.parametrize("fault", ("before", "after", "hang", "lie"))
def test_a_lost_answer_to_any_request_changes_nothing(made: Callable[[], FakeEngine], fault: str) -> None:
    count, wanted = counted(made())
    assert count >= 15
    for number in range(count):
        fake = made()
        shop = Shop(fake, timeout=0.3 if fault == "hang" else 60.0)
        furnish(shop)
        fake.faults[len(fake.requests) + number] = fault
        run = shop.deploy()
        said = (fault, number, fake.requests[number], run.reason)
        assert run.state == "DEPLOYED", said
        assert shape(fake) == wanted, said
        assert len(fake.started) == len(set(fake.started)), said
        shop.close()


def change(shop: Shop, service: Any) -> bool:
    service.edit(memory=700)
    return bool(service.deploy().wait().state == "DEPLOYED")


def stop(shop: Shop, service: Any) -> bool:
    return bool(service.stop().wait().state == "STOPPED")


def restart(shop: Shop, service: Any) -> bool:
    return bool(service.restart().wait().state == "RESTARTED")


def delete(shop: Shop, service: Any) -> bool:
    service.delete()
    wait_until(shop, lambda: not len(shop.environment.containers))
    return True


@pytest.mark.parametrize("storage", ([], [{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}]), ids=["", "volume"])
@pytest.mark.parametrize("action", (change, stop, restart, delete))
@pytest.mark.parametrize("fault", ("before", "after", "lie"))
def test_a_lost_answer_to_any_request_of_a_later_step_changes_nothing(
    made: Callable[[], FakeEngine], fault: str, action: Callable[[Shop, Any], bool], storage: Any
) -> None:
    wanted, number, count = None, -1, 0
    while number < count:  # the first one is without a fault
        fake = made()
        shop = Shop(fake)
        service = shop.container(storage=storage)
        assert shop.deploy().state == "DEPLOYED"
        begun = len(fake.requests)
        if number >= 0:
            fake.faults[begun + number] = fault
        succeeded = action(shop, service)
        said = (number, fake.requests[begun + max(number, 0)])
        assert succeeded, said
        if number < 0:
            wanted, count = shape(fake), len(fake.requests) - begun
            assert count > 1
        assert shape(fake) == wanted, said
        shop.close()
        number += 1


def recovers(fake: FakeEngine, shop: Shop, wanted: Any, said: Any) -> None:
    """Deploys again where the deployment has failed: one more is enough. A third touches nothing."""
    fake.faults.clear()
    run = shop.environment.deploy().wait()
    assert run.state == "DEPLOYED", (said, run.reason)
    assert shape(fake) == wanted, said
    shop.close()


def test_an_error_of_any_request_is_survived_or_is_the_reason(made: Callable[[], FakeEngine]) -> None:
    count, wanted = counted(made())
    failed = 0
    for number in range(count):
        fake = made()
        shop = Shop(fake)
        furnish(shop)
        fake.faults[len(fake.requests) + number] = "fail"
        run = shop.deploy()
        said = (number, fake.requests[number], run.reason)
        assert run.state in ("DEPLOYED", "DEPLOYMENT_ERROR"), said
        if run.state == "DEPLOYED":
            assert shape(fake) == wanted, said
        else:
            failed += 1
            assert "fault" in str(run.reason), said
        recovers(fake, shop, wanted, said)
    assert 0 < failed < count


def test_containers_that_vanish_between_any_two_requests_are_made_again(made: Callable[[], FakeEngine]) -> None:
    count, wanted = counted(made())
    for number in range(count):
        fake = made()
        shop = Shop(fake)
        furnish(shop)

        def vanish(fake: FakeEngine = fake) -> None:
            for one in list(fake.containers.values()):
                fake.vanish(one["Name"][1:])

        fake.faults[len(fake.requests) + number] = vanish
        run = shop.deploy()
        said = (number, fake.requests[number], run.reason)
        assert run.state in ("DEPLOYED", "DEPLOYMENT_ERROR"), said
        assert run.state == "DEPLOYED" or "removed" in str(run.reason) or "no such container" in str(run.reason), said
        recovers(fake, shop, wanted, said)


HOST = """
import sys
import orlop
from orlop.drivers.containers import Containers
with orlop.Engine(sys.argv[1], driver=Containers(sys.argv[2], patience=5), require_cluster=False) as engine:
    environment = engine.organizations.find("acme").projects.find("shop").environments.find("production")
    environment.deploy().wait()
"""


@pytest.mark.parametrize("when", ("before", "after"))
def test_a_host_that_is_killed_at_any_write_is_resumed(
    made: Callable[[], FakeEngine], tmp_path: pathlib.Path, when: str
) -> None:
    first = made()
    _, wanted = counted(first)
    for number in range(len(first.writes)):
        fake = made()
        store = str(tmp_path / f"{number}.db")
        shop = Shop(fake, store)
        furnish(shop)
        shop.close()
        process = subprocess.Popen([sys.executable, "-c", HOST, store, fake.address], env=dict(os.environ))

        def kill(at: str, write: int, number: int = number, process: subprocess.Popen[bytes] = process) -> None:
            if (at, write) == (when, number):
                process.kill()
                process.wait()

        (fake.cut_before if when == "before" else fake.cut_after).add(number)
        fake.on_write = kill
        assert process.wait(60) == -9, (when, number)
        driver = Containers(fake.address, patience=5)
        with orlop.Engine(store, driver=driver, require_cluster=False) as engine:
            environment = engine.organizations.find("acme").projects.find("shop").environments.find("production")
            engine._drive(lambda: environment.refresh().state == "DEPLOYED", 60, "the deployment")
            said = (when, number, fake.writes[number])
            assert shape(fake) == wanted, said
            assert len(fake.started) == 2, said  # the job has not run twice
            running = fake.running()
            assert environment.deploy().wait().state == "DEPLOYED"
            assert fake.running() == running and fake.started.count(running[0]) == 1, said


def test_a_pull_that_says_nothing_is_canceled(made: Callable[[], FakeEngine]) -> None:
    fake = made()
    fake.registry["docker.io/acme/new:2"] = {}
    fake.slow_pull = threading.Event()
    shop = Shop(fake)
    shop.container(image_name="acme/new", tag="2")
    run = shop.environment.deploy()
    wait_until(shop, lambda: any("images/create" in one for one in fake.requests))
    shop.environment.cancel()
    assert run.wait(20).state == "CANCELED"
    assert not fake.slow_pull.is_set() and not fake.containers
    fake.slow_pull.set()
    shop.close()
