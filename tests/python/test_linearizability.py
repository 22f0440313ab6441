"""Histories of four processes on one store: each resource behaves as if its requests were answered one after the other,
in an order in which none takes effect before it was sent or after it was answered."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import orlop
from histories import NEVER, Operation, is_linearizable, violations
from test_processes import postgresql  # noqa: F401

OPERATIONS = int(os.environ.get("ORLOP_HISTORY_OPERATIONS", "60"))
SEED = int(os.environ.get("ORLOP_SEED", "1"))
PROCESSES = 4

CLIENT = textwrap.dedent("""
    import json, os, random, sys, time
    import orlop

    store, out, resources, count, seed, is_planted = sys.argv[1], sys.argv[2], sys.argv[3].split(","), int(sys.argv[4]), sys.argv[5], sys.argv[6] == "planted"
    log = os.open(out, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    chosen = random.Random(seed)
    tags = {}
    engine = orlop.Engine(store, role="serve")
    print("ready", flush=True)
    sys.stdin.readline()

    def note(**what):
        os.write(log, (json.dumps(what) + "\\n").encode())

    def read(key, resource):
        note(key=key, resource=resource, kind="read", begin=time.monotonic())
        reply = engine.request("GET", f"/project/{resource}")
        end = time.monotonic()
        assert reply.status == 200, reply.json()
        tags[resource] = reply.headers["etag"]
        note(key=key, end=end, tag=reply.headers["etag"], value=reply.json()["description"] or "")

    def write(key, resource, value, tag):
        note(key=key, resource=resource, kind="swap" if tag else "write", value=value, expected=tag, begin=time.monotonic())
        if tag and is_planted:
            reply = engine.request("GET", f"/project/{resource}")
            if reply.headers["etag"] == tag:
                reply = engine.request("PUT", f"/project/{resource}", {"name": resource, "description": value})
            else:
                reply.status = 412
        else:
            reply = engine.request("PUT", f"/project/{resource}", {"name": resource, "description": value}, {"If-Match": tag} if tag else {})
        end = time.monotonic()
        if reply.status == 412:
            note(key=key, end=end, is_done=False)
            read(f"{key}/again", resource)  # noted as well: what it shows is expected from now on
            return
        assert reply.status == 200, reply.json()
        tags[resource] = reply.headers["etag"]
        note(key=key, end=end, tag=reply.headers["etag"], value=reply.json()["description"] or "")

    for number in range(count):
        resource, kind = chosen.choice(resources), chosen.choice(["read", "write", "swap", "swap"])
        try:
            if kind == "read" or resource not in tags:
                read(f"{seed}/{number}", resource)
            else:
                write(f"{seed}/{number}", resource, f"{seed}-{number}", tags[resource] if kind == "swap" else "")
        except orlop.Error:
            continue  # no answer
    engine.close()
""")


@pytest.fixture(params=["file", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return str(tmp_path / "platform.db")
    url: str = request.getfixturevalue("postgresql")
    return f"{url}?schema=h{re.sub('[^a-z0-9]', '', tmp_path.name.lower())}"


def read_history(path: Path) -> list[Operation]:
    operations: dict[str, Operation] = {}
    for line in path.read_text().splitlines():
        fields = json.loads(line)
        key = fields.pop("key")
        operations[key] = operations[key]._replace(**fields) if key in operations else Operation(**fields)
    return list(operations.values())


def record(
    store: str, tmp_path: Path, resources: int, mode: str, kills: bool
) -> tuple[list[Operation], dict[str, tuple[str, str]]]:
    """Records the requests of four processes to a few projects at once; with `kills` two of them end in the middle."""
    out = tmp_path / f"history-{len(list(tmp_path.glob('history-*')))}.jsonl"
    with orlop.Engine(store) as engine:
        organization = engine.organizations.create(name=out.stem, plan="FREE")
        projects = [organization.projects.create(name=f"p{number}") for number in range(resources)]
        for project in projects:  # its name is its id, which each client knows
            assert engine.request("PUT", f"/project/{project.id}", {"name": project.id}).status == 200
        initial = {
            project.id: ("", engine.request("GET", f"/project/{project.id}").headers["etag"]) for project in projects
        }
        arguments = [store, str(out), ",".join(initial), str(OPERATIONS)]
        clients = [
            subprocess.Popen(
                [sys.executable, "-c", CLIENT, *arguments, f"{SEED}{number}", mode],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(PROCESSES)
        ]
        try:
            for client in clients:
                assert client.stdout is not None and client.stdout.readline() == "ready\n"
            for client in clients:
                assert client.stdin is not None
                client.stdin.write("go\n")
                client.stdin.flush()
            if kills:
                while len(out.read_text().splitlines() if out.exists() else []) < OPERATIONS:
                    os.sched_yield()
                for client in clients[:2]:
                    client.kill()
            codes = [client.wait(timeout=300) for client in clients]
            assert codes[2:] == [0, 0]
        finally:
            for client in clients:
                client.kill()
                client.wait()
                for stream in (client.stdin, client.stdout):
                    if stream is not None:
                        stream.close()
    return read_history(out), initial


@pytest.mark.parametrize("kills", [False, True])
def test_each_resource_answers_in_one_order(store: str, tmp_path: Path, kills: bool) -> None:
    for _ in range(5):
        operations, initial = record(store, tmp_path, 3, "plain", kills)
        assert len(operations) > OPERATIONS
        assert violations(operations, initial) == []
        if not all(operation.is_done for operation in operations):
            return  # the processes competed; on a busy machine they may run one after the other
    pytest.fail("the processes never met")


def test_a_planted_race_is_found(tmp_path: Path) -> None:
    """The clients compare the tag themselves, and write without a condition: another client may write in between."""
    operations, initial = record(str(tmp_path / "platform.db"), tmp_path, 1, "planted", False)
    assert len(violations(operations, initial)) == 1


def swap(begin: float, end: float, expected: str, tag: str, **more: bool) -> Operation:
    return Operation("r", "swap", begin, end, f"v{tag}", tag, expected, **more)


def read(begin: float, end: float, tag: str) -> Operation:
    return Operation("r", "read", begin, end, f"v{tag}", tag)


@pytest.mark.parametrize(
    ("operations", "is_right"),
    [
        ([swap(1, 4, "0", "1"), read(2, 3, "1")], True),  # it took effect before its answer
        ([swap(1, 2, "0", "1"), read(3, 4, "0")], False),  # a later read returns the old value
        ([swap(1, 4, "0", "1"), swap(2, 3, "0", "2")], False),  # both from the same tag
        ([swap(1, 4, "0", "1"), swap(2, 3, "0", "", is_done=False)], True),
        ([swap(1, 2, "0", "", is_done=False)], False),  # refused without a reason
        ([read(1, 3, "1"), swap(2, 4, "0", "1"), read(5, 6, "0")], False),
        (
            [Operation("r", "swap", 1, NEVER, "v1", "", "0"), read(5, 6, "1"), read(7, 8, "1")],
            True,
        ),  # no answer, with effect
        ([Operation("r", "swap", 1, NEVER, "v1", "", "0"), read(5, 6, "0")], True),  # no answer, without effect
        ([Operation("r", "swap", 1, NEVER, "v1", "", "0"), read(5, 6, "1"), read(7, 8, "0")], False),
        (
            [
                Operation("r", "write", 1, NEVER, "v1"),
                swap(2, 3, "0", "", is_done=False),
                read(4, 5, "1"),
                swap(6, 7, "1", "2"),
            ],
            True,
        ),  # a read showed the tag to expect
        (
            [Operation("r", "write", 1, NEVER, "v1"), swap(2, 3, "0", "", is_done=False), swap(6, 7, "1", "2")],
            False,
        ),  # no read did
        (
            [
                Operation("r", "write", 1, 9, "v1", "1"),
                Operation("r", "write", 2, 8, "v2", "2"),
                read(3, 4, "2"),
                read(5, 6, "1"),
            ],
            True,
        ),
        (
            [
                Operation("r", "write", 1, 9, "v1", "1"),
                Operation("r", "write", 2, 8, "v2", "2"),
                read(3, 4, "2"),
                read(5, 6, "1"),
                read(7, 8, "2"),
            ],
            False,
        ),
    ],
)
def test_histories_are_checked(operations: list[Operation], is_right: bool) -> None:
    assert is_linearizable(operations, ("v0", "0")) is is_right
