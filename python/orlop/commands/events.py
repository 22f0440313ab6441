"""The command `orlop events`, which prints the events of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .files import add_secret_key, opened
from .output import json_text
from .read_only import opened_to_read

if TYPE_CHECKING:
    import argparse

_WAITS_FOR = 3600.0  # seconds; then it waits again


def add(commands: Any) -> None:
    events = commands.add_parser(
        "events", help="print what happened, one line for each event", description="Prints what happened, in order."
    )
    events.add_argument("store", metavar="STORE", help="the path of an SQLite file, or postgresql://…")
    events.add_argument("--since", type=int, default=0, metavar="N", help="only what came after the event numbered N")
    events.add_argument("--follow", action="store_true", help="go on with what happens from now on, until SIGINT")
    events.add_argument("--json", action="store_true", help="each event as one line of JSON")
    add_secret_key(events)
    events.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    with opened(given, role="serve") if given.follow else opened_to_read(given) as engine:
        since, timeout = given.since, 0.0
        while True:
            for event in engine.events(since, timeout=timeout):
                _print(event, given.json)
                since = event["sequence"]
            if not given.follow:
                return 0
            timeout = _WAITS_FOR


def _print(event: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json_text(event), flush=True)
        return
    moved = f" {event.get('from', '')} -> {event['to']}" if "to" in event else ""
    print(f"{event['sequence']:>6}  {event['at']}  {event['kind']:<32} {event['subject']}{moved}", flush=True)
