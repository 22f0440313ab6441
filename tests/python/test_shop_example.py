"""The last act of the demo: a shop of two services as containers."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import podman_service
import pytest

pytest.importorskip("docker")

SHOP = pathlib.Path(__file__).parents[2] / "examples" / "shop" / "shop.py"
_reason = podman_service.reason_to_skip()


@pytest.fixture
def short_folder() -> Iterator[str]:
    """A folder whose path leaves room for that of a socket."""
    folder = tempfile.mkdtemp(prefix="shop")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(bool(_reason), reason=_reason)
def test_the_shop_is_deployed_broken_rolled_back_killed_and_resumed(short_folder: str) -> None:
    environment = {**os.environ, "TMPDIR": short_folder}
    ended = subprocess.run([sys.executable, SHOP], capture_output=True, text=True, timeout=600, env=environment)
    assert os.listdir(short_folder) == []
    assert ended.returncode == 0, ended.stdout + ended.stderr
    said = re.sub(r"shown \d+ times", "shown", re.sub(r"\d restarts", "N restarts", ended.stdout)).replace(
        "curl of the page: a chair for 42", "page:"
    )
    lines = [line.strip() for line in said.splitlines()]
    assert lines == [
        "The last act. A shop of two services runs on this machine",
        "deployment: DEPLOYED",
        "page: EUR, shown",
        "version 2 does not start:",
        "deployment: DEPLOYMENT_ERROR",
        next(line for line in lines if "has ended with exit code 3, N restarts; the end of its log:" in line),
        "cat: can't open '/www/prices': No such file or directory",
        "cat: can't open '/www/prices': No such file or directory",
        "page: EUR, shown",
        "version 3 starts, and sells in the wrong currency:",
        "deployment: DEPLOYED",
        "page: HUF, shown",
        "it is rolled back:",
        "deployment: DEPLOYED",
        "page: EUR, shown",
        "version 4 is deployed by a program that is killed (SIGKILL) in the middle:",
        "the next program ends that deployment: DEPLOYED",
        "page: USD, shown",
        "the shop is deleted",
    ]
    # The page has counted its visits across all of it.
    visits = [int(count) for count in re.findall(r"shown (\d+) times", ended.stdout)]
    assert visits == sorted(set(visits)) and len(visits) == 5


def _processes_of(folder: str) -> list[str]:
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        if folder in command:
            found.append(command)
    return found


@pytest.mark.skipif(bool(_reason), reason=_reason)
@pytest.mark.parametrize("given", [signal.SIGINT, signal.SIGTERM])
def test_a_shop_that_is_interrupted_leaves_nothing(short_folder: str, given: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, SHOP],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "TMPDIR": short_folder},
        start_new_session=True,
    )
    assert process.stdout is not None
    lines = iter(process.stdout)
    assert any("version 2 does not start" in line for line in lines)
    os.killpg(process.pid, given)  # as a terminal does
    rest = "".join(lines)
    assert process.wait(timeout=60) == 128 + given, rest
    assert "Traceback" not in rest
    assert os.listdir(short_folder) == [] and _processes_of(short_folder) == []
