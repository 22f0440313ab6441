"""Cost of leases for a single engine: instructions of a deployment with a store that engines can share, compared with a
store that only one engine uses.

Counted by callgrind, in memory: the cost of a file or a server would hide it.
"""

from __future__ import annotations

import json
import shutil

from instructions_bench import instructions_of

PHASES = ("create", "post_deploy", "ticks", "redeploy_ticks")
SERVICES = 400
GOAL = 3.0  # percent


def main() -> None:
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed (apt-get install valgrind)")
        return
    print(f"thousand instructions for each of {SERVICES} services{'shared':>12}{'alone':>12}{'cost':>10}  goal")
    rows = []
    for phase in PHASES:
        shared, alone = (instructions_of(phase, SERVICES, store) for store in ("shared", "alone"))
        cost = 100 * (shared / alone - 1)
        rows.append({"phase": phase, "shared": shared, "alone": alone, "cost_percent": cost})
        print(f"{phase:<48}{shared:>12.1f}{alone:>12.1f}{cost:>9.2f}%  {GOAL:.0f}%", flush=True)
    print("json " + json.dumps({"title": "leases", "figures": rows}))


if __name__ == "__main__":
    main()
