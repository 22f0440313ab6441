"""What a step becomes on a container engine, without one: the bodies of the requests that create a container."""

import orlop
from orlop.workloads import container_plan


class ShowingDriver(orlop.Driver):
    def deploy(self, step: orlop.Step) -> None:
        plan = container_plan(step.configuration)
        body = plan["container"]
        print(plan["kind"], plan["service"]["name"], "of", plan["image"]["reference"])
        print(body["Cmd"], body["ExposedPorts"], body["HostConfig"]["Memory"], "bytes")
        print(plan["strategy"]["kind"], "with", plan["probes"]["readiness"]["kind"])


with orlop.Engine(driver=ShowingDriver(), require_cluster=False) as engine:
    acme = engine.organizations.create(name="acme", plan="FREE")
    acme.clusters.create(name="this machine", region="eu-west-3", cloud_provider="AWS")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    shop = acme.projects.create(name="shop").environments.create(name="local")
    shop.containers.create(
        name="api",
        registry_id=hub.id,
        image_name="acme/api",
        tag="1.4.2",
        arguments=["serve"],
        ports=[{"internal_port": 8080, "publicly_accessible": True, "protocol": "HTTP"}],
        healthchecks={"readiness_probe": {"type": {"http": {"port": 8080, "path": "/ready"}}}},
    )
    print(shop.deploy().wait().state)
