"""Addresses that a driver returns: what shows them, and what they make out of date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish

WITHIN = 60.0  # seconds: the tests fail later


class Addressing(orlop.Driver):
    """Returns outputs by the name of the service."""

    def __init__(self, **outputs: Any) -> None:
        self.outputs = outputs

        self.note: Callable[[orlop.Step], None] = lambda step: None

    def deploy(self, step: orlop.Step) -> Any:
        self.note(step)
        return self.outputs.get(step.name)

    restart = deploy


def internal(host: str, port: int) -> dict[str, Any]:
    return {"addresses": [{"host": host, "port": port, "protocol": "TCP", "scope": "INTERNAL"}]}


def external(url: str) -> dict[str, Any]:
    host, _, port = url.rpartition("/")[2].partition(":")
    return {
        "addresses": [
            {"host": host, "port": int(port), "internal_port": 80, "protocol": "HTTP", "scope": "EXTERNAL", "url": url}
        ]
    }


def _variables(engine: orlop.Engine, service: Any, suffix: str) -> dict[str, str]:
    listed = engine.request("GET", f"/{service._family.name}/{service.id}/environmentVariable").check()["results"]
    return {each["key"]: str(each["value"]) for each in listed if each["key"].endswith(suffix)}


def values(engine: orlop.Engine, service: Any, suffix: str) -> set[str]:
    return set(_variables(engine, service, suffix).values())


def keys(engine: orlop.Engine, service: Any, suffix: str) -> set[str]:
    return set(_variables(engine, service, suffix))


@pytest.fixture
def driver() -> Addressing:
    return Addressing(orders=internal("10.0.0.7", 6543))


@pytest.fixture
def platform(driver: Addressing) -> Any:
    with orlop.Engine(driver=driver) as engine:
        yield furnish(engine)


def _database(platform: Platform) -> Any:
    return platform.environment.databases.create(name="orders", type="POSTGRESQL", version="16", mode="CONTAINER")


def test_the_address_of_a_database_is_its_host_and_port(platform: Platform, driver: Addressing) -> None:
    orders, web = _database(platform), platform.container("web")
    made_up = orders.host
    key = next(
        each["key"]
        for each in platform.engine.request("GET", f"/container/{web.id}/environmentVariable").check()["results"]
        if each["key"].endswith("_HOST")
    )
    web.variables.create(key="DB", value="{{" + key + "}}")
    assert platform.environment.deploy().wait(WITHIN).ok
    orders.refresh()
    assert (orders.host, orders.port) == ("10.0.0.7", 6543)
    assert orders["addresses"] == internal("10.0.0.7", 6543)["addresses"]
    assert values(platform.engine, web, "_HOST") == {"10.0.0.7"}
    assert "10.0.0.7" in values(platform.engine, web, "_HOST_INTERNAL")
    assert values(platform.engine, web, "_PORT") == {"6543"}

    # An edit keeps them; the digest of the configuration does not hold them.
    orders.edit(description="of the shop")
    assert (orders.host, orders.port, orders["addresses"][0]["host"]) == ("10.0.0.7", 6543, "10.0.0.7")
    assert orders.status()["service_deployment_status"] == "UP_TO_DATE"

    # Another one marks those that use it, and only them.
    api = platform.container("api")
    assert platform.environment.deploy().wait(WITHIN).ok
    driver.outputs["orders"] = internal("10.0.0.8", 6543)
    assert orders.deploy().wait(WITHIN).ok
    assert web.status()["service_deployment_status"] == "OUT_OF_DATE"
    assert api.status()["service_deployment_status"] == "UP_TO_DATE"
    assert orders.status()["service_deployment_status"] == "UP_TO_DATE"

    # The same one changes nothing, and neither do outputs without addresses.
    assert web.deploy().wait(WITHIN).ok
    last = platform.engine.last_event
    for driver.outputs["orders"] in (internal("10.0.0.8", 6543), None, {}):
        assert orders.restart().wait(WITHIN).ok
    edits = [each for each in platform.engine.events(since=last) if each["kind"] == "database.edited"]
    assert not edits and web.status()["service_deployment_status"] == "UP_TO_DATE"
    driver.outputs["orders"] = {"addresses": []}
    assert orders.restart().wait(WITHIN).ok
    assert "addresses" not in platform.engine.request("GET", f"/database/{orders.id}").check()
    assert made_up != orders.host


def test_a_later_service_of_the_same_deployment_has_the_address(platform: Platform) -> None:
    orders = _database(platform)
    seen: list[Any] = []

    class Noting(Addressing):
        def deploy(self, step: orlop.Step) -> Any:
            if step.name == "web":
                seen.append({each["key"]: each["value"] for each in step.configuration["variables"]}["DB"])
            return super().deploy(step)

    with orlop.Engine(driver=Noting(orders=internal("db.internal", 5433))) as engine:
        inner = furnish(engine)
        orders, web = _database(inner), inner.container("web")
        listed = engine.request("GET", f"/container/{web.id}/environmentVariable").check()["results"]
        key = next(each["key"] for each in listed if each["key"].endswith("_HOST")).replace("_HOST", "_DATABASE_URL")
        web.variables.create(key="DB", value="{{" + key + "}}")
        assert inner.environment.deploy().wait(WITHIN).ok
        assert seen and "@db.internal:5433/" in seen[0]
        assert web.status()["service_deployment_status"] == "UP_TO_DATE"
        assert orders.id


def test_an_external_address_is_the_link(platform: Platform, driver: Addressing) -> None:
    driver.outputs["web"] = external("http://127.0.0.1:32768")
    web = platform.container(
        "web", ports=[{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP", "external_port": 443}]
    )
    other = platform.container("other")
    path = f"/container/{web.id}/link"
    before = platform.engine.request("GET", path).check()["results"][0]["url"]
    assert web.deploy().wait(WITHIN).ok
    link = platform.engine.request("GET", path).check()["results"][0]
    assert (link["url"], link["internal_port"], link["external_port"]) == ("http://127.0.0.1:32768", 80, 32768)
    assert before.startswith("https://z")
    # The name alone leads nowhere.
    assert values(platform.engine, other, "_HOST_EXTERNAL").pop().endswith("-gtw.platform.app")
    driver.outputs["web"] = external("https://web.example.com:443")
    assert web.deploy().wait(WITHIN).ok
    assert platform.engine.request("GET", path).check()["results"][0]["url"] == "https://web.example.com:443"
    assert values(platform.engine, other, "_HOST_EXTERNAL") == {"web.example.com"}


@pytest.mark.parametrize(
    ("addresses", "words"),
    [
        ("10.0.0.7", "addresses"),
        (["10.0.0.7"], "addresses[0]"),
        ([{"port": 1, "scope": "INTERNAL"}], "addresses[0].host is required"),
        ([{"host": "a", "scope": "NEAR"}], "addresses[0].scope must be one of INTERNAL, EXTERNAL"),
        ([{"host": "a", "scope": "INTERNAL", "port": 70000}], "addresses[0].port must be 1 to 65535"),
        ([{"host": "a", "scope": "INTERNAL", "prot": "TCP"}], "addresses[0].prot"),
        ([{"host": "a" * 256, "scope": "INTERNAL"}], "addresses[0].host"),
        ([{"host": "", "scope": "INTERNAL"}], "addresses[0].host must be a host name"),
        ([{"host": "a\nb", "scope": "INTERNAL"}], "addresses[0].host must be a host name"),
        ([{"host": "[::1]", "scope": "INTERNAL"}], "without brackets"),
        ([{"host": "a", "scope": "EXTERNAL", "url": "mailto:ada@example.com"}], "addresses[0].url must be a URL of"),
        ([{"host": "a", "scope": "EXTERNAL", "url": "http://a b"}], "addresses[0].url must be a URL of"),
        ([{"host": "a", "scope": "INTERNAL"}] * 101, "addresses"),
    ],
)
def test_wrong_addresses_fail_the_step(platform: Platform, driver: Addressing, addresses: Any, words: str) -> None:
    driver.outputs["web"] = {"addresses": addresses}
    run = platform.container("web").deploy().wait(WITHIN)
    assert not run.ok
    assert "the outputs of the step are refused" in run.reason and words in run.reason


def test_a_release_names_the_digest_of_its_image(platform: Platform, driver: Addressing) -> None:
    driver.outputs["web"] = {"image_digest": "sha256:" + "ab" * 32}
    web = platform.container("web")
    assert web.deploy().wait(WITHIN).ok
    assert web.releases()[0]["version"]["image_digest"] == "sha256:" + "ab" * 32


def test_an_address_of_ipv6_is_in_brackets_in_urls(platform: Platform, driver: Addressing) -> None:
    driver.outputs["orders"] = internal("2001:db8::5", 6543)
    driver.outputs["web"] = {
        "addresses": [
            {"host": "2001:db8::1", "port": 8080, "internal_port": 80, "protocol": "HTTP", "scope": "EXTERNAL"}
        ]
    }
    orders = _database(platform)
    web = platform.container("web", ports=[{"internal_port": 80, "publicly_accessible": True, "protocol": "HTTP"}])
    assert platform.environment.deploy().wait(WITHIN).ok
    assert platform.engine.request("GET", f"/container/{web.id}/link").check()["results"][0]["url"] == (
        "http://[2001:db8::1]:8080"
    )
    orders.refresh()
    assert orders.host == "2001:db8::5"
    key = next(iter(keys(platform.engine, web, "_HOST"))).replace("_HOST", "_DATABASE_URL")
    seen: list[str] = []
    driver.note = lambda step: seen.append(
        {each["key"]: each["value"] for each in step.configuration["variables"]}[key]
    )
    assert web.deploy().wait(WITHIN).ok
    assert "@[2001:db8::5]:6543/" in seen[0]


def test_a_database_without_addresses_has_the_usual_ones(platform: Platform, driver: Addressing) -> None:
    orders = _database(platform)
    usual = (orders.host, orders.port)
    assert orders.deploy().wait(WITHIN).ok
    driver.outputs["orders"] = {"addresses": [{"host": "db", "scope": "INTERNAL"}]}
    assert orders.restart().wait(WITHIN).ok
    orders.refresh()
    assert (orders.host, orders.port) == ("db", 5432)
    driver.outputs["orders"] = {"addresses": []}
    assert orders.restart().wait(WITHIN).ok
    orders.refresh()
    assert (orders.host, orders.port) == usual


def test_an_import_has_no_addresses(platform: Platform, driver: Addressing) -> None:
    orders = _database(platform)
    assert platform.environment.deploy().wait(WITHIN).ok
    platform.engine.import_from(platform.engine.snapshot(), environment="acme/shop/production", name="staging")
    copy = platform.project.environments.find(name="staging").databases.find(name="orders")
    assert "addresses" not in platform.engine.request("GET", f"/database/{copy.id}").check()
    assert (copy.host, copy.port) != ("10.0.0.7", 6543) and copy.id in copy.host
    assert orders.id != copy.id
