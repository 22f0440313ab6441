"""The commands `orlop sim`, which runs scenario files, and `orlop init`, which writes one to start from."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Error, Misuse
from ..reporting.event_text import words_of

if TYPE_CHECKING:
    import argparse

    from ..simulating.scenarios.outcome import Outcome

_RUNS_MAX = 1_000_000
_SEED_MAX = 2**63 - 1
_WORST_SHOWN = 10
_EXAMPLE = """\
# A scenario: what exists, what happens, what is expected. Run it with: orlop sim FILE --runs 100
name: releases on a Friday
seed: 1
start: 2026-03-06T08:00:00Z
pack: realistic
rules:
  - {rule: flaky registry, step: deploy, name: "web-*", probability: 0.02, fails: the registry answered 503}
resources:
  - {family: organization, name: acme, plan: FREE}
  - {family: container_registry, name: docker hub, kind: DOCKER_HUB, config: {}}
  - {family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}
  - {family: project, name: shop}
  - {family: environment, name: production, cluster_id: "{europe}"}
  - {family: container, count: 5, name: "web-{n}", registry_id: "{docker hub}", image_name: acme/web, tag: 1.0.0, healthchecks: {}}
actions:
  - {every: 1h, times: 8, deploy: production}
expect:
  - {deployments_end_within: 20m, share: 0.99}
  - {deployments_succeed: 0.5}
  - {one_deployment_at_a_time: true}
"""


def add(commands: Any) -> None:
    """Adds the subcommands to the parser of `orlop`."""
    sim = commands.add_parser(
        "sim", help="run a scenario file in virtual time",
        description="Runs a scenario file in virtual time, and holds it against its expectations. Exit status 1 if a run breaks one.",
    )  # fmt: skip
    sim.add_argument("scenario", nargs="?", metavar="FILE", help="the scenario (YAML)")
    sim.add_argument("--seed", type=int, metavar="N", help="the seed of the first run (default: that of the file, or 0)")
    sim.add_argument("--runs", type=int, default=1, metavar="N", help="runs, each with the next seed (default: %(default)s)")
    sim.add_argument("--json", action="store_true", help="the result as JSON")
    sim.add_argument("--trace", type=Path, metavar="FILE", help="write the events of the first run as lines of JSON")
    sim.add_argument("--schema", action="store_true", help="print the JSON Schema of scenario files")
    sim.set_defaults(run=run)
    init = commands.add_parser("init", help="write a scenario file to start from", description="Writes a scenario file to start from.")
    init.add_argument("file", nargs="?", type=Path, default=Path("scenario.yml"), metavar="FILE", help="the file, which must not exist (default: %(default)s)")
    init.set_defaults(run=write_example)


def write_example(given: argparse.Namespace) -> int:
    """Writes the example, and never over a file."""
    try:
        with open(given.file, "x", encoding="utf-8") as file:
            file.write(_EXAMPLE)
    except FileExistsError:
        raise Error(f"{given.file} exists already, and is left as it is", "misuse") from None
    print(f"{given.file} is written. Run it with: orlop sim {shlex.quote(str(given.file))} --runs 100")
    return 0


@dataclass
class _Summary:
    outcomes: list[Outcome]

    def percentile(self, part: float) -> float | None:
        """Of the durations of all deployments; the nearest rank."""
        durations = sorted(duration for outcome in self.outcomes for duration in outcome.durations)
        return durations[min(len(durations) - 1, int(part * len(durations)))] if durations else None

    def failed(self) -> list[Outcome]:
        """The runs that broke an expectation, those that broke most first."""
        return sorted((outcome for outcome in self.outcomes if outcome.failed), key=lambda outcome: (-len(outcome.failed), outcome.seed))


def run(given: argparse.Namespace) -> int:
    """Runs the scenario."""
    from ..simulating.scenarios import document
    from ..simulating.scenarios.play import play

    if given.schema:
        print(document.SCHEMA.read_text(encoding="utf-8"), end="")
        return 0
    if given.scenario is None:
        raise Misuse("the scenario FILE is required")
    if not 1 <= given.runs <= _RUNS_MAX:
        raise Misuse(f"--runs must be 1 to {_RUNS_MAX}, not {given.runs}")
    scenario = document.read(given.scenario)
    seed = scenario.data.get("seed", 0) if given.seed is None else given.seed
    if not 0 <= seed <= _SEED_MAX - given.runs:
        raise Misuse(f"--seed must be 0 to {_SEED_MAX - given.runs}, not {seed}")
    outcomes = []
    for number in range(given.runs):
        played = play(scenario, seed + number)
        outcomes.append(played.outcome)
        if number == 0 and given.trace is not None:
            given.trace.write_text("".join(json.dumps(event) + "\n" for event in played.events), encoding="utf-8")
        _progress(number + 1, given.runs)
    summary = _Summary(outcomes)
    _print_json(scenario, summary, given) if given.json else _print_text(scenario, summary, given)
    return 1 if summary.failed() else 0


def _progress(done: int, runs: int) -> None:
    if runs > 1 and sys.stderr.isatty():
        end = "\n" if done == runs else ""
        print(f"\r{done} of {runs} runs  {'#' * (40 * done // runs):40}", end=end, file=sys.stderr, flush=True)


def _again(given: argparse.Namespace, seed: int) -> str:
    return f"orlop sim {shlex.quote(given.scenario)} --seed {seed}"


def _print_json(scenario: Any, summary: _Summary, given: argparse.Namespace) -> None:
    durations = {f"p{round(part * 100)}": summary.percentile(part) for part in (0.5, 0.9, 0.99)}
    runs = [outcome._asdict() for outcome in summary.outcomes]
    failed = [{"seed": outcome.seed, "repeat": _again(given, outcome.seed)} for outcome in summary.failed()]
    print(json.dumps({"scenario": scenario.data.get("name", given.scenario), "ok": not failed, "failed": failed, "durations": durations, "runs": runs}))


def _print_text(scenario: Any, summary: _Summary, given: argparse.Namespace) -> None:
    outcomes, failed = summary.outcomes, summary.failed()
    deployments = sum(len(outcome.durations) for outcome in outcomes)
    print(f"{scenario.data.get('name', given.scenario)}: {len(outcomes) - len(failed)} of {len(outcomes)} runs as expected")
    print(f"{deployments} deployments, {sum(outcome.succeeded for outcome in outcomes)} succeeded, {sum(len(outcome.refused) for outcome in outcomes)} actions refused")
    if deployments:
        parts = (f"{name} {words_of(summary.percentile(part) or 0)}" for name, part in (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99)))
        print("from request to end: " + ", ".join(parts))
    for outcome in failed[:_WORST_SHOWN]:
        print(f"seed {outcome.seed} failed; repeat it with: {_again(given, outcome.seed)}")
        for said in outcome.failed:
            print(f"  {said}")
