"""Operations without a common subject: settings deep in a cluster, exports, targets of the audit log, referrals, users
of a database, sign-ins by groups, external secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import orlop
import pytest
from conftest import Platform


@pytest.fixture(name="platform")
def platform_fixture(request: pytest.FixtureRequest) -> Iterator[Platform]:
    with Platform(**getattr(request, "param", {})) as platform:
        yield platform


with_sign_in = pytest.mark.parametrize("platform", [{"authentication": "required"}], indirect=True)


# ---- Clusters


def test_a_cluster_has_a_dns_provider(platform: Platform) -> None:
    path = f"/cluster/{platform.cluster.id}/dnsProvider"
    assert platform.ask("GET", path)["dns_provider"]["provider"] == "PLATFORM"
    body = {
        "dns_provider": {
            "provider": "CLOUDFLARE",
            "domain": "apps.example.com",
            "email": "ada@example.com",
            "api_token": "hidden-value",
        }
    }
    shown = platform.ask("PUT", path, body)["dns_provider"]
    assert shown == {
        "provider": "CLOUDFLARE",
        "domain": "apps.example.com",
        "email": "ada@example.com",
        "proxied": False,
    }
    route53 = {
        "provider": "ROUTE53",
        "domain": "x.example.com",
        "aws_region": "eu-west-3",
        "credentials": {"type": "STATIC", "aws_access_key_id": "AKIA", "aws_secret_access_key": "hidden-value"},
    }
    platform.ask("PUT", path, {"dns_provider": route53})
    assert platform.ask("GET", path)["dns_provider"]["credentials"] == {"type": "STATIC", "aws_access_key_id": "AKIA"}
    for wrong in (
        {},
        {"dns_provider": None},
        {"dns_provider": {"provider": "CLOUDFLARE", "domain": "a"}},
        {"dns_provider": {"provider": "OTHER", "domain": "a"}},
    ):
        with pytest.raises(orlop.Invalid, match="dns_provider"):
            platform.ask("PUT", path, wrong)


def test_deep_settings_of_a_cluster_are_set_alone(platform: Platform) -> None:
    token = platform.organization.git_tokens.create(name="t", type="GITHUB", token="x")
    repository = {"url": "https://github.com/acme/clusters.git", "git_token_id": token.id, "commit_id": "1"}
    anywhere = {"git_repository": repository, "yaml_file_path": "c.yaml"}
    network = {
        "type": "AWS_USER_PROVIDED_NETWORK",
        "value": {
            "aws_vpc_eks_id": "vpc-1",
            "eks_subnets_zone_a_ids": [],
            "eks_subnets_zone_b_ids": [],
            "eks_subnets_zone_c_ids": [],
        },
    }
    cluster = platform.create_cluster(
        infrastructure_charts_parameters={"eks_anywhere_parameters": anywhere},
        features=[{"id": "EXISTING_VPC", "value_object": network}],
    )
    item = f"{platform.home}/cluster/{cluster.id}"
    assert platform.ask("PUT", f"{item}/eks-anywhere/commit", {"commit_id": "2f"}) == {"commit_id": "2f"}
    platform.ask("PUT", f"{item}/karpenterPrivateSubnetIds", {"eks_karpenter_fargate_subnets_zone_a_ids": ["subnet-1"]})
    shown = platform.ask("GET", item)
    assert shown["infrastructure_charts_parameters"]["eks_anywhere_parameters"]["git_repository"]["commit_id"] == "2f"
    assert shown["features"][0]["value_object"]["value"]["eks_karpenter_fargate_subnets_zone_a_ids"] == ["subnet-1"]
    other = f"{platform.home}/cluster/{platform.create_cluster(name='d').id}"
    for path, body in (("eks-anywhere/commit", {"commit_id": "1"}), ("karpenterPrivateSubnetIds", {})):
        with pytest.raises(orlop.Invalid, match="clusterId"):
            platform.ask("PUT", f"{other}/{path}", body)


def test_values_of_an_installation_come_from_the_record_or_from_outside(platform: Platform) -> None:
    cluster = platform.create_cluster(name='say "hi"')
    path = f"{platform.home}/cluster/{cluster.id}/installationHelmValues"
    reply = platform.simulation.request("GET", path)
    assert (
        reply.status == 200
        and f'id: "{cluster.id}"' in reply.body.decode()
        and r'name: "say \"hi\""' in reply.body.decode()
    )
    platform.simulation.externals.add("get_installation_values", "a: 1\n")
    assert platform.simulation.request("GET", path).body.decode() == "a: 1\n"


def test_the_fleet_of_operators_is_the_hosts(platform: Platform) -> None:
    entry = {
        "organization_id": platform.organization.id,
        "cluster_id": platform.cluster.id,
        "cluster_name": "c",
        "cluster_kind": "SELF_MANAGED",
        "attached": True,
        "connected": False,
        "status": "DISCONNECTED",
    }
    platform.simulation.externals.add("list_operator_fleet", [entry])
    assert platform.ask("GET", "/admin/operator/clusters")["results"] == [entry]


# ---- Databases, events, referrals, agents


def test_an_application_uses_a_database_by_an_alias(platform: Platform) -> None:
    environment = platform.environment
    database = environment.databases.create(name="d", type="POSTGRESQL", version="16", mode="CONTAINER")
    source: Any = {"url": "https://github.com/acme/shop.git", "provider": "GITHUB"}
    users, other = (
        environment.applications.create(name=name, git_repository=source, healthchecks={}, ports=[])
        for name in ("a", "b")
    )
    path = f"/database/{database.id}/application"
    assert platform.ask("GET", path)["results"] == []
    variables = platform.ask("GET", f"/variable?parent_id={users.id}&scope=APPLICATION")["results"]
    built_in = next(
        entry
        for entry in variables
        if entry["scope"] == "BUILT_IN" and entry["key"].endswith("_HOST_INTERNAL") and "POSTGRESQL" in entry["key"]
    )
    alias = platform.ask(
        "POST",
        f"/variable/{built_in['id']}/alias",
        {"key": "DB_HOST", "alias_scope": "APPLICATION", "alias_parent_id": users.id},
    )
    assert [entry["id"] for entry in platform.ask("GET", path)["results"]] == [users.id]
    with pytest.raises(orlop.NotFound, match="does not use"):
        platform.ask("DELETE", f"{path}/{other.id}")
    platform.ask("DELETE", f"{path}/{users.id}")
    assert platform.ask("GET", path)["results"] == []
    left = platform.ask("GET", f"/variable?parent_id={users.id}&scope=APPLICATION")["results"]
    assert alias["id"] not in [entry["id"] for entry in left]


def test_the_targets_of_the_log_are_named_once(platform: Platform) -> None:
    first = platform.environment
    second = platform.project.environments.create(name="second")
    first.edit(name="renamed")
    path = f"{platform.home}/targets"
    targets = platform.ask("GET", f"{path}?targetType=ENVIRONMENT")["targets"]
    assert sorted((entry["id"], entry["name"]) for entry in targets) == sorted(
        [(first.id, "renamed"), (second.id, "second")]
    )
    assert platform.ask("GET", f"{path}?targetLevelToFetch=PROJECT&environmentId={first.id}")["targets"] == [
        {"id": platform.project.id, "name": "shop"}
    ]
    assert platform.ask("GET", f"{path}?eventType=LOCK")["targets"] == []
    with pytest.raises(orlop.Invalid, match="fromTimestamp"):
        platform.ask("GET", f"{path}?fromTimestamp=soon")


def test_a_reward_is_claimed_once_for_each_account(platform: Platform) -> None:
    def account(name: str, method: str, path: str, body: Any = None) -> Any:
        return platform.simulation.request(method, path, body, headers={"x-acting-for": name}).check()

    account("ada", "PUT", "/account", {"communication_email": "ada@example.com"})
    link = account("ada", "GET", "/account/referral")["invitation_link"]
    code = link.rpartition("=")[2]
    with pytest.raises(orlop.Invalid, match="another account"):
        account("ada", "POST", "/account/rewardClaim", {"type": "INVITATION", "code": code})
    account("bob", "POST", "/account/rewardClaim", {"type": "INVITATION", "code": code})
    with pytest.raises(orlop.Conflict):
        account("bob", "POST", "/account/rewardClaim", {"type": "INVITATION", "code": code})
    assert account("ada", "GET", "/account/referral")["total_invited"] == 1
    for wrong in ("x", "0" * 32, "x" * 255):
        with pytest.raises(orlop.Invalid, match="code"):
            account("eve", "POST", "/account/rewardClaim", {"type": "INVITATION", "code": wrong})


def test_an_agentic_workflow_is_kept(platform: Platform) -> None:
    environment = platform.environment
    path = f"/environment/{environment.id}/agenticWorkflow"
    made = platform.ask("POST", path, {"name": "Triage New", "model": {"type": "BEDROCK", "api_key": "hidden-value"}})
    assert (made["slug"], made["service_type"], made["model"]) == (
        "triage-new",
        "AGENTIC_WORKFLOW",
        {"type": "BEDROCK", "settings": ""},
    )
    assert made["resources"] == {"cpu_milli": 1000, "ram_mib": 1024, "gpu": 0, "storage_gib": 0} and made[
        "governance"
    ] == {"host_allowlist": []}
    item = f"/agenticWorkflow/{made['id']}"
    assert platform.ask("PUT", item, {"name": "other"})["slug"] == "other"
    assert [entry["id"] for entry in platform.ask("GET", path)["results"]] == [made["id"]]
    assert platform.ask("GET", f"{item}/deploymentHistoryV2")["results"] == []
    with pytest.raises(orlop.Conflict):
        platform.ask("POST", f"{item}/cancelDeployment", {})
    assert platform.simulation.request("DELETE", item).status == 204


# ---- Sign-in by groups

CONNECTION = {
    "connection_name": "saml",
    "default_role": "viewer",
    "enforce_group_sync": True,
    "group_mappings": {"admin": ["platform"], "devops": ["developers"]},
}


@with_sign_in
def test_groups_give_a_role(platform: Platform) -> None:
    platform.ask("PUT", f"{platform.home}/enterpriseconnection/saml", CONNECTION)

    def sign_in(groups: list[str], name: str = "saml") -> None:
        connection = {"organization_id": platform.organization.id, "connection_name": name, "groups": groups}
        platform.simulation.externals.add(
            "authenticate", {"subject": "ada", "name": "Ada", "enterprise_connection": connection}
        )
        platform.simulation.request("GET", "/account", headers={"Authorization": "Bearer jwt"}).check()

    def role() -> list[str]:
        return [
            entry["role_name"]
            for entry in platform.ask("GET", f"{platform.home}/member")["results"]
            if entry["name"] == "Ada"
        ]

    sign_in(["developers"], name="other")
    assert role() == []
    sign_in(["developers", "platform"])
    assert role() == ["admin"]
    seen = platform.simulation.last_event
    sign_in(["platform"])
    assert platform.simulation.last_event == seen  # no change, and no write
    sign_in(["developers"])
    assert role() == ["devops"]
    sign_in([])
    assert role() == ["viewer"]
    platform.ask("PUT", f"{platform.home}/enterpriseconnection/saml", {**CONNECTION, "enforce_group_sync": False})
    sign_in(["platform"])
    assert role() == ["viewer"]


@with_sign_in
def test_groups_give_no_ownership(platform: Platform) -> None:
    platform.ask(
        "PUT",
        f"{platform.home}/enterpriseconnection/saml",
        {**CONNECTION, "default_role": "owner", "group_mappings": {"owner": ["x"], "none": ["y"]}},
    )
    for groups in (["x"], ["y"], []):
        connection = {"organization_id": platform.organization.id, "connection_name": "saml", "groups": groups}
        platform.simulation.externals.add(
            "authenticate", {"subject": "eve", "name": "Eve", "enterprise_connection": connection}
        )
        platform.simulation.request("GET", "/account", headers={"Authorization": "Bearer jwt"}).check()
    assert "Eve" not in [entry["name"] for entry in platform.ask("GET", f"{platform.home}/member")["results"]]


# ---- The export


def test_an_export_can_be_applied_again(platform: Platform) -> None:
    environment = platform.project.environments.create(name="shop 1", cluster_id=platform.cluster.id)
    web = environment.containers.create(
        name="Web",
        registry_id=platform.registry.id,
        image_name="acme/web",
        tag="1",
        healthchecks={},
        entrypoint="${HOME}/run",
    )
    platform.ask(
        "POST",
        "/variable",
        {"key": "KEY", "value": "v", "is_secret": False, "variable_scope": "CONTAINER", "variable_parent_id": web.id},
    )
    platform.ask(
        "POST",
        "/variable",
        {
            "key": "HIDDEN",
            "value": "hidden-value",
            "is_secret": True,
            "variable_scope": "ENVIRONMENT",
            "variable_parent_id": environment.id,
        },
    )
    path = f"/environment/{environment.id}/terraformExport"
    reply = platform.simulation.request("GET", path)
    assert reply.status == 200 and "hidden-value" not in reply.body.decode()
    resources = json.loads(reply.body.decode())["resource"]
    assert set(resources) == {
        "platform_environment",
        "platform_deployment_stage",
        "platform_container",
        "platform_variable",
    }
    [container] = resources["platform_container"].values()
    assert (
        container["environment_id"] == "${platform_environment.shop_1.id}" and container["entrypoint"] == "$${HOME}/run"
    )
    assert resources["platform_variable"]["key"]["variable_parent_id"] == "${platform_container.web.id}"
    assert "hidden-value" in platform.simulation.request("GET", f"{path}?exportSecrets=true").body.decode()


# ---- External secrets and rules


def test_external_secrets_are_read_for_the_driver_alone() -> None:
    taken: list[dict[str, Any]] = []

    class Driver(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            taken.append(step.configuration)

    class Systems(orlop.ExternalSystems):
        def resolve_secrets(self, question: Any) -> dict[str, str]:
            assert question["names"] == ["prod/db"]
            return {"prod/db": "hidden-value"}

    with orlop.Engine("memory:", driver=Driver(), external_systems=Systems(), require_cluster=False) as engine:
        platform = Platform(engine)
        access: Any = {
            "name": "aws",
            "endpoint": {"mode": "AWS_SECRET_MANAGER", "region": "eu-west-3"},
            "authentication": {"mode": "AUTOMATICALLY_CONFIGURED"},
        }
        platform.cluster = platform.create_cluster(secret_manager_accesses=[access])
        shown = platform.ask("GET", f"{platform.home}/cluster/{platform.cluster.id}")
        body = {
            "key": "DB",
            "value": "prod/db",
            "is_secret": False,
            "variable_scope": "CONTAINER",
            "variable_parent_id": platform.container().id,
            "secret_manager_access_id": shown["secret_manager_accesses"][0]["id"],
        }
        platform.ask("POST", "/variable", body)
        platform.environment.deploy().wait(timeout=30)
        [entry] = [variable for variable in taken[0]["variables"] if variable["key"] == "DB"]
        assert (entry["value"], entry["is_secret"]) == ("hidden-value", True)
        assert b"hidden-value" not in bytes(engine.snapshot())


HOURS = {
    "timezone": "UTC",
    "start_time": "1970-01-01T08:00:00Z",
    "stop_time": "1970-01-01T19:00:00Z",
    "auto_stop": True,
    "weekdays": ["MONDAY"],
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"weekdays": ["MONDAY", "FRIDAY", "MONDAY"]}, r"weekdays\[2\]"),
        ({"stop_time": "2020-05-05T08:00:00Z"}, "stop_time"),
        ({"timezone": "X/Y"}, "timezone"),
    ],
)
def test_hours_without_sense_are_refused(platform: Platform, change: Any, field: str) -> None:
    environment = platform.environment
    with pytest.raises(orlop.Invalid, match=field):
        platform.ask("PUT", f"/environment/{environment.id}/deploymentRule/{environment.id}", {**HOURS, **change})


def test_an_environment_with_automatic_previews_previews_all_containers(platform: Platform) -> None:
    environment = platform.environment
    platform.container(auto_preview=False)
    preview = (f"{platform.home}/container/preview", {"image_name": "acme/web", "tag": "2"})
    with pytest.raises(orlop.NotFound):
        platform.ask("POST", *preview)
    platform.ask(
        "PUT",
        f"/environment/{environment.id}/deploymentRule/{environment.id}",
        {**HOURS, "auto_stop": False, "auto_preview": True},
    )
    platform.ask("POST", *preview)
    copies = [entry for entry in platform.project.environments if entry.mode == "PREVIEW"]
    assert [service.tag for copy in copies for service in copy.containers] == ["2"]
