"""The driver for containers against a container engine in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import orlop
import pytest
from fake_engine import FakeEngine

pytest.importorskip("docker")
from orlop.drivers.containers import Containers  # noqa: E402

IMAGE = "docker.io/acme/web:1"


@pytest.fixture
def fake() -> Iterator[FakeEngine]:
    engine = FakeEngine()
    engine.add_image(IMAGE)
    yield engine
    engine.close()


class Shop:
    """A platform with one environment on the driver."""

    def __init__(self, fake: FakeEngine, store: str = "memory:", timeout: float = 60.0) -> None:
        self.driver = Containers(fake.address, patience=5, timeout=timeout)
        self.engine = orlop.Engine(store, driver=self.driver, require_cluster=False)
        self.fake = fake
        self.acme = self.engine.organizations.create(name="acme", plan="FREE")
        self.hub = self.acme.container_registries.create(
            name="hub", kind="DOCKER_HUB", config={"username": "acme", "password": "hub-secret"}
        )
        self.acme.clusters.create(name="local", region="eu-west-3", cloud_provider="AWS")
        self.environment = self.acme.projects.create(name="shop").environments.create(name="production")

    def container(self, name: str = "web", **fields: Any) -> Any:
        given: dict[str, Any] = {
            "image_name": "acme/web",
            "tag": "1",
            "ports": [{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP"}],
            "healthchecks": {"readiness_probe": probe()},
        }
        return self.environment.containers.create(name=name, registry_id=self.hub.id, **{**given, **fields})

    def job(self, arguments: list[str], **fields: Any) -> Any:
        image: Any = {"registry_id": self.hub.id, "image_name": "acme/web", "tag": "1"}
        return self.environment.jobs.create(
            name="migrate",
            source={"image": image},
            schedule={"on_start": {"arguments": arguments}},
            healthchecks={},
            **fields,
        )

    def deploy(self) -> Any:
        return self.environment.deploy().wait()

    def close(self) -> None:
        self.engine.close()


def probe(**fields: Any) -> dict[str, Any]:
    times = {"initial_delay_seconds": 0, "period_seconds": 1, "timeout_seconds": 1, "failure_threshold": 1}
    return {"type": {"http": {"port": 80, "path": "/"}}, **times, **fields}


@pytest.fixture
def shop(fake: FakeEngine) -> Iterator[Shop]:
    made = Shop(fake)
    yield made
    made.close()


def test_a_service_becomes_containers_with_labels_and_addresses(shop: Shop) -> None:
    service = shop.container(min_running_instances=2, max_running_instances=2)
    assert shop.deploy().state == "DEPLOYED"
    pods = shop.driver.pods(str(service.id))
    assert [pod["state"] for pod in pods] == ["running", "running"]
    one = next(iter(shop.fake.containers.values()))
    assert one["Config"]["Labels"]["platform.io/service-id"] == str(service.id)
    assert one["Config"]["HostConfig"]["NetworkMode"] == f"platform-{shop.environment.id}"
    assert one["Config"]["StopTimeout"] == 60
    assert any("answers at http://127.0.0.1:" in str(event) for event in shop.engine.events())


def test_nothing_unchanged_is_touched(shop: Shop) -> None:
    for number in range(5):
        shop.container(f"web{number}")
    assert shop.deploy().state == "DEPLOYED"
    written = len(shop.fake.writes)
    assert shop.deploy().state == "DEPLOYED"
    assert shop.fake.writes[written:] == []


def test_a_changed_service_is_ready_before_the_old_one_stops(shop: Shop) -> None:
    service = shop.container()
    shop.deploy()
    old = shop.fake.running()
    written = len(shop.fake.writes)
    service.edit(arguments=["serve"])
    assert shop.deploy().state == "DEPLOYED"
    new = shop.fake.running()
    assert len(new) == 1 and new != old
    verbs = [one.split("/")[-1].split("?")[0] for one in shop.fake.writes[written:]]
    assert verbs.index("start") < verbs.index("stop")
    assert len(shop.fake.containers) == 1


@pytest.mark.parametrize("arguments", (["exit", "3"], ["unready"]))
def test_if_the_new_version_fails_the_old_one_stays(shop: Shop, arguments: list[str]) -> None:
    service = shop.container()
    shop.deploy()
    old = shop.fake.running()
    service.edit(arguments=arguments)
    failed = shop.deploy()
    assert failed.state == "DEPLOYMENT_ERROR"
    assert "log of app-" in str(failed.reason)
    assert ("exit code 3" if arguments[0] == "exit" else "HTTP 503") in str(failed.reason)
    assert shop.fake.running() == old
    service.edit(arguments=[])
    assert shop.deploy().state == "DEPLOYED"
    assert shop.fake.running() == old


def test_a_service_with_a_volume_stops_first_and_comes_back_if_the_new_one_fails(shop: Shop) -> None:
    service = shop.container(storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])
    shop.deploy()
    old = shop.fake.running()
    written = len(shop.fake.writes)
    service.edit(arguments=["exit", "1"])
    assert shop.deploy().state == "DEPLOYMENT_ERROR"
    assert shop.fake.running() == old
    verbs = [one.split("/")[-1].split("?")[0] for one in shop.fake.writes[written:]]
    assert verbs.index("stop") < verbs.index("start")
    assert len(shop.fake.volumes) == 1


@pytest.mark.parametrize("cut", ("cut_before", "cut_after"))
def test_a_lost_connection_at_each_write_leaves_one_container(fake: FakeEngine, cut: str) -> None:
    number = 0
    while True:
        shop = Shop(fake)
        begun = len(fake.writes)
        getattr(fake, cut).add(begun + number)
        try:
            variables = shop.environment.variables.create(key="CONF", value="x=1", mount_path="/etc/conf")
            assert variables is not None
            service = shop.container(storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])
            assert shop.deploy().state == "DEPLOYED", (cut, number)
            assert len(shop.driver.pods(str(service.id))) == 1
            assert len([one for one in fake.networks.values() if one["Name"].endswith(str(shop.environment.id))]) == 1
            made = len(fake.writes) - begun
        finally:
            shop.close()
        number += 1
        if number >= made:
            break
    assert number >= 5


def test_a_name_in_use_is_the_container_of_the_first_try(shop: Shop) -> None:
    shop.container()
    shop.deploy()
    created = [at for at, one in enumerate(shop.fake.writes) if one.endswith("/create") and "containers" in one]
    assert len(created) == 1


def test_an_engine_that_serves_only_newer_versions_is_asked_in_one_of_them(shop: Shop) -> None:
    shop.fake.version_least = 44
    shop.container()
    assert shop.deploy().state == "DEPLOYED"


def test_names_that_an_unfinished_call_has_taken_are_waited_for(shop: Shop) -> None:
    shop.fake.reserved = 1
    shop.container("first")
    assert shop.deploy().state == "DEPLOYED"
    shop.fake.reserved = 2
    shop.container("second")
    assert shop.deploy().state == "DEPLOYED"
    assert len(shop.fake.running()) == 2


def test_a_failed_start_is_the_reason(shop: Shop) -> None:
    shop.fake.fail.add(2)  # network, container, start
    shop.container()
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR"
    assert "cannot be started: fault" in str(run.reason)
    assert shop.fake.running() == []


def test_a_container_that_vanished_is_made_again(shop: Shop) -> None:
    service = shop.container()
    shop.deploy()
    (name,) = shop.fake.running()
    shop.fake.vanish(name)
    assert shop.deploy().state == "DEPLOYED"
    assert len(shop.driver.pods(str(service.id))) == 1


def test_a_killed_container_is_made_again(shop: Shop) -> None:
    shop.container()
    shop.deploy()
    (name,) = shop.fake.running()
    shop.fake.kill(name)
    assert shop.deploy().state == "DEPLOYED"
    assert shop.fake.running() == [name]


def test_an_image_is_pulled_with_the_credentials_of_the_registry(shop: Shop) -> None:
    shop.fake.registry["docker.io/acme/new:2"] = {}
    shop.container(image_name="acme/new", tag="2")
    assert shop.deploy().state == "DEPLOYED"
    import base64

    (auth,) = {json.loads(base64.urlsafe_b64decode(one))["password"] for one in shop.fake.auths}
    assert auth == "hub-secret"


def test_an_image_that_the_registry_lacks_is_the_reason(shop: Shop) -> None:
    shop.container(image_name="acme/absent", tag="2")
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR"
    assert "the image is not in the registry (manifest unknown)" in str(run.reason)


def test_files_are_added_before_the_start_and_secrets_are_in_no_label(shop: Shop) -> None:
    shop.environment.variables.create(key="TOKEN", value="token-secret", is_secret=True)
    shop.environment.variables.create(key="CONF", value="x=1", mount_path="/etc/conf")
    shop.container()
    assert shop.deploy().state == "DEPLOYED"
    one = next(iter(shop.fake.containers.values()))
    assert one["files"]["/etc/conf"] == b"x=1"
    assert "CONF=/etc/conf" in one["Config"]["Env"] and "TOKEN=token-secret" in one["Config"]["Env"]
    assert "token-secret" not in json.dumps([one["Config"]["Labels"], one["Config"].get("Cmd")])


def test_stop_keeps_the_volume_and_delete_removes_everything(shop: Shop) -> None:
    service = shop.container(storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])
    shop.deploy()
    shop.environment.stop().wait()
    assert shop.fake.running() == [] and len(shop.fake.volumes) == 1
    assert shop.deploy().state == "DEPLOYED"
    assert len(shop.fake.running()) == 1
    shop.engine.request("DELETE", f"/container/{service.id}")
    wait_until(shop, lambda: not shop.fake.networks)
    assert not shop.fake.containers and not shop.fake.volumes


def test_uninstall_keeps_the_volume(shop: Shop) -> None:
    shop.container(storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])
    shop.deploy()
    shop.engine.request("POST", f"/environment/{shop.environment.id}/uninstall")
    wait_until(shop, lambda: not shop.fake.containers)
    assert len(shop.fake.volumes) == 1


def test_restart_keeps_the_container(shop: Shop) -> None:
    service = shop.container()
    shop.deploy()
    before = set(shop.fake.containers)
    assert service.restart().wait().state == "RESTARTED"
    assert set(shop.fake.containers) == before
    assert shop.fake.writes[-1].endswith("/restart")


def test_a_job_runs_to_its_end_and_its_outputs_reach_later_services(shop: Shop) -> None:
    shop.job(["exit", "0", json.dumps({"schema": {"value": "42"}, "token": {"value": "t0ken-x", "sensitive": True}})])
    shop.container()
    assert shop.deploy().state == "DEPLOYED"
    (name,) = shop.fake.running()
    environment = shop.fake._container(name)["Config"]["Env"]
    assert "SCHEMA=42" in environment and "TOKEN=t0ken-x" in environment
    assert len(shop.fake.containers) == 2  # that of the job stays until its next run
    assert shop.deploy().state == "DEPLOYED"
    assert len(shop.fake.containers) == 2 and shop.fake.running() == [name]


def test_a_job_is_repeated_and_its_last_failure_is_the_reason(shop: Shop) -> None:
    shop.job(["exit", "7"], max_nb_restart=2)
    run = shop.deploy()
    assert run.state == "DEPLOYMENT_ERROR"
    assert "exit code 7" in str(run.reason) and "log of job-" in str(run.reason)
    assert len([one for one in shop.fake.writes if one.endswith("/start")]) == 3


def test_broken_outputs_are_none_and_the_job_succeeds(shop: Shop) -> None:
    shop.job(["exit", "0", "not JSON"])
    assert shop.deploy().state == "DEPLOYED"
    assert any("the outputs of the job are left out" in str(event) for event in shop.engine.events())


def test_orphans_are_listed_and_removed(shop: Shop) -> None:
    kept = shop.container("kept")
    gone = shop.container("gone", storage=[{"type": "FAST_SSD", "size": 1, "mount_point": "/data"}])
    shop.deploy()
    found = shop.driver.orphans([str(kept.id)])
    assert sorted(one["kind"] for one in found) == ["container", "volume"]
    assert {one["service"] for one in found} == {str(gone.id)}
    shop.driver.remove_orphans([str(kept.id)])
    assert shop.driver.orphans([str(kept.id)]) == []
    assert len(shop.fake.running()) == 1


def test_a_canceled_deployment_leaves_the_old_containers(shop: Shop) -> None:
    service = shop.container()
    shop.deploy()
    old = shop.fake.running()
    service.edit(arguments=["unready"], healthchecks={"readiness_probe": probe(failure_threshold=1000)})
    run = shop.environment.deploy()
    wait_until(shop, lambda: len(shop.fake.running()) == 2)
    shop.environment.cancel()
    wait_until(shop, lambda: shop.fake.running() == old)
    assert run.wait().state == "CANCELED"


def test_a_helm_service_fails_with_the_reason(fake: FakeEngine) -> None:
    driver = Containers(fake.address)
    facts = {"id": "s", "kind": "deploy", "_configuration": b'{"service_type": "HELM", "name": "x"}'}
    step = orlop.Step(facts, None)  # type: ignore[arg-type]
    with pytest.raises(orlop.DriverFailed, match="needs a Kubernetes cluster"):
        driver.deploy(step)


def wait_until(shop: Shop, condition: Callable[[], bool]) -> None:
    """Runs the engine until the condition holds."""
    import threading

    for _ in range(1000):
        shop.engine.tick()
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("the condition did not come true")
