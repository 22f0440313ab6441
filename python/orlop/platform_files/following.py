"""Deployments in progress, as lines of a terminal: one line for each service, rewritten in place, or one for each
change where the output is no terminal."""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from typing import TYPE_CHECKING, Any, TextIO

from ..base.event_text import cut, in_lines, is_change_of_state, words_of
from ..errors import NotFound
from ..generated.states import ERROR, TRANSIENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..deployments.deployment import Deployment
    from ..engine.engine import Engine

_WAIT = 0.25  # seconds of a wait for events
_GRACE = 10.0  # seconds for steps that run when the command ends


@contextlib.contextmanager
def running(engine: Engine) -> Iterator[None]:
    """Advances the deployments of the engine during the block, on a thread. Raises what the thread has raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            engine.run()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, name="orlop-time", daemon=True)
    thread.start()
    try:
        yield
    finally:
        engine.stop()
        thread.join(_GRACE)
    if raised:
        raise raised[0]


def follow(engine: Engine, deployments: Sequence[Deployment], names: Mapping[str, str], out: TextIO) -> bool:
    """Waits for the end of the deployments and writes what happens. `names`: those of the services by id. Returns
    False if one has failed or was canceled."""
    view = (
        Table(out, names) if out.isatty() and len(names) < shutil.get_terminal_size().lines - 2 else Lines(out, names)
    )
    since: dict[str, int] = {each.id: 0 for each in deployments}
    with running(engine):
        while True:
            is_done = all(_is_done(each) for each in deployments)
            for each in deployments:
                for event in engine.events(since[each.id], request=each, timeout=0 if is_done else _WAIT):
                    since[each.id] = event["sequence"]
                    view.show(event)
            view.refresh()
            if is_done:
                break
    view.end()
    return all(_is_ok(each) for each in deployments)


def _is_done(deployment: Deployment) -> bool:
    try:
        return deployment.is_done
    except NotFound:  # it has deleted its environment
        return True


def _is_ok(deployment: Deployment) -> bool:
    try:
        return deployment.ok
    except NotFound:
        return True


class Lines:
    """One line for each change of state, and for each failure with its reason."""

    def __init__(self, out: TextIO, names: Mapping[str, str]) -> None:
        self._out = out
        self._names = names
        self._reasons: dict[str, str] = {}

    def show(self, event: Mapping[str, Any]) -> None:
        """Writes the lines of an event."""
        name = self._names.get(event["subject"], event["subject"])
        detail = event.get("detail") or {}
        if is_change_of_state(event):
            if event["to"].startswith("WAITING") or event["to"].endswith("QUEUED"):
                return
            reason = str(detail.get("reason", ""))
            self._write(f"{name}: {event['to']}" + (f": {reason}" if reason else ""))
        elif event["kind"] == "deployment.ended" and detail.get("reason"):
            self._write(str(detail["reason"]))

    def refresh(self) -> None:
        """Writes what time alone changes: nothing."""

    def end(self) -> None:
        """Ends the view."""
        self._out.flush()

    def _write(self, line: str) -> None:
        self._out.write("".join(f"{in_lines([each])}\n" for each in line.splitlines()))
        self._out.flush()


class Table:
    """One line for each service, rewritten in place: state, time and the last line of its log."""

    def __init__(self, out: TextIO, names: Mapping[str, str]) -> None:
        self._out = out
        self._names = names
        self._rows: dict[str, tuple[str, float, str]] = {}
        self._failures: list[str] = []
        self._drawn = 0

    def show(self, event: Mapping[str, Any]) -> None:
        """Notes an event."""
        subject, detail = event["subject"], event.get("detail") or {}
        state, begun, text = self._rows.get(subject, ("", time.monotonic(), ""))
        if is_change_of_state(event):
            state, text = str(event["to"]), text if event["to"] in TRANSIENT else ""
            if state in ERROR and detail.get("reason"):
                self._failures.append(f"{self._names.get(subject, subject)}: {detail['reason']}")
        elif event["kind"] in ("step.progress", "step.log"):
            text = str(detail.get("text", ""))
        else:
            return
        self._rows[subject] = (state, begun, text)

    def refresh(self) -> None:
        """Draws the lines."""
        width = shutil.get_terminal_size().columns - 1
        size = max((len(self._names.get(each, each)) for each in self._rows), default=0)
        lines = []
        for subject, (state, begun, text) in self._rows.items():
            passed = words_of(time.monotonic() - begun) if state in TRANSIENT else ""
            lines.append(cut(f"{self._names.get(subject, subject):<{size}}  {state:<17} {passed:>6}  {text}", width))
        up = f"\x1b[{self._drawn}A" if self._drawn else ""
        self._out.write(up + "".join(f"\r\x1b[2K{line.rstrip()}\n" for line in lines))
        self._out.flush()
        self._drawn = len(lines)

    def end(self) -> None:
        """Writes the reasons of failures below the lines."""
        for failure in self._failures:
            self._out.write("".join(f"{in_lines([each])}\n" for each in failure.splitlines()))
        self._out.flush()
