"""A driver of the host in virtual time: an hour of work takes milliseconds, with the same result on each run."""

import asyncio

import orlop


class Cloud(orlop.Driver):
    async def cluster_create(self, step: orlop.Step) -> None:
        await step.sleep(15 * 60)

    async def deploy(self, step: orlop.Step) -> None:
        step.progress("pulling the image")
        await asyncio.sleep(40)
        step.recap()
        await step.sleep(20)

    def stop(self, step: orlop.Step) -> None:  # a plain method sleeps in virtual time, too
        step.sleep(10)


def run() -> list[dict[str, object]]:
    with orlop.Simulation(seed=4, driver=Cloud()) as platform:
        acme = platform.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
        for name in ("stock", "orders"):
            shop.databases.create(name=name, type="POSTGRESQL", version="16", mode="CONTAINER")
        shop.deploy().wait()
        print("deployed at", platform.clock.now())
        shop.stop().wait()
        print("stopped at", platform.clock.now())
        return platform.events()


print("the same events:", run() == run())
