"""The command `orlop`: a server, and looks into a store. Every subcommand explains itself with --help."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import __version__
from ..errors import Error, Misuse
from . import check, events, forks, serve, sim, stores, tokens, traces
from .ending import INTERRUPTED, say
from .output import show_any_letter

if TYPE_CHECKING:
    from collections.abc import Sequence


# Exit status: 1 is what a command found, such as a broken expectation or a difference.
_CANNOT = 2  # wrong arguments, a bad file, a full disk; also what argparse exits with
_NOT_READ = 128 + 13  # as of a command that SIGPIPE ended: the reader of the output has gone


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and answers its exit status: 0; 1 for what it found; 2 if it could not do what was asked."""
    show_any_letter()
    try:
        try:
            given = _parser().parse_args(arguments)
            status: int = given.run(given)
        finally:
            print(end="", flush=True)  # a full disk and a closed pipe are met here, also after --help
        return status
    except BrokenPipeError:
        _drop_output()
        return _NOT_READ
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except (Error, OSError) as error:
        say(str(error))
        _drop_output()
        return _CANNOT


def _drop_output() -> None:
    """Drops what is left of the output if it cannot be written: that would fail once more when the process ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            print(end="", flush=True, file=stream)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_MAY_BE_EMPTY = (
    "engine_name",
    "dask",
    "find",
    "host",
)  # arguments for which an empty text means the same as none, or that their command refuses itself


class _Parser(argparse.ArgumentParser):
    """One for which a help text that cannot be written is an error, which newer versions of Python ignore, and that
    refuses empty arguments."""

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """An empty argument is that of a variable of the shell that is not set: it must not mean a default, the current
        folder or any value."""
        is_whole_rest = isinstance(
            action, argparse._SubParsersAction
        )  # the subcommand with all that follows, which its own parser reads
        if arg_string == "" and not is_whole_rest and action.dest not in _MAY_BE_EMPTY:
            raise Misuse(
                f"{'/'.join(action.option_strings) or action.metavar or action.dest} must not be empty; leave it "
                f"out where there is none"
            )
        return super()._get_value(action, arg_string)

    def _print_message(self, message: str, file: Any = None) -> None:
        if message:
            (file or sys.stderr).write(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="orlop",
        description="A deployment platform that runs inside another program, from the shell.",
        epilog="Exit status: 0; 1 if a command found what it looks for (a broken expectation, a difference, a "
        "fault); 2 if it could not do what was asked.",
    )
    parser.add_argument("--version", action="version", version=f"orlop {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    serve.add(commands)
    sim.add(commands)
    traces.add(commands)
    forks.add(commands)
    events.add(commands)
    check.add(commands)
    stores.add(commands)
    tokens.add(commands)
    described = commands.add_parser(
        "openapi", help="print the description of the interface", description="Prints the OpenAPI description."
    )
    _add_brand(described)
    described.set_defaults(run=_describe)
    diagram = commands.add_parser(
        "diagram", help="print a state machine as a diagram", description="Prints a state machine as a diagram."
    )
    diagram.add_argument("machine", choices=("service", "cluster"), help="whose")
    diagram.add_argument("--dot", action="store_true", help="for Graphviz; without it for Mermaid")
    diagram.set_defaults(
        run=lambda given: _print_text(_core.describe(f"diagram/{given.machine}.{'dot' if given.dot else 'mmd'}"))
    )
    return parser


def _add_brand(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--brand",
        metavar="NAME",
        help="the name of the platform, as the engine on the store has it (default: platform)",
    )


def _brand(given: argparse.Namespace) -> dict[str, Any]:
    """The option of the engine, if it is given."""
    return {} if given.brand is None else {"brand": given.brand}


def _describe(given: argparse.Namespace) -> int:
    from ..engine.engine import Engine

    with Engine(**_brand(given)) as engine:
        return _print_text(engine.request("GET", "/openapi.json").body.decode())


def _print_text(text: str) -> int:
    print(text, end="" if text.endswith("\n") else "\n")
    return 0
