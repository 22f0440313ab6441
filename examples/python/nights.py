"""An environment that stops at seven in the evening and starts at eight, on weekdays; a week passes in milliseconds."""

import orlop

with orlop.Simulation(seed=9, start="2026-03-27T12:00:00Z") as platform:  # a Friday; summer time begins on Sunday
    platform.rules.add(step="deploy", after="2m")
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="staging", cluster_id=europe.id)
    stock = shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    shop.deploy().wait()
    rule = {
        "auto_stop": True,
        "timezone": "Europe/Paris",
        "start_time": "1970-01-01T08:00:00Z",
        "stop_time": "1970-01-01T19:00:00Z",
        "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"],
    }
    platform.request("PUT", f"/environment/{shop.id}/deploymentRule/{shop.id}", rule).raise_for_status()
    platform.clock.advance(days=4)
    for event in platform.events.where(subject=stock):
        if event.get("to") in ("DEPLOYED", "STOPPED"):
            print(event["at"], event["to"])
