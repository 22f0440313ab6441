"""Several requests in one transaction."""

from __future__ import annotations

import gc
import queue
import threading
from pathlib import Path

import pytest

import orlop


def names(engine: orlop.Engine) -> list[str]:
    return sorted(organization.name for organization in engine.organizations)


def test_a_batch_takes_effect_at_its_end(tmp_path: Path) -> None:
    with orlop.Engine(tmp_path / "platform.db") as engine, orlop.Engine(tmp_path / "platform.db") as other:
        with engine.batch() as batch:
            organization = batch.organizations.create(name="acme", plan="FREE")
            project = organization.projects.create(name="shop", metadata={"customer": "17"})
            assert [found.name for found in organization.projects] == ["shop"]
            assert batch.request("GET", f"/project/{project.id}").json()["metadata"] == {"customer": "17"}
            assert names(other) == []
        assert names(engine) == names(other) == ["acme"]
        assert organization.projects.get(project.id).name == "shop"  # uses the engine from now on
        assert [event["kind"] for event in engine.events(kinds=["organization.*", "project.*"])] == [
            "organization.created",
            "project.created",
        ]


def test_an_exception_leaves_nothing() -> None:
    with orlop.Engine() as engine:
        with pytest.raises(KeyError), engine.batch() as batch:
            batch.organizations.create(name="acme", plan="FREE")
            raise KeyError("of the host")
        assert names(engine) == [] and engine.events() == []
        engine.organizations.create(name="acme", plan="FREE")  # the store is free again


def test_a_change_that_is_refused_leaves_nothing() -> None:
    with orlop.Engine() as engine:
        engine.organizations.create(name="acme", plan="FREE")
        last = engine.last_event
        with (
            pytest.raises(orlop.Conflict, match=r"request 2, POST /organization, was refused with 409"),
            engine.batch() as batch,
        ):
            batch.organizations.create(name="other", plan="FREE")
            assert batch.request("POST", "/organization", {"name": "acme", "plan": "FREE"}).status == 409
        assert names(engine) == ["acme"] and engine.last_event == last
        with pytest.raises(orlop.Conflict), engine.batch() as batch:
            batch.organizations.create(name="acme", plan="FREE")
        with pytest.raises(orlop.Conflict), engine.batch() as batch:
            batch.request("POST", "/organization", b"{")
            batch.organizations.create(name="late", plan="FREE")
        assert names(engine) == ["acme"]


def test_a_refused_read_ends_nothing() -> None:
    with orlop.Engine() as engine:
        with engine.batch() as batch:
            assert batch.request("GET", "/nowhere").status == 404
            with pytest.raises(orlop.NotFound):
                batch.organizations.get("00000000-0000-4000-8000-000000000000")
            batch.organizations.create(name="acme", plan="FREE")
        assert names(engine) == ["acme"]


def test_keys_and_preconditions_work() -> None:
    key = {"Idempotency-Key": "k1"}
    body = {"name": "acme", "plan": "FREE"}
    with orlop.Engine() as engine:
        with engine.batch() as batch:
            first = batch.request("POST", "/organization", body, key)
            again = batch.request("POST", "/organization", body, key)
            assert first.status == 201 and again.body == first.body and again.headers["idempotency-replayed"] == "true"
        kept = engine.request("POST", "/organization", body, key)
        assert kept.body == first.body and names(engine) == ["acme"]
        path = f"/organization/{first.json()['id']}"
        tag = engine.request("GET", path).headers["etag"]
        with pytest.raises(orlop.Conflict), engine.batch() as batch:
            assert batch.request("PUT", path, body, {"If-Match": '"77"'}).status == 412
        with engine.batch() as batch:
            assert batch.request("PUT", path, {**body, "description": "x"}, {"If-Match": tag}).status == 200
        # A key of a batch that was rolled back can be used again.
        with pytest.raises(ZeroDivisionError), engine.batch() as batch:
            batch.request("POST", "/organization", {"name": "second", "plan": "FREE"}, {"Idempotency-Key": "k2"})
            1 / 0
        assert (
            engine.request("POST", "/organization", {"name": "third", "plan": "FREE"}, {"Idempotency-Key": "k2"}).status
            == 201
        )


def test_a_deployment_begins_after_the_batch() -> None:
    with orlop.Simulation(require_cluster=False) as sim:
        with sim.batch() as batch:
            organization = batch.organizations.create(name="acme", plan="FREE")
            cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
            environment = organization.projects.create(name="shop").environments.create(
                name="production", cluster_id=cluster.id
            )
            environment.databases.create(name="store", type="REDIS", version="7", mode="CONTAINER")
            assert batch.request("POST", f"/environment/{environment.id}/deploy").status < 300
        sim.run_until_idle()
        assert sim.request("GET", f"/environment/{environment.id}/status").json()["state"] == "DEPLOYED"


def test_the_end_of_a_batch_wakes_the_engine_that_waits() -> None:
    begun: queue.Queue[str] = queue.Queue()

    class Reporting(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            begun.put(step.kind)

    with orlop.Engine(driver=Reporting(), require_cluster=False) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        environment.databases.create(name="store", type="REDIS", version="7", mode="CONTAINER")
        running = threading.Thread(target=engine.run)
        running.start()
        try:
            environment.deploy().wait(timeout=60)
            begun.get(timeout=60)
            with engine.batch() as batch:
                batch.request("POST", f"/environment/{environment.id}/redeploy").check()
            assert begun.get(timeout=60) == "deploy"
        finally:
            engine.stop()
            running.join()


def test_what_takes_several_commits_is_refused() -> None:
    with orlop.Simulation(require_cluster=False) as sim:
        organization = sim.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        for number in range(300):
            environment.databases.create(name=f"store {number}", type="REDIS", version="7", mode="CONTAINER")
        with pytest.raises(orlop.Conflict), sim.batch() as batch:
            refused = batch.request("POST", f"/environment/{environment.id}/clone", {"name": "copy", "mode": "STAGING"})
            assert refused.status == 409 and "several commits" in refused.json()["message"]
        assert len(list(organization.projects.list()[0].environments)) == 1


def test_a_batch_belongs_to_its_thread_and_is_the_only_way_in() -> None:
    with orlop.Engine() as engine:
        with engine.batch() as batch:
            with pytest.raises(orlop.Misuse, match="open batch"):
                engine.organizations.create(name="deadlock", plan="FREE")
            with pytest.raises(orlop.Misuse, match="open batch"), engine.batch():
                pass
            with pytest.raises(orlop.Misuse, match="open batch"):
                engine.tick()
            raised: list[BaseException] = []

            def elsewhere() -> None:
                try:
                    batch.organizations.create(name="elsewhere", plan="FREE")
                except orlop.Misuse as error:
                    raised.append(error)

            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
            assert len(raised) == 1 and "thread" in str(raised[0])
            batch.organizations.create(name="acme", plan="FREE")
        assert names(engine) == ["acme"]
        with pytest.raises(orlop.Misuse, match="with"), batch:
            pass
        with pytest.raises(orlop.Misuse, match="with"):
            engine.batch().request("GET", "/organization")


def test_a_batch_that_is_forgotten_ends_with_its_object() -> None:
    with orlop.Engine() as engine:
        forgotten = engine.batch()
        forgotten.__enter__()
        forgotten.organizations.create(name="lost", plan="FREE")
        del forgotten
        gc.collect()
        engine.organizations.create(name="acme", plan="FREE")
        assert names(engine) == ["acme"]


def test_others_wait_for_the_end_of_a_batch() -> None:
    with orlop.Engine() as engine:
        with engine.batch() as batch:
            batch.organizations.create(name="first", plan="FREE")
            thread = threading.Thread(target=lambda: engine.organizations.create(name="second", plan="FREE"))
            thread.start()
            batch.organizations.create(name="third", plan="FREE")
        thread.join()
        kinds = [event["detail"]["name"] for event in engine.events(kinds=["organization.created"])]
        assert kinds == ["first", "third", "second"]


def test_credentials_have_no_place_in_a_batch() -> None:
    with orlop.Engine() as engine, pytest.raises(orlop.Misuse, match="Authorization"), engine.batch() as batch:
        batch.request("GET", "/organization", headers={"Authorization": "Token x"})
