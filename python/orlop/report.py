"""A timeline as one page of HTML: a drawing, and the same as a table. Static: no script, and nothing loaded from anywhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .deployment import words_of
from .timeline import PHASES, phase_of

if TYPE_CHECKING:
    from .timeline import Row, Timeline

_LABEL, _CHART, _LINE, _BAR = 190, 900, 24, 15  # pixels
_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1140px; padding: 0 1rem; color: #1c2430; background: #fff }
h1 { font-size: 1.25rem; margin-bottom: .2rem } p { color: #5b6472; margin-top: 0 }
svg { width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: #1c2430 } .group { font-weight: 600 }
.tick { stroke: #e4e7ec } .time { fill: #7a8494; font-size: 11px }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem } li i { display: inline-block; width: .8rem;
height: .8rem; border-radius: 2px; margin-right: .4rem; vertical-align: -1px }
table { border-collapse: collapse; margin-top: 1.2rem; width: 100% } th, td { text-align: left; padding: .2rem .6rem .2rem 0;
border-bottom: 1px solid #eceff3; vertical-align: top } td:last-child { font-size: 12px; color: #4a5361 }
"""


def page(timeline: Timeline) -> str:
    """The page, as text."""
    title = escape(timeline.title or "Timeline")
    legend = "".join(f'<li><i style="background:{phase.colour}"></i>{phase.meaning}</li>' for phase in PHASES)
    facts = f"{timeline.begin:%Y-%m-%d %H:%M:%S} to {timeline.end:%Y-%m-%d %H:%M:%S} UTC, {words_of(timeline.seconds)}"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
        f"</head>\n<body>\n<h1>{title}</h1>\n<p>{facts}</p>\n<ul>{legend}</ul>\n{_drawing(timeline)}\n{_table(timeline)}\n"
        "</body>\n</html>\n"
    )


def _drawing(timeline: Timeline) -> str:
    parts = []
    y = 24
    group = ""
    for row in timeline.rows:
        if row.group != group:
            group = row.group
            parts.append(f'<text class="group" x="0" y="{y + 12}">{escape(group)}</text>')
            y += _LINE
        parts.append(f'<text x="12" y="{y + 12}">{escape(row.name)}</text>')
        parts.extend(_bar(timeline, row, y))
        y += _LINE
    return (
        f'<svg viewBox="0 0 {_LABEL + _CHART} {y + 4}" role="img" aria-label="{escape(timeline.title)}">\n'
        + "\n".join(_ticks(timeline, y) + parts)
        + "\n</svg>"
    )


def _ticks(timeline: Timeline, height: int) -> list[str]:
    parts = []
    for number in range(7):
        x = _LABEL + _CHART * number / 6
        anchor = "start" if number == 0 else "end" if number == 6 else "middle"
        words = words_of(timeline.seconds * number / 6)
        parts.append(f'<line class="tick" x1="{x:.0f}" x2="{x:.0f}" y1="18" y2="{height}"/>')
        parts.append(f'<text class="time" x="{x:.0f}" y="12" text-anchor="{anchor}">{words}</text>')
    return parts


def _bar(timeline: Timeline, row: Row, y: int) -> list[str]:
    parts = []
    for span in row.spans:
        x = _LABEL + _CHART * (span.begin - timeline.begin).total_seconds() / timeline.seconds
        width = max(1.0, _CHART * span.seconds / timeline.seconds)
        words = f"{escape(row.name)}: {span.state} {words_of(span.seconds)}, from {span.begin:%H:%M:%S}"
        parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}" rx="2" fill="{phase_of(span.state).colour}">'
            f"<title>{words}</title></rect>"
        )
    return parts


def _table(timeline: Timeline) -> str:
    rows = "\n".join(
        f"<tr><td>{escape(row.group)}</td><td>{escape(row.name)}</td><td>{row.spans[-1].state}</td>"
        f"<td>{', '.join(f'{span.state} {words_of(span.seconds)}' for span in row.spans)}</td></tr>"
        for row in timeline.rows
        if row.spans
    )
    return f"<table>\n<tr><th>Group</th><th>Name</th><th>State</th><th>On the way</th></tr>\n{rows}\n</table>"
