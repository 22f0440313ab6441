"""kill -9 of a process that commits batches and removes old events: an acknowledged batch is stored completely, any
other completely or not at all, and the feed has no gaps."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import textwrap

import pytest

import orlop
from test_processes import postgresql, store  # noqa: F401

KILLS = int(os.environ.get("ORLOP_BATCH_KILLS", "8"))
SEED = int(os.environ.get("ORLOP_SEED", "1"))
PROJECTS = 3
KEPT = 20  # events

WRITER = textwrap.dedent("""
    import sys
    import orlop

    store, first = sys.argv[1], int(sys.argv[2])
    engine = orlop.Engine(store, events_kept={kept}, require_cluster=False, lease_time="1s")
    for number in range(first, first + 1000):
        with engine.batch() as batch:
            organization = batch.organizations.create(name=f"acme {{number}}", plan="FREE")
            for project in range({projects}):
                organization.projects.create(name=f"shop {{project}}")
            print("commit", number, flush=True)
        print("committed", number, flush=True)
        if number % 3 == 1:
            print("forget", number, flush=True)
            engine.forget_events(max(1, engine.last_event - {kept}))
        if number % 3 == 2:
            print("tick", number, flush=True)
            engine.tick()
""").format(kept=KEPT, projects=PROJECTS)


def wrong_in(found: dict[str, int], acknowledged: set[int]) -> list[str]:
    """Returns the faults of a store with these organizations and their numbers of projects, after these batches were
    acknowledged."""
    parts = [f"{name} has {count} projects" for name, count in found.items() if count != PROJECTS]
    return parts + [f"acme {number} is gone" for number in sorted(acknowledged) if f"acme {number}" not in found]


def gaps_in(events: list[int]) -> list[int]:
    return [number for before, number in zip(events, events[1:]) if number != before + 1]


def look(path: str, acknowledged: set[int], last_known: int) -> int:
    """Examines the store; returns the number of its last event."""
    with orlop.Engine(path, role="serve") as engine:
        found = {organization.name: len(list(organization.projects)) for organization in engine.organizations}
        assert wrong_in(found, acknowledged) == []
        numbers = [event["sequence"] for event in engine.events()]
        assert numbers and gaps_in(numbers) == [] and numbers[-1] == engine.last_event >= last_known
        assert engine.check() == []
        return engine.last_event


def test_killed_in_batches_and_in_retention(store: str) -> None:
    chosen = random.Random(SEED)
    acknowledged: set[int] = set()
    killed_at: dict[str, int] = {}
    first = last = 0
    for _ in range(KILLS):
        point, after = chosen.choice(["commit", "committed", "forget", "tick"]), chosen.randrange(1, 9)
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, store, str(first)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None and writer.stderr is not None
        for line in writer.stdout:
            said, number_text = line.split()
            number = int(number_text)
            if said == "committed":
                acknowledged.add(number)
            if said == point and number >= first + after:
                killed_at[point] = killed_at.get(point, 0) + 1
                break
        writer.kill()  # during the operation that it has just announced
        for line in writer.stdout:
            if match := re.fullmatch(r"(\w+) (\d+)\n", line):  # the last line may be incomplete
                number = int(match[2])
                if match[1] == "committed":
                    acknowledged.add(number)
        assert writer.wait() < 0, writer.stderr.read()
        for stream in (writer.stdout, writer.stderr):
            stream.close()
        first = number + 2  # it may have begun the next batch without a line
        last = look(store, acknowledged, last)
    assert sum(killed_at.values()) == KILLS
    with orlop.Engine(store, role="serve") as engine:
        assert engine.events()[0]["sequence"] > 1, "nothing was forgotten"
        assert len(acknowledged) >= KILLS


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        ({"acme 1": PROJECTS}, []),
        ({"acme 1": PROJECTS, "acme 2": PROJECTS}, []),
        ({"acme 1": 1}, ["acme 1 has 1 projects"]),
        ({}, ["acme 1 is gone"]),
    ],
)
def test_what_may_not_be_is_found(found: dict[str, int], wrong: list[str]) -> None:
    assert wrong_in(found, {1}) == wrong
    assert gaps_in([4, 5, 7]) == [7] and gaps_in([4, 5, 6]) == []
