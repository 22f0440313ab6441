"""A deployment of many services in virtual time: by the whole engine, and by programs that one would write without it.

All of them take a service through the same states, sixteen steps at a time, each step of a random duration.

usage: lifecycles.py COUNT
Creates, deploys and redeploys COUNT services, once by each side, for counts that are too large to be repeated; then the
same in environments of twenty services.
"""

from __future__ import annotations

import heapq
import random
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Literal

import orlop

AT_ONCE = 16
_AFTER, _JITTER = 30, 30  # seconds
# Next state by current state and cause.
_NEXT = {
    ("DEPLOYED", "queued"): "DEPLOYMENT_QUEUED",
    ("DEPLOYMENT_QUEUED", "planned"): "WAITING_RUNNING",
    ("WAITING_RUNNING", "started"): "DEPLOYING",
    ("DEPLOYING", "succeeded"): "DEPLOYED",
}
_ENDS = ("DEPLOYED", "DEPLOYMENT_ERROR", "CANCELED")


class Ours:
    """An environment of `count` containers, created one by one or by their names. Every call redeploys it: validated,
    stored, planned, with all events."""

    def __init__(
        self,
        count: int,
        record: Literal["all", "states", "none"] = "all",
        storage: str = "memory:",
        *,
        by_names: bool = False,
    ) -> None:
        self._simulation = orlop.Simulation(storage, seed=1, record=record)
        organization = self._simulation.organizations.create(name="acme", plan="FREE")
        hub = organization.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        self._environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        containers, fields = (
            self._environment.containers,
            {"registry_id": hub.id, "image_name": "acme/service", "tag": "1.0.0", "healthchecks": {}},
        )
        names = (f"service-{number}" for number in range(count))
        if by_names:
            containers.create_many(names, **fields)
        else:
            for name in names:
                containers.create(name=name, **fields)
        self._simulation.rules.add(step="deploy", after=_AFTER, jitter=_JITTER)
        self._action = "deploy"

    def __call__(self) -> float:
        """Returns the virtual seconds that the deployment took."""
        self._simulation.request("POST", f"/environment/{self._environment.id}/{self._action}").raise_for_status()
        self._action = "redeploy"
        return self._simulation.run_until_idle()

    def changes(self) -> int:
        since = self._simulation.last_event
        self()
        return sum(
            event["kind"].removeprefix("service.").upper() == event.get("to")
            for event in self._simulation.events(since)
        )


class ByHeap:
    """A heap of ends, a table of states and a list of changes; nothing else is stored."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.states = ["DEPLOYED"] * count
        self.changes: list[tuple[float, int, str]] = []

    def __call__(self) -> float:
        random_source = random.Random(1)
        heap: list[tuple[float, int]] = []
        now = 0.0
        self.changes.clear()
        for cause in ("queued", "planned"):
            for service in range(self.count):
                self.step(now, service, cause)
        self.keep()
        following = 0
        while True:
            while following < self.count and len(heap) < AT_ONCE:
                self.step(now, following, "started")
                heapq.heappush(heap, (now + _AFTER + _JITTER * random_source.random(), following))
                following += 1
            self.keep()
            if not heap:
                return now
            now, service = heapq.heappop(heap)
            self.step(now, service, "succeeded")

    def step(self, now: float, service: int, cause: str) -> None:
        state = _NEXT[self.states[service], cause]
        self.states[service] = state
        self.changes.append((now, service, state))

    def keep(self) -> None:
        """Called after the last decision of each instant. Does nothing here."""


class ByHeapKept(ByHeap):
    """The same, with a row for each service and each change in SQLite, in memory: one transaction for each instant."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE TABLE machine (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, state TEXT NOT NULL)"
        )
        self._database.execute(
            "CREATE TABLE event (sequence INTEGER PRIMARY KEY, at REAL NOT NULL, service INTEGER NOT NULL, state "
            "TEXT NOT NULL)"
        )
        self._database.executemany(
            "INSERT INTO machine VALUES (?, 1, 'DEPLOYED')", ((service,) for service in range(count))
        )
        self._database.commit()
        self._kept = 0

    def __call__(self) -> float:
        self._kept = 0
        return super().__call__()

    def keep(self) -> None:
        new = self.changes[self._kept :]
        self._kept = len(self.changes)
        with self._database:
            self._database.executemany(
                "UPDATE machine SET state = ?, revision = revision + 1 WHERE id = ?",
                [(state, service) for _, service, state in new],
            )
            self._database.executemany("INSERT INTO event (at, service, state) VALUES (?, ?, ?)", new)


class BySimpy:
    """A SimPy process for each service and a resource of sixteen. Raises ImportError without SimPy."""

    def __init__(self, count: int) -> None:
        import simpy  # type: ignore[import-untyped, import-not-found, unused-ignore]

        self._simpy = simpy
        self._plain = ByHeap(count)

    def __call__(self) -> float:
        random_source = random.Random(1)
        environment = self._simpy.Environment()
        places = self._simpy.Resource(environment, capacity=AT_ONCE)
        plain = self._plain
        plain.changes.clear()

        def lifecycle(service: int):  # type: ignore[no-untyped-def]  # a generator of whatever SimPy makes
            plain.step(environment.now, service, "queued")
            plain.step(environment.now, service, "planned")
            with places.request() as place:
                yield place
                plain.step(environment.now, service, "started")
                yield environment.timeout(_AFTER + _JITTER * random_source.random())
            plain.step(environment.now, service, "succeeded")

        for service in range(plain.count):
            environment.process(lifecycle(service))
        environment.run()
        return float(environment.now)


class InStages:
    """Environments of twenty services, databases first and then containers. One of a hundred deployments fails: the
    services that wait in its environment are then canceled.

    Every call deploys all environments at the same time.
    """

    services, databases = 20, 2
    failing = 0.01

    def __init__(self, count: int) -> None:
        self._simulation = orlop.Simulation(seed=1)
        organization = self._simulation.organizations.create(name="acme", plan="FREE")
        hub = organization.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        project = organization.projects.create(name="shop")
        self._environments = list(
            project.environments.create_many(
                (f"preview-{number}" for number in range(count // self.services)), cluster_id=cluster.id
            )
        )
        for environment in self._environments:
            environment.databases.create_many(
                (f"database-{place}" for place in range(self.databases)),
                type="POSTGRESQL",
                version="16",
                mode="CONTAINER",
                accessibility="PRIVATE",
            )
            environment.containers.create_many(
                (f"service-{place}" for place in range(self.services - self.databases)),
                registry_id=hub.id,
                image_name="acme/service",
                tag="1.0.0",
                healthchecks={},
            )
        self._simulation.rules.add(step="deploy", after=_AFTER, jitter=_JITTER)
        self._simulation.rules.add(
            step="deploy", after=_AFTER, jitter=_JITTER, probability=self.failing, fails="the image cannot be pulled"
        )
        self._action = "deploy"

    def __call__(self) -> float:
        """Returns the virtual seconds that the deployments took."""
        for environment in self._environments:
            self._simulation.request("POST", f"/environment/{environment.id}/{self._action}").raise_for_status()
        self._action = "redeploy"
        return self._simulation.run_until_idle()

    def ends(self) -> Counter[str]:
        """Counts, for each final state, how often one call brings a service into it."""
        since = self._simulation.last_event
        self()
        return Counter(event["to"] for event in self._simulation.events(since) if event.get("to") in _ENDS)


class InStagesBySimpy:
    """A SimPy process for each environment and service, and for each environment a resource of sixteen. Raises
    ImportError without SimPy."""

    def __init__(self, count: int) -> None:
        import simpy  # type: ignore[import-untyped, import-not-found, unused-ignore]

        self._simpy = simpy
        self._count = count // InStages.services
        self.states = ["READY"] * (self._count * InStages.services)
        self.changes: list[tuple[float, int, str]] = []
        self._random = random.Random(1)

    def __call__(self) -> float:
        random_source = self._random
        timeline = self._simpy.Environment()
        states, changes = self.states, self.changes
        changes.clear()

        def move(service: int, state: str) -> None:
            states[service] = state
            changes.append((timeline.now, service, state))

        def lifecycle(service: int, places, failed):  # type: ignore[no-untyped-def]  # a generator of whatever SimPy makes
            with places.request() as place:
                yield place
                if failed:
                    return
                move(service, "WAITING_RUNNING")
                move(service, "DEPLOYING")
                fails = random_source.random() < InStages.failing
                yield timeline.timeout(_AFTER + _JITTER * random_source.random())
            move(service, "DEPLOYMENT_ERROR" if fails else "DEPLOYED")
            if fails:
                failed.append(service)

        def deployment(first: int):  # type: ignore[no-untyped-def]
            services = range(first, first + InStages.services)
            for service in services:
                move(service, "DEPLOYMENT_QUEUED")
            failed: list[int] = []
            for stage in (services[: InStages.databases], services[InStages.databases :]):
                places = self._simpy.Resource(timeline, capacity=AT_ONCE)
                yield timeline.all_of([timeline.process(lifecycle(service, places, failed)) for service in stage])
                if failed:
                    break
            for service in services:
                if states[service] == "DEPLOYMENT_QUEUED":
                    move(service, "CANCELED")

        for number in range(self._count):
            timeline.process(deployment(number * InStages.services))
        timeline.run()
        return float(timeline.now)

    def ends(self) -> Counter[str]:
        self()
        return Counter(state for _, _, state in self.changes if state in _ENDS)


def main() -> None:
    count = int(sys.argv[1])
    sides: dict[str, Callable[[], Callable[[], float]]] = {
        "by create_many": lambda: Ours(count, by_names=True),
        "by create": lambda: Ours(count),
        "SimPy": lambda: BySimpy(count),
        "in stages": lambda: InStages(count),
        "in stages by SimPy": lambda: InStagesBySimpy(count),
    }
    for name, make in sides.items():
        begin = time.perf_counter()
        deploy = make()
        deploy()
        deploy()
        print(f"{count:,} services, {name}: {(time.perf_counter() - begin) / count * 1e6:.1f} us", flush=True)
        del deploy


if __name__ == "__main__":
    main()
