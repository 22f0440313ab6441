"""A disk that is full while batches are committed and old events are removed: each error says so, no change is partial,
reads continue, and with room again everything succeeds.

The full file system is a small one in memory, which requires root; a limit of the size of files, which a process sets
for itself, has nearly the same effect everywhere.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import orlop
from conftest import furnish

PROGRAM = textwrap.dedent("""
    import os, resource, sys
    import orlop

    path, way = sys.argv[1:3]
    folder = os.path.dirname(path)

    def fill():
        if way == "limit":
            sizes = [os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)]
            resource.setrlimit(resource.RLIMIT_FSIZE, (max(sizes) + 20_000, resource.RLIM_INFINITY))
            return
        with open(os.path.join(folder, "ballast"), "wb", 0) as ballast:
            for size in (65536, 4096):
                try:
                    while True:
                        ballast.write(bytes(size))
                except OSError:
                    pass

    def make_room():
        if way == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        else:
            os.unlink(os.path.join(folder, "ballast"))

    acknowledged, refused = [], []

    def add(engine, number):
        with engine.batch() as batch:
            organization = batch.organizations.create(name=f"acme {number}", plan="FREE", description="x" * 200)
            for project in range(3):
                organization.projects.create(name=f"shop {project}", metadata={"text": "y" * 1500})
        acknowledged.append(number)

    def names(engine):
        return sorted(organization.name for organization in engine.organizations)

    def look(engine):
        assert names(engine) == sorted(f"acme {number}" for number in acknowledged), (names(engine), acknowledged)
        for organization in engine.organizations:
            assert len(list(organization.projects)) == 3
        numbers = [event["sequence"] for event in engine.events()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[-1] == engine.last_event

    with orlop.Engine(path, require_cluster=False) as engine:
        for number in range(5):
            add(engine, number)
        fill()
        for number in range(100, 200):
            try:
                add(engine, number)
            except orlop.StorageError as error:
                refused.append(error.code)
                if len(refused) == 3:
                    break
        assert refused == ["storage_failed"] * 3, refused
        look(engine)  # reads go on, and nothing of what was refused is there
        before = engine.events()[0]["sequence"]
        outcome = "forgotten"
        try:
            engine.forget_events(engine.last_event - 2)
        except orlop.StorageError as error:
            outcome = error.code
        assert outcome == "storage_failed", outcome
        look(engine)
        assert engine.events()[0]["sequence"] == before, "half of them are forgotten"
        make_room()
        add(engine, 300)
        assert engine.forget_events(engine.last_event - 2) > 0
        look(engine)
        assert len(engine.events()) == 2
        assert engine.check() == []
    with orlop.Engine(path, require_cluster=False) as engine:
        look(engine)
        add(engine, 301)
    print(len(acknowledged), len(refused))
""")


@contextlib.contextmanager
def small_file_system(folder: Path) -> Iterator[Path]:
    place = folder / "small"
    place.mkdir()
    if (
        os.getuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], check=False, capture_output=True
        ).returncode
        != 0
    ):
        pytest.skip("no small file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("way", ["limit", "file system"])
def test_a_full_disk_in_batches_and_in_retention(tmp_path: Path, way: str) -> None:
    with small_file_system(tmp_path) if way == "file system" else contextlib.nullcontext(tmp_path) as place:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(place / "platform.db"), way],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        made, refused = map(int, done.stdout.split())
        assert made >= 7 and refused == 3


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


WORDS = {
    "import": "the store failed: ",
    "restore": '.db" cannot be written: the store failed: ',
    "backup": '"copy.db" cannot be written: the store failed: ',
    "snapshot": "cannot write copy.jsonl",
}


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("way", ["limit", "file system"])
@pytest.mark.parametrize(
    "given",
    [
        "import new.db {0}.jsonl",
        "import used.db {0}.jsonl --into --organization acme",
        "restore new.db {0}.db",
        "restore used.db {0}.db",
        "backup {0}.db copy.db",
        "snapshot {0}.db copy.jsonl",
    ],
)
def test_a_command_that_finds_no_room_leaves_what_was_there(tmp_path: Path, given: str, way: str, share: float) -> None:
    """Runs with room for a share of what the command writes."""
    large = tmp_path / "large"
    with orlop.Engine(f"{large}.db") as engine:
        platform = furnish(engine)
        platform.environment.containers.create_many(
            (f"web {number}" for number in range(1500)),
            registry_id=platform.registry.id,
            image_name="acme/web",
            tag="1.0.0",
            healthchecks={},
        )
        Path(f"{large}.jsonl").write_bytes(engine.snapshot())
    room = int(os.path.getsize(f"{large}.db") * share)
    with small_file_system(tmp_path) if way == "file system" else contextlib.nullcontext(tmp_path / "small") as place:
        place.mkdir(exist_ok=True)
        with orlop.Engine(place / "used.db") as engine:
            engine.organizations.create(name="own", plan="FREE")
        before = contents(place)
        if way == "file system":
            used = sum(-(-len(content) // 4096) * 4096 for content in before.values())
            subprocess.run(["mount", "-o", f"remount,size={used + room}", str(place)], check=True)
        limit = None if way == "file system" else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        done = subprocess.run(
            [sys.executable, "-m", "orlop", *given.format(large).split()],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=limit,
        )
        assert (
            done.returncode == 2
            and done.stderr.startswith("orlop: ")
            and WORDS[given.split()[0]] in done.stderr
            and done.stderr.count("\n") == 1
        ), done.stderr
        assert contents(place) == before
