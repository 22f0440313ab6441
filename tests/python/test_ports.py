"""External systems that hang, and reads that take long: only the request that needs the answer waits."""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from conftest import furnish

WITHIN = 30.0


def call(url: str, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=WITHIN)
    with contextlib.closing(connection):
        headers = {"Authorization": token} if token else {}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None


class Hanging(orlop.ExternalSystems):
    """External systems that do not answer until they are released."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.entered = threading.Semaphore(0)
        self.released = threading.Event()

    def _hang(self, question: Mapping[str, Any]) -> Any:
        self.asked.append(question)
        self.entered.release()
        assert self.released.wait(WITHIN)
        return None

    def authenticate(self, question: Mapping[str, Any]) -> Any:
        return self._hang(question)

    def evaluate_policy(self, question: Mapping[str, Any]) -> Any:
        return self._hang(question)

    def find_webhook(self, question: Mapping[str, Any]) -> Any:
        return self._hang(question)

    def await_calls(self, count: int) -> None:
        for _ in range(count):
            assert self.entered.acquire(timeout=WITHIN)


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    port = Hanging()
    yield port
    port.released.set()


def token_of(engine: orlop.Engine) -> str:
    organization = engine.organizations.create(name="acme", plan="FREE")
    made = engine.request("POST", f"/organization/{organization.id}/apiToken", {"name": "ci"}).check()
    return f"Token {made['token']}"


def test_a_slow_read_holds_up_no_other() -> None:
    slow, released = threading.Event(), threading.Event()
    armed = threading.Event()

    def clock() -> float:
        if armed.is_set():
            armed.clear()
            slow.set()
            assert released.wait(WITHIN)
        return 1_800_000_000.0

    with orlop.Engine(clock=clock) as engine, engine.serve() as url, ThreadPoolExecutor(1) as others:
        armed.set()
        asked = others.submit(call, url, "GET", "/organization")
        assert slow.wait(WITHIN)
        assert [call(url, "GET", "/organization")[0] for _ in range(50)] == [200] * 50
        assert not asked.done()
        released.set()
        assert asked.result(WITHIN)[0] == 200


def test_an_authenticator_that_hangs_holds_up_no_other_request(hanging: Hanging) -> None:
    with (
        orlop.Engine(authentication="required", external_systems=hanging, port_timeout=WITHIN) as engine,
        engine.serve() as url,
        ThreadPoolExecutor(24) as others,
    ):
        token = token_of(engine)
        asked = [
            others.submit(call, url, method, "/organization", "Bearer junk")
            for method in ("GET", "DELETE")
            for _ in range(12)
        ]
        hanging.await_calls(24)
        assert [call(url, "GET", "/organization", token)[0] for _ in range(20)] == [200] * 20
        assert call(url, "POST", "/organization", token, {"name": "b", "plan": "FREE"})[0] in (201, 403)
        assert not any(one.done() for one in asked)
        hanging.released.set()
        assert {one.result(WITHIN)[0] for one in asked} == {401}


def test_an_authenticator_that_never_returns_ends_in_a_timeout(hanging: Hanging) -> None:
    with (
        orlop.Engine(authentication="required", external_systems=hanging, port_timeout="50ms") as engine,
        engine.serve() as url,
    ):
        token = token_of(engine)
        for _ in range(40):
            status, problem = call(url, "GET", "/organization", "Bearer junk")
            assert status == 504 and problem["error"] == "Gateway Timeout"
        assert call(url, "GET", "/organization", token)[0] == 200
        late = engine.request("GET", "/organization", headers={"Authorization": "Bearer junk"}, trusted=False)
        assert late.json()["message"] == "the external systems did not answer the question authenticate within 0.05 s"


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        (ValueError("no"), 502),
        (TimeoutError("the provider is slow"), 504),
        (KeyError(), 502),
        (orlop.Unanswered("no"), 401),
    ],
)
def test_what_an_authentication_raises_is_the_answer(raised: Exception, status: int) -> None:
    class Failing(orlop.ExternalSystems):
        def authenticate(self, question: Mapping[str, Any]) -> Any:
            raise raised

    with orlop.Engine(authentication="required", external_systems=Failing()) as engine, engine.serve() as url:
        assert call(url, "GET", "/organization", "Bearer junk")[0] == status


def test_a_policy_evaluator_that_hangs_fails_the_request(hanging: Hanging) -> None:
    with (
        orlop.Engine(authentication="required", external_systems=hanging, port_timeout="50ms") as engine,
        engine.serve() as url,
    ):
        organization = engine.organizations.create(name="acme", plan="FREE")
        made = engine.request(
            "POST", f"/organization/{organization.id}/policyApiToken", {"name": "ci", "opa_policy": "package a"}
        )
        if made.status != 201:
            pytest.fail(f"{made.status} {made.body!r}")
        assert call(url, "GET", "/organization", f"Token {made.json()['token']}")[0] == 504


@pytest.mark.parametrize("storage", ["memory:", "platform.db"])
def test_a_git_provider_that_hangs_keeps_no_transaction_open(tmp_path: Path, hanging: Hanging, storage: str) -> None:
    place = storage if storage == "memory:" else str(tmp_path / storage)
    with (
        orlop.Engine(place, external_systems=hanging, port_timeout=WITHIN) as engine,
        engine.serve() as url,
        ThreadPoolExecutor(8) as others,
    ):
        platform = furnish(engine)
        web = platform.environment.applications.create(
            name="web",
            git_repository={"url": "https://github.com/acme/web.git", "branch": "main", "provider": "GITHUB"},
            build_mode="DOCKER",
            dockerfile_path="Dockerfile",
            healthchecks={},
        )
        path = f"/service/{web.id}/gitWebhookStatus"
        waiting = [others.submit(call, url, "GET", path) for _ in range(8)]
        hanging.await_calls(8)
        assert call(url, "DELETE", f"/application/{web.id}")[0] == 204
        platform.project.environments.create(name="staging", cluster_id=platform.cluster.id)
        engine.tick()
        assert call(url, "GET", path)[0] == 404
        assert not any(one.done() for one in waiting)
        hanging.released.set()
        assert [one.result(WITHIN)[1]["status"] for one in waiting] == ["NOT_CONFIGURED"] * 8
        assert {question["url"] for question in hanging.asked} == {"https://github.com/acme/web.git"}


def test_a_git_provider_that_never_returns_gives_no_answer(hanging: Hanging) -> None:
    with orlop.Engine(external_systems=hanging, port_timeout="50ms") as engine:
        web = furnish(engine).environment.applications.create(
            name="web",
            git_repository={"url": "https://github.com/acme/web.git", "branch": "main", "provider": "GITHUB"},
            build_mode="DOCKER",
            dockerfile_path="Dockerfile",
            healthchecks={},
        )
        status = engine.request("GET", f"/service/{web.id}/gitWebhookStatus").check()
        assert status == {"status": "UNABLE_TO_VERIFY", "provider": "GITHUB"}


def test_a_port_that_hangs_does_not_keep_the_interpreter_from_its_end(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import threading, orlop\n"
        "class Hanging(orlop.ExternalSystems):\n"
        "    def authenticate(self, question):\n"
        "        threading.Event().wait()\n"
        "engine = orlop.Engine(authentication='required', external_systems=Hanging(), port_timeout='20ms')\n"
        "print(engine.request('GET', '/organization', headers={'Authorization': 'Bearer x'}, "
        "trusted=False).json()['message'])\n"
    )
    begun = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=WITHIN, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        0,
        "the external systems did not answer the question authenticate within 0.02 s\n",
        "",
    )
    assert time.monotonic() - begun < WITHIN
