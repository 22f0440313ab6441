"""The command `orlop serve`: every setting of the engine and every limit of the server as a flag."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Error, Misuse

if TYPE_CHECKING:
    from .engine import Engine
    from .ports import WebhookSender, TokenAuthenticator
    from .server import Server

_STORE = "the path of an SQLite file, or memory: (the default), which forgets everything at the end"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def add(commands: Any) -> None:
    """Adds the subcommand to the parser of `orlop`."""
    serve = commands.add_parser(
        "serve",
        help="answer over HTTP",
        description="Answers for a store over HTTP and moves its deployments on, until SIGINT or SIGTERM. Without --driver every "
        "step succeeds at once.",
    )
    serve.add_argument("store", nargs="?", default="memory:", metavar="STORE", help=_STORE)
    _add_address(serve)
    _add_callers(serve)
    _add_settings(serve.add_argument_group("the engine"))
    _add_ports(serve.add_argument_group("what it asks of the world"))
    _add_limits(serve.add_argument_group("limits of the server"))
    _add_simulation(serve.add_argument_group("in virtual time"))
    serve.set_defaults(run=run)


def _add_address(serve: Any) -> None:
    serve.add_argument("--host", default="127.0.0.1", help="the address to answer at (default: %(default)s, this machine only)")
    serve.add_argument("--port", type=int, default=8080, help="the port (default: %(default)s); 0 takes a free one and prints it")
    serve.add_argument("--origin", action="append", default=[], metavar="URL", help="lets pages from there call it (CORS); may be repeated")
    serve.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="answers requests whose Host header is this name, * for any; may "
        "be repeated (default: at a loopback address 127.0.0.1, [::1] and localhost, at any other address every name)"
    )  # fmt: skip
    serve.add_argument("--no-access-log", action="store_true", help="write no line for each request to stderr")
    serve.add_argument(
        "--grace", type=float, default=10.0, metavar="SECONDS", help="how long requests and steps that run may take at the end; steps that "
        "run then are resumed when the store is opened again (default: %(default)s)"
    )  # fmt: skip


def _add_callers(serve: Any) -> None:
    serve.add_argument(
        "--auth", "--authentication", choices=("off", "required"), default="off", dest="authentication",
        help="whether callers must prove who they are (default: %(default)s)"
    )  # fmt: skip
    serve.add_argument("--rate-limit", type=int, metavar="N", help="requests per hour of one token, 0 for no limit (default: 1000 with --auth required)")
    serve.add_argument("--issuer", metavar="URL", help="an OpenID provider whose tokens prove who calls (needs orlop[oidc])")
    serve.add_argument("--audience", metavar="NAME", help="for whom the provider's tokens must be meant")


def _add_settings(group: Any) -> None:
    group.add_argument("--brand", default="platform", help="the word in names such as MANAGED_BY_PLATFORM (default: %(default)s)")
    group.add_argument(
        "--durability", choices=("full", "normal"), default="full", help="with normal, a loss of power may take the last changes (default: full)"
    )
    group.add_argument(
        "--busy", choices=("queue", "reject"), default="queue", help="what becomes of a deployment while another one runs in its environment "
        "(default: %(default)s)"
    )  # fmt: skip
    group.add_argument("--max-parallel-builds", type=int, metavar="N", help="builds at a time in one environment (default: 4)")
    group.add_argument("--max-parallel-deploys", type=int, metavar="N", help="deployments at a time in one stage (default: 16)")
    group.add_argument("--step-deadline", metavar="DURATION", help="after which a step without a bound of its own fails (default: 1h)")
    group.add_argument("--cancel-deadline", metavar="DURATION", help="after which a service that is being canceled fails (default: 10m)")
    group.add_argument("--history-kept", type=int, metavar="N", help="ended requests kept for each environment (default: 50)")
    group.add_argument(
        "--kubernetes-version", action="append", default=[], metavar="VERSION", dest="kubernetes_versions",
        help="one of the versions that clusters are upgraded through, in their order; may be repeated (default: those the library knows)"
    )  # fmt: skip
    group.add_argument(
        "--no-require-cluster", action="store_false", dest="require_cluster",
        help="deploy services whatever the state of their cluster (default: only to one that is DEPLOYED or RESTARTED)"
    )  # fmt: skip
    group.add_argument(
        "--catalogs", choices=("known", "open"), default="known", help="with open, regions and versions that the catalogues do not know are "
        "accepted (default: %(default)s)"
    )  # fmt: skip
    group.add_argument(
        "--mmap-size", type=int, default=0, metavar="BYTES", help="how much of the store's file is mapped into memory for reads: faster, but a "
        "file that gets shorter, or a disk that fails, then ends the process with SIGBUS (default: %(default)s, none)"
    )  # fmt: skip
    group.add_argument("--snapshot", type=Path, metavar="FILE", help="go on from this snapshot, in an empty store")
    group.add_argument("--secret-key", type=Path, metavar="FILE", help="a file of 32 bytes: the key that secrets are sealed with")
    group.add_argument(
        "--previous-secret-key", type=Path, action="append", default=[], metavar="FILE", dest="previous_secret_keys",
        help="a key that the store may still be sealed with; may be repeated"
    )  # fmt: skip


def _add_ports(group: Any) -> None:
    group.add_argument("--driver", metavar="MODULE:NAME", help="the class of the driver, or a function that makes one")
    group.add_argument("--token-authenticator", metavar="MODULE:NAME", help="a token authenticator of tokens: a callable, or its class")
    group.add_argument("--policy-evaluator", metavar="MODULE:NAME", help="a policy evaluator of requests by the policies of tokens: a callable, or its class")
    group.add_argument("--git-provider", metavar="MODULE:NAME", help="looks at git repositories: a callable, or its class")
    group.add_argument("--webhook-sender", metavar="MODULE:NAME", help="carries messages to webhooks: a callable, or its class")
    group.add_argument("--port-timeout", default="5s", metavar="DURATION", help="that token_authenticator, policy evaluator and git provider have (default: %(default)s)")
    group.add_argument("--webhooks", action="store_true", help="carry messages to the receivers of webhooks (needs orlop[webhooks])")
    group.add_argument(
        "--webhook-allow", action="append", default=[], metavar="HOST", help="lets webhooks lead to this host or range of addresses although "
        "it is not on the public internet; may be repeated"
    )  # fmt: skip


def _add_limits(group: Any) -> None:
    from .connections import Limits

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
        group.add_argument(flag, type=type(default), default=default, dest=name, metavar=unit, help=f"{about} (default: {default:g})")


def _add_simulation(group: Any) -> None:
    group.add_argument("--sim", action="store_true", help="serve a simulation: nothing real is touched")
    group.add_argument("--seed", type=int, help="what ids and chance follow from (default: 0 with --sim, else chance is the system's)")
    group.add_argument("--start", metavar="TIME", help="when virtual time begins (default: 2026-01-01T00:00:00Z)")
    group.add_argument(
        "--speed", type=float, default=1.0, metavar="FACTOR", help="virtual seconds that pass in a second (default: %(default)s)"
    )
    group.add_argument(
        "--step", default="5s", metavar="DURATION", help="how long each step of a deployment takes, like 30s or 2m (default: %(default)s)"
    )


def run(given: argparse.Namespace) -> int:
    """Serves until a signal."""
    from .access_log import AccessLog
    from .server import Server, beside

    limits = _limits(given)
    _check(given)
    with_log = None if given.no_access_log else AccessLog(sys.stderr)
    engine = _open(given)
    server: Server | None = None
    try:
        server = Server(
            engine, given.host, given.port, origins=given.origin, allow_hosts=given.allow_host, limits=limits, access_log=with_log,
            grace=given.grace,
        )  # fmt: skip
        if given.authentication == "off" and given.host not in _LOOPBACK:
            print(f"orlop: whoever reaches {given.host} may do everything: authentication is off", file=sys.stderr)
        print(f"Orlop serves {given.store} at {server.url} (authentication {given.authentication})", flush=True)
        with beside(_time_of(engine, given), engine.stop, "orlop-time", given.grace):
            server.run()
    finally:
        engine.close(_left(server, given.grace))
        if with_log is not None:
            with_log.close()
    return 0


def _left(server: Server | None, grace: float) -> float:
    """Of the grace, since the server was stopped."""
    if server is None or server.stopped_at is None:
        return grace
    return max(0.0, grace - (time.monotonic() - server.stopped_at))


def _limits(given: argparse.Namespace) -> Any:
    from .connections import Limits

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
            raise Error(f"a simulation touches nothing real: --{flag.replace('_', '-')} and --sim exclude each other", "misuse")
    if given.webhooks and given.webhook_sender:
        raise Error("--webhooks and --webhook-sender exclude each other: both carry the messages", "misuse")
    if given.start and not given.sim:
        raise Error("--start belongs to --sim: the system's clock starts nowhere", "misuse")


def _log(level: str, message: str) -> None:
    print(f"orlop: {level}: {message}", file=sys.stderr, flush=True)


def _open(given: argparse.Namespace) -> Engine:
    from .engine import Engine
    from .simulation import Simulation

    same = (
        "brand", "durability", "busy", "max_parallel_builds", "max_parallel_deploys", "step_deadline", "cancel_deadline", "history_kept",
        "kubernetes_versions", "authentication", "rate_limit", "webhook_allow", "port_timeout", "mmap_size", "require_cluster", "catalogs",
    )  # fmt: skip
    settings = {name: getattr(given, name) for name in same}
    settings["snapshot"] = given.snapshot.read_bytes() if given.snapshot else b""
    settings["secret_key"] = given.secret_key.read_bytes() if given.secret_key else b""
    settings["previous_secret_keys"] = [file.read_bytes() for file in given.previous_secret_keys]
    settings["token_authenticator"] = _token_authenticator(given)
    settings["policy_evaluator"] = _made("--policy-evaluator", given.policy_evaluator)
    settings["git_provider"] = _made("--git-provider", given.git_provider)
    settings["log"] = _log
    if not given.sim:
        driver = _named("--driver", given.driver)
        return Engine(given.store, driver=driver and driver(), webhook_sender=_webhook_sender(given), seed=given.seed, **settings)
    start = {"start": given.start} if given.start else {}
    simulation = Simulation(given.store, seed=given.seed or 0, **start, **settings)
    try:
        simulation.rules.add(after=given.step)
    except Misuse as error:
        simulation.close()
        raise Misuse(f"--step: {error}") from None
    return simulation


def _time_of(engine: Engine, given: argparse.Namespace) -> Any:
    from .simulation import Simulation

    return (lambda: engine.run(given.speed)) if isinstance(engine, Simulation) else engine.run


def _token_authenticator(given: argparse.Namespace) -> TokenAuthenticator | None:
    """Of the provider's tokens, if there is one; or the host's own."""
    if given.token_authenticator:
        if given.issuer or given.audience:
            raise Error("--token-authenticator and --issuer exclude each other: both say who calls", "misuse")
        found: TokenAuthenticator = _made("--token-authenticator", given.token_authenticator)
        return found
    if not given.issuer and not given.audience:
        return None
    if not given.issuer or not given.audience or given.authentication == "off":
        raise Error("--issuer and --audience belong together, and to --auth required", "misuse")
    try:
        from .oidc import TokenAuthenticator
    except ImportError as error:
        raise Error("PyJWT is missing, which checks the provider's tokens: pip install 'orlop[oidc]'", "misuse") from error
    try:
        return TokenAuthenticator.discover(given.issuer, audience=given.audience)
    except (KeyError, ValueError) as error:
        raise Error(f"--issuer: {error}", "misuse") from error


def _webhook_sender(given: argparse.Namespace) -> WebhookSender | None:
    """Of the messages to webhooks, if they are to leave."""
    if not given.webhooks:
        found: WebhookSender | None = _made("--webhook-sender", given.webhook_sender)
        return found
    try:
        from .webhook_senders import HttpWebhookSender
    except ImportError as error:
        raise Error("httpx is missing, which carries messages to webhooks: pip install 'orlop[webhooks]'", "misuse") from error
    return HttpWebhookSender()


def _made(flag: str, name: str | None) -> Any:
    """What "module:attribute" names; an instance, if that is a class."""
    found = _named(flag, name)
    return found() if isinstance(found, type) else found


def _named(flag: str, name: str | None) -> Any:
    """What "module:attribute" names; None of nothing."""
    from importlib import import_module

    if name is None:
        return None
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Error(f"{flag} must be MODULE:NAME: {error}", "misuse") from error
