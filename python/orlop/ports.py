"""Optional interfaces that a host implements besides a driver. Each is a callable, called from any thread, and must not call the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from .port_calls import PortCalls
from .wire import loads


class Identity(NamedTuple):
    """The person that a token authenticates. `subject` is unique for each person, 1 to 255 bytes; `email` and `name` may be empty."""

    subject: str
    email: str = ""
    name: str = ""


class Repository(NamedTuple):
    """A service's git repository: provider ("GITHUB", "GITLAB", "BITBUCKET"), URL, and the service's git token, "" if it has none."""

    provider: str
    url: str
    token: str


class Delivery(NamedTuple):
    """A message to a webhook's receiver, to be sent by POST. `id` is the same in every attempt; `attempt` counts from 1."""

    id: str
    webhook: str
    organization: str
    attempt: int
    url: str
    headers: list[tuple[str, str]]
    body: bytes


TokenAuthenticator = Callable[[str, float], Identity]
"""Called with a token that the engine did not issue and the engine's time in Unix seconds. Returns the identity. An exception refuses the token with
401; TimeoutError fails the request with `DriverFailed` (HTTP 504)."""
PolicyEvaluator = Callable[[str, dict[str, str]], bool]
"""Called with a policy and the request's `method`, `path`, `token` (name), `role` (name) and `organization_id`. Returns True to allow the request. False or
an exception refuses it with 403; TimeoutError fails it with `DriverFailed` (HTTP 504)."""
GitProvider = Callable[[Repository], Optional[Sequence[str]]]
"""Returns the events of the repository's hook in the provider's spelling, None if there is no hook. An exception means UNABLE_TO_VERIFY."""
WebhookSender = Callable[[Delivery], None]
"""Accepts a message and returns at once; the result is reported with `Engine.report_delivery`. An exception counts as a failed attempt."""

CoreTokenAuthenticator = Callable[[str, float], tuple[str, str, str]]
CorePolicyEvaluator = Callable[[str, bytes], bool]
CoreGitProvider = Callable[[str, str, str], Optional[list[str]]]
CoreWebhookSender = Callable[[dict[str, object]], None]


def for_core(settings: Mapping[str, Any], port_timeout: float) -> dict[str, object]:
    """The ports among the settings, as the core calls them. Each call may take `port_timeout` seconds, except those of the webhook sender."""
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
