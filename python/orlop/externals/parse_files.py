"""A process of its own that parses files of others: a parser that takes too long or too much memory is ended.

It reads JSON from its standard input: `path`, the folders with Python's modules, `kind`, one of `READERS`, and `files`,
texts by path. It writes what it finds as JSON, or `{"fault": …}`. It imports nothing of Orlop.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from typing import Any

_MEMORY_MAX = 2 << 30  # bytes of address space
_HEREDOC = re.compile(r'"?<<(-?)\s*(\w+)\n(.*?)\n?[ \t]*\2"?\Z', re.DOTALL)
_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))|(\$\$|%%)(?=\{)", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}
_VALUE_MAX = 1 << 20  # characters
_NESTED_MAX = 100


def _plain(value: Any) -> Any:
    """Returns a value without the marks of HCL: quotation marks, escapes, heredocs, comments."""
    if isinstance(value, str):
        heredoc = _HEREDOC.match(value)
        if heredoc is not None:
            lines = heredoc[3].split("\n")
            indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
            cut = min(indents, default=0) if heredoc[1] else 0
            return "".join(f"{line[cut:]}\n" for line in lines)
        if len(value) >= 2 and value[0] == value[-1] == '"':
            return _ESCAPED.sub(_letter, value[1:-1])
        return value
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {_plain(str(name)): _plain(each) for name, each in value.items() if not _is_mark(name)}
    return value


def _letter(found: re.Match[str]) -> str:
    if found[4]:
        return found[4][0]
    code = found[1] or found[2]
    if code:
        number = int(code, 16)
        return chr(number) if number <= sys.maxunicode and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _LETTERS.get(found[3], found[3])


def _is_mark(name: object) -> bool:
    return isinstance(name, str) and name.startswith("__") and name.endswith("__")


def _text(value: Any) -> str:
    """Returns a value as text: as Terraform takes it from a variable of the environment."""
    if isinstance(value, str):
        return value[:_VALUE_MAX]
    return json.dumps(value, ensure_ascii=False)[:_VALUE_MAX]


def _parsed(path: str, text: str) -> Any:
    """Returns the content of a file. Raises ValueError for one that is not its language."""
    if path.endswith(".json"):
        return json.loads(text)
    import hcl2

    try:
        return _plain(hcl2.loads(text if text.endswith("\n") else text + "\n"))
    except Exception as error:
        line = getattr(error, "line", None)
        where = f"line {line}" if isinstance(line, int) else type(error).__name__
        raise ValueError(f"{path} is not HCL: {where}") from None


def variables(files: dict[str, str]) -> list[dict[str, Any]]:
    """Returns the variables that Terraform files declare."""
    found = []
    for path, text in files.items():
        content = _parsed(path, text)
        blocks = content.get("variable", []) if isinstance(content, dict) else []
        for block in blocks if isinstance(blocks, list) else [blocks]:
            for name, facts in block.items() if isinstance(block, dict) else ():
                for fact in facts if isinstance(facts, list) else [facts]:
                    found.append(_variable(path, name, fact if isinstance(fact, dict) else {}))
    return found


def _variable(path: str, name: str, facts: dict[str, Any]) -> dict[str, Any]:
    default, description = facts.get("default"), facts.get("description")
    return {
        "key": name,
        "sensitive": facts.get("sensitive") in (True, "true"),
        "nullable": facts.get("nullable") not in (False, "false"),
        "default": None if default is None else _text(default),
        "source": path,
        "description": None if description is None else _text(description),
    }


def values(files: dict[str, str]) -> list[dict[str, Any]]:
    """Returns the values of `.tfvars` files."""
    found = []
    for path, text in files.items():
        content = _parsed(path, text)
        if not isinstance(content, dict):
            raise ValueError(f"{path} has no values by name")
        found.append({"source": path, "variables": {name: _text(value) for name, value in content.items()}})
    return found


def charts(files: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Returns the versions of each chart of an `index.yaml`, with the URL of their archives. It reads events and makes
    no values, so that anchors and merged keys multiply nothing."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found: dict[str, list[dict[str, Any]]] = {}
    keys: list[str | None] = []  # of the mappings and lists around the event; None: a list
    waits: list[bool] = []  # for each mapping: the next scalar is a key
    (text,) = files.values()
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.ScalarEvent) and waits and keys[-1] is not None and waits[-1]:
            keys[-1], waits[-1] = event.value, False
            continue
        is_open = isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent))
        if is_open:
            if len(keys) >= _NESTED_MAX:
                raise ValueError("the index is nested too deeply")
            if isinstance(event, yaml.MappingStartEvent) and len(keys) == 3 and _in_entries(keys):
                found.setdefault(keys[1] or "", []).append({"urls": []})
            keys.append("" if isinstance(event, yaml.MappingStartEvent) else None)
            waits.append(True)
            continue
        if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            keys.pop()
            waits.pop()
        elif isinstance(event, yaml.ScalarEvent):
            _note(found, keys, event.value)
        if waits and isinstance(
            event, (yaml.ScalarEvent, yaml.AliasEvent, yaml.MappingEndEvent, yaml.SequenceEndEvent)
        ):
            waits[-1] = True
    return {name: [each for each in listed if each.get("version")] for name, listed in found.items()}


def _in_entries(keys: list[str | None]) -> bool:
    return keys[0] == "entries" and keys[2] is None


def _note(found: dict[str, list[dict[str, Any]]], keys: list[str | None], value: str) -> None:
    """Keeps a scalar of the index that is a version or a URL of a chart."""
    if len(keys) < 4 or not _in_entries(keys) or not found.get(keys[1] or ""):
        return
    chart = found[keys[1] or ""][-1]
    if len(keys) == 4 and keys[3] == "version":
        chart["version"] = value
    elif len(keys) == 5 and keys[3] == "urls" and keys[4] is None:
        chart["urls"].append(value)


READERS = {"variables": variables, "values": values, "charts": charts}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_MAX, _MEMORY_MAX))
    given = json.load(sys.stdin)
    sys.path[:] = given["path"]
    try:
        answer = {"found": READERS[given["kind"]](given["files"])}
    except ImportError as error:
        answer = {"missing": error.name or str(error)}
    except (ValueError, RecursionError) as error:
        answer = {"fault": str(error)}
    except Exception as error:
        answer = {"fault": f"{type(error).__name__}: {error}"}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
