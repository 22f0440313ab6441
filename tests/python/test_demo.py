"""The demo and the examples succeed, and the same seed prints the same bytes."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def perform(directory: Path, *arguments: str) -> str:
    directory.mkdir()
    command = [sys.executable, str(EXAMPLES / "demo.py"), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=directory, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def assert_answers(printed: str, directory: Path) -> None:
    """The commands that the demo prints work: the server, and the line for curl."""
    serve, ask = (shlex.split(line) for line in printed.splitlines() if "orlop serve" in line or "curl" in line)
    with subprocess.Popen([*serve, "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=directory) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split(" at ")[1].split()[0]
            ask = [word.replace("http://127.0.0.1:8080", url) for word in ask]
            if shutil.which(ask[0]):
                answer = subprocess.run(ask, capture_output=True, timeout=60, check=True).stdout
            else:
                answer = urllib.request.urlopen(ask[-1], timeout=60).read()
            assert json.loads(answer)["state"] == "DEPLOYED"
        finally:
            server.terminate()


def test_the_demo_ends_well_and_does_the_same_again(tmp_path: Path) -> None:
    first = perform(tmp_path / "first")
    assert first == perform(tmp_path / "second")
    for words in (
        "production: 17 services in 4 stages, load generator skipped",
        "DEPLOYMENT_ERROR",
        "cannot be pulled",
        "SIGKILL",
        "production is DEPLOYED",
        "staging is DEPLOYING: 5 of 17",
        "staging is DEPLOYED",
        "STOPPED",
        "build/demo/platform.db",
        "ALIAS     DATABASE_URL",
        "STRIPE_KEY=*****",
        "domain shop.example.com (CNAME ",
    ):
        assert words in first
    for page in ("timeline.html", "report.html"):
        pages = [(tmp_path / name / "build/demo" / page).read_bytes() for name in ("first", "second")]
        assert pages[0] == pages[1] and b"checkout" in pages[0]
    assert (tmp_path / "first/build/demo/platform.db").exists()
    assert_answers(first, tmp_path / "first")
    assert perform(tmp_path / "third", "--seed", "2", "--directory", "here") != first


def test_the_scenario_of_the_demo_writes_the_same_report_each_time(tmp_path: Path) -> None:
    script = (EXAMPLES.parent / "scripts" / "demo").read_text(encoding="utf-8")
    command = next(line for line in script.splitlines() if line.startswith(".venv/bin/orlop sim"))
    scenario = EXAMPLES.parent / shlex.split(command)[2]
    pages = []
    for name in ("first.html", "second.html"):
        ended = subprocess.run(
            [sys.executable, "-m", "orlop", "sim", str(scenario), "--report", str(tmp_path / name)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
        assert "1 of 1 runs as expected" in ended.stdout
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    for words in (
        b"the image of checkout cannot be pulled",
        b"Nodes of europe",
        b"Cost of the nodes an hour",
        b"nodes for ",
    ):
        assert words in pages[0]


def test_the_platform_is_as_large_as_it_says() -> None:
    described = json.loads((EXAMPLES / "demo_platform.json").read_text(encoding="utf-8"))
    production = described["environments"][0]
    services = [service for stage in production["stages"] for service in stage["services"]]
    assert (len(described["clusters"]), len(production["stages"])) == (2, 4) and len(services) >= 14
    assert {service["family"] for service in services} == {
        "applications",
        "containers",
        "databases",
        "helms",
        "jobs",
        "terraforms",
    }
    assert {service["mode"] for service in services if service["family"] == "databases"} == {"CONTAINER", "MANAGED"}
    schedules = {event for service in services if service["family"] == "jobs" for event in service["schedule"]}
    assert {"on_start", "cronjob"} <= schedules
    assert any(service.get("is_skipped") for service in services)


def test_the_example_of_the_readme_runs() -> None:
    program = EXAMPLES / "python" / "deploy.py"
    ended = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    assert " web DEPLOYED\n" in ended.stdout and " orders DEPLOYED\n" in ended.stdout
