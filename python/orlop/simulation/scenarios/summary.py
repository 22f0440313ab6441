"""The results of many runs of a scenario together, compared with its expectations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .document import Scenario
    from .outcome import Outcome

WORST_SHOWN = 10


class Kept(NamedTuple):
    """The share of runs in which an expectation held."""

    expectation: int
    share: statistics.Interval
    wanted: float
    is_kept: bool


class Cause(NamedTuple):
    """Deployments that failed for the same cause."""

    rule: str
    """The rule that decided; "" if there was none."""
    reason: str
    """Reason of the first of them."""
    deployments: int
    share: float
    """Share of all ended deployments."""

    def __str__(self) -> str:
        by = f'by the rule "{self.rule}"' if self.rule else "without a rule"
        return f"{self.deployments} ({self.share:.1%}) {by}: {self.reason}"


class Summary:
    """The outcomes of the runs of a scenario, in the order of their seeds."""

    outcomes: Sequence[Outcome]

    def __init__(self, scenario: Scenario, outcomes: Sequence[Outcome]) -> None:
        self.outcomes = outcomes
        self._scenario = scenario

    def expectations(self) -> list[Kept]:
        """Returns the expectations with the share of runs in which they held. An expectation is kept if that is at
        least its `share_of_runs`."""
        runs = len(self.outcomes)
        found = []
        for index, expected in enumerate(self._scenario.data.get("expect", ())):
            held = sum(index not in outcome.broken for outcome in self.outcomes)
            wanted = expected.get("share_of_runs", 1)
            found.append(Kept(index, statistics.share(held, runs), wanted, statistics.reaches(held, runs, wanted)))
        return found

    @property
    def is_ok(self) -> bool:
        """True if every expectation is kept."""
        return all(kept.is_kept for kept in self.expectations())

    def verdict(self) -> str:
        """Returns whether all is as expected, and else the reason, as a sentence."""
        wanted, runs, failed = len(self._scenario.data.get("expect", ())), len(self.outcomes), self.failed()
        if not wanted:
            return "The scenario expects nothing."
        if not failed:
            return (
                f"As expected: {f'in all {runs} runs ' if runs > 1 else ''}"
                f"{'the expectation' if wanted == 1 else f'all {wanted} expectations'} held."
            )
        said = failed[0].failed[0].removeprefix(f"{self._scenario.path}:").partition(": ")[2]
        if runs == 1:
            return f"Not as expected: {len(failed[0].failed)} of {wanted} expectations did not hold; {said}."
        broke = f"{len(failed)} of {runs} runs broke an expectation"
        if self.is_ok:
            return (
                f"As expected: every expectation held in its share of the runs, although {broke}; seed "
                f"{failed[0].seed}: {said}."
            )
        return f"Not as expected: {broke}; the worst, seed {failed[0].seed}: {said}."

    def failed(self) -> list[Outcome]:
        """Returns the runs that broke an expectation, the worst first: by number of broken ones, then by their longest
        deployment."""
        return [outcome for outcome in self.worst(len(self.outcomes)) if outcome.failed]

    def unmatched(self) -> list[str]:
        """Returns the rules of the file that matched no step in any run, and the actions whose event never came."""
        return (
            [said for said in self.outcomes[0].unmatched if all(said in outcome.unmatched for outcome in self.outcomes)]
            if self.outcomes
            else []
        )

    def worst(self, count: int = WORST_SHOWN) -> list[Outcome]:
        """Returns the worst runs: first those that broke most expectations, then those with the longest deployment."""
        return sorted(
            self.outcomes,
            key=lambda outcome: (-len(outcome.failed), -max(outcome.durations, default=0.0), outcome.seed),
        )[:count]

    def durations(self) -> list[float]:
        """Returns the durations of all deployments of all runs, in seconds from request to end."""
        return [duration for outcome in self.outcomes for duration in outcome.durations]

    def causes(self) -> list[Cause]:
        """Returns the causes of failed deployments, the most frequent first: by rule, without one by reason."""
        ended = len(self.durations())
        found: dict[tuple[str, str], list[str]] = {}
        for outcome in self.outcomes:
            for rule, reason in outcome.failures:
                found.setdefault((rule, "" if rule else reason), []).append(reason)
        causes = [Cause(rule, reasons[0], len(reasons), len(reasons) / ended) for (rule, _), reasons in found.items()]
        return sorted(causes, key=lambda cause: -cause.deployments)

    def convergence(self) -> list[statistics.Step]:
        """Returns the estimates after growing numbers of runs."""
        return statistics.convergence(
            [outcome.durations for outcome in self.outcomes], [bool(outcome.failed) for outcome in self.outcomes]
        )

    def data(self, again: Callable[[int], str]) -> dict[str, Any]:
        """Returns all of it as plain values; `again` returns the command that repeats the run of a seed."""
        durations, steps = self.durations(), self.convergence()
        return {
            "runs": len(self.outcomes),
            "failed": len(self.failed()),
            "deployments": len(durations),
            "failures": [cause._asdict() for cause in self.causes()],
            "durations": statistics.percentiles(durations),
            "histogram": [list(bin) for bin in statistics.histogram(durations)],
            "convergence": [step._asdict() for step in steps],
            "converged": statistics.has_converged(steps),
            "expectations": [
                {"index": kept.expectation, "held": list(kept.share), "wanted": kept.wanted, "is_kept": kept.is_kept}
                for kept in self.expectations()
            ],
            "unmatched": self.unmatched(),
            "worst": [
                {
                    "seed": outcome.seed,
                    "longest": max(outcome.durations, default=None),
                    "failed": outcome.failed,
                    "repeat": again(outcome.seed),
                }
                for outcome in self.worst()
            ],
        }
