"""Common behaviour of the commands: the exit status, files that cannot be written, output that is not read, Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import pathlib
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

import orlop as platform
from conftest import furnish
from orlop.commands import main as commands
from orlop.commands.files import writing
from orlop.simulation.scenarios import parallel_runs
from processes import wait_until
from test_scenarios import SMALL, run

SLOW = SMALL.replace("20m", "1ms")  # an expectation that fails
needs_dev_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux only")


def orlop(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[no-any-return]
        [sys.executable, "-m", "orlop", *arguments],
        text=True,
        timeout=60,
        check=False,
        stderr=subprocess.PIPE,
        **options,
    )  # type: ignore[call-overload]


def children(parent: int) -> list[str]:
    return pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    (tmp_path / "small.yml").write_text(SMALL)
    (tmp_path / "slow.yml").write_text(SLOW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _valued(parser: argparse.ArgumentParser, command: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yields each command with each of its flags that take a value."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _valued(below, (*command, name))
        elif action.option_strings and action.nargs != 0:
            yield command, action.option_strings[-1]


VALUED = [
    (command, flag)
    for command, flag in _valued(commands._parser())
    if flag not in ("--engine-name", "--find", "--host")
]


@pytest.mark.parametrize(
    ("command", "flag"), VALUED, ids=lambda part: part if isinstance(part, str) else "-".join(part)
)
def test_an_empty_argument_is_refused_by_its_name(
    command: tuple[str, ...], flag: str, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(VALUED) > 50
    status, out, err = run([*command, flag, ""], capsys)
    assert status == 2 and not out and flag in err.splitlines()[-1] and "empty" in err.splitlines()[-1], err


@pytest.mark.parametrize(
    "arguments",
    [
        ["events", ""],
        ["check", ""],
        ["serve", ""],
        ["sim", ""],
        ["init", ""],
        ["predict", "x.db", ""],
        ["diff", "", "x"],
    ],
    ids=" ".join,
)
def test_an_empty_name_of_a_store_or_file_is_refused(
    arguments: list[str], folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(arguments, capsys)
    assert status == 2 and not out and "must not be empty" in err, err


@pytest.mark.parametrize("name", ["slow.yml", 'it\'s a "day" $HOME;.yml', "-slow.yml", "ü.yml"])
def test_the_printed_command_repeats_the_run(
    name: str, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text(SLOW)
    status, out, _ = run(["sim", "--seed", "6", "--", name], capsys)
    command = shlex.split(out.partition("repeat it with: ")[2].splitlines()[0])
    assert status == 1 and command[:2] == ["orlop", "sim"]
    again, said, _ = run(command[1:], capsys)
    assert again == 1 and said.splitlines()[1:4] == out.splitlines()[1:4]


@pytest.mark.parametrize("option", ["--report", "--trace"])
@pytest.mark.parametrize("path", ["none/file", ".", pytest.param("/dev/full", marks=needs_dev_full)])
def test_a_result_is_printed_although_a_file_cannot_be_written(
    option: str, path: str, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(["sim", "small.yml", option, path], capsys)
    assert status == 2 and "1 of 1 runs as expected" in out and f"cannot write {path}: " in err, err


def test_a_search_writes_no_report(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option, value in (("--report", "r.html"), ("--trace", "t.jsonl"), ("--jobs", "2"), ("--dask", "local")):
        status, _, err = run(["sim", "small.yml", "--find", "time > 1", option, value], capsys)
        assert status == 2 and f"{option} must be given without --find" in err
    status, _, err = run(["sim", "small.yml", "--out", "o.yml"], capsys)
    assert status == 2 and "--out must be given with --find" in err and not (folder / "o.yml").exists()


def test_refused_actions_are_named(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "small.yml").write_text(SMALL.replace("{deploy: production}", "{cancel: production}"))
    status, out, _ = run(["sim", "small.yml"], capsys)
    assert status == 0 and "1 actions refused\n  actions[0] at 0 s: " in out


@pytest.mark.parametrize("encoding", ["ascii", "ascii:surrogateescape"])
def test_a_name_that_cannot_be_shown_does_not_end_the_command(encoding: str, folder: pathlib.Path) -> None:
    (folder / "small.yml").write_text("name: é 😀\n" + SMALL, encoding="utf-8")
    found = orlop("sim", "small.yml", stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert (found.returncode, found.stderr) == (0, "") and found.stdout.startswith("\\xe9 \\U0001f600: 1 of 1")


@pytest.mark.parametrize("encoding", ["ascii", "ascii:surrogateescape", "cp1252", "utf-8", "utf-8:surrogateescape"])
def test_json_is_json_in_any_encoding_of_the_output(encoding: str, folder: pathlib.Path) -> None:
    with platform.Simulation("platform.db") as simulation:
        furnish(simulation).container(name="é 😀").deploy().wait()
        last = simulation.last_event
    for arguments in (
        "events platform.db",
        "predict platform.db production --runs 1",
        f"replay platform.db --until {last}",
        "diff events.jsonl no.jsonl",
    ):
        found = subprocess.run(
            [sys.executable, "-m", "orlop", *arguments.split(), "--json"],
            check=False,
            timeout=60,
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert (found.returncode, found.stderr) == (int(arguments.startswith("diff")), b""), arguments
        assert "é 😀" in json.dumps(
            [json.loads(line.decode()) for line in found.stdout.splitlines()], ensure_ascii=False
        ), arguments
        if arguments.startswith("events"):
            (folder / "events.jsonl").write_bytes(
                b"".join(line for line in found.stdout.splitlines() if b"container.created" in line)
            )
            (folder / "no.jsonl").touch()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_report_names_a_file_of_any_bytes(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"\xff.yml")
    (folder / name).write_text(SMALL)
    assert orlop("sim", name, "--report", "r.html", stdout=subprocess.DEVNULL).returncode == 0
    assert "\\udcff.yml" in (folder / "r.html").read_text()


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["sim small.yml", "sim slow.yml", "sim --schema", "openapi", "--help"])
def test_output_that_is_not_read_is_no_result(arguments: str, unbuffered: str, folder: pathlib.Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    found = orlop(*arguments.split(), stdout=writer, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    os.close(writer)
    assert (found.returncode, found.stderr) == (141, "")


def test_files_are_written_although_the_output_is_not_read(folder: pathlib.Path) -> None:
    with platform.Simulation(folder / "p.db", seed=1) as simulation:
        furnish(simulation)
    reader, writer = os.pipe()
    os.close(reader)
    for command, files in (
        ("sim small.yml --report r.html --trace t.jsonl", ["r.html", "t.jsonl"]),
        ("replay p.db --until 1 --out o.snapshot --report o.html", ["o.snapshot", "o.html"]),
    ):
        assert orlop(*command.split(), stdout=writer).returncode == 141
        assert all((folder / name).stat().st_size > 0 for name in files), command
    os.close(writer)


@needs_dev_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_is_an_error(unbuffered: str, folder: pathlib.Path) -> None:
    with open("/dev/full", "w") as full:
        found = orlop("sim", "small.yml", stdout=full, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    assert found.returncode == 2 and found.stderr.count("\n") == 1 and "No space left" in found.stderr, found.stderr


@needs_dev_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command",
    [
        "sim small.yml >/dev/full 2>&1",
        "sim none.yml 2>/dev/full",
        "sim small.yml --runs 0 2>&-",
        "sim 2>/dev/full --seed x",
        "check small.yml 2>&-",
    ],
)
def test_the_exit_status_is_that_of_an_error_also_where_it_cannot_be_said(
    command: str, unbuffered: str, folder: pathlib.Path
) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    found = subprocess.run(
        f"{shlex.quote(sys.executable)} -m orlop {command}",
        shell=True,
        check=False,
        timeout=60,
        stdout=subprocess.PIPE,
        env=environment,
    )
    assert (found.returncode, found.stdout) == (2, b"")


@pytest.mark.parametrize(
    "command",
    [
        "sim small.yml --runs 4 2>&-",
        "sim small.yml --runs 4 --jobs 2 2>&-",
        "sim small.yml --find 'time < 0' --runs 4 2>&-",
        "openapi >&-",
        "sim small.yml >&- 2>&-",
    ],
)
def test_a_command_runs_without_the_streams_that_are_closed(command: str, folder: pathlib.Path) -> None:
    assert (
        subprocess.run(
            f"{shlex.quote(sys.executable)} -m orlop {command}",
            shell=True,
            check=False,
            timeout=60,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).returncode
        == 0
    )


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no such file on this system")
def test_a_trace_is_written_to_a_pipe(folder: pathlib.Path) -> None:
    found = orlop("sim", "small.yml", "--trace", "/dev/stdout", stdout=subprocess.PIPE)
    assert (found.returncode, found.stderr) == (0, "") and '"kind": "service.deployed"' in found.stdout


def test_an_example_that_cannot_be_written_leaves_no_file(folder: pathlib.Path) -> None:
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); from orlop.commands.main "
        "import main; raise SystemExit(main(['init', 'new.yml']))"
    )
    found = subprocess.run([sys.executable, "-c", limited], text=True, check=False, timeout=60, stderr=subprocess.PIPE)
    assert (found.returncode, found.stderr) == (2, "orlop: [Errno 27] cannot write new.yml: File too large\n")
    assert not (folder / "new.yml").exists()


def test_an_interrupt_ends_it_without_a_traceback(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(parallel_runs, "run_part", interrupted)
    assert run(["sim", "small.yml"], capsys) == (130, "", "orlop: interrupted\n")


@pytest.mark.parametrize("module", ["argparse", "orlop.commands.main", "orlop.commands.sim"])
@pytest.mark.parametrize(
    "begun",
    [
        "runpy.run_module('orlop', run_name='__main__')",
        "sys.exit(importlib.metadata.entry_points(group='console_scripts')['orlop'].load()())",
    ],
)
def test_an_interrupt_of_the_imports_ends_it_without_a_traceback(module: str, begun: str) -> None:
    program = f"""
import importlib.metadata, runpy, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupts())
sys.argv = ["orlop", "--version"]
{begun}
"""
    found = subprocess.run([sys.executable, "-c", program], text=True, timeout=60, check=False, capture_output=True)
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "orlop: interrupted\n")


@contextlib.contextmanager
def long_runs(folder: pathlib.Path) -> Iterator[subprocess.Popen[str]]:
    """Starts the command and waits for its worker processes; their runs take longer than the test waits."""
    (folder / "long.yml").write_text(
        SMALL.replace("{deploy: production}", "{every: 1m, times: 1000000, deploy: production}")
    )
    # A command in the background of a script ignores SIGINT, and so would all its children.
    arguments = [
        "env",
        "--default-signal=INT",
        sys.executable,
        "-m",
        "orlop",
        "sim",
        "long.yml",
        "--runs",
        "4",
        "--jobs",
        "2",
    ]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as command:
        try:
            wait_until(
                lambda: len(children(command.pid)) > 2,
                "the processes of the runs and the one that counts their semaphores",
            )
            yield command
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(command.pid, signal.SIGKILL)


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="Linux only")
@pytest.mark.parametrize(
    ("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_the_processes_of_runs_end_with_the_command(number: int, expected: int, folder: pathlib.Path) -> None:
    """The workers hold the pipe of its output, which does not end before they do."""
    with long_runs(folder) as command:
        os.killpg(command.pid, number) if number == signal.SIGINT else command.send_signal(number)
        out, err = command.communicate(timeout=30)
    assert (
        command.returncode == expected
        and out == ""
        and (number == signal.SIGKILL or err == ("orlop: interrupted\n" if number == signal.SIGINT else ""))
    ), err


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="Linux only")
def test_signals_come_to_the_thread_that_handles_them(folder: pathlib.Path) -> None:
    """A signal to a thread of the pool would not wake the command."""
    wanted = {signal.SIGINT, signal.SIGTERM}

    def others(command: int) -> list[set[int]]:
        masks = [
            path.read_text().split("SigBlk:")[1].split()[0]
            for path in pathlib.Path(f"/proc/{command}/task").glob("*/status")
            if path.parent.name != str(command)
        ]
        return [{number for number in wanted if int(mask, 16) >> (number - 1) & 1} for mask in masks]

    with long_runs(folder) as command:
        wait_until(lambda: len(others(command.pid)) > 1, "the threads of the pool")
        assert others(command.pid) == [wanted] * len(others(command.pid))


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="Linux only")
def test_a_process_of_the_runs_that_is_told_to_end_ends_them_all(folder: pathlib.Path) -> None:
    with long_runs(folder) as command:
        runs = [
            child
            for child in children(command.pid)
            if "spawn_main" in pathlib.Path(f"/proc/{child}/cmdline").read_text()
        ]
        os.kill(int(runs[0]), signal.SIGTERM)
        out, err = command.communicate(timeout=30)
    assert (command.returncode, out) == (2, "") and "a process of the runs ended before its time" in err, err


def test_no_file_that_is_read_is_written(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    platform.Simulation("platform.db").close()
    (folder / "a.jsonl").write_text("")
    (folder / "link").symlink_to("small.yml")
    (folder / "hard").hardlink_to(folder / "small.yml")
    contents = {path: path.read_bytes() for path in folder.iterdir()}
    for arguments, said in (
        ("sim small.yml --trace small.yml", "--trace must be a file of its own, not small.yml, which is that of FILE"),
        ("sim small.yml --report link", "--report must be a file of its own, not link, which is that of FILE"),
        ("sim small.yml --report hard", "--report must be a file of its own, not hard, which is that of FILE"),
        (
            "sim small.yml --trace new --report ./new",
            "--report must be a file of its own, not new, which is that of --trace",
        ),
        (
            "sim small.yml --find time>1 --out small.yml",
            "--out must be a file of its own, not small.yml, which is that of FILE",
        ),
        (
            "diff a.jsonl a.jsonl --report a.jsonl",
            "--report must be a file of its own, not a.jsonl, which is that of B",
        ),
        (
            "predict platform.db production --report platform.db",
            "--report must be a file of its own, not platform.db, which is that of STORE",
        ),
        (
            "predict platform.db production --report platform.db-wal",
            "--report must be a file of its own, not platform.db-wal, which is that of STORE",
        ),
        (
            "replay sqlite:platform.db --until 1 --out platform.db",
            "--out must be a file of its own, not platform.db, which is that of STORE",
        ),
        (
            "replay platform.db --until 1 --rules small.yml --out small.yml",
            "--out must be a file of its own, not small.yml, which is that of --rules",
        ),
    ):
        assert run(arguments.split(), capsys) == (2, "", f"orlop: {said}\n")
    assert {path: path.read_bytes() for path in folder.iterdir()} == contents
    assert run(["sim", "small.yml", "--trace", os.devnull, "--report", os.devnull], capsys)[0] == 0


def test_a_search_says_before_it_begins_that_its_file_has_no_folder(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sim", "small.yml", "--find", "time > 1", "--out", "none/found.yml"], capsys) == (
        2,
        "",
        "orlop: --out must be a file in a folder that exists, not none/found.yml\n",
    )
    for folder_itself in (str(folder), "."):
        assert run(["sim", "small.yml", "--find", "time > 1", "--out", folder_itself], capsys) == (
            2,
            "",
            f"orlop: --out must be a file in a folder that exists, not {folder_itself}\n",
        )


def test_looking_makes_no_store_of_an_empty_file(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty.db").touch()
    for arguments in ("check empty.db", "events empty.db", "predict empty.db production", "replay empty.db --until 1"):
        assert run(arguments.split(), capsys) == (2, "", "orlop: there is no store at empty.db\n")
    assert (folder / "empty.db").read_bytes() == b""


def test_the_key_of_an_encrypted_store_is_given_to_each_command_and_encrypts_no_plain_one(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "key").write_bytes(b"k" * 32)
    commands = ("events", "check", "predict --runs 1", "replay --until 1", "token create --organization acme --name ci")
    for store, key in (("plain.db", None), ("sealed.db", b"k" * 32)):
        with platform.Simulation(store, secret_key=key) as simulation:
            furnish(simulation).container()
    for command in commands:
        words, positions = command.split(), ["production"] if command.startswith("predict") else []
        assert run([*words, "sealed.db", *positions, "--secret-key", "key"], capsys)[::2] == (0, ""), command
        assert run([*words, "sealed.db", *positions], capsys) == (
            2,
            "",
            "orlop: the store's secrets are sealed; open it with the key that it was sealed with\n",
        )
        assert run([*words, "plain.db", *positions, "--secret-key", "key"], capsys) == (
            2,
            "",
            "orlop: --secret-key must be left out: the secrets of plain.db are not encrypted\n",
        )
    assert run([*commands[-1].split(), "new.db", "--secret-key", "key"], capsys)[0] == 0
    assert run(["events", "plain.db"], capsys)[0] == 0
    assert run(["events", "new.db"], capsys)[0] == 2


def test_a_name_writes_no_line_of_its_own_and_controls_no_terminal(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name in a store from before control characters were refused in names."""
    name, safe = "we\x1b[31mb\nall is well", "web, and all is well"
    with platform.Simulation("platform.db") as simulation:
        environment = furnish(simulation).project.environments.create(
            name=safe, cluster_id=simulation.organizations.find("acme").clusters.find("europe").id
        )
        environment.databases.create(name=safe, type="POSTGRESQL", version="16", mode="CONTAINER")
        simulation.rules.add(step="deploy", fails=name)
        environment.deploy()
        under_way = simulation.last_event
        simulation.run_until_idle()
    with contextlib.closing(sqlite3.connect("platform.db")) as store, store:
        assert (
            store.execute(
                "UPDATE record SET body = replace(body, ?1, ?2) WHERE instr(body, ?1)",
                (json.dumps(safe), json.dumps(name)),
            ).rowcount
            == 3
        )  # the rule included
    for arguments in (
        ["predict", "platform.db", name, "--runs", "1"],
        ["replay", "platform.db", "--until", str(under_way)],
    ):
        status, out, err = run(arguments, capsys)
        assert (
            (status, err) == (0, "") and "we [31mb all is well" in out and "\x1b" not in out and "\nall" not in out
        ), out
    status, _, err = run(["predict", "platform.db", "none\n"], capsys)
    assert (status, err) == (
        2,
        "orlop: ENVIRONMENT must be one of shop/production, shop/we\\x1b[31mb\\nall is well, not none\\n\n",
    )


def test_check_reads_the_events_and_says_what_is_no_store(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(["check", "small.yml"], capsys)
    assert status == 2 and "is not a store of this library" in err
    with platform.Simulation("platform.db") as simulation:
        simulation.organizations.create(name="acme", plan="FREE")
    assert run(["check", "platform.db"], capsys)[0] == 0
    with contextlib.closing(sqlite3.connect("platform.db")) as store, store:
        store.execute("UPDATE event SET detail = x'ff'")
    status, _, err = run(["check", "platform.db"], capsys)
    assert status == 1 and "damaged" in err, err


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: pathlib.Path) -> None:
    file, link = tmp_path / "report.html", tmp_path / "link.html"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    with pytest.raises(OSError, match=f"cannot write {link}: No space left on device"), writing(link) as beside:
        beside.write_text("half of the n")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert file.read_text() == "old" and sorted(tmp_path.iterdir()) == [link, file]
    with writing(link) as beside:
        beside.write_text("new")
    assert file.read_text() == "new" and link.is_symlink() and file.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [link, file]
    with writing(pathlib.Path(os.devnull)) as beside:
        assert beside == pathlib.Path(os.devnull)


def test_a_token_has_the_brand_of_the_command_and_is_known_by_its_digest(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {}
    for brand, options in (("platform", []), ("acme", ["--brand", "acme"])):
        status, out, _ = run(
            ["token", "create", "tokens.db", "--organization", "acme", "--name", brand, *options], capsys
        )
        assert status == 0 and out.startswith(f"{brand}_")
        made[brand] = out.strip()
    for brand in ("platform", "acme", "harbour"):
        with (
            platform.Engine("tokens.db", brand=brand, authentication="required") as engine,
            engine.serve(port=0) as url,
        ):
            for token in made.values():
                for scheme in ("Token", "Bearer"):
                    assert _status(url, f"{scheme} {token}") == 200
            assert _status(url, f"Token {made['acme'].replace('acme', 'harbour')}") == 401
            assert _status(url, f"Token {made['acme'][:-1]}") == 401
    status, out, err = run(
        ["token", "create", "tokens.db", "--organization", "acme", "--name", "x", "--brand", "Acme"], capsys
    )
    assert (status, out) == (2, "") and "brand" in err


def test_the_description_has_the_brand_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, plain, _ = run(["openapi"], capsys)
    assert status == 0 and "is_platform_domain" in plain
    status, branded, _ = run(["openapi", "--brand", "acme"], capsys)
    assert status == 0 and "is_acme_domain" in branded and "is_platform_domain" not in branded
    assert json.loads(branded)["openapi"] == "3.0.3"


def _status(url: str, authorization: str) -> int:
    return httpx.get(f"{url}/organization", headers={"Authorization": authorization}, timeout=30).status_code
