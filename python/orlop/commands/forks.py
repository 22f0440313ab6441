"""The commands `orlop predict` and `orlop replay`, which open the contents of a store in simulations and only read
it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Misuse, NotFound
from ..options.arguments import whole
from .files import add_secret_key, keep_apart, store_file, writing
from .output import json_text
from .progress import Progress
from .read_only import opened_to_read

if TYPE_CHECKING:
    import argparse

    from ..engine.engine import Engine
    from ..generated.models import Environment

_STORE = "the path of an SQLite file, or postgresql://…"


def add(commands: Any) -> None:
    predict = commands.add_parser(
        "predict",
        help="predict what a deployment will do",
        description="Predicts an action of an environment: the store is forked into simulations, whose steps take "
        "as long and fail as often as those in its history.",
    )
    predict.add_argument("store", metavar="STORE", help=_STORE)
    predict.add_argument("environment", metavar="ENVIRONMENT", help="its id, its name, or PROJECT/NAME")
    predict.add_argument(
        "--action",
        choices=("deploy", "redeploy", "stop", "uninstall"),
        default="deploy",
        help="the action (default: %(default)s)",
    )
    predict.add_argument("--runs", type=int, default=200, metavar="N", help="simulated runs (default: %(default)s)")
    predict.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the first run (default: %(default)s)"
    )
    _add_shared(predict)
    predict.set_defaults(run=run_predict)
    replay = commands.add_parser(
        "replay",
        help="open what a store was at an event",
        description="Opens what a store was at an event of its feed in a simulation, begins the deployments that "
        "were under way again, and says how they end.",
    )
    replay.add_argument("store", metavar="STORE", help=_STORE)
    replay.add_argument(
        "--until",
        type=int,
        required=True,
        metavar="EVENT",
        help="number of the last event that counts, as orlop events shows it",
    )
    replay.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="a scenario file, or one with rules only, that scripts what happens then (YAML)",
    )
    replay.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the simulation (default: %(default)s)"
    )
    replay.add_argument(
        "--out", type=Path, metavar="FILE", help="write the snapshot at the event, for the option snapshot"
    )
    _add_shared(replay)
    replay.set_defaults(run=run_replay)


def _add_shared(parser: argparse.ArgumentParser) -> None:
    add_secret_key(parser)
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the report as one HTML page")
    parser.add_argument("--json", action="store_true", help="the result as JSON")


def run_predict(given: argparse.Namespace) -> int:
    from ..simulation.prediction.forks import predict

    keep_apart({"STORE": store_file(given.store), "--secret-key": given.secret_key}, {"--report": given.report})
    progress = Progress(given.runs, "runs")
    with opened_to_read(given, role="serve") as engine:
        environment = _environment(engine, given.environment)
        try:
            found = predict(environment, given.action, given.runs, given.seed, progress.step)
        finally:
            progress.end()
    try:
        if given.report is not None:
            with writing(given.report) as file:
                found.report().save(file)
    finally:  # last, because the reader of the output may have closed it
        print(json_text(found.to_dict()) if given.json else str(found))
    return 0


def _environment(engine: Engine, wanted: str) -> Environment:
    """Returns the environment with this id or name."""
    found = []
    names = []
    for organization in engine.organizations:
        for project in organization.projects:
            for environment in project.environments:
                names.append(f"{project.name}/{environment.name}")
                if wanted in (environment.id, environment.name, names[-1]):
                    found.append(environment)
    if not found:
        raise NotFound(
            f"ENVIRONMENT must be one of {', '.join(names[:20]) or 'none: the store has no environments'}, not "
            f"{wanted}",
            404,
        )
    if len(found) > 1:
        raise Misuse(f"{len(found)} environments have the name {wanted}: give PROJECT/NAME or the id")
    return found[0]


def run_replay(given: argparse.Namespace) -> int:
    """Replays the store from the event on, and prints the result."""
    from ..simulation.replay import Replay
    from ..simulation.scenarios.document import RULES, read

    whole("--seed", given.seed, 0, 2**64 - 1)
    keep_apart(
        {"STORE": store_file(given.store), "--secret-key": given.secret_key, "--rules": given.rules},
        {"--out": given.out, "--report": given.report},
    )
    scenario = None if given.rules is None else read(str(given.rules), needs_resources=False)
    with opened_to_read(given, role="serve") as engine:
        replay = Replay(engine, given.until)
    try:
        found = replay.run(
            given.seed,
            {} if scenario is None else {name: scenario.data[name] for name in RULES if name in scenario.data},
        )
    except Misuse as error:
        raise error if scenario is None else scenario.error_of(error) from None
    try:
        if given.out is not None:
            with writing(given.out) as file:
                file.write_bytes(replay.snapshot)
        if given.report is not None:
            with writing(given.report) as file:
                replay.report(found).save(file)
    finally:
        print(json_text({**replay.to_dict(), **found.to_dict()}) if given.json else replay.text(found))
    return 0
