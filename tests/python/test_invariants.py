"""Invariants at every instant of a simulation: the built-in ones, and those that a user adds."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import orlop
from orlop.simulation.invariants import Follower


def furnished(seed: int = 3, **options: Any) -> tuple[orlop.Simulation, Any]:
    platform = orlop.Simulation(seed=seed, require_cluster=False, **options)
    acme = platform.organizations.create(name="acme", plan="FREE")
    acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    shop = acme.projects.create(name="shop").environments.create(name="production")
    for number in range(3):
        shop.databases.create(name=f"db-{number}", type="POSTGRESQL", version="16", mode="CONTAINER")
    return platform, shop


def test_a_random_run_breaks_none() -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.pack("chaos")
        platform.invariants.is_on = True
        draws = random.Random(7)
        databases = list(shop.databases)
        refused = 0
        for _ in range(60):
            try:
                draws.choice([shop.deploy, shop.stop, shop.cancel, *(database.restart for database in databases)])()
            except orlop.Refused:
                refused += 1
            platform.clock.advance(minutes=draws.randrange(10))
        platform.run_until_idle()
        assert refused < 60 and platform.last_event > 300


EVENT = {"at": "2026-01-01T00:00:00.000Z", "subject": "a", "owner": "e"}
BROKEN = [
    ([{"kind": "x.created"}, {"kind": "x.created", "sequence": 3}], "the event after 1 has the number 3"),
    ([{"kind": "x.created"}, {"kind": "x.created", "at": "2025-12-31T00:00:00.000Z"}], "time goes back"),
    (
        [
            {"kind": "service.deploying", "from": "READY", "to": "DEPLOYING"},
            {"kind": "service.stopped", "from": "STOPPING", "to": "STOPPED"},
        ],
        "a changes from STOPPING, and was DEPLOYING",
    ),
    (
        [{"kind": "deployment.started"}, {"kind": "deployment.started", "subject": "b"}],
        "the deployment b begins while a runs",
    ),
    (
        [{"kind": "step.started", "detail": {"step": "1"}}, {"kind": "step.started", "detail": {"step": "2"}}],
        "the step 2 of a begins while 1 runs",
    ),
    (
        [{"kind": "step.started", "detail": {"step": "1"}}, {"kind": "step.ended", "detail": {"step": "2"}}],
        "the step 2 of a ends while 1 runs",
    ),
    (
        [{"kind": "deployment.started"}, {"kind": "deployment.ended"}, {"kind": "deployment.started", "subject": "b"}],
        "",
    ),
    (
        [
            {"kind": "step.started", "detail": {"step": "1"}},
            {"kind": "step.ended", "detail": {"step": "1"}},
            {"kind": "step.started", "detail": {"step": "2"}},
        ],
        "",
    ),
]


@pytest.mark.parametrize(("events", "said"), BROKEN)
def test_each_of_its_own_can_break(events: list[dict[str, Any]], said: str) -> None:
    follower = Follower()
    found = [follower.broken_by({**EVENT, "sequence": number, **event}) for number, event in enumerate(events, 1)]
    assert found[:-1] == [""] * (len(found) - 1)
    assert found[-1].startswith(said) and bool(found[-1]) == bool(said)


def test_a_condition_is_held_against_every_instant_also_those_within_one_move() -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.add(step="deploy", after="10s")
        platform.invariants.add("services.count(state == 'DEPLOYING') < 3")
        shop.deploy()
        with pytest.raises(
            orlop.InvariantBroken, match=r"services.count\(state == 'DEPLOYING'\) < 3 \(seed 3\)"
        ) as broken:
            platform.clock.advance(hours=5)
        assert "at 2026-01-01T00:00:00.000Z, by event" in str(broken.value)
        assert platform.clock.now().hour == 0, "time stands where it broke"


def test_a_function_is_called_at_each_instant() -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.add(step="deploy", name="db-1", after="10s")
        platform.rules.add(step="deploy", after="20s")
        seen = []

        def holds() -> bool:
            seen.append(platform.clock.now().second)
            return True

        platform.invariants.add(holds)
        run = shop.deploy()
        run.wait()
        assert {0, 10, 20} <= set(seen)
        platform.invariants.clear()
        count = len(seen)
        platform.clock.advance(hours=1)
        assert len(seen) == count and len(platform.invariants) == 0


def test_a_function_is_called_at_each_instant_until_idle() -> None:
    simulation, environment = furnished()
    simulation.rules.add(step="deploy", after="1m")
    environment.deploy()
    seen: list[str] = []

    def holds() -> bool:
        seen.append(environment.state)
        return True

    simulation.invariants.add(holds)
    assert simulation.run_until_idle() > 0
    assert seen[0] != "DEPLOYED" and seen[-1] == "DEPLOYED" and len(seen) > 1
    simulation.close()


def test_it_follows_a_restored_simulation_from_its_beginning() -> None:
    platform, shop = furnished()
    with platform:
        platform.invariants.is_on = True
        platform.invariants.add("services.count(state == 'DEPLOYED') <= 3")
        before = platform.snapshot()
        for _ in range(2):
            shop.deploy().wait()
            platform.restore(before)
            shop.deploy().wait()


MOVES = {
    "within": lambda platform: orlop.expect(platform).within("1m", lambda: platform.clock.now().second == 50),
    "eventually": lambda platform: orlop.expect(platform).eventually(lambda: platform.clock.now().second == 20),
    "never": lambda platform: orlop.expect(platform).never(kind="organization.deleted"),
    "in_order": lambda platform: orlop.expect(platform).in_order(
        {"kind": "deployment.started"}, {"kind": "deployment.ended"}
    ),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_expectations_let_no_instant_pass_unchecked(move: Any) -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.add(step="deploy", after="10s")
        shop.deploy()
        platform.invariants.add(lambda: platform.clock.now().second < 10, name="ten seconds")
        with pytest.raises(orlop.InvariantBroken, match=r"at 2026-01-01T00:00:10.000Z: ten seconds \(seed 3\)"):
            move(platform)


def test_time_that_runs_by_itself_is_checked() -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.add(step="deploy", after="1500ms")
        shop.deploy()
        platform.invariants.add(lambda: platform.clock.now().microsecond == 0, name="whole seconds")
        late = threading.Timer(5, platform.stop)
        late.start()
        with pytest.raises(
            orlop.InvariantBroken, match=r"an invariant is broken at 2026-01-01T00:00:\d\d.\d+Z: whole seconds"
        ):
            platform.run(speed=1000)
        late.cancel()


def test_time_that_moves_on_several_threads_breaks_nothing() -> None:
    platform, shop = furnished(history_kept=1000)  # a thread may pause while the others end many requests
    broken: list[BaseException] = []

    def move() -> None:
        try:
            for _ in range(40):
                shop.deploy().wait()
                platform.clock.advance(seconds=1)
        except BaseException as error:
            broken.append(error)

    with platform:
        platform.invariants.is_on = True
        platform.rules.add(after="1s", jitter="3s")
        threads = [threading.Thread(target=move) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert broken == []


def test_an_invariant_that_is_awaited_or_iterated_is_refused() -> None:
    async def awaited() -> bool:
        return False

    def iterated() -> Iterator[bool]:
        yield False

    platform, shop = furnished()
    with platform:
        for condition, how in ((awaited, "awaited"), (iterated, "iterated")):
            platform.invariants.add(condition)
            shop.deploy()
            with pytest.raises(
                orlop.Misuse,
                match=f"the invariant {how} must be a function that answers at once, not one that is {how}",
            ):
                platform.run_until_idle()
            platform.invariants.clear()
            platform.run_until_idle()


@pytest.mark.parametrize("by_request", [False, True])
def test_what_was_before_a_restore_is_forgotten(by_request: bool) -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.add(step="deploy", after="10s")
        platform.invariants.is_on = True
        before = platform.snapshot()
        shop.deploy()
        platform.clock.advance(seconds=5)
        if by_request:
            platform.request("PUT", "/-/sim/snapshot", bytes(before)).check()
        else:
            platform.restore(before)
        for number in range(20):  # more events than were withdrawn, before the clock moves
            platform.organizations.create(name=f"acme {number}", plan="FREE")
        shop.deploy()
        platform.clock.advance(minutes=1)
        assert [database.state for database in shop.databases] == ["DEPLOYED"] * 3


@pytest.mark.parametrize(
    "call",
    [
        lambda platform: platform.clock.advance(seconds=1),
        lambda platform: platform.run_until_idle(),
        lambda platform: platform.invariants.check(),
    ],
)
def test_a_function_that_moves_time_is_refused(call: Any) -> None:
    platform, shop = furnished()
    with platform:
        platform.rules.add(step="deploy", after="10s")
        platform.invariants.add(lambda: call(platform) or True, name="busy")
        for _ in range(2):
            with pytest.raises(orlop.Misuse, match="the invariant busy may not move time or check invariants"):
                shop.deploy().wait()


def test_what_is_no_invariant_is_refused() -> None:
    platform, _ = furnished()
    with platform:
        refused: tuple[Any, ...] = (None, 3, b"x", [])
        for wrong in refused:
            with pytest.raises(orlop.Misuse, match="condition must be a text"):
                platform.invariants.add(wrong)
        with pytest.raises(orlop.Misuse, match="a condition must be a text of 1 to 2000 letters"):
            platform.invariants.add("x" * 70_000)
        with pytest.raises(orlop.Misuse, match="the name must be one of"):
            platform.invariants.add("__import__")
        with pytest.raises(orlop.Misuse, match="is_on must be True or False"):
            platform.invariants.is_on = 1  # type: ignore[assignment]
        assert list(platform.invariants) == []


def test_a_feed_that_keeps_less_is_followed_as_far_as_it_goes() -> None:
    for record in ("states", "none"):
        platform, shop = furnished(record=record)
        with platform:
            platform.invariants.is_on = True
            assert shop.deploy().wait().state == "DEPLOYED"


def test_what_needs_events_is_refused_where_none_are_kept() -> None:
    platform, shop = furnished(record="none")
    with platform:
        with pytest.raises(
            orlop.Misuse,
            match="an invariant that is a condition needs events, and this simulation keeps none: record must be "
            "all or states, not none",
        ):
            platform.invariants.add("services.count(state == 'DEPLOYING') == 0")
        with pytest.raises(orlop.Misuse, match="an expectation of an event needs events"):
            orlop.expect(platform).never(kind="service.deploying")
        platform.invariants.add(lambda: True)
        shop.deploy()
        orlop.expect(platform).eventually(next(iter(shop.databases)), "DEPLOYED")
    nothing: tuple[Any, ...] = ("", 0, [], False)
    for empty in nothing:
        with pytest.raises(orlop.Misuse, match="record must be all, states or none, not"):
            orlop.Simulation(record=empty)


def test_record_is_checked_and_kept_by_forks() -> None:
    with pytest.raises(orlop.Misuse, match="record must be all, states or none, not 'some'"):
        orlop.Simulation(record="some")  # type: ignore[arg-type]
    with pytest.raises(orlop.Misuse, match="record must be all, states or none, not 3"):
        orlop.Simulation(record=3)  # type: ignore[arg-type]
    platform, shop = furnished(record="none")
    with platform, platform.fork() as other:
        assert other.events() == [] == platform.events()
        other.request("POST", f"/environment/{shop.id}/deploy")
        other.run_until_idle()
        assert other.last_event == 0


@pytest.mark.parametrize("record", ["states", "none"])
def test_a_file_keeps_what_it_counts_ids_by(tmp_path: Any, record: Any) -> None:
    def play(path: Any, record: Any) -> int:
        with orlop.Simulation(path, record=record) as platform:
            acme = platform.organizations.create(name="acme", plan="FREE")
            acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
            kinds = {event["kind"] for event in platform.events()}
            assert record == "all" or not kinds & {"step.log", "step.progress"}
            return len(platform.events())

    assert play(tmp_path / f"{record}.db", record) < play(tmp_path / "all.db", "all")
    with orlop.Simulation(tmp_path / f"{record}.db", record=record) as platform:
        acme = next(iter(platform.organizations.list()))
        made = [acme.projects.create(name=f"project {number}").id for number in range(3)]
        assert made == sorted(set(made))
        assert made[0] > acme.id
        assert not platform.check()
