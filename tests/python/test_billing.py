"""Billing: usage, costs, invoices, limits of plans, credit codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import orlop
import pytest

TERMS = (
    "currency=EUR",
    "plan.TEAM_2025=31",
    "instance_hour=0.5",
    "cluster_hour=0.25",
    "credit.WELCOME=10",
    "limit.FREE.environments=2",
    "limit.FREE.clusters=1",
    "limit.FREE.services=2",
    "limit.FREE.projects=1",
)
CARD = {"number": "4242 4242 4242 4242", "cvv": "123", "expiry_month": 12, "expiry_year": 2030, "token": "tok_1"}


class Customer:
    """An organization with a running cluster, and an environment with a container of two instances."""

    def __init__(self, simulation: orlop.Simulation, plan: Literal["FREE", "TEAM_2025"] = "TEAM_2025") -> None:
        self.simulation = simulation
        self.organization = simulation.organizations.create(name=f"acme {plan}", plan=plan)
        self.home = f"/organization/{self.organization.id}"
        self.registry = self.organization.container_registries.create(
            name="r", kind="DOCKER_HUB", config={"username": "a", "password": "b"}
        )
        self.cluster = self.organization.clusters.create(name="c", region="eu-west-3", cloud_provider="AWS").deploy()
        self.project = self.organization.projects.create(name="p")
        self.environment = self.project.environments.create(name="e", cluster_id=self.cluster.id)

    def add(self, name: str, instances: int = 2) -> Any:
        return self.environment.containers.create(
            name=name,
            registry_id=self.registry.id,
            image_name="acme/web",
            tag="1",
            min_running_instances=instances,
            max_running_instances=9,
            healthchecks={},
        )

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        reply = self.simulation.request(method, f"{self.home}/{path}", body).check()
        return reply

    def usage(self) -> dict[str, Any]:
        return {entry["name"]: entry for entry in self.ask("GET", "usage")["results"]}

    def pass_days(self, days: float) -> None:
        self.simulation.clock.advance(days=days)


@pytest.fixture(name="simulation")
def simulation_fixture() -> Iterator[orlop.Simulation]:
    with orlop.Simulation(seed=1, billing=TERMS) as simulation:
        yield simulation


def test_an_instance_is_counted_from_its_deployment_to_its_stop(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    customer.add("web")
    customer.pass_days(1)
    assert "e" not in customer.usage()  # not deployed
    customer.environment.deploy().wait()
    simulation.clock.advance(hours=10)
    assert customer.usage()["e"]["current_month"]["instance_hours"] == pytest.approx(20, abs=0.1)
    customer.environment.stop().wait()
    simulation.clock.advance(hours=10)
    month = customer.usage()["e"]["current_month"]
    assert month["instance_hours"] == pytest.approx(20, abs=0.1)
    assert month["cost"]["total"] == pytest.approx(10, abs=0.05) and month["cost"]["currency_code"] == "EUR"


def test_an_edit_counts_once_it_is_deployed(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    web = customer.add("web", instances=1)
    customer.environment.deploy().wait()
    simulation.clock.advance(hours=1)
    web.edit(min_running_instances=5)
    simulation.clock.advance(hours=1)
    assert customer.usage()["e"]["current_month"]["instance_hours"] == pytest.approx(2, abs=0.05)
    customer.environment.deploy().wait()
    simulation.clock.advance(hours=1)
    assert customer.usage()["e"]["current_month"]["instance_hours"] == pytest.approx(7, abs=0.1)


def test_as_many_instances_as_a_service_can_have_are_counted(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    path = f"/container/{customer.add('web').id}"
    body = {
        "name": "web",
        "registry_id": customer.registry.id,
        "image_name": "acme/web",
        "tag": "1",
        "healthchecks": {},
    }
    for instances in (100_001, 1 << 62):  # a sum of more than 63 bits failed every tick from the end of the month
        refused = simulation.request(
            "PUT", path, {**body, "min_running_instances": instances, "max_running_instances": instances}
        )
        assert [violation["reason"] for violation in refused.json()["violations"]] == [
            f"must be 0 to 100000, not {instances}"
        ] * 2
    simulation.request(
        "PUT", path, {**body, "min_running_instances": 100_000, "max_running_instances": 100_000}
    ).check()
    customer.environment.deploy().wait()
    customer.pass_days(40)
    assert customer.usage()["e"]["last_month"]["instance_hours"] == pytest.approx(100_000 * 24 * 31, rel=0.01)


def test_a_deleted_environment_stays_on_the_bill(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    customer.add("web")
    customer.environment.deploy().wait()
    simulation.clock.advance(hours=2)
    customer.environment.delete()
    simulation.run_until_idle()
    simulation.clock.advance(hours=50)
    assert customer.usage()["e"]["current_month"]["instance_hours"] == pytest.approx(4, abs=0.1)


def test_costs_grow_with_the_month(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    cost = customer.ask("GET", "currentCost")
    assert (cost["plan"], cost["renewal_at"], cost["cost"]["total"]) == (
        "TEAM_2025",
        "2026-02-01T00:00:00.000Z",
        pytest.approx(31, abs=0.1),
    )
    customer.pass_days(10)
    least = customer.ask("GET", f"cluster/{customer.cluster.id}/currentCost")
    assert least["min_cost"] == pytest.approx(60, abs=0.1) and least["max_cost"] == pytest.approx(186, abs=0.2)
    assert least["min_cost_in_cents"] == round(least["min_cost"] * 100)
    assert customer.ask("GET", "currentCost")["cost"]["total"] == pytest.approx(91, abs=0.2)


def test_a_month_ends_with_an_invoice_that_uses_the_credit(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    customer.ask("POST", "creditCode", {"code": "WELCOME"})
    customer.pass_days(31)
    [invoice] = customer.ask("GET", "invoice")["results"]
    assert [line["kind"] for line in invoice["lines"]] == ["PLAN", "CLUSTERS", "CREDIT"]
    assert invoice["total"] == pytest.approx(31 + 744 * 0.25 - 10, abs=0.1) and invoice["status"] == "PAYMENT_DUE"
    assert customer.ask("GET", f"invoice/{invoice['id']}") == invoice
    customer.pass_days(28)
    invoices = customer.ask("GET", "invoice")["results"]
    assert [entry["period_start"][:7] for entry in invoices] == ["2026-01", "2026-02"]
    assert invoices[1]["total"] == pytest.approx(31 + 672 * 0.25, abs=0.1)  # the credit is used up


def test_months_in_which_no_engine_ran_are_invoiced_one_by_one(tmp_path: Any) -> None:
    file = tmp_path / "platform.db"
    now = [1_767_225_600.0]
    with orlop.Engine(file, clock=lambda: now[0], billing=TERMS, require_cluster=False) as engine:
        organization = engine.organizations.create(name="acme", plan="TEAM_2025")
        engine.tick()
    now[0] += 100 * 86_400
    with orlop.Engine(file, clock=lambda: now[0], billing=TERMS, require_cluster=False) as engine:
        for _ in range(10):
            engine.tick()
        invoices = engine.request("GET", f"/organization/{organization.id}/invoice").check()["results"]
    assert [entry["period_start"][:7] for entry in invoices] == ["2026-01", "2026-02", "2026-03"]
    assert all(entry["total"] == 31 for entry in invoices)


@pytest.mark.parametrize(("answer", "status"), [("", "PAID"), ("no money", "NOT_PAID"), (None, "PAYMENT_DUE")])
def test_a_card_is_charged(simulation: orlop.Simulation, answer: str | None, status: str) -> None:
    customer = Customer(simulation)
    card = customer.ask("POST", "creditCard", CARD)
    assert "token" not in card
    if answer is not None:
        simulation.externals.add("charge_invoice", answer, where={"card_token": "tok_1", "currency_code": "EUR"})
    customer.pass_days(32)
    [invoice] = customer.ask("GET", "invoice")["results"]
    assert invoice["status"] == status
    valid = customer.ask("GET", "billingStatus")
    assert valid["is_valid"] is (status != "NOT_PAID") and ("refused" in valid.get("message", "")) is (
        status == "NOT_PAID"
    )


def test_files_and_messages_are_questions(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    customer.pass_days(32)
    [invoice] = customer.ask("GET", "invoice")["results"]
    with pytest.raises(orlop.Unanswered):
        customer.ask("GET", f"invoice/{invoice['id']}/download")
    simulation.externals.add("get_invoice_link", {"url": "https://files.example.com/1.pdf"})
    assert customer.ask("GET", f"invoice/{invoice['id']}/download") == {"url": "https://files.example.com/1.pdf"}
    simulation.externals.add("send_invoices", "")
    customer.ask("POST", "downloadInvoices")
    assert customer.ask("GET", "billingExternalId") == {"id": customer.organization.id}


@pytest.mark.parametrize("code", ["", "WRONG", "x" * 70_000])
def test_what_is_no_credit_code_is_refused(simulation: orlop.Simulation, code: str) -> None:
    customer = Customer(simulation)
    with pytest.raises(orlop.Invalid, match="code"):
        customer.ask("POST", "creditCode", {"code": code})


def test_a_credit_code_is_used_once(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation)
    customer.ask("POST", "creditCode", {"code": "WELCOME"})
    with pytest.raises(orlop.Invalid, match="was used"):
        customer.ask("POST", "creditCode", {"code": "WELCOME"})


def test_limits_of_the_plan_hold(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation, plan="FREE")
    with pytest.raises(orlop.Conflict, match="FREE allows 1 clusters"):
        customer.organization.clusters.create(name="second", region="eu-west-3", cloud_provider="AWS")
    with pytest.raises(orlop.Conflict, match="FREE allows 1 projects"):
        customer.organization.projects.create(name="second")
    customer.add("a")
    customer.add("b")
    with pytest.raises(orlop.Conflict, match="FREE allows 2 services"):
        customer.add("c")
    with pytest.raises(orlop.Conflict, match="FREE allows 2 services, and the organization would have 4"):
        customer.environment.clone(name="copy")
    assert [environment.name for environment in customer.project.environments] == ["e"]
    customer.ask("POST", "changePlan", {"plan": "TEAM_2025"})
    customer.add("c")
    with pytest.raises(orlop.Conflict, match="FREE allows 2 services"):
        customer.ask("POST", "changePlan", {"plan": "FREE"})


def test_environments_of_all_projects_count(simulation: orlop.Simulation) -> None:
    customer = Customer(simulation, plan="FREE")
    customer.project.environments.create(name="second", cluster_id=customer.environment.cluster_id)
    with pytest.raises(orlop.Conflict, match="FREE allows 2 environments, and the organization would have 3"):
        customer.project.environments.create(name="third", cluster_id=customer.environment.cluster_id)
    customer.ask("POST", "changePlan", {"plan": "TEAM_2025"})
    customer.organization.projects.create(name="other").environments.create(
        name="third", cluster_id=customer.environment.cluster_id
    )
    with pytest.raises(orlop.Conflict, match="FREE allows 2 environments, and the organization would have 3"):
        customer.ask("POST", "changePlan", {"plan": "FREE"})


def test_the_role_billing_sees_the_bill_and_nothing_else() -> None:
    with orlop.Simulation(seed=1, billing=TERMS, authentication="required") as simulation:
        customer = Customer(simulation)
        container = customer.add("web")
        roles = {role["name"]: role["id"] for role in customer.ask("GET", "availableRole")["results"]}
        may: dict[str, dict[str, int]] = {}
        for role in ("admin", "billing", "devops", "viewer"):
            token = customer.ask("POST", "apiToken", {"name": role, "role_id": roles[role]})["token"]

            def status(method: str, path: str, body: Any = None, token: str = token) -> int:
                return simulation.request(method, path, body, {"Authorization": f"Token {token}"}, trusted=False).status

            read = [
                status("GET", f"{customer.home}/{path}")
                for path in ("currentCost", "usage", "invoice", "creditCard", "billingInfo", "billingStatus")
            ]
            may[role] = {
                "read": max(read),
                "card": status("POST", f"{customer.home}/creditCard", CARD),
                "code": status("POST", f"{customer.home}/creditCode", {"code": role}),
                "service": status("GET", f"/container/{container.id}"),
                "tokens": status("GET", f"{customer.home}/apiToken"),
            }
        assert may["billing"] == {"read": 200, "card": 201, "code": 400, "service": 403, "tokens": 403}
        assert may["admin"] == {"read": 200, "card": 201, "code": 400, "service": 200, "tokens": 200}
        assert may["devops"] == may["viewer"] == {"read": 403, "card": 403, "code": 403, "service": 200, "tokens": 403}


def test_without_terms_nothing_is_counted_or_limited() -> None:
    with orlop.Simulation(seed=1) as simulation:
        customer = Customer(simulation, plan="FREE")
        customer.add("web")
        customer.environment.deploy().wait()
        customer.pass_days(40)
        assert customer.usage() == {} and customer.ask("GET", "invoice")["results"] == []
        assert customer.ask("GET", "currentCost") == {
            "plan": "FREE",
            "remaining_trial_day": 0,
            "renewal_at": None,
            "cost": {"total_in_cents": 0, "total": 0.0, "currency_code": "USD"},
        }


@pytest.mark.parametrize(
    "entry",
    [
        "currency=euro",
        "instance_hour=-1",
        "instance_hour=0.0000001",
        "instance_hour",
        "limit.FREE.cows=1",
        "limit.FREE=1",
        "plan.=1",
        "x=1",
    ],
)
def test_malformed_terms_are_refused(entry: str) -> None:
    with pytest.raises(orlop.Misuse, match="billing"):
        orlop.Simulation(billing=[entry])
