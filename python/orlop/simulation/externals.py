"""The scripted external systems of a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import Misuse
from .rules import ScriptedRules, control


class Externals(ScriptedRules):
    """The scripted external systems. If several rules match a question, the last added one applies; without one the
    question is not answered."""

    _what = "externals"

    def add(
        self,
        question: str,
        answer: Any = None,
        *,
        where: Mapping[str, Any] | None = None,
        error: str = "",
        delay: str | float = 0,
        times: int = 0,
        over: int = 0,
        per: str | float | None = None,
        rule: str = "",
    ) -> None:
        """Adds a rule: the question is answered with `answer`, JSON values that match its schema, or fails with the
        reason `error`.

        `where` limits the rule to inputs with these members; `*` and `?` are wildcards in texts, and in the question of
        a failure. The answer takes `delay` (seconds, or a text like "2s") of virtual time; more than the engine's
        `port_timeout` is a timeout. The rule applies to `times` questions (0: no limit); with `over` only to those
        beyond that number (`over=100`: an exhausted quota), in each window of `per` ("1h": a rate limit). Rules with
        `over` precede those without. If such a rule has an `error`, each refusal is an event
        `simulation.limit_exceeded`, which names the `rule`. Raises `Misuse` for an unknown question, and for an answer
        that does not match it.
        """
        if where is not None and not isinstance(where, Mapping):
            raise Misuse(f"where must be a mapping of members of the question's input, not {type(where).__name__}")
        given: dict[str, Any] = {"question": question, "where": dict(where or {}), "delay": delay, "times": times}
        if error == "" or answer is not None:
            given["answer"] = answer
        if error != "":
            given["error"] = error
        if rule != "":
            given["rule"] = rule
        if type(over) is not int or over != 0:  # the core refuses other types
            given["over"] = over
        if per is not None:
            given["per"] = per
        control(self._core, "POST", "externals", given, "")
