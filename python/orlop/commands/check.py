"""The command `orlop check`, which reads a whole store."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from ..errors import NotFound, StorageCorrupt
from ..options.storage_libraries import shown_storage
from .ending import say
from .files import add_secret_key, opened
from .output import json_text
from .read_only import opened_to_read

if TYPE_CHECKING:
    import argparse

    from ..engine.engine import Engine
    from ..resources.resource import Resource

_UNREADABLE = "Put back a backup (orlop restore), or import the last snapshot into a new store (orlop import)."


def add(commands: Any) -> None:
    check = commands.add_parser(
        "check",
        help="read all of a store",
        description="Reads all of a store, and says what is wrong, where, and what to do. Exit status: 0, the store is "
        "sound; 1, it is not; 2, it cannot be opened.",
    )
    check.add_argument("store", metavar="STORE", help="the path of an SQLite file, or postgresql://…")
    check.add_argument("--json", action="store_true", help="the counts and the faults as JSON")
    add_secret_key(check)
    check.add_argument(
        "--repair",
        action="store_true",
        help="put right what can be: the states of services, clusters, tasks and deployment requests",
    )
    check.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    try:
        with opened(given) if given.repair else opened_to_read(given) as engine:
            faults = engine.check(given.repair)
            left = [fault for fault in faults if not (given.repair and fault["is_repairable"])]
            events = engine.last_event
            counts = {} if left else _counts(engine)
    except StorageCorrupt as error:  # the fault that the command looks for
        say(str(error))
        say(_UNREADABLE)
        return 1
    if given.json:
        print(
            json_text(
                {
                    "store": shown_storage(given.store),
                    "events": events,
                    "resources": counts,
                    "faults": faults,
                    "repaired": given.repair,
                }
            )
        )
        return 1 if left else 0
    for fault in faults:
        _print(fault, is_repaired=fault not in left)
    if left:
        say(f"{shown_storage(given.store)} is damaged: {len(left)} fault{'s' if len(left) > 1 else ''}")
        return 1
    names = ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"
    print(f"{shown_storage(given.store)} is sound: {names}; {events} events")
    return 0


def _print(fault: dict[str, Any], is_repaired: bool) -> None:
    subject = " ".join(part for part in (fault["type"], fault["id"]) if part)
    print(f"{subject} {fault['fault']}{': repaired' if is_repaired else ''}")
    if not is_repaired:
        print(f"    {fault['advice']}")


def _counts(engine: Engine) -> dict[str, int]:
    counts: dict[str, int] = {}
    for organization in engine.organizations:
        _count(organization, counts)
    return counts


def _count(resource: Resource, counts: dict[str, int]) -> None:
    """Counts a resource and everything below it."""
    from ..resources.resource import Listable

    family = resource._family
    counts[family.name] = counts.get(family.name, 0) + 1
    for below in family.children:
        collection = getattr(resource, below)
        with contextlib.suppress(NotFound):  # another process has deleted the resource
            for child in collection if isinstance(collection, Listable) else ():
                _count(child, counts)
