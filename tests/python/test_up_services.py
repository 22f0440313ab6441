"""The commands on the services of a platform file, with a driver that deploys nothing."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from platform_folder import DRIVER, SMALL, Folder

pytest.importorskip("yaml")

TWO = SMALL + "databases: {orders: {type: POSTGRESQL, version: 16}}\n"


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Folder:
    made = Folder(tmp_path, monkeypatch, capsys)
    made.write(TWO)
    assert made.up()[0] == 0
    made.done()
    return made


def test_status_lists_the_services(folder: Folder) -> None:
    status, out, _ = folder.run("status", "--driver", "none")
    assert status == 0
    assert [line.split() for line in out.splitlines()] == [
        ["service", "kind", "version", "state", "runs", "addresses"],
        ["web", "container", "1.27", "DEPLOYED", "http://127.0.0.1:41080"],
        ["orders", "database", "16", "DEPLOYED"],
    ]


def test_status_is_1_if_a_service_has_failed(folder: Folder) -> None:
    folder.write(TWO.replace("  web:", "  broken: {image_name: acme/api, tag: 1}\n  web:"))
    assert folder.up()[0] == 1
    assert folder.run("status", "--driver", "none")[0] == 1


def test_the_services_are_stopped_and_started(folder: Folder) -> None:
    status, out, _ = folder.run("stop", "WEB", *DRIVER)
    assert (status, out) == (0, "web: STOPPING\nweb: STOPPED\n")
    assert folder.done() == ["stop web"]
    assert folder.run("stop", *DRIVER)[0] == 0
    assert folder.done() == ["stop orders"]
    assert folder.run("stop", *DRIVER)[1] == "no service runs\n"
    assert folder.run("deploy", "orders", *DRIVER)[0] == 0
    assert folder.done() == ["deploy orders"]
    assert folder.run("deploy", *DRIVER)[0] == 0
    assert folder.done() == ["deploy web"]
    assert folder.run("deploy", *DRIVER)[1] == "every service runs what is wanted\n"
    assert folder.done() == []


def test_a_service_is_rolled_back_and_up_deploys_the_file_again(folder: Folder) -> None:
    folder.write(TWO.replace("1.27", "1.28"))
    folder.up()
    assert folder.run("rollback", "web", *DRIVER)[0] == 0
    assert folder.run("status", "--driver", "none")[1].splitlines()[1].split()[2:5] == ["1.27", "DEPLOYED", "(out"]
    assert folder.run("rollback", "web", "2", *DRIVER)[0] == 0
    assert folder.run("status", "--driver", "none")[1].splitlines()[1].split()[2:4] == ["1.28", "DEPLOYED"]
    status, _, err = folder.run("rollback", "web", "9", *DRIVER)
    assert (status, err.startswith("orlop: there is no release 9 of")) == (2, True)


def test_all_services_are_rolled_back_to_the_deployment_before(folder: Folder) -> None:
    assert folder.run("rollback", *DRIVER)[0] == 2
    folder.write(TWO.replace("1.27", "1.28"))
    folder.up()
    folder.done()
    assert folder.run("rollback", *DRIVER)[0] == 0
    assert folder.done() == ["deploy web"]
    assert folder.run("plan")[0] == 0
    assert folder.up()[0] == 0
    assert folder.done() == ["deploy web"]
    assert folder.run("status", "--driver", "none")[1].splitlines()[1].split()[2] == "1.28"


def test_the_functions_of_the_driver_are_called(folder: Folder) -> None:
    assert folder.run("logs", "web", "--tail", "2", *DRIVER) == (0, "line 2\nline 3\n", "")
    assert folder.run("exec", "web", *DRIVER, "--", "ls", "-l", "") == (3, "ls -l \n", "")
    assert json.loads(folder.run("exec", "web", "--json", *DRIVER, "--", "true")[1]) == {
        "exit_code": 0,
        "output": "true\n",
    }
    assert folder.run("open", "web") == (0, "http://127.0.0.1:41080\n", "")
    assert (
        folder.run("logs", "web", "-f", *DRIVER)[2] == "orlop: --driver up_driver:Noting has no function follow_logs\n"
    )
    assert folder.run("logs", "web", "--driver", "none")[2] == "orlop: --driver none has no function logs\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("logs", "wob"), "there is no service 'wob' in local/shop/local; the nearest known one is web"),
        (("logs", "nginx"), "there is no service 'nginx' in local/shop/local; there are web, orders"),
        (("open", "orders"), "orders has no address: it has no port, or is not deployed"),
        (("logs", "web", "--tail", "-1"), "--tail must be 0 or more lines, not -1"),
        (("status", "none.yaml", "--driver", "none"), "there is no file none.yaml"),
        (("status", "--driver", "none", "--store", "none.db"), "there is no store at none.db yet: orlop up creates it"),
    ],
)
def test_a_wrong_argument_is_named(folder: Folder, arguments: tuple[str, ...], message: str) -> None:
    driver = DRIVER if arguments[0] == "logs" else ()
    assert folder.run(*arguments, *driver) == (2, "", f"orlop: {message}\n")


def test_down_removes_and_up_deploys_again(folder: Folder) -> None:
    assert folder.run("down", "--yes", *DRIVER)[0] == 0
    assert sorted(folder.done()) == ["delete orders", "delete web"]
    assert folder.run("status", "--driver", "none")[1].splitlines()[1].split() == ["web", "container", "1.27", "READY"]
    assert folder.up()[0] == 0
    assert sorted(folder.done()) == ["deploy orders", "deploy web"]
    assert folder.run("down", "--volumes", "--yes", *DRIVER)[0] == 0
    assert folder.run("status", "--driver", "none") == (
        2,
        "",
        "orlop: there is no environment local/shop/local yet: orlop up creates it\n",
    )
    assert folder.run("down", "--yes", *DRIVER) == (0, "there is no environment local/shop/local\n", "")


def test_the_store_is_ignored_by_git(folder: Folder) -> None:
    assert (folder.path / ".orlop" / ".gitignore").read_text() == "*\n"
    assert (folder.path / ".orlop").stat().st_mode & 0o777 == 0o700


def test_every_command_says_how_it_is_used(folder: Folder) -> None:
    for command in ("up", "plan", "down", "status", "deploy", "stop", "rollback", "logs", "exec", "open"):
        with pytest.raises(SystemExit) as ended:
            folder.run(command, "--help")
        assert ended.value.code == 0


def test_names_of_secrets_are_not_needed_to_read_a_log(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write(TWO + "variables: {KEY: {from_env: ORLOP_TEST_UNSET}}\n")
    assert folder.up()[0] == 2
    assert folder.run("status", "--driver", "none")[0] == 0
    monkeypatch.setenv("ORLOP_TEST_UNSET", "now it is set")
    assert folder.up()[0] == 0


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("orlop st", ["status", "stop"]),
        ("orlop logs ", ["web", "orders"]),
        ("orlop logs w", ["web "]),
        ("orlop rollback o", ["orders "]),
        ("orlop exec --file none.yaml ", []),
        ("orlop up --sch", ["--schema "]),
    ],
)
def test_a_shell_completes_commands_and_services(folder: Folder, line: str, completions: list[str]) -> None:
    pytest.importorskip("argcomplete")
    answer = folder.path / "completions"
    environment = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    ended = subprocess.run([sys.executable, "-m", "orlop"], cwd=folder.path, env=environment, capture_output=True)
    assert ended.returncode == 0, ended.stderr
    found = answer.read_text().split("\n") if answer.exists() else []
    assert [each for each in found if each and not each.startswith("-h")] == completions
