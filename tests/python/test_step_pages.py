"""The reference pages of the kinds of steps show what an engine passes to a driver."""

from __future__ import annotations

import importlib.util
import pathlib
import types
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def generator() -> types.ModuleType:
    found = importlib.util.spec_from_file_location("step_pages", ROOT / "docs" / "site" / "step_pages.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_pages_are_what_an_engine_gives(generator: types.ModuleType) -> None:
    assert generator.main(["--check"]) == 0


def test_a_stale_page_and_one_too_many_are_found(
    generator: types.ModuleType,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(generator, "FOLDER", tmp_path / "steps")
    assert generator.main([]) == 0 and generator.main(["--check"]) == 0
    page = generator.FOLDER / "deploy.md"
    page.write_text(page.read_text(encoding="utf-8").replace('"STRIPE_KEY"', '"STRIPE"'), encoding="utf-8")
    (generator.FOLDER / "undeploy.md").write_text("", encoding="utf-8")
    assert generator.main(["--check"]) == 1
    said = capsys.readouterr().err
    assert "deploy.md is stale" in said and "undeploy.md is stale" in said


def test_a_configuration_has_all_that_is_needed_to_deploy(generator: types.ModuleType) -> None:
    configuration: dict[str, Any] = generator.record()["deploy", "container"]
    cluster = configuration["cluster"]
    assert (cluster["cloud_provider"], cluster["region"], cluster["infrastructure_outputs"]["kind"]) == (
        "AWS",
        "eu-west-3",
        "EKS",
    )
    assert cluster["credentials"]["secret_access_key"] == "aws-secret"
    assert configuration["references"][configuration["registry_id"]]["config"]["password"] == "hub-secret"
    names = [configuration[above]["name"] for above in ("environment", "project", "organization")]
    assert names == ["production", "shop", "acme"]
    variables = {variable["key"]: variable["value"] for variable in configuration["variables"]}
    assert variables["ORDERS_SCHEMA"] == "42" and variables["DATABASE_URL"].startswith("postgresql://")
    for member in ("advanced_settings", "network", "domains", "labels", "annotations", "metadata"):
        assert configuration[member], member


def test_a_member_without_a_description_is_refused(generator: types.ModuleType) -> None:
    with pytest.raises(SystemExit, match="surprise"):
        generator.member_table("container", {"surprise": 1})
