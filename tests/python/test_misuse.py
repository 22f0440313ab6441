"""Wrong use gives an error that names it; never a crash."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import re
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish

CALLS: dict[str, Callable[[orlop.Engine], object]] = {
    "request": lambda engine: engine.request("GET", "/organization"),
    "tick": lambda engine: engine.tick(),
    "events": lambda engine: engine.events(),
    "now": lambda engine: engine.now(),
    "stop": lambda engine: engine.stop(),
    "typed": lambda engine: engine.organizations.list(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_closed_engine_says_so(call: Callable[[orlop.Engine], object]) -> None:
    engine = orlop.Engine()
    engine.close()
    with pytest.raises(orlop.Closed, match="closed"):
        call(engine)


def test_use_after_with_is_use_of_a_closed_engine() -> None:
    with orlop.Simulation() as simulation:
        environment = furnish(simulation).environment
    with pytest.raises(orlop.Error, match="closed"):
        environment.deploy()
    with pytest.raises(orlop.Closed):
        simulation.clock.advance(seconds=1)
    with pytest.raises(orlop.Closed):
        simulation.rules.add(after="5m")


def test_a_hopeless_list_is_answered_in_one_sentence(platform: Platform) -> None:
    body = b'{"name":"x","image_name":"a","tag":"1","healthchecks":{},"ports":[' + b",".join([b"{}"] * 340_000) + b"]}"
    reply = platform.engine.request("POST", f"/environment/{platform.environment.id}/container", body)
    assert reply.status == 400
    assert {"field": "ports", "reason": "must hold at most 200 items, not 340000"} in reply.json()["violations"]
    assert len(reply.body) < 1000


def test_a_hundred_violations_are_named_and_the_others_counted(platform: Platform) -> None:
    with pytest.raises(orlop.Invalid, match=r"; and 300 more$") as caught:
        platform.container(ports=[{}] * 200)
    assert len(caught.value.violations) == 100
    assert caught.value.violations_omitted == 300


def test_closing_twice_is_allowed() -> None:
    engine = orlop.Engine()
    engine.close()
    engine.close()
    with pytest.raises(orlop.Closed), engine:
        engine.tick()


def test_an_engine_that_was_never_closed_is_collected() -> None:
    class Knows(orlop.Driver):
        engine: orlop.Engine | None = None

    driver = Knows()
    driver.engine = orlop.Engine(driver=driver, clock=lambda: 0.0 if driver.engine else 1.0)
    ghost = weakref.ref(driver.engine)
    del driver
    gc.collect()
    assert ghost() is None


def test_a_clock_that_raises_is_reported() -> None:
    times = iter([1_800_000_000.0] * 3)
    with orlop.Engine(clock=lambda: next(times)) as engine:
        with pytest.raises(orlop.DriverFailed, match="StopIteration") as caught:
            for _ in range(10):
                engine.organizations.create(name=f"acme {_}", plan="FREE")
        assert isinstance(caught.value.__cause__, StopIteration)


TIMES = [
    ("noon", "'noon'"),
    (None, "None"),
    (True, "True"),
    (float("nan"), "nan"),
    (float("inf"), "inf"),
    (1e300, "1e[+]300"),
    (-1e300, "-1e[+]300"),
    ([], "an object of the type list"),
    pytest.param(10**5000, "a number of too many digits", id="of too many digits"),
]


@pytest.mark.parametrize(("time", "shown"), TIMES)
def test_a_clock_that_gives_no_time_is_reported(time: Any, shown: str) -> None:
    with (
        pytest.raises(
            orlop.Misuse, match=f"^what the clock gives must be a finite number of at most 1e15 seconds, not {shown}$"
        ),
        orlop.Engine(clock=lambda: time) as engine,
    ):
        engine.organizations.create(name="acme", plan="FREE")


def test_a_monotonic_that_gives_no_time_is_reported() -> None:
    class Clock:
        def __call__(self) -> float:
            return 1_800_000_000.0

        def monotonic(self) -> str:
            return "noon"

    with (
        pytest.raises(
            orlop.Misuse,
            match="^what monotonic of the clock gives must be a finite number of at most 1e15 seconds, not 'noon'$",
        ),
        orlop.Engine(clock=Clock()) as engine,
    ):
        engine.tick()


@pytest.mark.parametrize("time", [1_800_000_000, Decimal(1_800_000_000), Fraction(1_800_000_000)])
def test_a_clock_may_give_any_type_of_number(time: Any) -> None:
    with orlop.Engine(clock=lambda: time) as engine:
        assert engine.now().year == 2027


def test_a_clock_that_calls_back_in_gets_an_error() -> None:
    engines: list[orlop.Engine] = []

    def clock() -> float:
        for engine in engines:
            engine.request("GET", "/organization")
        return 1_800_000_000.0

    with orlop.Engine(clock=clock) as engine:
        engines.append(engine)
        with pytest.raises(orlop.Misuse, match="must not call the engine"):
            engine.organizations.create(name="acme", plan="FREE")
        engines.clear()
        assert engine.organizations.create(name="acme 2", plan="FREE").name == "acme 2"


def test_closing_from_inside_a_callback_is_refused() -> None:
    engines: list[orlop.Engine] = []

    def clock() -> float:
        for engine in engines:
            engine.close()
        return 1_800_000_000.0

    with orlop.Engine(clock=clock) as engine:
        engines.append(engine)
        with pytest.raises(orlop.Misuse):
            engine.now()
        engines.clear()
        engine.now()


def test_an_interrupted_callback_interrupts() -> None:
    def clock() -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with orlop.Engine(clock=clock) as engine:
            engine.now()


def test_a_fork_cannot_use_the_engine_of_its_parent() -> None:
    with orlop.Engine() as engine:
        furnish(engine)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                engine.request("GET", "/organization")
                said = "answered"
            except orlop.ForeignHandle as error:
                said = f"refused: {error}"
            except BaseException as error:
                said = f"{type(error).__name__}: {error}"
            os.write(writing, said.encode())
            os._exit(0)
        os.close(writing)
        said = os.read(reading, 1000).decode()
        os.close(reading)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert said.startswith("refused: ") and "fork" in said
        assert len(engine.organizations) == 1


@pytest.mark.parametrize(
    "before",
    ["", "import orlop\nwith orlop.Engine() as engine: engine.tick()\n"],
    ids=["first", "after the main interpreter"],
)
@pytest.mark.parametrize("use", ["orlop.Engine()", "orlop.Simulation(seed=1)", "import orlop._core"])
def test_a_sub_interpreter_is_refused(before: str, use: str) -> None:
    program = before + textwrap.dedent(f"""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        inside = "try:\\n    import orlop; {use}\\nexcept ImportError as error:\\n    print(error, flush=True)"
        for _ in range(2):
            interpreters.run_string(interpreters.create(), inside)
        import orlop
        with orlop.Engine() as engine:
            print(engine.request("POST", "/organization", {{"name": "acme", "plan": "FREE"}}).status)
    """)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    *refusals, status = ended.stdout.splitlines()
    # From 3.12 on Python itself refuses it for an interpreter with its own lock, which those of 3.13 have.
    assert len(refusals) == 2 and all(re.search("sub-?interpreter", refusal) for refusal in refusals)
    assert status == "201"


def test_the_module_can_be_imported_again() -> None:
    program = textwrap.dedent("""
        import sys, orlop
        engine = orlop.Engine()
        for name in [name for name in sys.modules if name.split(".")[0] == "orlop"]:
            del sys.modules[name]
        import orlop
        with orlop.Engine() as again:
            print(again.request("POST", "/organization", {"name": "acme", "plan": "FREE"}).status)
    """)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.returncode) == ("201\n", 0), ended.stderr


def _use_in_child(path: str, own: str, answers: Any) -> None:
    """Runs in a child of multiprocessing: opens the store of the parent, and another one."""
    try:
        orlop.Engine(path)
        refusal = "opened"
    except orlop.Misuse as error:
        refusal = str(error)
    with orlop.Engine(own) as engine:
        answers.put((refusal, engine.request("POST", "/organization", {"name": "acme", "plan": "FREE"}).status))


def test_children_of_multiprocessing_beside_a_host_that_ticks_are_refused_its_file(tmp_path: Path) -> None:
    path = str(tmp_path / "platform.db")
    context = multiprocessing.get_context("fork")
    with orlop.Engine(path) as engine:
        is_over = threading.Event()

        def write() -> None:
            for number in itertools.count():
                if is_over.is_set():
                    return
                engine.request("POST", "/organization", {"name": f"o{number}", "plan": "FREE"})

        threads = [threading.Thread(target=engine.run), threading.Thread(target=write)]
        for thread in threads:
            thread.start()
        try:
            answers = context.SimpleQueue()
            for number in range(5):
                child = context.Process(target=_use_in_child, args=(path, str(tmp_path / f"own-{number}.db"), answers))
                child.start()
                child.join(60)
                child.kill()
                assert child.exitcode == 0
                refusal, status = answers.get()
                assert path in refusal and "fork" in refusal and "spawn" in refusal
                assert status == 201
        finally:
            is_over.set()
            engine.stop()
            for thread in threads:
                thread.join()


def test_a_fork_may_end_like_any_process(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import os, sys, orlop
        engine = orlop.Engine(driver=orlop.Driver())
        engine.organizations.create(name="acme", plan="FREE")
        child = os.fork()
        if child == 0:
            del engine
            sys.exit(0)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_process_may_end_with_an_open_engine(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import threading, time, orlop
        class Async(orlop.Driver):
            async def deploy(self, step):
                pass
        engine = orlop.Engine(driver=Async(), clock=time.time)
        for _ in range(3):
            threading.Thread(target=engine.run, daemon=True).start()
        def hurry():
            while True:
                try:
                    engine.now()
                except orlop.Closed:
                    pass
        threading.Thread(target=hurry, daemon=True).start()
    """)
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_thread_that_raises_while_the_interpreter_ends_rests(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import os, sys, threading, time, types, orlop, orlop.errors
        made = orlop.errors.failure
        def make_slowly(*arguments):  # so that other threads take the interpreter meanwhile
            for _ in range(300_000):
                pass
            return made(*arguments)
        orlop.errors.failure = make_slowly
        # goes when the interpreter ends, and lets the others run then: each read gives the interpreter away
        class Last:
            def __del__(self, read=os.read, zeros=os.open("/dev/zero", os.O_RDONLY)):
                for _ in range(10_000):
                    read(zeros, 1)
        sys.modules["last"] = types.ModuleType("last")
        sys.modules["last"].last = Last()
        engine = orlop.Engine(clock=time.time)
        engine.close()
        def hurry():
            while True:
                try:
                    engine.now()
                except orlop.Closed:
                    pass
        for _ in range(4):
            threading.Thread(target=hurry, daemon=True).start()
    """)
    for _ in range(3):
        ended = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("storage", ["nosuch:place", "sqlite:/nowhere/at/all/platform.db"])
def test_a_store_that_cannot_be_opened_is_named(storage: str) -> None:
    with pytest.raises(orlop.Error) as caught:
        orlop.Engine(storage)
    assert caught.value.code in ("invalid", "storage_failed")
    assert len(str(caught.value)) > 10


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "platform.db"
    path.write_bytes(b"This is a letter, and no database. " * 100)
    with pytest.raises(orlop.StorageError):
        orlop.Engine(path)


def test_busy_takes_one_of_two_words() -> None:
    with pytest.raises(orlop.Misuse, match="queue, reject"):
        orlop.Engine(busy="wait")  # type: ignore[arg-type]


def test_what_belongs_to_a_simulation_is_refused_elsewhere() -> None:
    with orlop.Engine() as engine, pytest.raises(orlop.Misuse):
        engine._core.advance(1000)


def test_rules_are_checked() -> None:
    with orlop.Simulation() as simulation:
        with pytest.raises(orlop.Error, match="step"):
            simulation.rules.add(step="deploi")
        with pytest.raises(orlop.Error, match="kind"):
            simulation.rules.add(kind="konteiner")
        with pytest.raises(orlop.Misuse, match="30s"):
            simulation.rules.add(after="half an hour")


def test_many_threads_may_close() -> None:
    for _ in range(20):
        engine = orlop.Engine()
        threads = [threading.Thread(target=engine.close) for _ in range(4)]
        threads += [threading.Thread(target=_use, args=(engine,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _use(engine: orlop.Engine) -> None:
    try:
        while True:
            engine.request("GET", "/organization")
    except orlop.Closed:
        pass
