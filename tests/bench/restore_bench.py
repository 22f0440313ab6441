"""Cost of `snapshot()` and `restore()` of a simulation in memory, in processor time: while nothing runs, after changes
to one service, and after a deployment of all.

usage: restore_bench.py [SERVICES]
"""

from __future__ import annotations

import statistics
import sys
import time

import orlop

ROUNDS = 20


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with orlop.Simulation(seed=1, require_cluster=False) as simulation:
        simulation.rules.pack("realistic")
        acme = simulation.organizations.create(name="acme", plan="FREE")
        acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        shop = acme.projects.create(name="shop").environments.create(name="production")
        first = [
            shop.databases.create(name=f"stock{number}", type="POSTGRESQL", version="16", mode="CONTAINER")
            for number in range(count)
        ][0]
        shop.deploy().wait()
        before = simulation.snapshot()

        def measure(name: str, change: object, rounds: int = ROUNDS) -> None:
            took: dict[str, list[float]] = {"snapshot": [], "restore": []}
            for _ in range(rounds):
                start = time.process_time()
                kept = simulation.snapshot()
                took["snapshot"].append(time.process_time() - start)
                change()  # type: ignore[operator]
                start = time.process_time()
                simulation.restore(before)
                took["restore"].append(time.process_time() - start)
                del kept
            shown = ", ".join(f"{what} {1000 * statistics.median(times):.3f} ms" for what, times in took.items())
            print(f"{count} services, {name}: {shown}")

        measure("nothing changed", lambda: None)
        measure("one service deployed again", lambda: first.deploy().wait())
        measure("all deployed again", lambda: shop.deploy().wait(), 3)
        start = time.process_time()
        text = bytes(simulation.snapshot())
        print(f"the text, {len(text)} bytes: {1000 * (time.process_time() - start):.1f} ms")


main()
