"""Expectations of existing clients on answers: names, hosts and descriptions that are always present."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest

import orlop
from conftest import furnish

GIT = {"url": "https://github.com/acme/api.git", "branch": "main", "provider": "GITHUB"}
ASKED = "a" * 40


@pytest.fixture
def simulation() -> Iterator[orlop.Simulation]:
    with orlop.Simulation() as made:
        yield made


def ask(simulation: orlop.Simulation, method: str, path: str, body: Any = None) -> Any:
    return simulation.request(method, path, body).check()


def bodies_of_git() -> dict[str, dict[str, Any]]:
    resources = {"cpu_milli": 500, "ram_mib": 512, "storage_gib": 1}
    return {
        "application": {"git_repository": GIT, "healthchecks": {}},
        "job": {
            "healthchecks": {},
            "source": {"docker": {"git_repository": GIT, "dockerfile_path": "Dockerfile"}},
            "schedule": {"on_start": {}},
        },
        "helm": {"auto_deploy": False, "arguments": [], "values_override": {}, "source": {"git_repository": GIT}},
        "terraform": {
            "auto_deploy_config": {"auto_deploy": False, "terraform_action": "DEFAULT"},
            "terraform_files_source": {"git_repository": {"url": GIT["url"], "branch": "main"}},
            "terraform_variables_source": {"tf_var_file_paths": [], "tf_vars": []},
            "backend": {"kubernetes": {}},
            "engine": "TERRAFORM",
            "provider_version": {"explicit_version": "1.9"},
            "job_resources": resources,
        },
    }


def services_of_git(simulation: orlop.Simulation, environment: str) -> dict[str, str]:
    """Creates one service of each kind that has a repository; returns their paths."""
    made = {}
    for kind, body in bodies_of_git().items():
        service = ask(simulation, "POST", f"/environment/{environment}/{kind}", {"name": kind, **body})
        made[kind] = f"/{kind}/{service['id']}"
    return made


def commit_of(service: Any) -> str | None:
    """Returns the member at any depth."""
    if isinstance(service, dict):
        if "deployed_commit_id" in service:
            return str(service["deployed_commit_id"])
        return next((found for found in map(commit_of, service.values()) if found), None)
    return None


def test_a_redeployment_keeps_the_commit(simulation: orlop.Simulation) -> None:
    environment = furnish(simulation).environment.id
    services = services_of_git(simulation, environment)

    def commits() -> dict[str, str | None]:
        simulation.run_until_idle()
        return {kind: commit_of(ask(simulation, "GET", path)) for kind, path in services.items()}

    ask(simulation, "POST", f"/environment/{environment}/deploy")
    assert all(commit and commit != ASKED for commit in commits().values())
    for path in services.values():
        ask(simulation, "POST", f"{path}/deploy", {"git_commit_id": ASKED})
        simulation.run_until_idle()
    assert set(commits().values()) == {ASKED}
    for path in services.values():
        ask(simulation, "POST", f"{path}/redeploy")
        simulation.run_until_idle()
    assert set(commits().values()) == {ASKED}
    ask(simulation, "POST", f"/environment/{environment}/redeploy")
    assert set(commits().values()) == {ASKED}
    ask(simulation, "POST", f"{services['application']}/deploy")
    assert commits()["application"] != ASKED


def host_of(simulation: orlop.Simulation, container: str) -> str:
    """Returns the public host name, which links, variables and domains must agree on."""
    links = ask(simulation, "GET", f"/container/{container}/link")["results"]
    hosts = {link["url"].removeprefix("https://").partition("/")[0] for link in links if link["is_platform_domain"]}
    variables = ask(simulation, "GET", f"/container/{container}/environmentVariable")["results"]
    hosts |= {
        each["value"]
        for each in variables
        if each["key"] == f"PLATFORM_CONTAINER_Z{container[:8].upper()}_HOST_EXTERNAL"
    }
    domains = ask(simulation, "GET", f"/container/{container}/customDomain")["results"]
    hosts |= {domain["validation_domain"] for domain in domains}
    assert len(domains) == 1 and len(links) == 3
    (host,) = hosts
    return str(host)


def test_a_service_has_one_host_name(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    cluster = platform.cluster.id
    ports = [
        {"internal_port": 8080, "publicly_accessible": True, "is_default": True},
        {"internal_port": 9090, "publicly_accessible": True, "public_path": "/admin"},
    ]
    container = platform.container(name="web", ports=ports).id
    ask(
        simulation,
        "POST",
        f"/container/{container}/customDomain",
        {"domain": "www.example.com", "generate_certificate": True},
    )
    label = f"z{container[:8]}-z{cluster[:8]}-gtw"
    assert host_of(simulation, container) == f"{label}.platform.app"
    assert ask(simulation, "GET", f"/cluster/{cluster}/dnsProvider")["dns_provider"]["domain"] == "platform.app"
    provider = {
        "provider": "CLOUDFLARE",
        "domain": "apps.example.com",
        "email": "ada@example.com",
        "api_token": "token",
    }
    ask(simulation, "PUT", f"/cluster/{cluster}/dnsProvider", {"dns_provider": provider})
    assert host_of(simulation, container) == f"{label}.apps.example.com"


def test_built_ins_have_a_description_and_those_of_a_database_its_engine(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    container = platform.container(name="web").id
    engines: tuple[Literal["POSTGRESQL", "MYSQL", "MONGODB", "REDIS"], ...] = (
        "POSTGRESQL",
        "MYSQL",
        "MONGODB",
        "REDIS",
    )
    for number, engine in enumerate(engines):
        version = {"POSTGRESQL": "16", "MYSQL": "8.0", "MONGODB": "6.0", "REDIS": "7.0"}[engine]
        platform.environment.databases.create(name=f"db{number}", type=engine, version=version, mode="CONTAINER")
    databases = {each.type: each.id for each in platform.environment.databases}
    ask(simulation, "POST", f"/container/{container}/secret", {"key": "TOKEN", "value": "1"})
    paths = (
        f"/variable?parent_id={container}&scope=CONTAINER",
        f"/variable?parent_id={container}&scope=CONTAINER&page=1&page_size=1000",
        f"/container/{container}/environmentVariable",
        f"/container/{container}/secret",
    )
    for path in paths:
        variables = ask(simulation, "GET", path)["results"]
        assert variables and all(variable["description"] == "" for variable in variables), path
    keys = {variable["key"] for variable in ask(simulation, "GET", paths[0])["results"]}
    for engine, identity in databases.items():
        prefix = f"PLATFORM_{engine}_Z{identity[:8].upper()}_"
        assert {
            prefix + name for name in ("HOST_INTERNAL", "HOST", "PORT", "LOGIN", "PASSWORD", "DATABASE_URL")
        } <= keys


def test_the_kubeconfig_answers_whatever_organization_is_named(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    cluster = platform.cluster.id
    own = f"/organization/{platform.organization.id}/cluster/{cluster}/kubeconfig"
    made = simulation.request("GET", own)
    assert (
        made.status == 200
        and b"token: " in made.body
        and f"https://z{cluster[:8]}.k8s.example.com".encode() in made.body
    )
    for organization in ("00000000-0000-0000-0000-000000000000", cluster, "whatever", "%20", "0"):
        path = f"/organization/{organization}/cluster/{cluster}/kubeconfig"
        assert simulation.request("GET", path).body == made.body
        text = f"apiVersion: v1\n# {organization}\n".encode()
        assert simulation.request("PUT", path, text).status == 204
        assert simulation.request("GET", own).body == text
        assert simulation.request("GET", f"/api/v1{path}?read_only=true").body == text
        simulation.request("PUT", own, made.body).raise_for_status()
    assert simulation.request("GET", f"/organization/whatever/cluster/{platform.project.id}/kubeconfig").status == 404
    assert simulation.request("GET", "/organization/whatever/cluster/other/kubeconfig").status == 400


def test_the_scripted_driver_makes_up_the_access_to_any_cluster(simulation: orlop.Simulation) -> None:
    organization = furnish(simulation).organization
    for provider, region, kubernetes in (
        ("AWS", "eu-west-3", "MANAGED"),
        ("ON_PREMISE", "here", "SELF_MANAGED"),
        ("AWS", "eu-west-3", "SELF_MANAGED"),
    ):
        name = f"{provider} {kubernetes}".lower()
        cluster = ask(
            simulation,
            "POST",
            f"/organization/{organization.id}/cluster",
            {"name": name, "region": region, "cloud_provider": provider, "kubernetes": kubernetes},
        )["id"]
        path = f"/organization/{organization.id}/cluster/{cluster}/kubeconfig"
        assert simulation.request("GET", path).status == 404
        ask(simulation, "POST", f"/organization/{organization.id}/cluster/{cluster}/deploy")
        simulation.run_until_idle()
        reply = simulation.request("GET", path)
        assert reply.status == 200 and f"token-z{cluster[:8]}".encode() in reply.body
    externals = simulation.externals
    externals.add("get_cluster_token", {"token": "abc", "expires_at": "2027-01-01T00:00:00Z"})
    assert b'token: "abc"' in simulation.request("GET", path).body


def test_a_caller_reads_the_kubeconfig_of_its_own_clusters_only() -> None:
    with orlop.Simulation(authentication="required") as simulation:
        platform = furnish(simulation)
        other = simulation.organizations.create(name="other", plan="FREE")
        tokens = {}
        for organization in (platform.organization, other):
            body = {
                "name": "pipeline",
                "role_id": ask(simulation, "GET", f"/organization/{organization.id}/availableRole")["results"][0]["id"],
            }
            tokens[organization.id] = ask(simulation, "POST", f"/organization/{organization.id}/apiToken", body)[
                "token"
            ]
        for named in (platform.organization.id, other.id, "whatever"):
            path = f"/organization/{named}/cluster/{platform.cluster.id}/kubeconfig"
            statuses = [
                simulation.request("GET", path, headers={"Authorization": f"Token {tokens[each]}"}).status
                for each in tokens
            ]
            assert statuses == [200, 404]


def test_agentic_workflows_have_variables(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    mount = {
        "key": "PROJECT",
        "value": "1",
        "is_secret": False,
        "variable_scope": "PROJECT",
        "variable_parent_id": platform.project.id,
    }
    inherited = ask(simulation, "POST", "/variable", mount)
    workflow = ask(
        simulation,
        "POST",
        f"/environment/{platform.environment.id}/agenticWorkflow",
        {"name": "triage", "model": {"type": "CLAUDE"}},
    )["id"]
    own = {"variable_scope": "AGENTIC_WORKFLOW", "variable_parent_id": workflow}
    made = ask(simulation, "POST", "/variable", {"key": "KEY", "value": "{{PROJECT}}", "is_secret": False, **own})
    secret = ask(simulation, "POST", "/variable", {"key": "SECRET", "value": "s", "is_secret": True, **own})
    alias = ask(
        simulation,
        "POST",
        f"/variable/{inherited['id']}/alias",
        {"key": "ALIAS", "alias_scope": "AGENTIC_WORKFLOW", "alias_parent_id": workflow},
    )
    override = ask(
        simulation,
        "POST",
        f"/variable/{inherited['id']}/override",
        {"value": "2", "override_scope": "AGENTIC_WORKFLOW", "override_parent_id": workflow},
    )
    for variable in (made, secret, alias, override):
        assert (variable["scope"], variable["service_id"], variable["service_name"]) == (
            "AGENTIC_WORKFLOW",
            workflow,
            "triage",
        )
        assert "service_type" not in variable
    listed = {
        each["id"]: each
        for each in ask(simulation, "GET", f"/variable?parent_id={workflow}&scope=AGENTIC_WORKFLOW")["results"]
    }
    assert {inherited["id"], made["id"], secret["id"], alias["id"], override["id"]} <= set(listed)
    assert listed[secret["id"]]["value"] is None and listed[made["id"]] == made
    sent = {"overwrite": True, "vars": [{"name": "KEY", "value": "3", "scope": "AGENTIC_WORKFLOW", "is_secret": False}]}
    imported = ask(simulation, "POST", f"/variable/import?service_id={workflow}&service_type=AGENTIC_WORKFLOW", sent)
    assert [each["scope"] for each in imported["successful_imported_variables"]] == ["AGENTIC_WORKFLOW"]
    assert platform.environment.agentic_workflows.find("triage").variables.find("KEY").value == "3"
    assert (
        simulation.request(
            "POST", "/variable", {"key": "A", "value": "", "is_secret": False, **own, "variable_scope": "JOB"}
        ).status
        == 400
    )
    assert simulation.request("DELETE", f"/agenticWorkflow/{workflow}").status == 204
    assert simulation.request("PUT", f"/variable/{made['id']}", {"key": "KEY", "value": "4"}).status == 404
    assert simulation.check() == []


def test_what_clients_send_is_taken(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    organization = platform.organization.id
    container = platform.container(name="web").id
    connection = {"connection_name": "", "default_role": "viewer", "enforce_group_sync": False, "group_mappings": {}}
    for _ in range(2):  # created, then edited
        assert (
            ask(simulation, "PUT", f"/organization/{organization}/enterpriseconnection/acme", connection)[
                "connection_name"
            ]
            == "acme"
        )
    settings = f"/container/{container}/advancedSettings"
    before = ask(simulation, "GET", settings)
    numbers = {
        name: value for name, value in before.items() if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
    assert len(numbers) > 5
    assert (
        ask(simulation, "PUT", settings, {**before, **{name: str(value) for name, value in numbers.items()}}) == before
    )
    for wrong in ("", "90s", "1e400", "0x5a", " 90"):
        assert simulation.request("PUT", settings, {**before, next(iter(numbers)): wrong}).status == 400
    terraform = {"name": "infra", **bodies_of_git()["terraform"]}
    assert (
        "description" not in terraform
        and ask(simulation, "POST", f"/environment/{platform.environment.id}/terraform", terraform)["description"] == ""
    )
    helm = {
        "name": "chart",
        **bodies_of_git()["helm"],
        "ports": [{"internal_port": 8080, "service_name": "web", "protocol": "HTTP"}],
    }
    (port,) = ask(simulation, "POST", f"/environment/{platform.environment.id}/helm", helm)["ports"]
    assert (port["name"], port["is_default"]) == ("p8080", False)


def test_origins_of_requests_are_those_that_are_described(simulation: orlop.Simulation) -> None:
    environment = furnish(simulation).environment.id
    document = ask(simulation, "GET", "/openapi.json")
    (described,) = [document["components"]["schemas"]["EnvironmentStatus"]["properties"]["origin"]]
    listed = set(described["enum"]) - {None}
    reply = simulation.request("POST", f"/environment/{environment}/deploy")
    assert (
        reply.status in (200, 202) and ask(simulation, "GET", f"/environment/{environment}/status")["origin"] in listed
    )
    events = document["paths"]["/organization/{organizationId}/events"]["get"]["parameters"]
    (origin,) = [each["schema"] for each in events if each["name"] == "origin"]
    assert set(origin["enum"]) == listed


def test_rows_of_autoscaling_say_when_they_were_changed(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    authentication = {"name": "kafka", "config_yaml": "a: 1"}
    scalers: list[dict[str, Any]] = [
        {
            "scaler_type": "cpu",
            "role": "PRIMARY",
            "config_json": {"b": [1, {"c": 2}], "a": "x"},
            "trigger_authentication": authentication,
        },
        {"scaler_type": "cron", "role": "SAFETY"},
    ]
    body = {
        "name": "web",
        "registry_id": platform.registry.id,
        "image_name": "a",
        "tag": "1",
        "healthchecks": {},
        "autoscaling": {"mode": "KEDA", "scalers": scalers},
    }
    made = ask(simulation, "POST", f"/environment/{platform.environment.id}/container", body)

    def times(container: Any) -> list[str]:
        policy = container["autoscaling"]
        first, second = policy["scalers"]
        return [row["updated_at"] for row in (policy, first, first["trigger_authentication"], second)]

    begin = times(made)
    assert begin == [made["autoscaling"]["created_at"]] * 4
    simulation.clock.advance(hours=1)
    path = f"/container/{made['id']}"
    assert times(ask(simulation, "PUT", path, body)) == begin, "nothing has changed"
    authentication["config_yaml"] = "a: 2"
    changed = times(ask(simulation, "PUT", path, body))
    assert changed[3] == begin[3] and len({*changed[:3]}) == 1 and changed[0] > begin[0]
    assert times(ask(simulation, "GET", path)) == changed


def test_the_first_history_says_what_was_deployed(simulation: orlop.Simulation) -> None:
    environment = furnish(simulation).environment.id
    services = services_of_git(simulation, environment)
    for commit in (None, ASKED):
        for path in services.values():
            ask(simulation, "POST", f"{path}/deploy", {"git_commit_id": commit} if commit else None)
            simulation.run_until_idle()
    for kind in ("application", "job", "helm"):
        newer, older = ask(simulation, "GET", f"{services[kind]}/deploymentHistory")["results"]
        assert newer["commit"]["git_commit_id"] == ASKED and newer["commit"].keys() == {
            "git_commit_id",
            "created_at",
            "author_name",
            "message",
            "tag",
        }
        assert older["commit"]["git_commit_id"] != ASKED
    entries = ask(simulation, "GET", f"/environment/{environment}/deploymentHistory")["results"]
    assert [entry["helms"][0]["commit"] is None for entry in entries if entry["helms"]] == [False, False]
    assert all("updated_at" in service for entry in entries for service in entry["applications"])


def test_statuses_name_agentic_workflows_and_the_steps_of_stages(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    simulation.rules.add(step="deploy", after="30s")
    platform.container(name="web")
    path = f"/environment/{platform.environment.id}"

    def stages() -> dict[str, Any]:
        return {each["stage"]["name"]: each for each in ask(simulation, "GET", f"{path}/statusesWithStages")["stages"]}

    assert all("steps" not in each["stage"] and each["agentic_workflows"] == [] for each in stages().values())
    ask(simulation, "POST", f"{path}/deploy")
    stage = stages()["CONTAINER DEFAULT"]["stage"]
    assert stage["steps"] == {"stage_id": stage["id"], "total_duration_sec": None, "details": []}
    simulation.run_until_idle()
    steps = stages()["CONTAINER DEFAULT"]["stage"]["steps"]
    (total,) = steps["details"]
    assert steps["total_duration_sec"] == total["duration_sec"] >= 30 and (total["step_name"], total["status"]) == (
        "TOTAL",
        "SUCCESS",
    )
    assert "steps" not in stages()["JOB DEFAULT"]["stage"]
    assert ask(simulation, "GET", f"{path}/statuses")["agentic_workflows"] == []


def test_a_secret_that_is_named_has_its_description(simulation: orlop.Simulation) -> None:
    project = furnish(simulation).project.id
    secret = ask(
        simulation,
        "POST",
        f"/project/{project}/secret",
        {"key": "TOKEN", "value": "1", "description": 'of the "shop"', "enable_interpolation_in_file": True},
    )
    named = ask(simulation, "POST", f"/project/{project}/secret/{secret['id']}/alias", {"key": "OTHER"})[
        "aliased_secret"
    ]
    assert (named["description"], named["enable_interpolation_in_file"]) == ('of the "shop"', True)
