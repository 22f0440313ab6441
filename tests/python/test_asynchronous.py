"""The asyncio classes of the engine and the simulation."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import pathlib
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(main, 60))


async def furnished(twin: Any) -> Platform:
    platform: Platform = await twin.do(furnish, twin.sync)
    await twin.do(platform.container)
    return platform


class Slow(orlop.Driver):
    held: threading.Event | None = None

    def deploy(self, step: orlop.Step) -> None:
        if self.held is not None:
            self.held.wait(60)


def test_a_simulation_is_awaited() -> None:
    async def main() -> None:
        async with orlop.AsyncSimulation(seed=3) as simulation:
            platform = await furnished(simulation)
            simulation.sync.rules.add(step="deploy", after="30m")
            run = await (await simulation.deploy(platform.environment))
            assert run.ok and run.duration == 1800 and simulation.now().minute == 30
            await simulation.advance(hours=1)
            assert (await simulation.run_until_idle()) == 0 and simulation.now().hour == 1
            with pytest.raises(orlop.WaitTimeout):
                await (await simulation.deploy(platform.environment)).wait(60)
            assert (await simulation.request("GET", f"/environment/{platform.environment.id}")).ok
            assert len(await simulation.snapshot()) > 1000

    run(main())


def test_an_engine_runs_beside_the_loop(tmp_path: pathlib.Path) -> None:
    async def main() -> None:
        async with orlop.AsyncEngine(tmp_path / "platform.db", driver=Slow(), require_cluster=False) as engine:
            platform = await furnished(engine)
            run = await engine.deploy(platform.environment)
            assert run.id and (await run).ok and await run.state() == "DEPLOYED"
            stopped = await (await engine.start(platform.environment.stop))
            assert stopped.state == "STOPPED"
        with pytest.raises(orlop.Closed):
            await engine.events()

    run(main())


def test_many_engines_leave_threads_for_each_other() -> None:
    """Uses more engines than asyncio has threads for functions that block (32 at most)."""

    async def main() -> None:
        async with contextlib.AsyncExitStack() as stack:
            engines = [await stack.enter_async_context(orlop.AsyncEngine()) for _ in range(40)]
            answers = await asyncio.wait_for(asyncio.gather(*(engine.events() for engine in engines)), 30)
            assert answers == [[]] * 40

    run(main())


def test_without_async_with_a_waiting_coroutine_ticks() -> None:
    async def main() -> None:
        with orlop.Engine(driver=Slow(), require_cluster=False) as inner:
            engine = orlop.AsyncEngine.over(inner)
            platform = await furnished(engine)
            assert (await (await engine.deploy(platform.environment))).ok

    run(main())


def test_an_engine_is_entered_once_at_a_time() -> None:
    async def main() -> None:
        async with orlop.AsyncEngine() as engine:
            with pytest.raises(
                orlop.Misuse, match="an AsyncEngine runs on one thread: `async with` enters it once at a time"
            ):
                async with engine:
                    raise AssertionError("it runs already")
            assert engine.sync.last_event == 0

    run(main())


def test_an_engine_that_was_closed_otherwise_is_left() -> None:
    async def main() -> None:
        async with orlop.AsyncEngine() as engine:
            await engine.do(engine.sync.close)
        async with orlop.AsyncSimulation() as simulation:
            await simulation.do(simulation.sync.close)

    run(main())


def test_an_engine_whose_thread_has_failed_is_closed() -> None:
    def fail() -> None:
        raise orlop.StorageError("the disk is gone")

    async def main() -> None:
        engine = orlop.AsyncEngine()
        engine.sync.run = fail  # type: ignore[method-assign]
        with pytest.raises(orlop.StorageError, match="the disk is gone"):
            async with engine:
                pass
        with pytest.raises(orlop.Closed):
            engine.sync.tick()

    run(main())


def test_a_close_that_is_canceled_closes() -> None:
    async def main() -> None:
        engine = await orlop.AsyncEngine().__aenter__()
        closing = asyncio.create_task(engine.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        with pytest.raises(orlop.Closed):
            engine.sync.tick()

    run(main())


def test_a_watch_goes_on_after_a_restore() -> None:
    async def main() -> None:
        async with orlop.AsyncSimulation(seed=3) as simulation:
            organization = await simulation.do(lambda: simulation.sync.organizations.create(name="acme", plan="FREE"))
            snapshot = await simulation.do(simulation.sync.snapshot)
            for number in range(9):
                await simulation.do(organization.edit, name=f"old{number}")
            reads: list[int] = []
            read = simulation.sync._read_events

            simulation.sync._read_events = lambda since, *rest: reads.append(since) or read(since, *rest)  # type: ignore[func-returns-value, method-assign]
            watched = simulation.watch(poll=0.01)
            following = asyncio.ensure_future(anext(watched))
            await asyncio.sleep(0.05)
            await simulation.do(simulation.sync.restore, snapshot)
            await asyncio.sleep(0.3)
            assert len(reads) < 100  # it waits between its reads
            await simulation.do(organization.refresh().edit, name="new")
            event = await asyncio.wait_for(following, 10)
            assert event["kind"] == "organization.edited" and event["sequence"] == 2
            later = simulation.watch(since=1000, poll=0.01)
            reads.clear()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(anext(later), 0.2)
            assert len(reads) < 100

    run(main())


@pytest.mark.parametrize("by_request", [False, True])
def test_a_watch_misses_no_event_after_a_restore(by_request: bool) -> None:
    async def main() -> None:
        async with orlop.AsyncSimulation(seed=3) as simulation:
            organization = await simulation.do(lambda: simulation.sync.organizations.create(name="acme", plan="FREE"))
            snapshot = await simulation.do(simulation.sync.snapshot)
            names: list[str] = []

            async def follow() -> None:
                async for event in simulation.watch(poll=0.01):
                    names.append(event["detail"]["name"])

            following = asyncio.create_task(follow())
            await asyncio.sleep(0.05)

            def edit(name: str, times: int) -> None:
                organization.refresh()
                for number in range(times):
                    organization.edit(name=f"{name}{number}")

            def go_back() -> None:
                if by_request:
                    simulation.sync.request("PUT", "/-/sim/snapshot", bytes(snapshot)).check()
                else:
                    simulation.sync.restore(snapshot)
                edit("new", 5)  # more events than were withdrawn

            await simulation.do(edit, "old", 3)
            await asyncio.sleep(0.2)
            await simulation.do(go_back)
            await asyncio.sleep(0.2)
            following.cancel()
            assert names == ["old0", "old1", "old2", "new0", "new1", "new2", "new3", "new4"]

    run(main())


def test_events_are_watched_as_they_come() -> None:
    async def main() -> None:
        async with orlop.AsyncSimulation(seed=1) as simulation:
            platform = await furnished(simulation)

            async def states() -> list[str]:
                found = []
                async for event in simulation.watch(kind="service.*", poll=0.001):
                    found.append(event["kind"])
                    if event["kind"] == "service.deployed":
                        return found
                raise AssertionError("watch ends only when its caller leaves")

            watching = asyncio.create_task(states())
            await asyncio.sleep(0)
            await (await simulation.deploy(platform.environment))
            assert await watching == [
                "service.deployment_queued",
                "service.waiting_running",
                "service.deploying",
                "service.deployed",
            ]
            stored = await simulation.events()
            seen = []
            async for event in simulation.watch(subject=platform.cluster, since=0):
                seen.append(event)
                if len(seen) == 3:
                    break
            assert seen == [event for event in stored if event["subject"] == platform.cluster.id][:3]

    run(main())


def test_each_event_is_seen_once() -> None:
    async def main() -> None:
        async with orlop.AsyncSimulation(seed=1) as simulation:
            platform = await furnished(simulation)
            seen: list[int] = []

            async def watch(ends: int) -> None:
                async for event in simulation.watch(since=0, poll=0.001):
                    seen.append(event["sequence"])
                    ends -= event["kind"] == "deployment.ended"
                    if ends == 0:
                        return

            watching = asyncio.create_task(watch(3))
            for _ in range(3):
                await (await simulation.deploy(platform.environment))
                while simulation.sync.last_event not in seen:  # so that the events come in several reads
                    await asyncio.sleep(0)
            await watching
            assert seen == list(range(1, simulation.sync.last_event + 1))

    run(main())


def test_the_loop_goes_on_and_a_canceled_task_stops_waiting() -> None:
    async def main() -> None:
        async with orlop.AsyncEngine(driver=Slow(), require_cluster=False) as engine:
            platform = await furnished(engine)
            held = Slow.held = threading.Event()
            waiting = asyncio.create_task((await engine.deploy(platform.environment)).wait())
            assert await engine.do(lambda: 3) == 3 and not waiting.done()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            held.set()
            Slow.held = None

    run(main())


# Public members of Engine that the asyncio class has in another form: async with runs and stops it, and do() uses the
# objects that the others return.
IN_ANOTHER_FORM = {"run", "stop", "organizations", "deployments", "batch", "serve"}
# Members whose parameters differ: `watch` waits for events.
OTHER_PARAMETERS = {"events": {"timeout"}}


def parameters_of(function: Any) -> dict[str, tuple[object, object]]:
    return {name: (each.kind, each.default) for name, each in inspect.signature(function).parameters.items()}


def test_the_twin_has_what_the_engine_has() -> None:
    public = {name for name in dir(orlop.Engine) if not name.startswith("_")}
    assert IN_ANOTHER_FORM < public and set(OTHER_PARAMETERS) < public
    for name in sorted(public - IN_ANOTHER_FORM):
        twin, own = getattr(orlop.AsyncEngine, name, None), getattr(orlop.Engine, name)
        assert twin is not None, f"AsyncEngine has no {name}"
        assert inspect.iscoroutinefunction(twin) or name == "now", name
        if callable(own):
            expected = {
                each: how for each, how in parameters_of(own).items() if each not in OTHER_PARAMETERS.get(name, ())
            }
            assert parameters_of(twin) == expected, name


def test_the_twin_passes_on_what_it_is_given(tmp_path: pathlib.Path) -> None:
    key = b"k" * 32

    async def main() -> None:
        async with (
            orlop.AsyncSimulation(seed=1) as origin,
            orlop.AsyncEngine(tmp_path / "platform.db", require_cluster=False) as engine,
        ):
            platform = await furnished(origin)
            made = await engine.import_from(
                await origin.snapshot(key), organization="acme", name="second", secrets_key=key
            )
            assert (made["family"], made["id"]) == ("organization", platform.organization.id)
            assert [
                event["kind"] for event in await engine.events(kinds=["organization.*"], organization=made["id"])
            ] == ["organization.created"]
            assert await engine.check() == [] and await engine.last_event() == engine.sync.last_event > 0
            assert await engine.register_consumer("ci") == 0
            await engine.acknowledge("ci", 3)
            assert [(each["name"], each["acknowledged"]) for each in await engine.consumers()] == [("ci", 3)]
            assert await engine.forget_events(2) == 3
            await engine.unregister_consumer("ci")
            assert await engine.consumers() == [] and engine.now().tzinfo is not None
            service = (await engine.request("GET", f"/environment/{platform.environment.id}/container")).json()[
                "results"
            ][0]["id"]
            await engine.report_running(service, "RUNNING")
            await engine.report_delivery(service, 200)
            await engine.tick()
            with pytest.raises(orlop.EventsForgotten):
                await engine.events(1)
            assert await engine.drain("10s")

    run(main())


def test_wrong_arguments_are_named() -> None:
    async def main() -> None:
        async with orlop.AsyncSimulation() as simulation:
            platform = await furnished(simulation)
            with pytest.raises(orlop.Misuse, match="what do.. calls must be a function, not int"):
                await simulation.do(3)  # type: ignore[arg-type]
            with pytest.raises(orlop.Misuse, match="the action must answer a deployment"):
                await simulation.start(lambda: 3)  # type: ignore[arg-type, return-value]
            with pytest.raises(
                orlop.Misuse, match="what is deployed must be an environment or a service, not Organization"
            ):
                await simulation.deploy(platform.organization)  # type: ignore[arg-type]
            with pytest.raises(orlop.Misuse, match="since must be a whole number"):
                await anext(simulation.watch(since=-1))
            with pytest.raises(orlop.Misuse, match="poll must be more than 0"):
                await anext(simulation.watch(poll=0))
            with pytest.raises(orlop.Misuse, match="subject must be an id, a UUID of 36 characters, not 'web'"):
                await anext(simulation.watch(subject="web"))
            with pytest.raises(orlop.Misuse, match="request must be an id, a UUID of 36 characters, not 'shop'"):
                await anext(simulation.watch(request="shop"))
            with pytest.raises(orlop.Misuse, match="kind must be text"):
                await anext(simulation.watch(kind=3))  # type: ignore[arg-type]
            with pytest.raises(orlop.Misuse, match="timeout must be 0 or more"):
                await (await simulation.deploy(platform.environment)).wait(-1)
        for twin, given in (
            (orlop.AsyncEngine, orlop.Simulation()),
            (orlop.AsyncSimulation, orlop.Engine()),
            (orlop.AsyncEngine, None),
        ):
            with pytest.raises(
                orlop.Misuse,
                match=f"what {twin.__name__} goes over must be of the class {twin.__name__[5:]}, not "
                f"{type(given).__name__}",
            ):
                twin.over(given)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="max_paralel"):
            orlop.AsyncEngine(max_paralel_deploys=3)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="can be neither pickled nor copied"):
            __import__("pickle").dumps(simulation)

    run(main())
