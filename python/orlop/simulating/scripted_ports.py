"""The scripted ports of a simulation: external systems, and receivers of webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..checking.arguments import mappings
from ..errors import Misuse
from ..live import Live
from .rules import control

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .. import _core


class Externals(Live):
    """The scripted external systems. If several rules match a question, the last added one applies; without one the question is not answered."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

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
        """Adds a rule: the question is answered with `answer`, JSON values that match its schema, or fails with the reason `error`.

        `where` limits the rule to inputs with these members; `*` and `?` are wildcards in texts, and in the question of a failure. The answer takes `delay` (seconds, or a text like
        "2s") of virtual time; more than the engine's `port_timeout` is a timeout. The rule applies to `times` asks (0: no limit); to those over a number (`over=100`: a quota that is
        used up), in each window of `per` ("1h": a rate limit). Rules with `over` go before those without. Each refusal of one with
        an `error` is an event `simulation.limit_exceeded`, which names the `rule`. Raises `Misuse` for an unknown question, and for an answer that does not match it.
        """
        if where is not None and not isinstance(where, Mapping):
            raise Misuse(f"where must be a mapping of members of the question's input, not {type(where).__name__}")
        given: dict[str, Any] = {"question": question, "where": dict(where or {}), "delay": delay, "times": times}
        given |= {"error": error} if error else {"answer": answer}
        if rule != "":
            given["rule"] = rule
        if over != 0:
            given["over"] = over
        if per is not None:
            given["per"] = per
        control(self._core, "POST", "externals", given, "")

    def load(self, rules: Iterable[Mapping[str, Any]]) -> None:
        """Adds rules, all or nothing: mappings with the arguments of `add` as members."""
        control(self._core, "POST", "externals", {"externals": mappings("rules", rules)}, "")

    def clear(self) -> None:
        """Removes all rules."""
        control(self._core, "DELETE", "externals")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        found: list[dict[str, Any]] = control(self._core, "GET", "externals")["externals"]
        return iter(found)


class Receivers(Live):
    """The scripted receivers of webhooks. If several rules match a URL, the last added one applies; without one the answer is 200."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(self, *, url: str = "", status: int = 200, text: str = "", times: int = 0) -> None:
        """Adds a rule: receivers at this URL (`*` is a wildcard) answer `status` and `text`, 0 if they cannot be reached. It applies to `times` messages (0: no limit)."""
        self._core.add_receiver(url, status, text, times)

    def clear(self) -> None:
        """Removes all rules."""
        self._core.clear_receivers()
