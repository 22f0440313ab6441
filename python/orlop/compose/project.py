"""A project: the services, networks, volumes, secrets and configs that Compose files say, in their final form."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Misuse
from ..options import arguments
from . import members
from .decoding import OMITTED, Kind
from .loader import Reading, Scope, environment_of, load_model, located
from .normalization import normalize
from .project_contents import Note, ProjectContents
from .rules import check_consistency, is_project_name
from .source import ComposeError, Fault, Map, Mark, kind_of, mark_at
from .yaml_values import documents

if TYPE_CHECKING:
    from .platform import Platform

FILE_NAMES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
OVERRIDE_NAMES = (
    "compose.override.yml",
    "compose.override.yaml",
    "docker-compose.override.yml",
    "docker-compose.override.yaml",
)
_KINDS: dict[str, Kind] = {
    "services": members.SERVICE,
    "jobs": members.JOB,
    "networks": members.NETWORK,
    "volumes": members.VOLUME,
    "secrets": members.FILE_OBJECT,
    "configs": members.FILE_OBJECT,
    "models": members.MODEL,
}


class Project(ProjectContents):
    """A Compose project. The members have the forms that the reference library compose-go gives them."""

    def to_platform(self, *, volumes: str = "storage", storage_size: int = 10) -> Platform:
        """Returns the project in the fields of the platform's interface.

        `volumes` "storage": a named volume that one service mounts is its `storage`, of `storage_size` GiB, and goes
        with it; "runtime": every named volume is one of the environment, which outlives services. Raises ComposeError
        for the name of an image that no registry has."""
        from .platform import platform_of

        if volumes not in ("storage", "runtime"):
            raise Misuse(f"volumes must be storage or runtime, not {arguments.shown(volumes)}")
        storage_size = arguments.whole("storage_size", storage_size, 1, 1 << 20)
        return platform_of(self, volumes, storage_size)


def read_compose(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    *,
    env_files: Sequence[str | os.PathLike[str]] = (),
    environment: Mapping[str, str] | None = None,
    profiles: Sequence[str] = (),
    project_directory: str | os.PathLike[str] | None = None,
    name: str | None = None,
) -> Project:
    """Reads Compose files, each of which overrides those before it. Raises ComposeError, which names file and line.

    Without `files` it reads `compose.yaml` and its override in the folder, or the files that COMPOSE_FILE names.
    `env_files` hold variables for the values of the files; without them `.env` beside the first file is read if it is
    there. `environment` is preferred to them, and is the process's unless it is given. `profiles` are those that are
    active, by default those of COMPOSE_PROFILES."""
    _check_packages()
    caller = _variables(os.environ if environment is None else environment)
    profiles = arguments.texts("profiles", profiles)
    name = None if name is None else arguments.text("name", name)
    directory = "" if project_directory is None else arguments.path("project_directory", project_directory)
    given = [files] if isinstance(files, (str, os.PathLike)) else _paths("files", files)
    paths = [os.path.abspath(arguments.path("files", path)) for path in given or _found_files(directory, caller)]
    directory = os.path.abspath(directory) if directory else os.path.dirname(paths[0])
    reading = Reading(directory, caller.get("HOME", os.path.expanduser("~") if environment is None else ""))
    variables = [os.path.abspath(path) for path in _paths("env_files", env_files)]
    if not variables and os.path.isfile(os.path.join(directory, ".env")):
        variables = [os.path.join(directory, ".env")]
    caller = {**environment_of(reading, variables, caller), **caller}
    try:
        caller["COMPOSE_PROJECT_NAME"] = _name(name, paths, directory, reading, caller)
        tree = load_model(paths, directory, Scope(directory, caller, reading))
        if not tree:
            raise ComposeError("the file is empty; it must have services", Mark(reading.shown(paths[0]), 1))
        if not caller["COMPOSE_PROJECT_NAME"]:
            raise ComposeError("the project has no name: give one with `name:`", Mark(reading.shown(paths[0]), 1))
        tree["name"] = caller["COMPOSE_PROJECT_NAME"]
        normalize(tree, caller)
        active = list(profiles) or [part.strip() for part in caller.get("COMPOSE_PROFILES", "").split(",")]
        return _project(tree, directory, reading, caller, active)
    except Fault as fault:
        raise located(fault, Map(), Mark(reading.shown(paths[0]), 1)) from None
    except RecursionError:
        raise ComposeError("the file is nested too deeply", Mark(reading.shown(paths[0]), 1)) from None


def _check_packages() -> None:
    try:
        import jsonschema  # noqa: F401
        import yaml  # noqa: F401
    except ImportError as error:
        raise Misuse(
            "PyYAML and jsonschema are missing, which read Compose files: pip install 'orlop[compose]'"
        ) from error


def _variables(given: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise Misuse(f"environment must be a mapping of texts, not {arguments.shown(given)}")
    if given is os.environ:
        return dict(given)
    return {arguments.text("environment", key): arguments.text("environment", value) for key, value in given.items()}


def _paths(what: str, given: Sequence[str | os.PathLike[str]]) -> list[str]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise Misuse(f"{what} must be a list of paths, not {arguments.shown(given)}")
    return [arguments.path(what, path) for path in given]


def _found_files(directory: str, caller: Mapping[str, str]) -> list[str]:
    """Returns the files that COMPOSE_FILE names, else those with a usual name in the folder or above it."""
    if caller.get("COMPOSE_FILE"):
        return caller["COMPOSE_FILE"].split(caller.get("COMPOSE_PATH_SEPARATOR") or os.pathsep)
    folder = os.path.abspath(directory or ".")
    given: list[str] = []
    while True:
        for names in FILE_NAMES, OVERRIDE_NAMES:
            given += [os.path.join(folder, name) for name in names if os.path.isfile(os.path.join(folder, name))][:1]
            if not given:
                break
        if given:
            return given
        if folder == os.path.dirname(folder):
            raise ComposeError(
                f"there is no Compose file in {directory or 'this folder'}: none of {', '.join(FILE_NAMES)}"
            )
        folder = os.path.dirname(folder)


def _name(given: str | None, paths: list[str], directory: str, reading: Reading, caller: dict[str, str]) -> str:
    """Returns the name of the project: the argument, COMPOSE_PROJECT_NAME, `name:` of the files, the folder."""
    explicit = given or caller.get("COMPOSE_PROJECT_NAME")
    if explicit:
        if not is_project_name(explicit):
            raise ComposeError(
                f"the name {explicit} of the project is not allowed; allowed are small letters, digits, - and _, "
                "and a letter or digit at the beginning"
            )
        return explicit
    found = ""
    for path in paths:
        if not os.path.exists(path):
            raise ComposeError(f"the file {reading.shown(path)} is not there")
        for document in documents(reading.text_of(path), reading.shown(path)):
            named = document.value.get("name") if isinstance(document.value, dict) else None
            if named is not None and not isinstance(named, (str, int, float)):
                raise ComposeError(f"name: must be a text, not {kind_of(named)}", mark_at(document.value, ("name",)))
            found = str(named) if named else found
    if not found:
        return normalized_name(os.path.basename(directory))
    from .interpolation import Unresolved, substituted

    try:
        return normalized_name(substituted(found, caller.get, lambda name: None))
    except Unresolved as error:
        raise Fault(("name",), str(error)) from None


def normalized_name(text: str) -> str:
    return re.sub(r"[^a-z0-9_-]", "", text.lower()).lstrip("_-")


def _project(
    tree: Map, directory: str, reading: Reading, environment: dict[str, str], profiles: Sequence[str]
) -> Project:
    project = Project(tree["name"], directory, reading, environment)
    project._tree = tree
    decoded: dict[str, dict[str, Any]] = {}
    try:
        for kind, decode in _KINDS.items():
            decoded[kind] = {}
            for name, given in (tree.get(kind) or {}).items():
                found = decode(Map() if given is None else given, (kind, name))
                decoded[kind][name] = {} if found is OMITTED else found
        disabled: dict[str, dict[str, Any]] = {}
        for kind in ("services", "jobs"):
            disabled[kind] = {name: one for name, one in decoded[kind].items() if not _is_active(one, profiles)}
            decoded[kind] = {name: one for name, one in decoded[kind].items() if name not in disabled[kind]}
        check_consistency(decoded, disabled)
    except Fault as fault:
        raise located(fault, tree) from None
    project.disabled_services = disabled["services"]
    for kind, values in decoded.items():
        setattr(project, kind, values)
    for name, service in project.services.items():
        _resolve(project, service, ("services", name), reading)
        for at, hook in enumerate(service.get("pre_start", ())):
            _resolve(project, hook, ("services", name, "pre_start", at), reading)
    for mark, said in reading.warnings:
        project.warnings.append(Note(*(mark or Mark(directory, 1)), "", "", said))
    return project


def _is_active(service: dict[str, Any], profiles: Sequence[str]) -> bool:
    own = service.get("profiles", ())
    return not own or "*" in profiles or any(profile in own for profile in profiles)


def _resolve(project: Project, service: dict[str, Any], path: tuple[str | int, ...], reading: Reading) -> None:
    """Completes variables and labels of a service by those of its files."""
    own: dict[str, Any] = {
        key: project.environment.get(key) if value is None else value
        for key, value in service.get("environment", {}).items()
    }
    values = {key: value for key, value in own.items() if value is not None}

    def look(name: str) -> str | None:
        return project.environment.get(name, own.get(name))

    for at, entry in enumerate(service.get("env_file", ())):
        file, form = entry.get("path", ""), entry.get("format", "")
        mark = project.mark(*path, "env_file", at)
        if form not in ("", ".env", "raw"):
            raise ComposeError(f"the format {form} of the file of variables is not known; allowed is raw", mark)
        if os.path.exists(file) or "required" not in entry:
            reading.read_env_file(file, values, look, mark, form == "raw")
    if values or own:
        service["environment"] = {**values, **own}
    labels: dict[str, str] = {}
    for at, file in enumerate(service.get("label_file", ())):
        found: dict[str, str] = {}
        reading.read_env_file(file, found, labels.get, project.mark(*path, "label_file", at))
        labels.update(found)
    if labels:
        service["labels"] = {**labels, **service.get("labels", {})}
