"""Expiry and waiting times: credentials of a cluster, a token, preview environments, DNS records and certificates."""

import orlop

with orlop.Simulation(seed=11, start="2026-03-02T08:00:00Z") as platform:
    platform.rules.add(
        rule="credentials expired", kind="cluster", older={"credentials": "12h"}, outcome="credentials_refused"
    )
    platform.rules.add(rule="previews live for three days", environment="preview-*", lasts="3d")
    platform.domains.add(dns_after="10m", certificate_after="5m")
    platform.domains.add(
        domain="*.wrong.example.com", dns_fails="the record points to 192.0.2.7", status="DOMAIN_LINKED_TO_WRONG_HOST"
    )

    acme = platform.organizations.create(name="acme", plan="FREE")
    credentials = acme.aws_credentials.create(name="aws", access_key_id="AKIA", secret_access_key="hush")
    europe = acme.clusters.create(
        name="europe",
        region="eu-west-3",
        cloud_provider="AWS",
        cloud_provider_credentials={"cloud_provider": "AWS", "credentials": {"id": credentials.id}},
    )
    for hours in (0, 13):
        platform.clock.advance(hours=hours)
        europe.deploy()
        platform.run_until_idle()
        print(platform.clock.now().strftime("%d %H:%M"), "the cluster is", europe.state()["status"])
    credentials.edit(name="aws", access_key_id="AKIA", secret_access_key="new")
    europe.deploy().wait()
    print("after the rotation it is", europe.state()["status"])

    project = acme.projects.create(name="shop")
    preview = project.environments.create(name="preview-7", cluster_id=europe.id)
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    web = preview.containers.create(
        name="web",
        registry_id=hub.id,
        image_name="acme/web",
        tag="pr-7",
        healthchecks={},
        ports=[{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP"}],
    )
    for domain in ("www.example.com", "www.wrong.example.com"):
        platform.request(
            "POST", f"/container/{web.id}/customDomain", {"domain": domain, "generate_certificate": True}
        ).raise_for_status()
    preview.deploy()
    for minutes in (0, 10, 5):
        platform.clock.advance(minutes=minutes)
        for checked in platform.request("GET", f"/container/{web.id}/checkCustomDomain").json()["results"]:
            print(
                platform.clock.now().strftime("%d %H:%M"),
                checked["domain_name"],
                checked["status"],
                checked["error_details"] or "ok",
            )
    platform.clock.advance(days=3)
    print(
        platform.clock.now().strftime("%d %H:%M"),
        "environments:",
        [environment.name for environment in project.environments.list()],
    )
