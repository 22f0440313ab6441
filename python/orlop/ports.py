"""What the engine asks of the world beside its driver. Each port is a callable, called from any thread; none may call the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from .port_calls import PortCalls
from .wire import loads


class Identity(NamedTuple):
    """Whom a token proves. `subject` is never the same for two people."""

    subject: str
    email: str = ""
    name: str = ""


class Repository(NamedTuple):
    """A git repository of a service; `token` is that of the git token which the service uses, or empty."""

    provider: str
    url: str
    token: str


class Delivery(NamedTuple):
    """A message to a webhook's receiver, to be sent by POST. Its id is the same in every attempt."""

    id: str
    webhook: str
    organization: str
    attempt: int
    url: str
    headers: list[tuple[str, str]]
    body: bytes


# Gives whom the token proves at that time (Unix seconds, the engine's), or raises: then the token is refused; or raises TimeoutError: then the
# request fails, since it cannot tell.
TokenAuthenticator = Callable[[str, float], Identity]
# Gives whether the policy allows what the input tells of: method, path, token, role, organization_id. To raise refuses; to raise
# TimeoutError fails the request.
PolicyEvaluator = Callable[[str, dict[str, str]], bool]
# Gives the events that the repository's hook tells of, in the provider's words; None if there is no hook. Raises if it cannot tell.
GitProvider = Callable[[Repository], Optional[Sequence[str]]]
# Takes a message on and returns at once; `Engine.delivered` tells how it went. To raise counts as an attempt that failed.
WebhookSender = Callable[[Delivery], None]

CoreTokenAuthenticator = Callable[[str, float], tuple[str, str, str]]
CorePolicyEvaluator = Callable[[str, bytes], bool]
CoreGitProvider = Callable[[str, str, str], Optional[list[str]]]
CoreWebhookSender = Callable[[dict[str, object]], None]


def for_core(settings: Mapping[str, Any], port_timeout: float) -> dict[str, object]:
    """The ports among the settings, as the core calls them. All but the webhook_sender, which returns at once, have `port_timeout` seconds."""
    calls = PortCalls(port_timeout)
    wrappers: dict[str, Callable[[Any], object]] = {
        "token_authenticator": lambda token_authenticator: _core_token_authenticator(token_authenticator, calls),
        "policy_evaluator": lambda policy_evaluator: _core_policy_evaluator(policy_evaluator, calls),
        "git_provider": lambda git_provider: _core_git_provider(git_provider, calls),
        "webhook_sender": _core_webhook_sender,
    }
    return {name: wrap(settings[name]) for name, wrap in wrappers.items() if settings[name] is not None}


def _core_token_authenticator(token_authenticator: TokenAuthenticator, calls: PortCalls) -> CoreTokenAuthenticator:
    def verify(token: str, now: float) -> tuple[str, str, str]:
        subject, email, name = calls.run("token_authenticator", token_authenticator, token, now)
        return subject, email or "", name or ""

    return verify


def _core_policy_evaluator(policy_evaluator: PolicyEvaluator, calls: PortCalls) -> CorePolicyEvaluator:
    return lambda policy, text: bool(calls.run("policy_evaluator", policy_evaluator, policy, loads(text)))


def _core_git_provider(git_provider: GitProvider, calls: PortCalls) -> CoreGitProvider:
    def find_hook(provider: str, url: str, token: str) -> list[str] | None:
        events = calls.run("git_provider", git_provider, Repository(provider, url, token))
        return None if events is None else list(events)

    return find_hook


def _core_webhook_sender(webhook_sender: WebhookSender) -> CoreWebhookSender:
    def deliver(facts: dict[str, object]) -> None:
        webhook_sender(Delivery(**facts))  # type: ignore[arg-type]

    return deliver
