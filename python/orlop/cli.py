"""The command `orlop`: a server, and looks into a store. Every subcommand explains itself with --help."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

from . import _core
from ._core import __version__
from .errors import Error, Misuse, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .driver import Driver
    from .engine import Engine
    from .ports import Courier, Verifier
    from .resources import Resource

_STORE = "the path of an SQLite file, or memory: (the default), which forgets everything at the end"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and answers its exit status."""
    given = _parser().parse_args(arguments)
    try:
        status: int = given.run(given)
        return status
    except BrokenPipeError:
        return 1
    except (Error, OSError) as error:
        print(f"orlop: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="orlop", description="A deployment platform that runs inside another program, from the shell.")
    parser.add_argument("--version", action="version", version=f"orlop {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_serve(commands)
    events = commands.add_parser("events", help="print what happened, one line for each event", description="Prints what happened, in order.")
    events.add_argument("store", metavar="STORE", help="the path of an SQLite file")
    events.add_argument("--since", type=int, default=0, metavar="N", help="only what came after the event numbered N")
    events.add_argument("--json", action="store_true", help="each event as one line of JSON")
    events.set_defaults(run=_events)
    check = commands.add_parser("check", help="open a store and read all of it", description="Opens a store, and reads every resource in it.")
    check.add_argument("store", metavar="STORE", help="the path of an SQLite file")
    check.add_argument("--json", action="store_true", help="the counts as JSON")
    check.set_defaults(run=_check)
    token = commands.add_parser("token", help="make tokens for programs", description="Tokens, with which programs prove who they are.")
    made = token.add_subparsers(title="commands", required=True, metavar="COMMAND").add_parser(
        "create", help="make one and print it", description="Makes a token and prints it, this once."
    )
    made.add_argument("store", metavar="STORE", help="the path of an SQLite file; it is made if it is not there")
    made.add_argument("--organization", required=True, metavar="NAME", help="whose; it is made if there is none of that name")
    made.add_argument("--name", required=True, help="what the token is called")
    made.add_argument("--role", metavar="ID", help="the id of its role (default: the one that administers)")
    made.set_defaults(run=_create_token)
    described = commands.add_parser("openapi", help="print the description of the interface", description="Prints the OpenAPI description.")
    described.set_defaults(run=lambda _: _print_text(_core.describe("openapi.json")))
    diagram = commands.add_parser("diagram", help="print a state machine as a diagram", description="Prints a state machine as a diagram.")
    diagram.add_argument("machine", choices=("service", "cluster"), help="whose")
    diagram.add_argument("--dot", action="store_true", help="for Graphviz; without it for Mermaid")
    diagram.set_defaults(run=lambda given: _print_text(_core.describe(f"diagram/{given.machine}.{'dot' if given.dot else 'mmd'}")))
    return parser


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser(
        "serve",
        help="answer over HTTP",
        description="Answers for a store over HTTP and moves its deployments on, until SIGINT or SIGTERM. Without --driver every "
        "step succeeds at once.",
    )
    serve.add_argument("store", nargs="?", default="memory:", metavar="STORE", help=_STORE)
    serve.add_argument("--host", default="127.0.0.1", help="the address to answer at (default: %(default)s, this machine only)")
    serve.add_argument("--port", type=int, default=8080, help="the port (default: %(default)s); 0 takes a free one and prints it")
    serve.add_argument("--driver", metavar="MODULE:NAME", help="the class of the driver, or a function that makes one")
    serve.add_argument("--origin", action="append", default=[], metavar="URL", help="lets pages from there call it (CORS); may be repeated")
    serve.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="answers requests whose Host header is this name, * for any; may "
        "be repeated (default: at a loopback address 127.0.0.1, [::1] and localhost, at any other address every name)"
    )  # fmt: skip
    serve.add_argument("--auth", choices=("off", "required"), default="off", help="whether callers must prove who they are (default: %(default)s)")
    serve.add_argument("--rate-limit", type=int, metavar="N", help="requests per hour of one token, 0 for no limit (default: 1000 with --auth required)")
    serve.add_argument("--issuer", metavar="URL", help="an OpenID provider whose tokens prove who calls (needs orlop[oidc])")
    serve.add_argument("--audience", metavar="NAME", help="for whom the provider's tokens must be meant")
    serve.add_argument("--webhooks", action="store_true", help="carry messages to the receivers of webhooks (needs orlop[webhooks])")
    serve.add_argument(
        "--webhook-allow", action="append", default=[], metavar="HOST", help="lets webhooks lead to this host or range of addresses although "
        "it is not on the public internet; may be repeated"
    )  # fmt: skip
    simulation = serve.add_argument_group("in virtual time")
    simulation.add_argument("--sim", action="store_true", help="serve a simulation: nothing real is touched")
    simulation.add_argument("--seed", type=int, default=0, help="what ids and chance follow from (default: %(default)s)")
    simulation.add_argument(
        "--speed", type=float, default=1.0, metavar="FACTOR", help="virtual seconds that pass in a second (default: %(default)s)"
    )
    simulation.add_argument(
        "--step", default="5s", metavar="DURATION", help="how long each step of a deployment takes, like 30s or 2m (default: %(default)s)"
    )
    serve.set_defaults(run=_serve)


def _serve(given: argparse.Namespace) -> int:
    from .server import Server, beside

    if given.driver and given.sim:
        raise Error("a simulation has a driver already: --driver and --sim exclude each other", "misuse")
    if given.webhooks and given.sim:
        raise Error("a simulation touches nothing real: --webhooks and --sim exclude each other", "misuse")
    with _open(given) as engine:
        server = Server(engine, given.host, given.port, origins=given.origin, allow_hosts=given.allow_host)
        if given.auth == "off" and given.host not in ("127.0.0.1", "::1", "localhost"):
            print(f"orlop: whoever reaches {given.host} may do everything: authentication is off", file=sys.stderr)
        print(f"Orlop serves {given.store} at {server.url} (authentication {given.auth})", flush=True)
        with beside(_time_of(engine, given), engine.stop, "orlop-time"):
            server.run()
    return 0


def _open(given: argparse.Namespace) -> Engine:
    from .engine import Engine
    from .simulation import Simulation

    common: dict[str, Any] = {"authentication": given.auth, "rate_limit": given.rate_limit, "verifier": _verifier(given)}
    common["webhook_allow"] = given.webhook_allow
    if not given.sim:
        return Engine(given.store, driver=_driver(given.driver) if given.driver else None, courier=_courier(given), **common)
    simulation = Simulation(given.store, seed=given.seed, **common)
    try:
        simulation.rules.add(after=given.step)
    except Misuse as error:
        raise Misuse(f"--step: {error}") from None
    return simulation


def _time_of(engine: Engine, given: argparse.Namespace) -> Any:
    from .simulation import Simulation

    return (lambda: engine.run(given.speed)) if isinstance(engine, Simulation) else engine.run


def _verifier(given: argparse.Namespace) -> Verifier | None:
    """Of the provider's tokens, if there is one."""
    if not given.issuer and not given.audience:
        return None
    if not given.issuer or not given.audience or given.auth == "off":
        raise Error("--issuer and --audience belong together, and to --auth required", "misuse")
    try:
        from .oidc import Verifier
    except ImportError as error:
        raise Error("PyJWT is missing, which checks the provider's tokens: pip install 'orlop[oidc]'", "misuse") from error
    try:
        return Verifier.discover(given.issuer, audience=given.audience)
    except (KeyError, ValueError) as error:
        raise Error(f"--issuer: {error}", "misuse") from error


def _courier(given: argparse.Namespace) -> Courier | None:
    """Of the messages to webhooks, if they are to leave."""
    if not given.webhooks:
        return None
    try:
        from .couriers import HttpCourier
    except ImportError as error:
        raise Error("httpx is missing, which carries messages to webhooks: pip install 'orlop[webhooks]'", "misuse") from error
    return HttpCourier()


def _driver(name: str) -> Driver:
    """What "module:attribute" makes."""
    from importlib import import_module

    module, _, attribute = name.partition(":")
    sys.path.insert(0, "")
    try:
        made: Driver = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError, ValueError) as error:
        raise Error(f"--driver must be MODULE:NAME of a class that can be made: {error}", "misuse") from error
    return made


def _read_only(store: str) -> Engine:
    """The engine on a store that is there already; looking makes none."""
    import os

    from .engine import Engine

    if not os.path.isfile(store.removeprefix("sqlite:")):
        raise Error(f"there is no store at {store}", "misuse")
    return Engine(store)


def _events(given: argparse.Namespace) -> int:
    with _read_only(given.store) as engine:
        for event in engine.events(given.since):
            if given.json:
                print(json.dumps(event, ensure_ascii=False))
            else:
                moved = f" {event.get('from', '')} -> {event['to']}" if "to" in event else ""
                print(f"{event['sequence']:>6}  {event['at']}  {event['kind']:<32} {event['subject']}{moved}")
    return 0


def _check(given: argparse.Namespace) -> int:
    counts: dict[str, int] = {}
    with _read_only(given.store) as engine:
        events = engine.last_event
        for organization in engine.organizations:
            _count(organization, counts)
    result = {"store": given.store, "events": events, "resources": counts}
    if given.json:
        print(json.dumps(result))
    else:
        words = ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"
        print(f"{given.store} is sound: {words}; {events} events")
    return 0


def _create_token(given: argparse.Namespace) -> int:
    from .engine import Engine

    with Engine(given.store) as engine:
        try:
            organization = engine.organizations.find(given.organization)
        except NotFound:
            organization = engine.organizations.create(name=given.organization, plan="FREE")
        body = {"name": given.name, **({"role_id": given.role} if given.role else {})}
        answer = engine.request("POST", f"/organization/{organization.id}/apiToken", body).check()
    return _print_text(answer["token"])


def _count(resource: Resource, counts: dict[str, int]) -> None:
    """Reads a resource and all that lies below it."""
    family = resource._family
    counts[family.name] = counts.get(family.name, 0) + 1
    for below in family.children:
        with contextlib.suppress(NotFound):  # of a family that no operation lists
            for child in getattr(resource, below):
                _count(child, counts)


def _print_text(text: str) -> int:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
    return 0
