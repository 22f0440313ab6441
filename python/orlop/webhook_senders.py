"""A webhook sender over HTTP; needs the extra `orlop[webhooks]`."""

from .externals.targets import resolve
from .externals.webhook_senders import HttpWebhookSender

__all__ = ["HttpWebhookSender", "resolve"]
