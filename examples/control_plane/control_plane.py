"""A control plane of three processes on one database, behind one port. One of them is killed in the middle of a
deployment, and the others continue it.

usage: control_plane.py postgresql://USER@HOST/DATABASE
(or the path of a file, for processes on one machine)
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import orlop

HERE = Path(__file__).parent
SERVICES = 9


def ask(url: str, method: str, path: str, body: Any = None) -> Any:
    """Sends a request to the process that accepts the connection, and returns the JSON of its answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"} if data else {}
    for _ in range(50):
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url + path, data, headers, method=method), timeout=30
            ) as reply:
                text = reply.read()
                return json.loads(text) if text else None
        except (ConnectionError, urllib.error.URLError) as error:  # the process that had the connection was killed
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)
    raise SystemExit(f"{method} {path} was not answered")


def steps(url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask(url, "GET", "/-/events?kind=step.started,step.ended&limit=10000")["events"]
    return found


def process_of(engine: str) -> int:
    """Returns the process id of an engine: `orlop serve` names its engine after host and process."""
    return int(engine.rpartition(":")[2])


def populate(url: str, number: int) -> str:
    """Creates an organization with an environment of a few services; returns its id."""
    organization = ask(url, "POST", "/organization", {"name": f"acme {number}", "plan": "FREE"})["id"]
    cluster = ask(
        url,
        "POST",
        f"/organization/{organization}/cluster",
        {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"},
    )["id"]
    project = ask(url, "POST", f"/organization/{organization}/project", {"name": "shop"})["id"]
    environment: str = ask(url, "POST", f"/project/{project}/environment", {"name": "production", "cluster": cluster})[
        "id"
    ]
    for service in range(SERVICES // 3):
        body = {"name": f"store {number}.{service}", "type": "REDIS", "version": "7", "mode": "CONTAINER"}
        ask(url, "POST", f"/environment/{environment}/database", body)
    return environment


def kill_one_that_drives(url: str) -> str:
    """Kills a process that has a running step with SIGKILL; returns the name of its engine."""
    while True:
        running: dict[str, str] = {}
        for event in steps(url):
            detail = event["detail"]
            if event["kind"] == "step.started":
                running[detail["step"]] = detail["engine"]
            else:
                running.pop(detail["step"], None)
        if running:
            engine = next(iter(running.values()))
            os.kill(process_of(engine), signal.SIGKILL)
            return engine
        time.sleep(0.02)


def timeline_of(url: str) -> orlop.Timeline:
    events = ask(url, "GET", "/-/events?kind=service.*,step.started,step.ended&limit=10000")["events"]
    names = {
        event["subject"]: (event["owner"][:8], event["family"] + " " + event["subject"][-4:])
        for event in events
        if event["kind"].startswith("step.")
    }
    return orlop.Timeline.of(events, names, title="Three processes, one killed")


def main(store: str) -> None:
    flags = [
        "--workers",
        "3",
        "--port",
        "0",
        "--lease-time",
        "2s",
        "--no-require-cluster",
        "--no-access-log",
        "--driver",
        "deployer:Deployer",
    ]
    command = [sys.executable, "-m", "orlop", "serve", store, *flags]
    server = subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().split(" at ")[1].split()[0]
        environments = [populate(url, number) for number in range(6)]
        for environment in environments:
            ask(url, "POST", f"/environment/{environment}/deploy")
        killed = kill_one_that_drives(url)
        for environment in environments:
            while ask(url, "GET", f"/environment/{environment}/status")["state"] != "DEPLOYED":
                time.sleep(0.05)
        print(f"killed: {killed}")
        for event in steps(url):
            if event["kind"] == "step.ended":
                print(
                    f"step {event['detail']['step'][-4:]} of {event['subject'][-4:]} ended in "
                    f"{event['detail']['engine']}"
                )
        print(timeline_of(url).text())
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        server.stdout.close()


if __name__ == "__main__":
    main(sys.argv[1])
