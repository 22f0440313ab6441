"""A cluster with two small nodes: a service waits for room, the cluster grows and loses a node; the costs are
computed."""

import orlop
from orlop.reporting.capacity_data import cost_of

with orlop.Simulation(seed=8) as platform:
    platform.rules.add(step="deploy", after="1m", running="RUNNING")
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    databases = [
        shop.databases.create(
            name=f"db-{number}", type="POSTGRESQL", version="16", mode="CONTAINER", cpu=1500, memory=2048
        )
        for number in (1, 2, 3)
    ]
    platform.capacity(europe, nodes=2, nodes_max=3, cpu=2, memory="8GiB", price=0.4)

    shop.deploy()
    platform.clock.advance(minutes=1)
    print(*(database.state for database in databases))
    print(platform.events.where(kind="step.progress", subject=databases[2])[0]["detail"]["text"])
    platform.clock.advance(minutes=2)
    print(*(database.state for database in databases), "on", platform.capacity[europe]["nodes"], "nodes")

    platform.capacity.lose(europe, 1, lasts="30m")
    platform.clock.advance(minutes=31)
    print(
        "db-1 was",
        *(event["to"] for event in platform.events.where(kind="service.running_changed", subject=databases[0])),
    )
    now = platform.clock.now().timestamp()
    print(f"the last half hour cost {cost_of(platform.events(), now - 1800, now):.2f}")
