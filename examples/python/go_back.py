"""A simulation that returns to a snapshot, in place, and one that forks."""

import orlop

with orlop.Simulation(seed=6) as platform:
    platform.rules.add(step="deploy", after=orlop.lognormal("90s", sigma=0.4))
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    stock = shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")

    before = platform.snapshot()
    shop.deploy().wait()
    first = platform.events()
    platform.restore(before)
    print("back in time it is", stock.state)
    shop.deploy().wait()
    print("the same again:", platform.events() == first)

    platform.restore(before)
    with platform.fork() as other:
        other.rules.add(step="deploy", fails="the disk is full")
        other.request("POST", f"/environment/{shop.id}/deploy")
        other.run_until_idle()
        print("in the fork it is", other.request("GET", f"/database/{stock.id}/status").json()["state"])
    print("here it is", stock.state)
