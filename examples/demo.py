"""A platform from its first cluster to a restart in the middle of a deployment, in virtual time.

Creates the resources that `demo_platform.json` describes, in an SQLite file, in acts. The last act but one ends with
SIGKILL: a second process opens the file again and finishes the deployment. The same seed prints the same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orlop
from orlop.base.event_text import is_change_of_state
from orlop.models import Cluster, Environment, Organization
from orlop import Timeline

PLATFORM = Path(__file__).with_name("demo_platform.json")
VARIABLES = Path(__file__).parent / "python" / "variables.py"
MONTH = Path(__file__).with_name("month.py")
SETTLED = ("DEPLOYED", "RESTARTED", "STOPPED", "CANCELED", "BUILD_ERROR", "DEPLOYMENT_ERROR", "STOP_ERROR")


def say(text: str = "") -> None:
    print(text, flush=True)


class Stage:
    """The platform of the demo, its resources by name, and the text that it prints."""

    def __init__(self, simulation: orlop.Simulation, description: dict[str, Any]) -> None:
        self.simulation = simulation
        self.description = description
        self.names: dict[str, tuple[str, str]] = {}
        self.seen = simulation.last_event
        self.kill_at: datetime | None = None
        for rule in description["rules"]:
            simulation.rules.add(**rule)

    def tell(self) -> None:
        """Prints what happened since the last call: the states that clusters and services ended in, and the ends of
        deployments."""
        for event in self.simulation.events(self.seen):
            self.seen = event["sequence"]
            group, name = self.names.get(event["subject"], ("", ""))
            if name and is_change_of_state(event) and event["to"] in SETTLED:
                self.line(event["at"], group, name, event["to"])

    def line(self, at: str, group: str, name: str, words: str) -> None:
        say(f"  {at[11:19]}  {group:<26} {name:<16} {words}")

    def play(self) -> None:
        """Advances time until nothing is under way, or until the process is to be killed."""
        if self.kill_at is None:
            self.simulation.run_until_idle()
            self.tell()
            return
        self.simulation.clock.advance(seconds=(self.kill_at - self.simulation.clock.now()).total_seconds())
        self.tell()
        say(f"  {self.kill_at:%H:%M:%S}  the process is killed (SIGKILL)")
        say()
        os.kill(os.getpid(), signal.SIGKILL)

    def learn(self) -> None:
        """Registers the group and name of each resource that has a state."""
        organization = self.organization()
        for cluster in organization.clusters:
            self.names[cluster.id] = ("clusters", cluster.name)
        for environment in organization.projects.find(self.description["project"]["name"]).environments:
            services = {service.id: service.name for service in environment.services()}
            for stage in environment.stages:
                for entry in stage.services:
                    service = entry["service_id"]
                    self.names[service] = (f"{environment.name}: {stage.name}", services[service])

    def organization(self) -> Organization:
        return self.simulation.organizations.find(self.description["organization"]["name"])

    def environment(self, name: str) -> Environment:
        return self.organization().projects.find(self.description["project"]["name"]).environments.find(name)


def act_one(stage: Stage) -> None:
    say("Act 1. An organization and its clusters")
    description = stage.description
    organization = stage.simulation.organizations.create(**description["organization"])
    for registry in description["container_registries"]:
        organization.container_registries.create(**registry)
    for repository in description["helm_repositories"]:
        organization.helm_repositories.create(**repository)
    clusters = {}
    for body in description["clusters"]:
        cluster = organization.clusters.create(**body)
        clusters[cluster.name] = cluster.deploy()
        say(f"  {cluster.name}: {cluster.cloud_provider} {cluster.region}, {cluster.max_running_nodes} nodes at most")
    project = organization.projects.create(**description["project"])
    for body in description["environments"]:
        environment = project.environments.create(
            name=body["name"], mode=body["mode"], cluster_id=clusters[body["cluster"]].id
        )
        furnish(environment, body["stages"], names_of(organization))
    stage.learn()
    stage.play()


def names_of(organization: Organization) -> dict[str, str]:
    """Maps the names of registries and repositories to their ids."""
    found = {registry.name: registry.id for registry in organization.container_registries}
    found.update({repository.name: repository.id for repository in organization.helm_repositories})
    return found


def furnish(environment: Environment, stages: list[dict[str, Any]], known: dict[str, str]) -> None:
    """Creates the services of an environment, and puts each into its stage."""
    count = 0
    skipped = []
    for stage, body in zip(environment.stages.list(), stages):
        stage.edit(name=body["name"], description=body.get("description", ""))
        for entry in body["services"]:
            fields = resolved(entry, known)
            fields.setdefault("healthchecks", {}) if fields["family"] in (
                "applications",
                "containers",
                "jobs",
            ) else None
            family, is_skipped = fields.pop("family"), fields.pop("is_skipped", False)
            service = getattr(environment, family).create(**fields)
            stage.attach(service, is_skipped=is_skipped)
            count += 1
            if is_skipped:
                skipped.append(fields["name"])
    say(
        f"  {environment.name}: {count} services in {len(stages)} stages"
        + (f", {' and '.join(skipped)} skipped" if skipped else "")
    )


def resolved(value: Any, known: dict[str, str]) -> Any:
    """Replaces the names of registries and repositories in the value by their ids."""
    if isinstance(value, list):
        return [resolved(item, known) for item in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for name, member in value.items():
        if name == "registry":
            made["registry_id"] = known[member]
        elif name == "repository":
            made[name] = known[member]
        else:
            made[name] = resolved(member, known)
    return made


def act_two(stage: Stage) -> None:
    say("Act 2. Production is deployed, and one service fails")
    failure = stage.description["failure"]
    stage.simulation.rules.add(**failure)
    run = stage.environment("production").deploy()
    stage.play()
    say(f"  {run}")
    say(f"  {failure['name']}: {reason_of(run)}")


def reason_of(run: orlop.Deployment) -> str:
    """Returns the reason of the failed step."""
    for event in run.events():
        reason = event.get("detail", {}).get("reason")
        if event["kind"] == "step.ended" and reason:
            return str(reason)
    return "no reason was given"


def act_three(stage: Stage) -> None:
    repair = stage.description["repair"]
    say(f"Act 3. {repair['container']} is repaired by an edit, and production is deployed again; development too")
    production = stage.environment("production")
    production.containers.find(repair["container"]).edit(tag=repair["tag"])
    run = production.deploy()
    other = stage.environment("development").deploy()
    stage.play()
    say(f"  {run}\n  {other}")
    statuses = production.statuses()
    fresh = [
        entry["service_deployment_status"]
        for kind, entries in statuses.items()
        if kind != "environment"
        for entry in entries
    ]
    say(
        f"  production is {statuses['environment']['state']}: {fresh.count('UP_TO_DATE')} of {len(fresh)} "
        f"services are up to date"
    )


def act_four(stage: Stage) -> None:
    say("Act 4. Staging is cloned from production and deployed, and the process dies in the middle")
    organization = stage.organization()
    warsaw: Cluster = organization.clusters.find("warsaw")
    staging = stage.environment("production").clone(name="staging", mode="STAGING", cluster_id=warsaw.id)
    stage.learn()
    staging.deploy()
    stage.kill_at = stage.simulation.clock.now() + timedelta(seconds=stage.description["kill_after_seconds"])
    stage.play()


def act_five(stage: Stage) -> None:
    say("Act 5. A new process opens the file, finds the deployment where it was, and ends it; then staging is stopped")
    stage.learn()
    staging = stage.environment("staging")
    states = [
        entry["state"] for kind, entries in staging.statuses().items() if kind != "environment" for entry in entries
    ]
    say(
        f"  {stage.simulation.clock.now():%H:%M:%S}  staging is {staging.state}: {states.count('DEPLOYED')} of "
        f"{len(states)} services are deployed"
    )
    stage.play()
    say(f"  staging is {staging.state}")
    run = staging.stop()
    stage.play()
    say(f"  {run}")


ACTS: tuple[Callable[[Stage], None], ...] = (act_one, act_two, act_three, act_four, act_five)


def epilogue(stage: Stage, page: Path) -> None:
    """Writes the timeline of all states to a page."""
    order = list(stage.names.values())
    groups = {group: number for number, group in reversed(list(enumerate(group for group, _ in order)))}
    names = dict(sorted(stage.names.items(), key=lambda item: groups[item[1][0]]))
    timeline = Timeline.of(stage.simulation.events(), names, title=stage.description["organization"]["name"])
    timeline.save(page)
    stage.simulation.report(title=f"{stage.description['organization']['name']}: the demo").save(
        page.with_name("report.html")
    )
    say(timeline.text(width=132))


def perform(file: Path, first: int, last: int, seed: int) -> None:
    """Plays the acts from `first` to `last` in this process."""
    description = json.loads(PLATFORM.read_text(encoding="utf-8"))
    with orlop.Simulation(file, seed=seed) as simulation:
        stage = Stage(simulation, description)
        for act in ACTS[first - 1 : last]:
            act(stage)
            say()
        if last == len(ACTS):
            epilogue(stage, file.with_name("timeline.html"))
            say()
            say("It answers over HTTP as well. Serve it, and ask from a second shell how production is:")
            say(f"  {shlex.join([str(shown(Path(sys.executable))), '-m', 'orlop', 'serve', str(file), '--sim'])}")
            say(f"  curl -s http://127.0.0.1:8080/environment/{stage.environment('production').id}/status")


def shown(path: Path) -> Path:
    """Returns the path relative to the current directory if it lies below it; else the path itself."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def in_process(arguments: argparse.Namespace, first: int, last: int) -> int:
    """Plays the acts in another process and returns its exit code."""
    command = [sys.executable, __file__, "--directory", str(arguments.directory), "--seed", str(arguments.seed)]
    return subprocess.run([*command, "--acts", f"{first}-{last}"], check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--directory", type=Path, default=Path("build/demo"), help="where the database and the timeline are written"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the random values")
    parser.add_argument("--acts", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    file = arguments.directory / "platform.db"
    if arguments.acts:
        first, last = map(int, arguments.acts.split("-"))
        perform(file, first, last, arguments.seed)
        return 0
    arguments.directory.mkdir(parents=True, exist_ok=True)
    for old in arguments.directory.glob("platform.db*"):
        old.unlink()
    if in_process(arguments, 1, 4) != -signal.SIGKILL:
        say("the first process was to be killed, and was not")
        return 1
    if in_process(arguments, 5, 5) != 0:
        return 1
    say()
    say(
        "Variables, a secret, an alias and a custom domain, and what the driver of one step is given "
        "(examples/python/variables.py)"
    )
    runpy.run_path(str(VARIABLES))
    say()
    say("A month of a platform with prices, nights, an alert and a backup (examples/month.py)")
    month = arguments.directory / "month.html"
    subprocess.run([sys.executable, str(MONTH), "--page", str(month)], check=True)
    say()
    say(
        f"The database is {file} (open it with the sqlite3 shell), the timeline as a page "
        f"{file.with_name('timeline.html')}, the month {month},"
    )
    say(f"and the report of the run {file.with_name('report.html')}: zoom, search and log lines, without a network.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
