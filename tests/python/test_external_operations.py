"""Every operation that external systems answer: the question, the answer, and the result without them.

A simulation compares the input of each question with its schema, and fails the request if it does not match.
"""

from __future__ import annotations

from typing import Any

import orlop
import pytest
from conftest import furnish

GIT = {"url": "https://github.com/acme/shop.git", "provider": "GITHUB"}
TO_READ = {"git_repository": {**GIT, "branch": "main"}}
COMMIT = {
    "created_at": "2026-01-01T00:00:00Z",
    "git_commit_id": "1f",
    "tag": "",
    "message": "Begin",
    "author_name": "Ada",
}
LINE = {"id": "0190a0a0-0000-7000-8000-000000000001", "created_at": "2026-01-01T00:00:00Z", "message": "hello"}
RANGE = {"from_date_time": "2026-01-01T00:00:00Z", "to_date_time": "2026-01-02T00:00:00Z"}
QUERY = {"endpoint": "query", "query": "up"}
VARIABLE = {"key": "size", "sensitive": False, "source": "main.tf"}

# Method, path, body, query, question, answer; a path refers to ids of `made`.
OPERATIONS: list[tuple[str, str, Any, dict[str, str], str, Any]] = [
    *[
        entry
        for provider in ("github", "gitlab", "bitbucket")
        for home in ("/account", "{organization}/account")
        for entry in (
            (
                "GET",
                f"{home}/{provider}/repository",
                None,
                {},
                "list_repositories",
                [{"id": "1", "name": "acme/shop", "url": "https://git.example.com/a"}],
            ),
            (
                "GET",
                f"{home}/{provider}/repository/branch",
                None,
                {"name": "acme/shop"},
                "list_branches",
                [{"name": "main"}],
            ),
        )
    ],
    ("GET", "/account/gitAuthProvider", None, {}, "list_git_accounts", [{"name": "GITHUB", "owner": "acme"}]),
    (
        "GET",
        "{organization}/account/gitAuthProvider",
        None,
        {},
        "list_git_accounts",
        [{"name": "GITHUB", "owner": "acme"}],
    ),
    ("GET", "{application}/commit", None, {"startId": "1f"}, "list_commits", [COMMIT]),
    (
        "GET",
        "{application}/contributor",
        None,
        {},
        "list_contributors",
        [{"first_name": "Ada", "email": "ada@example.com"}],
    ),
    ("GET", "{job}/commit", None, {"gitCommitId": "1f"}, "list_commits", [COMMIT]),
    ("GET", "{application}/log", None, {}, "list_service_logs", [LINE]),
    ("GET", "{container}/log", None, {}, "list_service_logs", [LINE]),
    (
        "GET",
        "{registry}/images",
        None,
        {"imageName": "web", "search": "w"},
        "list_images",
        [{"image_name": "web", "versions": ["1.0"]}],
    ),
    (
        "GET",
        "{repository}/charts",
        None,
        {"chartName": "redis"},
        "list_charts",
        [{"chart_name": "redis", "versions": ["1.0.0"]}],
    ),
    ("GET", "{cluster_itself}/events", None, RANGE, "list_kubernetes_events", [{"kind": "Pod", "count": 1}]),
    (
        "GET",
        "/terraform/availableVersion",
        None,
        {},
        "list_terraform_versions",
        [{"engine": "OPEN_TOFU", "version": "1.8.0"}],
    ),
    ("POST", "{organization}/parseTerraformVariablesFromGitRepo", TO_READ, {}, "list_terraform_variables", [VARIABLE]),
    (
        "POST",
        "{organization}/listTfVarsFilesFromGitRepo",
        {**TO_READ, "mode": {"type": "AutoDiscover"}},
        {},
        "list_tfvars_files",
        [{"source": "dev.tfvars", "variables": {"size": "1"}}],
    ),
]
WITH_CATALOG = [
    *[("GET", f"/{cloud}/region", "list_regions") for cloud in ("aws", "azure", "gcp", "scaleway")],
    ("GET", "/aws/managedDatabase/type", "list_managed_database_types"),
    ("GET", "/scaleway/managedDatabase/type", "list_managed_database_types"),
    ("GET", "/aws/instanceType", "list_instance_types"),
    ("GET", "/scaleway/instanceType", "list_instance_types"),
    ("GET", "/aws/eks/instanceType/eu-west-3", "list_instance_types"),
    ("GET", "/azure/aks/instanceType/francecentral", "list_instance_types"),
    ("GET", "/gcp/instanceType/europe-west9", "list_instance_types"),
    ("GET", "/scaleway/instanceType/fr-par-1", "list_instance_types"),
    ("GET", "/aws/managedDatabase/instanceType/eu-west-3/POSTGRESQL", "list_database_instance_types"),
    ("GET", "{cluster}/logs", "list_cluster_logs"),
    ("GET", "{database}/version", "list_database_versions"),
    ("GET", "{environment}/databaseConfiguration", "list_database_versions"),
]


class Made:
    def __init__(self, engine: orlop.Engine) -> None:
        self.engine = engine
        platform = furnish(engine)
        home = f"/organization/{platform.organization.id}"
        environment = f"/environment/{platform.environment.id}"

        def create(path: str, body: Any) -> str:
            return str(engine.request("POST", path, body).check()["id"])

        registry = create(
            f"{home}/containerRegistry",
            {"name": "images", "kind": "DOCKER_HUB", "config": {"username": "acme", "password": "hush"}},
        )
        repository = create(
            f"{home}/helmRepository",
            {
                "name": "charts",
                "kind": "HTTPS",
                "url": "https://charts.example.com",
                "skip_tls_verification": False,
                "config": {},
            },
        )
        application = create(f"{environment}/application", {"name": "api", "git_repository": GIT, "healthchecks": {}})
        job = create(
            f"{environment}/job",
            {
                "name": "seed",
                "source": {"docker": {"git_repository": GIT}},
                "schedule": {"on_start": {}},
                "healthchecks": {},
            },
        )
        container = create(
            f"{environment}/container",
            {"name": "web", "registry_id": registry, "image_name": "web", "tag": "1", "healthchecks": {}},
        )
        database = create(
            f"{environment}/database", {"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}
        )
        self.registry_id = registry
        self.paths = {
            "organization": home,
            "environment": environment,
            "registry": f"{home}/containerRegistry/{registry}",
            "repository": f"{home}/helmRepository/{repository}",
            "application": f"/application/{application}",
            "job": f"/job/{job}",
            "container": f"/container/{container}",
            "database": f"/database/{database}",
            "cluster": f"{home}/cluster/{platform.cluster.id}",
            "cluster_itself": f"/cluster/{platform.cluster.id}",
            "service": f"/service/{application}",
        }

    def ask(self, method: str, path: str, body: Any = None, query: dict[str, str] | None = None) -> orlop.Reply:
        return self.engine.request(method, path.format(**self.paths), body, query=query or {})


@pytest.fixture(scope="module")
def made() -> Made:
    return Made(orlop.Simulation())


@pytest.mark.parametrize(
    ("method", "path", "body", "query", "question", "answer"),
    OPERATIONS,
    ids=[f"{entry[0]} {entry[1]}" for entry in OPERATIONS],
)
def test_the_answer_is_the_list(
    made: Made, method: str, path: str, body: Any, query: dict[str, str], question: str, answer: Any
) -> None:
    externals = made.engine.externals  # type: ignore[attr-defined]
    externals.clear()
    unanswered = made.ask(method, path, body, query)
    assert (unanswered.status, question in unanswered.json()["message"]) == (501, True), unanswered.body
    externals.add(question, answer)
    reply = made.ask(method, path, body, query)
    assert reply.status == 200, reply.body
    results = reply.json()["results"]
    assert len(results) == len(answer)
    for given, shown in zip(answer, results):
        assert {name: shown[name] for name in given} == given
    externals.add(question, error="down")
    assert made.ask(method, path, body, query).status == 502


@pytest.mark.parametrize(("method", "path", "question"), WITH_CATALOG)
def test_a_catalog_answers_what_nothing_else_does(made: Made, method: str, path: str, question: str) -> None:
    externals = made.engine.externals  # type: ignore[attr-defined]
    externals.clear()
    known = made.ask(method, path).check()["results"]
    assert known
    externals.add(question, [])
    assert made.ask(method, path).check()["results"] != known
    externals.add(question, error="down")
    assert made.ask(method, path).status == 502


def test_regions_have_countries_and_zones(made: Made) -> None:
    made.engine.externals.clear()  # type: ignore[attr-defined]
    regions = {region["name"]: region for region in made.ask("GET", "/aws/region").check()["results"]}
    assert regions["eu-west-3"] == {
        "name": "eu-west-3",
        "country_code": "FR",
        "country": "France",
        "city": "Paris",
        "zones": [],
    }
    assert len(regions) == 39
    scaleway = made.ask("GET", "/scaleway/region").check()["results"]
    assert [region["zones"] for region in scaleway][0] == ["fr-par-1", "fr-par-2", "fr-par-3"]
    clouds = made.ask("GET", "/cloudProvider").check()["results"]
    assert [cloud["short_name"] for cloud in clouds] == ["AWS", "AZURE", "GCP", "SCW"]


def test_the_log_of_a_cluster_is_that_of_its_last_change() -> None:
    with orlop.Simulation(seed=1) as simulation:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        path = f"/organization/{organization.id}/cluster/{cluster.id}"

        def lines() -> list[tuple[str, str]]:
            listed = simulation.request("GET", f"{path}/logs").check()["results"]
            return [(line["step"], line["message"]["safe_message"]) for line in listed]

        def is_ready() -> bool:
            return bool(simulation.request("GET", f"{path}/isReady").check()["is_ready"])

        assert (lines(), is_ready()) == ([], False)
        simulation.rules.add(log=[{"after": "5s", "text": "creating the network"}], after="1m")
        cluster.deploy().wait()
        assert lines() == [
            ("Create", "europe is DEPLOYMENT_QUEUED"),
            ("Create", "europe is DEPLOYING"),
            ("Create", "creating the network"),
            ("Created", "europe is DEPLOYED"),
        ]
        assert is_ready()
        simulation.rules.clear()
        simulation.rules.add(fails="no quota")
        simulation.request("POST", f"{path}/stop").check()
        simulation.run_until_idle()
        assert lines() == [
            ("Pause", "europe is STOP_QUEUED"),
            ("Pause", "europe is STOPPING"),
            ("PauseError", "europe is STOP_ERROR: no quota"),
        ]
        failed = simulation.request("GET", f"{path}/logs").check()["results"][-1]
        assert (failed["type"], failed["error"]) == (
            "error",
            {"tag": "STOP_ERROR", "user_log_message": "europe is STOP_ERROR: no quota"},
        )
        assert not is_ready()


def test_answers_that_are_no_list(made: Made) -> None:
    externals = made.engine.externals  # type: ignore[attr-defined]
    externals.clear()
    externals.add("query_cluster_logs", '{"status": "success"}', where={"parameters": QUERY})
    assert made.ask("GET", "{cluster_itself}/logs", query=QUERY).check() == {"response": '{"status": "success"}'}
    assert made.ask("GET", "{cluster_itself}/logs", query={"endpoint": "query"}).status == 400
    externals.add("query_cluster_metrics", "[]", where={"parameters": {**QUERY, "range": "1h"}})
    assert made.ask("GET", "{cluster_itself}/metrics", query={**QUERY, "range": "1h"}).check() == {"metrics": "[]"}
    externals.add("is_cluster_ready", True)
    assert made.ask("GET", "{cluster}/isReady").check() == {"is_ready": True}
    externals.add("sync_webhook", ["push", "pull_request"])
    assert made.ask("POST", "{service}/gitWebhook/sync").check() == {"status": "ACTIVE", "provider": "GITHUB"}
    configurations = made.ask("GET", "{environment}/databaseConfiguration").check()["results"]
    assert [one["database_type"] for one in configurations] == ["MONGODB", "MYSQL", "POSTGRESQL", "REDIS"]
    assert {"name": "16", "supported_mode": "MANAGED"} in configurations[2]["version"]


def test_checks(made: Made) -> None:
    externals = made.engine.externals  # type: ignore[attr-defined]
    externals.clear()
    image = {"registry_id": made.registry_id, "image_name": "web", "tag": "2"}
    assert made.ask("POST", "{environment}/checkContainerImage", image).status == 501
    externals.add("has_image", True)
    externals.add("has_image", False, where={"tag": "3"})
    assert made.ask("POST", "{environment}/checkContainerImage", image).check() == {}
    missing = made.ask("POST", "{environment}/checkContainerImage", {**image, "tag": "3"})
    assert (missing.status, missing.json()["violations"][0]["field"]) == (400, "tag")
    assert made.ask("POST", "{environment}/checkContainerImage", {**image, "registry_id": GIT["url"]}).status == 400

    externals.add("find_missing_files", [])
    externals.add("find_missing_files", ["b"], where={"files": ["a", "b"]})
    assert made.ask("POST", "{environment}/checkGitFile", {**TO_READ, "files": ["a"]}).check() == {}
    assert (
        "it has no b"
        in made.ask("POST", "{environment}/checkGitFile", {**TO_READ, "files": ["a", "b"]}).json()["message"]
    )
    externals.add("find_missing_files", ["Chart.yaml"], where={"files": ["Chart.yaml"], "branch": "next"})
    assert made.ask("POST", "{environment}/checkHelmRepository", TO_READ).check() == {}
    assert (
        made.ask("POST", "{environment}/checkHelmRepository", {"git_repository": {**GIT, "branch": "next"}}).status
        == 400
    )

    externals.add("read_dockerfile", {"arg": ["VERSION"], "repositories": ["debian"]})
    externals.add("read_dockerfile", None, where={"dockerfile_path": "none"})
    assert made.ask("POST", "{environment}/checkDockerfile", {**TO_READ, "dockerfile_path": "Dockerfile"}).check() == {
        "dockerfile_path": "Dockerfile",
        "arg": ["VERSION"],
        "repositories": ["debian"],
    }
    assert made.ask("POST", "{environment}/checkDockerfile", {**TO_READ, "dockerfile_path": "none"}).status == 400
    assert (
        made.ask(
            "POST", "{environment}/checkDockerfile", {"git_repository": {**GIT, "url": ""}, "dockerfile_path": "a"}
        ).status
        == 400
    )
    paths = {**TO_READ, "mode": {"type": "SpecificPaths"}}
    assert made.ask("POST", "{organization}/listTfVarsFilesFromGitRepo", paths).status == 400


def test_a_git_token_must_be_one_of_the_organization(made: Made) -> None:
    engine = made.engine
    externals = engine.externals  # type: ignore[attr-defined]
    externals.clear()
    other = engine.organizations.create(name="other", plan="FREE")
    token = {"name": "t", "type": "GITHUB", "token": "hush"}
    strange = engine.request("POST", f"/organization/{other.id}/gitToken", token).check()["id"]
    own = made.ask("POST", "{organization}/gitToken", token).check()["id"]
    externals.add("list_branches", [{"name": "main"}], where={"token": "hush"})
    branches = "{organization}/account/github/repository/branch"
    assert made.ask("GET", branches, query={"gitTokenId": own}).status == 200
    assert made.ask("GET", branches, query={"gitTokenId": strange}).status == 404
    assert made.ask("GET", branches, query={"gitTokenId": "x"}).status == 400
    body = {"git_repository": {**GIT, "git_token_id": strange}, "files": []}
    assert made.ask("POST", "{environment}/checkGitFile", body).status == 404
    assert made.ask("GET", "{registry}/images".replace("{organization}", "x")).status == 501
    registry = made.paths["registry"].split("/")[-1]
    assert engine.request("GET", f"/organization/{other.id}/containerRegistry/{registry}/images").status == 404
