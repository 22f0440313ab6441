"""Plans of container engines from Python."""

import json
import pathlib

import orlop
import pytest
from orlop.workloads import container_plan

CONFIGURATION = pathlib.Path(__file__).parents[1] / "tables/workloads/container.configuration.json"


def test_the_plan_of_a_text_is_that_of_its_value() -> None:
    text = CONFIGURATION.read_text(encoding="utf-8")
    plan = container_plan(json.loads(text))
    assert plan == container_plan(text) == container_plan(text.encode())
    assert plan["container"]["HostConfig"]["NetworkMode"] == plan["network"]["Name"]


def test_options_reach_the_plan() -> None:
    assert container_plan(CONFIGURATION.read_text(), {"brand": "acme"})["label_prefix"] == "acme.io/"


def test_a_helm_service_is_refused_with_the_reason() -> None:
    with pytest.raises(orlop.Misuse, match="needs a Kubernetes cluster"):
        container_plan({"service_type": "HELM", "name": "ingress"})
