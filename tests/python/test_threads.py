"""Threads: other threads of the interpreter run while the engine works, and every thread may call at any time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import orlop
from conftest import furnish
from processes import wait_until

WITHIN = 20


def test_others_run_while_an_engine_waits() -> None:
    with orlop.Engine() as engine:
        ticks = 0
        runner = threading.Thread(target=engine.run)
        runner.start()
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            ticks += 1
        engine.stop()
        runner.join(WITHIN)
        assert not runner.is_alive()
        assert ticks > 1000


def test_others_run_while_an_engine_computes() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        # Many names, so that the other thread runs meanwhile on a busy machine too.
        names = (f"web {number}" for number in range(30_000))
        platform.environment.containers.create_many(
            names, registry_id=platform.registry.id, image_name="acme/web", tag="1.0.0", healthchecks={}
        )
        platform.environment.deploy()
        done = threading.Event()

        def work() -> None:
            simulation.run_until_idle()
            done.set()

        worker = threading.Thread(target=work)
        progress = 0
        worker.start()
        while not done.is_set():
            progress += 1
        worker.join()
        assert progress > 100


def test_run_drives_what_others_ask_for() -> None:
    with orlop.Engine() as engine:
        platform = furnish(engine)
        web = platform.container()
        runner = threading.Thread(target=engine.run)
        runner.start()
        for _ in range(20):
            assert platform.environment.deploy().wait(WITHIN).ok
        assert web.state == "DEPLOYED"
        engine.stop()
        runner.join(WITHIN)
        assert not runner.is_alive()


def test_run_ends_when_the_engine_is_closed() -> None:
    engine = orlop.Engine()
    runner = threading.Thread(target=engine.run)
    runner.start()
    engine.close()
    runner.join(WITHIN)
    assert not runner.is_alive()


def test_stop_before_run_ends_it_at_once() -> None:
    with orlop.Engine() as engine:
        engine.stop()
        engine.run()


def test_many_threads_write_and_nothing_is_lost() -> None:
    with orlop.Engine() as engine:
        platform = furnish(engine)

        def create(number: int) -> str:
            return platform.container(f"web {number}").id

        with ThreadPoolExecutor(8) as pool:
            ids = set(pool.map(create, range(200)))
        assert {container.id for container in platform.environment.containers} == ids
        events = engine.events()
        assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))


def test_one_name_is_given_once() -> None:
    with orlop.Engine() as engine:
        platform = furnish(engine)

        def create(_: int) -> bool:
            try:
                platform.container("web")
            except orlop.Conflict:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(create, range(40))) == 1


def test_waiting_has_an_end() -> None:
    class Slow(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            step.wait_canceled(WITHIN)

    with orlop.Engine(driver=Slow()) as engine:
        platform = furnish(engine)
        platform.container()
        with pytest.raises(orlop.WaitTimeout, match="within 0.2 s"):
            platform.environment.deploy().wait(timeout=0.2)


@pytest.mark.parametrize("opened", [orlop.Engine, orlop.Simulation])
def test_a_stop_ends_every_run(opened: type[orlop.Engine]) -> None:
    with opened() as engine:
        threads = [threading.Thread(target=engine.run, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        wait_until(lambda: engine._stopping._entered == 3, "the beginning of every run")
        engine.stop()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads)
        engine.stop()
        engine.run()  # returns at once
        assert not engine._stopping.is_set()


def test_a_simulation_is_served_twice_with_a_speed() -> None:
    ended = threading.Event()

    def serve() -> None:
        for _ in range(20):
            with orlop.Simulation() as simulation, simulation.serve(speed=1000):
                with simulation.serve(speed=1000):
                    pass
                before = simulation.now()
                wait_until(lambda: simulation.now() > before, "the time of the other server")
        ended.set()

    threading.Thread(target=serve, daemon=True).start()
    assert ended.wait(60)
