"""schemathesis against `serve`: requests that match the description and requests that do not, alone and in
sequences."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

import orlop
from known import known_ids

HERE = Path(__file__).parent
CHECK = HERE.parents[1] / "examples" / "clients" / "check.sh"
REQUESTS_MIN = int(os.environ.get("ORLOP_CLIENT_REQUESTS", "2000"))


class Served(NamedTuple):
    """Address of the platform, a token, and the ids of its resources."""

    url: str
    token: str
    known: str


@pytest.fixture
def served() -> Iterator[Served]:
    with orlop.Simulation(seed=1, authentication="required", rate_limit=0) as simulation:
        simulation.rules.add(after="1s", jitter="5s")
        organization = simulation.organizations.create(name="acme", plan="FREE")
        kept, doomed = known_ids(organization, "kept"), known_ids(organization, "doomed")
        del doomed["organizationId"]
        made = simulation.request("POST", f"/organization/{organization.id}/apiToken", {"name": "schemathesis"}).check()
        with simulation.serve(speed=20) as url:
            yield Served(
                url, made["token"], json.dumps({"kept": kept, "doomed": doomed, "own": {"apiTokenId": [made["id"]]}})
            )


def run(served: Served, place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs schemathesis with our configuration."""
    shutil.copy(HERE / "schemathesis.toml", place)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {
        **os.environ,
        "PATH": path,
        "SCHEMATHESIS_HOOKS": "hooks",
        "PYTHONPATH": str(HERE),
        "ORLOP_KNOWN": served.known,
        "NO_COLOR": "1",
    }
    report = ["--report", "ndjson", "--report-ndjson-path", str(place / "report.ndjson")]
    return subprocess.run(
        [CHECK, served.url, served.token, *report, *arguments],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )


def statuses(report: Path) -> Counter[int]:
    found: Counter[int] = Counter()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "status_code" in value and "elapsed" in value:
                found[value["status_code"]] += 1
            for member in value.values():
                walk(member)
        elif isinstance(value, list):
            for member in value:
                walk(member)

    for line in report.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if "ScenarioFinished" in event:
            walk(event)
    return found


def test_no_answer_breaks_the_description(served: Served, tmp_path: Path) -> None:
    is_long = REQUESTS_MIN > 5000
    examples = 20 if is_long else -(-REQUESTS_MIN // 300)
    # The coverage phase tests every bound and type: the same each time, and mostly refused.
    phases = "coverage,fuzzing,stateful" if is_long else "fuzzing,stateful"
    ended = run(served, tmp_path, "--seed", "1", "-n", str(examples), "--phases", phases)
    assert ended.returncode == 0, ended.stdout[-8000:] + ended.stderr[-2000:]
    token = {"Authorization": f"Token {served.token}"}
    with urlopen(
        Request(f"{served.url}/organization", headers=token)
    ) as answer:  # the token is still valid; otherwise all requests after its end were refused
        assert answer.status == 200
    came = statuses(tmp_path / "report.ndjson")
    print(sum(came.values()), "requests:", sorted(came.items()))
    assert sum(came.values()) >= REQUESTS_MIN, came
    assert sum(count for status, count in came.items() if status < 300) > min(REQUESTS_MIN // 10, 1000), (
        "hardly anything was made"
    )
