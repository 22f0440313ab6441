"""A webhook sender of the host: its arguments, and its errors."""

from __future__ import annotations

import json

import pytest
from conftest import furnish

import orlop


@pytest.mark.parametrize("raised", [RuntimeError("the queue is full"), ValueError(), SystemExit(3), KeyboardInterrupt()])
def test_a_webhook_sender_that_raises_fails_the_attempt(raised: BaseException) -> None:
    seen: list[orlop.Delivery] = []
    logged: list[tuple[str, str]] = []

    def send(delivery: orlop.Delivery) -> object:
        seen.append(delivery)
        if len(seen) == 1:
            raise raised
        simulation.report_delivery(delivery.id, 204)
        return {"of no": "interest"}

    with orlop.Simulation(webhook_sender=send, log=lambda level, message: logged.append((level, message))) as simulation:
        platform = furnish(simulation)
        platform.container()
        webhook = platform.organization.webhooks.create(kind="STANDARD", target_url="https://hooks.example.com/x", events=["DEPLOYMENT_SUCCESSFUL"])
        platform.environment.deploy()
        simulation.run_until_idle()
        (delivery,) = webhook.deliveries()
        assert (delivery["status"], delivery["attempts"]) == ("DELIVERED", 2)
    assert logged == [("warning", f"the webhook sender failed: {str(raised) or type(raised).__name__}")]
    first, second = seen
    assert type(first) is orlop.Delivery
    assert (first.attempt, second.attempt, first.id, first.webhook, first.organization) == (1, 2, second.id, webhook.id, platform.organization.id)
    assert type(first.body) is bytes and json.loads(first.body)["type"] == "deployment.successful"
    assert first.url == "https://hooks.example.com/x" and "webhook-id" in dict(first.headers)
