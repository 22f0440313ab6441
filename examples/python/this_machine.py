"""A platform on this machine: a web server from a registry, deployed as a container of Docker or Podman."""

import urllib.request

import orlop
from orlop.drivers import Containers

driver = Containers()  # DOCKER_HOST, or the socket of Docker or Podman
with orlop.Engine("platform.db", driver=driver, require_cluster=False) as engine:
    acme = engine.organizations.create(name="acme", plan="FREE")
    acme.clusters.create(name="this machine", region="eu-west-3", cloud_provider="AWS")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    shop = acme.projects.create(name="shop").environments.create(name="local")
    web = shop.containers.create(
        name="web",
        registry_id=hub.id,
        image_name="library/nginx",
        tag="1.27",
        ports=[{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP"}],
        healthchecks={"readiness_probe": {"type": {"http": {"port": 80, "path": "/"}}}},
    )
    print(shop.deploy().wait().state)
    with urllib.request.urlopen(f"http://{driver.addresses(web.id)[0]}/") as page:
        print(page.status)
    print([pod["state"] for pod in driver.pods(web.id)])
    print(shop.stop().wait().state)
