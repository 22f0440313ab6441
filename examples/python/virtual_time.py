"""Hours of deployment in milliseconds: virtual time, scripted durations, a scripted failure, and the same result on
every run."""

import orlop


def simulate(seed: int) -> list[dict[str, object]]:
    with orlop.Simulation(seed=seed, start="2026-03-01T08:00:00Z") as platform:
        platform.rules.add(step="cluster_create", after="25m")
        platform.rules.add(step="deploy", after="40s", jitter="20s")
        platform.rules.add(step="deploy", name="stock", attempt=1, fails="OUT_OF_DISK", times=1)

        acme = platform.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        print("the cluster is", europe.state()["status"], "at", platform.clock.now())
        shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
        shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
        print(shop.deploy().wait().state, "-", shop.deploy().wait().state)
        return platform.events()


print("the same events:", simulate(7) == simulate(7))
