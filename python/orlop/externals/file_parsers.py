"""Parses files of others in a process of its own, which ends at a deadline."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

from ..errors import ExternalFailed
from .bounded_process import run

_PROGRAM = pathlib.Path(__file__).with_name("parse_files.py")
_OUTPUT_SIZE = 64 << 20
_PACKAGES = {"hcl2": "python-hcl2", "yaml": "PyYAML"}


def parse(kind: str, files: Mapping[str, str], name: str, deadline: float) -> Any:
    """Returns what a reader of `parse_files` finds in texts by path. `name` names them in messages. Raises
    ExternalFailed for texts that are not what they should be, TimeoutError at the deadline."""
    given = json.dumps({"path": sys.path, "kind": kind, "files": files}).encode()
    ended = run(
        [sys.executable, "-I", "-S", str(_PROGRAM)],
        deadline=deadline,
        name=f"reading {name}",
        output_size=_OUTPUT_SIZE,
        environment={"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
        given=given,
    )
    if ended.status != 0:
        raise ExternalFailed(f"{name} cannot be parsed: the parser ends with the status {ended.status}")
    answer = json.loads(ended.output)
    if "missing" in answer:
        package = _PACKAGES.get(answer["missing"], answer["missing"])
        raise ExternalFailed(f"{package} is missing, which parses {name}: pip install 'orlop[externals]'")
    if "fault" in answer:
        raise ExternalFailed(f"{name} cannot be parsed: {answer['fault'][:500]}")
    return answer["found"]
