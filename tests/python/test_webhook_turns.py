"""Receivers that hang do not delay messages of another organization."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpcore
import pytest

import orlop
from orlop.externals import webhook_senders
from orlop.webhook_senders import HttpWebhookSender
from post_office import Answer, Receiver
from processes import wait_until

NO_END = 3600.0  # seconds that an attempt may take: those that hang do not end by themselves


@contextlib.contextmanager
def hanging() -> Iterator[Receiver]:
    """Runs a receiver that answers nothing until the end."""
    until = threading.Event()
    with contextlib.closing(Receiver()) as receiver:
        receiver.answers = [Answer(until=until) for _ in range(1000)]
        try:
            yield receiver
        finally:
            until.set()


class Tenant:
    def __init__(self, engine: orlop.Engine, name: str, urls: list[str]) -> None:
        self.organization = engine.organizations.create(name=name, plan="ENTERPRISE")
        cluster = self.organization.clusters.create(name="eu", region="eu-west-3", cloud_provider="AWS")
        self.environment = self.organization.projects.create(name="shop").environments.create(
            name="live", cluster_id=cluster.id
        )
        self.environment.databases.create(name="db", type="REDIS", version="7", mode="CONTAINER")
        for url in urls:
            self.organization.webhooks.create(kind="STANDARD", target_url=url, events=["DEPLOYMENT_STARTED"])


def address(receiver: Receiver, host: str) -> str:
    return f"http://{host}:{receiver.url.rpartition(':')[2].partition('/')[0]}/"


@pytest.mark.parametrize(
    ("organizations", "hooks", "host"),
    [
        (1, 200, lambda of, number: f"hook{number}.example.com"),
        (1, 200, lambda of, number: "hooks.example.com"),
        (40, 10, lambda of, number: "hooks.example.com"),
        (40, 10, lambda of, number: f"hook{10 * of + number}.example.com"),
    ],
    ids=["one with many hosts", "one with one host", "many with one host", "many with many hosts"],
)
def test_hanging_receivers_hold_up_no_other_organization(
    organizations: int, hooks: int, host: Callable[[int, int], str]
) -> None:
    hosts = {host(of, number) for of in range(organizations) for number in range(hooks)} | {"good.example.com"}
    sender = HttpWebhookSender(resolver=lambda name, port: ["127.0.0.1"], timeout=NO_END)
    with hanging() as bad, contextlib.closing(Receiver()) as good:
        with orlop.Engine(webhook_sender=sender, webhook_allow=sorted(hosts), require_cluster=False) as engine:
            tenants = [
                Tenant(engine, f"bad{of}", [address(bad, host(of, number)) for number in range(hooks)])
                for of in range(organizations)
            ]
            other = Tenant(engine, "good", [address(good, "good.example.com")])
            for tenant in tenants:
                tenant.environment.deploy()
                engine.tick()
            wait_until(lambda: bool(engine.tick() or True) and bool(bad.received), "the first message that hangs")
            for _ in range(3):
                other.environment.deploy().wait(timeout=30)
            wait_until(lambda: bool(engine.tick() or True) and len(good.received) == 3, "the messages of the good one")
            assert len(bad.received) <= 128


def test_a_silent_receiver_gets_less_time(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []
    answers: list[Any] = []
    monkeypatch.setattr(webhook_senders, "time", type("Still", (), {"monotonic": staticmethod(lambda: 1000.0)}))
    sender = HttpWebhookSender(timeout=15)

    def ask(url: str, delivery: orlop.Delivery, deadline: float) -> tuple[int, str, str]:
        times.append(deadline - 1000.0)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer, "", ""

    monkeypatch.setattr(sender, "_ask", ask)

    def attempt(
        answer: Any, number: int = 1, organization: str = "acme", url: str = "https://hooks.example.com/x"
    ) -> float:
        answers.append(answer)
        sender._carry(orlop.Delivery("id", "webhook", organization, number, url, [], b"{}"))
        return times[-1]

    silent = httpcore.ReadTimeout("the receiver took too long")
    assert [attempt(silent) for _ in range(5)] == [15.0, 7.5, 3.75, 3.0, 3.0]
    assert attempt(silent, organization="other") == 15.0
    assert attempt(silent, url="https://other.example.com/x") == 15.0
    assert [attempt(silent, number) for number in (3, 4, 6, 7, 9)] == [15.0, 3.0, 15.0, 3.0, 15.0], (
        "one that is slow is given up for ever"
    )
    assert attempt(503, 3) == 15.0
    assert attempt(httpcore.ConnectError("refused")) == 15.0, "it has answered"
    assert attempt(silent) == 15.0 and attempt(ValueError()) == 7.5 and attempt(200) == 15.0
    sender.detach()
    assert sender._silent == {("other", "hooks.example.com"): 1, ("acme", "other.example.com"): 1}
