"""Rules about requests and answers: each function shows lines `rule` of interface.txt."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import orlop
from calls import CALLS, send
from objects import MADE
from orlop import asgi
from orlop.base.wire import Reply, loads
from shown import shows
from fixture import Stranger, Fixture

# Effects of endpoints.


def _status(fixture: Fixture, path: str) -> Any:
    return fixture.get(f"{path}/status")


@shows("job.force")
def job_without_the_forced_event_is_not_deployed(fixture: Fixture) -> None:
    job = fixture.make_job({"on_start": {}})
    before = _status(fixture, f"/job/{job}")
    reply = fixture.ask("POST", f"/job/{job}/deploy", {}, {"forceEvent": "STOP"})
    assert reply.status == 202
    for name in ("state", "service_deployment_status", "deployment_requests_count"):
        assert reply.json()[name] == before[name]
    forced = fixture.ask("POST", f"/job/{job}/deploy", {}, {"forceEvent": "START"}).json()
    assert forced["state"] == "DEPLOYMENT_QUEUED"


@shows("job.exclusive")
def job_takes_a_tag_or_a_commit(fixture: Fixture) -> None:
    job = fixture.make_job({"on_start": {}})
    assert fixture.ask("POST", f"/job/{job}/deploy", {"image_tag": "2.0", "git_commit_id": "abc"}).status == 400
    assert fixture.ask("POST", f"/job/{job}/deploy", {"image_tag": "2.0"}).status == 202


@shows("clone.target", "clone.own", "clone.same")
def clone_of_a_database_is_another_one_of_its_kind(fixture: Fixture) -> None:
    made = MADE["Database"](fixture)
    original = made.make(made.largest)
    target = fixture.make_environment()
    fixture.engine.clock.advance(seconds=5)
    copy = fixture.make(f"/database/{original['id']}/clone", {"name": "copy", "environment_id": target})
    assert copy["environment"] == {"id": target}
    assert copy["id"] != original["id"] and copy["created_at"] > original["created_at"]
    own = {"id", "created_at", "updated_at", "name", "environment", "host"}
    assert {name: value for name, value in copy.items() if name not in own} == {
        name: value for name, value in original.items() if name not in own
    }


@shows("preview.tag")
def preview_runs_the_other_tag_in_a_copy(fixture: Fixture) -> None:
    call = CALLS["9"](fixture)
    assert call.body is not None
    before = {environment["id"] for environment in fixture.get(f"/project/{fixture.project}/environment")["results"]}
    reply = send(fixture, "POST", "/organization/{organizationId}/container/preview", call)
    environments = fixture.get(f"/project/{fixture.project}/environment")["results"]
    copies = [environment for environment in environments if environment["id"] not in before]
    assert [environment["mode"] for environment in copies] == ["PREVIEW"]
    container = fixture.get(f"/environment/{copies[0]['id']}/container")["results"][0]
    assert (container["image_name"], container["tag"]) == (call.body["image_name"], call.body["tag"])
    assert reply.json()["deployment_request_id"]


@shows("git_token.gone")
def git_token_is_gone_when_it_was_deleted(fixture: Fixture) -> None:
    call = CALLS["14"](fixture)
    path = f"{fixture.home}/gitToken/{call.ids[1]}"
    assert fixture.ask("DELETE", path).status == 204
    assert fixture.ask("GET", path).status == 404 and fixture.ask("DELETE", path).status == 404


def _edited(fixture: Fixture, number: str, path: str) -> None:
    call = CALLS[number](fixture)
    assert call.body is not None
    answer = send(fixture, "PUT", path, call).json()
    assert (answer["id"], answer["name"]) == (call.ids[1], call.body["name"])


@shows("azure.edited")
def azure_credentials_are_edited_in_place(fixture: Fixture) -> None:
    _edited(fixture, "5", "/organization/{organizationId}/azure/credentials/{credentialsId}")


@shows("registry.edited")
def registry_is_edited_in_place(fixture: Fixture) -> None:
    _edited(fixture, "7", "/organization/{organizationId}/containerRegistry/{containerRegistryId}")


@shows("upgrade.next")
def upgrade_goes_to_the_next_version(fixture: Fixture) -> None:
    with orlop.Engine(kubernetes_versions=["1.40", "1.41", "1.42"]) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        cluster = organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        path = f"/organization/{organization.id}/cluster/{cluster.id}"
        assert cluster.version == "1.41"
        for action, status in ((f"{path}/deploy", 200), (f"/cluster/{cluster.id}/upgrade", 201)):
            assert engine.request("POST", action).status == status
            while engine.tick() is not None and engine.request("GET", f"{path}/status").json()["status"] != "DEPLOYED":
                pass
        assert engine.request("GET", path).json()["version"] == "1.42"
        assert engine.request("POST", f"/cluster/{cluster.id}/upgrade").status == 409


@shows("azure.features")
def azure_features_carry_a_value(fixture: Fixture) -> None:
    for feature in fixture.get("/azure/clusterFeature")["results"]:
        assert "value" in feature["value_object"]


@shows("request.status")
def request_status_is_read_by_its_id(fixture: Fixture) -> None:
    database = fixture.make_service(
        "database", {"type": "REDIS", "version": "7", "mode": "CONTAINER"}, fixture.make_environment()
    )
    environment = fixture.get(f"/database/{database}")["environment"]["id"]
    request = fixture.make(f"/database/{database}/deploy", None)["deployment_request_id"]
    query = {"deploymentRequestId": request}
    assert fixture.get("/environment/deploymentStatus", query)["status"] == "DEPLOYMENT_QUEUED"
    fixture.settle()
    found = fixture.get("/environment/deploymentStatus", query)
    assert found == {"deployment_request_id": request, "environment_id": environment, "status": "DEPLOYED"}


# Callers.


class _Ann(orlop.ExternalSystems):
    """Authenticates one person."""

    def authenticate(self, question: Mapping[str, Any]) -> Any:
        return {"subject": "ann"} if question["token"] == "ann" else None


class Guarded:
    """An engine that requires authentication, with one organization, a token of its owner, and a read-only token."""

    def __init__(self) -> None:
        self.engine = orlop.Simulation(seed=9, authentication="required", external_systems=_Ann())
        self.organization = self.engine.request("POST", "/organization", {"name": "acme", "plan": "FREE"}).json()["id"]
        self.strong, self.weak = self._token("ADMIN"), self._token("VIEWER")

    def _token(self, role: str) -> str:
        home = f"/organization/{self.organization}"
        roles = self.engine.request("GET", f"{home}/availableRole").json()["results"]
        chosen = next(known["id"] for known in roles if known["name"].upper() == role)
        made = self.engine.request("POST", f"{home}/apiToken", {"name": role, "role_id": chosen})
        assert made.status == 201, made.body
        return str(made.json()["token"])

    def ask(self, method: str, authorization: str | None, body: Any = None, path: str = "") -> Reply:
        headers = {} if authorization is None else {"Authorization": authorization}
        return Stranger(self.engine, headers).ask(
            method, path or f"/organization/{self.organization}/azure/credentials", body
        )

    def __enter__(self) -> Guarded:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()


_AZURE = {"name": "azure", "azure_subscription_id": "s", "azure_tenant_id": "t"}


@shows("auth.two")
def description_has_two_schemes_of_which_one_is_enough(fixture: Fixture) -> None:
    document = fixture.get("/openapi.json")
    schemes = document["components"]["securitySchemes"]
    assert schemes["ApiKeyAuth"]["type"] == "apiKey"
    bearer = next(name for name, scheme in schemes.items() if scheme.get("scheme") == "bearer")
    assert [list(way) for way in document["security"]] in ([[bearer], ["ApiKeyAuth"]], [["ApiKeyAuth"], [bearer]])


@shows("auth.missing", "auth.invalid", "auth.bearer", "code.401")
def requests_show_who_sends_them(fixture: Fixture) -> None:
    with Guarded() as guarded:
        for wrong in (
            None,
            "",
            "Bearer",
            "Bearer nothing",
            "Token nothing",
            "Basic YTpi",
            f"Token {guarded.strong}x",
            guarded.strong,
        ):
            reply = guarded.ask("GET", wrong)
            assert reply.status == 401 and reply.json()["status"] == 401, wrong
        assert guarded.ask("GET", f"Token {guarded.strong}").status == 200
        assert guarded.ask("GET", "Bearer ann", path="/organization").status == 200


@shows("auth.weak", "code.403")
def requests_of_the_weak_are_refused(fixture: Fixture) -> None:
    with Guarded() as guarded:
        reply = guarded.ask("POST", f"Token {guarded.weak}", _AZURE)
        assert reply.status == 403 and reply.json()["error"] == "Forbidden"
        assert guarded.ask("GET", f"Token {guarded.weak}").status == 200
        assert guarded.ask("POST", f"Token {guarded.strong}", _AZURE).status == 201


@shows("webhooks.family")
def organizations_have_webhooks(fixture: Fixture) -> None:
    assert "post" in fixture.get("/openapi.json")["paths"]["/organization/{organizationId}/webhook"]
    assert fixture.get(f"{fixture.home}/webhook") == {"results": []}


# Errors, limits, pages, versions.


@shows("error.shape", "code.400", "code.404")
def refusals_have_one_shape(fixture: Fixture) -> None:
    asked: dict[int, list[tuple[Any, ...]]] = {
        400: [("POST", "/organization", {}), ("POST", "/organization", b"{"), ("GET", "/organization/none", None)],
        404: [("GET", "/nowhere", None), ("GET", f"/organization/{fixture.project}", None)],
        405: [("PUT", "/organization", None)],
        409: [("POST", "/organization", {"name": "ACME", "plan": "FREE"})],
    }
    for status, requests in asked.items():
        for request in requests:
            reply = fixture.ask(*request)
            body = reply.json()
            assert (reply.status, body["status"]) == (status, status), request
            assert isinstance(body["error"], str) and isinstance(body["message"], str) and body["message"]


@shows("code.200", "code.201", "code.204")
def successes_have_their_codes(fixture: Fixture) -> None:
    made = fixture.ask("POST", f"{fixture.home}/azure/credentials", {**_AZURE, "name": fixture.name()})
    path = f"{fixture.home}/azure/credentials/{made.json()['id']}"
    assert made.status == 201 and fixture.ask("GET", path).status == 200
    gone = fixture.ask("DELETE", path)
    assert gone.status == 204 and gone.body == b""


@shows("code.500")
def engine_that_cannot_answer_says_so(fixture: Fixture) -> None:
    broken: list[str] = []

    def clock() -> float:
        if broken:
            raise RuntimeError(broken[0])
        return 1_800_000_000.0

    sent: list[Any] = []

    async def send_on(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/organization",
        "raw_path": b"/organization",
        "query_string": b"",
        "headers": [],
    }
    with orlop.Engine(clock=clock) as engine:
        broken.append("the disk is gone")
        asyncio.run(asgi.app(engine)(scope, receive, send_on))
    assert sent[0]["status"] == 500
    assert loads(sent[1]["body"])["status"] == 500 and b"disk" not in sent[1]["body"]


def _limited(limit: int | None) -> tuple[Guarded, list[Any]]:
    guarded = Guarded()
    replies = [guarded.ask("GET", f"Token {guarded.strong}") for _ in range(limit or 1002)]
    return guarded, replies


@shows("limit.rate", "limit.headers", "limit.reset", "code.429")
def requests_of_one_token_are_counted(fixture: Fixture) -> None:
    guarded, replies = _limited(None)
    with guarded:
        assert [reply.status for reply in replies] == [200] * 1000 + [429] * 2
        now = guarded.engine.now().timestamp()
        for number, reply in enumerate(replies, 1):
            assert reply.headers["x-ratelimit-limit"] == "1000"
            assert reply.headers["x-ratelimit-remaining"] == str(max(0, 1000 - number))
            assert now < int(reply.headers["x-ratelimit-reset"]) <= now + 3600
        assert guarded.ask("GET", f"Token {guarded.weak}").status == 200
        guarded.engine.clock.advance(hours=1)
        assert guarded.ask("GET", f"Token {guarded.strong}").status == 200


@shows("page.parameters", "page.answer", "page.plain")
def lists_come_in_pages(fixture: Fixture) -> None:
    path = f"{fixture.home}/azure/credentials"
    for _ in range(3):
        fixture.make(path, {**_AZURE, "name": fixture.name()})
    whole = fixture.get(path)
    assert set(whole) == {"results"}
    count = len(whole["results"])
    page = fixture.get(path, {"page": 2, "page_size": 2})
    assert page["results"] == whole["results"][2:4]
    assert page["pagination"] == {"page": 2, "page_size": 2, "total_count": count, "total_pages": (count + 1) // 2}
    for wrong in ({"page": 0}, {"page_size": 0}, {"page_size": 1001}, {"page": "one"}):
        assert fixture.ask("GET", path, None, wrong).status == 400
    assert fixture.get(path, {"page_size": 1000})["pagination"]["total_count"] == count


@shows("bodies.json")
def bodies_are_json(fixture: Fixture) -> None:
    for reply in (fixture.ask("GET", fixture.home), fixture.ask("GET", "/nowhere")):
        assert reply.headers["content-type"].startswith("application/json") and reply.json()
    assert fixture.ask("POST", "/organization", b"name=acme").status == 400


@shows("version.description")
def description_has_a_version(fixture: Fixture) -> None:
    document = fixture.get("/openapi.json")
    assert document["info"]["version"] == "1.0.4" and document["openapi"].startswith("3.0.")


@shows("version.prefix")
def paths_answer_under_the_prefix(fixture: Fixture) -> None:
    paths = [path for path, item in fixture.get("/openapi.json")["paths"].items() if "get" in item and "{" not in path]
    assert paths
    for path in paths:
        prefixed, bare = fixture.ask("GET", "/api/v1" + path), fixture.ask("GET", path)
        assert prefixed.status == bare.status
        assert b"no operation answers" not in prefixed.body + bare.body, path
    assert b"no operation answers" in fixture.ask("GET", "/api/v1/nowhere").body


@shows("version.deprecated")
def deprecated_fields_are_answered(fixture: Fixture) -> None:
    for provider in ("aws", "gcp", "scaleway", "azure"):
        for feature in fixture.get(f"/{provider}/clusterFeature")["results"]:
            assert {"cost_per_month_in_cents", "cost_per_month", "currency_code"} <= set(feature)
