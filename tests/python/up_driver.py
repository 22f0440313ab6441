"""A driver for the tests of commands on platform files: it notes what it does in a file, and behaves as the name of a
service says."""

from __future__ import annotations

import os
import pathlib
import signal
from typing import Any

import orlop

NOTES = "ORLOP_TEST_NOTES"
"""Environment variable with the path of the file."""
PORT = 41_000


class Noting(orlop.Driver):
    def __init__(self, port: int = PORT) -> None:
        self._port = port

    def _note(self, step: orlop.Step) -> None:
        path = os.environ.get(NOTES)
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{step.kind} {step.name}\n")

    def deploy(self, step: orlop.Step) -> Any:
        self._note(step)
        step.progress("pulling the image")
        if step.name.startswith("broken") and step.configuration.get("tag") != "mended":
            raise orlop.DriverFailed("the image cannot be pulled")
        if step.name == "fatal" and not step.resumed:
            os.kill(os.getpid(), signal.SIGKILL)
        if step.name == "slow" and not step.resumed:
            step.wait_canceled(60)
            step.check_canceled()
        ports = step.configuration.get("ports")
        return (
            {"addresses": [_address(self._port + port["internal_port"]) for port in ports]}
            if isinstance(ports, list)
            else None
        )

    def stop(self, step: orlop.Step) -> None:
        self._note(step)

    def delete(self, step: orlop.Step) -> None:
        self._note(step)

    def restart(self, step: orlop.Step) -> None:
        self._note(step)

    # ---- Functions of the commands ----
    def logs(self, service: str, tail: int = 100) -> list[str]:
        return [f"line {number}" for number in range(1, 4)][-tail:]

    def run_command(self, service: str, command: list[str], timeout: float = 60.0) -> tuple[int, str]:
        return (0 if command[0] == "true" else 3), " ".join(command) + "\n"


def _address(port: int) -> dict[str, Any]:
    url = f"http://127.0.0.1:{port}"
    return {"host": "127.0.0.1", "port": port, "internal_port": 80, "protocol": "HTTP", "scope": "EXTERNAL", "url": url}


def notes(path: pathlib.Path) -> list[str]:
    """Returns the notes, and empties the file."""
    found = path.read_text().splitlines() if path.exists() else []
    path.write_text("")
    return found
