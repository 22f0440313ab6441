"""Observations by drivers in Python: how they are asked, and what is reported of their answers."""

from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.drivers.containers.observed import observed

WITHIN = 60.0  # seconds: the tests fail later


class Watching(orlop.Driver):
    """Answers with what a test has said."""

    def __init__(self) -> None:
        self.says: Any = None
        self.asked: list[orlop.Subjects] = []
        self.was_asked = threading.Event()

    def observe(self, subjects: orlop.Subjects) -> Any:
        self.asked.append(subjects)
        self.was_asked.set()
        return self.says(subjects) if callable(self.says) else self.says


def _run_until(engine: orlop.Engine, condition: Any, what: str) -> None:
    engine._drive(condition, WITHIN, what)


def test_a_driver_is_asked_and_its_answer_is_the_running_state() -> None:
    driver = Watching()
    driver.says = lambda subjects: {
        subjects.services[0]: orlop.Observation(
            "WARNING", wanted=3, ready=2, failing=1, restarts=4, last_exit_code=137, reason="OOMKilled"
        )
    }
    with orlop.Engine(driver=driver, observe_interval=0.05) as engine:
        platform = furnish(engine)
        web = platform.container()
        assert web.deploy().wait(WITHIN).ok
        _run_until(engine, lambda: "running_state" in web.status(), "the running state")
        status = web.status()
        assert status["running_state"] == "WARNING"
        assert status["observation"] == {
            "instances": {"wanted": 3, "ready": 2, "failing": 1},
            "restarts": 4,
            "last_exit_code": 137,
            "reason": "OOMKilled",
        }
        assert driver.asked[-1] == orlop.Subjects(platform.cluster.id, (web.id,))
        # The same answer makes no further event.
        before = len([each for each in engine.events() if each["kind"] == "service.running_changed"])
        driver.was_asked.clear()
        _run_until(engine, driver.was_asked.is_set, "another question")
        engine.tick()
        assert len([each for each in engine.events() if each["kind"] == "service.running_changed"]) == before == 1
        driver.says = {web.id: "RUNNING"}
        _run_until(engine, lambda: web.status()["running_state"] == "RUNNING", "the new state")
        assert "observation" not in web.status()


def test_an_asynchronous_method_is_awaited() -> None:
    class Later(orlop.Driver):
        async def observe(self, subjects: orlop.Subjects) -> Any:
            return dict.fromkeys(subjects.services, "COMPLETED")

    with orlop.Engine(driver=Later(), observe_interval=0.05) as engine:
        web = furnish(engine).container()
        assert web.deploy().wait(WITHIN).ok
        _run_until(engine, lambda: web.status().get("running_state") == "COMPLETED", "the running state")


def test_a_slow_answer_is_awaited_before_the_driver_is_asked_again() -> None:
    begun, goes_on, calls = threading.Event(), threading.Event(), []

    class Slow(orlop.Driver):
        def observe(self, subjects: orlop.Subjects) -> Any:
            calls.append(subjects)
            begun.set()
            assert goes_on.wait(WITHIN)
            return dict.fromkeys(subjects.services, "RUNNING")

    with orlop.Engine(driver=Slow(), observe_interval=0.02) as engine:
        platform = furnish(engine)
        web = platform.container()
        assert web.deploy().wait(WITHIN).ok
        _run_until(engine, begun.is_set, "the question")
        # Deployments go on meanwhile, and silence makes the state unknown.
        assert platform.container("api").deploy().wait(WITHIN).ok
        _run_until(engine, lambda: web.status().get("running_state") == "UNKNOWN", "the unknown state")
        assert len([each for each in calls if each.services[0] == calls[0].services[0]]) == 1
        goes_on.set()
        _run_until(engine, lambda: web.status()["running_state"] == "RUNNING", "the answer")


def test_a_call_that_hangs_blinds_no_other_cluster() -> None:
    goes_on = threading.Event()
    hanging: list[str] = []

    class Hanging(orlop.Driver):
        def observe(self, subjects: orlop.Subjects) -> Any:
            if subjects.cluster in hanging:
                assert goes_on.wait(WITHIN)
            return dict.fromkeys(subjects.services, "RUNNING")

    with orlop.Engine(driver=Hanging(), observe_interval=0.05) as engine:
        platform = furnish(engine)
        hanging.append(platform.cluster.id)
        blind = platform.container("blind")
        other = platform.create_cluster(name="other").deploy().wait(WITHIN)
        elsewhere = platform.project.environments.create(name="elsewhere", cluster_id=other.id)
        seen = elsewhere.databases.create(name="seen", type="REDIS", version="7", mode="CONTAINER")
        assert platform.environment.deploy().wait(WITHIN).ok and elsewhere.deploy().wait(WITHIN).ok
        _run_until(engine, lambda: seen.status().get("running_state") == "RUNNING", "the running state")
        _run_until(engine, lambda: blind.status().get("running_state") == "UNKNOWN", "the unknown state")
        assert seen.status()["running_state"] == "RUNNING"
        goes_on.set()


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (["RUNNING"], "must return a mapping"),
        ("RUNNING", "must return a mapping"),
        (lambda subjects: {subjects.services[0]: "WALKING"}, "STARTING, RUNNING"),
        (lambda subjects: {subjects.services[0]: orlop.Observation("RUNNING", restarts=-1)}, "restarts"),
        (lambda subjects: {subjects.services[0]: orlop.Observation("RUNNING", since="noon")}, "since"),
        (lambda subjects: {"no id": "RUNNING"}, "service_id"),
        (lambda subjects: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_a_wrong_answer_is_in_the_log_and_harms_nothing(says: Any, words: str) -> None:
    driver, lines = Watching(), []
    driver.says = says
    with orlop.Engine(
        driver=driver, observe_interval=0.05, log=lambda level, text: lines.append(f"{level}: {text}")
    ) as engine:
        web = furnish(engine).container()
        assert web.deploy().wait(WITHIN).ok
        _run_until(engine, lambda: any(words in line for line in lines), "the line of the log")
        assert any(line.startswith("error: the driver failed in observe") for line in lines)
        assert web.deploy().wait(WITHIN).ok


def test_a_host_reports_observations_unasked() -> None:
    with orlop.Engine() as engine:
        web = furnish(engine).container()
        assert web.deploy().wait(WITHIN).ok
        engine.report_running(web.id, orlop.Observation("ERROR", reason="the node is gone"))
        engine.tick()
        last = engine.events()[-1]
        assert (last["to"], last["detail"]) == ("ERROR", {"health": "unhealthy", "reason": "the node is gone"})
        with pytest.raises(orlop.Misuse, match=r"observation.*since"):
            engine.report_running(web.id, orlop.Observation("ERROR", since=0))  # type: ignore[arg-type]
        engine.report_running(web.id, orlop.Observation("ERROR", reason="not UTF-8: \udcff"))
        engine.tick()
        assert web.status()["observation"] == {"reason": "not UTF-8: ?"}
        with pytest.raises(orlop.Misuse, match=r"observation.*instances\.ready"):
            engine.report_running(web.id, orlop.Observation("ERROR", ready=-1))
        with pytest.raises(orlop.Conflict, match="ERROR"):
            web.restart()


def test_virtual_time_passes_between_two_questions() -> None:
    driver = Watching()
    driver.says = lambda subjects: dict.fromkeys(subjects.services, "RUNNING")
    with orlop.Simulation(seed=1, driver=driver) as simulation:
        web = furnish(simulation).container()
        assert web.deploy().wait().ok
        driver.asked.clear()
        simulation.clock.advance(minutes=10)
        assert len(driver.asked) == 20
        assert web.status()["running_state"] == "RUNNING"
        driver.says = None
        simulation.clock.advance(minutes=3)
        assert web.status()["running_state"] == "UNKNOWN"


def test_a_method_of_a_simulation_does_not_wait() -> None:
    lines: list[str] = []

    class Pause:
        def __await__(self) -> Any:
            yield

    class Waiting(orlop.Driver):
        async def observe(self, subjects: orlop.Subjects) -> Any:
            await Pause()

    with orlop.Simulation(seed=1, driver=Waiting(), log=lambda level, text: lines.append(text)) as simulation:
        assert furnish(simulation).container().deploy().wait().ok
        simulation.clock.advance(minutes=1)
    assert any("must return at once" in line for line in lines)


NOW = datetime(2026, 1, 1, 12, 0, tzinfo=timezone.utc)
LONG_AGO, JUST_NOW = "2026-01-01T10:00:00.123456789+02:00", "2026-01-01T11:59:50Z"


def _container(status: str = "running", name: str = "web-1-0", restarts: int = 0, **state: Any) -> dict[str, Any]:
    state = {"Status": status, "Running": status == "running", "ExitCode": 0, "StartedAt": LONG_AGO, **state}
    return {"Name": f"/{name}", "State": state, "RestartCount": restarts}


@pytest.mark.parametrize(
    ("containers", "expected"),
    [
        ([], orlop.Observation("ERROR", 0, 0, reason="it has no container: another program has removed it")),
        (
            [_container(), _container(name="web-1-1")],
            orlop.Observation("RUNNING", 2, 2, 0, 0, since="2026-01-01T08:00:00.123Z"),
        ),
        (
            [_container(), _container("exited", "web-1-1", Running=False, ExitCode=137, FinishedAt=JUST_NOW)],
            orlop.Observation(
                "WARNING",
                2,
                1,
                1,
                0,
                137,
                "web-1-1: it has ended with exit code 137 (it was killed: out of memory, or after its grace period)",
                "2026-01-01T11:59:50.000Z",
            ),
        ),
        (
            [_container("exited", ExitCode=1, FinishedAt=JUST_NOW, restarts=2)],
            orlop.Observation(
                "ERROR",
                1,
                0,
                1,
                2,
                1,
                "web-1-0: it has ended with exit code 1 (an error of its own), 2 restarts",
                "2026-01-01T11:59:50.000Z",
            ),
        ),
        (
            [_container(restarts=1, StartedAt=JUST_NOW, FinishedAt=JUST_NOW)],
            orlop.Observation("WARNING", 1, 0, 1, 1, reason="web-1-0: it was restarted, 1 restart in all"),
        ),
        ([_container(restarts=3)], orlop.Observation("RUNNING", 1, 1, 0, 3, since="2026-01-01T08:00:00.123Z")),
        (
            [_container("created", StartedAt="0001-01-01T00:00:00Z"), _container(name="web-1-1")],
            orlop.Observation("STARTING", 2, 1, 0, 0, since="2026-01-01T08:00:00.123Z"),
        ),
        ([_container("paused", Running=True)], orlop.Observation("ERROR", 1, 0, 1, 0, reason="web-1-0: it is paused")),
    ],
)
def test_containers_tell_the_running_state(containers: list[Any], expected: orlop.Observation) -> None:
    assert observed(containers, NOW) == expected


def test_a_snapshot_holds_observations_and_their_ids_do_not_count() -> None:
    with orlop.Engine(driver=Watching()) as engine:
        platform = furnish(engine)
        web = platform.container()
        assert platform.environment.deploy().wait(WITHIN).ok
        engine.report_running(web.id, orlop.Observation("ERROR", reason="exit code 1"))
        engine.tick()
        snapshot = engine.snapshot()
        # An import makes services that are not deployed.
        engine.import_from(snapshot, environment="acme/shop/production", name="copy")
        copy = platform.project.environments.find(name="copy").containers.find(name="web")
        assert (copy.status().get("running_state"), copy.releases()) == (None, [])
    with orlop.Engine(snapshot=snapshot) as restored:
        status = restored.request("GET", f"/container/{web.id}/status").check()
        assert (status["running_state"], status["observation"]) == ("ERROR", {"reason": "exit code 1"})
        # Ids are counted. Those of observations and releases follow from their services, and begin with any digits.
        assert restored.organizations.create(name="after", plan="FREE").id < "00001000"
