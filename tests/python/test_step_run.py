"""Commands of steps: `Step.run` with real processes."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import sys
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest

import orlop
from step_commands import Bench, Group, Work, is_alive

SECRET = 'hunter&22 "quoted" é/+'


@pytest.fixture
def bench(tmp_path: pathlib.Path) -> Bench:
    return Bench(tmp_path)


# The log and the result


def test_lines_arrive_while_the_command_runs(bench: Bench, tmp_path: pathlib.Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    work = Work(lambda: bench.step().run("sh", "-c", 'echo one; echo two >&2; read line < "$0"; echo "$line"', gate))
    bench.reports.wait_for("one")
    bench.reports.wait_for("two")
    assert sorted(bench.reports.lines) == ["one", "two"]
    gate.write_text("three\n")
    result = work.result()
    assert (result.code, result.stdout, result.lines[-1]) == (0, "one\nthree\n", "three")
    assert bench.reports.lines[-1] == "three" and bench.locks == []


def test_lines_keep_their_order(bench: Bench) -> None:
    result = bench.step().run("seq", "1000")
    assert bench.reports.lines == [str(number) for number in range(1, 1001)]
    assert result.lines == tuple(bench.reports.lines[-20:])


def test_lines_are_as_a_terminal_shows_them(bench: Bench) -> None:
    out = (
        rb"\033[1;32mgreen\033[0m\n\033]0;title\007text\n1%%\r2%%\r100%%\r\nline\r\n\377\303\251\tend\n\n\033(Bplain\b"
    )
    bench.step().run("printf", out.decode())
    assert bench.reports.lines == ["green", "text", "100%", "line", "\N{REPLACEMENT CHARACTER}é\tend", "", "plain"]


def test_a_character_that_arrives_in_two_pieces(bench: Bench, tmp_path: pathlib.Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    program = "import os, sys; os.write(1, b'begin\\n\\xc3'); open(sys.argv[1]).read(); os.write(1, b'\\xa9')"
    work = Work(lambda: bench.step().run(sys.executable, "-c", program, gate))
    bench.reports.wait_for("begin")
    gate.write_text("")
    assert work.result().stdout == "begin\né" and bench.reports.lines == ["begin", "é"]


def test_a_progress_bar_does_not_flood_the_log(bench: Bench) -> None:
    program = "for at in range(100_000): print(at, end='\\r')\nprint('done')"
    assert bench.step().run(sys.executable, "-c", program).code == 0
    assert bench.reports.lines == ["done"]


def test_a_long_line_is_cut(bench: Bench) -> None:
    result = bench.step().run(sys.executable, "-c", "print('x' * 70_000); print('next')")
    assert bench.reports.lines == ["x" * 16_000 + "… [54000 more characters]", "next"]
    assert result.stdout == "x" * 70_000 + "\nnext\n"


def test_much_output_needs_little_memory(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    import tracemalloc

    counted = 0

    def count(step: str, kind: str, text: str) -> None:
        nonlocal counted
        counted += 1

    monkeypatch.setattr(bench.reports, "report", count)
    program = "for at in range(100_000): print(at, 'x' * 100)"
    tracemalloc.start()
    try:
        result = bench.step().run(sys.executable, "-c", program)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert counted == 100_000 and result.lines[-1] == "99999 " + "x" * 100
    assert result.stdout.startswith("0 xxx") and result.stdout.endswith(" more characters]")
    assert len(result.stdout) < 1_100_000 and peak < 16_000_000  # the output has 10.6 million bytes


def test_standard_input_folder_and_environment(
    bench: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST_TOKEN", "a token of the host")
    monkeypatch.setenv("KUBECONFIG", "/etc/kubeconfig")
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    step = bench.step()
    assert step.run("cat", stdin="in").stdout == "in" and step.run("cat", stdin=b"\xc3\xa9").stdout == "é"
    assert step.run("cat").stdout == ""
    assert step.run("pwd", cwd=tmp_path).stdout == f"{tmp_path.resolve()}\n"
    out = step.run("env", env={"A": "1"}, env_passed=["KUBECONFIG", "NOT_SET"], secrets={"B": "2"}).stdout
    found = dict(line.split("=", 1) for line in out.splitlines())
    assert found["PATH"] == os.environ["PATH"] and found["https_proxy"] == "http://proxy.example:3128"
    assert (found["A"], found["B"], found["KUBECONFIG"]) == ("1", "2", "/etc/kubeconfig")
    assert "HOST_TOKEN" not in found and "NOT_SET" not in found


# Secrets


def encodings() -> Iterator[str]:
    secret = SECRET.encode()
    yield SECRET
    yield urllib.parse.quote(SECRET)
    yield urllib.parse.quote(SECRET, safe="").lower()
    yield urllib.parse.quote_plus(SECRET)
    yield json.dumps(SECRET)
    yield json.dumps(SECRET, ensure_ascii=False).replace("&", "\\u0026").replace("/", "\\/")
    for before in (b"", b"u", b"u:", b"us:"):
        for after in (b"", b"\n", b"\n\n"):
            yield base64.b64encode(before + secret + after).decode()
            yield base64.urlsafe_b64encode(before + secret + after).decode()


@pytest.mark.parametrize("text", sorted(set(encodings())))
def test_secrets_are_masked_in_each_encoding(bench: Bench, text: str) -> None:
    with pytest.raises(orlop.DriverFailed) as failed:
        bench.step().run(
            "sh", "-c", 'cat; printf %s "$S" | cut -c1-7; exit 1', stdin=f"<{text}>\n", secrets={"S": SECRET}
        )
    result = bench.step().run("cat", stdin=f"<{text}>", secrets={"S": SECRET})
    for said in (str(failed.value), result.stdout, result.lines[0], bench.reports.lines[0]):
        assert "***" in said and len(said.split("***")[0]) < 40
        assert not any(part in said for part in (text, text[4:-4], "quoted"))


def test_secrets_at_the_bound_of_a_line_and_of_the_text(bench: Bench) -> None:
    program = "import os; s = os.environ['S']; print('x' * 15_995 + s * 20); print('y' * (2 ** 20 - 15_999) + s * 20)"
    result = bench.step().run(sys.executable, "-c", program, secrets={"S": "hunter22"})
    assert len(bench.reports.lines) == 2
    assert not any("hunt" in text or "ter22" in text for text in (*bench.reports.lines, result.stdout))
    assert bench.reports.lines[0].startswith("x" * 15_995 + "***… [")


def test_secrets_at_the_bound_of_a_line_of_control_sequences(bench: Bench) -> None:
    program = "import os\nfor at in range(40): print('\\x1b[0m' * 4000 + 'x' * at + os.environ['S'] + 'y' * 100)"
    bench.step().run(sys.executable, "-c", program, secrets={"S": "hunter22"})
    assert len(bench.reports.lines) == 40 and not any("hu" in line for line in bench.reports.lines)


def test_secrets_with_controls_and_lines(bench: Bench) -> None:
    step = bench.step()
    key = "-----BEGIN KEY-----\nc2VjcmV0MQ\nc2VjcmV0Mg\n"
    assert step.run("printf", r"hun\033[0mter22\nshort", secrets={"S": "hunter22", "T": "short"}).stdout == "***\nshort"
    assert step.run("sh", "-c", 'echo "$KEY" | tail -2; echo; echo "$KEY"', secrets={"KEY": key}).lines == ("***",) * 4


def test_secret_files(bench: Bench) -> None:
    program = 'cat "$0"; cat "$FILE"; ls -l "$0" | cut -c1; case "$0" in /dev/fd/*) echo path;; esac'
    step = bench.step()
    contents = 'user: admin\npassword: "hunter22"\n'
    result = step.run("sh", "-c", program, "{values}", env={"FILE": "{values}"}, secret_files={"values": contents})
    assert result.stdout == "***l\npath\n"
    assert step.run("cat", "{a}", "{b}", secret_files={"a": b"\xff1", "b": "2"}).stdout == "\N{REPLACEMENT CHARACTER}12"
    masked = step.run("sh", "-c", "echo hunter22; cat $0 >&2", "{values}", secret_files={"values": contents})
    assert masked.stdout == "***\n"
    with pytest.raises(orlop.Misuse, match=r"secret_files\['values'\] is not used: no argument .* has \{values\}"):
        step.run("true", "{value}", secret_files={"values": contents})


# Arguments


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((), {}, "run needs the name of a command"),
        (("",), {}, "the name of the command must be text that is not empty"),
        (("helm", None), {}, "argument 1 of the command must be text.*not None"),
        (("helm", "list", ""), {}, "argument 2 of the command must be text that is not empty"),
        (("helm", "a\0b"), {}, "argument 1 of the command must be text without the character NUL"),
        (("helm", "\ud800"), {}, "argument 1 of the command must be text that UTF-8 can hold"),
        (("helm", 3), {}, "argument 1 of the command must be text.*not 3"),
        (("helm", ["list"]), {}, "argument 1 of the command must be text.*type list"),
        (("helm", "--password=hunter22"), {"secrets": {"S": "hunter22"}}, "argument 1 .*must not hold a secret"),
        (("helm", base64.b64encode(b"u:hunter22").decode()), {"secrets": {"S": "hunter22"}}, "must not hold a secret"),
        (("helm", "hunter22"), {"secret_files": {"f": "hunter22"}}, "must not hold a secret"),
        (("helm",), {"env": {"A=B": ""}}, "a name in env must be"),
        (("helm",), {"secrets": {"": ""}}, "a name in secrets must be"),
        (("helm",), {"env": {"A": None}}, r"env\['A'\] must be text.*NoneType"),
        (("helm",), {"secrets": {"A": "hunter\0"}}, r"secrets\['A'\] must be text.*NUL"),
        (("helm",), {"secrets": ["a"]}, "secrets must be a dict"),
        (("helm",), {"secret_files": "a"}, "secret_files must be a dict"),
        (("helm",), {"cwd": 3}, "cwd must be"),
        (("helm",), {"cwd": "/nonexistent"}, "cwd must be a folder, not '/nonexistent'"),
        (("helm",), {"stdin": 3}, "stdin must be text or bytes"),
        (("helm",), {"timeout": 0}, "timeout must be"),
        (("helm",), {"timeout": "soon"}, "timeout must be a duration"),
        (("helm",), {"grace": -1}, "grace must be"),
        (("helm",), {"env_passed": "PATH"}, "env_passed must be"),
    ],
)
def test_wrong_arguments(bench: Bench, arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(orlop.Misuse, match=message) as refused:
        bench.step().run(*arguments, **options)
    assert "hunter" not in str(refused.value)


# Failures


def test_the_reason_of_a_failure(bench: Bench) -> None:
    step = bench.step()
    with pytest.raises(orlop.DriverFailed) as failed:
        step.run("sh", "-c", 'echo "out $S"; echo "Error: no such chart" >&2; exit 3', secrets={"S": "hunter22"})
    name, _, lines = str(failed.value).partition(": ")
    assert name == "sh ended with exit code 3" and set(lines.splitlines()) == {"out ***", "Error: no such chart"}
    result = step.run("sh", "-c", "echo text; exit 3", check=False)
    assert (result.code, result.stdout) == (3, "text\n")
    with pytest.raises(orlop.DriverFailed, match="^sh ended with the signal SIGKILL$"):
        step.run("/bin/sh", "-c", "kill -9 $$")
    assert step.run("sh", "-c", "kill -15 $$", check=False).code == -signal.SIGTERM
    with pytest.raises(orlop.DriverFailed) as failed:
        step.run(sys.executable, "-c", "for at in range(100): print(at, 'x' * 1000)\nexit(1)")
    assert len(str(failed.value)) < 4100 and str(failed.value).endswith("\n99 " + "x" * 1000)
    assert bench.locks == []


def test_a_command_that_is_not_there(bench: Bench, tmp_path: pathlib.Path) -> None:
    for check in (True, False):
        with pytest.raises(
            orlop.DriverFailed, match="^the command 'helmm' is not there: no such file in the folders of"
        ):
            bench.step().run("helmm", "list", check=check)
    with pytest.raises(orlop.DriverFailed, match="is not there: no such file$"):
        bench.step().run(tmp_path / "helm")
    (tmp_path / "helm").write_text("text")
    with pytest.raises(orlop.DriverFailed, match="helm' cannot be run: Permission denied$"):
        bench.step().run(tmp_path / "helm")


def test_the_timeout_ends_the_whole_group(bench: Bench, tmp_path: pathlib.Path) -> None:
    group = Group(tmp_path)
    with pytest.raises(orlop.DriverFailed, match=r"^sh took longer than 2 s and was ended$"):
        bench.step().run(*group.command, timeout="2s", check=False)
    group.wait_ended()


def test_a_group_that_ignores_the_signal_is_killed(bench: Bench, tmp_path: pathlib.Path) -> None:
    group, step = Group(tmp_path, is_stubborn=True), bench.step()
    work = Work(lambda: step.run(*group.command, grace=0.2))
    group.wait_begun()
    step._cancel()
    assert isinstance(work.result(), orlop.StepCanceled)
    assert not group.has_living


def test_a_child_that_outlives_the_command_is_ended(bench: Bench, tmp_path: pathlib.Path) -> None:
    """One holds the output, another does not."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    program = 'read line < "$0" & echo $!; read line < "$0" > /dev/null 2>&1 & echo $!'
    children = list(map(int, bench.step().run("sh", "-c", program, gate).stdout.split()))
    assert len(children) == 2 and not any(map(is_alive, children))


# Cancels


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_cancel_and_a_loss_end_the_whole_group(bench: Bench, tmp_path: pathlib.Path, is_lost: bool) -> None:
    group, step = Group(tmp_path), bench.step()
    work = Work(lambda: step.run(*group.command))
    group.wait_begun()
    step._lose() if is_lost else step._cancel()
    assert type(work.result()) is (orlop.StepLost if is_lost else orlop.StepCanceled)
    assert not group.has_living and bench.locks == []
    with pytest.raises(orlop.StepLost if is_lost else orlop.StepCanceled):
        step.run("touch", tmp_path / "late")
    assert not (tmp_path / "late").exists()


def test_the_last_lines_after_a_cancel_are_logged(bench: Bench, tmp_path: pathlib.Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    step = bench.step()
    work = Work(
        lambda: step.run("sh", "-c", "trap 'echo rolled back; exit 1' TERM; echo begun; read line < $0 & wait", gate)
    )
    bench.reports.wait_for("begun")
    step._cancel()
    assert isinstance(work.result(), orlop.StepCanceled)
    assert bench.reports.lines == ["begun", "rolled back"]


def test_async_commands(bench: Bench, tmp_path: pathlib.Path) -> None:
    group = Group(tmp_path)

    async def main() -> None:
        step = bench.step()
        result = await step.run("echo", "text")
        assert (result.code, result.stdout) == (0, "text\n")
        pending = step.run("true")
        with pytest.raises(orlop.Misuse, match="code is there after the command: write `await"):
            _ = pending.code
        await pending
        with pytest.raises(orlop.DriverFailed, match="exit code 1"):
            await step.run("false")
        assert (await asyncio.to_thread(step.run, "echo", "text")).stdout == "text\n"
        results = await asyncio.gather(*(bench.step(str(at)).run("echo", str(at)) for at in range(5)))
        assert [result.stdout for result in results] == [f"{at}\n" for at in range(5)]
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(step.run(*group.command), 2)
        assert len(group.begun) == 2 and not group.has_living
        assert bench.locks == []

    asyncio.run(main())


def test_two_commands_of_one_step_at_once(bench: Bench, tmp_path: pathlib.Path) -> None:
    """Each waits for the other one."""
    there, back = tmp_path / "there", tmp_path / "back"
    os.mkfifo(there)
    os.mkfifo(back)

    async def main() -> None:
        step = bench.step()
        first = step.run("sh", "-c", 'echo one > "$0"; cat "$1"', there, back)
        second = step.run("sh", "-c", 'cat "$0"; echo two > "$1"', there, back)
        results = await asyncio.gather(first, second)
        assert [result.stdout for result in results] == ["two\n", "one\n"]

    asyncio.run(main())
    assert bench.locks == []


# The lock


def test_a_wait_for_the_lock_can_be_canceled(bench: Bench, tmp_path: pathlib.Path) -> None:
    group, first, second = Group(tmp_path), bench.step(), bench.step()
    works = [Work(lambda: first.run(*group.command))]
    group.wait_begun()
    works.append(Work(lambda: second.run("touch", tmp_path / "second")))
    bench.reports.wait_for("touch waits for the end of the command that an earlier run of this step started")
    second._cancel()
    assert isinstance(works[1].result(), orlop.StepCanceled) and not (tmp_path / "second").exists()
    assert len(bench.locks) == 1
    third = bench.step()
    works.append(Work(lambda: third.run("echo", "third")))
    first._cancel()
    assert isinstance(works[0].result(), orlop.StepCanceled) and works[2].result().stdout == "third\n"
    assert bench.locks == []


def test_a_lock_file_that_another_run_has_removed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does so between the opening of the file and the lock."""
    flock = fcntl.flock
    removed: list[str] = []

    def late_flock(descriptor: int, operation: int) -> None:
        if not removed:
            removed.extend(bench.locks)
            (bench.folder / removed[0]).unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late_flock)
    assert bench.step().run("ls", bench.folder).lines == tuple(removed) != ()


def open_files() -> Iterator[str]:
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):
            yield os.readlink(f"/proc/self/fd/{name}")


def test_a_forked_process_does_not_hold_the_lock(bench: Bench, tmp_path: pathlib.Path) -> None:
    group, step = Group(tmp_path), bench.step()
    work = Work(lambda: step.run(*group.command))
    group.wait_begun()
    (lock,) = (str(bench.folder / name) for name in bench.locks)
    assert lock in open_files()
    child = os.fork()
    if child == 0:
        os._exit(lock in open_files())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    step._cancel()
    work.result()


def test_the_folder_of_the_locks(bench: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.step().run("true")
    assert bench.folder.stat().st_mode & 0o777 == 0o700
    bench.folder.chmod(0o777)
    with pytest.raises(orlop.DriverFailed, match="run_folder must be writable by its owner alone"):
        bench.step().run("true")
    bench.folder.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(orlop.DriverFailed, match="run_folder must belong to the user of this process"):
        bench.step().run("true")
    monkeypatch.undo()
    bench.folder = tmp_path / "file"
    bench.folder.write_text("")
    with pytest.raises(orlop.DriverFailed, match="run_folder must be a folder that can be written"):
        bench.step().run("true")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    step = bench.step()
    step._run_folder = None
    step.run("true")
    assert (tmp_path / "state" / "orlop" / "run").is_dir()


def test_nothing_is_left_open(bench: Bench) -> None:
    def run_all() -> int:
        step = bench.step()
        step.run("cat", "{a}", stdin="in", secret_files={"a": "1"})
        for command in (("false",), ("nonexistent",)):
            with pytest.raises(orlop.DriverFailed):
                step.run(*command)
        return len(os.listdir("/proc/self/fd"))

    first = run_all()
    assert run_all() <= first and threading.active_count() < 20
