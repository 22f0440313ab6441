"""Whatever a store held before, it holds what the last file says; and a file that is written from a store changes
nothing in it."""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any

import pytest
from orlop.platform_files import document, reconciliation, written
from orlop.platform_files.interface import Interface, interface
from platform_folder import Folder

import orlop

yaml = pytest.importorskip("yaml")

HEAD = {"organization": "acme", "project": "shop", "environment": "production"}


@pytest.fixture(scope="module")
def known() -> Interface:
    with orlop.Engine() as engine:
        return interface(engine)


def variables(source: random.Random, services: list[str]) -> dict[str, Any]:
    values: list[Any] = [
        "plain",
        "",
        8080,
        True,
        {"value": "with {{LOG_LEVEL}}", "description": "a link"},
        {"value": "a file", "mount_path": "/etc/file"},
        {"value": source.choice(["hush-1", "hush-2"]), "is_secret": True},
        {"value": "a secret file", "is_secret": True, "mount_path": "/etc/secret"},
        {"alias_of": "LOG_LEVEL"},
    ]
    for service in services:
        values += [{"alias_of": f"{service}.HOST_INTERNAL"}, f"http://{{{{{service}.HOST_INTERNAL}}}}/"]
    return {key: source.choice(values) for key in source.sample(["A", "B", "C", "D"], source.randint(0, 4))}


def container(source: random.Random, stages: list[str], domain: str) -> dict[str, Any]:
    found: dict[str, Any] = {"image_name": "acme/web", "tag": source.choice(["1.0", "1.10", "latest"])}
    if source.random() < 0.5:
        numbers = source.sample([80, 443, 8080], source.randint(1, 3))
        found["ports"] = [{"internal_port": number, "publicly_accessible": source.random() < 0.5} for number in numbers]
    choices: dict[str, list[Any]] = {
        "cpu": [100, 500, 1000],
        "memory": [64, 512],
        "arguments": [["serve"], []],
        "description": ["", "a page"],
        "min_running_instances": [0, 1],
        "healthchecks": [{}, {"readiness_probe": {"type": {"tcp": {"port": 80}}}}],
        "storage": [[], [{"type": "FAST_SSD", "size": 2, "mount_point": "/data"}]],
        "advanced_settings": [{"deployment.termination_grace_period_seconds": 5}, {}],
        "network": [{"sticky_session": True}],
        "metadata": [{"team": "pages"}, {}],
        "is_skipped": [True, False],
        "custom_domains": [[{"domain": domain}], [{"domain": domain, "use_cdn": True}, {"domain": f"www.{domain}"}]],
        "deployment_stage": [*stages],
    }
    for name, values in choices.items():
        if values and source.random() < 0.3:
            found[name] = source.choice(values)
    return found


def file(source: random.Random) -> dict[str, Any]:
    stages = source.sample(["first", "second", "third"], source.randint(0, 3))
    found: dict[str, Any] = {**HEAD, "stages": {name: {} for name in stages}, "variables": {"LOG_LEVEL": "info"}}
    names = source.sample(["web", "api", "worker", "page"], source.randint(0, 4))
    bases = source.sample(["orders", "cache"], source.randint(0, 2))
    found["databases"] = {
        name: {"type": "REDIS" if name == "cache" else "POSTGRESQL", "version": 7 if name == "cache" else 16}
        | ({"accessibility": "PUBLIC"} if source.random() < 0.3 else {})
        for name in bases
    }
    found["containers"] = {
        name: {**container(source, stages, f"{name}.example.com"), "variables": variables(source, [*names, *bases])}
        for name in names
    }
    return found


def applied(engine: orlop.Engine, known: Interface, path: pathlib.Path, given: dict[str, Any]) -> Any:
    """Applies a file. Returns the environment as a file, read from the store."""
    path.write_text(yaml.safe_dump(given, sort_keys=False))
    read = document.read(path, known)
    reconciliation.apply(engine, read, reconciliation.plan(engine, read))
    assert not reconciliation.plan(engine, read).changes
    project = engine.organizations.find("acme").projects.find("shop")
    text = written.write(engine, known, project.environments.find("production"))
    for secret in ("hush-1", "hush-2", "a secret file"):
        assert secret not in text
    return yaml.safe_load(text)


def comparable(given: Any) -> str:
    """Returns a text that does not depend on the order in which things were created, but on that of stages."""
    for service in given.get("containers", {}).values():
        service.get("custom_domains", []).sort(key=lambda each: each["domain"])
    return json.dumps([list(given.get("stages", {})), given], sort_keys=True, indent=1)


@pytest.mark.parametrize("seed", range(20))
def test_a_store_becomes_what_the_last_file_says(seed: int, tmp_path: pathlib.Path, known: Interface) -> None:
    source = random.Random(seed)
    files = [file(source) for _ in range(4)]
    path = tmp_path / "orlop.yaml"
    with orlop.Engine(require_cluster=False) as engine:
        found = [applied(engine, known, path, each) for each in files]
    with orlop.Engine(require_cluster=False) as engine:
        assert comparable(found[-1]) == comparable(applied(engine, known, path, files[-1]))


@pytest.mark.parametrize("seed", range(10))
def test_a_written_file_changes_nothing(
    seed: int, tmp_path: pathlib.Path, known: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "orlop.yaml"
    with orlop.Engine(require_cluster=False) as engine:
        given = applied(engine, known, path, file(random.Random(seed)))
        path.write_text(yaml.safe_dump(given, sort_keys=False))
        plan = reconciliation.plan(engine, document.read(path, known, with_sources=False))
    fields = [field for change in plan.changes for field in change.fields]
    assert all(field.before == field.after == "***" for field in fields), plan.text()


def test_import_from_writes_the_file_of_a_store(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path, monkeypatch, capsys)
    store = str(tmp_path / "platform.db")
    with orlop.Engine(store, require_cluster=False) as engine:
        acme = engine.organizations.create(name="acme", plan="FREE")
        acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
        shop = acme.projects.create(name="shop").environments.create(name="production")
        orders = shop.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER", cpu=100)
        shop.variables.create(key="KEY", value="hush", is_secret=True)
        assert orders is not None
    assert folder.run("import", "orlop.yaml", "--from", store) == (0, "orlop.yaml describes acme/shop/production\n", "")
    assert yaml.safe_load((folder.path / "orlop.yaml").read_text()) == {
        "organization": "acme",
        "project": "shop",
        "environment": {"name": "production", "cluster_id": "europe"},
        "variables": {"KEY": {"from_env": "KEY"}},
        "databases": {"orders": {"type": "POSTGRESQL", "version": "16", "cpu": 100}},
    }
    monkeypatch.setenv("KEY", "hush")
    assert folder.run("plan", "--store", store)[1].splitlines()[1:] == [
        "~ environment production (managed by the file from now on)",
        "    variables.KEY: *** (another secret)",
        "~ database orders (managed by the file from now on)",
        "2 to change",
    ]
    for arguments, message in (
        (("other.yaml", "--from", store, "--environment", "acme/shop"), "--environment must be one of acme/shop/produ"),
        (("a.db", "snapshot", "--from", store), "with --from there is one file, which is written"),
        (("a.db",), "FILE is missing: orlop import STORE FILE"),
    ):
        status, _, err = folder.run("import", *arguments)
        assert (status, err.startswith(f"orlop: {message}")) == (2, True), err
