"""The driver of the control plane: here each step is a short pause; a real one calls Kubernetes or a cloud."""

import asyncio

import orlop


class Deployer(orlop.Driver):
    async def deploy(self, step: orlop.Step) -> None:
        await asyncio.sleep(0.5)

    restart = stop = delete = deploy
