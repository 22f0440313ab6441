"""Orlop over HTTP beside an application that does nothing under the same server, beside a small service on FastAPI,
SQLAlchemy and SQLite with the same resource and durability, and beside the same requests in the process. The load is
made by wrk (apt-get install wrk).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import orlop
from paired import Figure, figure_of, show

HERE = Path(__file__).parent
SECONDS, ROUNDS = 2, 5
_UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6}


@dataclass
class Load:
    """What wrk says: requests per second, and the microseconds within which half and 99 of 100 were answered."""

    rate: float
    half: float
    most: float


class Served:
    """One of the servers, in a process of its own."""

    def __init__(self, kind: str, stack: ExitStack) -> None:
        place = stack.enter_context(tempfile.TemporaryDirectory())
        command = [sys.executable, str(HERE / "http_servers.py"), kind, str(Path(place) / "platform.db")]
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(process.terminate)
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise ImportError(f"{kind} did not begin")
        self.said = json.loads(line)
        self._made = 0

    def load(self, path: str, connections: int, is_post: bool) -> Load:
        url = f"http://127.0.0.1:{self.said['port']}" + path.format(**self.said)
        command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency", url]
        if is_post:
            command[1:1] = ["-s", str(HERE / "http_post.lua")]
            command += ["--", str(self._made)]
            self._made += 1_000_000
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if "Non-2xx" in said or "Socket errors" in said:
            raise SystemExit(f"not every request was answered well:\n{said}")
        rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
        assert rate is not None
        return Load(float(rate[1]), *(self._microseconds(said, share) for share in ("50%", "99%")))

    @staticmethod
    def _microseconds(said: str, share: str) -> float:
        found = re.search(rf"{share}\s+([\d.]+)(us|ms|s)", said)
        assert found is not None, said
        return float(found[1]) * _UNITS[found[2]]


def beside(
    name: str, goal: str, ours: Served, bare: Served, path: str, connections: int, is_post: bool
) -> list[Figure]:
    """Our cost of a request beside theirs, and the tails."""
    ours.load(path, connections, is_post), bare.load(path, connections, is_post)
    loads = []
    for number in range(ROUNDS):
        first, second = (ours, bare) if number % 2 == 0 else (bare, ours)
        measured = {id(side): side.load(path, connections, is_post) for side in (first, second)}
        loads.append((measured[id(ours)], measured[id(bare)]))
    words = f"{name}, {connections} connections"
    rates = tuple(median(pair[side].rate for pair in loads) for side in (0, 1))
    return [
        figure_of(
            f"{words} ({rates[0]:,.0f} and {rates[1]:,.0f} a second)",
            goal,
            "us",
            [(1 / a.rate, 1 / b.rate) for a, b in loads],
            1e6,
        ),
        figure_of(f"{words}, answered within: half of them", "", "us", [(a.half, b.half) for a, b in loads], 1),
        figure_of(f"{words}, answered within: 99 of 100", "", "us", [(a.most, b.most) for a, b in loads], 1),
    ]


def in_process(served: Served) -> Figure:
    """A request over HTTP on one connection beside the same one handed to the engine in this process."""
    count = 5000
    with tempfile.TemporaryDirectory() as place, orlop.Engine(Path(place) / "platform.db") as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        path = f"/organization/{organization.id}/cluster"
        pairs = []
        for _ in range(ROUNDS):
            start = perf_counter()
            for _ in range(count):
                engine.request("GET", path)
            inside = (perf_counter() - start) / count
            pairs.append((inside, 1 / served.load("/organization/{organization}/cluster", 1, False).rate))
    return figure_of("GET cluster list in the process (bare: over HTTP, 1 connection)", "", "us", pairs, 1e6)


REQUESTS = (
    ("GET cluster list", "/organization/{organization}/cluster", False),
    ("GET cluster status", "/organization/{organization}/cluster/{cluster}/status", False),
    ("POST helmRepository", "/organization/{organization}/helmRepository", True),
)


def main() -> None:
    if not shutil.which("wrk"):
        show("over HTTP", [], ["Nothing was measured: wrk is missing, which makes the load (apt-get install wrk)."])
        return
    figures: list[Figure] = []
    remarks = [f"Each figure is the median of {ROUNDS} rounds of {SECONDS} s; one process serves, one makes the load."]
    with ExitStack() as stack:
        ours, null = Served("ours", stack), Served("null", stack)
        for name, path, is_post in REQUESTS:
            figures += beside(
                f"{name} (bare: does nothing)", "0.3" if is_post else "0.6", ours, null, path, 16, is_post
            )
        asgi = Served("asgi", stack)
        for name, path, is_post in REQUESTS:
            figures += beside(f"{name} as an ASGI application (bare: does nothing)", "", asgi, null, path, 16, is_post)
        try:
            fastapi = Served("fastapi", stack)
        except ImportError as missing:
            remarks.append(
                f"FastAPI was not measured: {missing} (.venv/bin/pip install -r python/requirements-bench.txt)"
            )
        else:
            for name, path, is_post in REQUESTS:
                figures += beside(f"{name} (bare: FastAPI)", "10", ours, fastapi, path, 16, is_post)
        figures.append(in_process(ours))
    show("over HTTP", figures, remarks)


if __name__ == "__main__":
    main()
