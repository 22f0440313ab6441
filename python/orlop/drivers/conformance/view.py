"""What exists for an environment, as the caller's probe lists it or the driver's `observe` sees it."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

from ...errors import Misuse
from ...options.arguments import shown
from ..driver import Driver
from ..observation import Observation, Subjects
from ..workload import Workload
from .report import NotApplicable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import TypeAlias

    Probe: TypeAlias = "Callable[[str], Iterable[Workload]]"
    """Lists what exists for the environment with this id, whether it runs or not."""
else:
    Probe = "Callable[[str], Iterable[Workload]]"

_STATES_THAT_RUN = ("STARTING", "RUNNING", "WARNING")


class View:
    """Looks at the workloads of one environment."""

    def __init__(self, driver: Driver, probe: Probe | None, environment: str) -> None:
        self._driver = driver
        self._probe = probe if probe is not None else getattr(driver, "workloads", None)
        self._environment = environment

    @property
    def observes(self) -> bool:
        """True if the driver has a method `observe`."""
        return type(self._driver).observe is not Driver.observe

    @property
    def sees(self) -> bool:
        """True if something can be seen at all."""
        return self._probe is not None or self.observes

    @property
    def lists(self) -> bool:
        """True if the workloads can be listed."""
        return self._probe is not None

    def all(self) -> list[Workload]:
        """Returns what exists. Raises `NotApplicable` without a probe: `observe` names no workloads."""
        if self._probe is None:
            raise NotApplicable("no probe says which workloads exist, and the driver has no method `workloads`")
        found = list(self._probe(self._environment))
        for one in found:
            if not isinstance(one, Workload):
                raise Misuse(f"the probe must return objects of the class Workload, not {shown(one)}")
        return found

    def running(self, service: str) -> int:
        """Returns the number of running instances of a service. Raises `NotApplicable` if nothing can be seen."""
        if self._probe is not None:
            return sum(one.is_running for one in self.all() if one.service == service)
        seen = self.observe(service).get(service)
        if not isinstance(seen, Observation):
            return int(seen in _STATES_THAT_RUN)
        return int(seen.running_state in _STATES_THAT_RUN) if seen.ready is None else seen.ready

    def traces(self, service: str) -> list[Any]:
        """Returns what differs after an instance of the service was touched."""
        if self._probe is not None:
            return sorted((one.id, one.touched) for one in self.all() if one.service == service and one.is_running)
        seen = self.observe(service).get(service)
        return [(seen.restarts, seen.since)] if isinstance(seen, Observation) else [seen]

    def runs(self, job: str) -> list[tuple[str, str]]:
        """Returns the runs of a job, those that have ended included."""
        return sorted((one.id, one.touched) for one in self.all() if one.service == job)

    def observe(self, *services: str) -> dict[str, Any]:
        """Returns what the driver's `observe` says of the services."""
        if not self.observes:
            raise NotApplicable("no probe was given, and the driver has no method `observe`")
        seen = self._driver.observe(Subjects("", services))
        if inspect.isawaitable(seen):
            seen = asyncio.run(_awaited(seen))
        return dict(seen or {})

    def observed(self, service: str) -> str:
        """Returns the running state that the driver observes; "" if it says nothing."""
        seen = self.observe(service).get(service, "")
        return seen.running_state if isinstance(seen, Observation) else str(seen)


async def _awaited(seen: Any) -> Any:
    return await seen
