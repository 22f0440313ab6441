"""Invariants: a condition as text, a function, and the built-in rules that hold in every feed."""

import orlop

with orlop.Simulation(seed=4, max_parallel_deploys=3) as platform:
    platform.rules.add(step="deploy", after=orlop.lognormal("40s", sigma=0.5))
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    for number in range(6):
        shop.databases.create(name=f"db-{number}", type="POSTGRESQL", version="16", mode="CONTAINER")

    platform.invariants.is_on = True
    platform.invariants.add("services.count(state == 'DEPLOYING') <= 3", name="three at a time")
    platform.invariants.add(lambda: europe.state()["status"] == "DEPLOYED", name="the cluster is there")
    print(shop.deploy().wait().state, "with", len(platform.invariants), "invariants")

    platform.invariants.add("services.count(state == 'DEPLOYING') <= 2", name="two at a time")
    shop.deploy()
    try:
        platform.clock.advance(minutes=1)
    except orlop.InvariantBroken as broken:
        print(broken)
