"""Rolls a shop back after a bad version: what each deployment made, what differs, and the release before."""

import orlop

with orlop.Simulation(seed=7, releases_kept=20) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    shop.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    web = shop.containers.create(name="web", registry_id=hub.id, image_name="acme/web", tag="1.0", healthchecks={})
    currency = web.variables.create(key="CURRENCY", value="EUR")
    good = shop.deploy().wait()

    web.edit(tag="2.0")
    currency.edit(value="USD")
    web.variables.create(key="DISCOUNT", value="0.9")
    print(shop.diff())
    shop.deploy().wait()

    # Version 2.0 sells everything too cheap.
    web.rollback().wait()
    for release in web.releases():
        print(release["release"], release["version"]["tag"], release.get("rollback_of", ""), release["is_running"])
    print(web.status()["service_deployment_status"])
    print(web.diff())

    # The whole shop as it was after its first deployment: the database runs that release already.
    print(shop.rollback(good))
