"""Answers about the versions of Terraform and OpenTofu, by indexes that are named."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import ExternalFailed, Misuse
from ..generated.external_systems import ExternalSystems
from ..options.arguments import shown
from .access import CACHE_AGE, TIMEOUT, Access, AgeCache, size
from .targets import Resolver, resolve

ENGINES = ("TERRAFORM", "OPEN_TOFU")


class Terraform(ExternalSystems):
    """Answers which versions of Terraform and OpenTofu services can use. Needs the extra `orlop[externals]`.

    `indexes` has a URL of JSON for each engine, `TERRAFORM` or `OPEN_TOFU`: an object whose `versions` are an object by
    version, as the releases of HashiCorp have it, or a list of texts or of objects with `id` or `version`, as OpenTofu
    has it; or such a list alone. Prereleases are left out. `allow` lists hosts and address ranges that are allowed in
    addition to the public internet. `timeout` is the time of the question in seconds, `cache_age` that during which an
    index is not read again, `index_size` the size of an index in bytes. `resolver` and `ssl_context` replace the
    system's. Raises `Misuse` for an argument out of bounds.
    """

    def __init__(
        self,
        indexes: Mapping[str, str],
        *,
        allow: Iterable[str] = (),
        timeout: float = TIMEOUT,
        cache_age: float = CACHE_AGE,
        index_size: int = 1 << 25,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        if not isinstance(indexes, Mapping) or not indexes:
            raise Misuse(f"indexes must have a URL for at least one of {', '.join(ENGINES)}, not {shown(indexes)}")
        for engine in indexes:
            if engine not in ENGINES:
                raise Misuse(f"indexes must have URLs for {' and '.join(ENGINES)}, not for {shown(engine)}")
        self._indexes = dict(indexes)
        self._access = Access(allow, timeout, resolver, ssl_context)
        self._index_size = size("index_size", index_size)
        self._cache = AgeCache(cache_age)

    def ages(self) -> list[float]:
        """Returns the ages in seconds of the indexes that the cache has."""
        return self._cache.ages()

    def list_terraform_versions(self, question: Mapping[str, Any]) -> list[dict[str, str]]:
        """Returns the versions of the engines, the newest first."""
        deadline = self._access.deadline()
        return [
            {"engine": engine, "version": version}
            for engine, url in self._indexes.items()
            for version in self._cache.get(url, lambda url=url: self._read(url, deadline), deadline)  # type: ignore[misc]
        ]

    def _read(self, url: str, deadline: float) -> list[str]:
        from .helm_repositories import newest_first

        with self._access.session(deadline) as session:
            answer = session.ask(url, size=self._index_size)
        if answer.status != 200:
            raise ExternalFailed(f"the index {url[:200]} answers with the status {answer.status}")
        versions = [version.removeprefix("v") for version in _versions(answer.json())]
        found = [version for version in newest_first(versions) if "-" not in version]
        if not found:
            raise ExternalFailed(f"the index {url[:200]} has no versions")
        return found


def _versions(index: Any) -> Iterator[str]:
    listed = index.get("versions") if isinstance(index, dict) else index
    for entry in listed if isinstance(listed, (dict, list)) else ():
        found = entry.get("id") or entry.get("version") if isinstance(entry, dict) else entry
        if isinstance(found, str):
            yield found
