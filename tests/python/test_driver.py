"""Drivers written in Python: plain and async, their reports, failures and cancels."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import Any

import pytest

import orlop
from conftest import furnish

WITHIN = 20  # seconds: far more than any of these tests needs


class Recorder(orlop.Driver):
    def __init__(self) -> None:
        self.steps: list[orlop.Step] = []

    def kinds(self) -> list[tuple[str, str]]:
        return [(step.kind, step.name) for step in self.steps]

    def deploy(self, step: orlop.Step) -> dict[str, Any] | None:
        self.steps.append(step)
        return None

    def build(self, step: orlop.Step) -> None:
        self.steps.append(step)

    def cluster_create(self, step: orlop.Step) -> None:
        self.steps.append(step)

    def stop(self, step: orlop.Step) -> None:
        self.steps.append(step)

    def delete(self, step: orlop.Step) -> None:
        self.steps.append(step)


def test_a_driver_is_given_its_steps_and_the_environment_deploys() -> None:
    driver = Recorder()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        platform.cluster.deploy().wait(WITHIN)
        web = platform.container(cpu=750)
        run = platform.environment.deploy().wait(WITHIN)
        assert run.ok and run.state == "DEPLOYED"
        assert driver.kinds() == [("cluster_create", "europe"), ("deploy", "web")]
        step = driver.steps[1]
        assert (step.family, step.subject, step.owner, step.request) == (
            "container",
            web.id,
            platform.environment.id,
            run.id,
        )
        assert (step.organization, step.attempt, step.resumed, step.action) == (
            platform.organization.id,
            1,
            False,
            "deploy",
        )
        assert step.configuration["cpu"] == 750
        assert repr(step) == f"<Step {step.id} deploy container web>"
        assert platform.environment.stop().wait(WITHIN).state == "STOPPED"
        assert driver.kinds()[-1] == ("stop", "web")
        web.delete()
        engine._drive(lambda: not len(platform.environment.containers), WITHIN, "the deletion")
        assert driver.kinds()[-1] == ("delete", "web")


def test_an_application_is_built_before_it_is_deployed() -> None:
    driver = Recorder()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        platform.environment.applications.create(
            name="api", git_repository={"url": "https://github.com/acme/api.git", "provider": "GITHUB"}, healthchecks={}
        )
        assert platform.environment.deploy().wait(WITHIN).ok
        assert driver.kinds() == [("cluster_create", "europe"), ("build", "api"), ("deploy", "api")]


def test_a_secret_reaches_the_driver_alone() -> None:
    driver = Recorder()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        keys = platform.organization.aws_credentials.create(
            name="aws", type="AWS_STATIC", access_key_id="AKIA0000000000000000", secret_access_key="deep-secret"
        )
        assert "deep-secret" not in str(keys.to_dict())
        assert (
            b"deep-secret"
            not in engine.request("GET", f"/organization/{platform.organization.id}/aws/credentials").body
        )


def test_an_exception_is_the_reason() -> None:
    class Broken(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            raise ConnectionError("the registry does not answer")

    with orlop.Engine(driver=Broken()) as engine:
        platform = furnish(engine)
        web = platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert (run.ok, web.state) == (False, "DEPLOYMENT_ERROR")
        assert any("the registry does not answer" in str(event.get("detail")) for event in run.events())


@pytest.mark.parametrize("wrong", [42, ["a"], {"a": object()}], ids=["number", "list", "no JSON"])
def test_outputs_that_are_none_fail_the_step(wrong: Any) -> None:
    class Wrong(orlop.Driver):
        def deploy(self, step: orlop.Step) -> Any:
            return wrong

    with orlop.Engine(driver=Wrong()) as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert run.state == "DEPLOYMENT_ERROR"
        assert any("outputs" in str(event.get("detail")) for event in run.events())


@pytest.mark.parametrize(
    ("method", "near"),
    [
        ("deplyo", "deploy"),
        ("Deploy", "deploy"),
        ("create_cluster", "cluster_create"),
        ("exceute", "execute"),
        ("stopp", "stop"),
        ("cluster_dryrun", "cluster_dry_run"),
    ],
)
def test_a_method_that_is_almost_a_step_is_refused(method: str, near: str) -> None:
    kind = type("Mine", (orlop.Driver,), {method: lambda self: None})
    with pytest.raises(
        orlop.Misuse, match=f"the driver Mine has a method {method}, which is no step; did you mean {near}[?]"
    ):
        orlop.Engine(driver=kind())


def test_a_method_that_takes_a_step_must_be_one() -> None:
    class Mine(orlop.Driver):
        async def provision(self, step: orlop.Step, force: bool = False) -> None: ...

    with pytest.raises(orlop.Misuse, match="has a method provision, which is no step: steps are build, deploy,"):
        orlop.Engine(driver=Mine())


def test_helpers_may_have_other_names() -> None:
    class Mixin:
        def connect(self, host: str) -> None: ...

    class Mine(Mixin, orlop.Driver):
        workers = 2

        def close(self) -> None: ...

        def start(self) -> None: ...

        def redeploy(self, name: str) -> None: ...

        def url_of(self, name: str, step: orlop.Step) -> None: ...

        @staticmethod
        def note() -> None: ...

        def _deplyo(self, step: orlop.Step) -> None: ...

        @property
        def deployed(self) -> int:
            return 0

    with orlop.Engine(driver=Mine()) as engine:
        engine.tick()


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        (Recorder, r"an instance, Recorder\(…\), not the class Recorder"),
        (object(), "an instance of a subclass of orlop.Driver, not an object of the type object"),
        ("Recorder", "an instance of a subclass of orlop.Driver, not 'Recorder'"),
        (type("Mine", (orlop.Driver,), {"deploy": 5})(), "deploy of the driver Mine must be a method, not 5"),
        (type("Mine", (orlop.Driver,), {"deploy": lambda self: None})(), r"must take one argument, the step, not \(\)"),
        (
            type("Mine", (orlop.Driver,), {"workers": 0})(),
            "workers of the driver Mine must be a whole number, 1 or more, not 0",
        ),
    ],
)
def test_what_is_no_driver_is_refused(driver: Any, words: str) -> None:
    with pytest.raises(orlop.Misuse, match=words):
        orlop.Engine(driver=driver)


def test_progress_and_log_lines_are_events() -> None:
    class Talker(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            step.progress("half of it")
            step.log("pulled the image")

    with orlop.Engine(driver=Talker()) as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        said = {event["kind"]: str(event.get("detail")) for event in run.events()}
        assert "half of it" in said["step.progress"]
        assert "pulled the image" in said["step.log"]


def test_credentials_may_be_refused() -> None:
    class Refusing(orlop.Driver):
        def cluster_create(self, step: orlop.Step) -> None:
            raise orlop.CredentialsRefused("the key was revoked")

    with orlop.Engine(driver=Refusing()) as engine:
        cluster = furnish(engine).cluster.deploy().wait(WITHIN)
        assert cluster.status == "INVALID_CREDENTIALS"


class Concurrent(orlop.Driver):
    """Async: every deploy waits until all of them have begun."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.begun = 0
        self.all_began = asyncio.Event()

    async def deploy(self, step: orlop.Step) -> dict[str, Any]:
        self.begun += 1
        if self.begun == self.count:
            self.all_began.set()
        await self.all_began.wait()
        return {"url": f"https://{step.name}.example.com"}


def test_async_methods_run_side_by_side() -> None:
    driver = Concurrent(12)
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        for number in range(12):
            platform.container(f"web {number}")
        run = platform.environment.deploy().wait(WITHIN)
        assert run.ok and driver.begun == 12


def test_an_async_method_that_raises_fails_its_step() -> None:
    class Broken(orlop.Driver):
        async def deploy(self, step: orlop.Step) -> None:
            await asyncio.wait_for(asyncio.Event().wait(), 0.001)

    with orlop.Engine(driver=Broken()) as engine:
        platform = furnish(engine)
        platform.container()
        assert platform.environment.deploy().wait(WITHIN).state == "DEPLOYMENT_ERROR"


def test_a_plain_method_may_give_an_awaitable() -> None:
    class Mixed(orlop.Driver):
        def deploy(self, step: orlop.Step) -> Awaitable[None]:
            async def work() -> None:
                await asyncio.sleep(0)

            return work()

    with orlop.Engine(driver=Mixed()) as engine:
        platform = furnish(engine)
        platform.container()
        assert platform.environment.deploy().wait(WITHIN).ok


def test_a_plain_method_sees_that_it_is_canceled() -> None:
    class Patient(orlop.Driver):
        def __init__(self) -> None:
            self.began = threading.Event()

        def deploy(self, step: orlop.Step) -> None:
            self.began.set()
            step.wait_canceled(WITHIN)
            step.check_canceled()

    driver = Patient()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        web = platform.container()
        run = platform.environment.deploy()
        engine._drive(driver.began.is_set, WITHIN, "the step's begin")
        platform.environment.cancel()
        run.wait(WITHIN)
        assert (run.state, web.state) == ("CANCELED", "CANCELED")


def test_an_async_method_is_interrupted_by_a_cancel() -> None:
    class Endless(orlop.Driver):
        def __init__(self) -> None:
            self.began = threading.Event()

        async def deploy(self, step: orlop.Step) -> None:
            self.began.set()
            await asyncio.Event().wait()

    driver = Endless()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        web = platform.container()
        run = platform.environment.deploy()
        engine._drive(driver.began.is_set, WITHIN, "the step's begin")
        run.cancel()
        run.wait(WITHIN)
        assert (run.state, web.state) == ("CANCELED", "CANCELED")


def test_a_method_may_use_the_engine() -> None:
    class Curious(orlop.Driver):
        engine: orlop.Engine

        def deploy(self, step: orlop.Step) -> None:
            step.log(str(self.engine.organizations.list()[0].name))
            self.engine.tick()

    driver = Curious()
    with orlop.Engine(driver=driver) as engine:
        driver.engine = engine
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert run.ok
        assert any("acme" in str(event.get("detail")) for event in run.events() if event["kind"] == "step.log")


def test_closing_in_the_middle_of_a_step_waits_for_nothing_that_hangs() -> None:
    class Patient(orlop.Driver):
        def __init__(self) -> None:
            self.began = threading.Event()
            self.was_canceled = False

        def deploy(self, step: orlop.Step) -> None:
            self.began.set()
            self.was_canceled = step.wait_canceled(WITHIN)

    driver = Patient()
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        platform.container()
        platform.environment.deploy()
        engine._drive(driver.began.is_set, WITHIN, "the step's begin")
    assert driver.was_canceled


def test_the_running_state_of_a_workload_can_be_reported() -> None:
    with orlop.Engine() as engine:
        platform = furnish(engine)
        web = platform.container()
        assert web.deploy().wait(WITHIN).ok
        engine.report_running(web.id, "RUNNING")
        engine.tick()
        assert engine.events()[-1]["to"] == "RUNNING"
        with pytest.raises(orlop.Misuse, match="STARTING, RUNNING"):
            engine.report_running(web.id, "WALKING")


def test_a_driver_says_what_runs_its_cron_jobs() -> None:
    class Timed(orlop.Driver):
        schedules = "engine"

    def next_run_with(driver: orlop.Driver, **options: Any) -> str | None:
        with orlop.Engine(driver=driver, require_cluster=False, **options) as engine:
            platform = furnish(engine)
            job = platform.environment.jobs.create(
                name="report",
                source={"image": {"registry_id": platform.registry.id, "image_name": "acme/report", "tag": "1"}},
                schedule={"cronjob": {"timezone": "Etc/UTC", "scheduled_at": "0 0 1 1 *"}},
                healthchecks={},
            )
            assert job.deploy().wait().ok
            return job.next_run

    assert next_run_with(orlop.Driver()) is None
    assert next_run_with(orlop.Driver(), schedules="engine") is not None
    assert next_run_with(Timed()) is not None
    assert next_run_with(Timed(), schedules="driver") is None
    with pytest.raises(orlop.Misuse, match="schedules must be one of automatic, engine, driver"):
        orlop.Engine(schedules="never")  # type: ignore[arg-type]
    Timed.schedules = "never"  # type: ignore[assignment]
    with pytest.raises(orlop.Misuse, match="schedules of the driver Timed must be 'engine' or 'driver', not 'never'"):
        orlop.Engine(driver=Timed())


def test_a_step_that_is_lost_while_it_is_asked_is_not_taken_for_a_canceled_one() -> None:
    class Asked(orlop.Step):
        @property
        def is_canceled(self) -> bool:
            self._lose()
            return self._is_canceled

    step = Asked({"kind": "deploy", "name": "web"}, None)  # type: ignore[arg-type]
    with pytest.raises(orlop.StepLost, match="has taken over the step deploy of web"):
        step.check_canceled()
