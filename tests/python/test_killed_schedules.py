"""kill -9 of a process, and a disk that is repeatedly full, while schedules are due: months end, backups are made and
deleted, cron jobs run, Argo CD is asked, alerts fire, a deployment rule stops an environment at night. A message that a
receiver or a payment provider gets twice has the same identity; everything else happens once, and nothing is
omitted."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import orlop

KILLS = int(os.environ.get("ORLOP_SCHEDULE_KILLS", "12"))
SEED = int(os.environ.get("ORLOP_SEED", "1"))
BEGIN, END = "2026-01-30T17:00:00Z", "2026-02-02T12:00:00Z"  # Friday to Monday
TERMS = ("currency=EUR", "plan.TEAM=31", "instance_hour=0.5")
RUNS_EVERY = 4  # hours

# Each line that it prints is a moment to kill it at; "asked" lines record what left the process.
PROGRAM = textwrap.dedent("""
    import glob, json, os, resource, sys
    from datetime import datetime
    import orlop

    store, seed, begin, end, terms, runs_every, disk = sys.argv[1], int(sys.argv[2]), *sys.argv[3:5], sys.argv[5].split(), *sys.argv[6:]
    until = datetime.fromisoformat(end.replace("Z", "+00:00"))

    def say(*words):
        print(*words, flush=True)

    def limit(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    class Outside(orlop.ExternalSystems):
        day = 0

        def query_cluster_metrics(self, question):
            at = question["parameters"]["time"]
            burns = at[11:13] == "10"  # each day, from 10 to 11 o'clock
            say("metrics", at)
            sample = {"metric": {}, "value": [1, "0.97" if burns else "0.5"]}
            return json.dumps({"status": "success", "data": {"resultType": "vector", "result": [sample]}})

        def send_alert(self, question):
            say("asked", "alert", question["rule"]["id"], question["starts_at"], question["is_resolved"])
            return ""

        def charge_invoice(self, question):
            say("asked", "charge", question["invoice_id"], question["total_in_cents"])
            return ""

        def list_argocd_applications(self, question):
            say("argocd", self.day)
            synced = f"2026-01-{self.day:02}T00:00:00Z"
            return [
                {"name": f"app-{number}", "project": "argo", "namespace": "gitops", "argocd_cluster_url": "https://kubernetes.default.svc", "health": "HEALTHY",
                 "sync_status": "SYNCED", "last_synced_at": synced, "manifest_revision": str(self.day)}
                for number in range(self.day, self.day + 30)
            ]

    outside = Outside()
    options = dict(require_cluster=False, billing=terms, external_systems=outside)
    with orlop.Simulation(seed=seed, storage=store, start=begin, **options) as platform:
        ask = lambda method, path, body=None: platform.request(method, path, body).check()
        clock = platform.clock
        if not list(platform.organizations):
            organization = platform.organizations.create(name="acme", plan="TEAM")
            home = f"/organization/{organization.id}"
            ask("POST", home + "/creditCard", {"number": "4242 4242 4242 4242", "cvv": "123", "expiry_month": 12, "expiry_year": 2090, "token": "tok"})
            registry = organization.container_registries.create(name="r", kind="DOCKER_HUB", config={})
            cluster = organization.clusters.create(name="c", region="eu-west-3", cloud_provider="AWS")
            project = organization.projects.create(name="p")
            always, days = (project.environments.create(name=name, cluster_id=cluster.id) for name in ("always", "days"))
            image = dict(registry_id=registry.id, image_name="a", tag="1")
            for environment in (always, days):
                environment.containers.create(name="web", healthchecks={}, **image)
            always.jobs.create(name="report", source={"image": image}, schedule={"cronjob": {"timezone": "Etc/UTC", "scheduled_at": f"0 */{runs_every} * * *"}}, healthchecks={})
            always.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
            for environment in (always, days):
                environment.deploy().wait()
            hours = {"timezone": "UTC", "start_time": "1970-01-01T08:00:00Z", "stop_time": "1970-01-01T19:00:00Z", "auto_stop": True}
            weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
            ask("PUT", f"/environment/{days.id}/deploymentRule/{days.id}", {**hours, "weekdays": weekdays})
            receiver = ask("POST", "/alert-receivers", {"organization_id": organization.id, "name": "team", "description": "", "type": "SLACK", "send_resolved": True,
                                                        "webhook_url": "https://hooks.slack.com/services/T1/B1/x"})
            ask("POST", "/alert-rules", {
                "organization_id": organization.id, "cluster_id": cluster.id, "name": "memory", "description": "", "tag": "",
                "condition": {"kind": "CUSTOM", "operator": "ABOVE", "threshold": 0.9, "function": "MAX", "promql": "memory"}, "for_duration": "PT5M", "severity": "HIGH",
                "presentation": {"summary": ""}, "enabled": True, "alert_receiver_ids": [receiver["id"]], "target": {"target_type": "CLUSTER", "target_id": cluster.id}})
            ask("POST", home + "/argoCdDestinationClusterMapping",
                {"agent_cluster_id": cluster.id, "argocd_cluster_url": "https://kubernetes.default.svc", "cluster_id": cluster.id})
            outside.day = 1
            ask("POST", f"/cluster/{cluster.id}/argoCdConfig", {"argocd_url": "https://argocd.example.com", "argocd_token": "t"})
            platform.run_until_idle()
            say("furnished")
            if seed == 0:
                sys.exit()
        [organization] = platform.organizations
        database = organization.projects.find("p").environments.find("always").databases.find("orders")
        first = datetime.fromisoformat(begin.replace("Z", "+00:00"))
        made = sum(event["kind"] == "database_backup.created" for event in platform.events())
        while clock.now() < until:
            passed = (clock.now() - first).days
            outside.day = 1 + passed
            if made <= passed:
                say("backup", made)
                ask("POST", f"/database/{database.id}/backup", {"name": f"day {made}", "message": "", "ttl_in_days": 1})
                made += 1
                say("made", made)
            if disk == "full" and (until - clock.now()).total_seconds() > 3 * 5 * 60:
                limit(max(map(os.path.getsize, glob.glob(store + "*"))) + 4096)
                for part in range(3):
                    try:
                        clock.advance(minutes=5)
                    except orlop.StorageError as error:
                        say("refused", error.code)
                limit(resource.RLIM_INFINITY)
            clock.advance(minutes=min(30.0, (until - clock.now()).total_seconds() / 60))
            say("passed", clock.now().isoformat())
        platform.run_until_idle()
        say("ended")
""")


def run(store: Path, seed: int, lines_max: int | None = None, disk: str = "") -> list[str]:
    """Runs the program and returns its lines. Kills it after `lines_max` lines."""
    arguments = [str(store), str(seed), BEGIN, END, " ".join(TERMS), str(RUNS_EVERY), disk]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if len(said) == lines_max:
                process.kill()
                break
        said += process.stdout.readlines()
        code = process.wait()
        assert code == 0 or (lines_max is not None and code < 0), process.stderr.read()
    return [line.strip() for line in said if line.endswith("\n")]


def asked(said: list[str], what: str) -> Counter[str]:
    begin = f"asked {what} "
    return Counter(line.removeprefix(begin) for line in said if line.startswith(begin))


@dataclass
class Outcome:
    """State of the platform at the end. `once` does not depend on the kills."""

    invoices: dict[str, int]  # cents by ID
    once: dict[str, Any]


def outcome_of(store: Path) -> Outcome:
    with orlop.Simulation(seed=9, storage=store, require_cluster=False, billing=TERMS) as platform:
        [organization] = platform.organizations
        events = platform.events()
        days = organization.projects.find("p").environments.find("days")
        history = platform.request("GET", f"/environment/{days.id}/deploymentHistoryV2").check()["results"]
        invoices = platform.request("GET", f"/organization/{organization.id}/invoice").check()["results"]
        assert platform.check() == []

    def kinds(family: str) -> Counter[str]:
        return Counter(
            f"{event['kind']} {event.get('to') or ''}".strip() for event in events if event["family"] == family
        )

    return Outcome(
        invoices={invoice["id"]: invoice["total_in_cents"] for invoice in invoices},
        once={
            "invoices": [(invoice["period_start"][:7], invoice["status"]) for invoice in invoices],
            "cron jobs": kinds("job_run"),
            "alerts": [
                (event["from"], event["to"]) for event in events if event["family"] == "alert_rule" and event.get("to")
            ],
            "backups": kinds("database_backup"),
            "applications": kinds("argocd_app"),
            "nights": [
                (entry["trigger_action"], entry["status"])
                for entry in history
                if entry["auditing_data"]["triggered_by"] == "deployment rule"
            ],
        },
    )


@pytest.fixture(name="whole", scope="module")
def whole_fixture(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Outcome]:
    """Returns the lines and the outcome of an undisturbed run."""
    store = tmp_path_factory.mktemp("whole") / "platform.db"
    said = run(store, 1)
    expected = outcome_of(store)
    assert said[-1] == "ended"
    assert expected.once["invoices"] == [("2026-01", "PAID")] and expected.once["nights"] == [
        ("DEPLOY", "DEPLOYED"),
        ("STOP", "STOPPED"),
    ]
    assert len(expected.once["alerts"]) == 1 + 4 * 3 and expected.once["backups"]["database_backup.deleted"] == 2
    assert (
        expected.once["cron jobs"]["task.succeeded SUCCEEDED"] == 17
        and expected.once["applications"]["argocd_app.deleted"] == 2
    )
    return said, expected


def check(said: list[str], found: Outcome, whole: tuple[list[str], Outcome], repeats_max: int) -> None:
    """Compares a run with the undisturbed one. A question whose answer was lost is repeated literally, at most
    `repeats_max` times."""
    undisturbed, expected = whole
    assert found.once == expected.once
    charges, alerts = asked(said, "charge"), asked(said, "alert")
    assert charges.keys() == {f"{invoice} {cents}" for invoice, cents in found.invoices.items()}
    assert {line.partition(" ")[2] for line in alerts} == {
        line.partition(" ")[2] for line in asked(undisturbed, "alert")
    } and len(alerts) == 6
    assert charges.total() - len(charges) + alerts.total() - len(alerts) <= repeats_max
    # The usage is on the invoice, to within a few minutes of a status.
    assert sum(found.invoices.values()) == pytest.approx(sum(expected.invoices.values()), rel=0.01)


def test_killed_at_random_moments_of_its_schedules(tmp_path: Path, whole: tuple[list[str], Outcome]) -> None:
    store, chosen, kills = tmp_path / "killed.db", random.Random(SEED), 0
    said = run(store, 0)
    while said[-1] != "ended":
        said += run(store, 2 + kills, chosen.randrange(1, 2 * len(whole[0]) // KILLS))
        kills += said[-1] != "ended"
    assert kills >= KILLS // 2
    check(said, outcome_of(store), whole, kills)


def test_a_disk_that_is_full_again_and_again(tmp_path: Path, whole: tuple[list[str], Outcome]) -> None:
    said = run(tmp_path / "full.db", 1, disk="full")
    refused = said.count("refused storage_failed")
    assert refused > 20 and said[-1] == "ended"
    check(said, outcome_of(tmp_path / "full.db"), whole, refused)
