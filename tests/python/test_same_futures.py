"""A fork, an engine opened from a snapshot and a simulation that returns to it continue as their origin does: the same
events, whatever runs, waits or is lost at that instant, and whatever is requested later.

The requests depend on a number: `python tests/python/test_same_futures.py FIRST COUNT` runs COUNT of them, and
`ORLOP_SEED` sets the number with which the test begins.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import orlop

FIRST = int(os.environ.get("ORLOP_SEED", "1"))
COUNT = 150
WAYS = ("fork", "restore", "reopen", "load")

Action = tuple[str, str, Any]
Outcome = tuple[int, Any]

STEPS = ("deploy", "restart", "stop", "delete")
DURATIONS = (
    "0s",
    "20s",
    "90s",
    "7m",
    "40m",
    {"distribution": "lognormal", "median": "60s", "sigma": 0.7},
    {"distribution": "uniform", "least": "10s", "most": "30m"},
)
TRANSITIONS = ("immediate", "manual", "after 2 reads", "30s", "12m", None)


class Course:
    """Random requests to a simulation. They depend only on the number and on the ids in the answers."""

    def __init__(self, simulation: orlop.Simulation, number: int) -> None:
        self.simulation, self.chosen = simulation, random.Random(number)
        acme = simulation.organizations.create(name="acme", plan="FREE")
        self.organization = acme.id
        self.clusters = [
            acme.clusters.create(name=name, region="eu-west-3", cloud_provider="AWS").deploy().wait().id
            for name in ("europe", "america")
        ]
        self.registry = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={}).id
        project = acme.projects.create(name="shop")
        self.project = project.id
        self.environments = [
            project.environments.create(name=name, cluster_id=cluster).id
            for name, cluster in zip(
                ("production", "staging", "preview"), (*self.clusters, self.clusters[0]), strict=True
            )
        ]
        self.services: list[tuple[str, str]] = []
        self.made = 0
        acme.webhooks.create(
            kind="STANDARD",
            target_url="https://ci.example.com/1",
            events=["DEPLOYMENT_STARTED", "DEPLOYMENT_SUCCESSFUL", "DEPLOYMENT_FAILURE"],
        )
        for _ in range(5):
            self.go_on(self.service())

    def duration(self) -> Any:
        return self.chosen.choice(DURATIONS)

    def service(self) -> Action:
        self.made += 1
        family = self.chosen.choice(("container", "database", "job"))
        body: dict[str, Any] = {
            "name": f"s{self.made}",
            "cpu": self.chosen.choice((250, 1500, 2500)),
            "memory": self.chosen.choice((512, 3000)),
        }
        if family == "container":
            body |= {
                "registry_id": self.registry,
                "image_name": "acme/web",
                "tag": "1",
                "healthchecks": {},
                "min_running_instances": 1,
                "max_running_instances": self.chosen.choice((1, 3)),
            }
        elif family == "database":
            body |= {"type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}
        else:
            body |= {
                "healthchecks": {},
                "source": {"image": {"registry_id": self.registry, "image_name": "i", "tag": "1"}},
                "schedule": {"on_start": {}},
            }
        return "POST", f"/environment/{self.chosen.choice(self.environments)}/{family}", body

    def rule(self) -> Action:
        rule: dict[str, Any] = {"step": self.chosen.choice(STEPS), "after": self.duration()}
        if self.chosen.random() < 0.4:
            rule["kind"] = self.chosen.choice(("container", "database", "job"))
        if self.chosen.random() < 0.2:
            rule |= {"step": "deploy", "cluster": "europe"}
        drawn_members: dict[str, Callable[[], Any]] = {
            "delay": self.duration,
            "cancel_after": self.duration,
            "jitter": lambda: "50s",
            "fails": lambda: "flaky",
            "probability": lambda: 0.5,
            "times": lambda: 2,
            "every": lambda: 2,
            "crash_after": self.duration,
            "running": lambda: "RUNNING",
            "hold": lambda: self.chosen.choice(("start", "begin", "end", "cancel")),
            "progress": lambda: [{"after": "15s", "text": "pulling"}, {"after": "100s", "text": "pulled"}],
            "recap_after": lambda: "30s",
            "over": lambda: 2,
        }
        for member, drawn in drawn_members.items():
            if self.chosen.random() < 0.12:
                rule[member] = drawn()
        if self.chosen.random() < 0.15:
            rule |= {"contact_lost_after": "10s", "contact_back_after": self.duration()}
        if self.chosen.random() < 0.1:
            rule |= {"outcome": "hang"}
            rule.pop("fails", None)
        return "POST", "/-/sim/rules", rule

    def request_rule(self) -> Action:
        rule: dict[str, Any] = {"kind": self.chosen.choice(("environment", "cluster"))}
        rule |= self.chosen.choice(({"parallel": 1}, {"queued": "3m"}, {"queued": "1m", "parallel": 1}))
        return "POST", "/-/sim/rules", rule

    def capacity(self) -> Action:
        cluster = self.chosen.choice(self.clusters)
        kind = self.chosen.random()
        if kind < 0.08:
            return "DELETE", "/-/sim/capacity", None
        if kind < 0.5:
            lost = {"cluster": cluster, "lose": self.chosen.choice((1, 1, 2))}
            return (
                "POST",
                "/-/sim/capacity",
                lost | ({"for": self.chosen.choice(("2m", "30m"))} if self.chosen.random() < 0.6 else {}),
            )
        nodes = self.chosen.choice((0, 1, 2, 3))
        return (
            "POST",
            "/-/sim/capacity",
            {
                "cluster": cluster,
                "nodes": nodes,
                "nodes_max": nodes + self.chosen.choice((0, 2)),
                "cpu": 4,
                "memory": "6GiB",
                "scale_down_after": "5m",
            },
        )

    def of_service(self) -> Action:
        family, id = self.chosen.choice(self.services)
        draw = self.chosen.random()
        if draw < 0.1:
            return "DELETE", f"/{family}/{id}", None
        if draw < 0.3:
            return "GET", f"/{family}/{id}/status", None
        return "POST", f"/{family}/{id}/{self.chosen.choice(('deploy', 'redeploy', 'stop'))}", None

    def of_environment(self) -> Action:
        environment = self.chosen.choice(self.environments)
        act = self.chosen.choice(
            ("deploy", "deploy", "deploy", "redeploy", "stop", "cancelDeployment", "cancelDeployment")
        )
        return (
            "POST",
            f"/environment/{environment}/{act}",
            {"force_cancel": self.chosen.random() < 0.3} if act == "cancelDeployment" else None,
        )

    def of_cluster(self) -> Action:
        return (
            "POST",
            f"/organization/{self.organization}/cluster/{self.chosen.choice(self.clusters)}/"
            f"{self.chosen.choice(('deploy', 'deploy', 'stop'))}",
            None,
        )

    def state(self) -> Action:
        resource = self.chosen.choice([id for _, id in self.services] + self.environments + self.clusters)
        body: dict[str, Any] = {"resource": resource}
        kind = self.chosen.random()
        if kind < 0.5:
            body["hold"] = True
        elif kind < 0.65:
            body["state"] = self.chosen.choice(("DEPLOYING", "RECAP", "DEPLOYED", "DEPLOYMENT_ERROR", "STOPPED"))
        if kind < 0.65 and self.chosen.random() < 0.5:
            body["for"] = self.chosen.choice(("1m", "15m"))
        return "POST", "/-/sim/state", body

    def fault(self) -> Action:
        if self.chosen.random() < 0.3:
            return "DELETE", "/-/sim/faults", None
        fault: dict[str, Any] = {"operation": self.chosen.choice(("deploy_*", "get_*", "*"))}
        fault |= self.chosen.choice(({"status": 503}, {"latency": "20s"}, {"drop": True}, {"stale": "1m"}))
        fault |= self.chosen.choice(({"probability": 0.4}, {"nth": 2}, {"times": 1}))
        return "POST", "/-/sim/faults", fault

    def receiver(self) -> Action:
        return (
            "",
            "receiver",
            self.chosen.choice(({"status": 503, "times": 2}, {"status": 0, "times": 1}, {"status": 200})),
        )

    def time(self) -> Action:
        if self.chosen.random() < 0.1:
            return "POST", "/-/sim/clock", {"until_idle": True, "timeout": "3h"}
        return "POST", "/-/sim/clock", {"advance": self.chosen.choice(("1s", "10s", "30s", "1m", "100s", "11m", "45m"))}

    def action(self) -> Action:
        weighted: list[tuple[int, Callable[[], Action]]] = [
            (8, self.time),
            (5, self.of_environment),
            (4, self.of_service),
            (2, self.rule),
            (1, self.request_rule),
            (3, self.capacity),
            (1, self.service),
            (1, self.of_cluster),
            (2, self.state),
            (1, self.fault),
            (1, self.receiver),
            (1, lambda: ("DELETE", "/-/sim/rules", None)),
            (
                2,
                lambda: (
                    "POST",
                    "/-/sim/rules",
                    {
                        "transitions": {
                            self.chosen.choice(("container", "database", "job", "cluster")): self.chosen.choice(
                                TRANSITIONS
                            )
                        }
                    },
                ),
            ),
            (
                1,
                lambda: ("POST", "/-/sim/rules", {"pack": self.chosen.choice(("instant", "realistic", "chaos", None))}),
            ),
            (1, lambda: ("POST", "/-/sim/record", {"record": self.chosen.choice(("all", "all", "all", "states"))})),
        ]
        return self.chosen.choices([draw for _, draw in weighted], [weight for weight, _ in weighted])[0]()

    def go_on(self, action: Action) -> Outcome:
        outcome = act(self.simulation, action)
        if outcome[0] == 201 and action[1].startswith("/environment/"):
            self.services.append((action[1].rsplit("/", 1)[1], outcome[1]["id"]))
        return outcome


def act(simulation: orlop.Simulation, action: Action) -> Outcome:
    method, path, body = action
    if path == "receiver":
        simulation.receivers.add(**body)
        return 204, None
    reply = simulation.request(method, path, body)
    return reply.status, reply.json() if reply.body else None


def ends(simulation: orlop.Simulation) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Runs to the end; returns the events, and the lines of the snapshot but for the first, which counts secrets:
    snapshots hold no plain ones."""
    simulation.request("POST", "/-/sim/clock", {"until_idle": True, "timeout": "9h"}).check()
    return simulation.events(), bytes(simulation.snapshot()).splitlines()[1:]


def run(number: int, way: str) -> None:
    """Raises AssertionError at the first difference."""
    chosen = random.Random(f"{number} {way}")
    with orlop.Simulation(seed=number) as origin:
        course = Course(origin, number)
        for _ in range(chosen.randrange(5, 40)):
            course.go_on(course.action())
        before = origin.snapshot()
        copies = [origin.fork()] if way == "fork" else []
        if way == "reopen":
            copies.append(orlop.Simulation(seed=number, snapshot=bytes(before)))
        if way == "load":
            copies.append(orlop.Simulation(seed=number))
            copies[0].restore(bytes(before))
        for copy in copies:
            copy.tick()  # rules that are added earlier apply to running steps
        later: list[tuple[Action, Outcome]] = []
        for _ in range(chosen.randrange(4, 30)):
            action = course.action()
            later.append((action, course.go_on(action)))
        expected = ends(origin)
        if way == "restore":
            origin.restore(before)
            copies.append(origin)
        for copy in copies:
            with copy:
                for at, (action, outcome) in enumerate(later):
                    assert act(copy, action) == outcome, f"{way} {number}: answer {at} to {action}"
                assert_same(ends(copy), expected, f"{way} {number}")


def assert_same(
    found: tuple[list[dict[str, Any]], list[bytes]], expected: tuple[list[dict[str, Any]], list[bytes]], what: str
) -> None:
    for left, right in zip(found[0], expected[0], strict=False):
        assert left == right, f"{what}: an event"
    assert len(found[0]) == len(expected[0]), f"{what}: the number of events"
    for one, other in zip(found[1], expected[1], strict=True):
        assert one == other, f"{what}: a line of the snapshot"


def numbers() -> Iterator[int]:
    yield from range(FIRST, FIRST + COUNT)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_future(way: str) -> None:
    for number in numbers():
        run(number, way)


if __name__ == "__main__":
    wrong = 0
    for each in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        for how in sys.argv[3:] or WAYS:
            try:
                run(each, how)
            except AssertionError as error:
                wrong += 1
                print(str(error)[:1500], flush=True)
    print(json.dumps({"wrong": wrong}))
