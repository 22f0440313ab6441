"""Creates many services that differ only in their names, with one call."""

import orlop

with orlop.Simulation(seed=1) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)

    names = (f"shard-{number}" for number in range(10_000))
    shards = shop.containers.create_many(
        names, registry_id=hub.id, image_name="acme/shard", tag="1.0.0", healthchecks={}
    )
    print(len(shards), "services, the last one is", shards[-1].name)

    try:
        shop.containers.create_many(
            ["new", "shard-7"], registry_id=hub.id, image_name="acme/shard", tag="1.0.0", healthchecks={}
        )
    except orlop.Conflict as error:
        print(error)
    print(len(shop.containers), "services")
