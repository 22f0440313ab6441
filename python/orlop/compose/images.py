"""Names of images in parts, and the container registry of each host."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

DOCKER_HUB = "docker hub"
_HUB_HOSTS = ("docker.io", "index.docker.io", "registry-1.docker.io")
_KINDS = {"ghcr.io": "GITHUB_CR", "registry.gitlab.com": "GITLAB_CR", "public.ecr.aws": "PUBLIC_ECR"}
_PART = "[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*"
_NAME = re.compile(f"{_PART}(?:/{_PART})*")
_TAG = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:(?:^|@)[a-z0-9+._-]+:[0-9a-fA-F]+)?")


class Image(NamedTuple):
    """An image as the platform has it. `tag` is a tag, a digest, or both with `@` between them."""

    registry: str
    """Name of the container registry: the host, or `docker hub`."""
    name: str
    tag: str


def image_of(text: str) -> Image:
    """Splits the name of an image. One without a tag has the tag `latest`."""
    name, _, digest = text.partition("@")
    head, slash, rest = name.partition("/")
    is_host = bool(slash) and ("." in head or ":" in head or head == "localhost")
    host, path = (head, rest) if is_host else ("", name)
    folder, slash, last = path.rpartition("/")
    last, _, tag = last.partition(":")
    path = folder + slash + last
    if host in ("", *_HUB_HOSTS):
        host = DOCKER_HUB
        path = path if "/" in path else f"library/{path}"
    if digest:
        tag = f"{tag}@{digest}" if tag else digest
    return Image(host, path, tag or "latest")


def is_valid(image: Image) -> bool:
    """Reports whether name and tag have the form that registries allow."""
    return bool(_NAME.fullmatch(image.name) and _TAG.fullmatch(image.tag))


def registry_of(name: str) -> dict[str, Any]:
    """Returns the fields of the container registry of a host, without credentials."""
    if name == DOCKER_HUB:
        return {"kind": "DOCKER_HUB", "config": {}}
    return {"kind": _KINDS.get(name, "GENERIC_CR"), "url": f"https://{name}", "config": {}}
