"""A snapshot without a key holds no secrets: a store that is made of it reports that, and never passes a missing secret
to a driver as an empty value. With a key the secrets are included."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish, furnished

CANARY = "canary-5d02b7"
KEY, OTHER = secrets.token_bytes(32), secrets.token_bytes(32)
REGISTRY_SECRET = 'the secret config.password of container registry "private"'
NO_VALUE = (
    "has no value: a snapshot that is taken without a key holds no secrets. Set it again, or take the "
    "snapshot with a key"
)


class Given(orlop.Driver):
    def __init__(self) -> None:
        super().__init__()
        self.configurations: list[dict[str, Any]] = []

    def deploy(self, step: orlop.Step) -> None:
        self.configurations.append(step.configuration)

    cluster_create = cluster_update = deploy


class Log:
    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __call__(self, level: str, message: str) -> None:
        self.lines.append((level, message))


def with_secrets(engine: orlop.Engine) -> Platform:
    platform = furnish(engine)
    registry = platform.organization.container_registries.create(
        name="private", kind="DOCKER_HUB", config={"username": "robot", "password": CANARY}
    )
    platform.container("web", registry_id=registry.id)
    platform.environment.variables.create(key="API_KEY", value=CANARY, is_secret=True)
    return platform


def taken(secrets_key: bytes | None = None, secret_key: bytes | None = None) -> bytes:
    with orlop.Engine(secret_key=secret_key) as engine:
        with_secrets(engine)
        return bytes(engine.snapshot(secrets_key))


def values_of(driver: Given) -> set[str]:
    return {
        variable["value"]
        for configuration in driver.configurations
        for variable in configuration["variables"]
        if variable["key"] == "API_KEY"
    }


def failure(deployment: orlop.Deployment) -> str:
    assert not deployment.wait().ok
    return deployment.reason


# ---- without a key
# ------------------------------------------------------------------------------------------------------------


def test_what_a_snapshot_left_out_is_said_and_fails_the_step_that_needs_it(tmp_path: Path) -> None:
    snapshot, log, driver = taken(), Log(), Given()
    assert json.loads(snapshot.splitlines()[0])["secrets_left_out"] == 2 and CANARY.encode() not in snapshot
    with orlop.Engine(tmp_path / "p.db", snapshot=snapshot, driver=driver, log=log) as engine:
        assert log.lines == [
            (
                "warning",
                "2 secrets are missing: the snapshot was taken without a key. A step that needs one fails until "
                "it is set again; check lists them",
            )
        ]
        platform = furnished(engine)
        assert failure(platform.environment.deploy()) == f"web: {REGISTRY_SECRET} {NO_VALUE}"
        assert not driver.configurations
        platform.environment.variables.find("API_KEY").edit(value="new-key")
        assert failure(platform.environment.deploy()) == f"web: {REGISTRY_SECRET} {NO_VALUE}"
        platform.organization.container_registries.find("private").edit(
            config={"username": "robot", "password": "new-password"}
        )
        platform.environment.deploy().wait()
        assert values_of(driver) == {"new-key"} and "new-password" in json.dumps(driver.configurations)
    with orlop.Engine(tmp_path / "p.db", log=log):
        assert len(log.lines) == 1


def test_an_edit_of_something_else_sets_no_secret() -> None:
    with orlop.Engine(snapshot=taken(), driver=Given()) as engine:
        platform = furnished(engine)
        platform.environment.variables.find("API_KEY").edit(description="of the payment provider")
        platform.organization.container_registries.find("private").edit(description="ours")
        assert NO_VALUE in failure(platform.environment.deploy())


def test_an_empty_value_is_a_value() -> None:
    driver = Given()
    with orlop.Engine() as engine:
        platform = furnish(engine)
        platform.container()
        platform.environment.variables.create(key="API_KEY", value=CANARY, is_secret=True)
        snapshot = bytes(engine.snapshot())
    with orlop.Engine(snapshot=snapshot, driver=driver) as engine:
        platform = furnished(engine)
        platform.environment.variables.find("API_KEY").edit(value="")
        platform.environment.deploy().wait()
    assert values_of(driver) == {""}


def test_what_only_takes_away_needs_no_variable() -> None:
    with orlop.Engine() as engine:
        platform = furnish(engine)
        platform.container()
        platform.environment.variables.create(key="API_KEY", value=CANARY, is_secret=True)
        platform.environment.deploy().wait()
        snapshot = bytes(engine.snapshot())
    with orlop.Engine(snapshot=snapshot, driver=Given()) as engine:
        furnished(engine).environment.stop().wait()


def test_a_cluster_without_its_credentials_is_not_touched() -> None:
    with orlop.Engine() as engine:
        acme = engine.organizations.create(name="acme", plan="FREE")
        credentials = acme.aws_credentials.create(
            name="aws", type="AWS_STATIC", access_key_id="AKIA", secret_access_key=CANARY
        )
        acme.clusters.create(
            name="eu",
            region="eu-west-3",
            cloud_provider="AWS",
            cloud_provider_credentials={"cloud_provider": "AWS", "credentials": {"id": credentials.id}},
        )
        snapshot = bytes(engine.snapshot())
    driver = Given()
    with orlop.Engine(snapshot=snapshot, driver=driver) as engine:
        cluster = engine.organizations.find("acme").clusters.find("eu")
        cluster.deploy().wait()
        assert cluster.state()[
            "status"
        ] == "DEPLOYMENT_ERROR" and "the secret secret_access_key of aws credentials" in json.dumps(engine.events())
    assert not driver.configurations


def test_what_is_missing_stays_missing_in_the_next_snapshot() -> None:
    with orlop.Engine(snapshot=taken()) as engine:
        again = bytes(engine.snapshot())
        with_key = bytes(engine.snapshot(KEY))
    log = Log()
    with orlop.Engine(snapshot=again, log=log, secret_key=OTHER) as engine:
        sealed = bytes(engine.snapshot())
    assert "2 secrets are missing" in log.lines[0][1]
    for snapshot, options in ((with_key, {"secrets_key": KEY}), (sealed, {"secret_key": OTHER})):
        with orlop.Engine(snapshot=snapshot, driver=Given(), **options) as engine:  # type: ignore[arg-type]
            assert NO_VALUE in failure(furnished(engine).environment.deploy())


def test_nothing_is_said_where_nothing_is_missing() -> None:
    log = Log()
    with orlop.Engine() as engine:
        platform = furnish(engine)
        platform.environment.variables.create(key="EMPTY", value="", is_secret=True)
        platform.organization.container_registries.create(
            name="public", kind="DOCKER_HUB", config={"username": "", "password": ""}
        )
        snapshot = bytes(engine.snapshot())
    with orlop.Engine(snapshot=snapshot, log=log):
        assert not log.lines


@pytest.mark.parametrize("kind", [orlop.Engine, orlop.Simulation])
def test_where_no_driver_is_given_the_secrets_none_is_missing(kind: type[orlop.Engine]) -> None:
    """Steps that rules decide continue, and a driver of the host is not passed an empty value."""
    with kind() as engine:
        platform = with_secrets(engine)
        platform.environment.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
        snapshot = bytes(engine.snapshot())
    with kind(snapshot=snapshot) as engine:
        if isinstance(engine, orlop.Simulation):
            engine.capacity(furnished(engine).cluster, nodes=3, cpu=4, memory="16GiB")
        assert furnished(engine).environment.deploy().wait().ok
    with kind(snapshot=snapshot, driver=Given()) as engine:
        assert NO_VALUE in failure(furnished(engine).environment.deploy())


def test_a_sensitive_output_is_missing_after_a_move(tmp_path: Path) -> None:
    """A deployment that continues in another store passes no empty value to the service that uses the output."""

    class Waiting(Given):
        def execute(self, step: orlop.Step) -> dict[str, object]:
            return {"TOKEN": {"value": CANARY, "sensitive": True}, "HOST": "db"}

        def accepts(self, step: orlop.Step) -> bool:
            return step.kind != "deploy"

    with orlop.Engine(driver=Waiting()) as engine:
        platform = furnish(engine)
        image = {"registry_id": platform.registry.id, "image_name": "a", "tag": "1"}
        platform.environment.jobs.create(
            name="mint",
            source={"image": image},  # type: ignore[typeddict-item]
            schedule={"on_start": {}},
            healthchecks={},
        )
        platform.container("web")
        platform.environment.deploy()
        while not any(event["kind"] == "step.started" and event["to"] == "deploy" for event in engine.events()):
            engine.tick()
        snapshot = bytes(engine.snapshot())
    assert CANARY.encode() not in snapshot
    driver = Given()
    with orlop.Engine(snapshot=snapshot, driver=driver) as engine:
        platform = furnished(engine)
        assert (
            failure(next(iter(platform.environment.deployments())))
            == f"web: the secret output TOKEN of an earlier job {NO_VALUE}"
        )
    assert not driver.configurations


def test_no_answer_and_no_question_holds_an_empty_secret() -> None:
    asked: list[Any] = []

    class Systems(orlop.ExternalSystems):
        def list_repositories(self, question: Mapping[str, Any]) -> list[dict[str, str]]:
            asked.append(question)
            return []

    with orlop.Engine() as engine:
        platform = with_secrets(engine)
        token = platform.organization.git_tokens.create(name="github", type="GITHUB", token=CANARY)
        stock = platform.environment.databases.create(name="stock", type="POSTGRESQL", version="16", mode="CONTAINER")
        snapshot = bytes(engine.snapshot())
    with orlop.Engine(snapshot=snapshot, external_systems=Systems()) as engine:
        organization = furnished(engine).organization
        registry = organization.container_registries.find("private")
        for path in (
            f"/database/{stock.id}/masterCredentials",
            f"/organization/{organization.id}/account/github/repository?gitTokenId={token.id}",
            f"/organization/{organization.id}/containerRegistry/{registry.id}/images?search=web",
        ):
            reply = engine.request("GET", path)
            assert reply.status == 409 and NO_VALUE in reply.json()["detail"], (path, reply.body)
    assert not asked


# ---- with a key
# ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [None, OTHER], ids=["plain", "sealed"])
@pytest.mark.parametrize(
    "options",
    [
        {"secrets_key": KEY},
        {"secret_key": KEY},
        {"secrets_key": KEY, "secret_key": OTHER},
        {"secret_key": OTHER, "previous_secret_keys": [KEY]},
    ],
    ids=lambda given: "-".join(given),
)
def test_secrets_travel_encrypted(source: bytes | None, options: dict[str, Any], tmp_path: Path) -> None:
    snapshot, driver, log = taken(KEY, source), Given(), Log()
    assert CANARY.encode() not in snapshot and json.loads(snapshot.splitlines()[0])["secrets_left_out"] == 0
    with orlop.Engine(tmp_path / "p.db", snapshot=snapshot, driver=driver, log=log, **options) as engine:
        furnished(engine).environment.deploy().wait()
        assert values_of(driver) == {CANARY} and not log.lines
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert (CANARY.encode() in files) == ("secret_key" not in options), (
            "in the file they are sealed with its own key, also while they are restored"
        )
    orlop.Engine(tmp_path / "p.db", secret_key=options.get("secret_key")).close()


@pytest.mark.parametrize(
    "options",
    [{}, {"secrets_key": OTHER}, {"secret_key": OTHER}, {"secret_key": OTHER, "previous_secret_keys": [bytes(32)]}],
    ids=lambda given: "-".join(given) or "none",
)
def test_another_key_opens_nothing(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(orlop.StorageSealed, match="secrets_key must be the one that it was taken with"):
        orlop.Engine(tmp_path / "p.db", snapshot=taken(KEY), **options)
    with orlop.Engine(tmp_path / "p.db", snapshot=taken(KEY), secrets_key=KEY) as engine:
        assert furnished(engine).environment, "the store is as it was before: empty, and not sealed"


def test_a_snapshot_that_was_changed_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    lines = taken(KEY).splitlines(keepends=True)
    place = next(at for at, line in enumerate(lines) if b"encrypted_secrets" in line)
    record = json.loads(lines[place])
    record["record"]["revision"] += 1
    changed = b"".join([*lines[:place], json.dumps(record).encode() + b"\n", *lines[place + 1 :]])
    with pytest.raises(orlop.Misuse, match="encrypted_secrets"):
        orlop.Engine(tmp_path / "p.db", snapshot=changed, secrets_key=KEY, secret_key=OTHER)
    orlop.Engine(tmp_path / "p.db").close()


def test_what_a_snapshot_says_of_missing_secrets_can_hold_none() -> None:
    lines = taken().splitlines(keepends=True)
    place = next(at for at, line in enumerate(lines) if b"missing_secrets" in line)
    record = json.loads(lines[place])
    record["record"]["missing_secrets"] = {"value": "planted"}
    with pytest.raises(orlop.Misuse, match="missing_secrets"):
        orlop.Engine(snapshot=b"".join([*lines[:place], json.dumps(record).encode() + b"\n", *lines[place + 1 :]]))


def test_keys_are_checked() -> None:
    with orlop.Engine() as engine:
        for wrong in (b"", b"short"):
            with pytest.raises(orlop.Misuse, match="secrets_key must have 32 bytes"):
                engine.snapshot(wrong)
            with pytest.raises(orlop.Misuse, match="secrets_key must have 32 bytes"):
                orlop.Engine(secrets_key=wrong)
    with pytest.raises(orlop.Misuse, match="secrets_key is the key of a snapshot, and there is none"):
        orlop.Engine(secrets_key=KEY)
    with pytest.raises(orlop.Misuse, match="secrets_key must be left out"):
        orlop.Engine(snapshot=taken(), secrets_key=KEY)


def test_a_simulation_travels_with_its_secrets_and_rules() -> None:
    with orlop.Simulation(seed=1) as simulation:
        simulation.rules.add(step="deploy", after="30s")
        with_secrets(simulation)
        snapshot = bytes(simulation.snapshot(KEY))
    assert CANARY.encode() not in snapshot
    driver = Given()
    with orlop.Simulation(seed=1, snapshot=snapshot, secrets_key=KEY, driver=driver) as simulation:
        furnished(simulation).environment.deploy().wait()
    assert values_of(driver) == {CANARY}
