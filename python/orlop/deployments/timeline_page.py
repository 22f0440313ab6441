"""A timeline as HTML: a chart, and the same as a table. Static: no script and no external files.

The boxes of the chart are positioned in percent, so that its text keeps its size at any width. On a narrow page a name
is above its bar, on a wide one to its left.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..base.event_text import words_of
from .phases import PHASES, phase_of

if TYPE_CHECKING:
    from .spans import Row, Rows

_TICKS = 6
_PAGE_STYLE = "body { margin: 1.5rem auto; max-width: 1140px; padding: 0 1rem; background: #fff }"
_STYLE = """
.orlop-timeline { font: 14px/1.45 system-ui, sans-serif; color: #1c2430; background: #fff; overflow-wrap: break-word }
.orlop-timeline .title { font-size: 1.25rem; font-weight: 600; margin: 0 0 .2rem } .orlop-timeline .facts { color: #5b6472; margin: 0 }
.orlop-timeline ul { list-style: none; margin: .8rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem }
.orlop-timeline li i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .4rem; vertical-align: -1px }
.orlop-timeline .group { font-weight: 600; margin-top: .4rem }
.orlop-timeline .row { display: grid; grid-template-columns: 15rem minmax(0, 1fr); column-gap: .8rem; align-items: center; margin: 3px 0 }
.orlop-timeline .track { position: relative; display: block; height: 16px; overflow: hidden;
background: repeating-linear-gradient(to right, #e4e7ec 0 1px, transparent 1px calc(100% / 6)) }
.orlop-timeline .track i { position: absolute; top: 0; bottom: 0; min-width: 2px; border-radius: 2px }
.orlop-timeline .axis { background: none; overflow: visible; color: #7a8494; font-size: 11px } .orlop-timeline .axis b { position: absolute; font-weight: 400; white-space: nowrap }
.orlop-timeline .axis b { transform: translateX(-50%) } .orlop-timeline .axis b:first-child { transform: none }
.orlop-timeline .axis b:last-child { transform: translateX(-100%) }
.orlop-timeline table { border-collapse: collapse; margin-top: 1.2rem; width: 100% }
.orlop-timeline th, .orlop-timeline td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #eceff3; vertical-align: top }
.orlop-timeline .row span, .orlop-timeline td:nth-child(2), .orlop-timeline td:last-child { overflow-wrap: anywhere }
.orlop-timeline td:last-child { font-size: 12px; color: #4a5361 }
@media (max-width: 640px) { .orlop-timeline .row { grid-template-columns: minmax(0, 1fr) } .orlop-timeline .axis b:nth-child(even) { display: none }
.orlop-timeline tr { display: block; border-bottom: 1px solid #eceff3; padding: .3rem 0 } .orlop-timeline th { display: none }
.orlop-timeline td { display: block; border: none; padding: 0 } }
"""


def page(timeline: Rows) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(timeline.title or 'Timeline')}</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n<body>"
        f"\n{part(timeline, 'h1')}\n"
        "</body>\n</html>\n"
    )


def part(timeline: Rows, heading: str = "p") -> str:
    """Returns one element that contains its style, for use in any page."""
    title = escape(timeline.title or "Timeline")
    legend = "".join(f'<li><i style="background:{phase.colour}"></i>{phase.meaning}</li>' for phase in PHASES)
    facts = f"{timeline.begin:%Y-%m-%d %H:%M:%S} to {timeline.end:%Y-%m-%d %H:%M:%S} UTC, {words_of(timeline.seconds)}"
    return (
        f'<div class="orlop-timeline">\n<style>{_STYLE}</style>\n<{heading} class="title">{title}</{heading}>\n<p '
        f'class="facts">{facts}</p>\n'
        f'<ul>{legend}</ul>\n<div role="img" '
        f'aria-label="{title}">\n{_chart(timeline)}\n</div>\n{_table(timeline)}\n</div>'
    )


def _chart(timeline: Rows) -> str:
    parts = [f'<div class="row"><span></span><span class="track axis">{_ticks(timeline)}</span></div>']
    group = ""
    for row in timeline.rows:
        if row.group != group:
            group = row.group
            parts.append(f'<div class="group">{escape(group)}</div>')
        parts.append(
            f'<div class="row"><span>{escape(row.name)}</span><span class="track">{_bars(timeline, row)}</span></div>'
        )
    return "\n".join(parts)


def _ticks(timeline: Rows) -> str:
    places = [number / _TICKS for number in range(_TICKS + 1)]
    return "".join(f'<b style="left:{100 * place:.2f}%">{words_of(timeline.seconds * place)}</b>' for place in places)


def _bars(timeline: Rows, row: Row) -> str:
    parts = []
    for span in row.spans:
        left = 100 * (span.begin - timeline.begin).total_seconds() / timeline.seconds
        width = 100 * span.seconds / timeline.seconds
        words = f"{escape(row.name)}: {span.state} {words_of(span.seconds)}, from {span.begin:%H:%M:%S}"
        if row.reason and span is row.spans[-1]:
            words += f": {escape(row.reason)}"
        parts.append(
            f'<i style="left:min({left:.2f}%,100% - '
            f'2px);width:{width:.2f}%;background:{phase_of(span.state).colour}" title="{words}"></i>'
        )
    return "".join(parts)


def _table(timeline: Rows) -> str:
    has_engines = any(row.engines for row in timeline.rows)
    rows = "\n".join(
        f"<tr><td>{escape(row.group)}</td><td>{escape(row.name)}</td><td>{row.spans[-1].state}</td>"
        f"<td>{', '.join(f'{span.state} {words_of(span.seconds)}' for span in row.spans)}</td>"
        + (f"<td>{escape(', then '.join(row.engines))}</td>" if has_engines else "")
        + f"<td>{escape(row.reason)}</td></tr>"
        for row in timeline.rows
        if row.spans
    )
    engines = "<th>Engines</th>" if has_engines else ""
    return (
        f"<table>\n<tr><th>Group</th><th>Name</th><th>State</th><th>On the "
        f"way</th>{engines}<th>Reason</th></tr>\n{rows}\n</table>"
    )
