"""The report of a run: one HTML page that loads no external files."""

from __future__ import annotations

import functools
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.event_text import words_of
from ..errors import Misuse
from ..options.arguments import path as path_of
from ..options.arguments import shown
from ..options.arguments import text as text_of
from .answer import answer_of
from .run_data import Trace, page_data, run_data

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from ..base.engine_protocol import EngineWithObjects

_FOLDER = Path(__file__).with_name("page")
_SCRIPTS = ("data.js", "gantt.js", "charts.js", "tables.js", "page.js")
_NOTEBOOK_HEIGHT = 720  # pixels
# The page may run the scripts inside it, and load nothing.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


class Report:
    """The events of one run, or of two for comparison: a summary, services over time, queues, durations, failures.

    A notebook shows it; `save` writes it as one HTML page that needs no network. It can be pickled and copied.
    """

    title: str
    """Title of the page."""

    def __init__(
        self,
        title: str,
        trace: Trace,
        other: Trace | None = None,
        *,
        facts: Sequence[str] = (),
        many: Mapping[str, Any] | None = None,
        verdict: str = "",
    ) -> None:
        from ..simulation.traces.differences import first_difference

        self.title = title
        self._runs = [run_data(each) for each in (trace, other) if each is not None]
        self._difference = str(first_difference(trace, other) or "") if other is not None else ""
        self._many = many
        self._answer = [*([verdict] if verdict else []), *(answer_of(run) for run in self._runs)]
        self._facts = [*facts, *self._counts()]

    @classmethod
    def of(cls, engine: EngineWithObjects, other: EngineWithObjects | None = None, *, title: str = "") -> Report:
        """Returns the report of an engine's store, or of two for comparison. Raises `Misuse`."""
        from ..simulation.traces.subjects import trace_of

        for name, given in (("engine", engine), ("other", engine if other is None else other)):
            if not hasattr(given, "_read_events"):
                raise Misuse(f"{name} must be an engine, not {shown(given)}")
        title = text_of("title", title)
        return cls(
            title or "Report", trace_of(engine, "this run"), None if other is None else trace_of(other, "the other run")
        )

    def html(self) -> str:
        """Returns the page."""
        data = page_data(self.title, self._facts, self._runs, self._many, self._difference, self._answer)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
            f'content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n<title>{escape(self.title)}</title>\n'
            f"<style>{_asset('uplot.min.css')}{_asset('page.css')}</style>\n</head>\n<body>\n<main><noscript>This "
            f"report needs JavaScript.</noscript></main>\n"
            f"<script>{_asset('uplot.min.js')}</script>\n<script>\n'use strict';\n(() => {{\nconst report = "
            f"{data};\n{_script()}}})();\n</script>\n</body>\n</html>\n"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page. Raises OSError if it cannot be written."""
        # Names of files may hold any bytes.
        with open(path_of("path", path), "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(self.html())

    def _repr_html_(self) -> str:
        """For notebooks: the page in a frame, which isolates its styles and scripts from those of the notebook."""
        return (
            f'<iframe title="{escape(self.title)}" srcdoc="{escape(self.html())}" '
            f'style="width:100%;height:{_NOTEBOOK_HEIGHT}px;border:0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Report {self.title!r}: {', '.join(self._facts)}>"

    def _counts(self) -> list[str]:
        run = self._runs[0]
        ended = sum(deployment[3] is not None for deployment in run["deployments"])
        return [
            f"{run['label']}",
            words_of(run["end"] - run["begin"]),
            f"{len(run['rows'])} services and clusters",
            f"{len(run['deployments'])} deployments, {ended} ended",
            f"{len(run['failures'])} failed steps",
            *([f"nodes for {run['cost']:.2f}"] if run["cost"] else []),
        ]


@functools.cache
def _asset(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _script() -> str:
    return "".join(_asset(name) for name in _SCRIPTS)
