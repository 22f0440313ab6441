"""Variables, a secret, an alias and a custom domain, set on a project, an environment and a service; and the values
that the driver receives."""

import orlop


class PrintingDriver(orlop.Driver):
    def deploy(self, step: orlop.Step) -> None:
        if step.name != "api":
            return
        print("the driver is given")
        for variable in step.configuration["variables"]:
            if not variable["key"].startswith("PLATFORM_"):
                print(f"  {variable['key']}={'*****' if variable['is_secret'] else variable['value']}")
        for domain in step.configuration["domains"]:
            print(f"  domain {domain['domain']} (CNAME {domain['validation_domain']})")


with orlop.Engine(driver=PrintingDriver()) as engine:
    acme = engine.organizations.create(name="acme", plan="FREE")
    hub = acme.container_registries.create(name="docker hub", kind="DOCKER_HUB", config={})
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop")
    production = shop.environments.create(name="production", cluster_id=europe.id)
    api = production.containers.create(
        name="api", registry_id=hub.id, image_name="acme/api", tag="1.0.0", healthchecks={}
    )
    orders = production.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")

    shop.variables.create(key="LOG_LEVEL", value="info")
    production.variables.create(key="STRIPE_KEY", value="sk_live_4eC39H", is_secret=True)
    api.variables.create(key="PORT", value="8080")
    api.variables.create(key="PUBLIC_URL", value="https://shop.example.com:{{PORT}}")

    url = next(variable for variable in api.variables if variable.key.endswith("_DATABASE_URL"))
    url.alias("DATABASE_URL")
    api.variables.find("LOG_LEVEL").override("debug")

    api.custom_domains.create(domain="shop.example.com", generate_certificate=True)

    for variable in api.variables:
        if variable.scope != "BUILT_IN":
            print(
                f"{variable.scope:<12} {variable.variable_type:<9} {variable.key:<13} "
                f"{'secret' if variable.is_secret else variable.value}"
            )
    production.deploy().wait()

    production.variables.find("STRIPE_KEY").edit(value="sk_live_9aD27F")
    print("after an edit the service is", api.status()["service_deployment_status"])
