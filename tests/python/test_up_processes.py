"""Several processes that run `orlop up` on one file, killed processes, and large files."""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import pty
import signal
import struct
import subprocess
import sys
import termios
from typing import Any

import pytest
import up_driver
from platform_folder import DRIVER, SMALL
from test_processes import postgresql  # noqa: F401 - a fixture

import orlop

pytest.importorskip("yaml")


class Folder:
    """Runs commands as processes in a folder of its own."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path / "shop"
        self.path.mkdir()
        self.notes = path / "notes"
        tests = str(pathlib.Path(__file__).parent)
        self.environment = {**os.environ, up_driver.NOTES: str(self.notes), "PYTHONPATH": tests}

    def write(self, text: str, name: str = "orlop.yaml") -> None:
        (self.path / name).write_text(text)

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "orlop", *arguments]
        return subprocess.Popen(
            command, cwd=self.path, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def up(self, *arguments: str) -> tuple[int, str, str]:
        process = self.begin("up", "--yes", *DRIVER, *arguments)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def statuses(self, *store: str) -> list[dict[str, Any]]:
        out, _ = self.begin("status", "--json", "--driver", "none", *store).communicate(timeout=60)
        found: list[dict[str, Any]] = json.loads(out)["services"]
        return found


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> Folder:
    return Folder(tmp_path)


def test_an_up_that_is_killed_in_a_step_is_finished_by_the_next(folder: Folder) -> None:
    folder.write(SMALL + "  fatal: {image_name: acme/api, tag: 1}\n")
    status, _, err = folder.up()
    assert status == -signal.SIGKILL, err
    status, out, err = folder.up()
    assert (status, out.splitlines()[0]) == (0, "nothing to change"), err
    assert {each["name"]: each["state"] for each in folder.statuses()} == {"web": "DEPLOYED", "fatal": "DEPLOYED"}
    assert up_driver.notes(folder.notes).count("deploy fatal") == 2


@pytest.mark.parametrize("line", ["plan for", "1 to create", "+ container web"])
def test_an_up_that_is_killed_at_its_plan_has_stored_all_or_nothing(folder: Folder, line: str) -> None:
    folder.write(SMALL)
    process = folder.begin("up", "--yes", *DRIVER)
    assert process.stdout is not None
    for written in process.stdout:
        if line in written:
            break
    process.kill()
    process.communicate()
    with orlop.Engine(str(folder.path / ".orlop" / "platform.db"), role="serve") as engine:
        organizations = engine.organizations.list()
        services = [
            service.name
            for organization in organizations
            for project in organization.projects
            for environment in project.environments
            for service in environment.services()
        ]
    assert services == (["web"] if organizations else [])
    assert folder.up()[0] == 0
    assert [each["state"] for each in folder.statuses()] == ["DEPLOYED"]


class Terminal:
    """A command whose input and output are a terminal."""

    def __init__(self, folder: Folder, *arguments: str) -> None:
        self._end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        environment = {**folder.environment, "COLUMNS": "100", "LINES": "40"}
        command = [sys.executable, "-m", "orlop", *arguments]
        self.process = subprocess.Popen(
            command, cwd=folder.path, env=environment, stdin=other, stdout=other, stderr=other, start_new_session=True
        )
        os.close(other)
        self.text = ""

    def until(self, text: str) -> None:
        """Reads until the text, or until the end of the command."""
        while text not in self.text:
            try:
                part = os.read(self._end, 65536).decode()
            except OSError:  # the command has ended
                return
            self.text += part

    def write(self, text: str) -> None:
        os.write(self._end, text.encode())

    def end(self) -> int:
        self.until("\0")
        return self.process.wait(timeout=60)


def test_a_terminal_is_asked_and_shows_one_line_for_each_service(folder: Folder) -> None:
    folder.write(SMALL + "  api: {image_name: acme/api, tag: 1}\n")
    terminal = Terminal(folder, "up", *DRIVER)
    terminal.until("apply this plan? [y/N] ")
    terminal.write("y\n")
    assert terminal.end() == 0, terminal.text
    drawn = terminal.text.split("[y/N]")[1]
    last = drawn.rpartition("\x1b[2A")[2].replace("\r", "").replace("\x1b[2K", "").splitlines()
    assert sorted(line.split()[:2] for line in last[:2]) == [["api", "DEPLOYED"], ["web", "DEPLOYED"]]
    assert last[2:] == ["web  http://127.0.0.1:41080"]


def test_a_plan_that_is_outdated_when_it_is_confirmed_is_not_applied(folder: Folder) -> None:
    folder.write(SMALL)
    terminal = Terminal(folder, "up", *DRIVER)
    terminal.until("[y/N] ")
    folder.write(SMALL.replace("1.27", "1.28"), "other.yaml")
    assert folder.up("other.yaml", "--store", ".orlop/platform.db")[0] == 0
    folder.write("environment: local\n" + SMALL.replace("1.27", "1.28"))
    assert folder.up()[0] == 0
    terminal.write("y\n")
    assert terminal.end() == 2
    assert "the platform was changed since this plan was made; nothing was stored" in terminal.text
    assert [each["version"] for each in folder.statuses()] == ["1.28"]


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04"])
def test_any_answer_but_yes_stores_nothing(folder: Folder, answer: str) -> None:
    folder.write(SMALL)
    terminal = Terminal(folder, "up", *DRIVER)
    terminal.until("[y/N] ")
    terminal.write(answer)
    assert terminal.end() == 1
    status = folder.begin("status", "--driver", "none")
    assert status.wait() == 2
    assert status.stderr is not None
    assert "there is no environment local/shop/local yet" in status.stderr.read()


def test_a_deployment_that_is_interrupted_continues_with_the_next_up(folder: Folder) -> None:
    folder.write(SMALL + "  slow: {image_name: acme/api, tag: 1}\n")
    process = folder.begin("up", "--yes", *DRIVER)
    assert process.stdout is not None
    for line in process.stdout:
        if line == "slow: DEPLOYING\n":
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "orlop: interrupted; the deployment continues with the next orlop up\n"
    assert folder.up()[0] == 0
    assert {each["state"] for each in folder.statuses()} == {"DEPLOYED"}


@pytest.fixture(params=["file", "postgresql"])
def store(request: pytest.FixtureRequest, folder: Folder) -> list[str]:
    """Returns the option that names the store."""
    if request.param == "file":
        return []
    return ["--store", request.getfixturevalue("postgresql") + "?schema=up"]


def test_three_at_once_with_one_file_deploy_once(folder: Folder, store: list[str]) -> None:
    names = [f"web-{number}" for number in range(8)]
    folder.write("containers:\n" + "".join(f"  {name}: {{image_name: acme/web, tag: 1}}\n" for name in names))
    processes = [folder.begin("up", "--yes", *DRIVER, *store) for _ in range(3)]
    ended = [(process.communicate(timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ended] == [0, 0, 0], ended
    assert [each["state"] for each in folder.statuses(*store)] == ["DEPLOYED"] * 8
    assert folder.up(*store)[1].splitlines()[0] == "nothing to change"
    assert sorted(up_driver.notes(folder.notes)) == [f"deploy {name}" for name in names]


def test_two_at_once_with_two_files_leave_what_one_of_them_says(folder: Folder) -> None:
    environment = "organization: acme\nproject: shop\nenvironment: local\n"
    folder.write(environment + SMALL, "first.yaml")
    folder.write(environment + SMALL.replace("1.27", "1.28").replace("  web:", "  site:"), "second.yaml")
    store = ("--store", str(folder.path / "both.db"))
    processes = [folder.begin("up", name, "--yes", *DRIVER, *store) for name in ("first.yaml", "second.yaml")]
    ended = [(process.communicate(timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ended] == [0, 0], ended
    out, _ = folder.begin("status", "first.yaml", "--json", "--driver", "none", *store).communicate(timeout=60)
    services = {(each["name"], each["version"]) for each in json.loads(out)["services"]}
    assert services in ({("web", "1.27")}, {("site", "1.28")})


def test_files_of_three_hundred_services(folder: Folder) -> None:
    names = [f"web-{number}" for number in range(300)]
    entry = "  {}: {{image_name: acme/web, tag: {}, variables: {{PORT: 80, KEY: {{value: hush, is_secret: true}}}}}}\n"
    folder.write("containers:\n" + "".join(entry.format(name, 1) for name in names))
    status, out, err = folder.up()
    assert status == 0, err
    assert "305 to create" in out
    assert sorted(up_driver.notes(folder.notes)) == sorted(f"deploy {name}" for name in names)
    folder.write("containers:\n" + "".join(entry.format(name, 2 if name == "web-7" else 1) for name in names[:-1]))
    status, out, err = folder.up()
    assert status == 0, err
    assert "1 to change, 1 to delete" in out
    assert sorted(up_driver.notes(folder.notes)) == ["delete web-299", "deploy web-7"]
