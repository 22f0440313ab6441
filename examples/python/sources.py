"""Images, charts and commits as data: a release fails because its image is not pushed yet, a moved tag is another
image, a build uses the newest commit."""

import orlop

with orlop.Simulation(seed=5) as platform:
    platform.sources.add(image="acme/web", tags=["1.0", {"tag": "stable", "digest": "sha256:" + "a" * 64}])
    platform.sources.add(chart="rabbitmq", repository="https://charts.*", versions=["15.0.0", "15.1.0"])
    platform.sources.add(
        git="https://github.com/acme/shop.git",
        branch="main",
        commits=[{"id": "4f2a", "author": "Ada", "message": "Checkout"}],
    )

    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    europe.deploy().wait()
    production = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    web = production.containers.create(
        name="web", registry_id=hub.id, image_name="acme/web", tag="1.1", healthchecks={}
    )
    shop = production.applications.create(
        name="shop",
        healthchecks={},
        git_repository={"url": "https://github.com/acme/shop.git", "branch": "main", "provider": "GITHUB"},
    )

    run = production.deploy().wait()
    print("web:", run.failures()[0].reason)

    platform.sources.add(image="acme/web", tags=["1.1"])
    production.deploy().wait()
    print("after the push:", web.state)

    images = platform.request("GET", f"/organization/{acme.id}/containerRegistry/{hub.id}/images").json()["results"]
    print("images:", images)
    platform.sources.add(
        git="https://github.com/acme/shop.git", commits=[{"id": "9b1c", "author": "Grace", "message": "Cart"}]
    )
    production.deploy().wait()
    shop.refresh()
    print(
        "shop was built from",
        shop.git_repository["deployed_commit_id"],
        "of",
        shop.git_repository["deployed_commit_contributor"],
    )
    platform.sources.remove(["1.0", "9*"], image="acme/web")
    print("tags:", [source["tags"][-1] for source in platform.sources if "image" in source])
