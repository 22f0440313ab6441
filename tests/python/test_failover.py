"""A server that is killed, and a standby that replaces it: everything that was acknowledged is stored. With
synchronous_commit = remote_apply the standby has applied each commit before the engine answers it; the connection
string names both servers."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import orlop
from processes import wait_until
from test_processes import SERVER


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Yields the connection string of a primary and its standby, and the file of their controller."""
    if importlib.util.find_spec("orlop_postgresql") is None:
        pytest.skip("the package orlop-postgresql is not installed")
    if not list(Path("/usr/lib/postgresql").glob("*/bin/pg_basebackup")):
        pytest.skip("there is no PostgreSQL server on this machine")
    facts = tmp_path / "servers.txt"
    subprocess.run([sys.executable, str(SERVER), "start", str(facts), "--standby"], check=True, capture_output=True)
    try:
        yield dict(line.split("=", 1) for line in facts.read_text().splitlines())["both"], facts
    finally:
        subprocess.run([sys.executable, str(SERVER), "stop", str(facts)], check=True, capture_output=True)


class Writer(threading.Thread):
    """Creates one organization after the other, and records the outcome of each request."""

    def __init__(self, engine: orlop.Engine, number: int, stopping: threading.Event) -> None:
        super().__init__()
        self.engine = engine
        self.number = number
        self.stopping = stopping
        self.acknowledged: list[str] = []
        self.refused: list[str] = []  # the error says that it was not stored
        self.unknown: list[str] = []

    def run(self) -> None:
        count = 0
        while not self.stopping.is_set():
            count += 1
            name = f"acme {self.number}.{count}"
            try:
                reply = self.engine.request("POST", "/organization", {"name": name, "plan": "FREE"})
                assert reply.status == 201, reply.json()
                self.acknowledged.append(name)
            except orlop.StorageError as error:
                (self.unknown if "not known" in str(error) else self.refused).append(name)


def test_what_was_acknowledged_survives_the_failover(servers: tuple[str, Path]) -> None:
    url, facts = servers
    stopping = threading.Event()
    with orlop.Engine(url, role="serve") as engine:
        writers = [Writer(engine, number, stopping) for number in range(4)]
        for writer in writers:
            writer.start()
        try:
            wait_until(lambda: all(len(writer.acknowledged) >= 5 for writer in writers), "the first commits")
            subprocess.run([sys.executable, str(SERVER), "promote", str(facts)], check=True, capture_output=True)
            before = [len(writer.acknowledged) for writer in writers]
            wait_until(
                lambda: all(len(writer.acknowledged) > count + 5 for writer, count in zip(writers, before)),
                "commits on the standby",
            )
        finally:
            stopping.set()
            for writer in writers:
                writer.join()
        found = [organization.name for organization in engine.organizations]
        assert len(found) == len(set(found))
        for writer in writers:
            assert not set(writer.acknowledged) - set(found)
            assert not set(writer.refused) & set(found)
        events = engine.events()
        assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
        created = [event["detail"]["name"] for event in events if event["kind"] == "organization.created"]
        assert sorted(created) == sorted(found)
