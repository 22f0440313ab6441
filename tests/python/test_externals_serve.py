"""`orlop serve` with systems in the box: answers over HTTP to the requests that ask them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fake_servers import silent
from git_servers import HttpBackend, Repository
from test_serve import call, served


ALLOWED = ("--external-allow", "127.0.0.0/8", "--port-timeout", "30s")


def test_branches_and_commits_of_a_served_repository(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    commit = repository.commit({"a": "1"}, "first")
    store = str(tmp_path / "platform.db")
    with HttpBackend(tmp_path / "served") as backend:
        given = (store, "--external-systems", "git,registries", "--git-server", f"GITHUB={backend.url}", *ALLOWED)
        with served(tmp_path, *given) as (_, url):
            path = "/account/github/repository/branch?name="
            assert call(url, "GET", f"{path}acme/shop") == (200, {"results": [{"name": "main"}]})
            status, fault = call(url, "GET", f"{path}acme/none")
            assert status == 502 and "cannot be read" in fault["message"]
            assert call(url, "GET", "/account/github/repository")[0] == 501
            found = commits_of(url, f"{backend.url}/acme/shop.git")
            assert [(each["git_commit_id"], each["message"]) for each in found] == [(commit, "first")]


def commits_of(url: str, repository: str) -> Any:
    """Creates an application that is built from a repository. Returns its commits."""

    def post(path: str, body: dict[str, Any]) -> str:
        status, made = call(url, "POST", path, body)
        assert status in (200, 201), made
        return str(made["id"])

    organization = post("/organization", {"name": "acme", "plan": "FREE"})
    project = post(f"/organization/{organization}/project", {"name": "shop"})
    cluster = {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}
    europe = post(f"/organization/{organization}/cluster", cluster)
    environment = post(f"/project/{project}/environment", {"name": "main", "cluster_id": europe})
    source = {"url": repository, "branch": "main", "provider": "GITHUB"}
    body = {"name": "api", "git_repository": source, "build_mode": "DOCKER", "dockerfile_path": "Dockerfile"}
    application = post(f"/environment/{environment}/application", {**body, "healthchecks": {}})
    status, found = call(url, "GET", f"/application/{application}/commit")
    assert status == 200, found
    return found["results"]


def test_a_system_that_is_late_is_answered_with_504(tmp_path: Path) -> None:
    with silent() as fake:
        given = ("--external-systems", "git", "--git-server", f"GITHUB={fake.url}", "--external-allow", "127.0.0.1")
        with served(tmp_path, *given, "--port-timeout", "300ms") as (_, url):
            status, fault = call(url, "GET", "/account/github/repository/branch?name=acme/shop")
            assert status == 504, fault


def test_images_of_a_registry_and_an_own_system(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import orlop\n"
        "class Mine(orlop.ExternalSystems):\n"
        "    def list_git_accounts(self, question):\n"
        "        return [{'name': 'GITHUB', 'owner': 'acme'}]\n"
    )
    with served(tmp_path, "--external-systems", "mine:Mine, registries, helm, argocd", *ALLOWED) as (_, url):
        organization = call(url, "POST", "/organization", {"name": "acme", "plan": "FREE"})[1]["id"]
        accounts = call(url, "GET", f"/organization/{organization}/account/gitAuthProvider")
        assert accounts[0] == 200 and accounts[1]["results"][0]["owner"] == "acme", accounts
        body = {"name": "r", "kind": "GENERIC_CR", "url": "https://127.0.0.2:1", "config": {}}
        registry = call(url, "POST", f"/organization/{organization}/containerRegistry", body)[1]["id"]
        path = f"/organization/{organization}/containerRegistry/{registry}/images?imageName=a"
        status, fault = call(url, "GET", path)
        assert status == 502 and "https://127.0.0.2:1" in fault["message"], json.dumps(fault)
