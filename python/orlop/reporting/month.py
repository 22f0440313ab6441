"""A month of a platform as one HTML page: the cost of each environment, alerts, hours in which environments were
stopped, backups, and a timeline of all services.

Static, like the page of a timeline: no script and no external files.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.event_text import words_of
from ..deployments.timeline_page import part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..deployments.timeline import Timeline

_STYLE = """
body { margin: 1.5rem auto; max-width: 1140px; padding: 0 1rem; background: #fff; font: 14px/1.45 system-ui, sans-serif; color: #1c2430; overflow-wrap: break-word }
h1 { font-size: 1.4rem; margin: 0 0 .2rem } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem } p { color: #5b6472; margin: 0 0 .4rem }
.month { border-collapse: collapse; width: 100% } .month th, .month td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #eceff3; vertical-align: top }
.month .number { text-align: right; font-variant-numeric: tabular-nums } .month i { display: block; height: .7rem; background: #2f7de1; border-radius: 2px; min-width: 2px }
"""


class Cost(NamedTuple):
    """The use of an environment or cluster in the month, and its cost."""

    scope: str
    name: str
    hours: float
    amount: float


class Note(NamedTuple):
    """An event of a resource, with its time."""

    at: str
    name: str
    words: str


class Month(NamedTuple):
    """The data of the page of a month: costs, invoice, alerts, stops and backups."""

    title: str
    currency: str
    costs: Sequence[Cost]
    lines: Sequence[tuple[str, float, float]]
    """Text, quantity and amount of each line of the invoice."""
    alerts: Sequence[Note]
    stops: Sequence[tuple[str, int, float]]
    """Name of each stopped environment, number of stops, and their seconds in all."""
    backups: Sequence[Note]


def costs_of(usage: Iterable[Any]) -> list[Cost]:
    """Returns the costs of the last month, from the answer of `GET /organization/{organizationId}/usage`."""
    entries = [(entry, entry["last_month"]) for entry in usage]
    return [
        Cost(entry["scope"], entry["name"], month["instance_hours"] + month["cluster_hours"], month["cost"]["total"])
        for entry, month in entries
    ]


def stops_of(timeline: Timeline, environments: Iterable[str]) -> list[tuple[str, int, float]]:
    """Returns how often and how long each environment was stopped, measured by its first service: a deployment rule
    stops all of them."""
    found = []
    for name in environments:
        rows = [row for row in timeline.rows if row.group == name]
        spans = [span for span in rows[0].spans if span.state == "STOPPED"] if rows else []
        if spans:
            found.append((name, len(spans), sum(span.seconds for span in spans)))
    return found


def page(month: Month, timeline: Timeline) -> str:
    total = sum(amount for _, _, amount in month.lines)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(month.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>"
        f"{escape(month.title)}</h1>\n"
        f"<p>{total:.2f} {escape(month.currency)} in all</p>\n{_costs(month)}\n{_invoice(month)}\n"
        f"{_notes('Alerts', month.alerts)}\n{_stops(month)}\n{_notes('Backups', month.backups)}\n<h2>All "
        f"services</h2>\n{part(timeline)}\n</body>\n</html>\n"
    )


def _costs(month: Month) -> str:
    most = max((cost.amount for cost in month.costs), default=0) or 1
    rows = [
        f"<tr><td>{escape(cost.scope.lower())}</td><td>{escape(cost.name)}</td>{_number(cost.hours, 1)}"
        f"{_number(cost.amount, 2)}"
        f'<td><i style="width:{100 * cost.amount / most:.1f}%"></i></td></tr>'
        for cost in sorted(month.costs, key=lambda cost: (cost.scope, -cost.amount))
    ]
    return _table(
        "Cost by environment and cluster", ("Kind", "Name", "Hours", month.currency, ""), rows, numbers=(2, 3)
    )


def _invoice(month: Month) -> str:
    rows = [
        f"<tr><td>{escape(text)}</td>{_number(quantity, 1)}{_number(amount, 2)}</tr>"
        for text, quantity, amount in month.lines
    ]
    return _table("Invoice", ("", "Quantity", month.currency), rows, numbers=(1, 2))


def _notes(title: str, notes: Sequence[Note]) -> str:
    rows = [
        f"<tr><td>{escape(note.at[:16].replace('T', ' '))}</td><td>{escape(note.name)}</td><td>"
        f"{escape(note.words)}</td></tr>"
        for note in notes
    ]
    return _table(title, ("Time (UTC)", "Name", ""), rows)


def _stops(month: Month) -> str:
    rows = [
        f"<tr><td>{escape(name)}</td>{_number(count, 0)}<td>{words_of(seconds)}</td></tr>"
        for name, count, seconds in month.stops
    ]
    return _table("Stopped by the clock", ("Environment", "Times", "In all"), rows, numbers=(1,))


def _number(value: float, decimals: int) -> str:
    return f'<td class="number">{value:,.{decimals}f}</td>'


# `numbers`: indexes of the columns that hold numbers.
def _table(title: str, heads: Sequence[str], rows: Sequence[str], numbers: Sequence[int] = ()) -> str:
    head = "".join(
        f'<th class="number">{escape(name)}</th>' if place in numbers else f"<th>{escape(name)}</th>"
        for place, name in enumerate(heads)
    )
    return f'<h2>{escape(title)}</h2>\n<table class="month">\n<tr>{head}</tr>\n' + "\n".join(rows) + "\n</table>"
