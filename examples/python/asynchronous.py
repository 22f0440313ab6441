"""Coroutines: a deployment that is awaited while its events are watched."""

import asyncio

import orlop
from orlop.models import Environment


def furnish(platform: orlop.Engine) -> Environment:
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    return shop


async def main() -> None:
    async with orlop.AsyncSimulation(seed=1) as simulation:
        shop = await simulation.do(furnish, simulation.sync)
        simulation.sync.rules.add(step="deploy", after="40s")

        async def watch() -> None:
            async for event in simulation.watch(kind="deployment.*", since=0):
                print(event["kind"], "at", event["at"][11:19])
                if event["kind"] == "deployment.ended":
                    return

        watching = asyncio.create_task(watch())
        run = await (await simulation.deploy(shop))
        await watching
        print("it is", run.state, "after", run.duration, "seconds")


asyncio.run(main())
