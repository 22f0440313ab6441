"""A request with an Idempotency-Key over several processes on one store, in a file and in PostgreSQL: one effect and
one answer, also after a process was killed after its commit."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
from typing import Any

import pytest

import orlop
from test_processes import postgresql, store  # noqa: F401

PROCESSES = 4
THREADS = 16
ROUNDS = 3

ASKING = textwrap.dedent("""
    import json, sys, threading
    import orlop

    with orlop.Engine(sys.argv[1], role="serve", require_cluster=False) as engine:
        print("ready", flush=True)
        for line in sys.stdin:
            method, path, body, key = json.loads(line)
            begin = threading.Barrier(int(sys.argv[2]))
            answers = []

            def ask():
                begin.wait()
                reply = engine.request(method, path, body, {"Idempotency-Key": key})
                answers.append([reply.status, reply.body.decode()])

            threads = [threading.Thread(target=ask) for _ in range(int(sys.argv[2]))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print(json.dumps(answers), flush=True)
""")

# A second thread ends the process with the first event that it sees: after the commit, and usually before the answer.
ENDED = textwrap.dedent("""
    import os, signal, sys, threading
    import orlop

    engine = orlop.Engine(sys.argv[1], role="serve", require_cluster=False)
    since = engine.last_event
    ready = threading.Event()

    def end():
        ready.set()
        for _ in engine.events(since, timeout=60):
            os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=end).start()
    ready.wait()
    reply = engine.request("POST", "/organization", {"name": sys.argv[2], "plan": "FREE"}, {"Idempotency-Key": sys.argv[2]})
    print(reply.body.decode(), flush=True)
    threading.Event().wait()
""")


class Callers:
    def __init__(self, store: str) -> None:
        command = [sys.executable, "-c", ASKING, store, str(THREADS)]
        self._processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(PROCESSES)
        ]
        for process in self._processes:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"

    def ask(self, method: str, path: str, body: Any, key: str) -> list[tuple[int, str]]:
        """Returns the answers to each thread of each process."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps([method, path, body, key]) + "\n")
            process.stdin.flush()
        answers = []
        for process in self._processes:
            assert process.stdout is not None
            answers += [(status, text) for status, text in json.loads(process.stdout.readline())]
        return answers

    def end(self) -> None:
        for process in self._processes:
            process.communicate(timeout=60)


@pytest.fixture
def engine(store: str) -> Any:
    with orlop.Engine(store, role="serve", require_cluster=False) as engine:
        yield engine


@pytest.fixture
def callers(store: str, engine: orlop.Engine) -> Any:
    callers = Callers(store)
    yield callers
    callers.end()


def test_sixty_four_requests_of_four_processes_have_one_effect_and_one_answer(
    engine: orlop.Engine, callers: Callers
) -> None:
    def ask(method: str, path: str, body: Any) -> str:
        key = f"{method} {path} {body}"[:200]
        answers = callers.ask(method, path, body, key)
        assert len(answers) == PROCESSES * THREADS and set(answers) == {answers[0]}, set(answers)
        assert answers[0][0] < 300, answers[0]
        other = engine.request(method, path, {"name": "another", "plan": "FREE"}, {"Idempotency-Key": key})
        assert other.status == 422, other.body
        return answers[0][1]

    organization = json.loads(ask("POST", "/organization", {"name": "acme", "plan": "FREE"}))["id"]
    for number in range(ROUNDS):
        project = json.loads(ask("POST", f"/organization/{organization}/project", {"name": f"shop {number}"}))["id"]
        ask("PUT", f"/project/{project}", {"name": f"shop {number}", "description": "edited"})
        assert len(engine.organizations.get(organization).projects) == 1
        ask("DELETE", f"/project/{project}", None)
        kinds = [event["kind"] for event in engine.events(0) if event["subject"] == project]
        assert kinds == ["project.created", "project.edited", "project.deleted"]
    assert len(engine.organizations) == 1 and len(engine.organizations.get(organization).projects) == 0


def test_a_key_is_remembered_by_who_comes_after_a_process_that_was_killed_behind_its_commit(
    store: str, engine: orlop.Engine
) -> None:
    for number in range(5):
        name = f"acme-{number}"
        process = subprocess.run([sys.executable, "-c", ENDED, store, name], capture_output=True, text=True, timeout=60)
        assert process.returncode == -signal.SIGKILL, process.stderr
        again = engine.request("POST", "/organization", {"name": name, "plan": "FREE"}, {"Idempotency-Key": name})
        assert again.status == 201 and again.headers["idempotency-replayed"] == "true"
        assert process.stdout.strip() in ("", again.body.decode())
    assert [organization.name for organization in engine.organizations] == [f"acme-{number}" for number in range(5)]
