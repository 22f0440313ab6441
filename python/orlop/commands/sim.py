"""The commands `orlop sim`, which runs scenario files, and `orlop init`, which writes an example of one."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.event_text import cut, words_of
from ..errors import Error, Misuse
from .files import keep_apart, writing
from .progress import Progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ..reporting.run_data import Trace
    from ..simulation.scenarios.document import Scenario
    from ..simulation.scenarios.play import Play
    from ..simulation.scenarios.summary import Summary

_RUNS_MAX = 1_000_000
_SEED_MAX = 2**63 - 1
_DEFAULT = Path("scenario.yml")  # written by `orlop init`
_FOUND = Path("found.yml")
_NOT_OF_A_SEARCH = ("report", "trace", "jobs", "dask")
_REFUSED_SHOWN = 10
_CAUSES_SHOWN = 10
_LINE_MAX = 200  # characters of a cause
_ANY = object()  # --find without a condition: any broken expectation
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
    sim = commands.add_parser(
        "sim",
        help="run a scenario file in virtual time",
        description="Runs a scenario file in virtual time, and holds it against its expectations. Exit status 1 "
        "if a run breaks one.",
    )
    sim.add_argument(
        "scenario", nargs="?", metavar="FILE", help=f"the scenario (YAML; default: {_DEFAULT}, if it is there)"
    )
    sim.add_argument(
        "--seed", type=int, metavar="N", help="the seed of the first run (default: that of the file, or 0)"
    )
    sim.add_argument(
        "--runs", type=int, metavar="N", help="runs, each with the next seed (default: 1, with --find 1000)"
    )
    sim.add_argument(
        "--jobs", type=int, metavar="N", help="processes (default: one for each core, if there are runs enough)"
    )
    sim.add_argument(
        "--dask", metavar="ADDRESS", help='run on the workers of a Dask scheduler, such as tcp://host:8786, or "local"'
    )
    sim.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write the report of the first run, and of the worst one beside it, as one HTML page",
    )
    sim.add_argument("--json", action="store_true", help="the result as JSON")
    sim.add_argument("--trace", type=Path, metavar="FILE", help="write the events of the first run as lines of JSON")
    sim.add_argument(
        "--find",
        nargs="?",
        const=_ANY,
        metavar="CONDITION",
        help="search seeds and schedules for a run in which the condition comes true, or that breaks an "
        "expectation, and write the smallest scenario that still does",
    )
    sim.add_argument("--out", type=Path, metavar="FILE", help=f"the file that --find writes (default: {_FOUND})")
    sim.add_argument("--schema", action="store_true", help="print the JSON Schema of scenario files")
    sim.set_defaults(run=run)
    init = commands.add_parser(
        "init", help="write a scenario file to start from", description="Writes a scenario file to start from."
    )
    init.add_argument(
        "file",
        nargs="?",
        type=Path,
        default=_DEFAULT,
        metavar="FILE",
        help="the file, which must not exist (default: %(default)s)",
    )
    init.set_defaults(run=write_example)


def write_example(given: argparse.Namespace) -> int:
    """Writes the example; never overwrites a file."""
    try:
        file = open(given.file, "x", encoding="utf-8")
    except FileExistsError:
        raise Error(f"{given.file} exists already, and is left as it is", "misuse") from None
    try:
        with file:
            file.write(_EXAMPLE)
    except OSError as error:  # such as a full disk
        given.file.unlink(missing_ok=True)
        raise OSError(error.errno, f"cannot write {given.file}: {error.strerror}") from None
    print(f"{given.file} is written. Run it with: orlop sim {_quoted(given.file)} --runs 100")
    return 0


def run(given: argparse.Namespace) -> int:
    from ..simulation.scenarios import document
    from ..simulation.scenarios.parallel_runs import JOBS_MAX

    if given.schema:
        print(document.SCHEMA.read_text(encoding="utf-8"), end="")
        return 0
    runs = given.runs if given.runs is not None else 1 if given.find is None else 1000
    if not 1 <= runs <= _RUNS_MAX:
        raise Misuse(f"--runs must be 1 to {_RUNS_MAX}, not {runs}")
    if given.jobs is not None and not 1 <= given.jobs <= JOBS_MAX:
        raise Misuse(f"--jobs must be 1 to {JOBS_MAX}, not {given.jobs}")
    if given.dask == "":
        raise Misuse('--dask must be the address of a scheduler, such as tcp://host:8786, or "local", not empty')
    if given.find is not None:
        for name in _NOT_OF_A_SEARCH:
            if getattr(given, name):
                raise Misuse(
                    f"--{name} must be given without --find, which writes --out only: run that file for a trace "
                    f"or a report"
                )
    elif given.out is not None:
        raise Misuse(
            "--out must be given with --find, which writes it: --trace writes the events of a run, --report a page"
        )
    file = _file(given)
    keep_apart(
        {"FILE": file},
        {
            "--trace": given.trace,
            "--report": given.report,
            "--out": given.out or (_FOUND if given.find is not None else None),
        },
    )
    scenario = document.read(file)
    seed = scenario.data.get("seed", 0) if given.seed is None else given.seed
    if not 0 <= seed <= _SEED_MAX - runs:
        raise Misuse(f"--seed must be 0 to {_SEED_MAX - runs}, not {seed}")
    return _find(given, scenario, seed, runs) if given.find is not None else _run(given, scenario, seed, runs)


def _file(given: argparse.Namespace) -> str:
    if given.scenario is None:
        if not _DEFAULT.is_file():
            raise Misuse(f"the scenario FILE is required: there is no {_DEFAULT} here, which orlop init writes")
        given.scenario = str(_DEFAULT)
    return str(given.scenario)


def _run(given: argparse.Namespace, scenario: Scenario, seed: int, runs: int) -> int:
    from ..simulation.scenarios.parallel_runs import jobs_for, outcomes
    from ..simulation.scenarios.summary import Summary

    progress = Progress(runs, "runs")
    found = []
    try:
        for outcome in outcomes(
            scenario, range(seed, seed + runs), jobs_for(runs) if given.jobs is None else given.jobs, given.dask or ""
        ):
            found.append(outcome)
            progress.step()
    finally:
        progress.end()
    summary = Summary(scenario, found)
    try:
        _write_files(given, scenario, summary)
    finally:  # last, because the reader of the output may have closed it
        _print_json(given, scenario, summary) if given.json else _print_text(given, scenario, summary)
    return 0 if summary.is_ok else 1


def _write_files(given: argparse.Namespace, scenario: Scenario, summary: Summary) -> None:
    """Writes the trace and the report. Repeats the first and the worst run for them, because runs keep no events."""
    if given.trace is None and given.report is None:
        return
    from ..reporting.run_report import Report
    from ..simulation.scenarios.play import play

    first = play(scenario, summary.outcomes[0].seed, "names")
    if given.trace is not None:
        with writing(given.trace) as file:
            file.write_text("".join(json.dumps(event) + "\n" for event in first.events), encoding="utf-8")
    if given.report is None:
        return
    trace = _trace(first)
    worst = summary.worst(1)[0]
    other = None
    if worst.seed != first.outcome.seed:
        second = play(scenario, worst.seed, "names")
        other = _trace(second)
    many = summary.data(lambda seed: _again(given, seed)) if len(summary.outcomes) > 1 else None
    facts = [f"{len(summary.outcomes) - len(summary.failed())} of {len(summary.outcomes)} runs as expected"]
    with writing(given.report) as file:
        Report(_title(given, scenario), trace, other, facts=facts, many=many, verdict=summary.verdict()).save(file)


def _trace(run: Play) -> Trace:
    from ..reporting.run_data import Trace

    return Trace(f"seed {run.outcome.seed}", run.events, run.subjects, run.begin + run.outcome.seconds)


def _title(given: argparse.Namespace, scenario: Scenario) -> str:
    return str(scenario.data.get("name", given.scenario))


def _again(given: argparse.Namespace, seed: int) -> str:
    return f"orlop sim {_quoted(given.scenario)} --seed {seed}"


def _quoted(path: Path | str) -> str:
    """Quotes the path for a shell; a path that begins with "-" must not look like an option."""
    return shlex.quote(f"./{path}" if str(path).startswith("-") else str(path))


def _print_json(given: argparse.Namespace, scenario: Scenario, summary: Summary) -> None:
    failed = [{"seed": outcome.seed, "repeat": _again(given, outcome.seed)} for outcome in summary.failed()]
    many = summary.data(lambda seed: _again(given, seed))
    runs = [
        {**outcome._asdict(), "failures": [failure._asdict() for failure in outcome.failures]}
        for outcome in summary.outcomes
    ]
    print(
        json.dumps({**many, "scenario": _title(given, scenario), "ok": summary.is_ok, "failed": failed, "runs": runs})
    )


def _print_text(given: argparse.Namespace, scenario: Scenario, summary: Summary) -> None:
    outcomes, failed = summary.outcomes, summary.failed()
    found = summary.data(lambda seed: _again(given, seed))
    deployments = sum(len(outcome.durations) for outcome in outcomes)
    print(f"{_title(given, scenario)}: {len(outcomes) - len(failed)} of {len(outcomes)} runs as expected")
    print(
        f"{deployments} deployments, {sum(outcome.succeeded for outcome in outcomes)} succeeded, "
        f"{sum(len(outcome.refused) for outcome in outcomes)} actions refused"
    )
    if len(outcomes) == 1:
        for said in outcomes[0].refused[:_REFUSED_SHOWN]:
            print(f"  {said}")
    _print_causes(summary, deployments)
    if deployments:
        names = {"p50": "median", "p90": "90 %", "p95": "95 %", "p99": "99 %"}
        print(
            "from request to end: "
            + ", ".join(f"{names[name]} {words_of(value)}" for name, value in found["durations"].items())
        )
    if len(outcomes) > 1:
        _print_many(given, summary, found)
    for outcome in failed[: len(found["worst"])]:
        print(f"seed {outcome.seed} failed; repeat it with: {_again(given, outcome.seed)}")
        for said in outcome.failed:
            print(f"  {said}")
    if failed and summary.is_ok:
        print("every expectation held in its share of the runs")
    for said in found["unmatched"]:
        print(f"in every run: {said}" if len(outcomes) > 1 else said)


def _print_causes(summary: Summary, deployments: int) -> None:
    """Prints the share of failed deployments, and the rules that made them fail."""
    causes = summary.causes()
    if not causes:
        return
    count = sum(cause.deployments for cause in causes)
    print(f"{count / deployments:.1%} of the deployments failed:")
    for cause in causes[:_CAUSES_SHOWN]:
        print(f"  {cut(str(cause), _LINE_MAX)}")
    if len(causes) > _CAUSES_SHOWN:
        print(
            f"  {sum(cause.deployments for cause in causes[_CAUSES_SHOWN:])} for {len(causes) - _CAUSES_SHOWN} "
            f"other causes"
        )


def _print_many(given: argparse.Namespace, summary: Summary, found: Mapping[str, Any]) -> None:
    """Prints the distribution of durations, its precision, and the worst seeds."""
    most = max((count for _, _, count in found["histogram"]), default=0)
    for least, to, count in found["histogram"]:
        print(f"  {words_of(least):>7} to {words_of(to):<7} {'#' * round(40 * count / most):40} {count}")
    step = summary.convergence()[-1]
    if step.p90 is not None:
        sure = "converged" if found["converged"] else "not converged yet, more runs would change it"
        print(f"90 % with its 95 % interval: {words_of(step.p90.least)} to {words_of(step.p90.most)}; {sure}")
    for kept in summary.expectations():
        share, least, most_share = kept.share
        print(
            f"expect[{kept.expectation}] held in {share:.1%} of the runs (95 % interval {least:.1%} to "
            f"{most_share:.1%})"
        )
    print(
        "worst seeds: " + ", ".join(f"{entry['seed']} ({words_of(entry['longest'] or 0)})" for entry in found["worst"])
    )


def _find(given: argparse.Namespace, scenario: Scenario, seed: int, runs: int) -> int:
    """Searches, shrinks and writes the scenario. Returns exit status 0 if nothing was found."""
    from ..simulation.scenarios.search import Search

    out = given.out or _FOUND
    if not out.parent.is_dir() or out.is_dir():  # before the search, whose result would be lost
        raise Misuse(f"--out must be a file in a folder that exists, not {out}")
    progress = Progress(runs, "runs searched")
    search = Search(scenario, None if given.find is _ANY else given.find)
    try:
        found = search.find(seed, runs, progress.step)
    finally:
        progress.end()
    if found is None:
        result: dict[str, Any] = {"found": False, "runs": runs}
        text = f"{runs} runs, and none in which {search.what}"
    else:
        small = search.shrink(found)
        with writing(out) as file:
            file.write_text(search.text(small), encoding="utf-8")
        result = {
            "found": True,
            "seed": small.seed,
            "said": small.said,
            "file": str(out),
            "runs": search.tried,
            "repeat": f"orlop sim {_quoted(out)}",
        }
        text = (
            f"{small.said} (seed {small.seed})\n{out} is the smallest scenario that still does it: "
            f"{search.size_of(small)} lines of {found.size}, after {search.tried} runs\n"
            f"repeat it with: orlop sim {_quoted(out)}"
        )
    print(json.dumps(result) if given.json else text)
    return 0 if found is None else 1
