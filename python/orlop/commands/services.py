"""The commands `orlop status`, `deploy`, `stop`, `rollback`, `logs`, `exec` and `open`: the services of a platform
file."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from typing import TYPE_CHECKING, Any

from ..errors import Conflict, Misuse
from .output import json_text
from .platform_engine import Opened, add_driver, add_file, add_service, observed, opened
from .up import follow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FAILED = 1
_TAIL = 100
_ROLLBACK_EXAMPLES = """examples:
  orlop rollback        all services, to the deployment before
  orlop rollback web    to the release before
  orlop rollback web 3  to release 3"""
_COLUMNS = ("service", "kind", "version", "state", "runs", "addresses")


def add(commands: Any) -> None:
    status = commands.add_parser(
        "status",
        help="list the services of a platform file",
        description="Lists the services with their states and addresses. Exit status: 0; 1 if one has failed or does "
        "not run.",
    )
    add_file(status)
    add_driver(status)
    status.set_defaults(run=run_status)
    _add_actions(commands)
    logs = _of_service(commands, "logs", "print the log of a service", run_logs, "  orlop logs web -f")
    add_driver(logs)
    logs.add_argument("-f", "--follow", action="store_true", help="print new lines until Ctrl-C")
    logs.add_argument("--tail", type=int, default=_TAIL, metavar="N", help="last lines to begin with (default: 100)")
    executed = _of_service(
        commands,
        "exec",
        "run a command in a service",
        run_exec,
        "  orlop exec web -- ls /srv\n\nExit status: that of the command; 2 if it could not be run.",
    )
    add_driver(executed)
    executed.add_argument("command", nargs="+", metavar="COMMAND", help="the command and its arguments, behind --")
    shown = _of_service(commands, "open", "open the address of a service", run_open, "  curl $(orlop open web)")
    shown.add_argument("--browser", action="store_true", help="open it in the browser, too")


def _add_actions(commands: Any) -> None:
    deploy = commands.add_parser(
        "deploy",
        help="deploy services again",
        description="Deploys the services, or without any those that do not run what is wanted.",
        epilog="examples:\n  orlop deploy          what is out of date, stopped or failed\n  orlop deploy web api",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    stop = commands.add_parser(
        "stop", help="stop services", description="Stops the services, or without any all of them. Data is kept."
    )
    for parser, run in ((deploy, run_deploy), (stop, run_stop)):
        add_service(parser, "services", nargs="*", help="names of services")
        add_file(parser, is_argument=False)
        add_driver(parser)
        parser.set_defaults(run=run)
    rollback = commands.add_parser(
        "rollback",
        help="deploy an earlier release",
        description="Deploys an earlier release of a service, or of all services as they were after the deployment "
        "before the last. The file stays as it is: the next orlop up deploys it again.",
        epilog=_ROLLBACK_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_service(rollback, "service", nargs="?", help="name of a service (default: all)")
    rollback.add_argument("release", nargs="?", type=int, metavar="RELEASE", help="number (default: the one before)")
    add_file(rollback, is_argument=False)
    add_driver(rollback)
    rollback.set_defaults(run=run_rollback)


def _of_service(
    commands: Any, name: str, said: str, run: Callable[[Any], int], example: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=said,
        description=f"{said[0].upper()}{said[1:]}.",
        epilog=f"examples:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_service(parser, "service", help="name of the service")
    add_file(parser, is_argument=False)
    parser.set_defaults(run=run)
    return parser


def run_status(given: argparse.Namespace) -> int:
    """Lists the services."""
    with opened(given) as at:
        observed(at)
        statuses = at.environment.statuses()
        label = at.file.label
    if given.json:
        print(json_text({"environment": label, "services": [status._asdict() for status in statuses]}))
    else:
        rows = [_COLUMNS]
        for status in statuses:
            state = status.state + (" (out of date)" if status.freshness == "OUT_OF_DATE" else "")
            runs = status.running + (f": {status.reason}" if status.reason else "")
            rows.append((status.name, status.family, status.version, state, runs, " ".join(status.addresses)))
        _print_table(rows)
    return 0 if all(status.is_well for status in statuses) else _FAILED


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    sizes = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(f"{cell:<{size}}" for cell, size in zip(row, sizes)).rstrip())


def run_deploy(given: argparse.Namespace) -> int:
    """Deploys services."""
    with opened(given, is_driving=True) as at:
        is_ok = follow(at, at.environment.active(), given)
        if given.services:
            services = [at.environment.service(name) for name in given.services]
            request = at.environment.deploy_services(at.file.interface, services)
        else:
            observed(at)
            request = at.environment.deploy(at.file.interface)
        return _ended(at, given, request, is_ok, "every service runs what is wanted")


def run_stop(given: argparse.Namespace) -> int:
    """Stops services."""
    with opened(given, is_driving=True) as at:
        is_ok = follow(at, at.environment.active(), given)
        request: str | None = None
        if given.services:
            request = at.environment.stop_services([at.environment.service(name) for name in given.services])
        else:
            try:
                request = at.environment.environment.stop().id
            except Conflict:
                pass
        return _ended(at, given, request, is_ok, "no service runs")


def run_rollback(given: argparse.Namespace) -> int:
    """Deploys earlier releases."""
    with opened(given, is_driving=True) as at:
        is_ok = follow(at, at.environment.active(), given)
        if given.service is None:
            begun = at.environment.environment.rollback(at.environment.previous())
        else:
            begun = at.environment.service(given.service).rollback(given.release)
        request = None if begun is None else begun.id
        return _ended(at, given, request, is_ok, "every service runs that release already")


def _ended(at: Opened, given: argparse.Namespace, request: str | None, is_ok: bool, otherwise: str) -> int:
    """Follows a request to its end. Returns the exit status."""
    if request is not None:
        is_ok = follow(at, [at.engine.deployments.get(request)], given) and is_ok
    if given.json:
        statuses = at.environment.statuses()
        print(json_text({"request": request, "ok": is_ok, "services": [status._asdict() for status in statuses]}))
    elif request is None:
        print(otherwise)
    return 0 if is_ok else _FAILED


def run_logs(given: argparse.Namespace) -> int:
    """Prints the log of a service."""
    if given.tail < 0:
        raise Misuse(f"--tail must be 0 or more lines, not {given.tail}")
    with opened(given) as at:
        service = at.environment.service(given.service)
        lines = _function(at, "follow_logs" if given.follow else "logs", given)(service.id, given.tail)
        for line in lines:
            print(json_text({"line": line}) if given.json else line, flush=given.follow)
    return 0


def run_exec(given: argparse.Namespace) -> int:
    """Runs a command in a service."""
    with opened(given) as at:
        service = at.environment.service(given.service)
        code, output = _function(at, "run_command", given)(service.id, given.command)
    if given.json:
        print(json_text({"exit_code": code, "output": output}))
    else:
        sys.stdout.write(output)
    return int(code)


def run_open(given: argparse.Namespace) -> int:
    """Prints the address of a service."""
    with opened(given) as at:
        service = at.environment.service(given.service)
        addresses = next(each.addresses for each in at.environment.statuses() if each.id == service.id)
        if not addresses:
            raise Misuse(f"{service.name} has no address: it has no port, or is not deployed")
    print(json_text({"addresses": list(addresses)}) if given.json else addresses[0])
    if given.browser:
        webbrowser.open(addresses[0])
    return 0


def _function(at: Opened, name: str, given: argparse.Namespace) -> Any:
    """Returns a function of the driver that answers a question about what runs."""
    found = getattr(at.driver, name, None)
    if found is None:
        raise Misuse(f"--driver {given.driver} has no function {name}")
    return found
