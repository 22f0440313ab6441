"""The last act of the demo: a shop of two services as containers."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import podman_service
import pytest

pytest.importorskip("docker")

SHOP = pathlib.Path(__file__).parents[2] / "examples" / "shop" / "shop.py"
_reason = podman_service.reason_to_skip()


@pytest.mark.skipif(bool(_reason), reason=_reason)
def test_the_shop_is_deployed_broken_rolled_back_killed_and_resumed() -> None:
    ended = subprocess.run([sys.executable, SHOP], capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    said = re.sub(r"shown \d+ times", "shown", ended.stdout).replace("curl of the page: a chair for 42", "page:")
    lines = [line.strip() for line in said.splitlines()]
    assert lines == [
        "The last act. A shop of two services runs on this machine",
        "deployment: DEPLOYED",
        "page: EUR, shown",
        "version 2 does not start:",
        "deployment: DEPLOYMENT_ERROR",
        next(line for line in lines if "has ended with exit code 3, 3 restarts; the end of its log:" in line),
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
