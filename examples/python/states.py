"""The three parts of a service's condition: state, freshness and running state."""

import orlop

with orlop.Simulation(seed=7) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    web = shop.containers.create(name="web", registry_id=hub.id, image_name="acme/web", tag="1.0.0", healthchecks={})

    def show(when: str) -> None:
        status = web.status()
        print(f"{when}: {status['state']} {status['service_deployment_status']}")

    show("created")
    web.deploy().wait()
    show("deployed")
    web.edit(tag="1.1.0")
    show("edited")
    web.stop().wait()
    show("stopped")

    refused = platform.request("POST", f"/container/{web.id}/restart-service")
    print(refused.status, refused.json()["message"])
