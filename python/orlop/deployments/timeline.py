"""The states of services over time, from the events: as text, or as an HTML page."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from ..base.event_text import cut, instant, is_change_of_state, words_of
from ..errors import Misuse
from ..options.arguments import path as path_of
from ..options.arguments import whole
from .phases import FAILED, IDLE, PHASES, phase_of
from .spans import Row, Span

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence


_WIDTH_MIN, _WIDTH_MAX = 40, 10_000  # characters


class Timeline:
    """The states of services over time. It can be pickled and copied."""

    title: str
    """Title of the chart."""
    rows: tuple[Row, ...]
    """One row for each service, in the order of stages."""
    begin: datetime
    """Time of the first event."""
    end: datetime
    """Time of the last event; at least a millisecond after `begin`."""

    def __init__(self, title: str, rows: Sequence[Row], begin: datetime, end: datetime) -> None:
        self.title = title
        self.rows = tuple(rows)
        self.begin = begin
        self.end = end

    @classmethod
    def of(
        cls, events: Iterable[Mapping[str, Any]], names: Mapping[str, tuple[str, str]], *, title: str = ""
    ) -> Timeline:
        """Makes a timeline of the state changes among the events. `names` maps each subject to its group and name, in
        the order of the rows. Raises `Misuse`."""
        try:
            return cls._of(events, names, title)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            wanted = (
                "events must be events as Engine.events gives them, and names a mapping of their subjects "
                "to pairs of group and name"
            )
            raise Misuse(wanted) from error

    @classmethod
    def _of(cls, events: Iterable[Mapping[str, Any]], names: Mapping[str, tuple[str, str]], title: str) -> Timeline:
        changes: dict[str, list[tuple[datetime, str]]] = {subject: [] for subject in names}
        reasons: dict[str, str] = {}
        engines: dict[str, list[str]] = {subject: [] for subject in names}
        begin: datetime | None = None
        end: datetime | None = None
        for event in events:
            at = instant(event["at"])
            begin, end = begin or at, at
            engine = (
                (event.get("detail") or {}).get("engine", "") if event["kind"] in ("step.started", "step.ended") else ""
            )
            if engine and event["subject"] in engines and engines[event["subject"]][-1:] != [engine]:
                engines[event["subject"]].append(engine)
            if event["subject"] in changes and is_change_of_state(event):
                changes[event["subject"]].append((at, event["to"]))
                reasons[event["subject"]] = (event.get("detail") or {}).get("reason", "")
        begin = begin or datetime.fromtimestamp(0, timezone.utc)
        end = max(end or begin, begin + timedelta(milliseconds=1))
        rows = [
            Row(*names[subject], _spans(states, end), reasons[subject], tuple(engines[subject]))
            for subject, states in changes.items()
            if states
        ]
        return cls(title, rows, begin, end)

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return (self.end - self.begin).total_seconds()

    def text(self, width: int = 110) -> str:
        """Returns the timeline as text: one line for each row, one character for each slice of time, the reasons of
        failures, the engines that drove the steps, and a legend.

        `width` is the width in characters, 40 to 10,000. A name that is longer than half of it is cut in its middle.
        Raises `Misuse`.
        """
        whole("width", width, _WIDTH_MIN, _WIDTH_MAX)
        names = [f"  {cut(row.name, width // 2 - 2)}" for row in self.rows]
        groups = [cut(row.group, width // 2) for row in self.rows]
        label = max(map(len, [*names, *groups, " " * 8]))
        columns = width - label - 1
        lines = (
            [f"{self.title}  ({words_of(self.seconds)}, from {self._clock(self.begin)} to {self._clock(self.end)})"]
            if self.title
            else []
        )
        lines.append(" " * (label + 1) + self._scale(columns))
        group = ""
        for row, name, its_group in zip(self.rows, names, groups):
            if its_group != group:
                group = its_group
                lines.append(group)
            lines.append(name.ljust(label + 1) + self._bar(row, columns).rstrip())
        lines.append("")
        lines += [cut(f"{FAILED.glyph} {row.name}: {row.reason}", width) for row in self.rows if row.reason]
        lines += [
            cut(f"{row.name}: driven by {', then '.join(row.engines)}", width) for row in self.rows if row.engines
        ]
        lines.append("   ".join(f"{phase.glyph} {phase.meaning}" for phase in PHASES))
        return "\n".join(lines)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the timeline as one self-contained HTML page. Raises OSError if it cannot be written."""
        from .timeline_page import page

        with open(path_of("path", path), "w", encoding="utf-8", newline="\n") as file:
            file.write(page(self))

    def _repr_html_(self) -> str:
        """For notebooks: the timeline as HTML."""
        from .timeline_page import part

        return part(self)

    def __repr__(self) -> str:
        return f"<Timeline {self.title!r}: {len(self.rows)} rows, {words_of(self.seconds)}>"

    def _clock(self, at: datetime) -> str:
        """Returns the time of day, with milliseconds if the timeline is shorter than a second."""
        return at.strftime("%H:%M:%S") if self.seconds >= 1 else at.strftime("%H:%M:%S.%f")[:-3]

    def _bar(self, row: Row, columns: int) -> str:
        slices = [IDLE] * columns
        for span in row.spans:
            first = min(int((span.begin - self.begin).total_seconds() / self.seconds * columns), columns - 1)
            last = int((span.end - self.begin).total_seconds() / self.seconds * columns)
            for column in range(first, min(max(last, first + 1), columns)):
                slices[column] = phase_of(span.state)
        return "".join(phase.glyph for phase in slices)

    def _scale(self, columns: int) -> str:
        marks = [" "] * (columns + 10)
        for number in range(max(1, columns // 20)):
            column = number * 20
            for offset, character in enumerate("|" + words_of(self.seconds * column / columns)):
                marks[column + offset] = character
        return "".join(marks).rstrip()


def _spans(states: list[tuple[datetime, str]], end: datetime) -> tuple[Span, ...]:
    ends = [at for at, _ in states[1:]] + [end]
    return tuple(Span(state, at, until) for (at, state), until in zip(states, ends) if until > at or at == end)
