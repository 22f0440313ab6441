"""Steps without an engine, and commands that end only by a signal."""

from __future__ import annotations

import os
import pathlib
import threading
from collections.abc import Callable
from typing import Any

from orlop.drivers.driver import Step
from processes import WITHIN, wait_until


class Reports:
    """The reports of a step, in place of an engine."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._changed = threading.Condition()

    def report(self, step: str, kind: str, text: str) -> None:
        assert kind == "log_line"
        with self._changed:
            self.lines.append(text)
            self._changed.notify_all()

    def report_running(self, service: str, state: str, observation: str) -> None:
        raise AssertionError("nothing is observed here")

    def wait_for(self, line: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: line in self.lines, WITHIN), self.lines


class Bench:
    """Makes steps that have no engine."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder / "run"
        self.reports = Reports()

    def step(self, name: str = "web") -> Step:
        step = Step({"id": f"step-of-{name}", "kind": "deploy", "name": name}, self.reports)
        step._run_folder = self.folder
        return step

    @property
    def locks(self) -> list[str]:
        return sorted(os.listdir(self.folder))


def is_alive(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Group:
    """A command with a child that holds its output, both of which end only by a signal. `begun` are their numbers."""

    _PROGRAM = """
        if test "$3" = stubborn; then trap "" TERM; fi
        sh -c 'echo $$ >> "$0"; read line < "$1"' "$1" "$2" &
        echo $$ >> "$1"
        wait
    """

    def __init__(self, folder: pathlib.Path, *, is_stubborn: bool = False) -> None:
        self._begun = folder / "begun"
        never = folder / "never"
        os.mkfifo(never)
        manner = "stubborn" if is_stubborn else "obedient"
        self.command = ("sh", "-c", self._PROGRAM, "group", str(self._begun), str(never), manner)

    @property
    def begun(self) -> list[int]:
        return [int(line) for line in self._begun.read_text().split()] if self._begun.exists() else []

    def wait_begun(self) -> None:
        wait_until(lambda: len(self.begun) == 2, "the begin of the command and its child")

    def wait_ended(self) -> None:
        assert len(self.begun) == 2
        wait_until(lambda: not self.has_living, "the end of the command and its child")

    @property
    def has_living(self) -> bool:
        return any(map(is_alive, self.begun))


class Work:
    """A function on a thread, and its result."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._results: list[Any] = []

        def work() -> None:
            try:
                self._results.append(function())
            except BaseException as error:
                self._results.append(error)

        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()

    def result(self) -> Any:
        self._thread.join(WITHIN)
        return self._results[0]
