"""The summary of a report: whether the deployments of a run succeeded, why not, and what has failed at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.event_text import ENDED_WELL, cut, words_of
from ..generated.states import PHASE_OF_STATE

if TYPE_CHECKING:
    from collections.abc import Mapping

_CAUSES_SHOWN = 3
_NAMES_SHOWN = 3
_REASON_SHOWN = 160  # characters


def answer_of(run: Mapping[str, Any]) -> str:
    """Returns the sentences about one run, from the data of its page."""
    said = " ".join([_deployments(run), *_failures(run), *_end(run)])
    return f"{run['label']}: {said}" if run["label"] else said[:1].upper() + said[1:]


def _deployments(run: Mapping[str, Any]) -> str:
    deployments = run["deployments"]
    ended = [state for _, _, _, ended, state in deployments if ended is not None]
    bad = sum(state not in ENDED_WELL for state in ended)
    if not deployments:
        return "nothing was deployed into an environment."
    under_way = len(deployments) - len(ended)
    rest = f", {under_way} {'is' if under_way == 1 else 'are'} still under way" if under_way else ""
    if not ended:
        return f"no deployment has ended{rest}."
    if bad:
        return f"{bad} of {_count(len(ended), 'deployment')} did not succeed{rest}."
    return f"{'the deployment' if len(ended) == 1 else f'all {len(ended)} deployments'} succeeded{rest}."


def _failures(run: Mapping[str, Any]) -> list[str]:
    """Groups failures by rule, those without a rule by reason; the most frequent cause first, each with its first
    step."""
    causes: dict[tuple[str, str], list[Any]] = {}
    for failure in run["failures"]:
        *_, reason, rule = failure
        causes.setdefault((rule, "" if rule else reason), []).append(failure)
    found = []
    for (rule, _), failures in sorted(causes.items(), key=lambda cause: -len(cause[1]))[:_CAUSES_SHOWN]:
        at, environment, _, name, step, reason, _ = failures[0]
        by = f' (rule "{rule}")' if rule else ""
        of = f" of {environment}" if environment else ""
        found.append(
            f"{_count(len(failures), 'step')} failed: {cut(reason, _REASON_SHOWN) or 'no reason is known'}{by}; "
            f"the first was {step} of {name}{of} after {words_of(at)}."
        )
    left = len(causes) - len(found)
    return [*found, *([f"{_count(left, 'other cause')} made steps fail."] if left > 0 else [])]


def _end(run: Mapping[str, Any]) -> list[str]:
    """Names services and clusters that are in a failed state or do not run well at the end of the run."""
    bad = []
    for row in run["rows"]:
        state = run["states"][row["state"][-1]]
        runs = run["running_states"][row["ran"][-1]] if row["ran"] else ""
        if row["until"] is None and (PHASE_OF_STATE.get(state) == "failed" or runs == "ERROR"):
            bad.append(f"{row['name']} ({state if PHASE_OF_STATE.get(state) == 'failed' else f'running state {runs}'})")
    if not bad:
        return []
    more = f" and {len(bad) - _NAMES_SHOWN} more" if len(bad) > _NAMES_SHOWN else ""
    if len(bad) == 1:
        return [f"At the end {bad[0]} is not well."]
    return [
        f"At the end {len(bad)} of {len(run['rows'])} services and clusters are not well: "
        f"{', '.join(bad[:_NAMES_SHOWN])}{more}."
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
