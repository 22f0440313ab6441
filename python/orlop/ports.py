"""Optional interfaces that a host implements besides a driver. They are called from any thread, and must not call the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .calling.external_calls import ExternalCalls
from .external_systems import ExternalSystems

__all__ = ["Delivery", "ExternalSystems", "WebhookSender"]


class Delivery(NamedTuple):
    """A message to a webhook's receiver, to be sent by POST. `id` is the same in every attempt; `attempt` counts from 1."""

    id: str
    webhook: str
    organization: str
    attempt: int
    url: str
    headers: list[tuple[str, str]]
    body: bytes


WebhookSender = Callable[[Delivery], None]
"""Accepts a message and returns at once; the result is reported with `Engine.report_delivery`. An exception counts as a failed attempt."""

CoreWebhookSender = Callable[[dict[str, object]], None]


def for_core(options: Mapping[str, Any]) -> dict[str, object]:
    """The ports among the options, as the core calls them. `port_timeout` is in milliseconds."""
    wrapped: dict[str, object] = {}
    if options["external_systems"] is not None:
        wrapped["external_systems"] = ExternalCalls(options["external_systems"], options["port_timeout"] / 1000)
    if options["webhook_sender"] is not None:
        wrapped["webhook_sender"] = _core_webhook_sender(options["webhook_sender"])
    return wrapped


def _core_webhook_sender(webhook_sender: WebhookSender) -> CoreWebhookSender:
    def deliver(facts: dict[str, object]) -> None:
        webhook_sender(Delivery(**facts))  # type: ignore[arg-type]

    return deliver
