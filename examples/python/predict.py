"""Predicts the next deployment from the last forty."""

import orlop

with orlop.Simulation(seed=1) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    for name, median in (("stock", "2m"), ("orders", "90s"), ("mail", "20s")):
        shop.databases.create(name=name, type="POSTGRESQL", version="16", mode="CONTAINER")
        platform.rules.add(step="deploy", name=name, after=orlop.lognormal(median, sigma=0.3))
    platform.rules.add(step="deploy", name="mail", probability=0.1, fails="no connection")
    for _ in range(40):
        shop.deploy().wait()

    prediction = shop.predict("deploy", runs=200)
    print(prediction)
    print(f"within three minutes: {prediction.chance_within(180):.0%}")
