"""The description of the interface is valid OpenAPI for other tools, and the engine serves the one that is kept in
docs/."""

from __future__ import annotations

import copy
import json
import pathlib
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV30SpecValidator

import orlop

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
    return parsed


def mistakes(description: dict[str, Any]) -> list[str]:
    return [mistake.message for mistake in OpenAPIV30SpecValidator(description).iter_errors()]


def test_it_is_valid(description: dict[str, Any]) -> None:
    assert mistakes(description) == []


def test_mistakes_in_it_are_found(description: dict[str, Any]) -> None:
    wrong = copy.deepcopy(description)
    wrong["paths"]["/organization"]["get"]["operationId"] = wrong["paths"]["/organization"]["post"]["operationId"]
    assert len(mistakes(wrong)) == 1
    del wrong["info"]["title"]
    assert len(mistakes(wrong)) == 2


@pytest.mark.parametrize("path", ["/openapi.json", "/api/v1/openapi.json"])
def test_it_is_served(description: dict[str, Any], path: str) -> None:
    with orlop.Engine() as engine:
        reply = engine.request("GET", path)
        assert reply.status == 200
        assert reply.json() == description
