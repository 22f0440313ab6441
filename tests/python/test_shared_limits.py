"""The rate limit of a caller over several processes on one store, in a file and in PostgreSQL: together they answer
exactly as many requests as the limit allows."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import orlop
from test_processes import postgresql, store  # noqa: F401

LIMIT = 60  # below 100: requests are reserved one by one, so that the limit is exact
PROCESSES = 3
EACH = 40

ASKING = textwrap.dedent("""
    import sys
    import orlop

    with orlop.Engine(sys.argv[1], role="serve", rate_limit=int(sys.argv[2]), require_cluster=False) as engine:
        print("ready", flush=True)
        sys.stdin.readline()
        statuses = [engine.request("GET", "/organization", trusted=False).status for _ in range(int(sys.argv[3]))]
        print(statuses.count(200), statuses.count(429), flush=True)
        sys.stdin.readline()
""")


def ask(store: str, limit: int, each: int) -> list[tuple[int, int]]:
    """Returns the numbers of answered and refused requests of each process."""
    command = [sys.executable, "-c", ASKING, store, str(limit), str(each)]
    asking = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(PROCESSES)
    ]
    try:
        for process in asking:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
        for process in asking:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        counts = []
        for process in asking:
            assert process.stdout is not None
            answered, refused = map(int, process.stdout.readline().split())
            counts.append((answered, refused))
        return counts
    finally:
        for process in asking:
            process.communicate("\n", timeout=60)


def test_small_limits_are_exact(store: str) -> None:
    orlop.Engine(store, require_cluster=False).close()
    counts = ask(store, LIMIT, EACH)
    assert sum(answered for answered, _ in counts) == LIMIT, counts
    assert sum(refused for _, refused in counts) == PROCESSES * EACH - LIMIT, counts


def test_large_limits_are_exact_to_a_block_of_each_process(store: str) -> None:
    limit, each = 300, 150
    orlop.Engine(store, require_cluster=False).close()
    answered = sum(count for count, _ in ask(store, limit, each))
    assert limit - PROCESSES * limit // 10 <= answered <= limit, answered
