"""The Python package, compared with hand-written sqlite3 and json, moto, FastAPI, a heap and SimPy; and the time of its
import.

The peers outside Python's library are in python/requirements-bench.txt; a peer that is not installed is reported, and
the others are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any, Literal

import orlop
from lifecycles import ByHeap, ByHeapKept, BySimpy, InStages, InStagesBySimpy, Ours
from paired import Figure, figure_of, measure, show
from peers import ByHand, Turn, fastapi_turn, moto_turn

FIELDS: dict[str, Any] = {
    "name": "charts",
    "kind": "OCI_GENERIC_CR",
    "url": "oci://registry.example.com/charts",
    "skip_tls_verification": False,
    "description": "Charts of the shop: api, web, worker, mailer, search and the nightly reports, mirrored from "
    "the registry of the team",
    "config": {"username": "deployer", "password": "s3cret"},
}
COUNT = 1000


class Numbers:
    """Produces names that were not used before."""

    def __init__(self) -> None:
        self._next = 0

    def fields(self) -> dict[str, Any]:
        return {**FIELDS, "name": f"charts-{self.number()}"}

    def number(self) -> int:
        self._next += 1
        return self._next


def repeat(turn: Callable[[], object], count: int = COUNT) -> Callable[[], None]:
    def turns() -> None:
        for _ in range(count):
            turn()

    return turns


def by_hand(engine: orlop.Engine) -> list[Figure]:
    """Measures from a dictionary to a dictionary, in memory."""
    organization = engine.organizations.create(name="acme", plan="FREE")
    path = f"/organization/{organization.id}/helmRepository"
    hand, numbers = ByHand(), Numbers()

    def create() -> Any:
        return engine.request("POST", path, numbers.fields()).json()

    def get(id: str) -> Any:
        return engine.request("GET", f"{path}/{id}").json()

    ours, bare = create(), hand.create(numbers.fields())
    if set(get(ours["id"])) != set(hand.get(bare["id"])) or set(ours) != set(bare):
        raise SystemExit("the two sides answer with other fields")
    repositories = organization.helm_repositories
    return [
        measure("create", "", repeat(create), repeat(lambda: hand.create(numbers.fields())), COUNT),
        measure("get", "", repeat(lambda: get(ours["id"])), repeat(lambda: hand.get(bare["id"])), COUNT),
        measure(
            "create and get, dict to dict (bare: sqlite3 and json by hand)",
            "1.0",
            repeat(lambda: get(create()["id"])),
            repeat(lambda: hand.get(hand.create(numbers.fields())["id"])),
            COUNT,
        ),
        measure(
            "create and get, typed objects (bare: the same by hand)",
            "",
            repeat(lambda: repositories.get(repositories.create(**numbers.fields()).id)),
            repeat(lambda: hand.get(hand.create(numbers.fields())["id"])),
            COUNT,
        ),
    ]


def beside(engine: orlop.Engine, name: str, goal: str, make: Callable[[], tuple[Turn, Callable[[], None]]]) -> Figure:
    """Compares a create and a get with those of another project's fake platform. Raises ImportError if it is not
    installed."""
    turn, end = make()
    organization = engine.organizations.create(name=f"beside {name}", plan="FREE")
    path = f"/organization/{organization.id}/helmRepository"
    numbers, count = Numbers(), 100

    def ours() -> Any:
        made = engine.request("POST", path, numbers.fields()).json()
        return engine.request("GET", f"{path}/{made['id']}").json()

    try:
        return measure(
            f"create and get (bare: {name})",
            goal,
            repeat(ours, count),
            repeat(lambda: turn(numbers.number()), count),
            count,
        )
    finally:
        end()


def lifecycles(count: int, name: str, goal: str, make: Callable[[int], Callable[[], float]]) -> Figure:
    """Measures one redeployment of `count` services. Raises ImportError if the peer is not installed."""
    bare = make(count)
    ours = Ours(count)
    if ours.changes() != 4 * count or not 0.9 < ours() / bare() < 1.1:
        raise SystemExit("the two sides live through other deployments")
    return measure(f"redeployment of {count:,} services (bare: {name})", goal, ours, bare, count)


def life(make: Callable[[int], Callable[[], float]], count: int) -> Callable[[], object]:
    """Returns a function that creates, deploys and redeploys `count` services. It returns the side, so that its
    destruction is not measured."""

    def live() -> object:
        deploy = make(count)
        deploy()
        deploy()
        return deploy

    return live


def whole_lifecycles(count: int, *, by_names: bool) -> Figure:
    """Measures creating, deploying and redeploying `count` services. Raises ImportError without SimPy."""
    made = "made by create_many" if by_names else "made"
    return measure(
        f"{count:,} services {made}, deployed and redeployed (bare: SimPy)",
        "3",
        life(lambda count: Ours(count, by_names=by_names), count),
        life(BySimpy, count),
        count,
    )


def lifecycles_in_stages(count: int) -> Figure:
    """Measures new environments whose services are created, deployed stage by stage with failures, and redeployed.
    Raises ImportError without SimPy."""
    ours, bare = InStages(count).ends(), InStagesBySimpy(count).ends()
    if abs(ours["DEPLOYED"] - bare["DEPLOYED"]) > 0.05 * count or not ours["CANCELED"] or not ours["DEPLOYMENT_ERROR"]:
        raise SystemExit(f"the two sides live through other deployments: {ours} and {bare}")
    name = f"{count:,} services in environments of {InStages.services}, in stages, 1 % failing (bare: SimPy)"
    return measure(name, "3", life(InStages, count), life(InStagesBySimpy, count), count)


def made_by_names(count: int) -> Figure:
    """Compares `count` services by `create_many` with as many single creates."""
    return measure(
        f"{count:,} services by create_many (bare: by create)",
        "",
        lambda: Ours(count, by_names=True),
        lambda: Ours(count),
        count,
    )


def found_by_name(many: int, few: int) -> Figure:
    """Compares finding a container among `many` in an environment with one among `few`."""
    turns = []
    engines = []
    for count in (many, few):
        engine = orlop.Engine()
        engines.append(engine)
        organization = engine.organizations.create(name="acme", plan="ENTERPRISE")
        hub = organization.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        containers = (
            organization.projects.create(name="shop")
            .environments.create(name="production", cluster_id=cluster.id)
            .containers
        )
        containers.create_many(
            (f"service-{number}" for number in range(count)),
            registry_id=hub.id,
            image_name="acme/service",
            tag="1.0.0",
            healthchecks={},
        )
        turns.append(lambda containers=containers, name=f"service-{count // 2}": containers.find(name))
    try:
        return measure(
            f"find one of {many:,} by its name (bare: one of {few:,})", "", repeat(turns[0]), repeat(turns[1]), COUNT
        )
    finally:
        for engine in engines:
            engine.close()


def whole_lifecycles_on_a_file(count: int) -> Figure:
    """Compares the same work in an SQLite file with ours in memory."""

    def life(storage: str) -> float:
        deploy = Ours(count, storage=storage)
        return deploy() + deploy()

    def on_a_file() -> float:
        with TemporaryDirectory() as folder:
            return life(f"{folder}/platform.db")

    return measure(
        f"{count:,} services made, deployed and redeployed on a file (bare: in memory)",
        "",
        on_a_file,
        lambda: life("memory:"),
        count,
    )


def recorded(count: int, record: Literal["states", "none"]) -> Figure:
    """Compares a feed that keeps less with a feed of every event."""
    every, less = Ours(count), Ours(count, record)
    every(), less()
    return measure(f"redeployment of {count:,} services, record={record} (bare: record=all)", "", less, every, count)


def import_time(statement: str) -> Figure:
    """Measures an import in separate processes, from after the interpreter's start."""

    def seconds(imported: str) -> float:
        program = f"from time import perf_counter as now; start = now(); {imported}; print(now() - start)"
        return float(run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout)

    pairs = []
    for number in range(21):
        first, second = (statement, "import sqlite3") if number % 2 == 0 else ("import sqlite3", statement)
        measured = {first: seconds(first), second: seconds(second)}
        pairs.append((measured[statement], measured["import sqlite3"]))
    return figure_of(f"{statement} (bare: import sqlite3)", "1.0", "ms", pairs[1:], 1e3)


def main() -> None:
    figures: list[Figure] = []
    remarks = [
        "Ours validates, which the bare sides do not.",
        "A lifecycle of ours runs through the whole engine: requests, steps and services are stored, with an "
        "event for each change.",
    ]

    def optional(peer: str, make: Callable[[], Figure]) -> None:
        try:
            figures.append(make())
        except ImportError as missing:
            remarks.append(
                f"{peer} was not measured: {missing} (.venv/bin/pip install -r python/requirements-bench.txt)"
            )

    with orlop.Engine() as engine:
        figures += by_hand(engine)
        optional("moto", lambda: beside(engine, "moto, a cluster of ECS", "10", moto_turn))
        optional("FastAPI", lambda: beside(engine, "FastAPI and its test client", "20", lambda: fastapi_turn(FIELDS)))
    for count in (1000, 10_000):
        figures.append(lifecycles(count, "heapq", "", ByHeap))
        figures.append(lifecycles(count, "heapq, kept in SQLite", "", ByHeapKept))
        optional("SimPy", lambda count=count: lifecycles(count, "SimPy", "3", BySimpy))  # type: ignore[misc]
        for by_names in (False, True):
            optional("SimPy", lambda count=count, by_names=by_names: whole_lifecycles(count, by_names=by_names))  # type: ignore[misc]
        figures.append(made_by_names(count))
        optional("SimPy", lambda count=count: lifecycles_in_stages(count))  # type: ignore[misc]
    figures.append(found_by_name(10_000, 100))
    figures.append(whole_lifecycles_on_a_file(10_000))
    figures += [recorded(1000, "states"), recorded(1000, "none")]
    figures += [import_time("import orlop"), import_time("from orlop import Engine")]
    remarks.append(f"Ours read and wrote JSON by {'orjson' if 'orjson' in sys.modules else 'json'}.")
    library = Path(orlop._core.__file__)
    remarks.append(f"The module {library.name} has {library.stat().st_size / 1e6:.2f} MB.")
    show("the Python package", figures, remarks)


if __name__ == "__main__":
    main()
