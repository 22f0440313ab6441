"""Memory of services besides their bodies: created, deployed and redeployed, in a simulation in memory. Counted by the
allocator (glibc).

usage: memory_bench.py [SERVICES...]
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
from typing import Literal

import orlop

SIZES = (1000, 20_000)
REDEPLOYMENTS = 3


class Counted(ctypes.Structure):
    """The result of mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        )
    ]


def in_use() -> int:
    """Returns the bytes that the process has allocated and not freed."""
    gc.collect()
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Counted
    counted = libc.mallinfo2()
    return int(counted.uordblks) + int(counted.hblkhd)


def measure(count: int, record: Literal["all", "none"]) -> dict[str, float]:
    """Returns bytes for each service: its body, and the growth by each action."""
    simulation = orlop.Simulation(seed=1, record=record)
    acme = simulation.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    simulation.rules.add(step="deploy", after=30, jitter=30)
    fields = {"registry_id": hub.id, "image_name": "acme/service", "tag": "1.0.0", "healthchecks": {}}
    bodies = 0
    before = in_use()
    for number in range(count):
        bodies += len(
            simulation.request(
                "POST", f"/environment/{shop.id}/container", {"name": f"service-{number}", **fields}
            ).body
        )
    found = {"body": bodies / count, "made": (in_use() - before) / count}
    for number in range(1 + REDEPLOYMENTS):
        before = in_use()
        simulation.request("POST", f"/environment/{shop.id}/{'redeploy' if number else 'deploy'}").raise_for_status()
        simulation.run_until_idle()
        found["deployed again" if number else "deployed"] = (in_use() - before) / count
    simulation.close()
    return found


def main() -> None:
    print(
        f"bytes for each service, "
        f"{'':<24}{'body':>10}{'made':>10}{'deployed':>12}{'again':>10}{'in all, beside the body':>26}"
    )
    rows = []
    for count in [int(given) for given in sys.argv[1:]] or SIZES:
        for record in ("all", "none"):
            found = measure(count, record)  # type: ignore[arg-type]
            beside = found["made"] + found["deployed"] + found["deployed again"] - found["body"]
            name = f"{count:,} services, record={record}"
            rows.append({"name": name, **found, "beside the body": beside})
            print(
                f"{name:<48}{found['body']:>10.0f}{found['made']:>10.0f}{found['deployed']:>12.0f}"
                f"{found['deployed again']:>10.0f}{beside:>26.0f}"
            )
    print("json " + json.dumps({"title": "memory of services", "figures": rows}))


main()
