"""Runs the reference library of Docker Compose, which is written in Go.

python tests/python/compose_reference.py --write         # the tables of tests/tables/compose, and the schema
python tests/python/compose_reference.py --random 2000   # compares the reader on random files; --seed N
python tests/python/compose_reference.py FILE...         # compares the reader on these files, as they lie there
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import compose_cases

SCHEMA = pathlib.Path(__file__).parents[2] / "python" / "orlop" / "compose" / "schema.json"
_DESCRIBING = ("title", "description", "deprecated", "default", "$id", "examples")


def built(folder: pathlib.Path) -> pathlib.Path:
    program = folder / "reference"
    subprocess.run(["go", "build", "-o", program, "."], cwd=compose_cases.TABLES, check=True)
    return program


def asked(program: pathlib.Path, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the library's answers."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    environment = {"HOME": compose_cases.HOME, "PATH": os.environ["PATH"]}
    done = subprocess.run([program], input=text, text=True, stdout=subprocess.PIPE, env=environment, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def write_tables(program: pathlib.Path, folder: pathlib.Path) -> None:
    for table in compose_cases.tables():
        cases = list(compose_cases.cases(table))
        requests = [case.write(folder / table.stem / case.name) for case in cases]
        found = {
            case.name: compose_cases.comparable(answer, request["directory"])
            for case, request, answer in zip(cases, requests, asked(program, requests), strict=True)
        }
        table.with_suffix(".json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(table.name, len(found), "cases")
    text = subprocess.run([program, "schema"], text=True, stdout=subprocess.PIPE, check=True).stdout
    SCHEMA.write_text(json.dumps(_bare(json.loads(text)), indent=1) + "\n", encoding="utf-8")


def _bare(value: Any, is_members: bool = False) -> Any:
    """Returns the schema without descriptions. Members may have their names."""
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _bare(inner, key in ("properties", "patternProperties", "$defs"))
        for key, inner in value.items()
        if is_members or key not in _DESCRIBING
    }


def differences(program: pathlib.Path, requests: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Any, Any]]:
    """Returns the requests that the library and the reader answer differently, and the answers."""
    found = []
    for request, answer in zip(requests, asked(program, requests), strict=True):
        expected = compose_cases.comparable(answer, request["directory"])
        seen = compose_cases.comparable(compose_cases.read(request), request["directory"])
        said = seen.get("refused", "")
        is_refused = bool(said) and ("refused" in expected or any(part in said for part in compose_cases.STRICTER))
        if expected != seen and not is_refused:
            found.append((request, expected, seen))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = built(folder)
        if arguments.write:
            write_tables(program, folder)
            return 0
        requests: list[dict[str, Any]] = [
            {"directory": str(path.parent), "files": [path.name], "environment": {"HOME": compose_cases.HOME}}
            for path in map(pathlib.Path, arguments.files)
        ]
        if arguments.random:
            import compose_random

            requests += compose_random.requests(folder / "random", arguments.random, arguments.seed)
        found = differences(program, requests)
    for request, expected, seen in found:
        print(json.dumps({"request": request, "expected": expected, "seen": seen}))
    if arguments.random:
        print(f"seed {arguments.seed}", file=sys.stderr)
    print(f"{len(requests) - len(found)} of {len(requests)} agree", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
