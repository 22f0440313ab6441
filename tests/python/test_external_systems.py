"""External systems in Python: plain and async methods, their possible errors, and their scripts in simulations."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orlop
import pytest
from conftest import furnish
from processes import wait_until

BRANCHES = "/account/github/repository/branch"
WITHIN = 30.0


def branches(engine: orlop.Engine, name: str = "acme/shop") -> tuple[int, Any]:
    reply = engine.request("GET", BRANCHES, query={"name": name})
    return reply.status, reply.json()["results"] if reply.status == 200 else reply.json()["message"]


class Saying(orlop.ExternalSystems):
    """Returns the given answer, or raises it."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self.asked: list[Mapping[str, Any]] = []

    def list_branches(self, question: Mapping[str, Any]) -> Any:
        self.asked.append(question)
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


class SayingLater(Saying):
    async def list_branches(self, question: Mapping[str, Any]) -> Any:
        await asyncio.sleep(0)
        return super().list_branches(question)


@pytest.mark.parametrize("kind", [Saying, SayingLater])
@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ([{"name": "main"}], 200, None),
        ([], 200, None),
        ([{"name": "b" * 100}] * 10_000, 200, None),
        ([{"name": "x" * 1000}] * 5000, 502, "at most 4194304 are allowed"),
        (None, 502, "answer must not be null"),
        ([{"name": 7}], 502, r"answer\[0\].name must be a text, not an integer"),
        ([{"name": "main", "sha": 1}], 502, r"answer\[0\].sha"),
        ("main", 502, "answer must be a list, not a text"),
        (object(), 502, "answer"),
        ([float("nan")], 502, "answer"),
        (ValueError("rate limit"), 502, "^rate limit$"),
        (KeyError(), 502, "KeyError"),
        (SystemExit(3), 502, ""),
        (TimeoutError("slow"), 504, "^slow$"),
        (orlop.Unanswered("no"), 501, "no"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_every_answer(kind: type[Saying], answer: Any, status: int, words: str | None) -> None:
    systems = kind(answer)
    with orlop.Engine(external_systems=systems) as engine:
        got, text = branches(engine)
        assert got == status, text
        if words is None:
            assert text == answer
        else:
            assert re.search(words, text), text
    assert systems.asked == [
        {"organization_id": None, "caller": "host", "provider": "GITHUB", "token": "", "repository": "acme/shop"}
    ]


def test_refusals_have_classes() -> None:
    for answer, kind in (
        (None, orlop.ExternalFailed),
        (TimeoutError(), orlop.ExternalTimeout),
        (orlop.Unanswered("no"), orlop.Unanswered),
    ):
        with orlop.Engine(external_systems=Saying(answer)) as engine, pytest.raises(kind):
            engine.request("GET", BRANCHES).check()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_hundred_questions_at_a_time_hold_up_no_request(is_async: bool) -> None:
    count = 100
    entered, released = threading.Semaphore(0), threading.Event()

    class Slow(orlop.ExternalSystems):
        def list_branches(self, question: Mapping[str, Any]) -> Any:
            entered.release()
            assert released.wait(WITHIN)
            return [{"name": question["repository"]}]

    class SlowLater(orlop.ExternalSystems):
        async def list_branches(self, question: Mapping[str, Any]) -> Any:
            entered.release()
            await asyncio.get_running_loop().run_in_executor(waiting, released.wait, WITHIN)
            return [{"name": question["repository"]}]

    with (
        ThreadPoolExecutor(1) as waiting,
        orlop.Engine(external_systems=SlowLater() if is_async else Slow(), port_timeout=WITHIN) as engine,
        ThreadPoolExecutor(count) as callers,
    ):
        asked = [callers.submit(branches, engine, f"acme/{number}") for number in range(count)]
        for _ in range(count):
            assert entered.acquire(timeout=WITHIN)
        platform = furnish(engine)
        platform.project.environments.create(name="staging", cluster_id=platform.cluster.id)
        assert engine.request("GET", "/organization").status == 200
        engine.tick()
        assert not any(one.done() for one in asked)
        released.set()
        assert [one.result(WITHIN) for one in asked] == [(200, [{"name": f"acme/{number}"}]) for number in range(count)]


@pytest.mark.parametrize("is_async", [False, True])
def test_what_hangs_ends_in_a_timeout(is_async: bool) -> None:
    released = threading.Event()

    class Hanging(orlop.ExternalSystems):
        def list_branches(self, question: Mapping[str, Any]) -> Any:
            released.wait(WITHIN)

    class HangingLater(orlop.ExternalSystems):
        async def list_branches(self, question: Mapping[str, Any]) -> Any:
            await asyncio.Event().wait()

    with orlop.Engine(external_systems=HangingLater() if is_async else Hanging(), port_timeout="20ms") as engine:
        assert branches(engine) == (504, "the external systems did not answer the question list_branches within 0.02 s")
    released.set()


def test_the_first_of_several_systems_answers() -> None:
    class Other(orlop.ExternalSystems):
        def list_branches(self, question: Mapping[str, Any]) -> Any:
            raise AssertionError

        def list_repositories(self, question: Mapping[str, Any]) -> Any:
            return [{"id": "1", "name": "acme/shop", "url": "https://github.com/acme/shop.git"}]

    with orlop.Engine(external_systems=[Saying([]), Other()]) as engine:
        assert branches(engine) == (200, [])
        assert engine.request("GET", "/account/github/repository").json()["results"][0]["name"] == "acme/shop"


def test_what_is_no_question_is_an_error_at_once() -> None:
    class Misspelled(orlop.ExternalSystems):
        def list_branchs(self, question: Mapping[str, Any]) -> Any: ...

    class Unknown(orlop.ExternalSystems):
        def list_moons(self, question: Mapping[str, Any]) -> Any: ...

    class Wrong(orlop.ExternalSystems):
        def list_branches(self) -> Any: ...  # type: ignore[override]

    class Helped(Saying):
        def branches_of(self, repository: str) -> list[str]:
            return [repository]

    for wrong, words in (
        (Misspelled(), "have a method list_branchs, which is no question; did you mean list_branches?"),
        (Unknown(), "have a method list_moons, which is no question"),
        (Wrong(), "must take one argument, the question"),
        (Saying, "an instance, Saying.…., not the class Saying"),
        ("clouds", "an instance of a subclass of orlop.ExternalSystems"),
    ):
        with pytest.raises(orlop.Misuse, match=words):
            orlop.Engine(external_systems=wrong)  # type: ignore[arg-type]
    orlop.Engine(external_systems=Helped([])).close()


def test_a_closed_engine_asks_nothing_more() -> None:
    systems = Saying([])
    engine = orlop.Engine(external_systems=systems)
    engine.close()
    with pytest.raises(orlop.Closed):
        branches(engine)
    assert systems.asked == []


@pytest.mark.parametrize("opened", [orlop.Engine, orlop.Simulation])
def test_a_closed_engine_leaves_no_thread(opened: type[orlop.Engine]) -> None:
    threads = set(threading.enumerate())  # a thread of an earlier test may still be ending
    with opened(external_systems=Saying([])) as engine:
        assert branches(engine) == (200, [])
        assert set(threading.enumerate()) - threads
    wait_until(lambda: not set(threading.enumerate()) - threads, "the end of the thread")


def test_a_rule_has_an_answer_or_an_error() -> None:
    with orlop.Simulation() as simulation:
        with pytest.raises(orlop.Misuse, match="a rule for list_branches has either an answer or an error"):
            simulation.externals.add("list_branches", [], error="down")
        simulation.externals.add("list_branches", error="down")


def test_a_simulation_answers_by_rules() -> None:
    with orlop.Simulation() as simulation:
        assert branches(simulation)[0] == 501
        start = simulation.clock.now()
        simulation.externals.add("list_branches", [{"name": "main"}], where={"repository": "acme/*"}, delay="2s")
        simulation.externals.add("list_branches", error="down", times=1)
        assert branches(simulation) == (502, "down")
        assert branches(simulation) == (200, [{"name": "main"}])
        assert (simulation.clock.now() - start).total_seconds() == 2
        assert branches(simulation, "other/shop")[0] == 501
        simulation.externals.add("list_branches", [], delay="1h")
        assert branches(simulation)[0] == 504
        assert (simulation.clock.now() - start).total_seconds() == 7
        simulation.externals.clear()
        assert branches(simulation)[0] == 501
        for wrong, words in (
            ({"question": "list_branchs", "answer": []}, "list_branches"),
            ({"question": "list_branches", "answer": [{}]}, r"answer\[0\].name"),
            ({"question": "list_branches", "answer": [], "where": {"repo": "x"}}, "where.repo is not a member"),
            ({"question": "list_branches", "answer": [], "delay": -1}, "delay"),
            ({"question": 7, "answer": []}, "question must be"),
        ):
            with pytest.raises(orlop.Misuse, match=words):
                simulation.externals.add(**wrong)


def test_admission_denies_with_its_reason_and_changes_nothing() -> None:
    asked: list[Mapping[str, Any]] = []

    class Policy(orlop.ExternalSystems):
        async def admit(self, question: Mapping[str, Any]) -> Any:
            asked.append(question)
            if question["deployment"] is not None:
                return {"allowed": False, "reason": "no deployments today"}
            return {"allowed": True}

    with orlop.Engine(external_systems=Policy()) as engine:
        platform = furnish(engine)
        last = engine.last_event
        with pytest.raises(orlop.Forbidden, match="^no deployments today$"):
            platform.environment.deploy()
        assert engine.last_event == last
        assert asked[-1]["operation"] == "deploy_environment"
        assert asked[-1]["deployment"]["environment_id"] == platform.environment.id


class Slow(orlop.ExternalSystems):
    """Answers or fails after `seconds`."""

    def __init__(self, seconds: float, fails: str = "") -> None:
        self.seconds, self.fails = seconds, fails

    async def list_branches(self, question: Any) -> Any:
        await asyncio.sleep(self.seconds / 2)
        loop = asyncio.get_running_loop()
        await asyncio.wait_for(asyncio.sleep(self.seconds / 2), 3600)
        assert loop.time() == self.seconds
        if self.fails:
            raise RuntimeError(self.fails)
        return await asyncio.to_thread(lambda: [{"name": "main"}])


@pytest.mark.parametrize(
    ("systems", "status", "said", "moved"),
    [
        (Slow(3), 200, "main", 3),
        (Slow(0), 200, "main", 0),
        (Slow(2, "no route"), 502, "no route", 2),
        (Slow(3600), 504, "within 5", 5),
    ],
)
def test_what_a_simulation_asks_takes_virtual_time(systems: Slow, status: int, said: str, moved: float) -> None:
    with orlop.Simulation(external_systems=systems) as simulation:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        before = simulation.clock.now()
        began = time.monotonic()
        answer = simulation.request(
            "GET", f"/organization/{organization.id}/account/github/repository/branch?name=acme%2Fweb"
        )
        assert (answer.status, (simulation.clock.now() - before).total_seconds()) == (status, moved)
        assert said in str(answer.json())
        assert time.monotonic() - began < 5
