"""A driver that runs commands: their lines go to the log of the step, without secrets."""

import orlop

SCRIPT = """
test "$0" != broken || { echo "Error: there is no chart for $0" >&2; exit 1; }
echo "install the chart of $0 with the password $PASSWORD"
"""


class CommandDriver(orlop.Driver):
    async def deploy(self, step: orlop.Step) -> None:
        secrets = {"PASSWORD": "correct horse"}
        result = await step.run("sh", "-c", SCRIPT, step.name, secrets=secrets, timeout="5m")
        print(step.name, "ended with code", result.code)


with orlop.Engine(driver=CommandDriver(), require_cluster=False) as engine:
    acme = engine.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
    project = acme.projects.create(name="shop")
    for name in ("orders", "broken"):
        environment = project.environments.create(name=f"environment of {name}", cluster_id=europe.id)
        environment.databases.create(name=name, type="REDIS", version="7", mode="CONTAINER")
        run = environment.deploy().wait()
        for event in run.events():
            if event["kind"] == "step.log":
                print("log:", event["detail"]["text"])
        print(run.state if run.ok else f"{run.state} - {run.reason}")
