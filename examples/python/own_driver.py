"""A driver: one method for each kind of step that needs work. This one only prints each step."""

import orlop


class PrintingDriver(orlop.Driver):
    def cluster_create(self, step: orlop.Step) -> None:
        print("create the cluster", step.name, "in", step.configuration["region"])

    async def deploy(self, step: orlop.Step) -> None:
        step.progress(f"deploying {step.name}")
        print("deploy", step.family, step.name, "attempt", step.attempt)
        if step.name == "broken":
            raise orlop.DriverFailed("the image cannot be pulled")


with orlop.Engine(driver=PrintingDriver()) as engine:
    acme = engine.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    shop.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")
    print(shop.deploy().wait().state)

    shop.databases.create(name="broken", type="REDIS", version="7", mode="CONTAINER")
    run = shop.deploy().wait()
    print(run.state, "-", run.reason)
