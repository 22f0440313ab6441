"""Simulations that return to a snapshot, in place, and forks."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish


def simulated(platform: Platform) -> orlop.Simulation:
    assert isinstance(platform.engine, orlop.Simulation)
    return platform.engine


def test_a_simulation_goes_back_and_does_the_same_again(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", after=orlop.lognormal("40s", sigma=0.4), fails="flaky", times=1)
    web = platform.container()
    before = simulation.snapshot()
    at, events = simulation.now(), simulation.events()

    def go_on() -> list[dict[str, object]]:
        platform.environment.deploy().wait()
        platform.environment.deploy().wait()
        platform.container("later")
        simulation.rules.clear()
        simulation.faults.add(status=503, operation="list_organization")
        simulation.clock.advance(hours=3)
        return simulation.events()

    first = go_on()
    assert web.state == "DEPLOYED"
    simulation.restore(before)
    assert (simulation.now(), simulation.events(), web.state) == (at, events, "READY")
    assert len(simulation.rules) == 1
    assert list(simulation.faults) == []
    assert go_on() == first
    simulation.restore(before)
    assert go_on() == first


def test_a_simulation_goes_back_with_another_seed() -> None:
    def go_on(simulation: orlop.Simulation, environment: str) -> tuple[list[dict[str, Any]], list[int]]:
        since = simulation.last_event
        asked = [simulation.request("GET", "/organization").status for _ in range(20)]
        simulation.request("POST", f"/environment/{environment}/redeploy").check()
        simulation.run_until_idle()
        return simulation.events(since), asked

    with orlop.Simulation(seed=4) as simulation:
        platform = furnish(simulation)
        platform.container("web")
        platform.container("worker")
        simulation.rules.add(step="deploy", after=orlop.lognormal("40s", sigma=0.4))
        simulation.faults.add(operation="list_organization", status=503, probability=0.5)
        platform.environment.deploy().wait()
        before, id = simulation.snapshot(), platform.environment.id
        first = go_on(simulation, id)
        by_seed: dict[int, tuple[list[dict[str, Any]], list[int]]] = {}
        for seed in (9, 10, 9, 4):
            simulation.restore(before, seed=seed)
            assert simulation.seed == seed
            found = go_on(simulation, id)
            assert by_seed.setdefault(seed, found) == found
            with orlop.Simulation(seed=seed, snapshot=bytes(before)) as opened:
                assert go_on(opened, id) == found, "as a simulation that is opened with this seed"
            with simulation.fork() as fork:
                assert fork.seed == seed
        assert len({json.dumps(found) for found in by_seed.values()}) == 3 and by_seed[4] == first
        simulation.restore(before, seed=9)
        simulation.restore(before)
        assert simulation.seed == 4 and go_on(simulation, id) == first, "with the seed that it had then"
        simulation.restore(bytes(before), seed=9)
        assert go_on(simulation, id) == by_seed[9]
        simulation.restore(bytes(before))
        assert simulation.seed == 9 and go_on(simulation, id) == by_seed[9], "bytes have no seed"


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_a_seed_that_is_none_changes_nothing(seed: Any, platform: Platform) -> None:
    simulation = simulated(platform)
    before, events = simulation.snapshot(), simulation.last_event
    platform.container()
    with pytest.raises(orlop.Misuse, match="seed must be a whole number|seed must be 0 to"):
        simulation.restore(before, seed=seed)
    assert simulation.last_event > events
    with pytest.raises(orlop.Misuse, match="snapshot must be a snapshot of a simulation"):
        simulation.restore(None, seed=7)  # type: ignore[arg-type]
    assert simulation.seed == 1


def test_a_fork_reports_crashes_of_one_instant_in_their_order(platform: Platform) -> None:
    simulation = simulated(platform)
    simulation.rules.add(step="deploy", crash_after="1h")
    first, second = platform.container("first"), platform.container("second")
    second.deploy().wait()
    first.deploy().wait()
    with simulation.fork() as other, other.fork() as third:
        for each in (simulation, other, third):
            each.clock.advance(hours=2)
        assert [event["subject"] for event in simulation.events.where(kind="service.running_changed")] == [
            second.id,
            first.id,
        ]
        assert simulation.events() == other.events() == third.events()


def test_each_seed_of_a_simulation_is_one_to_go_back_with(platform: Platform) -> None:
    simulation, seed = simulated(platform), 2**64 - 1
    simulation.restore(simulation.snapshot(), seed=seed)
    with orlop.Simulation(seed=seed) as other:
        assert simulation.seed == other.seed == seed


def test_running_steps_go_on_where_they_were(platform: Platform) -> None:
    simulation, web = simulated(platform), platform.container()
    simulation.rules.add(step="deploy", after="100s")
    simulation.transitions["cluster"] = "manual"
    run = web.deploy()
    simulation.clock.advance(seconds=10)
    platform.cluster.deploy()
    simulation.clock.advance(seconds=30)
    middle = simulation.snapshot()
    for _ in range(3):
        assert web.state == "DEPLOYING"
        simulation.clock.advance(seconds=59)
        assert web.state == "DEPLOYING"
        simulation.clock.advance(seconds=1)
        assert web.state == "DEPLOYED"
        simulation.advance(platform.cluster)
        assert platform.cluster.state()["status"] == "DEPLOYED"
        simulation.restore(middle)
        assert platform.cluster.state()["status"] == "DEPLOYING"
    assert run.id


def test_a_snapshot_is_bytes_of_then(platform: Platform) -> None:
    simulation = simulated(platform)
    before = simulation.snapshot()
    platform.container()
    assert bytes(before) == before
    assert memoryview(before).nbytes == len(before)
    assert b'"web"' not in bytes(before)
    assert b'"web"' in bytes(simulation.snapshot())
    assert pickle.loads(pickle.dumps(before)) == before
    with orlop.Simulation(seed=1, snapshot=before) as second:
        assert second.events() == simulation.events()[: len(second.events())]


def test_a_later_snapshot_is_gone(platform: Platform) -> None:
    simulation = simulated(platform)
    first = simulation.snapshot()
    platform.container()
    second = simulation.snapshot()
    simulation.restore(second)
    simulation.restore(first)
    with pytest.raises(orlop.Conflict, match="taken by another simulation, or after one that has been restored since"):
        simulation.restore(second)
    simulation.restore(first)


def test_a_snapshot_of_another_simulation_is_taken_in_place(platform: Platform) -> None:
    simulation = simulated(platform)
    with orlop.Simulation(seed=9) as other:
        furnish(other).container("elsewhere")
        other.rules.pack("chaos")
        other.clock.advance(hours=5)
        simulation.restore(other.snapshot())
        assert simulation.now() == other.now()
        assert simulation.events() == other.events()
        assert simulation.rules.to_dict()["pack"] == "chaos"
        simulation.organizations.find("acme").projects.create(name="more")
    with pytest.raises(orlop.Misuse):
        simulation.restore(b"no snapshot")
    assert simulation.organizations.find("acme").projects.find("more").name == "more"


def test_a_fork_goes_its_own_way(platform: Platform) -> None:
    simulation, web = simulated(platform), platform.container()
    simulation.rules.add(step="deploy", after="1m")
    with simulation.fork() as second:
        assert second.events() == simulation.events()
        web.deploy().wait()
        assert second.request("GET", f"/container/{web.id}/status").json()["state"] == "READY"
        second.request("POST", f"/container/{web.id}/deploy")
        second.run_until_idle()
        assert second.events() == simulation.events()


def test_a_fork_outlives_its_origin_and_has_forks(platform: Platform) -> None:
    simulation, web = simulated(platform), platform.container()
    simulation.rules.add(step="deploy", after="1m")
    simulation.externals.add("list_*", error="rate limit")
    web.deploy()
    simulation.clock.advance(seconds=20)
    with simulation.fork() as other:
        expected = [simulation.run_until_idle(), simulation.events()]
        simulation.close()
        assert len(list(other.externals)) == 1
        with other.fork() as third:
            assert [other.run_until_idle(), other.events()] == expected
            assert [third.run_until_idle(), third.events()] == expected


def test_a_fork_of_a_file_is_in_memory(tmp_path: object) -> None:
    with orlop.Simulation(f"sqlite:{tmp_path}/store.db", seed=3) as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", after="1m")
        simulation.externals.add("list_*", error="rate limit")
        platform.container().deploy()
        simulation.clock.advance(seconds=20)
        with simulation.fork() as other:
            other.run_until_idle()
            assert len(list(other.externals)) == 1 and other.events() != simulation.events()
            simulation.run_until_idle()
            assert other.events() == simulation.events()
            other.restore(other.snapshot())


def test_a_rule_that_is_added_to_a_fork_is_for_steps_that_begin_later(platform: Platform) -> None:
    simulation, web = simulated(platform), platform.container()
    simulation.rules.add(step="deploy", after="1m")
    web.deploy()
    simulation.clock.advance(seconds=20)
    with simulation.fork() as other:
        for each in (simulation, other):
            each.rules.add(step="deploy", after="1m", fails="too late")
            each.transitions["container"] = "manual"
            each.run_until_idle()
        assert web.state == "DEPLOYED" and other.events() == simulation.events()


def test_a_file_is_not_restored_in_place(tmp_path: object) -> None:
    with orlop.Simulation(f"sqlite:{tmp_path}/store.db") as simulation:
        before = simulation.snapshot()
        assert isinstance(before, bytes)
        with pytest.raises(orlop.Conflict, match="only a store in memory is restored in place"):
            simulation.restore(before)


def test_a_driver_of_the_host_goes_back_too() -> None:
    class Slow(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await step.sleep(100)

    with orlop.Simulation(driver=Slow()) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        before = simulation.snapshot()
        web.deploy()
        simulation.clock.advance(seconds=50)
        simulation.restore(before)
        assert web.state == "READY"
        begun = simulation.now()
        assert web.deploy().wait().ok
        assert (simulation.now() - begun).total_seconds() == 100


@pytest.mark.parametrize("key", [None, b"k" * 32])
@pytest.mark.parametrize("storage", ["memory:", "sqlite"])
def test_a_fork_has_the_secrets_of_its_origin(storage: str, key: bytes | None, tmp_path: Path) -> None:
    with orlop.Simulation(
        storage if storage == "memory:" else tmp_path / "origin.db", seed=1, secret_key=key
    ) as simulation:
        stock = furnish(simulation).environment.databases.create(
            name="stock", type="POSTGRESQL", version="16", mode="CONTAINER"
        )
        credentials = simulation.request("GET", f"/database/{stock.id}/masterCredentials").check()
        assert credentials["password"]
        with simulation.fork() as fork:
            assert fork.request("GET", f"/database/{stock.id}/masterCredentials").check() == credentials
            text = bytes(fork.snapshot())
        assert credentials["password"].encode() not in text


@pytest.mark.parametrize("storage", ["memory:", "sqlite"])
def test_a_rule_of_a_fork_does_not_apply_to_what_runs(storage: str, tmp_path: Path) -> None:
    with orlop.Simulation(storage if storage == "memory:" else tmp_path / "origin.db", seed=1) as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", after="1m")
        stock = platform.environment.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
        stock.deploy()
        simulation.clock.advance(seconds=20)
        with simulation.fork() as fork:
            fork.rules.add(step="deploy", after="1h")
            assert fork.run_until_idle() == 40


def edited_at(snapshot: bytes, member: str, value: Any) -> bytes:
    """Returns the snapshot with another value of a member of its line `simulation`."""
    *lines, last = snapshot.splitlines()
    given = json.loads(last)
    *way, name = (int(part) if part.isdigit() else part for part in re.findall(r"\w+", member))
    at = given["simulation"]
    for part in way:
        at = at[part]
    at[name] = value
    return b"\n".join([*lines, json.dumps(given).encode(), b""])


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("timers[0]", 7),
        ("receivers[0].status", "503"),
        ("faults.faults[0].applied", -1),
        ("rules.rules[0].matched", "two"),
        ("capacity.clusters[0].last_number", "one"),
        ("capacity.clusters", "europe"),
        ("record", "some"),
        ("nonsense", {"a": 0.5}),
    ],
)
def test_an_edited_snapshot_is_refused_by_its_member_and_changes_nothing(member: str, value: Any) -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", after=1.5, probability=1.0)
        simulation.faults.add(operation="deploy_*", status=503)
        simulation.receivers.add(status=503, times=2)
        simulation.capacity(platform.cluster, nodes=1, cpu=4, memory="16GiB")
        simulation.hold(platform.cluster, lasts="5m")
        edited = edited_at(bytes(simulation.snapshot()), member, value)
        with pytest.raises(orlop.Misuse, match=re.escape(member)):
            orlop.Simulation(snapshot=edited)
        simulation.rules.clear()
        before = bytes(simulation.snapshot())
        with pytest.raises(orlop.Misuse, match=re.escape(member)):
            simulation.restore(edited)
        assert bytes(simulation.snapshot()) == before


@pytest.mark.parametrize(
    ("member", "values"),
    [
        ("driver", ["", [], 0, False, {"steps": ""}, {"awaited": {}}]),
        ("driver.steps", ["", {}, 0, False]),
        ("driver.awaited", ["", {}, 0, False]),
        ("driver.steps[0].kind", ["", [], {}, False]),
        ("driver.steps[0].rule.duration", ["", [], {}, False]),
        ("driver.steps[0].reports", ["", {}, 0, False]),
        ("driver.steps[0].rule", ["", [], 0, False, {"reason": 0}, {"reports": {}}]),
        ("driver.steps[0].is_held", ["", [], 0]),
        ("driver.steps[0].reports[0].text", [0, [], False]),
        ("timers", ["", {}, 0, False]),
        ("receivers", ["", {}, 0, False]),
        ("capacity", ["", [], 0, False, {"clusters": ""}]),
        ("capacity.clusters", ["", {}, 0, False]),
        ("capacity.clusters[0].placements[0].lost", [[], {}, 0, False]),
        ("queued[0].rule", ["", [], 0, False]),
        ("queued[0].rule.kind", [[], {}, 0, False]),
        ("queued[0].rule.parallel", ["", [], {}, False]),
        ("queued", ["", {}, 0, False]),
        ("lifetimes", ["", {}, 0, False]),
        ("faults", ["", [], 0, False]),
        ("externals", ["", [], 0, False]),
    ],
)
def test_an_empty_value_of_another_type_is_refused_by_its_member(member: str, values: list[Any]) -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", kind="environment", parallel=2)
        simulation.rules.add(step="deploy", after="1h")
        simulation.receivers.add(status=503, times=2)
        simulation.capacity(platform.cluster, nodes=1, cpu=4, memory="16GiB")
        platform.container().deploy()
        simulation.clock.advance(seconds=30)
        simulation.hold(platform.cluster, lasts="5m")
        snapshot = bytes(simulation.snapshot())
        for value in values:
            name = member + "".join(f".{each}" for each in value) if isinstance(value, dict) and value else member
            with pytest.raises(orlop.Misuse, match=re.escape(name)):
                orlop.Simulation(snapshot=edited_at(snapshot, member, value))
        assert bytes(simulation.snapshot()) == snapshot


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("driver.steps[0].is_held", False),
        ("driver.steps[0].rule.hold", 0),
        ("driver.steps[0].withheld", []),
        ("lifetimes", []),
    ],
)
def test_an_empty_value_of_the_type_of_a_member_is_as_if_it_were_left_out(member: str, value: Any) -> None:
    with orlop.Simulation(seed=1) as simulation:
        platform = furnish(simulation)
        simulation.rules.add(step="deploy", after="1h")
        platform.container().deploy()
        simulation.clock.advance(seconds=30)
        snapshot = bytes(simulation.snapshot())
        with orlop.Simulation(snapshot=edited_at(snapshot, member, value), seed=1) as other:
            assert bytes(other.snapshot()) == snapshot


@pytest.mark.parametrize(
    ("said", "edited"),
    [
        ('"outcome":1', '"outcome":250'),
        ('"kind":2', '"kind":-1'),
        ('"due":17', '"due":9223372036854775807,"x":17'),
        ('"duration":60000', '"duration":-9223372036854775808'),
    ],
)
def test_a_running_step_of_an_edited_snapshot_is_refused_by_its_member(said: str, edited: str) -> None:
    with orlop.Simulation(seed=1, require_cluster=False) as simulation:
        simulation.rules.add(step="deploy", after="1m")
        acme = simulation.organizations.create(name="acme", plan="FREE")
        acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        shop = acme.projects.create(name="shop").environments.create(name="production")
        shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER").deploy()
        simulation.clock.advance(seconds=1)
        text = bytes(simulation.snapshot()).decode()
    assert text.count(said) >= 1
    before, line = text.rsplit('{"simulation":', 1)
    with pytest.raises(orlop.Misuse, match=said.split('"')[1]):
        orlop.Simulation(snapshot=(before + '{"simulation":' + line.replace(said, edited, 1)).encode())


@pytest.mark.parametrize("line", [-1, None, [], "rules"])
def test_a_line_of_a_simulation_that_is_no_object_is_refused_by_its_number(line: Any) -> None:
    with orlop.Simulation(seed=1) as simulation:
        simulation.organizations.create(name="acme", plan="FREE")
        *lines, _ = bytes(simulation.snapshot()).splitlines()
        edited = b"\n".join([*lines, json.dumps({"simulation": line}).encode(), b""])
        refusal = re.escape(f'line {len(lines) + 1} of the snapshot: "simulation" must be an object')
        before = bytes(simulation.snapshot())
        with pytest.raises(orlop.Misuse, match=refusal):
            orlop.Simulation(snapshot=edited)
        with pytest.raises(orlop.Misuse, match=refusal):
            simulation.restore(edited)
        assert bytes(simulation.snapshot()) == before
