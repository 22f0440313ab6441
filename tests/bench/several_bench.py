"""Several processes on one store: deployments compared with DBOS, durable creates of 1, 2 and 4 processes compared with
raw libpq, and the time until another process continues the work of a killed one.

A PostgreSQL server is started for the run, with its default durability. DBOS is in python/requirements-bench.txt;
without it the rest is measured.

usage: several_bench.py [deployments] [creates] [takeover]
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))

import orlop  # noqa: E402
from durable_workflows import Workflows  # noqa: E402
from paired import Figure, figure_of, seconds_of, show  # noqa: E402
from rows_alone import RowsAlone  # noqa: E402
from takeover import LEASE, ORGANIZATIONS, takeover  # noqa: E402
from takeover import SERVICES as SERVICES_OF_EACH  # noqa: E402

BUILT = ROOT / "build" / "release" / "tests" / "bench"
SERVICES = 20
ENVIRONMENTS = 16
ROUNDS = 5
CREATES = 1000
DELAY = 1000  # microseconds in each direction


@dataclass
class Server:
    direct: str  # libpq's parameters, by the socket
    port: int

    def url(self, database: str, schema: str = "") -> str:
        return f"postgresql://orlop@127.0.0.1:{self.port}/{database}" + (f"?schema={schema}" if schema else "")


@contextlib.contextmanager
def server_of(folder: Path) -> Iterator[Server]:
    control, facts = ROOT / "tests" / "postgresql" / "server.py", folder / "server.txt"
    subprocess.run([sys.executable, "-B", control, "start", facts, "--durable"], check=True)
    try:
        strings = dict(line.split("=", 1) for line in facts.read_text().splitlines())
        parts = dict(part.split("=", 1) for part in strings["direct"].split())
        yield Server(strings["direct"], int(parts["port"]))
    finally:
        subprocess.run([sys.executable, "-B", control, "stop", facts], check=True)


class Idle(orlop.Driver):
    async def deploy(self, step: orlop.Step) -> None:
        pass

    restart = deploy


class Ours:
    """Environments of services that need one step each; every call redeploys them."""

    def __init__(self, store: str) -> None:
        self._engine = orlop.Engine(store, driver=Idle(), require_cluster=False, max_parallel_deploys=SERVICES)
        organization = self._engine.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        project = organization.projects.create(name="shop")
        self._environments = [
            project.environments.create(name=f"production {number}", cluster_id=cluster.id)
            for number in range(ENVIRONMENTS)
        ]
        for environment in self._environments:
            for service in range(SERVICES):
                environment.databases.create(name=f"store {service}", type="REDIS", version="7", mode="CONTAINER")
        self._action = "deploy"
        self._driving = threading.Thread(target=self._engine.run)
        self._driving.start()

    def deploy(self, in_one: bool = False) -> None:
        """`in_one`: sends the requests in one transaction."""
        since = self._engine.last_event
        with self._engine.batch() if in_one else contextlib.nullcontext(self._engine) as sender:
            for environment in self._environments:
                sender.request("POST", f"/environment/{environment.id}/{self._action}").raise_for_status()
        self._action = "redeploy"
        ended = 0
        while ended < ENVIRONMENTS:
            found = self._engine.events(since, kinds=["deployment.ended"], timeout=60)
            since = found[-1]["sequence"]
            ended += len(found)

    def steps(self) -> int:
        since = self._engine.last_event
        self.deploy()
        return len(self._engine.events(since, kinds=["step.ended"]))

    def end(self) -> None:
        self._engine.stop()
        self._driving.join()
        self._engine.close()


def deployments(server: Server) -> tuple[list[Figure], list[str]]:
    try:
        bare = Workflows(server.url("workflows"), SERVICES)
    except ImportError as missing:
        return [], [f"DBOS was not measured: {missing} (.venv/bin/pip install -r python/requirements-bench.txt)"]
    ours = Ours(server.url("platform", "deployments"))
    try:
        ours.deploy()
        if ours.steps() != ENVIRONMENTS * SERVICES:
            raise SystemExit("the two sides do another number of steps")
        alone = RowsAlone(server.direct, "deployments", ours.deploy)
        alone.deploy()
        bare.deploy(ENVIRONMENTS)
        ours.deploy(in_one=True)
        rounds = [
            (
                seconds_of(ours.deploy),
                seconds_of(lambda: ours.deploy(in_one=True)),
                seconds_of(lambda: bare.deploy(ENVIRONMENTS)),
                seconds_of(alone.deploy),
            )
            for _ in range(ROUNDS)
        ]
        alone.end()
    finally:
        ours.end()
        bare.end()
    scale, what = 1e6 / ENVIRONMENTS, f"{ENVIRONMENTS} environments of {SERVICES} services, each"
    figure = figure_of(f"{what} (bare: DBOS)", "20", "us", [(our, theirs) for our, _, theirs, _ in rounds], scale)
    batch = figure_of(
        f"{what}, asked for in one batch (bare: DBOS)", "", "us", [(our, theirs) for _, our, theirs, _ in rounds], scale
    )
    limit = figure_of(
        f"{what}: their rows alone (bare: DBOS)", "", "us", [(rows, theirs) for _, _, theirs, rows in rounds], scale
    )
    share = figure_of(f"{what} (bare: their rows alone)", "", "us", [(our, rows) for our, _, _, rows in rounds], scale)
    costs = (("ours", figure.ours), ("in one batch", batch.ours), ("DBOS", figure.bare), ("the rows alone", limit.ours))
    rates = [f"{name} {1e6 / cost:.0f} environments and {1e6 * SERVICES / cost:.0f} steps" for name, cost in costs]
    rows = (
        f"The rows of {ENVIRONMENTS} environments: {alone.events} events, {alone.machines} writes of machines "
        f"and {alone.records} of records, in one commit and from tables of the server's own."
    )
    return [figure, batch, limit, share], [
        "In a second: " + "; ".join(rates) + ". A step does nothing on either side.",
        rows,
    ]


class Creators:
    """Processes of one side that create at once."""

    def __init__(self, side: str, connection: str, schema: str, count: int) -> None:
        command = [str(BUILT / "postgresql_creator"), side, connection, schema]
        self._processes = [
            subprocess.Popen([*command, str(writer)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for writer in range(count)
        ]
        for process in self._processes:
            if self._line(process) != "ready\n":
                raise SystemExit("a process that creates has not come up")

    def _line(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline()

    def create(self, each: int) -> None:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(f"{each}\n")
            process.stdin.flush()
        for process in self._processes:
            if not self._line(process):
                raise SystemExit("a process that creates has ended")

    def end(self) -> None:
        for process in self._processes:
            process.communicate()


@contextlib.contextmanager
def delayed(port: int) -> Iterator[int]:
    """Runs a delaying proxy to `port` and yields its port."""
    proxy = subprocess.Popen(
        [BUILT / "delaying_proxy", str(port), str(DELAY)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert proxy.stdout is not None
        yield int(proxy.stdout.readline())
    finally:
        proxy.communicate()


def creates_over(connection: str, name: str, suffix: str, goal: str) -> list[Figure]:
    figures: list[Figure] = []
    for count in (1, 2, 4):
        ours, bare = (Creators(side, connection, f"{side}{count}{suffix}", count) for side in ("ours", "bare"))
        try:
            for side in (ours, bare):
                side.create(CREATES // 4)
            pairs = []
            for number in range(ROUNDS):
                first, second = (ours, bare) if number % 2 == 0 else (bare, ours)
                took = {side: seconds_of(lambda side=side: side.create(CREATES // count)) for side in (first, second)}  # type: ignore[misc]
                pairs.append((took[ours], took[bare]))
        finally:
            ours.end()
            bare.end()
        figures.append(
            figure_of(
                f"create, {count} processes{name} (bare: raw libpq)",
                goal if count == 1 else "",
                "us",
                pairs,
                1e6 / (CREATES // count * count),
            )
        )
    return figures


def creates(server: Server) -> tuple[list[Figure], list[str]]:
    near = creates_over(server.direct, "", "", "0.6")
    with delayed(server.port) as port:
        far = creates_over(
            f"host=127.0.0.1 port={port} user=orlop dbname=platform sslmode=disable", ", 1 ms away", "far", ""
        )
    remarks = []
    for figures, place in ((near, "beside the server"), (far, "1 ms away")):
        rates = ", ".join(f"{1e6 / figure.ours:.0f}" for figure in figures)
        remarks.append(
            f"Creates in a second of 1, 2 and 4 processes, {place}: {rates}; 4 processes are "
            f"{figures[0].ours / figures[2].ours:.2f} times one" + (" (goal 3)." if figures is far else ".")
        )
    return near + far, remarks


def takeovers(server: Server, folder: Path) -> tuple[list[Figure], list[str]]:
    remarks = []
    for name, store in (("PostgreSQL", server.url("platform", "takeover")), ("a file", str(folder / "takeover.db"))):
        first, last, spent = takeover(store, folder / name.replace(" ", "-"))
        words = (
            f"Takeover in {name}, lease time {LEASE} s, {ORGANIZATIONS * SERVICES_OF_EACH:,} steps under "
            f"way: the first is handed over {first:.2f} s after kill -9, the last {last:.2f} s"
        )
        remarks.append(f"{words} (goal: lease time + 1 s); the other process spends {spent:.2f} s of processor time.")
    return [], remarks


def main(wanted: list[str]) -> None:
    figures: list[Figure] = []
    remarks: list[str] = []
    with tempfile.TemporaryDirectory() as folder, server_of(Path(folder)) as server:
        parts = {
            "deployments": lambda: deployments(server),
            "creates": lambda: creates(server),
            "takeover": lambda: takeovers(server, Path(folder)),
        }
        if unknown := set(wanted) - set(parts):
            raise SystemExit(f"the parts are {', '.join(parts)}, not {', '.join(sorted(unknown))}")
        for name, part in parts.items():
            if not wanted or name in wanted:
                more_figures, more_remarks = part()
                figures += more_figures
                remarks += more_remarks
    show("Several processes on one store", figures, remarks)


if __name__ == "__main__":
    main(sys.argv[1:])
