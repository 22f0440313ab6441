"""The engine and the simulation for programs on asyncio: `async with orlop.AsyncEngine("platform.db") as engine`.

Calls that may wait run on threads and do not block the event loop. Typed objects are those of `Engine`: read and change
them inside `engine.do(...)`.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import threading
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..base.live_objects import Live
from ..base.restores import reader_of
from ..errors import Closed, Misuse
from ..generated.options import EngineOptions, SimulationOptions
from ..options.arguments import event_id, event_kind, given_id, id_of, number, text, texts, timeout_of, whole
from ..simulation.simulation import Simulation
from .engine import Engine

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping
    from datetime import datetime
    from types import TracebackType

    from typing_extensions import ParamSpec, Self

    from ..base.wire import Reply
    from ..deployments.deployment import Deployment
    from ..drivers.observation import Observation
    from ..resources.actions import Deployable, EnvironmentDeploy
    from ..resources.resource import Resource

    _Parameters = ParamSpec("_Parameters")

_Answer = TypeVar("_Answer")
_Kind = TypeVar("_Kind", bound=Engine)
_LOOKS_EVERY = 0.05  # seconds between two checks for events of other processes
_SEQUENCE_MAX = 2**63 - 1


class AsyncDeployment(Live):
    """A deployment that a coroutine can wait for: `run = await (await engine.deploy(environment))`."""

    run: Deployment
    """The deployment itself."""

    def __init__(self, owner: AsyncTwin[Any], run: Deployment) -> None:
        self._owner = owner
        self.run = run

    @property
    def id(self) -> str:
        """Id of the deployment request."""
        return self.run.id

    def __await__(self) -> Generator[Any, None, Deployment]:
        """Waits for the end and returns the deployment, whose `ok` and `state` say how it ended."""
        return self.wait().__await__()

    async def wait(self, timeout: str | float | None = None) -> Deployment:
        """As `Deployment.wait`, without blocking the event loop. A canceled task stops waiting; the deployment
        continues."""
        return await self._owner._wait(self.run, timeout_of(timeout))

    async def state(self) -> str:
        """Returns the current state of the request."""
        return await self._owner.do(lambda: self.run.state)


class AsyncTwin(Live, Generic[_Kind]):
    """The base class of `AsyncEngine` and `AsyncSimulation`."""

    sync: _Kind
    """The engine itself. Its methods block; call them through `do`."""

    @classmethod
    def over(cls, engine: _Kind) -> Self:
        """Returns the twin of an open engine. Raises `Misuse` for an engine of another class."""
        if not isinstance(engine, Engine) or isinstance(engine, Simulation) != issubclass(cls, AsyncSimulation):
            raise Misuse(
                f"what {cls.__name__} goes over must be of the class {cls.__name__.removeprefix('Async')}, not "
                f"{type(engine).__name__}"
            )
        made = cls.__new__(cls)
        made._attach(engine)
        return made

    def _attach(self, engine: _Kind) -> None:
        self.sync = engine

    async def do(
        self, function: Callable[_Parameters, _Answer], *arguments: _Parameters.args, **named: _Parameters.kwargs
    ) -> _Answer:
        """Calls a function on a thread and returns its result: `web = await engine.do(environment.containers.find,
        "web")`."""
        if not callable(function):
            raise Misuse(f"what do() calls must be a function, not {type(function).__name__}")
        return await asyncio.to_thread(functools.partial(function, *arguments, **named))

    async def request(
        self,
        method: str,
        path: str,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        trusted: bool = True,
    ) -> Reply:
        """As `Engine.request`."""
        return await self.do(self.sync.request, method, path, json, headers, query, trusted=trusted)

    async def deploy(self, resource: Deployable | EnvironmentDeploy, **options: Any) -> AsyncDeployment:
        """Deploys an environment or a service. Await the result to wait for the end."""
        if not hasattr(resource, "deploy"):
            raise Misuse(f"what is deployed must be an environment or a service, not {type(resource).__name__}")
        return await self.start(lambda: resource.deploy(**options))

    async def start(self, action: Callable[[], Deployment]) -> AsyncDeployment:
        """Calls an action that returns a deployment, such as `environment.stop`. Raises `Misuse` if it returns
        something else."""
        from ..deployments.deployment import Deployment

        run = await self.do(action)
        if not isinstance(run, Deployment):
            raise Misuse(
                f"the action must answer a deployment, such as environment.deploy does, not {type(run).__name__}"
            )
        return AsyncDeployment(self, run)

    async def events(
        self,
        since: int = 0,
        *,
        organization: Resource | str | None = None,
        request: Deployment | str | None = None,
        subject: Resource | Deployment | str | None = None,
        kinds: Iterable[str] = (),
    ) -> list[dict[str, Any]]:
        """As `Engine.events`, but does not wait for the first event: `watch` yields events as they come."""
        wanted = [event_kind("kinds", kind) for kind in texts("kinds", kinds)]
        return await self.do(
            self.sync._read_events,
            since,
            given_id("request", request),
            given_id("subject", subject),
            given_id("organization", organization),
            wanted,
        )

    async def watch(
        self,
        *,
        kind: str = "",
        subject: Resource | str = "",
        request: str = "",
        since: int | None = None,
        poll: float = _LOOKS_EVERY,
    ) -> AsyncIterator[dict[str, Any]]:
        """Yields the events from now on, or after the one numbered `since`, as they are stored: `async for event in
        engine.watch(kind="service.*")`.

        `kind` may have wildcards; `subject` is a resource or its id, `request` the id of a deployment. Looks for new
        events of this and other processes every `poll` seconds. It ends only when the caller leaves the loop. After a
        simulation's `restore` it continues with the events from there.
        """
        pattern, about, wanted = (
            text("kind", kind) and event_kind("kind", kind),
            event_id("subject", id_of("subject", subject)),
            event_id("request", request),
        )
        back = reader_of(self.sync._restores)
        last = self.sync.last_event if since is None else whole("since", since, 0, _SEQUENCE_MAX)
        if not 0 < number("poll", poll):
            raise Misuse(f"poll must be more than 0 seconds, not {poll}")
        while True:
            last = back.take(last)
            for event in await self.events(last):
                if back:  # after a restore the numbers of dropped events are assigned again
                    break
                last = event["sequence"]
                if (
                    (not pattern or fnmatchcase(event["kind"], pattern))
                    and (not about or event["subject"] == about)
                    and (not wanted or event.get("request") == wanted)
                ):
                    yield event
            if not back and self.sync.last_event <= last:
                await asyncio.sleep(poll)

    async def tick(self) -> float | None:
        """As `Engine.tick`."""
        return await self.do(self.sync.tick)

    async def drain(self, timeout: str | float | None = None) -> bool:
        """As `Engine.drain`."""
        return await self.do(self.sync.drain, timeout)

    async def snapshot(self, secrets_key: bytes | None = None) -> bytes:
        """As `Engine.snapshot`."""
        return await self.do(self.sync.snapshot, secrets_key)

    async def import_from(
        self,
        snapshot: bytes,
        *,
        organization: str | None = None,
        project: str | None = None,
        environment: str | None = None,
        parent: str | None = None,
        name: str | None = None,
        secrets_key: bytes | None = None,
    ) -> dict[str, Any]:
        """As `Engine.import_from`."""
        return await self.do(
            self.sync.import_from,
            snapshot,
            organization=organization,
            project=project,
            environment=environment,
            parent=parent,
            name=name,
            secrets_key=secrets_key,
        )

    async def check(self, repair: bool = False) -> list[dict[str, Any]]:
        """As `Engine.check`."""
        return await self.do(self.sync.check, repair)

    async def register_consumer(self, name: str) -> int:
        """As `Engine.register_consumer`."""
        return await self.do(self.sync.register_consumer, name)

    async def acknowledge(self, name: str, number: int) -> None:
        """As `Engine.acknowledge`."""
        await self.do(self.sync.acknowledge, name, number)

    async def unregister_consumer(self, name: str) -> None:
        """As `Engine.unregister_consumer`."""
        await self.do(self.sync.unregister_consumer, name)

    async def consumers(self) -> list[dict[str, Any]]:
        """As `Engine.consumers`, but a method."""
        return await self.do(lambda: self.sync.consumers)

    async def forget_events(self, through: int) -> int:
        """As `Engine.forget_events`."""
        return await self.do(self.sync.forget_events, through)

    async def last_event(self) -> int:
        """As `Engine.last_event`, but a method."""
        return await self.do(lambda: self.sync.last_event)

    async def report_delivery(self, delivery_id: str, status: int, text: str = "") -> None:
        """As `Engine.report_delivery`."""
        await self.do(self.sync.report_delivery, delivery_id, status, text)

    async def report_running(self, service_id: str, observation: Observation | str) -> None:
        """As `Engine.report_running`."""
        await self.do(self.sync.report_running, service_id, observation)

    def now(self) -> datetime:
        """As `Engine.now`; does not wait."""
        return self.sync.now()

    async def close(self, timeout: str | float | None = 10.0) -> None:
        """As `Engine.close`."""
        await self.do(self.sync.close, timeout)

    async def _wait(self, run: Deployment, timeout: float | None) -> Deployment:
        raise AssertionError("the twins wait each in their way")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class AsyncEngine(EngineOptions, AsyncTwin[Engine]):
    """`Engine` for coroutines. `async with` runs the engine on a thread (`Engine.run`), so that deployments advance,
    and closes it at the end.

    The options are those of `Engine`; `AsyncEngine.over(engine)` is the twin of an open engine. Without `async with` a
    waiting coroutine ticks the engine itself.
    """

    def _open(self, options: dict[str, Any]) -> None:
        self._attach(Engine(**options))

    def _attach(self, engine: Engine) -> None:
        super()._attach(engine)
        self._running: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Self:
        if self._running is not None:
            raise Misuse("an AsyncEngine runs on one thread: `async with` enters it once at a time")
        self._running = asyncio.wrap_future(_on_a_thread(self.sync.run))
        return self

    async def close(self, timeout: str | float | None = 10.0) -> None:
        """As `Engine.close`, after its thread has ended. Raises the exception that ended the thread. A canceled task
        closes the engine, too."""
        try:
            if self._running is not None:
                with contextlib.suppress(Closed):
                    self.sync.stop()
                await asyncio.shield(self._running)
        finally:
            self._running = None
            await super().close(timeout)

    async def _wait(self, run: Deployment, timeout: float | None) -> Deployment:
        """Waits while the engine's thread advances the deployment; ticks only if there is no such thread."""
        from ..errors import WaitTimeout

        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while not await self.do(lambda: run.is_done):
            if self._running is None:
                await self.do(self.sync.tick)
            elif self._running.done():
                await self._running  # raises the exception that ended it
                raise Misuse("the engine has been stopped, and the deployment cannot come to its end")
            if end is not None and loop.time() >= end:
                raise WaitTimeout(f"the deployment {run.id} of {run.name} did not come to an end within {timeout:g} s")
            await asyncio.sleep(_LOOKS_EVERY)
        return run


def _on_a_thread(function: Callable[[], None]) -> concurrent.futures.Future[None]:
    """Calls the function on a new thread: one that blocks for long would take one of asyncio's few threads from all
    others."""
    ended: concurrent.futures.Future[None] = concurrent.futures.Future()

    def call() -> None:
        ended.set_running_or_notify_cancel()
        try:
            function()
            ended.set_result(None)
        except BaseException as error:
            ended.set_exception(error)

    threading.Thread(target=call, name="orlop engine", daemon=True).start()
    return ended


class AsyncSimulation(SimulationOptions, AsyncTwin[Simulation]):
    """`Simulation` for coroutines: time advances while a coroutine waits for a deployment, or by `advance` and
    `run_until_idle`. `sync` has the clock, the rules and the rest."""

    def _open(self, options: dict[str, Any]) -> None:
        self._attach(Simulation(**options))

    async def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        """As `Clock.advance`."""
        await self.do(self.sync.clock.advance, seconds=seconds, minutes=minutes, hours=hours, days=days)

    async def run_until_idle(self) -> float:
        """As `Simulation.run_until_idle`."""
        return await self.do(self.sync.run_until_idle)

    async def _wait(self, run: Deployment, timeout: float | None) -> Deployment:
        return await self.do(run.wait, timeout)
