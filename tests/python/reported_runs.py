"""Two runs for reports: one with a failed deployment and a crash, and one that succeeds."""

from __future__ import annotations

from orlop.reporting.run_data import Trace
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play

CRASHES = """\
rules:
  - {rule: quota, step: deploy, name: db-2, times: 1, fails: "no room"}
  - {step: deploy, name: db-1, after: 1m, running: RUNNING, crash_after: 20m}
resources:
  - {family: organization, name: acme, plan: FREE}
  - {family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}
  - {family: project, name: shop}
  - {family: environment, name: production, cluster_id: "{europe}"}
  - {family: database, count: 2, name: "db-{n}", type: POSTGRESQL, version: "16", mode: CONTAINER}
actions:
  - {every: 1h, times: 2, deploy: production}
  - {at: 4h, hold: production}
until: 4h
"""
WELL = CRASHES.replace('times: 1, fails: "no room"', "after: 1m").replace(", crash_after: 20m", "")


def traced(text: str, label: str = "seed 1") -> Trace:
    run = play(document.parse(text.encode()), 1, "names")
    return Trace(label, run.events, run.subjects, run.begin + run.outcome.seconds)
