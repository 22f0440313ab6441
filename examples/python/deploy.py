"""Deploys an environment in memory, in virtual time, and prints the states that its services went through."""

import orlop

with orlop.Simulation(seed=7) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)

    shop.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    shop.containers.create(name="web", registry_id=hub.id, image_name="acme/web", tag="1.0.0", healthchecks={})

    run = shop.deploy().wait()
    for at, name, state in run.changes():
        print(at, name, state)
    print(run)
