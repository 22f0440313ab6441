"""A webhook sender of the host: its arguments, and its errors."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import furnish

import orlop
from orlop.webhook_senders import HttpWebhookSender
from processes import wait_until


@pytest.mark.parametrize(
    "raised", [RuntimeError("the queue is full"), ValueError(), SystemExit(3), KeyboardInterrupt()]
)
def test_a_webhook_sender_that_raises_fails_the_attempt(raised: BaseException) -> None:
    seen: list[orlop.Delivery] = []
    logged: list[tuple[str, str]] = []

    def send(delivery: orlop.Delivery) -> object:
        seen.append(delivery)
        if len(seen) == 1:
            raise raised
        simulation.report_delivery(delivery.id, 204)
        return {"of no": "interest"}

    with orlop.Simulation(
        webhook_sender=send, log=lambda level, message: logged.append((level, message))
    ) as simulation:
        platform = furnish(simulation)
        platform.container()
        webhook = platform.organization.webhooks.create(
            kind="STANDARD", target_url="https://hooks.example.com/x", events=["DEPLOYMENT_SUCCESSFUL"]
        )
        platform.environment.deploy()
        simulation.run_until_idle()
        (delivery,) = webhook.deliveries()
        assert (delivery["status"], delivery["attempts"]) == ("DELIVERED", 2)
    assert logged == [("warning", f"the webhook sender failed: {str(raised) or type(raised).__name__}")]
    first, second = seen
    assert type(first) is orlop.Delivery
    assert (first.attempt, second.attempt, first.id, first.webhook, first.organization) == (
        1,
        2,
        second.id,
        webhook.id,
        platform.organization.id,
    )
    assert type(first.body) is bytes and json.loads(first.body)["type"] == "deployment.successful"
    assert first.url == "https://hooks.example.com/x" and "webhook-id" in dict(first.headers)


@pytest.mark.parametrize("storage", ["memory:", "sqlite"])
def test_a_fork_sends_nothing_of_its_own_to_the_network(storage: str, tmp_path: Path) -> None:
    asked: list[str] = []
    was_asked = threading.Event()

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        was_asked.set()
        return []

    sender = HttpWebhookSender(resolver=resolve)
    with orlop.Simulation(
        storage if storage == "memory:" else tmp_path / "origin.db", webhook_sender=sender
    ) as simulation:
        platform = furnish(simulation)
        web = platform.container()
        webhook = platform.organization.webhooks.create(
            kind="STANDARD", target_url="https://hooks.example.com/x", events=["DEPLOYMENT_SUCCESSFUL"]
        )
        with simulation.fork() as other, other.fork() as third:
            for fork in (other, third):
                fork.receivers.add(status=503, times=1)
                fork.request("POST", f"/container/{web.id}/deploy").check()
                fork.run_until_idle()
                (delivery,) = fork.request(
                    "GET", f"/organization/{platform.organization.id}/webhook/{webhook.id}/event"
                ).check()["results"]
                assert (delivery["status"], delivery["attempts"]) == ("DELIVERED", 2)
        sent: list[orlop.Delivery] = []
        with simulation.fork(webhook_sender=sent.append) as other:
            other.request("POST", f"/container/{web.id}/deploy").check()
            other.clock.advance(minutes=1)
        assert [delivery.webhook for delivery in sent] == [webhook.id]
        with pytest.raises(orlop.Misuse, match="a webhook sender serves one engine"):
            simulation.fork(webhook_sender=sender)
        assert asked == []
        web.deploy()
        simulation.clock.advance(minutes=1)
        assert was_asked.wait(30)
    assert set(asked) == {"hooks.example.com"}


@pytest.mark.parametrize("raised", [orlop.Misuse("a webhook sender serves one engine"), ValueError("no")])
def test_what_a_webhook_sender_refuses_is_closed(raised: Exception, tmp_path: Path) -> None:
    class Refusing:
        is_detached = False

        def __call__(self, delivery: orlop.Delivery) -> None:
            raise AssertionError("nothing is sent")

        def attach(self, engine: orlop.Engine) -> None:
            raise raised

        def detach(self) -> None:
            self.is_detached = True

    sender = Refusing()
    threads = threading.active_count()
    with pytest.raises(type(raised)) as refused:  # the traceback refers to the simulation
        orlop.Simulation(tmp_path / "store.db", webhook_sender=sender, driver=orlop.Driver())
    assert not sender.is_detached  # it may be attached to another engine
    wait_until(lambda: threading.active_count() == threads, "the end of the thread of the driver")
    with orlop.Simulation(tmp_path / "store.db") as simulation:
        assert simulation.last_event == 0
    del refused


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"allow": ["10.0.0.0/99"]},
            "allow must hold names of hosts, addresses and ranges like 10.0.0.0/8, not '10.0.0.0/99'",
        ),
        ({"allow": ["http://hooks.internal"]}, "allow must hold names of hosts"),
        ({"allow": [""]}, "allow must hold names of hosts"),
        ({"resolver": None}, "resolver must be callable, not None"),
        ({"ssl_context": "certificate.pem"}, "ssl_context must be an ssl.SSLContext or None, not 'certificate.pem'"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(orlop.Misuse, match=re.escape(said)):
        HttpWebhookSender(**given)


def test_hosts_addresses_and_ranges_are_allowed() -> None:
    HttpWebhookSender(
        allow=["hooks.example.internal", "Hooks_1", "10.1.0.0/16", "::1", "fd00::/8", "127.0.0.1"]
    ).detach()
