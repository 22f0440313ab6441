"""A webhook sender over HTTP; needs the extra `orlop[webhooks]`."""

from .externals.webhook_senders import HttpWebhookSender, resolve

__all__ = ["HttpWebhookSender", "resolve"]
