"""Processes on one store that are killed, stopped and closed while they drive it: every deployment ends, and no step
runs in two running processes."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import orlop
from processes import deploy_all, driven, holds_write_lock, populate, stop_outside_of_commits, wait_until, wrong_in
from slow_proxy import delayed
from test_serve import call
from test_serve_command import refused

ROUNDS = int(os.environ.get("ORLOP_PROCESS_ROUNDS", "6"))
COUNTS = [int(count) for count in os.environ.get("ORLOP_PROCESS_COUNTS", "2,4").split(",")]
KILLS = int(os.environ.get("ORLOP_PROCESS_KILLS", "4"))  # for each number of processes on each store
DELAY = 0.001  # seconds, of the network
SEED = int(os.environ.get("ORLOP_SEED", "1"))
SERVER = Path(__file__).parents[1] / "postgresql" / "server.py"


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Starts a server and yields its URL."""
    if importlib.util.find_spec("orlop_postgresql") is None:
        pytest.skip("the package orlop-postgresql is not installed")
    if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        pytest.skip("there is no PostgreSQL server on this machine")
    facts = tmp_path_factory.mktemp("postgresql") / "server.txt"
    subprocess.run([sys.executable, str(SERVER), "start", str(facts)], check=True, capture_output=True)
    try:
        strings = dict(line.split("=", 1) for line in facts.read_text().splitlines() if "=" in line)
        parts = dict(part.split("=", 1) for part in strings["direct"].split())
        yield f"postgresql://{parts['user']}@127.0.0.1:{parts['port']}/{parts['dbname']}"
    finally:
        subprocess.run([sys.executable, str(SERVER), "stop", str(facts)], check=True, capture_output=True)


@pytest.fixture(params=["file", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return str(tmp_path / "platform.db")
    url: str = request.getfixturevalue("postgresql")
    return f"{url}?schema=t{re.sub('[^a-z0-9]', '', tmp_path.name.lower())}"


def ended_in(engine: orlop.Engine) -> Iterator[dict[str, Any]]:
    """Yields the ends of all deployments so far, page by page."""
    since = 0
    while found := engine.events(since, kinds=["deployment.ended"]):
        yield from found
        since = found[-1]["sequence"]


@pytest.mark.parametrize("count", COUNTS)
def test_what_is_asked_for_ends_whatever_happens_to_the_processes(store: str, tmp_path: Path, count: int) -> None:
    chosen = random.Random(SEED)
    with (
        orlop.Engine(store, role="serve", require_cluster=False) as engine,
        driven(store, tmp_path, count, SEED) as processes,
    ):
        environments = populate(engine, 4, 4)
        for number in range(ROUNDS):
            # Each kind once, then at random.
            act = [processes.kill, processes.stop, processes.close_one][number if number < 3 else chosen.randrange(3)]
            deploy_all(engine, environments, act)
            processes.let_go_on()
        assert processes.are_well()
        services = 4 * 4
        assert (
            len({line.split()[1] for line in processes.log.read_text().splitlines() if line.startswith("end")})
            == ROUNDS * services
        )
        assert list(wrong_in(processes.log)) == []
        assert len(list(ended_in(engine))) == ROUNDS * len(environments)


@pytest.mark.parametrize("count", COUNTS)
def test_kills_lose_nothing_that_was_acknowledged(store: str, tmp_path: Path, count: int) -> None:
    """Processes are killed one after the other while deployments run; on PostgreSQL the processes reach their server
    over a delaying network."""
    port = re.search(r"127\.0\.0\.1:(\d+)/", store)
    with delayed(int(port[1]), DELAY) if port else contextlib.nullcontext(0) as slow_port:
        driving = store.replace(f":{port[1]}/", f":{slow_port}/") if port else store
        with (
            orlop.Engine(store, role="serve", require_cluster=False) as engine,
            driven(driving, tmp_path, count, SEED) as processes,
        ):
            environments = populate(engine, 4, 2)
            for _ in range(KILLS):
                deploy_all(engine, environments, processes.kill)
            assert processes.are_well()
            assert list(wrong_in(processes.log)) == []
            ended = sum(line.startswith("killed") for line in processes.log.read_text().splitlines())
            assert ended == KILLS
            numbers = [event["sequence"] for event in engine.events()]
            assert numbers == list(range(1, len(numbers) + 1))


def test_who_stands_still_in_a_commit_to_a_file_lets_others_read_and_write_again_after_its_end(tmp_path: Path) -> None:
    store = str(tmp_path / "platform.db")
    text = """import orlop, sys
engine = orlop.Engine(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
with engine.batch() as batch:
    batch.request("POST", "/organization", {"name": "never", "plan": "FREE"})
    print("in the middle", flush=True)
    sys.stdin.read()
"""
    with orlop.Engine(store) as engine:
        engine.organizations.create(name="before", plan="FREE")
        writer = subprocess.Popen(
            [sys.executable, "-c", text, store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdin is not None and writer.stdout is not None
        with writer.stdin, writer.stdout:
            assert writer.stdout.readline() == "open\n"
            assert not holds_write_lock(writer.pid, store)
            writer.stdin.write("go on\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "in the middle\n"
            os.kill(writer.pid, signal.SIGSTOP)
            os.waitpid(writer.pid, os.WUNTRACED)
            assert holds_write_lock(writer.pid, store)
            assert [organization.name for organization in engine.organizations] == ["before"]
            writer.kill()
            writer.wait()
        engine.organizations.create(name="after", plan="FREE")
        assert sorted(organization.name for organization in engine.organizations) == ["after", "before"]


_OLD_HOLDER = """import orlop, sys
class Old(orlop.Driver):
    {definition} deploy(self, step):
        print("begun", flush=True)
        try:
            {work}
        finally:
            print("lost" if step.is_lost else "not lost", flush=True)
            for call in (step.check_canceled, lambda: step.progress("late"), lambda: step.log("late"), step.recap):
                try:
                    call()
                    print("answered", flush=True)
                except orlop.StepLost as error:
                    print(type(error).__name__, flush=True)
with orlop.Engine(sys.argv[1], driver=Old(), require_cluster=False, lease_time="1s") as engine:
    engine.run()
"""


@pytest.mark.parametrize(
    ("definition", "work"),
    [
        ("def", "while True: step.wait_canceled(0.01) and step.check_canceled()"),
        ("def", "step.sleep(600)"),
        ("def", "step.wait_canceled(600)"),
        ("async def", "await step.sleep(600)"),
    ],
    ids=["check", "sleep", "wait", "async"],
)
def test_a_step_that_was_taken_over_is_lost_where_it_was(store: str, definition: str, work: str) -> None:
    resumed: list[str] = []

    class New(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            resumed.append(step.id)
            assert step.resumed
            ended.wait()

    ended = threading.Event()
    program = _OLD_HOLDER.format(definition=definition, work=work)
    with orlop.Engine(store, role="serve", require_cluster=False) as requests:
        (environment,) = populate(requests, 1, 1)
        old = subprocess.Popen([sys.executable, "-c", program, store], stdout=subprocess.PIPE, text=True)
        assert old.stdout is not None
        try:
            with old.stdout, orlop.Engine(store, driver=New(), require_cluster=False, lease_time="1s") as engine:
                deployment = environment.deploy()
                assert old.stdout.readline() == "begun\n"
                stop_outside_of_commits(old.pid, store)
                thread = threading.Thread(target=engine.run)
                thread.start()
                wait_until(lambda: bool(resumed), "the step in the new process")
                os.kill(old.pid, signal.SIGCONT)
                assert [old.stdout.readline() for _ in range(5)] == ["lost\n", *["StepLost\n"] * 4]
                ended.set()
                assert deployment.wait(60).state == "DEPLOYED"
                engine.stop()
                thread.join()
                assert "late" not in str(engine.events())
        finally:
            ended.set()
            old.kill()
            old.wait()


def test_what_may_not_be_is_found(tmp_path: Path) -> None:
    log = tmp_path / "steps.log"
    log.write_text(
        "given a 1\nstart a 1\nend a 1\nkilled - 2\ngiven a 2\ngiven b 3\nstopped - 3\ngiven b 4\ngiven b "
        "4\nstart b 4\nstart b 3\nstart b 5\n"
    )
    assert list(wrong_in(log)) == [
        "line 5: step a is given to 2, and 1, which was given it in line 1, is well",
        "line 12: step b begins in 5, which was not given it",
    ]
    # A process may be given a step before its kill or stop is complete, and not after it.
    log.write_text(
        "killed - 1\ngiven a 1\ngiven a 2\ngone - 1\nstopped - 3\ngiven b 3\ngiven b 4\ncontinued - 3\ngiven c "
        "3\ngiven c 4\ngiven d 1\ngiven d 2\n"
    )
    assert list(wrong_in(log)) == [
        "line 10: step c is given to 4, and 3, which was given it in line 9, is well",
        "line 12: step d is given to 2, and 1, which was given it in line 11, is well",
    ]
    # A process that was stopped just before the call of its driver may be given late the steps that others were given
    # meanwhile: immediately after it continues, and no other steps.
    log.write_text(
        "stopped - 1\ngiven a 2\ngiven b 2\ngiven c 2\ncontinued - 1\ngiven d 2\ngiven a 1\ngiven b 1\ngiven e "
        "1\ngiven c 1\n"
    )
    assert list(wrong_in(log)) == ["line 10: step c is given to 1, and 2, which was given it in line 4, is well"]
    log.write_text("stopped - 1\ncontinued - 1\ngiven a 2\ngiven a 1\n")
    assert list(wrong_in(log)) == ["line 4: step a is given to 1, and 2, which was given it in line 3, is well"]


def workers_of(parent: int) -> list[int]:
    return [int(number) for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def test_workers_answer_at_one_address_and_are_replaced(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "orlop",
        "serve",
        "platform.db",
        "--workers",
        "3",
        "--port",
        "0",
        "--lease-time",
        "1s",
        "--no-access-log",
    ]
    server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None and server.stderr is not None
    try:
        said = re.fullmatch(
            r"Orlop serves platform\.db at (http://\S+) \(authentication off, 3 processes; steps succeed at once: "
            r"no driver\)\n",
            server.stdout.readline(),
        )
        assert said
        url = said[1]
        wait_until(lambda: len(workers_of(server.pid)) == 3, "three processes")
        first = workers_of(server.pid)
        organization = call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})[1]["id"]

        def deploy(name: str) -> None:
            cluster = call(
                url,
                "POST",
                f"/organization/{organization}/cluster",
                {"name": name, "region": "eu-west-3", "cloud_provider": "AWS"},
            )[1]["id"]
            assert call(url, "POST", f"/organization/{organization}/cluster/{cluster}/deploy")[0] == 200
            status = f"/organization/{organization}/cluster/{cluster}/status"
            wait_until(lambda: call(url, "GET", status)[1]["status"] == "DEPLOYED", f"the deployment of {name}")

        deploy("before")
        os.kill(first[0], signal.SIGKILL)
        assert "is replaced" in server.stderr.readline()
        wait_until(lambda: len(workers_of(server.pid)) == 3, "the third process")
        deploy("after")
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=60) == 0
        assert not [number for number in first if Path(f"/proc/{number}").exists()]
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
        server.stderr.close()


def test_workers_that_cannot_start_end_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "orlop", "serve", "platform.db", "--workers", "3", "--port", "0"]
    ended = subprocess.run(
        [*command, "--driver", "nowhere:Driver"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1 and "nowhere" in ended.stderr and "is replaced" not in ended.stderr
    (tmp_path / "platform.db").write_text("no store at all, and long enough to be looked at")
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (
        ended.returncode == 2
        and ended.stdout == ""
        and ended.stderr.startswith('orlop: "platform.db"')
        and ended.stderr.count("\n") == 1
    ), ended.stderr


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--workers", "0"], "--workers must be 1 to 1000, not 0"),
        (["--workers", "2", "--sim"], "--workers must be 1 with --sim"),
        (["memory:", "--workers", "2"], "--workers must be 1 where the store is memory"),
        (["--sim", "--role", "drive"], "--role and --lease-time exclude --sim"),
    ],
)
def test_what_workers_cannot_do_is_said(tmp_path: Path, given: list[str], words: str) -> None:
    assert words in refused(tmp_path, *given)
