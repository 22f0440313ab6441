"""Rules: random durations, a flaky registry, lost contact, a crash after the deployment, and a cluster that waits to be
advanced."""

import orlop

with orlop.Simulation(seed=3) as platform:
    platform.rules.pack("realistic")
    platform.rules.add(
        rule="flaky registry", step="deploy", name="web", probability=0.5, fails="the registry answered 503"
    )
    platform.rules.add(
        step="deploy", environment="prod*", name="worker", contact_lost_after="5s", contact_back_after="25s"
    )
    platform.rules.add(
        step="deploy", kind="database", after=orlop.lognormal("90s", sigma=0.4), running="RUNNING", crash_after="6h"
    )
    platform.transitions["cluster"] = "manual"

    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    europe.deploy()
    platform.clock.advance(minutes=20)
    print("the cluster is", europe.state()["status"])
    platform.advance(europe)
    print("the cluster is", europe.state()["status"])

    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    for name in ("web", "worker"):
        shop.containers.create(name=name, registry_id=hub.id, image_name="acme/" + name, tag="1.0.0", healthchecks={})
    stock = shop.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    for attempt in range(1, 6):
        run = shop.deploy().wait()
        print(f"attempt {attempt}: {run.state}", *(failure.reason for failure in run.failures()))
        if run.ok:
            break
    platform.clock.advance(hours=7)
    print("stock was", *(event["to"] for event in platform.events.where(kind="service.running_changed", subject=stock)))
    print("rules that applied:", [rule["applied"] for rule in platform.rules])
