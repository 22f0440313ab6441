"""Types of the interfaces that a host may implement besides a driver."""

from .generated.ports import Delivery, ExternalSystems, Log, WebhookSender

__all__ = ["Delivery", "ExternalSystems", "Log", "WebhookSender"]
