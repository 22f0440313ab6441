"""The command `orlop driver-check`, which holds a driver to its contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Error
from .named import named
from .output import json_text

if TYPE_CHECKING:
    import argparse

_OBJECTS = {
    "service": "fields of the services that are deployed (default: containers of acme/web:1)",
    "slow": "fields that differ in a service whose deployment does not end by itself, such as a failing probe",
    "broken": "fields that differ in a service whose deployment fails",
    "job": "fields of a job that ends by itself",
    "registry": "fields of the registry that the containers come from",
}


def add(commands: Any) -> None:
    check = commands.add_parser(
        "driver-check",
        help="hold a driver to the contract of drivers",
        description="Tries the rules of the driver contract on a driver, each with a fresh engine. The driver really "
        "deploys, stops and deletes what it is given. Exit status: 0, no rule failed; 1, one failed; 2, the driver "
        "cannot be made.",
        epilog="Each rule: orlop driver-check --rules",
    )
    check.add_argument(
        "driver", metavar="MODULE:NAME", nargs="?", help="a class of drivers, or a function that makes one"
    )
    for name, text in _OBJECTS.items():
        check.add_argument(f"--{name}", metavar="JSON", help=f"{text}; @FILE: from a file")
    check.add_argument("--family", metavar="NAME", help="collection of the services (default: containers)")
    check.add_argument(
        "--probe", metavar="MODULE:NAME", help="a function that lists the workloads of an environment by its id"
    )
    check.add_argument(
        "--only", metavar="RULE", action="append", help="try this rule, and what it is based on; can be repeated"
    )
    check.add_argument("--patience", metavar="SECONDS", type=float, help="longest time of a step (default: 60)")
    check.add_argument(
        "--settle", metavar="SECONDS", type=float, help="time after which what is seen must be right (default: 5)"
    )
    check.add_argument(
        "--points", metavar="N", type=int, help="points of a step at which its host is killed (default: 8)"
    )
    check.add_argument("--json", action="store_true", help="the results as JSON")
    check.add_argument("--rules", action="store_true", help="list the rules, and try none")
    check.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from ..drivers.conformance import RULES, check

    if given.rules:
        print(json_text(RULES) if given.json else "\n".join(f"{name}: {text}" for name, text in RULES.items()))
        return 0
    if given.driver is None:
        raise Error("a driver is missing: orlop driver-check MODULE:NAME", "misuse")
    options = {name: getattr(given, name) for name in ("family", "patience", "settle", "points")}
    options |= {name: _object(name, getattr(given, name)) for name in _OBJECTS}
    options |= {"probe": named("--probe", given.probe), "only": given.only or ()}
    report = check(
        named("MODULE:NAME", given.driver), **{name: value for name, value in options.items() if value is not None}
    )
    print(json_text(report.to_dict()) if given.json else report)
    return 0 if report.ok else 1


def _object(name: str, text: str | None) -> dict[str, Any] | None:
    """Returns the object of the option; None if it is not given."""
    if text is None:
        return None
    if text.startswith("@"):
        text = Path(text[1:]).read_text(encoding="utf-8")
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Error(f"--{name} must be JSON: {error}", "misuse") from None
    if not isinstance(found, dict):
        raise Error(f"--{name} must be a JSON object, not {text[:100]}", "misuse")
    return found
