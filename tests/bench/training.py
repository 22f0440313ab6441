"""The work that the published wheel is optimized for. scripts/wheel runs it with a build that counts what is executed.

Simulations with fixed seeds, engines in memory and on files, requests as servers make them, and the examples. What is not executed here works as well, and is
compiled for size.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any

import orlop
from lifecycles import InStages, Ours
from orlop import asgi

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
# How many programs only load the module. What all programs together execute less often than there are programs is compiled for size (cmake/optimization.cmake): with
# fewer of them the wheel is larger.
LOADS = 1500
REPOSITORY: dict[str, Any] = {
    "kind": "OCI_GENERIC_CR", "url": "oci://registry.example.com/charts", "skip_tls_verification": False,
    "config": {"username": "deployer", "password": "s3cret"},
}  # fmt: skip


class Lived(Ours):
    """The deployments of lifecycles.py, and what else is asked of an environment with many services."""

    def go_on(self, *, is_in_memory: bool = True) -> None:
        """From the first deployment to the deletion of the environment. Only simulations in memory go back."""
        self(), self()
        simulation, environment = self._simulation, self._environment
        path = f"/environment/{environment.id}"
        for container in environment.containers:
            simulation.request("GET", f"/container/{container.id}").json()
            container.edit(description=f"{container.name} of the shop")
        for question in ("container", "statuses", "service", "deploymentHistory"):
            simulation.request("GET", f"{path}/{question}").json()
        for _ in simulation.events():
            pass
        kept = simulation.snapshot()
        with simulation.fork() as fork:
            fork.request("POST", f"{path}/redeploy").raise_for_status()
            fork.run_until_idle()
        self()
        if is_in_memory:
            simulation.restore(kept)
        simulation.request("POST", f"{path}/clone", {"name": "copy"}).raise_for_status()
        simulation.run_until_idle()
        simulation.request("DELETE", path).raise_for_status()
        simulation.run_until_idle()
        simulation.close()


def requests(engine: orlop.Engine, count: int) -> None:
    """Resources made, read, edited, listed and deleted one by one, some of them refused."""
    organization = engine.organizations.create(name="acme", plan="FREE")
    path = f"/organization/{organization.id}/helmRepository"
    for number in range(count):
        made = engine.request("POST", path, {"name": f"charts-{number}", **REPOSITORY}).json()
        engine.request("GET", f"{path}/{made['id']}").json()
        engine.request("PUT", f"{path}/{made['id']}", {"name": f"charts-{number}", **REPOSITORY, "description": "Charts of the shop"}).json()
        engine.request("POST", path, {"name": f"charts-{number}", **REPOSITORY})
        organization.helm_repositories.get(organization.helm_repositories.create(name=f"typed-{number}", **REPOSITORY).id)
    for _ in range(3):
        engine.request("GET", path).json()
    for repository in itertools.islice(organization.helm_repositories, count):
        repository.delete()


def over_http(engine: orlop.Engine, count: int) -> None:
    """The same through the application that servers call."""
    application = asgi.app(engine)
    organization = engine.organizations.create(name="served", plan="FREE")
    path = f"/api/v1/organization/{organization.id}/cluster"

    def ask(method: str, path: str, body: bytes = b"") -> bytes:
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
            "headers": [(b"content-type", b"application/json")],
        }  # fmt: skip
        events = iter([{"type": "http.request", "body": body, "more_body": False}])
        sent: list[Any] = []

        async def receive() -> Any:
            return next(events)

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(application(scope, receive, send))
        return b"".join(message.get("body", b"") for message in sent)

    for number in range(count):
        body = {"name": f"cluster-{number}", "region": "eu-west-3", "cloud_provider": "AWS"}
        made = json.loads(ask("POST", path, json.dumps(body).encode()))
        ask("GET", f"{path}/{made['id']}")
    ask("GET", path)


def main() -> None:
    """All of it. A program that fails ends it."""
    for count in (200, 1000):
        for by_names in (False, True):
            Lived(count, by_names=by_names).go_on()
        InStages(count).ends()
    in_stages = InStages(40_000)  # what is done once for an environment or a request is executed often too
    in_stages(), in_stages()
    Lived(200, record="states").go_on()
    with TemporaryDirectory() as folder:
        Lived(500, storage=f"{folder}/simulation.db").go_on(is_in_memory=False)
        Lived(500, storage=f"{folder}/names.db", by_names=True).go_on(is_in_memory=False)
        for storage in ("memory:", f"{folder}/platform.db"):
            with orlop.Engine(storage) as engine:
                requests(engine, 300)
                over_http(engine, 300)
        for example in sorted(EXAMPLES.glob("*.py")):
            if not example.name.startswith("test_"):
                run([sys.executable, example], cwd=folder, capture_output=True, check=True)
    for _ in range(LOADS):
        run([sys.executable, "-c", "import orlop._core"], check=True)


if __name__ == "__main__":
    main()
