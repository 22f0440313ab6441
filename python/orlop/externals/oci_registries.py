"""A client of the OCI distribution API, with its token protocol, for the length of one question."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urljoin, urlsplit

from ..errors import ExternalFailed, Unanswered
from .guarded_http import BODY_SIZE, Answer, Session, basic, origin, shown_url

_NAME = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")
_NAME_MAX = 255
_TAG = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}")
_PAGE = 1000  # entries of a page that is asked for
_PAGES_MAX = 1000
_LINK = re.compile(r"<([^>]*)>\s*;[^,]*\brel=\"?next\"?", re.IGNORECASE)
_PARAMETER = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')
_MANIFESTS = ", ".join(
    (
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
        "application/vnd.docker.distribution.manifest.v2+json",
    )
)
_HUB, _HUB_API = "docker.io", "https://registry-1.docker.io"
# Registries whose credentials need a cloud's own protocol.
_CLOUDS = ("ECR", "AZURE_CR", "OCI_ECR")


class Credentials(NamedTuple):
    """User and password; empty: none."""

    user: str
    password: str


def credentials_of(registry: Mapping[str, Any]) -> Credentials:
    """Returns the credentials of a registry or Helm repository. Raises Unanswered for a kind whose credentials are
    exchanged by the protocol of a cloud."""
    kind, config = registry["kind"], registry.get("config") or {}
    if kind in _CLOUDS and config:
        raise Unanswered(f"credentials of the kind {kind} need the protocol of its cloud")
    if kind == "GCP_ARTIFACT_REGISTRY":
        return Credentials("_json_key", config.get("json_credentials") or "")
    if kind in ("SCALEWAY_CR", "OCI_SCALEWAY_CR"):
        return Credentials("nologin", config.get("scaleway_secret_key") or "")
    return Credentials(config.get("username") or "", config.get("password") or "")


def is_name(text: str) -> bool:
    return len(text) <= _NAME_MAX and _NAME.fullmatch(text) is not None


def is_tag(text: str) -> bool:
    return _TAG.fullmatch(text) is not None


class Registry:
    """One registry. A URL with a path, such as that of a project, begins the names of its images."""

    def __init__(self, session: Session, url: str, credentials: Credentials) -> None:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        scheme = "https" if parts.scheme == "oci" else parts.scheme
        self.is_hub = (parts.hostname or "") in (_HUB, f"index.{_HUB}", f"www.{_HUB}")
        self.host = parts.netloc[:200]
        self._base = _HUB_API if self.is_hub else f"{scheme}://{parts.netloc}"
        prefix = parts.path.strip("/")
        self.prefix = "" if prefix in ("", "v1", "v2") else f"{prefix}/"
        self._session = session
        self._credentials = credentials
        self._lock = threading.Lock()
        self._authorizations: dict[str, str] = {}  # by scope

    def full_name(self, name: str) -> str:
        if self.is_hub and not self.prefix and "/" not in name:
            return f"library/{name}"
        return self.prefix + name

    def names(self, count: int) -> list[str]:
        """Returns the names of the first images, at most `count`. Raises ExternalFailed if the registry does not list
        them."""
        names: list[str] = []
        for page in self._pages("_catalog", "registry:catalog:*", "repositories", count, "does not list its images"):
            names += [name.removeprefix(self.prefix) for name in page if name.startswith(self.prefix)]
        return names[:count]

    def tags(self, name: str, count: int) -> list[str] | None:
        """Returns the first tags of an image, at most `count`; None if there is no such image."""
        full = self.full_name(name)
        if not is_name(full):
            return None
        tags: list[str] = []
        try:
            for page in self._pages(f"{full}/tags/list", f"repository:{full}:pull", "tags", count, "lists no tags"):
                tags += page
        except _Missing:
            return None
        return tags[:count]

    def has(self, name: str, tag: str) -> bool:
        full = self.full_name(name)
        if not is_name(full) or not is_tag(tag):
            return False
        answer = self._ask(f"{self._base}/v2/{full}/manifests/{tag}", f"repository:{full}:pull", "HEAD", _MANIFESTS)
        if answer.status == 404:
            return False
        self._check(answer, f"does not say whether it has {full}:{tag}")
        return True

    def manifest(self, name: str, reference: str) -> Any:
        full = self.full_name(name)
        url = f"{self._base}/v2/{full}/manifests/{quote(reference, safe=':')}"
        answer = self._ask(url, f"repository:{full}:pull", accept=_MANIFESTS)
        self._check(answer, f"has no {full}:{reference}")
        return answer.json()

    def blob(self, name: str, digest: str, size: int) -> bytes:
        """Returns a blob of the registry, checked against its digest."""
        full = self.full_name(name)
        if re.fullmatch(r"sha256:[0-9a-f]{64}", digest) is None:
            raise ExternalFailed(f"{self.host} names a blob by {digest[:80]!r}, which is no SHA-256 digest")
        answer = self._ask(f"{self._base}/v2/{full}/blobs/{digest}", f"repository:{full}:pull", size=size)
        self._check(answer, f"has no blob {digest}")
        if f"sha256:{hashlib.sha256(answer.body).hexdigest()}" != digest:
            raise ExternalFailed(f"{self.host} gives another blob than {digest}")
        return answer.body

    def _pages(self, path: str, scope: str, member: str, count: int, fault: str) -> Iterator[list[str]]:
        url = f"{self._base}/v2/{path}?n={min(_PAGE, count)}"
        found, seen = 0, set()
        for _ in range(_PAGES_MAX):
            answer = self._ask(url, scope)
            if answer.status == 404:
                raise _Missing(f"{self.host} {fault}: status 404")
            self._check(answer, fault)
            content = answer.json()
            entries = content.get(member) if isinstance(content, dict) else None
            page = [entry for entry in entries if isinstance(entry, str)] if isinstance(entries, list) else []
            found += len(page)
            yield page
            following = _LINK.search(answer.headers.get("link", ""))
            seen.add(url)
            if following is None or found >= count:
                return
            url = urljoin(answer.url, following[1])
            if url in seen:
                return
        raise ExternalFailed(f"{self.host} gives more than {_PAGES_MAX} pages")

    def _ask(
        self, url: str, scope: str, method: str = "GET", accept: str = "application/json", size: int = BODY_SIZE
    ) -> Answer:
        """Makes a request; if the registry demands a token, once more with it."""
        with self._lock:
            authorization = self._authorizations.get(scope)
        is_own = origin(url) == origin(self._base)
        headers = {"accept": accept}
        if authorization and is_own:
            headers["authorization"] = authorization
        answer = self._session.ask(url, method=method, headers=headers, size=size)
        if answer.status != 401 or not is_own or origin(answer.url) != origin(self._base):
            return answer
        authorization = self._authorize(answer.headers.get("www-authenticate", ""), scope)
        if authorization is None:
            return answer
        with self._lock:
            self._authorizations[scope] = authorization
        return self._session.ask(url, method=method, headers={**headers, "authorization": authorization}, size=size)

    def _authorize(self, challenge: str, scope: str) -> str | None:
        """Returns the header Authorization that a challenge demands; None if there is none to give."""
        user, password = self._credentials
        kind, _, rest = challenge.partition(" ")
        if kind.lower() == "basic":
            return basic(user, password) if user or password else None
        if kind.lower() != "bearer":
            return None
        facts = {name.lower(): quoted or bare for name, quoted, bare in _PARAMETER.findall(rest)}
        realm = facts.get("realm", "")
        query = {"scope": facts.get("scope") or scope}
        if facts.get("service"):
            query["service"] = facts["service"]
        headers = {"authorization": basic(user, password)} if user or password else {}
        separator = "&" if "?" in realm else "?"
        answer = self._session.ask(f"{realm}{separator}{urlencode(query)}", headers=headers)
        if answer.status != 200:
            raise ExternalFailed(f"{shown_url(realm)} gives no token for {self.host}: status {answer.status}")
        content = answer.json()
        token = content.get("token") or content.get("access_token") if isinstance(content, dict) else None
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise ExternalFailed(f"{shown_url(realm)} gives an answer without a token")
        return f"Bearer {token}"

    def _check(self, answer: Answer, fault: str) -> None:
        if answer.status != 200:
            reason = "it refuses the credentials, " if answer.status in (401, 403) else ""
            raise ExternalFailed(f"{self.host} {fault}: {reason}status {answer.status}")


class _Missing(ExternalFailed):
    """404: there is no image of this name."""
