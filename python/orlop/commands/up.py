"""The commands `orlop up`, `plan` and `down`: an environment from a platform file."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING, Any

from ..errors import Conflict, DriverFailed, Misuse, NotFound
from .output import json_text
from .platform_engine import Opened, add_driver, add_file, observed, opened

if TYPE_CHECKING:
    from ..deployments.deployment import Deployment
    from ..platform_files.plan import Plan

_FAILED = 1
_TRIES = 8  # plans, if others change the platform at the same time
_UP_EXAMPLES = """examples:
  orlop up                       the file orlop.yaml of this folder
  orlop up staging.yaml --yes    without a question, as in a pipeline
  orlop up --store postgresql:///platform
  orlop up --driver none         nothing real is deployed"""


def add(commands: Any) -> None:
    up = commands.add_parser(
        "up",
        help="deploy what a platform file describes",
        description="Shows what a platform file changes, asks, stores it in one commit and deploys what does not run "
        "as it should. Exit status: 0; 1 if a deployment failed or the question was answered with no.",
        epilog=_UP_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file(up)
    add_driver(up)
    up.add_argument("--yes", "-y", action="store_true", help="do not ask")
    up.add_argument("--schema", action="store_true", help="print the JSON Schema of platform files, for editors")
    up.set_defaults(run=run_up)
    planned = commands.add_parser(
        "plan",
        help="show what orlop up would change",
        description="Shows what orlop up would create, change and delete, and changes nothing. Exit status: 0 if there "
        "is nothing to change, 1 if there is.",
    )
    add_file(planned)
    planned.set_defaults(run=run_plan)
    down = commands.add_parser(
        "down",
        help="remove what a platform file has deployed",
        description="Removes the services from the container engine and keeps their configuration and volumes, so that "
        "orlop up deploys them again.",
        epilog="examples:\n  orlop down --yes\n  orlop down --volumes    deletes the environment, with all data",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file(down)
    add_driver(down)
    down.add_argument("--volumes", action="store_true", help="delete the environment, with volumes and history")
    down.add_argument("--yes", "-y", action="store_true", help="do not ask")
    down.set_defaults(run=run_down)


def run_plan(given: argparse.Namespace) -> int:
    """Prints the plan."""
    from ..platform_files.reconciliation import plan

    with opened(given, or_empty=True, with_sources=True) as at:
        found = plan(at.engine, at.file)
    print(json_text(found.to_dict()) if given.json else found.text())
    return _FAILED if found.changes else 0


def run_up(given: argparse.Namespace) -> int:
    """Applies the file and deploys."""
    if given.schema:
        return _print_schema()
    with opened(given, is_driving=True, makes_one=True, with_sources=True) as at:
        before = at.environment.ids()
        _check_driver(at)
        wanted = _applied(at, given)
        if wanted is None:
            return _FAILED
        is_ok = True
        if active := at.environment.active():  # of a process that was killed, or of another one
            is_ok = follow(at, active, given)
            observed(at)
        request = at.environment.deploy(at.file.interface)
        if request is not None:
            is_ok = follow(at, [at.engine.deployments.get(request)], given) and is_ok
        _remove_left(at, before)
        print_end(at, given, wanted.to_dict())
    return 0 if is_ok else _FAILED


def _applied(at: Opened, given: argparse.Namespace) -> Plan | None:
    """Shows the plan, asks, and applies it. Returns it; None if the answer was no. If another process changes the
    platform meanwhile, --yes holds for the next plan, too."""
    from ..platform_files.reconciliation import PlanOutdated, apply

    for tries_left in reversed(range(_TRIES)):
        wanted = _plan(at)
        if not given.json:
            print(wanted.text() if wanted.changes else wanted.summary(), flush=True)
        if not wanted.changes:
            return wanted
        if not confirmed(given, "apply this plan?"):
            return None
        try:
            apply(at.engine, at.file, wanted)
            return wanted
        except PlanOutdated as outdated:
            if tries_left == 0 or not given.yes:
                raise
            if not given.json:
                print(outdated, flush=True)
    raise AssertionError("the last try returns or raises")


def _print_schema() -> int:
    import json

    from ..engine.engine import Engine
    from ..platform_files.interface import interface
    from ..platform_files.schema import schema

    with Engine() as engine:
        print(json.dumps(schema(interface(engine)), indent=1))
    return 0


def run_down(given: argparse.Namespace) -> int:
    """Removes what is deployed."""
    with opened(given, is_driving=True) as at:
        environment, before = at.environment.find(), at.environment.ids()
        if environment is None:
            print(json_text({"ok": True}) if given.json else f"there is no environment {at.file.label}")
            return 0
        what = "delete the environment with all its data" if given.volumes else "remove its services"
        if not confirmed(given, f"{at.file.label}: {what}?"):
            return _FAILED
        is_ok = follow(at, at.environment.active(), given)
        if given.volumes:
            environment.delete()
            is_ok = follow(at, at.environment.active(), given)
            remove = getattr(at.driver, "remove_volumes", None)  # those that services share
            if is_ok and remove is not None:
                remove(environment.id)
        else:
            try:
                is_ok = follow(at, [environment.uninstall()], given)
            except Conflict as nothing_to_do:
                if not given.json:
                    print(nothing_to_do)
        _remove_left(at, before)
        if given.json:
            print(json_text({"ok": is_ok}))
    return 0 if is_ok else _FAILED


def _check_driver(at: Opened) -> None:
    """Raises `Misuse` if the driver cannot work at all, such as without a container engine: before anything is
    stored."""
    try:
        at.environment.observe(at.driver)
    except DriverFailed as error:
        raise Misuse(f"{error}; start Docker or Podman, set DOCKER_HOST, or give another --driver") from error


def _plan(at: Opened) -> Plan:
    """Returns the plan. Services that are being deleted are waited for: they hold their names until they are gone."""
    from ..platform_files.reconciliation import plan

    if at.environment.is_deleting():
        follow(at, at.environment.active(), None)
    return plan(at.engine, at.file)


def _remove_left(at: Opened, before: set[str]) -> None:
    """Removes the volumes of services that are gone and had been uninstalled before: no step did."""
    gone = before - at.environment.ids()
    remove = getattr(at.driver, "remove_left", None)
    if gone and remove is not None:
        remove(gone)


def confirmed(given: argparse.Namespace, question: str) -> bool:
    """Asks on a terminal. Without one --yes is required."""
    if given.yes:
        return True
    if not sys.stdin.isatty():
        raise Misuse("--yes is required where the input is no terminal")
    print(f"{question} [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def follow(at: Opened, deployments: list[Deployment], given: argparse.Namespace | None) -> bool:
    """Follows deployments to their end. Returns whether all have succeeded."""
    from ..platform_files.following import follow as follow_events

    if not deployments:
        return True
    names = {}
    with contextlib.suppress(NotFound):  # the last deployment of an environment deletes it
        names = {status.id: status.name for status in at.environment.statuses()}
    out = sys.stderr if given is not None and given.json else sys.stdout
    try:
        return follow_events(at.engine, deployments, names, out)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the deployment continues with the next orlop up") from None


def print_end(at: Opened, given: argparse.Namespace, plan: dict[str, Any]) -> None:
    """Prints the addresses of the services."""
    statuses = at.environment.statuses()
    if given.json:
        print(json_text({"plan": plan, "services": [status._asdict() for status in statuses]}))
        return
    size = max((len(status.name) for status in statuses), default=0)
    for status in statuses:
        for address in status.addresses:
            print(f"{status.name:<{size}}  {address}")
