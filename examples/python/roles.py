"""Gives a pipeline a token that may deploy development environments of one project, and nothing else."""

import orlop

with orlop.Simulation(seed=7, authentication="required") as platform:
    # The program itself is the trusted host and may do everything.
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop")
    dev = shop.environments.create(name="dev", cluster_id=europe.id)
    live = shop.environments.create(name="live", mode="PRODUCTION", cluster_id=europe.id)
    for environment in (dev, live):
        environment.databases.create(name="orders", type="REDIS", version="7", mode="CONTAINER")

    base = f"/organization/{acme.id}"
    role = platform.request("POST", f"{base}/customRole", {"name": "pipelines"}).check()
    deployer = {"environment_type": "DEVELOPMENT", "permission": "DEPLOYER"}
    role["project_permissions"] = [{"project_id": shop.id, "permissions": [deployer]}]
    platform.request("PUT", f"{base}/customRole/{role['id']}", role).raise_for_status()
    made = platform.request("POST", f"{base}/apiToken", {"name": "pipeline", "role_id": role["id"]}).check()

    # Requests from outside must authenticate.
    def ask(method: str, path: str, token: str = "") -> int:
        headers = {"Authorization": f"Token {token}"} if token else {}
        return platform.request(method, path, headers=headers, trusted=False).status

    print("without a token:", ask("GET", base))
    print("deploy dev:", ask("POST", f"/environment/{dev.id}/deploy", made["token"]))
    print("deploy live:", ask("POST", f"/environment/{live.id}/deploy", made["token"]))
    print("delete dev:", ask("DELETE", f"/environment/{dev.id}", made["token"]))
