"""An engine behind a real socket: the command `orlop serve`, and `serve` inside a program."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from conftest import furnish


def call(url: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    with contextlib.closing(connection):
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"content-type": "application/json"} if sent else {})
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None


def speak(url: str, *parts: bytes) -> bytes:
    """Sends these bytes and returns everything that the server answers until one side closes the connection."""
    parts_of_url = urlsplit(url)
    assert parts_of_url.port is not None
    with socket.create_connection((parts_of_url.hostname, parts_of_url.port), timeout=30) as line:
        # The server may answer and close the connection before everything is sent.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            line.sendall(b"".join(parts))
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_WR)
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            while part := line.recv(65536):
                heard += part
        return heard


@contextlib.contextmanager
def served(directory: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs the command in another process; yields it and the URL that it prints."""
    command = [sys.executable, "-m", "orlop", "serve", *arguments, "--port", "0"]
    process = subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        said = re.fullmatch(
            r"Orlop serves (\S+) at (http://\S+:\d+) \(authentication (off|required)(?:; [^()]*)?\)\n", line
        )
        assert said, line + (process.stderr.read() if process.stderr and not line else "")
        yield process, said[2]
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_and_keeps_what_was_written(tmp_path: Path, number: int) -> None:
    with served(tmp_path, "platform.db") as (process, url):
        status, made = call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})
        assert status == 201
        process.send_signal(number)
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None
        lines = process.stderr.read().splitlines()
        assert len(lines) == 1 and re.fullmatch(
            r"\S+Z 127\.0\.0\.1:\d+ POST /organization 201 \d+ [\d.]+ms", lines[0]
        ), lines
    with orlop.Engine(tmp_path / "platform.db") as engine:
        assert engine.organizations.find("acme").id == made["id"]


def test_a_deployment_over_http_goes_through_its_states(tmp_path: Path) -> None:
    with served(tmp_path, "--sim", "--seed", "4", "--speed", "50", "--step", "10s") as (_, url):
        organization = call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})[1]["id"]
        cluster = {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
        identity = call(url, "POST", f"/organization/{organization}/cluster", cluster)[1]["id"]
        assert call(url, "POST", f"/organization/{organization}/cluster/{identity}/deploy")[0] == 200
        states: list[str] = []
        end = time.monotonic() + 60
        while (not states or states[-1] != "DEPLOYED") and time.monotonic() < end:
            states.append(call(url, "GET", f"/organization/{organization}/cluster/{identity}/status")[1]["status"])
        assert "DEPLOYING" in states and states[-1] == "DEPLOYED"


def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, words in (
            (["--port", port], "in use"),
            (["--port", "0", "--sim", "--step", "soon"], "30s, 2m30s"),
            (["--port", "0", "--driver", "nowhere:Driver"], "MODULE:NAME"),
            (["--port", "0", "--driver", "a:b", "--sim"], "exclude each other"),
            (["--port", "0", "--issuer", "https://id.example"], "belong together"),
            (
                ["--port", "0", "--auth", "required", "--issuer", "http://id.example", "--audience", "orlop"],
                "https only",
            ),
            ([str(tmp_path), "--port", "0"], "is not a regular file"),
        ):
            command = [sys.executable, "-m", "orlop", "serve", *arguments]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
            assert ended.returncode == 2 and words in ended.stderr and "Traceback" not in ended.stderr, ended.stderr


def test_a_driver_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "hands.py").write_text(
        "import orlop\nclass Hands(orlop.Driver):\n    def cluster_create(self, step):\n        raise "
        "RuntimeError('no hands')\n"
    )
    with served(tmp_path, "--driver", "hands:Hands") as (_, url):
        organization = call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})[1]["id"]
        cluster = {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
        path = (
            f"/organization/{organization}/cluster/"
            + call(url, "POST", f"/organization/{organization}/cluster", cluster)[1]["id"]
        )
        call(url, "POST", f"{path}/deploy")
        end = time.monotonic() + 60
        while (
            state := call(url, "GET", f"{path}/status")[1]["status"]
        ) != "DEPLOYMENT_ERROR" and time.monotonic() < end:
            continue
        assert state == "DEPLOYMENT_ERROR"


def test_a_program_proves_who_it_is_by_a_token_from_the_shell(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "orlop", "token", "create", "platform.db", "--organization", "acme", "--name"]
    first, second = (
        subprocess.run(
            [*command, name], capture_output=True, text=True, timeout=60, check=True, cwd=tmp_path
        ).stdout.strip()
        for name in ("one", "two")
    )
    assert first != second
    with served(tmp_path, "platform.db", "--auth", "required", "--rate-limit", "3") as (_, url):
        assert call(url, "GET", "/organization")[0] == 401
        for token, status in (
            (first, 200),
            (first[:-1] + ("0" if first[-1] != "0" else "1"), 401),
            (second, 200),
            (first, 200),
            (first, 200),
            (first, 429),
        ):
            connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
            connection.request("GET", "/organization", headers={"Authorization": f"Token {token}"})
            answer = connection.getresponse()
            assert answer.status == status, answer.read()
            connection.close()


def test_the_walk_with_curl(tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("there is no curl")
    walk = Path(__file__).parents[2] / "examples" / "clients" / "walk.sh"
    with served(tmp_path, "--sim", "--speed", "50", "--step", "20s") as (_, url):
        walked = subprocess.run([walk, url], capture_output=True, text=True, timeout=60, check=False)
        assert walked.returncode == 0 and "europe is DEPLOYING\neurope is DEPLOYED\n" in walked.stdout, walked


@pytest.mark.orlop(allow_hosts=["127.0.0.1"])  # the check runs again when the engine is closed
def test_the_fixture_serves_and_its_time_stands_still(orlop_sim: orlop.Simulation) -> None:
    platform = furnish(orlop_sim)
    platform.container()
    orlop_sim.rules.add(after="1h")
    with orlop_sim.serve() as url:
        path = f"/environment/{platform.environment.id}"
        assert call(url, "POST", f"{path}/deploy")[0] == 202
        before = call(url, "GET", f"{path}/status")[1]
        assert before["state"] == "DEPLOYMENT_QUEUED" and call(url, "GET", f"{path}/status")[1] == before
        orlop_sim.clock.advance(hours=5)
        assert call(url, "GET", f"{path}/status")[1]["state"] == "DEPLOYED"
    with pytest.raises(ConnectionRefusedError):
        call(url, "GET", "/organization")


def test_an_answer_does_not_wait_for_an_acknowledgement() -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        with contextlib.closing(connection):
            times = []
            for _ in range(20):
                start = time.monotonic()
                connection.request("GET", "/organization")
                connection.getresponse().read()
                times.append(time.monotonic() - start)
        assert sorted(times)[5] < 0.035, "the line collects small parts (40 ms each)"


def test_requests_under_way_are_answered_before_the_end() -> None:
    entered, released = threading.Event(), threading.Event()
    is_slow = False

    def clock() -> float:
        if is_slow:
            entered.set()
            assert released.wait(30)
        return 1_800_000_000.0

    answers: list[tuple[int, Any]] = []
    with orlop.Engine(clock=clock) as engine:
        with engine.serve() as url:
            is_slow = True
            body = {"name": "acme", "plan": "FREE"}
            asking = threading.Thread(target=lambda: answers.append(call(url, "POST", "/organization", body)))
            asking.start()
            assert entered.wait(30)
            threading.Timer(0.3, released.set).start()  # after the server has received its signal
        asking.join(30)
        assert [status for status, _ in answers] == [201]


HOST = b"Host: localhost\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    "parts",
    [
        [b"\x00\x01\x02\r\n\r\n"],
        [b"GET /organization\r\n\r\n"],
        [b"GET /organization HTTP/9.9\r\n", HOST, b"\r\n"],
        [b"GET /organization HTTP/1.1\r\n\r\n"],
        [b"GET /organization HTTP/1.1\r\n", HOST, b"X-A: a\x00b\r\n\r\n"],
        [b"GET /organization HTTP/1.1\r\n", HOST, b"X-A: a\r b\r\n\r\n"],
        [b"GET /organization%0d%0aX-A:b HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"GET /organization\xff HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"GET http://a/organization HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"GET //a/../organization HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"CONNECT a:80 HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"OPTIONS * HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\n", HOST, b"\r\n"],
        [b"GET / HTTP/1.1\r\n", HOST, b"X-A: " + b"a" * 200_000 + b"\r\n\r\n"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: x\r\n\r\n{}"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: -1\r\n\r\n{}"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: 100\r\n\r\n{"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: 9999999999999999999999\r\n\r\n{"],
        [b"POST /organization HTTP/1.1\r\n", HOST, b"Content-Length: 3000000\r\n\r\n", b"x" * 3_000_000],
        [
            b"GET /organization HTTP/1.1\r\n",
            HOST,
            b"Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: eA==\r\n\r\n",
        ],
        [b"GET /organization HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3],
    ],
)
def test_no_bytes_bring_a_5xx(parts: list[bytes]) -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        heard = speak(url, *parts)
        statuses = [int(found) for found in re.findall(rb"^HTTP/1\.1 (\d{3})", heard, re.MULTILINE)]
        assert all(200 <= status < 500 for status in statuses), heard
        assert b"\r\nX-A" not in heard
        assert call(url, "GET", "/organization") == (200, {"results": []}), "it does not answer the next one any more"


def test_the_looks_into_a_store(tmp_path: Path) -> None:
    with orlop.Simulation(tmp_path / "platform.db") as simulation:
        furnish(simulation).container()

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "orlop", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=tmp_path,
        )

    events = [json.loads(line) for line in run("events", "platform.db", "--json").stdout.splitlines()]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert "container.created" in run("events", "platform.db", "--since", "3").stdout
    checked = json.loads(run("check", "platform.db", "--json").stdout)
    assert checked["resources"]["container"] == 1 and checked["events"] == len(events)
    assert "platform.db is sound" in run("check", "platform.db").stdout
    for arguments in (("check", "nothing.db"), ("events", "nothing.db")):
        missing = run(*arguments)
        assert missing.returncode == 2 and "there is no store at nothing.db" in missing.stderr
    assert not (tmp_path / "nothing.db").exists()
    with contextlib.closing(sqlite3.connect(tmp_path / "platform.db")) as database:
        database.execute(
            "UPDATE reference_count SET count = count + 1 WHERE target = (SELECT min(target) FROM reference_count)"
        )
        database.commit()
    miscounted = run("check", "platform.db")
    assert miscounted.returncode == 1 and "the store is damaged: it keeps" in miscounted.stderr
    (tmp_path / "noise.db").write_bytes(b"noise" * 1000)
    assert run("check", "noise.db").returncode == 2
    assert json.loads(run("openapi").stdout)["openapi"].startswith("3.0")
    assert (
        run("diagram", "cluster").stdout.startswith("stateDiagram")
        and "digraph" in run("diagram", "service", "--dot").stdout
    )
    assert "serve" in run("--help").stdout and run("serve", "--help").returncode == 0
