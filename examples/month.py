"""A month of a platform in virtual time: environments that cost money, nights in which one is stopped, an alert, a
backup; at the end a page and an invoice.

The simulation option `billing` sets the prices. The metrics of the cluster are scripted: its memory fills up on one
morning.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import orlop
from orlop.reporting.month import Month, Note, costs_of, page, stops_of
from orlop import Timeline

TERMS = (
    "currency=EUR",
    "plan.TEAM_2025=49",
    "instance_hour=0.021",
    "cluster_hour=0.12",
    "build_minute=0.01",
    "credit.WELCOME=25",
)
BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)
HOURS = {
    "timezone": "Europe/Paris",
    "start_time": "1970-01-01T08:00:00Z",
    "stop_time": "1970-01-01T19:00:00Z",
    "auto_stop": True,
}
WEEKDAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
SERVICES = {"production": (("api", 3), ("web", 2)), "development": (("api", 1), ("web", 1))}
ALERT_WORDS = {
    "TRIGGERED": "the condition holds",
    "PENDING_NOTIFICATION": "fires",
    "NOTIFIED": "its receiver was sent a message",
    "OK": "resolved",
}


def metrics(value: float) -> str:
    """Returns an answer of a metrics store in the format of Prometheus."""
    return json.dumps(
        {"status": "success", "data": {"resultType": "vector", "result": [{"metric": {}, "value": [1, str(value)]}]}}
    )


class Platform:
    """The platform of the example."""

    def __init__(self, simulation: orlop.Simulation) -> None:
        self.simulation = simulation
        self.names: dict[str, tuple[str, str]] = {}
        simulation.externals.add("query_cluster_metrics", metrics(0.5))
        simulation.externals.add("send_alert", "")
        self.organization = simulation.organizations.create(name="Harbour Goods", plan="TEAM_2025")
        self.home = f"/organization/{self.organization.id}"
        self.ask("POST", f"{self.home}/creditCode", {"code": "WELCOME"})
        self.cluster = self.organization.clusters.create(
            name="frankfurt", region="eu-central-1", cloud_provider="AWS"
        ).deploy()
        registry = self.organization.container_registries.create(
            name="images", kind="DOCKER_HUB", config={"username": "a", "password": "b"}
        )
        project = self.organization.projects.create(name="web shop")
        self.environments = {}
        for name, services in SERVICES.items():
            environment = project.environments.create(
                name=name, mode="PRODUCTION" if name == "production" else "DEVELOPMENT", cluster_id=self.cluster.id
            )
            for service, instances in services:
                made = environment.containers.create(
                    name=service,
                    registry_id=registry.id,
                    image_name=f"harbour/{service}",
                    tag="1.0",
                    min_running_instances=instances,
                    max_running_instances=instances,
                    healthchecks={},
                )
                self.names[made.id] = (name, service)
            self.environments[name] = environment
        self.database = self.environments["production"].databases.create(
            name="orders", type="POSTGRESQL", version="16", mode="CONTAINER"
        )
        self.names[self.database.id] = ("production", "orders")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return self.simulation.request(method, path, body).check()

    def begin(self) -> None:
        """Deploys both environments, sets the schedule of development, and adds an alert for the memory of the
        cluster."""
        for environment in self.environments.values():
            environment.deploy().wait()
        development = self.environments["development"].id
        self.ask("PUT", f"/environment/{development}/deploymentRule/{development}", {**HOURS, "weekdays": WEEKDAYS})
        receiver = self.ask(
            "POST",
            "/alert-receivers",
            {
                "organization_id": self.organization.id,
                "name": "team",
                "description": "",
                "type": "SLACK",
                "send_resolved": True,
                "webhook_url": "https://hooks.slack.com/services/T1/B1/x",
            },
        )
        self.ask(
            "POST",
            "/alert-rules",
            {
                "organization_id": self.organization.id,
                "cluster_id": self.cluster.id,
                "name": "memory of frankfurt",
                "description": "",
                "tag": "",
                "condition": {
                    "kind": "CUSTOM",
                    "operator": "ABOVE",
                    "threshold": 0.9,
                    "function": "MAX",
                    "promql": "memory_used / memory_limit",
                },
                "for_duration": "PT5M",
                "severity": "HIGH",
                "presentation": {"summary": "The memory is nearly full."},
                "enabled": True,
                "alert_receiver_ids": [receiver["id"]],
                "target": {"target_type": "CLUSTER", "target_id": self.cluster.id},
            },
        )

    def until(self, day: int, hour: int = 0) -> None:
        """Advances the clock to this hour of this day of January; day 32 is the first of February."""
        passed = (self.simulation.clock.now() - BEGIN).total_seconds()
        self.simulation.clock.advance(seconds=(day - 1) * 86_400 + hour * 3600 - passed)

    def live(self) -> None:
        """Plays the month."""
        self.until(10, 3)
        self.ask(
            "POST", f"/database/{self.database.id}/backup", {"name": "before the migration", "message": "Schema 12."}
        )
        self.until(14, 10)
        self.simulation.externals.add("query_cluster_metrics", metrics(0.97))
        self.simulation.clock.advance(minutes=20)
        self.simulation.externals.add("query_cluster_metrics", metrics(0.61))
        self.until(32, 1)

    def month(self) -> tuple[Month, Timeline]:
        """Returns the costs and the timeline of January."""
        events = [event for event in self.simulation.events() if event["at"] < "2026-02-01"]
        timeline = Timeline.of(events, self.names, title="January 2026")
        invoice = self.ask("GET", f"{self.home}/invoice")["results"][-1]
        usage = self.ask("GET", f"{self.home}/usage")["results"]
        changes = [
            event for event in events if event.get("from") and event["family"] in ("alert_rule", "database_backup")
        ]
        alerts = [event for event in changes if event["family"] == "alert_rule" and event["from"] != "UNDEPLOYED"]
        backups = [event for event in changes if event["family"] == "database_backup"]
        month = Month(
            title=f"{self.organization.name}, January 2026",
            currency=invoice["currency_code"],
            costs=costs_of(usage),
            lines=[(line["text"], line["quantity"], line["amount"]) for line in invoice["lines"]],
            alerts=[Note(event["at"], "memory of frankfurt", ALERT_WORDS[event["to"]]) for event in alerts],
            stops=stops_of(timeline, SERVICES),
            backups=[Note(event["at"], "orders", event["to"].lower()) for event in backups],
        )
        return month, timeline


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--page", type=Path, default=Path("build/demo/month.html"), help="where the page is written")
    arguments = parser.parse_args()
    with orlop.Simulation(seed=1, billing=TERMS) as simulation:
        platform = Platform(simulation)
        platform.begin()
        platform.live()
        month, timeline = platform.month()
    arguments.page.parent.mkdir(parents=True, exist_ok=True)
    arguments.page.write_text(page(month, timeline), encoding="utf-8")
    for cost in month.costs:
        print(
            f"  {cost.scope.lower():<12} {cost.name:<12} {cost.hours:8.1f} hours  {cost.amount:8.2f} {month.currency}"
        )
    print(f"  invoice: {sum(amount for _, _, amount in month.lines):.2f} {month.currency}")
    for name, count, seconds in month.stops:
        print(f"  {name}: stopped {count} times, {seconds / 3600:.0f} hours in all")
    for note in [*month.alerts, *month.backups]:
        print(f"  {note.at[:16].replace('T', ' ')}  {note.name}: {note.words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
