"""Expectations about events, and the message of a failed one."""

import orlop

with orlop.Simulation(seed=1) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    stock = shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    platform.rules.add(step="deploy", after="8m")

    expect = orlop.expect(platform)
    shop.deploy()
    expect.in_order((stock, "DEPLOYING"), (stock, "DEPLOYED"), within="10m")
    expect.always(stock, "DEPLOYED", within="1h")
    expect.never(kind="service.deployment_error", within="1h")

    platform.rules.add(step="deploy", name="stock", after="3m", fails="no space left")
    shop.deploy()
    platform.clock.advance(minutes=1)
    try:
        expect.within("10m", stock, "DEPLOYED")
    except orlop.ExpectationFailed as failed:
        print("\n".join(str(failed).splitlines()[:3]))
