"""Images that are built from a git repository or a folder, once for each commit or content, Dockerfile and
arguments."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed
from .engine_api import EngineApi, EngineRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..driver import Step

_ASKPASS = """#!/bin/sh
case "$1" in
  Username*) printf %s "$ORLOP_GIT_USERNAME" ;;
  *) printf %s "$ORLOP_GIT_PASSWORD" ;;
esac
"""
_ARGUMENT = re.compile(r"^\s*ARG\s+([A-Za-z_][A-Za-z0-9_]*)", re.MULTILINE | re.IGNORECASE)
_LINES_KEPT = 20
_TRIES = 3


class Built:
    """An image that was built, and the commit that it was built of."""

    def __init__(self, image_id: str, commit: Mapping[str, str]) -> None:
        self.id = image_id
        self.commit = commit


def ensure(api: EngineApi, plan: Mapping[str, Any], step: Step, keep: int) -> Built:
    """Returns the image of the plan's source. The build step and the deploy step of one request find the same one."""
    build, prefix = plan["build"], str(plan["label_prefix"])
    if known := str(build.get("image") or ""):  # that of a release
        found = api.image(known, step)
        if found is None:
            raise DriverFailed(f"the image of the release, {known}, is not on this machine any more")
        return _built(found, prefix)
    labels = {f"{prefix}service-id": str(plan["service"]["id"]), f"{prefix}request": step.request}
    for image in api.images(labels) if step.request else ():
        return _built(image, prefix)
    with tempfile.TemporaryDirectory(prefix="orlop-build-") as folder:
        commit = check_out(build["source"], folder, step, int(build["timeout_seconds"]))
        root = _folder(build) or inside(folder, str((build["source"] or {}).get("root_path") or "/"), "root_path")
        recipe = _dockerfile(build, root, folder)
        with open(recipe, encoding="utf-8", errors="replace") as file:
            dockerfile = file.read()
        arguments = _arguments(build, dockerfile, step)
        content = _content_of(root, recipe) if build.get("folder") else ""
        tag = _tag(build, commit["id"] or content, dockerfile, arguments)
        image_name = f"{build['repository']}:{tag}"
        found = api.image(image_name, step)
        if found is None:
            labels.update({f"{prefix}commit-{key}": value for key, value in commit.items()})
            labels[f"{prefix}managed-by"] = prefix.partition(".")[0]
            _build(api, build, root, recipe, image_name, arguments, labels, step)
            found = api.image(image_name, step)
        if found is None:
            raise DriverFailed(f"the image {image_name} was built, and the container engine does not have it")
    _remove_old(api, {f"{prefix}service-id": str(plan["service"]["id"])}, keep)
    return Built(str(found["Id"]), commit)


def _folder(build: Mapping[str, Any]) -> str:
    """Returns the folder of this machine from which the image is built; "" if it is built from git."""
    folder = str(build.get("folder") or "")
    if folder and not os.path.isdir(folder):
        raise DriverFailed(f"runtime.build.context must be a folder of this machine, not {folder!r}")
    return folder


def _content_of(folder: str, dockerfile: str) -> str:
    """Returns a digest of the files that a build of the folder sends: their paths, modes and contents, without those
    that .dockerignore names."""
    from docker.utils.build import exclude_paths

    digest = hashlib.sha256()
    own = os.path.relpath(dockerfile, folder)  # it is sent even if .dockerignore names it
    for name in sorted(exclude_paths(folder, _left_out(folder), dockerfile=own)):
        path = os.path.join(folder, name)
        facts = os.lstat(path)
        digest.update(f"{name}\0{facts.st_mode:o}\0".encode(errors="surrogateescape"))
        if stat.S_ISLNK(facts.st_mode):
            digest.update(os.readlink(path).encode(errors="surrogateescape"))
        elif stat.S_ISREG(facts.st_mode):
            with open(path, "rb") as file_of:
                while part := file_of.read(1 << 20):
                    digest.update(part)
    return digest.hexdigest()


def _left_out(folder: str) -> list[str]:
    """Returns the patterns of the folder's .dockerignore."""
    path = os.path.join(folder, ".dockerignore")
    if not os.path.isfile(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file]
    return [line for line in lines if line and not line.startswith("#")]


def _built(image: Mapping[str, Any], prefix: str) -> Built:
    labels = image.get("Labels") or {}
    names = ("id", "date", "author")
    return Built(str(image["Id"]), {name: str(labels.get(f"{prefix}commit-{name}", "")) for name in names})


def check_out(source: Mapping[str, Any] | None, folder: str, step: Step, timeout: int) -> dict[str, str]:
    """Fetches one commit into `folder`. The token reaches git by its environment, never by an argument or a file."""
    if source is None:
        return {"id": "", "date": "", "author": ""}
    askpass = os.path.join(folder, ".git-askpass")
    with open(askpass, "w", encoding="utf-8") as script:
        script.write(_ASKPASS)
    os.chmod(askpass, 0o700)
    access = source.get("access") or {}
    environment = {
        **os.environ,
        "GIT_ASKPASS": askpass,
        "GIT_TERMINAL_PROMPT": "0",
        "ORLOP_GIT_USERNAME": str(access.get("username", "")),
        "ORLOP_GIT_PASSWORD": str(access.get("password", "")),
    }

    def git(*arguments: str) -> str:
        return run(["git", "-c", "credential.helper=", "-C", folder, *arguments], environment, step, timeout)

    wanted = str(source.get("commit") or source.get("branch") or "HEAD")
    if wanted.startswith("-"):
        raise DriverFailed(f"the branch must not begin with a hyphen, not {wanted!r}")
    git("init", "--quiet")
    git("remote", "add", "origin", "--", str(source["url"]))
    step.progress(f"fetching {wanted} of {source['url']}")
    _fetch(git, wanted, step)
    git("checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    if source.get("submodules") and os.path.exists(os.path.join(folder, ".gitmodules")):
        git("submodule", "update", "--init", "--recursive", "--depth", "1")
    os.unlink(askpass)
    facts = git("show", "--no-patch", "--format=%H%n%cI%n%an", "HEAD").splitlines()
    shutil.rmtree(os.path.join(folder, ".git"))  # it differs at each fetch, so that no layer would be found again
    return dict(zip(("id", "date", "author"), facts, strict=False))


def _fetch(git: Any, wanted: str, step: Step) -> None:
    for attempt in range(1, _TRIES + 1):
        try:
            git("fetch", "--quiet", "--depth", "1", "origin", wanted)
            return
        except DriverFailed as error:
            text = str(error)
            if "unadvertised object" in text or "not our ref" in text:
                git("fetch", "--quiet", "origin")  # a server that does not serve single commits
                git("fetch", "--quiet", ".", wanted)
                return
            is_transient = re.search(r"timed out|reset by peer|early EOF|HTTP 5\d\d|temporary failure", text, re.I)
            if attempt == _TRIES or not is_transient:
                raise
            step.sleep(2.0 * attempt)


def run(command: list[str], environment: Mapping[str, str], step: Step, timeout: int, folder: str | None = None) -> str:
    """Runs a program to its end, and ends it if the step is canceled. Returns its output."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        cwd=folder,
    )
    waited = 0.0
    while True:
        try:
            output, _ = process.communicate(timeout=0.2)
            break
        except subprocess.TimeoutExpired:
            waited += 0.2
            if step.is_canceled or waited > timeout:
                process.kill()
                process.communicate()
                step.check_canceled()
                raise DriverFailed(f"{command[0]} has not ended within {timeout} seconds") from None
    text = output.decode(errors="replace")
    if process.returncode != 0:
        raise DriverFailed(f"{os.path.basename(command[0])} ended with {process.returncode}: {text.strip()[-2000:]}")
    return text


def inside(folder: str, path: str, name: str) -> str:
    """Returns the path below `folder`. Refuses one that leads out of it, also by a link."""
    joined = os.path.realpath(os.path.join(folder, path.lstrip("/")))
    top = os.path.realpath(folder)
    if joined != top and not joined.startswith(top + os.sep):
        raise DriverFailed(f"{name} must lie inside of the repository or folder, not {path!r}")
    if not os.path.exists(joined):
        raise DriverFailed(f"{name} must be a path of the repository or folder, not {path!r}, which it does not have")
    return joined


def _dockerfile(build: Mapping[str, Any], root: str, temporary: str) -> str:
    """Returns the path of the Dockerfile. Nothing is written into a folder of the machine."""
    if not build.get("dockerfile_raw"):
        name = "runtime.build.dockerfile" if build.get("folder") else "dockerfile_path"
        found = inside(root, str(build["dockerfile_path"]), name)
        if not os.path.isfile(found):
            raise DriverFailed(f"{name} must be a file, not {build['dockerfile_path']!r}, which is none")
        return found
    path = os.path.join(temporary, ".orlop.Dockerfile")
    with open(path, "w", encoding="utf-8") as file:
        file.write(str(build["dockerfile_raw"]))
    return path


def _arguments(build: Mapping[str, Any], dockerfile: str, step: Step) -> dict[str, str]:
    names = set(_ARGUMENT.findall(dockerfile))
    for name in sorted(names & set(build["secret_arguments"])):
        step.log(f"the build argument {name} is left out, because it is a secret and an image keeps its arguments")
    return {name: str(value) for name, value in build["arguments"].items() if name in names}


def _tag(build: Mapping[str, Any], commit: str, dockerfile: str, arguments: Mapping[str, str]) -> str:
    source = build["source"] or {}
    made_of = [source.get("root_path"), build["dockerfile_path"], dockerfile, sorted(arguments.items())]
    made_of += [build["target"], build["platform"], commit]
    digest = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()
    return f"{digest[:12]}-{commit[:12]}" if commit else digest[:12]


def _build(
    api: EngineApi,
    build: Mapping[str, Any],
    root: str,
    recipe: str,
    tag: str,
    arguments: Mapping[str, str],
    labels: Mapping[str, str],
    step: Step,
) -> None:
    step.progress(f"building {tag}")
    lines: list[str] = []
    options = {
        **_context(root, recipe),
        "tag": tag,
        "buildargs": dict(arguments),
        "labels": dict(labels),
        "target": build["target"] or "",
        "platform": build["platform"] or None,
        "nocache": not build["uses_cache"],
        "rm": True,
        "forcerm": True,
        "decode": True,
    }
    try:
        for line in api.stream(lambda client: client.build(**options), step):
            text = str(line.get("stream") or line.get("status") or "").rstrip()
            if text:
                step.log(text)
                lines = [*lines[1 - _LINES_KEPT :], text]
    except EngineRefused as error:
        shown = "\n".join(lines)
        raise DriverFailed(f"the image cannot be built: {error}" + (f"\n{shown}" if shown else "")) from None


def _context(root: str, recipe: str) -> dict[str, Any]:
    """Returns the options of a build that name its files. A Dockerfile from elsewhere is added to the archive:
    docker-py sends its text as a second name, which Podman takes."""
    if os.path.commonpath((os.path.realpath(root), os.path.realpath(recipe))) == os.path.realpath(root):
        return {"path": root, "dockerfile": recipe}
    from docker.utils.build import tar

    name = os.path.basename(recipe)
    with open(recipe, encoding="utf-8", errors="replace") as file:
        archive = tar(root, exclude=_left_out(root), dockerfile=(name, file.read()))
    return {"fileobj": archive, "custom_context": True, "dockerfile": name}


def _remove_old(api: EngineApi, labels: Mapping[str, str], keep: int) -> None:
    """Removes the images of a service beyond the newest `keep`, which a rollback may need. Those in use stay."""
    images = sorted(api.images(labels), key=lambda image: int(image.get("Created") or 0), reverse=True)
    for image in images[keep:]:
        api.remove_image(str(image["Id"]))
