"""Faults of the API: a refused request, a lost answer, a stale read, an enum value that no client knows."""

import orlop

with orlop.Simulation(seed=5) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    shop = acme.projects.create(name="shop").environments.create(name="production")
    body = {"name": "stock", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}
    path = f"/environment/{shop.id}/database"

    platform.faults.add(operation="create_database", status=503, times=1)
    print("first:", platform.request("POST", path, body).status)
    platform.faults.add(operation="create_database", drop=True, times=1)
    key = {"Idempotency-Key": "stock-1"}
    print("its answer is lost:", platform.request("POST", path, body, headers=key).status)
    print("repeated with its key:", platform.request("POST", path, body, headers=key).status)
    print("databases:", *(database.name for database in shop.databases))

    stock = shop.databases.find("stock")
    platform.faults.add(operation="get_database", stale="5s")
    print("accessibility:", platform.request("GET", f"/database/{stock.id}").json()["accessibility"])
    stock.edit(accessibility="PUBLIC")
    print("right after an edit:", platform.request("GET", f"/database/{stock.id}").json()["accessibility"])
    platform.clock.advance(seconds=5)
    print("5 seconds later:", platform.request("GET", f"/database/{stock.id}").json()["accessibility"])
    platform.faults.add(operation="get_*status", unknown_enum="state", times=1)
    print("a state of a newer server:", platform.request("GET", f"/database/{stock.id}/status").json()["state"])
    platform.faults.add(operation="list_*", latency="3s", times=1)
    before = platform.clock.now()
    platform.request("GET", path)
    print("the list took", (platform.clock.now() - before).total_seconds(), "s")
    print("faults that applied:", [fault["applied"] for fault in platform.faults])
