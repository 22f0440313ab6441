"""Time until the steps of a killed process are handed to the driver of another one: two processes on one store; the one
that drives is killed.

As a separate process: takeover.py drive STORE LOG LEASE drives the store, begins every step, ends none, and writes the
time of each beginning to LOG.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import orlop

LEASE = 3  # seconds
ORGANIZATIONS = 10
SERVICES = 1000  # of each organization
WITHIN = 300.0  # seconds: for each wait


def drive(store: str, log: str, lease: str) -> None:
    line = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    class Endless(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            os.write(line, f"{time.monotonic():.6f} {int(step.resumed)}\n".encode())
            await asyncio.Event().wait()

    engine = orlop.Engine(
        store, driver=Endless(), lease_time=f"{lease}s", require_cluster=False, max_parallel_deploys=SERVICES
    )
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    engine.run()


class Driving:
    def __init__(self, store: str, log: Path) -> None:
        self.log = log
        self.process = subprocess.Popen(
            [sys.executable, __file__, "drive", store, str(log), str(LEASE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        if self.process.stdout.readline() != "ready\n":
            raise SystemExit("a process that drives has not come up")

    def starts(self) -> list[float]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [float(line.split()[0]) for line in lines]

    def await_starts(self, count: int) -> list[float]:
        end = time.monotonic() + WITHIN
        while len(starts := self.starts()) < count:
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit(f"{len(starts)} of {count} steps have begun")
            threading.Event().wait(0.05)
        return starts

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def populate(engine: orlop.Engine) -> list[str]:
    """Creates one environment in each organization; returns their ids."""
    environments = []
    for number in range(ORGANIZATIONS):
        organization = engine.organizations.create(name=f"acme {number}", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        path = f"/environment/{environment.id}/database"
        for first in range(0, SERVICES, 100):
            with engine.batch() as batch:
                for service in range(first, first + 100):
                    batch.request(
                        "POST", path, {"name": f"store {service}", "type": "REDIS", "version": "7", "mode": "CONTAINER"}
                    ).raise_for_status()
        environments.append(environment.id)
    return environments


def takeover(store: str, log: Path) -> tuple[float, float, float]:
    """Returns the seconds from kill -9 until the first and the last step are handed over, and the processor time that
    the other process spends meanwhile."""
    count = ORGANIZATIONS * SERVICES
    running: list[Driving] = []
    with orlop.Engine(store, role="serve", require_cluster=False) as engine:
        environments = populate(engine)
        try:
            running.append(Driving(store, log.with_suffix(".first")))
            for environment in environments:
                engine.request("POST", f"/environment/{environment}/deploy").raise_for_status()
            running[0].await_starts(count)
            running.append(Driving(store, log.with_suffix(".second")))
            threading.Event().wait(LEASE)  # the other process has observed the leases for as long as it waits for them
            killed_at, spent = time.monotonic(), running[1].processor_seconds()
            running[0].process.kill()
            starts = running[1].await_starts(count)
            spent = running[1].processor_seconds() - spent
        finally:
            for driving in running:
                driving.end()
    return starts[0] - killed_at, starts[-1] - killed_at, spent


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["drive", store_given, log_given, lease_given]:
            drive(store_given, log_given, lease_given)
        case _:
            raise SystemExit(__doc__)
