"""The flags of `orlop serve`, its errors and its access log."""

from __future__ import annotations

import argparse
import http.client
import io
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from orlop.commands import serve as serve_command
from orlop.serving.access_log import AccessLog
from test_serve import call, served, speak
from test_settings import options_on

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+:\d+ [A-Z]+ \S+ \d{3} \d+ [\d.]+ms")


def test_every_option_of_the_list_is_a_flag_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    serve_command.add(parser.add_subparsers())
    parsed = vars(parser.parse_args(["serve"]))
    with pytest.raises(SystemExit):
        parser.parse_args(["serve", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for option in options_on("serve"):
        if option["name"] == "storage":  # it is the argument STORE
            continue
        assert option["name"] in parsed and f"{serve_command.flag_of(option)}" in text
        assert option["text"].replace("`", "") in text
        if option["default"] and option["kind"] != "instant":
            assert str(parsed[option["name"]]).lower() == option["default"]
            assert f"Default: {option['default']}." in text
    assert "Bounds: 1 to 100000." in text and "Unit: builds." in text


def test_the_log_of_the_engine_goes_to_the_error_output(capsys: pytest.CaptureFixture[str]) -> None:
    serve_command._log("warning", "the policy evaluator failed: no answer")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "orlop: warning: the policy evaluator failed: no answer\n")


def refused(tmp_path: Path, *given: str) -> str:
    """Returns the error message, which must be one line."""
    command = [sys.executable, "-m", "orlop", "serve", "--port", "0", *given]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert ended.returncode == 2 and ended.stdout == ""
    assert ended.stderr.startswith("orlop: ") and ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--port", "99999"], "port must be a whole number of 0 to 65535, not 99999"),
        (["--port", "-1"], "port must be a whole number of 0 to 65535, not -1"),
        (["--brand", "Acme!"], "brand must be 1 to 32 lower case letters"),
        (["--max-parallel-builds", "0"], "max_parallel_builds must be 1 to"),
        (["--step-deadline", "soon"], "step_deadline must be a duration"),
        (["--port-timeout", "0s"], "port_timeout must be 1 to"),
        (["--history-kept", "3"], "history_kept must be 20"),
        (["--secret-key", "short.key"], "32 bytes, not 5"),
        (["--secret-key", "nowhere.key"], "nowhere.key"),
        (["--external-systems", "nowhere:x"], "--external-systems must be MODULE:NAME"),
        (
            ["--external-systems", "gti"],
            "--external-systems must be MODULE:NAME or one of argocd, git, helm, prometheus, registries, terraform, "
            "not 'gti'; the nearest known one is git",
        ),
        (["--external-systems", "git,"], "not ''"),
        (["--external-systems", "git, git"], "must name each system once, not git twice"),
        (["--external-systems", "git", "--sim"], "--external-systems git and --sim exclude each other"),
        (["--external-systems", "terraform"], "--external-systems terraform needs --terraform-index"),
        (["--external-systems", "prometheus"], "--external-systems prometheus needs --prometheus"),
        (["--prometheus", "http://a"], "--prometheus belongs to --external-systems prometheus"),
        (["--external-allow", "a"], "--external-allow belongs to --external-systems in the box"),
        (
            ["--external-systems", "git", "--external-allow", "a b"],
            "allow must hold names of hosts, addresses and ranges",
        ),
        (["--external-systems", "git", "--git-server", "X=y"], "servers must have URLs for GITHUB, GITLAB, BITBUCKET"),
        (["--external-systems", "git", "--git-server", "x"], "--git-server must be PROVIDER=URL, with one of GITHUB"),
        (
            ["--external-systems", "terraform", "--terraform-index", "A=b", "--terraform-index", "A=c"],
            "--terraform-index must be ENGINE=URL, with one of TERRAFORM and OPEN_TOFU, each once, not 'A=c'",
        ),
        (
            ["--external-systems", "prometheus", "--prometheus", "ftp://a"],
            "url must be the URL of a Prometheus server, such as http://127.0.0.1:9090, not 'ftp://a'",
        ),
        (["--webhook-sender", "json"], "--webhook-sender must be MODULE:NAME"),
        (["--start", "2026-01-01T00:00:00Z"], "--start belongs to --sim"),
        (["--speed", "5"], "--speed belongs to --sim"),
        (["--sim", "--speed", "-1"], "--speed must be 0 to 1e+09, not -1"),
        (["--sim", "--speed", "nan"], "--speed must be 0 to 1e+09, not nan"),
        (["--sim", "--ready-file", "."], "--ready-file must be the path of a file, which is removed at the end, not ."),
        (["--sim", "--ready-file", os.devnull], "--ready-file must be the path of a file"),
        (
            ["--sim", "--ready-file", "nowhere/ready.json", "--port", "0"],
            "cannot write nowhere/ready.json: No such file or directory",
        ),
        (
            ["--sim", "--host", "", "--port", "0"],
            "host must be a name or an address, such as 127.0.0.1, or 0.0.0.0 for all of this machine, not ''",
        ),
        (["--port-timeout", "0"], "port_timeout must be 1 to"),
        (["--sim", "--webhook-sender", "a:b"], "--webhook-sender and --sim exclude each other"),
        (["--webhooks", "--webhook-sender", "a:b"], "exclude each other"),
        (["--head-timeout", "0"], "--head-timeout must be more than 0, not 0"),
        (["--max-connections", "-1"], "--max-connections must be more than 0"),
        (["--grace", "nan"], "--grace must be 0 or more seconds"),
        (["--host", "no.such.host.invalid"], "no.such.host.invalid"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, given: list[str], words: str) -> None:
    (tmp_path / "short.key").write_bytes(b"short")
    assert words in refused(tmp_path, *given)


def test_settings_reach_the_engine(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"k" * 32)
    (tmp_path / "systems.py").write_text(
        "import orlop\n"
        "class Systems(orlop.ExternalSystems):\n"
        "    def authenticate(self, question):\n"
        "        return {'subject': 'ada'}\n"
    )
    given = (
        "platform.db",
        "--brand",
        "acme",
        "--secret-key",
        "key",
        "--busy",
        "reject",
        "--durability",
        "normal",
        "--max-parallel-deploys",
        "3",
        "--cancel-deadline",
        "5m",
        "--auth",
        "required",
        "--external-systems",
        "systems:Systems",
        "--kubernetes-version",
        "1.30",
        "--seed",
        "7",
    )
    with served(tmp_path, *given) as (_, url):
        assert call(url, "GET", "/organization")[0] == 401

        def ask(method: str, path: str, body: Any) -> Any:
            connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
            connection.request(method, path, json.dumps(body), {"Authorization": "Bearer ada"})
            return json.loads(connection.getresponse().read())

        organization = ask("POST", "/organization", {"name": "acme", "plan": "FREE"})["id"]
        assert ask("POST", f"/organization/{organization}/apiToken", {"name": "ci"})["token"].startswith("acme_")
    with pytest.raises(orlop.StorageSealed):
        orlop.Engine(tmp_path / "platform.db")
    orlop.Engine(tmp_path / "platform.db", secret_key=b"k" * 32).close()


def test_each_request_is_a_line_and_what_is_none_is_not(tmp_path: Path) -> None:
    with served(tmp_path) as (process, url):
        call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})
        call(url, "GET", "/organization?page=1")
        call(url, "GET", "/nowhere")
        speak(url, b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        speak(url, b"GET /%0a%1b[31m HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        for broken in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"GET / HTTP/9.9\r\n\r\n",
            b"\x00" * 100,
            b"GET / HTTP/1.1\r\nX",
        ):
            speak(url, broken)
        process.terminate()
        assert process.wait(30) == 0
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert [line.split()[2:5] for line in lines] == [
        ["POST", "/organization", "201"],
        ["GET", "/organization?page=1", "200"],
        ["GET", "/nowhere", "404"],
        ["GET", "/", "421"],
        ["GET", "/%0a%1b%5B31m", "400"],
    ]


def test_a_log_without_a_reader_holds_up_no_request() -> None:
    class Stuck(io.StringIO):
        entered = threading.Event()
        released = threading.Event()

        def write(self, text: str) -> int:
            self.entered.set()
            assert self.released.wait(30)
            return super().write(text)

    out = Stuck()
    log = AccessLog(out)

    def note(count: int) -> None:
        for _ in range(count):
            log.line("127.0.0.1:1", "GET", "/", 200, 0, 0.0)

    note(1)
    assert out.entered.wait(30)
    note(10_005)
    out.released.set()
    log.close()
    lines = out.getvalue().splitlines()
    assert len(lines) == 1 + 10_000 + 1 and lines[-1] == "5 lines were dropped"


def test_a_log_whose_reader_is_gone_does_no_harm() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    log: Any = AccessLog(Gone())
    log.line("127.0.0.1:1", "GET", "/", 200, 0, 0.0)
    log.close()
