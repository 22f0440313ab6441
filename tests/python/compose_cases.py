"""Small Compose projects, and what the reference library reads in them.

A file `*.txtar` of tests/tables/compose holds the files of many cases, below a folder for each:
`-- CASE/compose.yaml --`.
`CASE/options.json` may hold `files`, `env_files`, `environment`, `profiles`, `name`, and `folder`, the name of the
project's folder. The file `*.json` of the same name holds the answers of the library."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

TABLES = pathlib.Path(__file__).parents[1] / "tables" / "compose"
HOME = "/home/user"
STRICTER = ("no shell runs", "is no whole number of bytes", "needs a blank behind its colon")
"""Refusals of what the library reads as something else than the file says: it leaves out the rest of a command, takes a
size with a fraction for none, and the colon of `{A:}` for a part of the key."""
_HEADER = re.compile(r"^-- (.+) --$", re.MULTILINE)


class Case(NamedTuple):
    name: str
    files: dict[str, str]
    options: dict[str, Any]

    def write(self, folder: pathlib.Path) -> dict[str, Any]:
        """Writes the files below the folder. Returns the request for them."""
        directory = folder / self.options.get("folder", "project")
        directory.mkdir(parents=True)
        for path, text in self.files.items():
            file = directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        request = {key: value for key, value in self.options.items() if key in ("env_files", "profiles", "name")}
        request["directory"] = str(directory)
        request["files"] = self.options.get("files", ["compose.yaml"])
        request["environment"] = {"HOME": HOME, **self.options.get("environment", {})}
        return request


def tables() -> list[pathlib.Path]:
    return sorted(TABLES.glob("*.txtar"))


def cases(table: pathlib.Path) -> Iterator[Case]:
    """Yields the cases of a table."""
    parts = _HEADER.split(table.read_text(encoding="utf-8"))
    found: dict[str, dict[str, str]] = {}
    for path, text in zip(parts[1::2], parts[2::2], strict=True):
        name, _, file = path.partition("/")
        assert file not in found.setdefault(name, {}), path
        found[name][file] = text.removeprefix("\n")
    for name, files in found.items():
        options = json.loads(files.pop("options.json", "{}"))
        yield Case(name, files, options)


def answers(table: pathlib.Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(table.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def without_folder(value: Any, folder: str) -> Any:
    """Returns the value with `/project` for the project's folder and `/above` for the one above."""
    if isinstance(value, str):
        return value.replace(folder, "/project").replace(folder.rpartition("/")[0] + "/", "/above/")
    if isinstance(value, list):
        return [without_folder(item, folder) for item in value]
    if isinstance(value, dict):
        return {key: without_folder(inner, folder) for key, inner in value.items()}
    return value


def comparable(answer: dict[str, Any], directory: str) -> dict[str, Any]:
    """Returns an answer of the library or of the reader in the form that is compared."""
    if "refused" in answer:
        return {"refused": without_folder(answer["refused"], directory)}
    project = {key: value for key, value in answer["project"].items() if not key.startswith("x-")}
    for kind in ("services", "jobs"):
        for service in (project.get(kind) or {}).values():
            if "blkio_config" in service:
                service["blkio_config"] = _lower(service["blkio_config"])
            ssh = service.get("build", {}).get("ssh")
            if ssh:
                ssh.sort()
    return {"project": without_folder(project, directory), "disabled": sorted(answer.get("disabled") or ())}


def _lower(value: Any) -> Any:
    if isinstance(value, list):
        return [_lower(item) for item in value]
    return {key.lower(): _lower(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def read(request: dict[str, Any]) -> dict[str, Any]:
    """Returns the reader's answer to a request."""
    from orlop.compose import ComposeError, read_compose

    directory = request["directory"]
    try:
        project = read_compose(
            [f"{directory}/{file}" for file in request["files"]],
            env_files=[f"{directory}/{file}" for file in request.get("env_files", ())],
            environment=request["environment"],
            profiles=request.get("profiles", ()),
            name=request.get("name"),
        )
    except ComposeError as error:
        return {"refused": str(error)}
    return {"project": json.loads(json.dumps(project.as_json())), "disabled": list(project.disabled_services)}
