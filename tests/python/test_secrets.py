"""Secrets of a driver do not appear in anything that it reports, and secrets that it creates are sealed."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

import orlop
from conftest import Platform, furnish

CANARY = "canary-4711 +/é"
PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----\n"
FORMS = {
    "plain": CANARY,
    "quoted": quote(CANARY),
    "quoted whole": quote(CANARY, safe=""),
    "form": quote_plus(CANARY),
    "json": json.dumps(CANARY),
    "json of json": json.dumps(json.dumps({"a": CANARY})),
    "json in utf-8": json.dumps(CANARY, ensure_ascii=False),
    "repr": ascii({"a": CANARY}),
    **{f"base64 {len(before)}": base64.b64encode((before + CANARY).encode()).decode() for before in ("", "u", "u:")},
    "urlsafe base64": base64.urlsafe_b64encode(CANARY.encode()).decode(),
    "url in json": json.dumps({"url": f"https://u:{quote(CANARY, safe='')}@h"}),
}


class Talking(orlop.Driver):
    """Reports all texts that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.texts_of: dict[str, list[str]] = {}  # by service name, for services with texts of their own

    def _texts(self, step: orlop.Step) -> list[str]:
        return self.texts_of.get(step.name, self.texts)

    def _say(self, step: orlop.Step) -> None:
        for text in [*self._texts(step), json.dumps(step.configuration), repr(step.configuration)]:
            step.log(text)
            step.progress(text)

    def deploy(self, step: orlop.Step) -> None:
        self._say(step)
        raise RuntimeError("cannot log in with " + "".join(self._texts(step)))

    def execute(self, step: orlop.Step) -> dict[str, object]:
        self._say(step)
        return {"URL": {"value": f"https://u:{self.texts[0]}@h", "sensitive": False}, "PLAIN": " ".join(self.texts)}

    cluster_create = cluster_update = _say


def everything(platform: Platform) -> dict[str, str]:
    """Returns everything that people and programs can read."""
    engine, environment = platform.engine, platform.environment.id
    paths = [f"/environment/{environment}/{what}" for what in ("logs", "statuses", "deploymentHistory", "status")]
    found = {
        path: engine.request("GET", path).check()
        for path in [*paths, f"/organization/{platform.organization.id}/events", "/-/events"]
    }
    return {
        "events": json.dumps(engine.events(), ensure_ascii=False),
        "snapshot": bytes(engine.snapshot()).decode(),
        **{path: json.dumps(answer, ensure_ascii=False) for path, answer in found.items()},
    }


@pytest.fixture(params=["engine", "simulation"])
def talking(request: pytest.FixtureRequest) -> Iterator[tuple[Platform, Talking]]:
    driver = Talking()
    kind = orlop.Engine if request.param == "engine" else orlop.Simulation
    with kind(driver=driver) as engine:
        yield furnish(engine), driver


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_variable_is_masked_in_each_of_its_forms(form: str, talking: tuple[Platform, Talking]) -> None:
    platform, driver = talking
    driver.texts = [FORMS[form]]
    platform.container()
    platform.environment.variables.create(key="API_KEY", value=CANARY, is_secret=True)
    platform.environment.deploy().wait()
    texts = everything(platform)
    assert "cannot log in with " in texts["events"] and "***" in texts["events"]
    core = FORMS[form].strip('"').strip("'{}")
    for where, text in texts.items():
        for piece in (core[len(core) // 4 : -len(core) // 4], "canary-4711"):
            assert piece not in text, (where, text[max(0, text.index(piece) - 80) :][:200])


def test_each_line_of_a_secret_file_is_masked(talking: tuple[Platform, Talking]) -> None:
    platform, driver = talking
    driver.texts = PEM.splitlines()
    platform.container()
    platform.environment.variables.create(key="KEY", value=PEM, is_secret=True, mount_path="/etc/key.pem")
    platform.environment.deploy().wait()
    for where, text in everything(platform).items():
        assert not any(line in text for line in PEM.splitlines()), where


def test_the_passwords_of_what_a_service_uses_are_masked(talking: tuple[Platform, Talking]) -> None:
    platform, driver = talking
    organization = platform.organization
    registry = organization.container_registries.create(
        name="private", kind="DOCKER_HUB", config={"username": "robot", "password": "registry-4711"}
    )
    platform.container("web", registry_id=registry.id)
    platform.environment.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
    password = platform.engine.request(
        "GET", f"/database/{platform.environment.databases.find('stock').id}/masterCredentials"
    ).check()["password"]
    driver.texts_of = {
        "web": ["registry-4711", password, base64.b64encode(b"robot:registry-4711").decode()],
        "stock": [password],
    }
    platform.environment.deploy().wait()
    for where, text in everything(platform).items():
        assert not any(secret in text for secret in ("registry-4711", password, "cmVnaXN0cnktNDcxM")), where


def test_the_credentials_of_a_cluster_are_masked() -> None:
    driver = Talking()
    with orlop.Engine(driver=driver) as engine:
        acme = engine.organizations.create(name="acme", plan="FREE")
        credentials = acme.aws_credentials.create(
            name="aws", type="AWS_STATIC", access_key_id="AKIA", secret_access_key="cluster-4711"
        )
        driver.texts = ["cluster-4711"]
        acme.clusters.create(
            name="eu",
            region="eu-west-3",
            cloud_provider="AWS",
            cloud_provider_credentials={"cloud_provider": "AWS", "credentials": {"id": credentials.id}},
        ).deploy().wait()
        text = json.dumps(engine.events()) + bytes(engine.snapshot()).decode()
        assert "***" in text and "cluster-4711" not in text


class Minting(orlop.Driver):
    """A job creates a token, and the service of a later stage reports the token that it received."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[dict[str, object]] = []

    def execute(self, step: orlop.Step) -> dict[str, object]:
        return {
            "TOKEN": {"value": "canary-4711", "sensitive": True},
            "HOST": "db.example.com",
            "URL": "https://canary-4711@h",
        }

    def deploy(self, step: orlop.Step) -> None:
        self.given += [
            variable for variable in step.configuration["variables"] if variable["key"] in ("TOKEN", "HOST", "URL")
        ]
        step.log("logged in with canary-4711")


def minted(engine: orlop.Engine) -> Platform:
    platform = furnish(engine)
    platform.environment.jobs.create(
        name="mint",
        source={"image": {"registry_id": platform.registry.id, "image_name": "a", "tag": "1"}},
        schedule={"on_start": {}},
        healthchecks={},
    )
    platform.container()
    platform.environment.deploy().wait()
    return platform


@pytest.mark.parametrize("key", [None, secrets.token_bytes(32)], ids=["plain", "sealed"])
def test_a_sensitive_output_is_handed_on_and_stored_as_a_secret(key: bytes | None, tmp_path: Path) -> None:
    driver = Minting()
    with orlop.Engine(tmp_path / "p.db", driver=driver, secret_key=key) as engine:
        platform = minted(engine)
        assert [(variable["key"], variable["value"], variable["is_secret"]) for variable in driver.given] == [
            ("HOST", "db.example.com", False),
            ("TOKEN", "canary-4711", True),
            ("URL", "https://***@h", False),
        ]
        for where, text in everything(platform).items():
            assert "canary-4711" not in text, where
        engine.check()
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert (b"canary-4711" in files) == (key is None), "without a key it lies where all secrets lie"
        platform.environment.deploy().wait()
        assert len(driver.given) == 6 and driver.given[:3] == driver.given[3:], (
            "the next run's take the place of those of the last"
        )
        next(iter(platform.environment.jobs)).delete()
        while platform.environment.jobs.list():
            engine.tick()
        assert b"job_outputs" not in bytes(engine.snapshot())


def test_a_sensitive_output_outlives_the_process(tmp_path: Path) -> None:
    """The deployment continues in another engine, which passes on the output of the job in the first one."""

    class Waiting(Minting):
        def accepts(self, step: orlop.Step) -> bool:
            return step.kind != "deploy"

    key = secrets.token_bytes(32)
    with orlop.Engine(tmp_path / "p.db", driver=Waiting(), secret_key=key) as engine:
        platform = furnish(engine)
        platform.environment.jobs.create(
            name="mint",
            source={"image": {"registry_id": platform.registry.id, "image_name": "a", "tag": "1"}},
            schedule={"on_start": {}},
            healthchecks={},
        )
        platform.container()
        platform.environment.deploy()
        while not any(event["kind"] == "step.started" and event["to"] == "deploy" for event in engine.events()):
            engine.tick()
    driver = Minting()
    with orlop.Engine(tmp_path / "p.db", driver=driver, secret_key=key) as engine:
        while len(driver.given) < 3:
            engine.tick()
    assert {variable["key"]: variable["value"] for variable in driver.given}["TOKEN"] == "canary-4711"
