"""Values can be pickled and copied; objects that belong to an engine refuse it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

import orlop
from conftest import Platform
from orlop import webhook_senders, oidc
from orlop.deployments.deployment import Change, ServiceRun, StageRun

LIVE: dict[str, Callable[[Platform], object]] = {
    "Simulation": lambda platform: platform.engine,
    "Clock": lambda platform: platform.engine.clock,  # type: ignore[attr-defined]
    "Faults": lambda platform: platform.engine.faults,  # type: ignore[attr-defined]
    "Transitions": lambda platform: platform.engine.transitions,  # type: ignore[attr-defined]
    "Events": lambda platform: platform.engine.events,
    "Rules": lambda platform: platform.engine.rules,  # type: ignore[attr-defined]
    "Externals": lambda platform: platform.engine.externals,  # type: ignore[attr-defined]
    "Receivers": lambda platform: platform.engine.receivers,  # type: ignore[attr-defined]
    "Environment": lambda platform: platform.environment,
    "ContainerCollection": lambda platform: platform.environment.containers,
    "Deployment": lambda platform: platform.container().deploy(),
    "Deployments": lambda platform: platform.engine.deployments,
    "HttpWebhookSender": lambda platform: webhook_senders.HttpWebhookSender(),
    "TokenAuthenticator": lambda platform: oidc.TokenAuthenticator(
        {"keys": []}, issuer="https://id.example", audience="orlop"
    ),
}


@pytest.mark.parametrize("name", LIVE)
@pytest.mark.parametrize("make", [pickle.dumps, copy.copy, copy.deepcopy], ids=lambda make: make.__name__)
def test_what_belongs_to_an_engine_says_so(platform: Platform, name: str, make: Callable[[object], object]) -> None:
    with pytest.raises(
        TypeError, match=f"the class {name} belongs to an engine of this process, and can be neither pickled nor copied"
    ):
        make(LIVE[name](platform))


def test_a_step_says_so() -> None:
    facts = {
        "id": "1",
        "kind": "deploy",
        "family": "container",
        "name": "web",
        "subject": "2",
        "owner": "3",
        "organization": "4",
        "request": "5",
        "attempt": 1,
        "resumed": False,
        "action": "deploy",
        "_configuration": b"",
    }
    with pytest.raises(TypeError, match="the class Step belongs to an engine"):
        pickle.dumps(orlop.Step(facts, None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [
        orlop.Violation("name", "is required"),
        orlop.Delivery("1", "2", "3", 1, "https://example.com", [("a", "b")], b"{}"),
        Change("now", "web", "DEPLOYED"),
        StageRun("CONTAINER DEFAULT", (ServiceRun("1", "web", "CONTAINER", "DEPLOYED"),)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_pickle_and_copy(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)


def test_replies_and_timelines_pickle(platform: Platform) -> None:
    platform.container()
    reply = platform.engine.request("GET", "/organization")
    again = pickle.loads(pickle.dumps(reply))
    assert (again.status, again.headers, again.body) == (reply.status, reply.headers, reply.body)
    timeline = platform.environment.deploy().wait().timeline
    assert pickle.loads(pickle.dumps(timeline)).text() == timeline.text() == copy.deepcopy(timeline).text()


def test_errors_pickle_with_all_that_they_say(platform: Platform) -> None:
    with pytest.raises(orlop.Invalid) as caught:
        platform.container(cpu=-1)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is orlop.Invalid
    assert (again.status, again.violations, again.message, again.code) == (
        400,
        caught.value.violations,
        caught.value.message,
        "invalid",
    )
    for name in orlop.__all__:
        kind = getattr(orlop, name)
        if isinstance(kind, type) and issubclass(kind, orlop.Error):
            error = pickle.loads(pickle.dumps(kind("it is so")))
            assert (type(error), str(error), error.code) == (kind, "it is so", kind.code)
