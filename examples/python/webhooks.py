"""Sends every deployment to a webhook receiver, and shows what happens to a message that it does not accept at once."""

import orlop

with orlop.Simulation(seed=7) as platform:
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop")
    live = shop.environments.create(name="live", mode="PRODUCTION", cluster_id=europe.id)
    live.databases.create(name="orders", type="REDIS", version="7", mode="CONTAINER")

    webhook = acme.webhooks.create(
        kind="STANDARD",
        target_url="https://hooks.example.com/deployments",
        target_secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        events=["DEPLOYMENT_SUCCESSFUL", "DEPLOYMENT_FAILURE"],
        project_names_filter=["shop*"],
        environment_types_filter=["PRODUCTION"],
    )

    # In a simulation nothing leaves the process: this receiver is down for its first two messages.
    platform.receivers.add(status=503, text="down for maintenance", times=2)
    live.deploy().wait()
    platform.run_until_idle()

    for delivery in webhook.deliveries():
        print(delivery["matched_event"], delivery["status"], "after", delivery["attempts"], "attempts")
        print(delivery["request"]["data"]["environment"]["name"], delivery["request"]["data"]["status"])
