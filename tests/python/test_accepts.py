"""Drivers that do not accept a step at once: their answers, and what happens to the step."""

from __future__ import annotations

import pytest

import orlop
from conftest import furnish
from test_driver import WITHIN, Recorder


class Busy(Recorder):
    """Accepts one deploy step at a time."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.refused = 0
        self.how = how

    def accepts(self, step: orlop.Step) -> bool:
        self.asked.append(step.id)
        if step.kind != "deploy" or self.refused == 1:
            return True
        self.refused += 1
        if self.how == "raises":
            raise orlop.TryLater("one service at a time")
        return False


@pytest.mark.parametrize("how", ["answers", "raises"])
def test_a_step_that_is_not_accepted_waits_and_nothing_fails(how: str) -> None:
    driver = Busy(how)
    with orlop.Engine(driver=driver) as engine:
        platform = furnish(engine)
        platform.container()
        run = platform.environment.deploy().wait(WITHIN)
        assert run.ok
        step = driver.steps[-1]
        assert driver.asked.count(step.id) == 2, "at once, and after a second"


class FailsToAnswer(Recorder):
    def accepts(self, step: orlop.Step) -> bool:
        raise ValueError("no hands")


def test_what_accepts_raises_fails_the_step() -> None:
    with orlop.Engine(driver=FailsToAnswer()) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait(WITHIN)
        assert any("no hands" in str(event) for event in engine.events())


class AnswersNothing(Recorder):
    def accepts(self, step: orlop.Step) -> bool:
        return None  # type: ignore[return-value]


def test_accepts_answers_true_or_false() -> None:
    with orlop.Engine(driver=AnswersNothing()) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        organization.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait(WITHIN)
        assert any(
            "accepts of the driver AnswersNothing must answer True or False, not None" in str(event)
            for event in engine.events()
        )


class AnswersLater(Recorder):
    async def accepts(self, step: orlop.Step) -> bool:  # type: ignore[override]
        return True


def test_accepts_is_a_plain_method() -> None:
    with pytest.raises(orlop.Misuse, match="accepts of the driver AnswersLater must be a plain method"):
        orlop.Engine(driver=AnswersLater())
