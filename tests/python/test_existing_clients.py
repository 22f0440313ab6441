"""What clients of the interface that exist expect of answers: names, hosts and descriptions that are always there."""

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


def services_of_git(simulation: orlop.Simulation, environment: str) -> dict[str, str]:
    """One service of each kind that has a repository: its path."""
    resources = {"cpu_milli": 500, "ram_mib": 512, "storage_gib": 1}
    bodies: dict[str, dict[str, Any]] = {
        "application": {"git_repository": GIT, "healthchecks": {}},
        "job": {"healthchecks": {}, "source": {"docker": {"git_repository": GIT, "dockerfile_path": "Dockerfile"}}, "schedule": {"on_start": {}}},
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
    made = {}
    for kind, body in bodies.items():
        service = ask(simulation, "POST", f"/environment/{environment}/{kind}", {"name": kind, **body})
        made[kind] = f"/{kind}/{service['id']}"
    return made


def commit_of(service: Any) -> str | None:
    """The member, wherever it lies."""
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
    """The public host name, which links, variables and domains name alike."""
    links = ask(simulation, "GET", f"/container/{container}/link")["results"]
    hosts = {link["url"].removeprefix("https://").partition("/")[0] for link in links if link["is_platform_domain"]}
    variables = ask(simulation, "GET", f"/container/{container}/environmentVariable")["results"]
    hosts |= {each["value"] for each in variables if each["key"] == f"PLATFORM_CONTAINER_Z{container[:8].upper()}_HOST_EXTERNAL"}
    domains = ask(simulation, "GET", f"/container/{container}/customDomain")["results"]
    hosts |= {domain["validation_domain"] for domain in domains}
    assert len(domains) == 1 and len(links) == 3
    (host,) = hosts
    return str(host)


def test_a_service_has_one_host_name(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    cluster = platform.cluster.id
    ports = [{"internal_port": 8080, "publicly_accessible": True, "is_default": True}, {"internal_port": 9090, "publicly_accessible": True, "public_path": "/admin"}]
    container = platform.container(name="web", ports=ports).id
    ask(simulation, "POST", f"/container/{container}/customDomain", {"domain": "www.example.com", "generate_certificate": True})
    label = f"z{container[:8]}-z{cluster[:8]}-gtw"
    assert host_of(simulation, container) == f"{label}.platform.app"
    assert ask(simulation, "GET", f"/cluster/{cluster}/dnsProvider")["dns_provider"]["domain"] == "platform.app"
    provider = {"provider": "CLOUDFLARE", "domain": "apps.example.com", "email": "ada@example.com", "api_token": "token"}
    ask(simulation, "PUT", f"/cluster/{cluster}/dnsProvider", {"dns_provider": provider})
    assert host_of(simulation, container) == f"{label}.apps.example.com"


def test_built_ins_have_a_description_and_those_of_a_database_its_engine(simulation: orlop.Simulation) -> None:
    platform = furnish(simulation)
    container = platform.container(name="web").id
    engines: tuple[Literal["POSTGRESQL", "MYSQL", "MONGODB", "REDIS"], ...] = ("POSTGRESQL", "MYSQL", "MONGODB", "REDIS")
    for number, engine in enumerate(engines):
        version = {"POSTGRESQL": "16", "MYSQL": "8.0", "MONGODB": "6.0", "REDIS": "7.0"}[engine]
        platform.environment.databases.create(name=f"db{number}", type=engine, version=version, mode="CONTAINER")
    databases = {each.type: each.id for each in platform.environment.databases}
    ask(simulation, "POST", f"/container/{container}/secret", {"key": "TOKEN", "value": "1"})
    paths = (f"/variable?parent_id={container}&scope=CONTAINER", f"/variable?parent_id={container}&scope=CONTAINER&page=1&page_size=1000",
             f"/container/{container}/environmentVariable", f"/container/{container}/secret")
    for path in paths:
        variables = ask(simulation, "GET", path)["results"]
        assert variables and all(variable["description"] == "" for variable in variables), path
    keys = {variable["key"] for variable in ask(simulation, "GET", paths[0])["results"]}
    for engine, identity in databases.items():
        prefix = f"PLATFORM_{engine}_Z{identity[:8].upper()}_"
        assert {prefix + name for name in ("HOST_INTERNAL", "HOST", "PORT", "LOGIN", "PASSWORD", "DATABASE_URL")} <= keys
