"""Results of the conformance suite."""

from __future__ import annotations

from typing import Any, NamedTuple

PASSED, FAILED, NOT_APPLICABLE = "passed", "failed", "not applicable"
_MARKS = {PASSED: "✓", FAILED: "✗", NOT_APPLICABLE: "–"}


class NotApplicable(Exception):
    """A rule says nothing about this driver. The text is the reason."""


class Broken(Exception):
    """A rule is broken. The text names what was seen."""


class RuleResult(NamedTuple):
    """Result of one rule."""

    rule: str
    """Name of the rule."""
    statement: str
    """The rule in one sentence."""
    outcome: str
    """`passed`, `failed` or `not applicable`."""
    reason: str = ""
    """What was seen if the rule failed; why the rule says nothing about the driver if it is not applicable."""


class DriverReport(NamedTuple):
    """Results of all rules that were tried, in their order."""

    driver: str
    """Name of the driver's class."""
    results: tuple[RuleResult, ...]
    """One result for each rule."""

    @property
    def ok(self) -> bool:
        """True if no rule failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[RuleResult, ...]:
        """The results of the rules that failed."""
        return tuple(one for one in self.results if one.outcome == FAILED)

    def of(self, rule: str) -> RuleResult:
        """Returns the result of the rule with this name. Raises `KeyError` if it was not tried."""
        for one in self.results:
            if one.rule == rule:
                return one
        raise KeyError(rule)

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as data for JSON."""
        return {"driver": self.driver, "ok": self.ok, "results": [one._asdict() for one in self.results]}

    def __str__(self) -> str:
        """Returns the report as a table."""
        width = max((len(one.rule) for one in self.results), default=0)
        lines = [f"{self.driver}:"]
        for one in self.results:
            lines.append(f"{_MARKS[one.outcome]} {one.rule:<{width}}  {one.statement}")
            if one.reason:
                said = one.reason if one.outcome == FAILED else f"not applicable: {one.reason}"
                lines += [f"  {'':<{width}}  {line}" for line in said.splitlines()]
        counts = [(sum(one.outcome == kind for one in self.results), kind) for kind in _MARKS]
        lines.append(", ".join(f"{count} {kind}" for count, kind in counts if count or kind == PASSED))
        return "\n".join(lines)
