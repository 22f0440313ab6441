"""A deployment that fails, its reason, the repair, and a second deployment."""

import orlop

with orlop.Simulation(seed=7) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    shop.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    web = shop.containers.create(name="web", registry_id=hub.id, image_name="acme/web", tag="1.0.1", healthchecks={})

    platform.rules.add(step="deploy", after="40s")
    platform.rules.add(step="deploy", name="web", after="20s", fails="image acme/web:1.0.1 not found", times=1)

    run = shop.deploy().wait()
    print(run.state, "-", run.reason)

    web.edit(tag="1.0.0")
    run = shop.deploy().wait()
    print(run.state, f"in {run.duration:.0f} seconds")
    for stage in run.stages:
        for service in stage.services:
            print(stage.name, service.name, service.state)
