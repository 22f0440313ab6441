"""Virtual time, rules, and runs that the same seed repeats."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, counted_calls, furnish


def play(seed: int) -> bytes:
    with orlop.Simulation(seed=seed) as simulation:
        platform = furnish(simulation)
        platform.cluster.deploy()
        platform.container("web")
        platform.container("worker")
        platform.environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
        simulation.rules.add(kind="container", step="deploy", name="worker", after="30s", fails="IMAGE_PULL", times=1)
        platform.environment.deploy()
        simulation.run_until_idle()
        platform.environment.deploy()
        simulation.run_until_idle()
        return json.dumps(simulation.events()).encode()


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert play(42) == play(42)
    assert play(42) != play(43)


def test_the_clock_starts_at_the_given_time_and_stands_still() -> None:
    with orlop.Simulation(start="2030-05-06T07:08:09Z") as simulation:
        assert simulation.clock.now().isoformat() == "2030-05-06T07:08:09+00:00"
        furnish(simulation)
        assert simulation.clock.now() == simulation.now()
        simulation.clock.advance(seconds=1.5, minutes=2, hours=3)
        assert simulation.clock.now().isoformat() == "2030-05-06T10:10:10.500000+00:00"
        assert repr(simulation.clock) == "<Clock 2030-05-06T10:10:10.500Z>"


@pytest.mark.parametrize("start", ["1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "0000-01-01T00:00:00Z"])
def test_a_start_before_all_clocks_is_refused(start: str) -> None:
    with pytest.raises(orlop.Misuse, match="start must be later than 1970-01-01T00:00:00Z, not '"):
        orlop.Simulation(start=start)


def test_the_clock_ends_with_the_last_year() -> None:
    with orlop.Simulation(start="9999-12-31T23:59:59Z") as simulation:
        with pytest.raises(orlop.Conflict, match="the virtual clock cannot go beyond 9999-12-31T23:59:59.999Z"):
            simulation.clock.advance(seconds=1)
        simulation.clock.advance(seconds=0.999)
        assert repr(simulation.clock) == "<Clock 9999-12-31T23:59:59.999Z>"
        simulation.rules.add(step="deploy", after="1s")
        furnish(simulation).container().deploy()
        with pytest.raises(orlop.Conflict, match="cannot go beyond"):
            simulation.run_until_idle()


def test_run_until_idle_returns_how_much_time_passed(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    simulation = platform.engine
    web = platform.container()
    simulation.rules.add(kind="container", step="deploy", after="90s")
    before = simulation.clock.now()
    run = platform.environment.deploy()
    passed = simulation.run_until_idle()
    assert passed == pytest.approx(90, abs=1)
    assert simulation.clock.now() - before == timedelta(seconds=passed)
    assert (run.state, web.state) == ("DEPLOYED", "DEPLOYED")
    assert simulation.run_until_idle() == 0


def test_advance_does_what_falls_due_on_the_way(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    platform.engine.rules.add(kind="container", step="deploy", after="90s")
    web = platform.container()
    platform.environment.deploy()
    platform.engine.clock.advance(seconds=80)
    assert web.state == "DEPLOYING"
    platform.engine.clock.advance(seconds=20)
    assert web.state == "DEPLOYED"


def test_a_rule_fails_a_step_as_often_as_it_says(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    platform.engine.rules.add(kind="container", step="deploy", name="web", after="30s", fails="IMAGE_PULL", times=1)
    web = platform.container()
    run = platform.environment.deploy().wait()
    assert (run.state, run.ok, web.state) == ("DEPLOYMENT_ERROR", False, "DEPLOYMENT_ERROR")
    assert any("IMAGE_PULL" in json.dumps(event) for event in run.events())
    assert web.deploy().wait().ok


@pytest.mark.parametrize(
    ("after", "seconds"),
    [("30s", 30), ("2m30s", 150), ("1h", 3600), ("1500ms", 1.5), (12, 12), (0.25, 0.25), ("1.5m", 90)],
)
def test_durations_are_read(after: str | float, seconds: float) -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        simulation.rules.add(kind="container", step="deploy", after=after)
        web = platform.container()
        run = web.deploy().wait()
        assert run.duration == pytest.approx(seconds, abs=0.01)


def test_a_reopened_store_goes_on_where_its_last_event_was(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    with orlop.Simulation(path) as simulation:
        platform = furnish(simulation)
        platform.container().deploy().wait()
        simulation.clock.advance(hours=1)
        platform.project.edit(description="edited an hour later")
        end = simulation.clock.now()
    with orlop.Simulation(path) as simulation:
        assert simulation.clock.now() == end
    with orlop.Simulation(path, start="2040-01-01T00:00:00Z") as simulation:
        assert simulation.clock.now().year == 2040


@pytest.mark.parametrize("way", ["wait", "wait with invariants", "ticks"])
def test_a_wait_does_what_ticks_would_do(way: str) -> None:
    def events(way: str) -> tuple[str, list[dict[str, Any]]]:
        with orlop.Simulation(seed=9) as simulation:
            platform = furnish(simulation)
            web, worker = platform.container("web"), platform.container("worker")
            platform.environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
            simulation.rules.add(
                kind="container", step="deploy", name="worker", after="30s", jitter="20s", fails="IMAGE_PULL", times=1
            )
            simulation.rules.add(kind="database", after="1m", jitter="1m")
            if way == "wait with invariants":
                simulation.invariants.add(lambda: True)
            for start in (
                platform.environment.deploy,
                worker.deploy,
                platform.environment.stop,
                platform.environment.deploy,
                web.restart,
            ):
                run = start()
                if way == "ticks":
                    while (wanted := simulation.tick()) is not None and not run.is_done:
                        simulation.clock.advance(seconds=wanted)
                else:
                    assert run.wait() is run
                assert run.is_done
            return repr(simulation.clock), simulation.events()

    assert events(way) == events("wait")
    assert len(events(way)[1]) > 80


def test_a_wait_costs_python_the_same_for_many_services() -> None:
    def calls(count: int) -> int:
        with orlop.Simulation() as simulation:
            platform = furnish(simulation)
            for number in range(count):
                platform.container(f"web-{number}")
            simulation.rules.add(step="deploy", after="10s", jitter="30s")
            run = platform.environment.deploy()
            with counted_calls() as made:
                run.wait()
            return made()

    assert calls(60) == calls(3)


def test_a_wait_of_many_hours_stops_when_it_should(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    simulation = platform.engine
    for number in range(64):  # sixteen steps at a time
        platform.container(f"web-{number}")
    simulation.rules.add(kind="container", step="deploy", after="50m")
    run = platform.environment.deploy()
    begin = simulation.clock.now()
    with pytest.raises(orlop.WaitTimeout, match=r"did not come to an end within 9000 s of virtual time"):
        run.wait(2.5 * 3600)
    assert simulation.clock.now() - begin == timedelta(hours=2.5)
    assert run.wait(timeout=3000).ok
    assert simulation.clock.now() - begin == timedelta(minutes=200)


def test_a_wait_for_what_is_held_says_that_nothing_is_left_to_be_done(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    simulation = platform.engine
    platform.container()
    simulation.hold(platform.environment)
    run = platform.environment.deploy()
    for timeout in (None, 60, 100_000):
        with pytest.raises(
            orlop.Error, match=f"the deployment {run.id} of .* cannot come to an end: nothing is left to be done"
        ) as raised:
            run.wait(timeout)
        assert not isinstance(raised.value, orlop.WaitTimeout)
    simulation.advance(platform.environment)
    assert run.wait().ok


def test_waiting_for_what_cannot_end_says_so(platform: Platform) -> None:
    platform.container()
    with pytest.raises(orlop.WaitTimeout, match="virtual time"):
        assert isinstance(platform.engine, orlop.Simulation)
        platform.engine.rules.add(kind="container", step="deploy", after="10m")
        platform.environment.deploy().wait(timeout=60)


def test_a_wait_that_times_out_lets_its_time_pass(platform: Platform) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    simulation = platform.engine
    platform.container()
    simulation.rules.add(kind="container", step="deploy", after="10m")
    run = platform.environment.deploy()
    begin = simulation.clock.now()
    waits = 0
    while not run.is_done:
        waits += 1
        assert waits < 100, "the loop never ends"
        try:
            run.wait(timeout=60)
        except orlop.WaitTimeout:
            assert simulation.clock.now() - begin == timedelta(seconds=60 * waits)
    assert (run.ok, waits) == (True, 10)
    assert simulation.clock.now() - begin == timedelta(minutes=10)


@pytest.mark.parametrize("timeout", [0, 0.0001, 0.2, 1.5])
def test_a_short_wait_passes_no_more_than_its_time(platform: Platform, timeout: float) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    simulation = platform.engine
    platform.container()
    simulation.rules.add(kind="container", step="deploy", after="10m")
    run = platform.environment.deploy()
    begin = simulation.clock.now()
    with pytest.raises(orlop.WaitTimeout):
        run.wait(timeout)
    passed = (simulation.clock.now() - begin).total_seconds()
    assert timeout <= passed < timeout + 0.001 or passed == timeout == 0
