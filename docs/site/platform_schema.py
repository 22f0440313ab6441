#!/usr/bin/env python3
"""Writes docs/platform.schema.json, the JSON Schema of platform files, with the installed package.

usage: docs/site/platform_schema.py [--check]
"""

import json
import pathlib
import sys

import orlop
from orlop.platform_files.interface import interface
from orlop.platform_files.schema import schema

FILE = pathlib.Path(__file__).resolve().parents[1] / "platform.schema.json"


def text() -> str:
    """The schema as `orlop up --schema` prints it."""
    with orlop.Engine() as engine:
        return json.dumps(schema(interface(engine)), indent=1) + "\n"


def main(arguments: list[str]) -> int:
    if arguments != ["--check"]:
        FILE.write_text(text(), encoding="utf-8")
        return 0
    if FILE.is_file() and FILE.read_text(encoding="utf-8") == text():
        return 0
    print("docs/platform.schema.json is stale; scripts/generate writes it", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
