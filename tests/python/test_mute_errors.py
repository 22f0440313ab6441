"""Exceptions of the host's code whose `__str__` fails: each is a failure with the name of its type."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.webhook_senders import HttpWebhookSender
from test_external_systems import branches

WITHIN = 20.0


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("there is no text")


class Silenced(Exception):
    """An exception that would end the thread that asks."""

    def __str__(self) -> str:
        raise SystemExit("there is no text")


class Numbered(Exception):
    def __str__(self) -> str:
        return 7  # type: ignore[return-value]


ERRORS = [pytest.param(kind, id=kind.__name__) for kind in (Mute, Silenced, Numbered)]
ENGINES = [pytest.param(kind, id=kind.__name__) for kind in (orlop.Engine, orlop.Simulation)]


@pytest.mark.parametrize("opened", ENGINES)
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("where", ["deploy", "accepts", "asynchronous"])
def test_of_a_driver(where: str, error: type[Exception], opened: Any) -> None:
    class Failing(orlop.Driver):
        def accepts(self, step: orlop.Step) -> bool:
            if where == "accepts" and step.kind == "deploy":
                raise error
            return True

        def deploy(self, step: orlop.Step) -> Any:
            if where == "deploy":
                raise error
            return self.fail()

        async def fail(self) -> None:
            raise error

    with opened(driver=Failing()) as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert not run.ok and re.fullmatch(
            rf"web: {error.__name__}( \(test_mute_errors\.py:\d+ in deploy(, \S+ in fail)?\)| \(\S+ in fail\))?",
            run.reason,
        ), run.reason


@pytest.mark.parametrize("opened", ENGINES)
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("is_async", [False, True])
def test_of_external_systems(is_async: bool, error: type[Exception], opened: Any) -> None:
    class Failing(orlop.ExternalSystems):
        def list_branches(self, question: Mapping[str, Any]) -> Any:
            if is_async:
                return self.fail()
            raise error

        async def fail(self) -> None:
            raise error

    with opened(external_systems=Failing()) as engine:
        assert branches(engine) == (502, error.__name__)


@pytest.mark.parametrize("error", ERRORS)
def test_of_a_webhook_sender(error: type[Exception]) -> None:
    asked = threading.Event()

    def send(delivery: orlop.Delivery) -> None:
        raise error

    def resolve(host: str, port: int) -> Sequence[str]:
        asked.set()
        raise error

    def answer(sender: Any) -> str:
        with orlop.Engine(webhook_sender=sender, driver=orlop.Driver()) as engine:
            platform = furnish(engine)
            platform.container()
            webhook = platform.organization.webhooks.create(
                kind="STANDARD", target_url="https://hooks.example.com/x", events=["DEPLOYMENT_STARTED"]
            )
            platform.environment.deploy()
            engine._drive(
                lambda: webhook.deliveries()[0]["attempts"] > 0 and webhook.deliveries()[0]["status"] != "SENDING",
                WITHIN,
                "the attempt",
            )
            return str(
                engine.request("GET", f"/organization/{platform.organization.id}/webhook/{webhook.id}/event").check()[
                    "results"
                ][0]["target_response_body"]
            )

    assert answer(send) == error.__name__
    assert answer(HttpWebhookSender(resolver=resolve)) == f"{error.__name__}: " and asked.is_set()


@pytest.mark.parametrize("error", ERRORS)
def test_of_a_clock(error: type[Exception]) -> None:
    def clock() -> float:
        raise error

    with pytest.raises(orlop.DriverFailed, match=f"^a callback raised {error.__name__}: $") as raised:
        orlop.Engine(clock=clock)
    assert isinstance(raised.value.__cause__, error)
