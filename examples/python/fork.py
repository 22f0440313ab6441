"""Two forks of a simulation, in the middle of a deployment: they differ in what happens next."""

import orlop


def finish(simulation: orlop.Simulation) -> str:
    simulation.run_until_idle()
    environment = simulation.organizations.find("acme").projects.find("shop").environments.find("production")
    return str(environment.status()["state"])


with orlop.Simulation(seed=3) as simulation:
    simulation.rules.add(step="deploy", after="30s")
    organization = simulation.organizations.create(name="acme", plan="FREE")
    organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    environment = organization.projects.create(name="shop").environments.create(name="production")
    for name in ("orders", "stock"):
        environment.databases.create(name=name, type="POSTGRESQL", version="16", mode="CONTAINER")
    environment.deploy()
    simulation.clock.advance(seconds=10)
    moment = simulation.snapshot()
    print("as it was:", finish(simulation))

with orlop.Simulation(seed=3, snapshot=moment) as otherwise:
    otherwise.rules.add(step="deploy", name="stock", after="30s", fails="OUT_OF_DISK")
    print("otherwise:", finish(otherwise))
