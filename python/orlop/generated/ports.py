# Generated from core/base/options/ports: do not edit.
"""Optional interfaces that a host implements besides a driver. They are called from any thread, and must not call the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .external_systems import ExternalSystems

__all__ = ["Delivery", "Log", "WebhookSender", "ExternalSystems"]


class Delivery(NamedTuple):
    """A message to the receiver of an organization's webhook, to be sent by POST."""

    id: str
    """Stored before the message is handed over; the same in every attempt."""
    webhook: str
    """The webhook."""
    organization: str
    """The organization of the webhook."""
    attempt: int
    """Number of the attempt, from 1."""
    url: str
    """URL of the receiver."""
    headers: list[tuple[str, str]]
    """Headers to send, the signature among them."""
    body: bytes
    """JSON."""


Log = Callable[[str, str], object]
"""Receives messages that are not events. There are few: none for a request, a step or an event. Called with `level`,
`message`. Receives one sentence without secrets. Called from several threads at once, possibly with locks of the engine
held: it returns soon, and calls no function of this engine. An exception goes to `sys.unraisablehook`."""

WebhookSender = Callable[[Delivery], object]
"""Sends the messages of webhooks. Called with `delivery`. Accepts a message and returns at once; the result is reported
with `report_delivery`, from any thread. An error counts as a failed attempt with its message. An exception counts as
the error."""
