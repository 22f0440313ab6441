"""Queues: one deployment at a time on a cluster, a late start in one project, and the states on the way."""

import orlop

with orlop.Simulation(seed=5) as platform:
    platform.rules.add(step="deploy", cluster="europe", parallel=1)
    platform.rules.add(step="stop", environment="production", queued="5m")
    platform.rules.add(step="deploy", kind="database", after="2m", recap_after="90s")
    platform.rules.add(step="deploy", name="orders", after="2m", contact_lost_after="30s", contact_back_after="60s")

    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    project = acme.projects.create(name="shop")
    production, staging = (
        project.environments.create(name=name, cluster_id=europe.id) for name in ("production", "staging")
    )
    stock = production.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    orders = staging.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")

    production.deploy()
    staging.deploy()
    for passed in (0, 100, 20, 45, 75):
        platform.clock.advance(seconds=passed)
        print(platform.clock.now().strftime("%H:%M:%S"), stock.state, orders.state)
    production.stop()
    print("the stop is", stock.state)
    platform.run_until_idle()
    print(platform.clock.now().strftime("%H:%M:%S"), stock.state, orders.state)
