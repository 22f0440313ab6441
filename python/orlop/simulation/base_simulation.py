"""The base class of simulations: the virtual clock and its control, without the typed objects that are built on it."""

from __future__ import annotations

import contextlib
import math
import threading
import time
import warnings
import weakref
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.restores import Restores, is_restore
from ..engine.base_engine import BaseEngine
from ..errors import Closed, Conflict, Error, ForeignHandle, Misuse
from ..generated.options import FOLDERS, SimulationOptions
from ..options.arguments import SPEED_MAX, id_of, number, shown, text, whole
from .capacity import Capacity
from .clock import Clock
from .domains import Domains
from .events import Events
from .externals import Externals
from .faults import Faults
from .invariants import Invariants
from .receivers import Receivers
from .rules import Rules, Transitions, control, lasting, refuse_waiting
from .snapshots import Snapshot
from .sources import Sources
from .virtual_driver import VirtualDriverPool, refuse_inside
from .waits import endless, instants, late, run_until_ended, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from ..base.wire import Reply
    from ..drivers.driver import Driver
    from ..drivers.driver_pool import DriverPool
    from ..externals.external_calls import ExternalCalls
    from ..generated.external_systems import ExternalSystems
    from ..resources.resource import Resource


RECORDS = ("all", "states", "none")
_SEED_MAX = 2**64 - 1
_MOVES_EVERY = 0.02  # seconds of real time between two moves of virtual time in `Simulation.run`


def _check_speed(speed: float) -> None:
    if not 0 <= number("speed", speed) <= SPEED_MAX:
        raise Misuse(f"speed must be 0 to {SPEED_MAX:g}, not {speed}")


class BaseSimulation(BaseEngine, SimulationOptions):
    """A simulation without the typed objects, which use it: its clock, rules, invariants, snapshots and waits."""

    _is_simulation = True

    def _open(self, options: dict[str, Any], origin: _core.Engine | None = None) -> None:
        self._start = options["start"]
        self._snapshots: list[weakref.ref[Snapshot]] = []
        if options["start"] is not None:
            start = options["start"]
            options["start"] = _core.parse_time(start, "start")
            if options["start"] <= 0:
                raise Misuse(f"start must be later than 1970-01-01T00:00:00Z, not {start!r}")
        self.seed = 0 if options["seed"] is None else options["seed"]
        for name in FOLDERS:  # a fork uses their contents
            if options[name] is not None:
                from ..options.folders import archive

                options[name] = archive(name, options[name])
        self._options = dict(options)
        record = options.pop("record")
        record = "all" if record is None else record
        if record not in RECORDS:
            raise Misuse(f"record must be {', '.join(RECORDS[:-1])} or {RECORDS[-1]}, not {shown(record)}")
        super()._open({**options, "simulation": True}, self.__dict__.pop("_origin", origin))
        self._restores = Restores(
            self._core, self._pool.forget if isinstance(self._pool, VirtualDriverPool) else lambda: None
        )
        if record != "all":
            self._keep(record)
        self.invariants = Invariants(self)
        self.rules = Rules(self._core)
        self.transitions = Transitions(self._core)
        self.faults = Faults(self._core)
        self.capacity = Capacity(self._core)
        self.externals = Externals(self._core)
        self.domains = Domains(self._core)
        self.sources = Sources(self._core)
        self.receivers = Receivers(self._core)

    def _progress(self) -> str:
        done = super()._progress()
        if not done.startswith("event "):
            return done
        return f"seed {self.seed}, {_core.format_time(self._core.now())}, {done}"

    def _keep(self, record: str) -> None:
        try:
            control(self._core, "POST", "record", {"record": record})
        except BaseException:
            super().close()
            raise

    _restores: Restores
    seed: int
    """Seed of ids and random durations: that of the options, or of the last `restore`."""
    rules: Rules
    """Rules of the scripted driver."""
    transitions: Transitions
    """Durations and ends of the steps of each family, without a rule."""
    faults: Faults
    """Faults of requests."""
    invariants: Invariants
    """Conditions that must hold at every instant."""
    capacity: Capacity
    """Nodes and capacity of clusters."""
    externals: Externals
    """Rules of the scripted external systems."""
    domains: Domains
    """Rules of custom domains."""
    sources: Sources
    """Images, charts and commits of the scripted external systems."""
    receivers: Receivers
    """Rules of the scripted webhook receivers."""

    @property
    def clock(self) -> Clock:
        """The virtual clock."""
        return Clock(self._core, self._move)

    @property
    def events(self) -> Events:
        """The events: `simulation.events()` as `Engine.events`, `simulation.events.where(…)` for those with some
        members."""
        return Events(super().events)

    def _move(self, milliseconds: int) -> None:
        """Advances time; with invariants from one due instant to the next, to check them at each."""
        core = self._core
        refuse_inside(core)
        if not self.invariants:
            core.advance(milliseconds)
            return
        for _ in instants(core, milliseconds):
            self.invariants.check()

    def request(
        self,
        method: str,
        path: str,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        trusted: bool = True,
    ) -> Reply:
        """As `Engine.request`. A request at `/-/sim` controls the simulation; a method of its driver may not send one
        that would wait until the method has ended."""
        refuse_waiting(self._core, method, path, headers)
        json = bytes(json) if isinstance(json, Snapshot) else json
        reply = super().request(method, path, json, headers, query, trusted=trusted)
        if reply.status < 300 and is_restore(method, path):
            self._restores.happened()
        return reply

    def drain(self, timeout: str | float | None = None) -> bool:
        """As `Engine.drain`."""
        refuse_inside(self._core)
        return super().drain(timeout)

    def tick(self) -> float | None:
        """As `Engine.tick`, in virtual seconds."""
        refuse_inside(self._core)
        return super().tick()

    def run_until_idle(self) -> float:
        """Advances time until no work is left. Returns the virtual seconds that passed.

        Periodic work, such as the deployment rules of environments, is done when it is due, and is not waited for.
        """
        refuse_inside(self._core)
        if not self.invariants:
            return self._core.run_until_idle()
        began = self._core.now()
        for _ in instants(self._core, None):
            self.invariants.check()
        return (self._core.now() - began) / 1000

    def advance(self, resource: Resource | str) -> None:
        """Continues the resource, or the one with this id, that is held: by `transitions`, by `hold`, or in a state
        that was set. Raises `Conflict` if it is not held."""
        control(self._core, "POST", "state", {"resource": id_of("resource", resource)})

    def hold(self, resource: Resource | str, *, lasts: str | float | None = None) -> None:
        """Holds the resource until `advance`, or for the time `lasts`.

        The running step of a service, task or cluster does not advance; without one, the next step does not begin.
        Requests for an environment, and for a cluster without a running step, wait in QUEUED.
        """
        given = {"resource": id_of("resource", resource), "hold": True}
        control(self._core, "POST", "state", lasting(given, lasts))

    def set_state(self, resource: Resource | str, state: str, *, lasts: str | float | None = None) -> None:
        """Brings a service or cluster into any of its states, now: `simulation.set_state(web, "RECAP")`.

        It goes through the transitions that lead to the state, so that everything that belongs to it exists: a
        deployment request, a step at the driver, its deadline, the events. Running work of the resource is canceled
        first, and a deployment is made if the state needs an earlier one. The resource stays in a state such as
        DEPLOYING until `advance`, for the time `lasts`, until a cancel or until the deadline. Raises `Conflict` if the
        resource cannot have the state, such as BUILDING for a service without a build, or if its environment is busy
        with other services.
        """
        given = {"resource": id_of("resource", resource), "state": text("state", state)}
        control(self._core, "POST", "state", lasting(given, lasts))

    def snapshot(self, secrets_key: bytes | None = None) -> bytes:
        """Returns the contents of the simulation as JSON Lines, for the option `snapshot` and for `restore`. In memory
        it costs nothing until its bytes are read. `secrets_key`: as in `Engine.snapshot`."""
        refuse_inside(self._core)
        if secrets_key is not None:
            return self._core.snapshot(secrets_key)
        try:
            state = self._core.save_state()
        except Conflict:
            return self._core.snapshot()
        made = Snapshot(self._core, state, self.seed)
        self._snapshots = [kept for kept in self._snapshots if kept() is not None]
        self._snapshots.append(weakref.ref(made))
        return made

    def close(self, timeout: str | float | None = 10.0) -> None:
        """Closes the simulation, as `Engine.close`. Before that it makes the bytes of its snapshots that still
        exist."""
        refuse_inside(self._core)
        for kept in self._snapshots:
            snapshot = kept()
            if snapshot is not None:
                with contextlib.suppress(Error):
                    snapshot.render()  # its bytes may be read after closing
        self._snapshots = []
        super().close(timeout)

    def restore(self, snapshot: bytes, *, seed: int | None = None) -> None:
        """Goes back, in place, to a snapshot of this simulation, or to the bytes of any: contents, clock, seed, rules,
        faults and running steps. For simulations in memory.

        With `seed`, 0 to 18446744073709551615, ids and random durations follow from it from here on: the same course
        with other random values. Without it a snapshot of this simulation restores its seed; the bytes of any other
        have none, and the current seed stays.

        Events after the snapshot are dropped, and their numbers are assigned again. Later snapshots are dropped too;
        after a restore of bytes, all earlier ones. Raises `Conflict` if this one was dropped.
        """
        refuse_inside(self._core)
        if seed is not None:
            whole("seed", seed, 0, _SEED_MAX)
        if isinstance(snapshot, Snapshot) and snapshot.restore(self._core):
            own = snapshot.seed
        elif isinstance(snapshot, (bytes, Snapshot)):
            control(self._core, "PUT", "snapshot", bytes(snapshot))
            own = self.seed
        else:
            raise Misuse(f"snapshot must be a snapshot of a simulation, not {shown(snapshot)}")
        self.seed = self._options["seed"] = own if seed is None else seed
        self._core.reseed(self.seed)
        self._restores.happened()

    def __del__(self) -> None:
        """Ends a simulation with a driver of the host that was not closed: its thread would keep itself and the store
        alive."""
        pool = self.__dict__.get("_pool")
        if not isinstance(pool, VirtualDriverPool) or not pool.is_open:
            return
        try:
            self._core.close()
        except ForeignHandle:  # the simulation belongs to the process from which this one was forked
            return
        except Error:
            pass
        pool.abandon()
        warnings.warn(
            f"a simulation with a driver was not closed: {self!r}", ResourceWarning, source=self, stacklevel=2
        )

    def _calls_of(self, systems: ExternalSystems | Sequence[ExternalSystems], timeout: float) -> ExternalCalls:
        from .virtual_externals import VirtualExternalCalls

        return VirtualExternalCalls(systems, timeout)

    def _pool_of(self, driver: Driver) -> DriverPool:
        return VirtualDriverPool(driver)

    def run(self, speed: float = 1.0) -> None:
        """Advances virtual time `speed` times as fast as real time, until `stop` or `close`. `speed` is 0 to 1e9."""
        _check_speed(speed)
        with self._stopping:
            self._let_pass(speed, self._stopping)

    def _let_pass(self, speed: float, stopping: threading.Event) -> None:
        last = time.monotonic()
        owed = 0.0  # milliseconds of virtual time
        with contextlib.suppress(Closed):
            while not stopping.is_set():
                stopping.wait(_MOVES_EVERY)
                now = time.monotonic()
                owed += (now - last) * speed * 1000
                last = now
                self._move(int(owed))
                owed %= 1

    @contextlib.contextmanager
    def serve(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        origins: Iterable[str] = (),
        allow_hosts: Iterable[str] = (),
        speed: float = 0,
    ) -> Iterator[str]:
        """As `Engine.serve`. Meanwhile virtual time advances `speed` times as fast as real time; 0: it does not
        advance."""
        from ..serving.server import beside

        _check_speed(speed)
        with super().serve(host, port, origins=origins, allow_hosts=allow_hosts) as url:
            if speed == 0:
                yield url
            else:
                stopping = threading.Event()  # not that of `run`, which `stop` sets
                with beside(lambda: self._let_pass(speed, stopping), stopping.set, "orlop-time"):
                    yield url

    def _await_end(self, request: str, is_done: Callable[[], bool], timeout: float | None, what: str) -> None:
        if self.invariants:  # checked at every instant
            self._drive(lambda: run_until_ended(self._core, request, 0) == "ended", timeout, what)
            self.invariants.check()
        else:
            wait_for(self._core, request, timeout, what)

    def _drive(self, is_done: Callable[[], bool], timeout: float | None, what: str) -> None:
        refuse_inside(self._core)
        passed = 0.0
        while True:
            wanted = self._core.tick()
            if self.invariants:
                self.invariants.check()
            if is_done():
                return
            if wanted is None:
                raise endless(what)
            if timeout is not None and passed + wanted > timeout:
                # The whole timeout passes, so that a caller who waits again comes to the end.
                self._core.advance(max(0, math.ceil((timeout - passed) * 1000)))
                if is_done():
                    return
                raise late(what, timeout)
            passed += wanted
            self._core.advance(round(wanted * 1000))
