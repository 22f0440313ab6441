"""A folder with a platform file, and the commands in it."""

from __future__ import annotations

import pathlib

import pytest
import up_driver
from orlop.commands.main import main

DRIVER = ("--driver", "up_driver:Noting")
SMALL = """containers:
  web:
    image_name: library/nginx
    tag: 1.27
    ports: [{internal_port: 80}]
"""


class Folder:
    """Runs commands in a folder of its own."""

    def __init__(self, path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = path / "shop"
        self.path.mkdir()
        self.notes = path / "notes"
        self._capsys = capsys
        monkeypatch.setenv(up_driver.NOTES, str(self.notes))
        monkeypatch.chdir(self.path)

    def write(self, text: str, name: str = "orlop.yaml") -> None:
        (self.path / name).write_text(text)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        out, err = self._capsys.readouterr()
        return status, out, err

    def up(self, *arguments: str) -> tuple[int, str, str]:
        return self.run("up", "--yes", *DRIVER, *arguments)

    def done(self) -> list[str]:
        return up_driver.notes(self.notes)
