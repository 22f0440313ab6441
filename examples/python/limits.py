"""Limits of other systems: a registry with a pull limit per hour, a provider with a rate limit, and a quota that is
used up."""

import orlop

with orlop.Simulation(seed=9) as platform:
    platform.rules.add(
        rule="pull limit",
        step="deploy",
        kind="container",
        over=3,
        per="1h",
        fails="toomanyrequests: you have reached your pull rate limit",
    )
    platform.externals.add("list_branches", [{"name": "main"}])
    platform.externals.add("list_*", error="API rate limit exceeded", over=2, per="10m", rule="API limit")

    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    for name in ("web", "worker"):
        shop.containers.create(name=name, registry_id=hub.id, image_name="acme/" + name, tag="1.0.0", healthchecks={})
    for _ in range(2):
        run = shop.deploy().wait()
        print(platform.clock.now().strftime("%H:%M"), run.state, *(failure.reason for failure in run.failures()))
    platform.clock.advance(hours=1)
    print(platform.clock.now().strftime("%H:%M"), shop.deploy().wait().state)

    for _ in range(3):
        reply = platform.request("GET", "/account/github/repository/branch", query={"name": "acme/shop"})
        print(reply.status, reply.json().get("message", "ok"))
    platform.clock.advance(minutes=10)
    print(
        platform.request("GET", "/account/github/repository/branch", query={"name": "acme/shop"}).status,
        "ten minutes later",
    )
    for event in platform.events.where(kind="simulation.limit_exceeded"):
        print(event["at"][11:16], "the rule", event["detail"]["rule"], "refused", event["detail"]["question"])
    print("counted:", [rule["counted"] for rule in platform.externals if "over" in rule])
