"""Puts a service or cluster into any state, and shows what holds it there and how it leaves."""

import orlop

with orlop.Simulation(seed=2) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    stock = shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    for state in ("RECAP", "UNAVAILABLE", "CANCELING", "STOP_ERROR", "WAITING_RESTARTING"):
        platform.set_state(stock, state)
        print("the database is", stock.state, "and the cluster", europe.state()["status"])
    platform.advance(stock)
    print("then it is", stock.state)

    platform.hold(shop, lasts="10m")
    shop.deploy()
    platform.clock.advance(minutes=9)
    print("behind a hold it is", stock.state)
    platform.clock.advance(minutes=1)
    print("ten minutes later it is", stock.state)
