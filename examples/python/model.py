"""Creates, reads, edits and deletes resources, and shows a refused request."""

import orlop

with orlop.Engine() as engine:
    acme = engine.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    project = acme.projects.create(name="shop")
    environment = project.environments.create(name="staging", mode="STAGING")

    project.edit(description="Everything that the shop runs on")
    print(acme.projects.find("SHOP").description)

    europe.advanced_settings.edit({"loki.log_retention_in_week": 4})
    print(europe.advanced_settings["loki.log_retention_in_week"], "weeks of logs")

    try:
        project.environments.create(name="Staging")
    except orlop.Conflict as refused:
        print(refused.status, refused)

    try:
        environment.databases.create(name="", type="POSTGRESQL", version="16", mode="CONTAINER", cpu=-1)
    except orlop.Invalid as refused:
        for violation in refused.violations:
            print(refused.status, violation.field, violation.reason)

    environment.delete()
    print(len(project.environments), "environments left")
