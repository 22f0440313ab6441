"""Output of `orlop serve` besides the access log: that it has no driver, each change of state, each failure, and the
organization that it creates."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

import orlop
from orlop.commands.state_log import StateLog
from orlop.base.event_text import instant
from processes import wait_until
from test_clock import ByHand
from test_processes import workers_of
from test_serve_command import refused

AT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


@contextlib.contextmanager
def started(directory: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Starts the command; yields it and the first line that it prints."""
    command = [sys.executable, "-m", "orlop", "serve", *arguments, "--port", "0", "--no-access-log"]
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline()
        finally:
            process.kill()


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def lines_until(process: subprocess.Popen[str], end: str) -> list[str]:
    """Returns the printed lines, without times, until one ends with `end`."""
    found: list[str] = []
    assert process.stdout is not None
    while not found or not found[-1].endswith(end):
        line = process.stdout.readline()
        assert line, found
        found.append(re.sub(rf"^{AT} ", "", line).rstrip("\n"))
    return found


def exports_of(process: subprocess.Popen[str]) -> tuple[str, dict[str, str]]:
    """Returns the comment before the exports, and the variables that a shell has after them."""
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(4)]
    shell = subprocess.run(["sh", "-c", "".join(lines) + "env"], capture_output=True, text=True, check=True, timeout=60)
    return lines[0], {
        name: value
        for name, _, value in (line.partition("=") for line in shell.stdout.splitlines())
        if name.startswith("ORLOP_")
    }


class Caller:
    def __init__(self, variables: dict[str, str]) -> None:
        self.variables = variables
        self.organization = f"/organization/{variables['ORLOP_ORGANIZATION']}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Token {self.variables['ORLOP_TOKEN']}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.variables["ORLOP_URL"] + path, sent, headers, method=method), timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def deploy(self) -> None:
        cluster = self.ask(
            "POST", f"{self.organization}/cluster", {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
        )["id"]
        self.ask("POST", f"{self.organization}/cluster/{cluster}/deploy")
        project = self.ask("POST", f"{self.organization}/project", {"name": "shop"})["id"]
        environment = self.ask("POST", f"/project/{project}/environment", {"name": "production", "cluster": cluster})[
            "id"
        ]
        self.ask(
            "POST",
            f"/environment/{environment}/database",
            {"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"},
        )
        self.ask("POST", f"/environment/{environment}/deploy")


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ((), "authentication off; steps succeed at once: no driver"),
        (("--step", "30s"), "authentication off; steps succeed after 30s: no driver"),
        (("--auth", "required", "--role", "serve"), "authentication required; drives no deployments"),
        (("--driver", "orlop:Driver"), "authentication off"),
        (("--sim", "--step", "30s"), "authentication off"),
    ],
)
def test_the_banner_says_that_nothing_real_is_deployed(tmp_path: Path, given: tuple[str, ...], facts: str) -> None:
    with started(tmp_path, *given) as (_, banner):
        assert re.fullmatch(rf"Orlop serves memory: at http://127\.0\.0\.1:\d+ \({facts}\)\n", banner), banner


@pytest.mark.parametrize("workers", ["1", "2"])
def test_each_change_of_state_and_each_failure_is_a_line(tmp_path: Path, workers: str) -> None:
    (tmp_path / "fails.py").write_text(
        "import orlop\nclass Fails(orlop.Driver):\n    def deploy(self, step):\n        raise "
        "orlop.DriverFailed('no\\nroom')\n"
    )
    given = (
        "platform.db",
        "--driver",
        "fails:Fails",
        "--seed-organization",
        "acme",
        "--workers",
        workers,
        "--auth",
        "required",
    )
    with started(tmp_path, *given) as (process, _):
        Caller(exports_of(process)[1]).deploy()
        lines = lines_until(process, "environment production: DEPLOYMENT_ERROR")
        expected = [
            "cluster europe: READY -> DEPLOYMENT_QUEUED",
            "cluster europe: DEPLOYMENT_QUEUED -> DEPLOYING",
            "cluster europe: DEPLOYING -> DEPLOYED",
            "environment production: DEPLOY QUEUED",
            "database orders of production: READY -> DEPLOYMENT_QUEUED",
            "environment production: DEPLOY STARTED",
            "database orders of production: DEPLOYMENT_QUEUED -> WAITING_RUNNING",
            "database orders of production: WAITING_RUNNING -> DEPLOYING",
            "database orders of production: DEPLOYING -> DEPLOYMENT_ERROR: no room",
            "environment production: DEPLOYMENT_ERROR",
        ]
        assert sorted(lines) == sorted(expected) and lines[-1] == expected[-1]
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=60)
        assert (process.returncode, rest, "Traceback" in errors) == (0, "", False), errors


def test_a_process_that_replaces_the_one_that_prints_goes_on(tmp_path: Path) -> None:
    with started(tmp_path, "platform.db", "--seed-organization", "acme", "--workers", "2", "--lease-time", "1s") as (
        process,
        _,
    ):
        caller = Caller(exports_of(process)[1])
        cluster = caller.ask(
            "POST", f"{caller.organization}/cluster", {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
        )["id"]
        caller.ask("POST", f"{caller.organization}/cluster/{cluster}/deploy")
        lines_until(process, "cluster europe: DEPLOYING -> DEPLOYED")
        first = min(workers_of(process.pid))
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: first not in workers_of(process.pid), "the end of the first process")
        caller.ask("POST", f"{caller.organization}/cluster/{cluster}/stop")
        assert "cluster europe: DEPLOYED -> STOP_QUEUED" in lines_until(process, "-> STOPPED")


def test_the_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    with started(tmp_path, "platform.db", "--seed-organization", "acme", "--workers", "2") as (process, _):
        exports_of(process)
        wait_until(lambda: len(workers_of(process.pid)) == 2, "both processes")
        workers = workers_of(process.pid)
        process.kill()
        wait_until(lambda: not any(is_running(worker) for worker in workers), "the end of the processes")


def test_no_line_is_printed_where_none_is_wanted(tmp_path: Path) -> None:
    with started(tmp_path, "--seed-organization", "acme", "--no-state-log") as (process, _):
        caller = Caller(exports_of(process)[1])
        caller.deploy()
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60)[0] == ""


def test_an_organization_is_made_once_and_its_token_each_time(tmp_path: Path) -> None:
    def start(*given: str) -> tuple[str, dict[str, str]]:
        with started(
            tmp_path, "platform.db", "--auth", "required", "--seed-organization", "Ada's shop; $HOME", *given
        ) as (process, banner):
            comment, variables = exports_of(process)
            assert variables["ORLOP_URL"] in banner
            assert Caller(variables).ask("GET", Caller(variables).organization)["name"] == "Ada's shop; $HOME"
            return comment, variables

    comment, first = start()
    assert comment == '# organization Ada\'s shop; $HOME is new; its token "orlop serve" is new\n'
    for given in ((), ("--workers", "2"), ("--sim",)):
        comment, variables = start(*given)
        assert (
            comment
            == '# organization Ada\'s shop; $HOME was there; its token "orlop serve" is new, the one of before is '
            "revoked\n"
        )
        assert (
            variables["ORLOP_ORGANIZATION"] == first["ORLOP_ORGANIZATION"]
            and variables["ORLOP_TOKEN"] != first["ORLOP_TOKEN"]
        )
    with orlop.Engine(tmp_path / "platform.db") as engine:
        tokens = engine.request("GET", f"/organization/{first['ORLOP_ORGANIZATION']}/apiToken").check()["results"]
        assert [organization.name for organization in engine.organizations] == ["Ada's shop; $HOME"] and [
            token["name"] for token in tokens
        ] == ["orlop serve"]


def test_all_of_the_greeting_is_printed_before_the_ready_file_is_there(tmp_path: Path) -> None:
    with started(tmp_path, "--seed-organization", "acme", "--ready-file", "ready") as (process, _):
        exports = exports_of(process)[1]
        caller = Caller(exports)
        caller.ask("GET", caller.organization)
        assert json.loads((tmp_path / "ready").read_text())["url"] == exports["ORLOP_URL"]


def test_a_shell_calls_it_with_the_exports(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "examples/clients/seeded.sh"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    called = subprocess.run(
        ["sh", script, tmp_path / "platform.db"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PATH": path},
    )
    assert called.returncode == 0 and json.loads(called.stdout)["name"] == "acme", called


def test_steps_take_their_time_without_a_driver(tmp_path: Path) -> None:
    with started(tmp_path, "platform.db", "--step", "700ms", "--seed-organization", "acme") as (process, _):
        Caller(exports_of(process)[1]).deploy()
        lines_until(process, "environment production: DEPLOYED")
    with orlop.Engine(tmp_path / "platform.db") as engine:
        events = {
            (event["kind"], event["family"]): instant(event["at"])
            for event in engine.events()
            if event["kind"].startswith("step.")
        }
    for family in ("cluster", "database"):
        assert (events["step.ended", family] - events["step.started", family]).total_seconds() >= 0.7


def test_a_step_counts_its_time_from_its_begin_also_after_a_restart(tmp_path: Path) -> None:
    clock = ByHand()

    def opened() -> orlop.Engine:
        engine = orlop.Engine(tmp_path / "platform.db", clock=clock)
        engine._core.add_rule(30_000)
        return engine

    def settled(engine: orlop.Engine) -> float | None:
        wanted: float | None = 0.0
        while wanted == 0:
            wanted = engine.tick()
        return wanted

    with opened() as engine:
        cluster = engine.organizations.create(name="acme", plan="FREE").clusters.create(
            name="europe", region="eu-west-3", cloud_provider="AWS"
        )
        cluster.deploy()
        assert settled(engine) == 30
        clock.now += 20
    with opened() as engine:
        assert settled(engine) == 10
        clock.now += 10
        settled(engine)
        assert len(engine.events(kinds=["cluster.deployed"])) == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--step", "30s", "--driver", "orlop:Driver"], "--step and --driver exclude each other"),
        (["--step", "soon"], "--step must be a duration"),
        (
            ["--step", "2m", "--step-deadline", "1m30s"],
            "--step must be at most --step-deadline, which is 1m30s, not 2m: a step that takes longer fails",
        ),
        (["--step", "2h"], "--step must be at most --step-deadline, which is 1h, not 2h"),
        (["--step", "6", "--step-deadline", "5"], "--step must be at most --step-deadline, which is 5, not 6"),
        (
            ["--sim", "--step-deadline", "4s"],
            "--step must be at most --step-deadline, which is 4s, not 5s, its default with --sim",
        ),
        (["--seed-organization", ""], "--seed-organization must not be empty"),
        (["--seed-organization", "a\nb", "--port", "0"], "name"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, given: list[str], words: str) -> None:
    assert words in refused(tmp_path, *given)


def test_names_of_before_and_failures_without_a_change_of_state_are_found(tmp_path: Path) -> None:
    """The store of the log already holds services, of which one was renamed; the step of a backup fails, which changes
    no service's state."""

    class Fails(orlop.Driver):
        def task(self, step: orlop.Step) -> None:
            raise orlop.DriverFailed("the disk is full")

    with (
        orlop.Engine(tmp_path / "platform.db", driver=Fails(), require_cluster=False) as engine,
        open(tmp_path / "lines", "wb") as out,
    ):
        organization = engine.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        environment = organization.projects.create(name="shop").environments.create(
            name="production", cluster_id=cluster.id
        )
        orders = environment.databases.create(name="order", type="POSTGRESQL", version="16", mode="MANAGED")
        orders.edit(name="orders")
        log = StateLog(engine, out.fileno(), [-1])
        environment.deploy().wait()
        backup = engine.request("POST", f"/database/{orders.id}/backup", {"name": "first", "message": ""}).check()
        while not engine.events(kinds=["step.ended"], subject=backup["id"]):
            engine.tick()
        orders.delete()
        while not engine.events(kinds=["database.deleted"]):
            engine.tick()
        log.finish()
        lines = [re.sub(rf"^{AT} ", "", line) for line in (tmp_path / "lines").read_text().splitlines()]
    assert (
        "database orders of production: DEPLOYING -> DEPLOYED" in lines
        and "database orders of production: DELETING -> DELETED" in lines
    )
    assert "database_backup first: the step task failed: the disk is full" in lines
