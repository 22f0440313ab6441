"""Values of Helm services refer to variables by {{KEY}} and by the macro of the brand."""

from __future__ import annotations

import json
from typing import Any

import pytest

import orlop


class Keeping(orlop.Driver):
    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def deploy(self, step: orlop.Step) -> None:
        if step.family == "helm":
            self.values[step.name] = step.configuration["values_override"]


class Shop:
    def __init__(self, brand: str = "platform") -> None:
        self.driver = Keeping()
        self.engine = orlop.Engine(driver=self.driver, brand=brand)
        acme = self.engine.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        self.environment = acme.projects.create(name="shop").environments.create(
            name="production", cluster_id=europe.id
        )
        self.charts = acme.helm_repositories.create(
            name="charts", kind="HTTPS", url="https://charts.example.com", config={}, skip_tls_verification=False
        )
        self.environment.variables.create(key="DB_HOST", value="db.example.com")
        self.environment.variables.create(key="PASSWORD", value='a"b\\c', is_secret=True)
        self.environment.variables.create(key="PORT", value="5432")

    def helm(self, **values: Any) -> Any:
        override: Any = {"set": [], "set_string": [], "set_json": [], "file": None, **values}
        source: Any = {
            "repository": {"repository": {"id": self.charts.id}, "chart_name": "api", "chart_version": "1.0.0"}
        }
        return self.environment.helms.create(
            name="api",
            source=source,
            auto_deploy=False,
            arguments=[],
            allow_cluster_wide_resources=False,
            ports=[],
            values_override=override,
        )

    def given(self, **values: Any) -> Any:
        with self.engine:
            self.helm(**values)
            run = self.environment.deploy().wait()
            assert run.state == "DEPLOYED", run.reason
            return self.driver.values["api"]


FORMS = {
    "{{DB_HOST}}": "db.example.com",
    "{{ DB_HOST }}:{{PORT}}": "db.example.com:5432",
    "platform.env.DB_HOST": "db.example.com",
    "tcp://platform.env.DB_HOST:platform.env.PORT/x": "tcp://db.example.com:5432/x",
    "platform.env.PASSWORD": 'a"b\\c',
    "{{ .Values.image }} {{UNKNOWN}}": "{{ .Values.image }} {{UNKNOWN}}",
    "my-platform.env.local": "my-platform.env.local",
    "PLATFORM.env.DB_HOST": "PLATFORM.env.DB_HOST",
    "platform.env.": "platform.env.",
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_replaced_in_each_list_and_in_files(form: str) -> None:
    raw = {"values": [{"name": "values.yaml", "content": "host: " + form + "\nport: 1\n"}]}
    given = Shop().given(set=[["a", form]], set_string=[["b", form]], file={"raw": raw})
    assert given["set"] == [["a", FORMS[form]]]
    assert given["set_string"] == [["b", FORMS[form]]]
    assert given["file"]["raw"]["values"][0]["content"] == "host: " + FORMS[form] + "\nport: 1\n"


def test_json_stays_json() -> None:
    given = Shop().given(
        set_json=[
            ["a", '{"host": "platform.env.DB_HOST", "port": {{PORT}}, "password": "{{PASSWORD}}"}'],
            ["b", "platform.env.PORT"],
        ]
    )
    assert [json.loads(value) for _, value in given["set_json"]] == [
        {"host": "db.example.com", "port": 5432, "password": 'a"b\\c'},
        5432,
    ]


def test_the_macro_begins_with_the_brand() -> None:
    given = Shop("acme").given(set=[["a", "acme.env.DB_HOST"], ["b", "platform.env.DB_HOST"]])
    assert given["set"] == [["a", "db.example.com"], ["b", "platform.env.DB_HOST"]]


def test_built_in_variables_are_taken_by_braces() -> None:
    given = Shop().given(set=[["a", "{{PLATFORM_ENVIRONMENT_NAME}}"]])
    assert given["set"] == [["a", "production"]]


REFUSED = {
    "platform.env.GONE": "set of a takes platform.env.GONE, and the service has no such variable",
    "platform.env.DB_HOST.example.com": "set of a takes platform.env.DB_HOST.example.com, and the service has no "
    "such variable",
    "platform.env.PLATFORM_ENVIRONMENT_NAME": "set of a takes the built-in variable PLATFORM_ENVIRONMENT_NAME by "
    "platform.env., which takes only other variables: give it an alias",
    "{{PLATFORM_NOTHING}}": "set of a refers to the built-in variable PLATFORM_NOTHING, which the service does "
    "not have",
}


@pytest.mark.parametrize("form", REFUSED)
def test_what_names_nothing_fails_the_step_and_the_check_says_so(form: str) -> None:
    shop = Shop()
    with shop.engine:
        shop.helm(set=[["a", form]])
        (problem,) = shop.environment.check()
        run = shop.environment.deploy().wait()
        assert run.state == "DEPLOYMENT_ERROR"
        assert str(run.reason).endswith(REFUSED[form])
        assert (problem["level"], problem["message"]) == (
            "ERROR",
            'the values of helm "api" cannot be made: ' + REFUSED[form],
        )


def test_a_value_that_is_no_json_any_more_fails_the_step_without_the_value() -> None:
    shop = Shop()
    with shop.engine:
        shop.helm(set_json=[["a", "{{PASSWORD}}"]])
        run = shop.environment.deploy().wait()
        assert run.state == "DEPLOYMENT_ERROR"
        assert str(run.reason).endswith("set_json of a is not JSON once its variables are replaced")


def test_unknown_keys_are_said_in_the_log_and_in_the_check() -> None:
    shop = Shop()
    with shop.engine:
        shop.helm(set=[["a", "{{UNKNOWN}}"]])
        said = (
            "set of a in the values refers to UNKNOWN, which is the key of no variable of the service; the "
            "reference stays as it is"
        )
        assert [(problem["level"], problem["message"]) for problem in shop.environment.check()] == [("WARNING", said)]
        shop.environment.deploy().wait()
        assert [event["detail"]["text"] for event in shop.engine.events() if event["kind"] == "step.log"] == [said]


def test_a_simulation_fails_the_step_too() -> None:
    with orlop.Simulation(seed=1) as platform:
        acme = platform.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        environment = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
        charts = acme.helm_repositories.create(
            name="charts", kind="HTTPS", url="https://charts.example.com", config={}, skip_tls_verification=False
        )
        source: Any = {"repository": {"repository": {"id": charts.id}, "chart_name": "api", "chart_version": "1.0.0"}}
        environment.helms.create(
            name="api",
            source=source,
            auto_deploy=False,
            arguments=[],
            allow_cluster_wide_resources=False,
            ports=[],
            values_override={"set": [["a", "platform.env.GONE"]], "set_string": [], "set_json": []},
        )
        assert environment.deploy().wait().state == "DEPLOYMENT_ERROR"
