"""The bench of one rule: a fresh engine on a store of its own, one environment, and the driver under watch."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import Misuse, Refused, WaitTimeout
from .report import Broken, NotApplicable
from .watched import Watch, watched
from .view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ...engine.engine import Engine
    from ..driver import Driver
    from .watched import Call, Hold
    from .view import Probe

STEP_DEADLINE = 1800.0  # seconds; the bench moves its clock past it, and stays within the lease
SHORT_LEASE = 60.0
_ENDS = {"deploy": "DEPLOYED", "stop": "STOPPED", "restart": "RESTARTED"}
_FAILED = ("CANCELED", "DEPLOYMENT_ERROR", "STOP_ERROR", "RESTART_ERROR")


class Setup(NamedTuple):
    """What all rules share: how a driver is made, what it deploys, and how long a rule waits."""

    factory: Callable[[], Driver]
    family: str
    service: Mapping[str, Any]
    slow: Mapping[str, Any] | None
    broken: Mapping[str, Any] | None
    job: Mapping[str, Any] | None
    registry: Mapping[str, Any]
    probe: Probe | None
    patience: float
    settle: float
    points: int


class _Clock:
    """The clock of the system, which a rule moves forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


class Bench:
    """The engine of a rule. `open` replaces it by the next one on the same store, with a new driver object."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.watch = Watch()
        self.logged: list[str] = []
        self.clock = _Clock()
        self._folder = tempfile.mkdtemp(prefix="orlop-driver-check-")
        self._is_closed = True
        self._left: list[Engine] = []
        self.open()
        acme = self.engine.organizations.create(name="acme", plan="FREE")
        acme.clusters.create(name="here", region="eu-west-3", cloud_provider="AWS")
        try:
            self._registry = acme.container_registries.create(**{"name": "registry", **setup.registry})
        except (Refused, Misuse, TypeError) as error:
            self._discard()
            raise Misuse(f"registry must have fields that the engine accepts: {error}") from None
        self._environment = acme.projects.create(name="check").environments.create(name="check").id

    # ---- The engine ----
    def open(self, **options: Any) -> None:
        """Opens an engine with a new driver object."""
        self.driver = self.setup.factory()
        self.engine = self._opened(self.driver, options)
        self._is_closed = False

    def take_over(self) -> None:
        """Opens a second engine on the store, with a new driver object, and lets the lease of the first one end."""
        self._left.append(self.engine)
        self.open(lease_time=SHORT_LEASE)
        for _ in range(8):  # the second one renews its own lease meanwhile
            self.engine.tick()
            self.clock.ahead += SHORT_LEASE / 4

    def tick_left(self) -> None:
        """Ticks the engine that was left when another one has taken over."""
        self._left[-1].tick()

    def _opened(self, driver: Driver, options: Mapping[str, Any]) -> Engine:
        from ...engine.engine import Engine

        given: dict[str, Any] = {
            "driver": watched(driver, self.watch),
            "require_cluster": False,
            "clock": self.clock,
            "start_deadline": STEP_DEADLINE,
            "step_deadline": STEP_DEADLINE,
            "cancel_deadline": STEP_DEADLINE,
            "lease_time": 2 * STEP_DEADLINE,
            "observe_interval": 0,
            "log": lambda level, text: self.logged.append(text),
        }
        return Engine(f"{self._folder}/platform.db", **{**given, **options})

    def close(self, timeout: float = 0.0) -> None:
        """Closes the engine. Methods that run longer than `timeout` are left behind."""
        if not self._is_closed:
            self._is_closed = True
            for engine in (*self._left, self.engine):
                engine.close(timeout)
            self._left.clear()

    def reopen(self, timeout: float = 0.0, **options: Any) -> None:
        """Closes the engine and opens the next one."""
        self.close(timeout)
        self.open(**options)

    def tear_down(self) -> None:
        """Deletes the environment with all that the driver has made for it, and the store."""
        self.watch.twice = ""
        with contextlib.suppress(Exception):
            self.reopen()
            self.environment.delete()
            self.until(lambda: self.is_gone() or self.environment.state == "DELETE_ERROR", self.setup.patience)
        self.watch.end()
        self._discard()

    def _discard(self) -> None:
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def is_gone(self) -> bool:
        """Returns True if the environment is deleted."""
        return bool(self.engine.request("GET", f"/environment/{self._environment}").status == 404)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Runs the engine until the condition holds. Returns False if it does not within `seconds`."""
        with contextlib.suppress(WaitTimeout):
            self.engine._drive(condition, seconds, "the condition")
            return True
        return condition()

    # ---- What is deployed ----
    @property
    def environment(self) -> Any:
        """The environment, as an object of the engine that is open."""
        acme = self.engine.organizations.find("acme")
        return acme.projects.find("check").environments.get(self._environment)

    @property
    def view(self) -> View:
        """The look at the environment's workloads, through the driver object of the engine that is open."""
        return View(self.driver, self.setup.probe, self._environment)

    def add(self, name: str = "web", **fields: Any) -> str:
        """Creates a service. Returns its id."""
        given = {**self.setup.service, **fields}
        if self.setup.family == "containers":
            given = {"healthchecks": {}, "registry_id": self._registry.id, **given}
        return self._create("service", getattr(self.environment, self.setup.family), {"name": name, **given})

    def add_job(self) -> str:
        """Creates the job. Raises `NotApplicable` if none was given. Returns its id."""
        if self.setup.job is None:
            raise NotApplicable("no job was given")
        given = {"name": "job", "healthchecks": {}, "schedule": {"on_start": {}}, **self.setup.job}
        source = given.get("source")
        if isinstance(source, dict) and isinstance(source.get("image"), dict):
            given["source"] = {**source, "image": {"registry_id": self._registry.id, **source["image"]}}
        return self._create("job", self.environment.jobs, given)

    def _create(self, what: str, collection: Any, fields: Mapping[str, Any]) -> str:
        try:
            return str(collection.create(**fields).id)
        except Refused as error:
            raise Misuse(f"{what} must have fields that the engine accepts: {error}") from None

    def service(self, service: str) -> Any:
        """Returns the service as an object of the engine that is open."""
        return getattr(self.environment, self.setup.family).get(service)

    def begin(self, action: str) -> Any:
        """Requests an action for the environment. Returns the deployment."""
        return getattr(self.environment, action)()

    def do(self, action: str) -> Any:
        """Requests an action for the environment, and waits for its success."""
        return self.finish(self.begin(action), action)

    def do_to(self, service: str, action: str) -> Any:
        """Requests an action for one service, and waits for its success."""
        return self.finish(getattr(self.service(service), action)(), action)

    def finish(self, run: Any, action: str) -> Any:
        """Waits for the success of a deployment."""
        try:
            run.wait(self.setup.patience)
        except WaitTimeout:
            raise Broken(f"the {action} has not ended within {self.setup.patience:g} seconds") from None
        if run.state != _ENDS[action]:
            reason = f": {run.reason}" if run.reason else ""
            raise Broken(f"the {action} has ended as {run.state}, not as {_ENDS[action]}{reason}")
        return run

    def settle(self, action: str) -> None:
        """Waits until the action that an earlier engine has begun has ended, and for its success."""
        end = _ENDS[action]
        if not self.until(lambda: self.environment.state in (end, *_FAILED), self.setup.patience):
            raise Broken(f"the next engine has not completed the {action} within {self.setup.patience:g} seconds")
        if self.environment.state != end:
            said = f"{self.environment.state}, not as {end}: {self._reason()}"
            raise Broken(f"the next engine has ended the {action} as {said}")

    def settle_service(self, service: str, end: str) -> None:
        """Waits until a service has the state after the action that an earlier engine has begun on it."""
        if not self.until(lambda: self.service(service).state in (end, *_FAILED), self.setup.patience):
            raise Broken(f"the next engine has left the service {self.service(service).state}, not {end}")
        if self.service(service).state != end:
            raise Broken(f"the next engine has left the service {self.service(service).state}: {self._reason()}")

    def delete(self, service: str) -> None:
        """Deletes a service and waits until it is gone."""
        self.service(service).delete()
        self.await_gone(service)

    def await_gone(self, service: str) -> None:
        """Waits until a service that is being deleted is gone."""
        if not self.until(lambda: self._has_ended(service), self.setup.patience):
            raise Broken(f"the deletion has not ended within {self.setup.patience:g} seconds")
        if self._status(service) != 404:
            raise Broken(f"the deletion has failed: {self._reason()}")

    def _status(self, service: str) -> int:
        path = f"/{self.setup.family.rstrip('s')}/{service}"
        return int(self.engine.request("GET", path).status)

    def _has_ended(self, service: str) -> bool:
        return self._status(service) == 404 or self.service(service).state == "DELETE_ERROR"

    def _reason(self) -> str:
        """Returns the last reason of a failure among the events."""
        details = [event.get("detail") for event in self.engine.events()]
        reasons = [str(one["reason"]) for one in details if isinstance(one, dict) and one.get("reason")]
        return reasons[-1] if reasons else "no reason is known"

    # ---- Expectations ----
    def expect_running(self, service: str, count: int, when: str) -> None:
        """Waits until as many instances of the service run. Raises `Broken` with the number seen."""
        seen = -1

        def is_so() -> bool:
            nonlocal seen
            seen = self.view.running(service)
            return seen == count

        if not self.until(is_so, self.setup.settle):
            raise Broken(f"{when} {_instances(seen)} of the service run, not {count}")

    def expect_ended(self, call: Call, what: str) -> None:
        """Waits until the method has ended."""
        if not self.until(call.ended.is_set, self.setup.patience):
            raise Broken(f"the method {call.kind} has not ended within {self.setup.patience:g} seconds after {what}")

    def expect_reached(self, hold: Hold) -> bool:
        """Waits until the step is held. Returns False if it has ended before the point."""

        def is_there() -> bool:
            return hold.reached.is_set() or (hold.call is not None and hold.call.ended.is_set())

        if not self.until(is_there, self.setup.patience):
            raise Broken(f"no step {hold.kind} has begun within {self.setup.patience:g} seconds")
        self.engine.tick()  # takes the report that the step has begun
        return hold.reached.is_set()


def _instances(count: int) -> str:
    return "1 instance" if count == 1 else f"{count} instances"
