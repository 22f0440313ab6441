"""Terraform versions, Argo CD, Prometheus, and several systems as one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

import orlop
import pytest
from fake_servers import LOOPBACK, METADATA, ORGANIZATION, Fake, Reply, Request, matches, reply, silent
from orlop.externals import ArgoCd, Combined, Git, HelmRepositories, Prometheus, Registries, Terraform
from orlop.externals.targets import Refused

CLUSTER = "22222222-2222-4222-8222-222222222222"


def test_versions_of_both_engines() -> None:
    indexes = {
        "/terraform": {"name": "terraform", "versions": {"1.9.8": {}, "1.10.0": {}, "1.11.0-rc1": {}}},
        "/tofu": {"versions": [{"id": "v1.8.0"}, {"id": "1.9.0"}, {"none": 1}, None]},
        "/list": ["1.0.0"],
    }
    with Fake(lambda asked: reply(indexes[asked.path])) as fake:
        urls = {"TERRAFORM": f"{fake.url}/terraform", "OPEN_TOFU": f"{fake.url}/tofu"}
        terraform = Terraform(urls, allow=LOOPBACK)
        for _ in range(2):
            assert matches("list_terraform_versions", terraform.list_terraform_versions({})) == [
                {"engine": "TERRAFORM", "version": "1.10.0"},
                {"engine": "TERRAFORM", "version": "1.9.8"},
                {"engine": "OPEN_TOFU", "version": "1.9.0"},
                {"engine": "OPEN_TOFU", "version": "1.8.0"},
            ]
        assert len(fake.requests) == 2 and len(terraform.ages()) == 2
        one = Terraform({"OPEN_TOFU": f"{fake.url}/list"}, allow=LOOPBACK)
        assert one.list_terraform_versions({}) == [{"engine": "OPEN_TOFU", "version": "1.0.0"}]


@pytest.mark.parametrize("content", [{}, [], 5, {"versions": 5}, {"versions": [1]}, {"versions": {"1.0.0-rc1": 1}}])
def test_an_index_without_versions(content: Any) -> None:
    with Fake(lambda _: reply(content)) as fake:
        with pytest.raises(orlop.ExternalFailed, match="has no versions"):
            Terraform({"TERRAFORM": fake.url}, allow=LOOPBACK).list_terraform_versions({})


def test_indexes_are_checked() -> None:
    with pytest.raises(orlop.Misuse, match="indexes must have URLs for TERRAFORM and OPEN_TOFU, not for 'PULUMI'"):
        Terraform({"PULUMI": "https://example.com"})
    with pytest.raises(orlop.Misuse, match="indexes must have a URL for at least one of"):
        Terraform({})
    with pytest.raises(Refused):
        Terraform({"TERRAFORM": METADATA}).list_terraform_versions({})


APPLICATION = {
    "metadata": {"name": "shop"},
    "spec": {
        "project": "default",
        "destination": {"name": "in-cluster", "namespace": "shop"},
        "source": {"repoURL": "https://example.com/acme/shop.git", "path": "deploy", "targetRevision": "HEAD"},
    },
    "status": {
        "health": {"status": "Degraded", "message": "a pod fails"},
        "sync": {"status": "OutOfSync", "revision": "abc"},
        "operationState": {"phase": "Succeeded", "finishedAt": "2024-01-01T00:00:00Z"},
    },
}
CHART = {
    "metadata": {"name": "redis"},
    "spec": {"destination": {"server": "https://b"}, "sources": [{"chart": "redis", "repoURL": "https://charts"}]},
}


def argocd(request: Request) -> Reply:
    if request.headers.get("authorization") != "Bearer token":
        return reply({}, 403 if "forbidden" in request.headers.get("authorization", "") else 401)
    if request.path.startswith("/api/v1/applications"):
        return reply({"items": [APPLICATION, CHART]})
    clusters = [
        {"server": "https://a", "name": "in-cluster", "info": {"applicationsCount": 1}},
        {"server": "https://b"},
    ]
    return reply({"items": clusters})


def argocd_question(url: str, token: str = "token") -> dict[str, Any]:
    return {"organization_id": ORGANIZATION, "cluster_id": CLUSTER, "url": url, "token": token}


def test_argo_cd() -> None:
    with Fake(argocd) as fake:
        system, asked = ArgoCd(allow=LOOPBACK), argocd_question(f"{fake.url}/")
        assert matches("check_argocd", system.check_argocd(asked)) == {"status": "connected", "app_count": 2}
        for token, reason in (("x", "authentication_failed"), ("forbidden", "insufficient_permissions")):
            found = matches("check_argocd", system.check_argocd(argocd_question(fake.url, token)))
            assert found == {"status": "error", "reason": reason}
        assert matches("list_argocd_clusters", system.list_argocd_clusters(asked)) == [
            {"argocd_cluster_url": "https://a", "argocd_cluster_name": "in-cluster", "applications_count": 1},
            {"argocd_cluster_url": "https://b", "argocd_cluster_name": "", "applications_count": 0},
        ]
        shop, redis = matches("list_argocd_applications", system.list_argocd_applications(asked))
        assert shop == {
            "name": "shop",
            "project": "default",
            "namespace": "shop",
            "argocd_cluster_url": "https://a",
            "health": "DEGRADED",
            "health_message": "a pod fails",
            "sync_status": "OUT_OF_SYNC",
            "last_synced_at": "2024-01-01T00:00:00Z",
            "manifest_revision": "abc",
            "git_repository": {
                "url": "https://example.com/acme/shop.git",
                "branch": "",
                "root_path": "deploy",
            },
        }
        assert (redis["namespace"], redis["health"], redis["git_repository"]) == ("default", "UNKNOWN", None)
        assert redis["argocd_cluster_url"] == "https://b"


def test_an_argo_cd_that_cannot_be_reached() -> None:
    unreachable = {"status": "error", "reason": "unreachable"}
    with Fake(lambda _: reply({"items": None})) as fake:
        assert ArgoCd().check_argocd(argocd_question(fake.url)) == unreachable  # it is not allowed
        assert ArgoCd(allow=LOOPBACK).list_argocd_applications(argocd_question(fake.url)) == []
    assert ArgoCd(allow=LOOPBACK).check_argocd(argocd_question(fake.url)) == unreachable
    with silent() as fake:
        assert ArgoCd(allow=LOOPBACK, timeout=0.3).check_argocd(argocd_question(fake.url)) == unreachable
    with Fake(lambda _: reply([])) as fake:
        with pytest.raises(orlop.ExternalFailed, match="without items"):
            ArgoCd(allow=LOOPBACK).list_argocd_clusters(argocd_question(fake.url))
    with Fake(lambda _: reply({"items": [5, None, {}]})) as fake:
        assert len(ArgoCd(allow=LOOPBACK).list_argocd_applications(argocd_question(fake.url))) == 3


def promql(request: Request) -> Reply:
    query = parse_qs(request.body.decode())["query"][0]
    if request.path == "/old/api/v1/format_query":
        return Reply(404)
    if query.endswith("("):
        return reply({"status": "error", "errorType": "bad_data", "error": "1:5: parse error: unclosed"}, 400)
    return reply({"status": "success", "data": {"path": request.path, "token": request.headers.get("authorization")}})


def test_promql_is_checked() -> None:
    with Fake(promql) as fake:
        for path in ("", "/old"):
            system = Prometheus(f"{fake.url}{path}", token="t")
            for query, fault in (("up", ""), ("sum(", "1:5: parse error: unclosed"), ("x" * 70_000, "")):
                asked = {"organization_id": ORGANIZATION, "query": query}
                assert matches("check_promql", system.check_promql(asked)) == fault
        assert fake.requests[0].headers["authorization"] == "Bearer t"
    with Fake(lambda _: reply({}, 503)) as fake:
        with pytest.raises(orlop.ExternalFailed, match="does not check queries: status 503"):
            Prometheus(fake.url).check_promql({"query": "up"})


def test_metrics_of_clusters() -> None:
    with Fake(promql) as fake:
        system = Prometheus(fake.url, clusters={CLUSTER: f"{fake.url}/mine"})
        asked = {"organization_id": ORGANIZATION, "cluster_id": CLUSTER}
        parameters = {"endpoint": "query_range", "query": "up", "start": "1", "trace_id": "x"}
        found = matches("query_cluster_metrics", system.query_cluster_metrics({**asked, "parameters": parameters}))
        assert '"/mine/api/v1/query_range"' in found
        assert parse_qs(fake.requests[0].body.decode()) == {"query": ["up"], "start": ["1"]}
        for endpoint in ("../admin/tsdb/delete_series", "", None, "admin"):
            with pytest.raises(orlop.ExternalFailed, match="endpoint must be one of query, "):
                system.query_cluster_metrics({**asked, "parameters": {"endpoint": endpoint, "query": "up"}})
        with pytest.raises(orlop.Unanswered):
            system.query_cluster_metrics({**asked, "cluster_id": ORGANIZATION, "parameters": parameters})
    for url in ("prometheus", "ftp://a", "https://", "http://[::1"):
        with pytest.raises(orlop.Misuse, match="url must be the URL of a Prometheus server"):
            Prometheus(url)


class Plain(orlop.ExternalSystems):
    def list_branches(self, question: Mapping[str, Any]) -> Any:
        if question["repository"] != "plain":
            raise orlop.Unanswered("not mine")
        return [{"name": "plain"}]


class Later(orlop.ExternalSystems):
    async def list_branches(self, question: Mapping[str, Any]) -> Any:
        await asyncio.sleep(0)
        if question["repository"] != "later":
            raise orlop.Unanswered("not mine")
        return [{"name": "later"}]


@pytest.mark.parametrize("systems", [(Plain(), Later()), (Later(), Plain())])
def test_the_first_that_answers_counts(systems: tuple[orlop.ExternalSystems, ...]) -> None:
    with orlop.Engine(external_systems=Combined(*systems), port_timeout="30s") as engine:

        def asked(name: str) -> Any:
            reply = engine.request("GET", "/account/github/repository/branch", query={"name": name})
            return reply.json()["results"] if reply.status == 200 else reply.status

        assert asked("plain") == [{"name": "plain"}]
        assert asked("later") == [{"name": "later"}]
        assert asked("none") == 501


def test_combined_answers_what_its_systems_answer() -> None:
    from orlop.externals.external_check import answered

    both = Combined(Git(), HelmRepositories(), Registries())
    assert {"list_branches", "list_charts", "has_image", "read_chart_values"} <= set(answered(both))
    assert "admit" not in answered(both)
    assert set(answered(Combined(both, Plain()))) == set(answered(both))
    with pytest.raises(orlop.Unanswered, match="read_chart_values is not answered"):
        both.read_chart_values({"git_repository": None, "repository": None})
    for wrong in ((), (Plain,), (object(),)):
        with pytest.raises(orlop.Misuse):
            Combined(*wrong)


def test_an_engine_without_them_imports_none_of_their_packages() -> None:
    program = "import orlop, sys; orlop.Engine().close(); sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_a_missing_package_is_named() -> None:
    program = (
        "import sys; sys.modules['httpx'] = None; import orlop.externals; orlop.externals.Git(); "
        "orlop.externals.Registries"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "httpx is missing, which Registries needs: pip install 'orlop[externals]'" in ran.stderr
    with pytest.raises(AttributeError):
        orlop.externals.Nothing
