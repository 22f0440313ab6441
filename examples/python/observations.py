"""A driver that is asked what runs: one instance of the service is killed, and starts again."""

from __future__ import annotations

import orlop


class Fleet(orlop.Driver):
    """Stands for the system that runs the workloads."""

    crashed = False

    def observe(self, subjects: orlop.Subjects) -> dict[str, orlop.Observation]:
        if self.crashed:
            seen = orlop.Observation("WARNING", wanted=2, ready=1, failing=1, last_exit_code=137, reason="OOMKilled")
        else:
            seen = orlop.Observation("RUNNING", wanted=2, ready=2)
        return dict.fromkeys(subjects.services, seen)


fleet = Fleet()
with orlop.Simulation(seed=7, driver=fleet) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="live", cluster_id=europe.id)
    orders = shop.databases.create(name="orders", type="REDIS", version="7", mode="CONTAINER")
    shop.deploy().wait()

    for fleet.crashed in (False, True, False):
        platform.clock.advance(minutes=1)
        status = orders.status()
        print(status["running_state"], status["observation"])

    for event in platform.events():
        if event["kind"] == "service.running_changed":
            print(event["from"] if "from" in event else "-", "->", event["to"], event["detail"].get("health", ""))
