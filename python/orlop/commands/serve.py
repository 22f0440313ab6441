"""The command `orlop serve`: every option of the engine and every limit of the server as a flag."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import mmap
import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from ..errors import Error, Misuse
from ..options.arguments import SPEED_MAX, milliseconds
from ..options.storage_libraries import shown_storage
from . import external_systems
from .drivers import add_driver_options, driver_of
from .files import writing
from .named import named

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, MutableSequence

    from ..engine.engine import Engine
    from ..generated.external_systems import ExternalSystems
    from ..generated.models import Organization
    from ..generated.ports import WebhookSender
    from ..serving.server import Server

_STORE = "the path of an SQLite file, or memory: (the default), which forgets everything at the end"
_SPEED = 1.0
_STEP = "5s"  # default of --step in a simulation
_SEED_TOKEN = "orlop serve"  # name of the token of --seed-organization
_REPEATED = ("texts", "keys")
_PORT_HELP = {
    "driver": " A class, or a function that makes one; or containers: Docker or Podman on this machine.",
    "external_systems": external_systems.HELP,
}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def add(commands: Any) -> None:
    serve = commands.add_parser(
        "serve",
        help="answer over HTTP",
        description="Answers for a store over HTTP and moves its deployments on, until SIGINT or SIGTERM. Without "
        "--driver every "
        "step succeeds: at once, or after --step. Prints a line for each change of state and each failure.",
    )
    serve.add_argument("store", nargs="?", default="memory:", metavar="STORE", help=_STORE)
    _add_address(serve)
    _add_callers(serve)
    _add_limits(serve.add_argument_group("limits of the server"))
    _add_options(serve)
    serve.set_defaults(run=run)


def _add_address(serve: Any) -> None:
    serve.add_argument(
        "--host", default="127.0.0.1", help="the address to answer at (default: %(default)s, this machine only)"
    )
    serve.add_argument(
        "--port", type=int, default=8080, help="the port (default: %(default)s); 0 takes a free one and prints it"
    )
    serve.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="processes that answer at this address and divide the work; they need a store "
        "in a file or in PostgreSQL (default: %(default)s)",
    )
    serve.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="lets pages from there call it (CORS); may be repeated",
    )
    serve.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="answers requests whose Host header is this name, * for any; may "
        "be repeated (default: at a loopback address 127.0.0.1, [::1] and localhost, at any other address every name)",
    )
    serve.add_argument(
        "--ready-file",
        type=Path,
        metavar="FILE",
        help='written as soon as requests are answered: JSON with "url" and "pid"; removed at the end',
    )
    serve.add_argument("--no-access-log", action="store_true", help="write no line for each request to stderr")
    serve.add_argument(
        "--no-state-log",
        action="store_true",
        help="write no line to stdout for each change of state of an environment, service or cluster, and each failure",
    )
    serve.add_argument(
        "--step",
        metavar="DURATION",
        help="without --driver, how long each step takes, like 30s or 2m: real time, with --sim virtual time "
        f"(default: 0, with --sim {_STEP})",
    )
    serve.add_argument(
        "--grace",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="how long requests and steps that run may take at the end; steps that "
        "run then are resumed when the store is opened again (default: %(default)s)",
    )


def _add_callers(serve: Any) -> None:
    serve.add_argument(
        "--issuer", metavar="URL", help="an OpenID provider whose tokens authenticate callers (needs orlop[oidc])"
    )
    serve.add_argument("--audience", metavar="NAME", help="the audience that the provider's tokens must have")
    serve.add_argument("--webhooks", action="store_true", help="send the messages of webhooks (needs orlop[webhooks])")
    serve.add_argument(
        "--seed-organization",
        metavar="NAME",
        help="make an organization of this name, if there is none, and a token of it, and print them as lines of "
        "export for a shell; a later start revokes that token and makes a new one",
    )


def options() -> list[dict[str, Any]]:
    """Returns the engine's options that are flags, as core/base/options/options.def lists them."""
    listed: list[dict[str, Any]] = json.loads(_core.describe("options.json"))
    return [option for option in listed if "serve" in option["on"] and option["name"] != "storage"]


def flag_of(option: dict[str, Any]) -> str:
    """Returns the flag, such as "--max-parallel-builds". The flag of a list takes one entry, so its name is in the
    singular."""
    name: str = option["name"]
    return "--" + (name.removesuffix("s") if option["kind"] in _REPEATED else name).replace("_", "-")


def _add_options(serve: Any) -> None:
    groups = {
        "port": serve.add_argument_group("the engine's ports"),
        "instant": serve.add_argument_group("in virtual time"),
    }
    groups["seed"] = groups["instant"]
    engine = serve.add_argument_group("the engine")
    for option in options():
        _add_option(groups.get(option["kind"], engine), option)
    add_driver_options(groups["port"])
    external_systems.add(groups["port"])
    _add_simulation(groups["seed"])


def _add_option(group: Any, option: dict[str, Any]) -> None:
    kind, default = option["kind"], option["default"]
    flags = [flag_of(option)] + (["--auth"] if option["name"] == "authentication" else [])
    settings: dict[str, Any] = {"dest": option["name"], "help": _help_of(option)}
    if kind == "flag":
        settings.update(action=argparse.BooleanOptionalAction, default=default == "true")
    elif kind == "choice":
        settings.update(choices=option["values"], default=default)
    elif kind in ("count", "size", "limit", "seed"):
        settings.update(type=int, metavar="N", default=int(default) if default else None)
    elif kind in ("bytes", "key", "keys"):
        settings.update(type=Path, metavar="FILE")
    elif kind == "folder":
        settings.update(type=Path, metavar="FOLDER")
    else:
        metavars = {
            "port": "SYSTEMS" if option["name"] == "external_systems" else "MODULE:NAME",
            "duration": "DURATION",
            "instant": "TIME",
        }
        settings.update(metavar=metavars.get(kind, "TEXT"), default=default if default and kind != "instant" else None)
    if kind in _REPEATED:
        settings.update(action="append", default=[])
    group.add_argument(*flags, **settings)


def _help_of(option: dict[str, Any]) -> str:
    kind = {
        "port": _PORT_HELP.get(option["name"], " A callable, or its class."),
        "keys": " May be repeated.",
        "texts": " May be repeated.",
    }.get(option["kind"], "")
    facts = option["facts"].replace(
        "Unit: seconds, or a text such as `30s` or `1h30m`.", "A text such as 30s or 1h30m."
    )
    return f"{option['text']}{kind} {facts}".strip().replace("`", "").replace("%", "%%")


def _add_limits(group: Any) -> None:
    from ..serving.connections import Limits

    usual = Limits()
    words = {
        "head_timeout": ("SECONDS", "from the first byte of a request to the end of its headers"),
        "body_timeout": ("SECONDS", "from the end of the headers to the end of the body"),
        "idle_timeout": ("SECONDS", "from an answer to the next request of the same connection"),
        "connections": ("N", "open connections"),
        "body_memory": ("BYTES", "of all bodies that are received or answered at a time"),
    }
    for name, (unit, about) in words.items():
        default = getattr(usual, name)
        flag = "--max-connections" if name == "connections" else "--" + name.replace("_", "-")
        group.add_argument(
            flag, type=type(default), default=default, dest=name, metavar=unit, help=f"{about} (default: {default:g})"
        )


def _add_simulation(group: Any) -> None:
    group.add_argument("--sim", action="store_true", help="serve a simulation: nothing real is touched")
    group.add_argument(
        "--speed",
        type=float,
        default=_SPEED,
        metavar="FACTOR",
        help="virtual seconds that pass in a second (default: %(default)s)",
    )


def run(given: argparse.Namespace) -> int:
    """Serves until a signal arrives."""
    from ..serving.server import prepare, url_of
    from ..serving.workers import Workers

    _limits(given)
    _check(given)
    _try_seed(given)
    with prepare(given.host, given.port, given.origin, given.allow_host) as listener:  # before a store is created
        if given.workers == 1:
            return _serve(given, listener)
        url = url_of(given.host, listener)
        position = memoryview(mmap.mmap(-1, 8)).cast("q")  # position of the state log, shared by all processes
        with _ready(given, url, lambda: _open_first(given, url, position)):
            return Workers(
                given.workers,
                listener,
                lambda given_listener, is_first: _serve(given, given_listener, position if is_first else None),
            ).run()


def _greet(given: argparse.Namespace, url: str, exports: str) -> None:
    if given.authentication == "off" and given.host not in _LOOPBACK:
        print(
            f"orlop: every client that reaches {given.host} may do everything: authentication is off", file=sys.stderr
        )
    facts = [f"authentication {given.authentication}"]
    if given.workers > 1:
        facts[0] += f", {given.workers} processes"
    if not given.sim:
        facts += _driver_facts(given)
    print(f"Orlop serves {shown_storage(given.store)} at {url} ({'; '.join(facts)})\n{exports}", end="", flush=True)


def _driver_facts(given: argparse.Namespace) -> list[str]:
    """Returns the banner's facts about the driver: without one, nothing real is deployed."""
    if given.driver is not None:
        return []
    if given.role == "serve":
        return ["drives no deployments"]
    step = _step_of(given)
    return [f"steps succeed {f'after {given.step}' if step else 'at once'}: no driver"]


def _try_seed(given: argparse.Namespace) -> None:
    """Tries the seed in memory, so that a refused name creates no file."""
    from ..engine.engine import Engine

    if given.seed_organization is not None:
        with Engine() as tried:
            _seed(tried, given.seed_organization, "")


def _open_first(given: argparse.Namespace, url: str, position: MutableSequence[int] | memoryview[int]) -> str:
    """Seeds the store before the processes start, on an engine without ports that is closed again. Sets `position`,
    after which changes of states are printed, because the process that prints them may not be the first to be ready."""
    from ..engine.engine import Engine

    settings = {
        option["name"]: _value_of(option, given)
        for option in options()
        if "engine" in option["on"] and option["kind"] != "port"
    }
    with Engine(given.store, **{**settings, "role": "serve"}) as engine:
        exports = "" if given.seed_organization is None else _seed(engine, given.seed_organization, url)
        position[0] = engine.last_event
    return exports


def _seed(engine: Engine, name: str, url: str) -> str:
    """Creates the organization, if none has that name, and its token. Returns lines that a shell evaluates."""
    found: Organization | None = engine.organizations.find(name, default=None)
    organization = engine.organizations.create(name=name, plan="FREE") if found is None else found
    tokens = f"/organization/{organization.id}/apiToken"
    old = [token["id"] for token in engine.request("GET", tokens).check()["results"] if token["name"] == _SEED_TOKEN]
    for token in old:
        engine.request("DELETE", f"{tokens}/{token}").raise_for_status()
    value = engine.request("POST", tokens, {"name": _SEED_TOKEN}).check()["token"]
    said = (
        f"organization {organization.name} {'is new' if found is None else 'was there'}; its token "
        f'"{_SEED_TOKEN}" is new{", the one of before is revoked" if old else ""}'
    )
    exports = {"ORLOP_URL": url, "ORLOP_TOKEN": value, "ORLOP_ORGANIZATION": organization.id}
    return "".join([f"# {said}\n", *(f"export {name}={shlex.quote(text)}\n" for name, text in exports.items())])


@contextlib.contextmanager
def _ready(given: argparse.Namespace, url: str, seed: Callable[[], str]) -> Iterator[None]:
    """Seeds, prints the banner, and keeps the ready file during the block. The file appears complete, before the
    banner; but after a banner with lines for a shell, which waits for the file."""
    file: Path | None = given.ready_file
    if file is None:
        _greet(given, url, seed())
        yield
        return
    with writing(file) as beside:
        beside.write_text(json.dumps({"url": url, "pid": os.getpid()}) + "\n", encoding="utf-8")
        exports = seed()
        if exports:
            _greet(given, url, exports)
    if not exports:
        _greet(given, url, exports)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def _serve(
    given: argparse.Namespace, listener: socket.socket, position: MutableSequence[int] | memoryview[int] | None = None
) -> int:
    """Serves in this process. Of several, the one with a `position` prints changes of states."""
    from ..serving.access_log import AccessLog
    from ..serving.server import Server, beside
    from .state_log import StateLog

    limits, is_alone = _limits(given), given.workers == 1
    with_log = None if given.no_access_log else AccessLog(sys.stderr)
    engine = _open(given)
    server: Server | None = None
    states: StateLog | None = None
    try:
        server = Server(
            engine,
            given.host,
            given.port,
            origins=given.origin,
            allow_hosts=given.allow_host,
            limits=limits,
            access_log=with_log,
            grace=given.grace,
            listener=listener,
        )
        if not given.no_state_log and sys.stdout is not None and (is_alone or position is not None):
            states = StateLog(engine, sys.stdout.fileno(), [-1] if position is None else position)
        url = server.url
        ready = (
            _ready(given, url, lambda: _seed(engine, given.seed_organization, url) if given.seed_organization else "")
            if is_alone
            else contextlib.nullcontext()
        )
        with ready, beside(_until_it_fails(_time_of(engine, given), server), engine.stop, "orlop-time", given.grace):
            if states is not None:
                states.start()
            server.run()
        if states is not None:
            states.finish()
    finally:
        engine.close(_left(server, given.grace))
        if with_log is not None:
            with_log.close()
    return 0


def _left(server: Server | None, grace: float) -> float:
    """Returns the rest of the grace period that began when the server was stopped."""
    if server is None or server.stopped_at is None:
        return grace
    return max(0.0, grace - (time.monotonic() - server.stopped_at))


def _limits(given: argparse.Namespace) -> Any:
    from ..serving.connections import Limits

    for name in Limits._fields:
        if not 0 < getattr(given, name) < float("inf"):
            flag = "max-connections" if name == "connections" else name.replace("_", "-")
            raise Misuse(f"--{flag} must be more than 0, not {getattr(given, name)}")
    if not 0 <= given.grace < float("inf"):
        raise Misuse(f"--grace must be 0 or more seconds, not {given.grace}")
    return Limits(*(getattr(given, name) for name in Limits._fields))


def _check(given: argparse.Namespace) -> None:
    for flag in ("driver", "webhooks", "webhook_sender"):
        if given.sim and getattr(given, flag):
            raise Error(
                f"a simulation touches nothing real: --{flag.replace('_', '-')} and --sim exclude each other", "misuse"
            )
    if given.webhooks and given.webhook_sender:
        raise Error("--webhooks and --webhook-sender exclude each other: both carry the messages", "misuse")
    if not 1 <= given.workers <= 1000:
        raise Misuse(f"--workers must be 1 to 1000, not {given.workers}")
    if given.workers > 1 and given.sim:
        raise Misuse("--workers must be 1 with --sim: a simulation has one clock")
    if given.workers > 1 and given.store == "memory:":
        raise Misuse("--workers must be 1 where the store is memory: processes share a file or a database")
    if given.sim and (given.role != "both" or given.lease_time != "10s"):
        raise Misuse("--role and --lease-time exclude --sim: a simulation shares its store with no other engine")
    if given.start and not given.sim:
        raise Error("--start belongs to --sim: the system's clock starts nowhere", "misuse")
    if not 0 <= given.speed <= SPEED_MAX:
        raise Misuse(f"--speed must be 0 to {SPEED_MAX:g}, not {given.speed:g}")
    if not given.sim and given.speed != _SPEED:
        raise Misuse("--speed belongs to --sim: real time has one speed")
    if given.driver is not None and given.step is not None:
        raise Misuse("--step and --driver exclude each other: a step of your driver takes the time that it takes")
    _check_step(given)
    external_systems.check(given)
    if given.ready_file is not None and given.ready_file.exists() and not given.ready_file.is_file():
        raise Misuse(f"--ready-file must be the path of a file, which is removed at the end, not {given.ready_file}")
    if given.ready_file is not None:
        try:
            os.stat(f"{given.ready_file.resolve().parent}/.")  # before a store is created
        except OSError as error:
            raise OSError(error.errno, f"cannot write {given.ready_file}: {error.strerror}") from None


def _check_step(given: argparse.Namespace) -> None:
    """Refuses a --step with which every step would fail at its deadline, without a reason."""
    step, deadline = _step_of(given), milliseconds("step_deadline", _duration(given.step_deadline), 1)
    if given.driver is None and step > deadline:
        shown = given.step if given.step is not None else f"{_STEP}, its default with --sim"
        raise Misuse(
            f"--step must be at most --step-deadline, which is {given.step_deadline}, not {shown}: a step that "
            f"takes longer fails"
        )


def _step_of(given: argparse.Namespace) -> int:
    """Returns the duration of each step of the scripted driver, in milliseconds."""
    step = given.step if given.step is not None else _STEP if given.sim else "0"
    return milliseconds("--step", _duration(step))


def _log(level: str, message: str) -> None:
    """Prints the engine's log. The logger `orlop.driver` gets the same tracebacks, and without a handler would print
    them again."""
    print(f"orlop: {level}: {message}", file=sys.stderr, flush=True)


def _open(given: argparse.Namespace) -> Engine:
    from ..engine.engine import Engine
    from ..simulation.simulation import Simulation

    kind = "simulation" if given.sim else "engine"
    settings = {option["name"]: _value_of(option, given) for option in options() if kind in option["on"]}
    settings["log"] = _log
    logging.getLogger("orlop.driver").addHandler(logging.NullHandler())
    if not given.sim:
        settings["engine_name"] = _name_of(given)
    engine = Simulation(given.store, **settings) if given.sim else Engine(given.store, **settings)
    if given.sim or _step_of(given):
        engine._core.add_rule(_step_of(given))
    return engine


def _name_of(given: argparse.Namespace) -> str:
    """Returns the name of this process among all that share the store. Events of steps that it drives carry it."""
    import socket

    name: str = given.engine_name
    if name and given.workers == 1:
        return name
    return f"{(name or socket.gethostname())[:50]}:{os.getpid()}"


def _value_of(option: dict[str, Any], given: argparse.Namespace) -> Any:
    made = {"driver": _driver, "external_systems": _external_systems, "webhook_sender": _webhook_sender}
    if option["name"] in made:
        return made[option["name"]](given)
    value = getattr(given, option["name"])
    if option["kind"] == "keys":
        return [file.read_bytes() for file in value]
    if option["kind"] in ("bytes", "key"):
        return value.read_bytes() if value else None
    if option["kind"] == "duration" and isinstance(value, str):
        return _duration(value)
    return _made(flag_of(option), value) if option["kind"] == "port" else value


def _duration(given: str) -> str | float:
    """Returns a number of seconds, which a shell passes as text, as float; any other text as it is."""
    return float(given) if given.replace(".", "", 1).isdecimal() else given


def _until_it_fails(work: Callable[[], None], server: Server) -> Callable[[], None]:
    """Stops the server when the work fails: a process that answers and advances nothing would seem healthy."""

    def run() -> None:
        try:
            work()
        except BaseException:
            server.stop()
            raise

    return run


def _time_of(engine: Engine, given: argparse.Namespace) -> Any:
    from ..simulation.simulation import Simulation

    return (lambda: engine.run(given.speed)) if isinstance(engine, Simulation) else engine.run


def _driver(given: argparse.Namespace) -> Any:
    return driver_of(given.driver, given.driver_option)


def _external_systems(given: argparse.Namespace) -> list[ExternalSystems] | None:
    """Returns the systems of the flags, and the authenticator of the provider's tokens; None if there are none."""
    found = external_systems.systems_of(given, lambda name: _made("--external-systems", name))
    systems: list[ExternalSystems] = [] if found is None else [found]
    if given.issuer or given.audience:
        systems.append(_people(given))
    return systems or None


def _people(given: argparse.Namespace) -> ExternalSystems:
    if not given.issuer or not given.audience or given.authentication == "off":
        raise Error("--issuer and --audience belong together, and to --auth required", "misuse")
    try:
        from ..externals.oidc import TokenAuthenticator
    except ImportError as error:
        raise Error(
            "PyJWT is missing, which checks the provider's tokens: pip install 'orlop[oidc]'", "misuse"
        ) from error
    try:
        return TokenAuthenticator.discover(given.issuer, audience=given.audience)
    except (KeyError, ValueError) as error:
        raise Error(f"--issuer: {error}", "misuse") from error


def _webhook_sender(given: argparse.Namespace) -> WebhookSender | None:
    """Returns the sender of webhook messages; None if there is none."""
    if not given.webhooks:
        found: WebhookSender | None = _made("--webhook-sender", given.webhook_sender)
        return found
    try:
        from ..externals.webhook_senders import HttpWebhookSender
    except ImportError as error:
        raise Error(
            "httpx is missing, which carries messages to webhooks: pip install 'orlop[webhooks]'", "misuse"
        ) from error
    return HttpWebhookSender()


def _made(flag: str, name: str | None) -> Any:
    """Returns the object named "module:attribute"; if it is a class, an instance."""
    found = named(flag, name)
    return found() if isinstance(found, type) else found
