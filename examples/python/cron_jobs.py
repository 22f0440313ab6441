"""The calendar: a cron job runs at its local time across a change to summer time, fails once, and is suspended while
its environment is stopped."""

import orlop

with orlop.Simulation(seed=5, start="2026-03-27T12:00:00Z", require_cluster=False) as platform:
    platform.rules.add(kind="job_run", after="4m")
    platform.rules.add(kind="job_run", name="report", fails="the database does not answer", times=1)

    acme = platform.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    production = acme.projects.create(name="shop").environments.create(name="production")
    report = production.jobs.create(
        name="report",
        source={"image": {"registry_id": hub.id, "image_name": "acme/report", "tag": "1.0.0"}},
        schedule={"cronjob": {"timezone": "Europe/Paris", "scheduled_at": "30 3 * * *"}},
        healthchecks={},
    )
    print("before its deployment the next run is at", report.next_run)
    production.deploy().wait()

    for _ in range(3):
        print("next run at", report.next_run)
        platform.clock.advance(days=1)
        run = report.runs()[0]
        print(run["scheduled_at"], run["state"], run["reason"] or "")

    production.stop().wait()
    platform.clock.advance(days=30)
    print("while the environment is stopped the next run is at", report.next_run)
    print(len([event for event in platform.events() if event["kind"] == "task.succeeded"]), "runs have succeeded")
