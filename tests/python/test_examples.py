"""The programs of examples/python print the texts of examples/expected/python."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
EXPECTED = EXAMPLES / "expected" / "python"
PRINTED = sorted(path.stem for path in EXPECTED.glob("*.txt"))
# Run by separate tests, or by pytest below.
ELSEWHERE = {"mount", "test_pipeline", "this_machine", "this_machine_hosts"}


def test_every_example_has_its_output() -> None:
    assert {path.stem for path in (EXAMPLES / "python").glob("*.py")} == {*PRINTED, *ELSEWHERE}


@pytest.mark.parametrize("name", PRINTED)
def test_it_prints_what_it_should(name: str) -> None:
    ran = subprocess.run([sys.executable, EXAMPLES / "python" / f"{name}.py"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == (EXPECTED / f"{name}.txt").read_text()


def test_the_tests_of_the_example_pass(tmp_path: pathlib.Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        str(EXAMPLES / "python" / "test_pipeline.py"),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert "3 passed" in ran.stdout
