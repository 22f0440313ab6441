"""The command `orlop`: a server, and commands that inspect a store. Every subcommand explains itself with --help."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import __version__
from ..errors import Error, Misuse
from . import check, driver_check, events, forks, serve, services, sim, stores, tokens, traces, up
from .ending import INTERRUPTED, say
from .output import show_any_letter

if TYPE_CHECKING:
    from collections.abc import Sequence


# Exit status 1: a command found what it looks for, such as a broken expectation or a difference.
_CANNOT = 2  # wrong arguments, a bad file, a full disk; argparse exits with it, too
_NOT_READ = 128 + 13  # the reader of the output has closed it; also the status of a command that SIGPIPE ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status: 0; 1 if it found what it looks for; 2 if it could not do its
    task."""
    show_any_letter()
    try:
        try:
            parser = _parser()
            if "_ARGCOMPLETE" in os.environ:
                _complete(parser)
            given = parser.parse_args(arguments)
            status: int = given.run(given)
        finally:
            print(end="", flush=True)  # raises the errors of a full disk and a closed pipe, also after --help
        return status
    except BrokenPipeError:
        _drop_output()
        return _NOT_READ
    except KeyboardInterrupt as interruption:
        say("; ".join(["interrupted", *interruption.args]))
        return INTERRUPTED
    except (Error, OSError) as error:
        say(str(error))
        _drop_output()
        return _CANNOT


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answers the completion of a shell, and ends the process then."""
    with contextlib.suppress(ImportError):
        import argcomplete

        nothing = argcomplete.completers.SuppressCompleter()  # the shell itself completes names of files
        argcomplete.autocomplete(parser, always_complete_options=False, default_completer=nothing)


def _drop_output() -> None:
    """Drops the rest of the output if it cannot be written, which would fail again when the process ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            print(end="", flush=True, file=stream)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_MAY_BE_EMPTY = (
    "command",
    "engine_name",
    "dask",
    "find",
    "host",
)  # arguments for which an empty text means the same as none, or that their command itself refuses


class _Parser(argparse.ArgumentParser):
    """A parser that refuses empty arguments. A help text that cannot be written is an error, which newer versions of
    Python ignore."""

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Refuses an empty argument, which comes from an unset variable of the shell: it must not mean a default, the
        current folder or any value."""
        # The subcommand and all that follows it, which its own parser reads.
        is_whole_rest = isinstance(action, argparse._SubParsersAction)
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
    up.add(commands)
    services.add(commands)
    serve.add(commands)
    sim.add(commands)
    traces.add(commands)
    forks.add(commands)
    events.add(commands)
    check.add(commands)
    driver_check.add(commands)
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
    return {} if given.brand is None else {"brand": given.brand}


def _describe(given: argparse.Namespace) -> int:
    from ..engine.engine import Engine

    with Engine(**_brand(given)) as engine:
        return _print_text(engine.request("GET", "/openapi.json").body.decode())


def _print_text(text: str) -> int:
    print(text, end="" if text.endswith("\n") else "\n")
    return 0
