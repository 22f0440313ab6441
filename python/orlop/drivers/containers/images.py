"""Images of registries: credentials, digests of tags, pulls."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed
from .engine_api import EngineApi, EngineRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..driver import Step

_MANIFESTS = ", ".join(
    (
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.docker.distribution.manifest.v2+json",
    )
)
_TIMEOUT = 10  # seconds of one request to a registry
_HELPERS = {
    "ECR": "docker-credential-ecr-login",
    "GCP_ARTIFACT_REGISTRY": "docker-credential-gcr",
    "AZURE_CR": "docker-credential-acr-env",
}
_REASONS = (
    (re.compile(r"manifest unknown|not found|no such manifest|name unknown", re.I), "the image is not in the registry"),
    (re.compile(r"unauthorized|no basic auth|denied|authentication required", re.I), "the registry refuses access"),
    (re.compile(r"toomanyrequests|rate limit", re.I), "the registry limits the number of pulls"),
    (re.compile(r"no space left", re.I), "the disk is full"),
    (re.compile(r"connection refused|no such host|timeout|i/o timeout", re.I), "the registry cannot be reached"),
    (re.compile(r"x509|tls|certificate", re.I), "the registry's TLS certificate is not accepted"),
)


class Image:
    """An image that the engine has: its id, and its digest in the registry if that is known."""

    def __init__(self, image_id: str, digest: str) -> None:
        self.id = image_id
        self.digest = digest


def ensure(api: EngineApi, planned: Mapping[str, Any], step: Step) -> Image:
    """Returns the image of a plan. Pulls it if the engine does not have it, or, for a tag that moves, if the registry
    has another one."""
    reference = str(planned["reference"])
    found = api.image(reference, step)
    if found is not None and planned["pull"] == "missing":
        return Image(_checked(found, planned), reference.partition("@")[2])
    login = _login(planned)
    digest = digest_in_registry(reference, login)
    if found is not None:
        known = [str(one).rpartition("@")[2] for one in found.get("RepoDigests") or ()]
        if not digest:
            step.log(f"the registry does not answer: the image {reference} of this machine is used")
        if not digest or digest in known:
            return Image(_checked(found, planned), digest)
    _pull(api, reference, login, planned["platform"], step)
    found = api.image(reference, step)
    if found is None:
        raise DriverFailed(f"the image {reference} was pulled, and the container engine does not have it")
    return Image(_checked(found, planned), digest)


def _checked(found: Mapping[str, Any], planned: Mapping[str, Any]) -> str:
    """Returns the id. Both engines ignore the platform of a pull, so that the image is compared with it."""
    platform = planned.get("platform")
    architecture = str(found.get("Architecture") or "")
    if platform and architecture and architecture != str(platform).rpartition("/")[2]:
        raise DriverFailed(
            f"the image {planned['reference']} must be one for {platform}, not for {found.get('Os')}/{architecture}"
        )
    return str(found["Id"])


def _pull(api: EngineApi, reference: str, login: dict[str, str] | None, platform: str | None, step: Step) -> None:
    step.progress(f"pulling {reference}")
    name, tag = split(reference)
    try:
        for _ in api.stream(
            lambda client: client.pull(
                name, tag=tag, stream=True, decode=True, auth_config=login, platform=platform or None
            ),
            step,
        ):
            pass
    except EngineRefused as error:
        raise DriverFailed(f"the image {reference} cannot be pulled: {reason_of(str(error))}") from None


def reason_of(text: str) -> str:
    """Returns the kind of failure of a pull, which only the text of the error tells apart, and that text."""
    for pattern, reason in _REASONS:
        if pattern.search(text):
            return f"{reason} ({text})"
    return text


def split(reference: str) -> tuple[str, str]:
    """Splits a reference into its name and its tag or digest: "latest" if it has neither."""
    name, at, digest = reference.partition("@")
    head, colon, tag = name.rpartition(":")
    has_tag = bool(colon) and "/" not in tag
    if at:
        return (head if has_tag else name), digest
    return (head, tag) if has_tag else (name, "latest")


def _login(planned: Mapping[str, Any]) -> dict[str, str] | None:
    given = planned.get("credentials")
    if not given:
        return None
    if "token_helper" in given:
        return _token(given)
    return {"username": str(given["username"]), "password": str(given["password"])}


def _token(given: Mapping[str, Any]) -> dict[str, str]:
    """Asks the credential helper of the cloud, which takes its secrets from the environment."""
    kind = str(given["token_helper"])
    helper = _HELPERS[kind]
    program = shutil.which(helper)
    if program is None:
        raise DriverFailed(f"a registry of kind {kind} needs the program {helper}, which is not on the PATH")
    config = given.get("config") or {}
    environment = dict(os.environ)
    for member, variable in (
        ("access_key_id", "AWS_ACCESS_KEY_ID"),
        ("secret_access_key", "AWS_SECRET_ACCESS_KEY"),
        ("region", "AWS_REGION"),
        ("azure_tenant_id", "AZURE_TENANT_ID"),
    ):
        if config.get(member):
            environment[variable] = str(config[member])
    ended = subprocess.run(
        [program, "get"], input=str(given["server"]), capture_output=True, text=True, env=environment, timeout=60
    )
    try:
        answer = json.loads(ended.stdout)
        return {"username": str(answer["Username"]), "password": str(answer["Secret"])}
    except (ValueError, KeyError, TypeError):
        raise DriverFailed(f"{helper} gave no credentials: {ended.stderr.strip()[-500:]}") from None


def digest_in_registry(reference: str, login: Mapping[str, str] | None) -> str:
    """Returns the digest that the registry has for the tag, "" if it does not answer. The engines do not know it: that
    of Docker is absent before a pull, and one of Podman's may be unknown to the registry."""
    name, tag = split(reference)
    if tag.startswith("sha256:"):
        return tag
    server, _, repository = name.partition("/")
    if not repository or not ("." in server or ":" in server or server == "localhost"):
        return ""
    host = "registry-1.docker.io" if server == "docker.io" else server
    scheme = "http" if host.partition(":")[0] in ("localhost", "127.0.0.1") else "https"
    with contextlib.suppress(Exception):  # the pull says what is wrong
        return _head(f"{scheme}://{host}/v2/{repository}/manifests/{tag}", login)
    return ""


def _head(url: str, login: Mapping[str, str] | None) -> str:
    import requests

    headers = {"Accept": _MANIFESTS}
    answer = requests.head(url, headers=headers, timeout=_TIMEOUT, allow_redirects=True)
    if answer.status_code == 401:
        challenge = answer.headers.get("WWW-Authenticate", "")
        headers["Authorization"] = _authorization(challenge, login)
        answer = requests.head(url, headers=headers, timeout=_TIMEOUT, allow_redirects=True)
    return str(answer.headers.get("Docker-Content-Digest", "")) if answer.status_code == 200 else ""


def _authorization(challenge: str, login: Mapping[str, str] | None) -> str:
    import requests

    pair = (login["username"], login["password"]) if login else None
    if challenge.lower().startswith("basic"):
        return "Basic " + base64.b64encode(":".join(pair or ("", "")).encode()).decode()
    asked = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    query = {key: asked[key] for key in ("service", "scope") if key in asked}
    given = requests.get(asked["realm"], params=query, auth=pair, timeout=_TIMEOUT).json()
    return f"Bearer {given.get('token') or given['access_token']}"
