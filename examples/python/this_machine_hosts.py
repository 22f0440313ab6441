"""Host names for services on this machine: HAProxy before the containers, which loses no request at a new version."""

import urllib.request

import orlop
from orlop.drivers import Containers

driver = Containers(proxy="haproxy", http_port=8080, https_port=8443)
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
    web.custom_domains.create(domain="shop.example.com", generate_certificate=True)
    print(shop.deploy().wait().state)
    for address in web.refresh().addresses or []:
        print(address["url"])
    for host in ("web-local.localhost", "shop.example.com"):
        request = urllib.request.Request("http://127.0.0.1:8080/", headers={"Host": host})
        with urllib.request.urlopen(request) as page:
            print(host, page.status)
    print(shop.stop().wait().state)
