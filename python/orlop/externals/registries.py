"""Answers about container registries, by the OCI distribution API."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..errors import ExternalFailed
from ..generated.external_systems import ExternalSystems
from .access import CACHE_AGE, TIMEOUT, Access, AgeCache, size
from .guarded_http import CONNECTIONS
from .oci_registries import Credentials, Registry, credentials_of
from .targets import Resolver, resolve


class Registries(ExternalSystems):
    """Answers about container registries: their images and tags. Needs the extra `orlop[externals]`. Kinds whose
    credentials need the protocol of a cloud, `ECR` and `AZURE_CR`, are not answered.

    `allow` lists hosts and address ranges that are allowed in addition to the public internet; http is for these only.
    `timeout` is the time of one question in seconds, `cache_age` that during which the tags of an image are not asked
    for again. Of a registry at most `images` images are listed, of an image at most `tags` tags. `resolver` and
    `ssl_context` replace the system's. Raises `Misuse` for an argument out of bounds.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        timeout: float = TIMEOUT,
        cache_age: float = CACHE_AGE,
        images: int = 500,
        tags: int = 20_000,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._access = Access(allow, timeout, resolver, ssl_context)
        self._images, self._tags = size("images", images), size("tags", tags)
        self._cache = AgeCache(cache_age)

    def ages(self) -> list[float]:
        """Returns the ages in seconds of the lists of tags that the cache has."""
        return self._cache.ages()

    def list_images(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns one image with its tags, or all images of a registry that lists them."""
        url, credentials = _registry(question)
        name, search = question.get("image_name") or "", question.get("search") or ""
        deadline = self._access.deadline()
        with self._access.session(deadline) as session:
            registry = Registry(session, url, credentials)
            if not name and registry.is_hub:
                raise ExternalFailed("Docker Hub does not list its images: name one with its image_name")
            names = [each for each in ([name] if name else registry.names(self._images)) if search in each]

            def tags_of(image: str) -> list[str] | None:
                key = (url, credentials, image)
                return self._cache.get(key, lambda: registry.tags(image, self._tags), deadline)

            with ThreadPoolExecutor(min(CONNECTIONS, max(1, len(names))), "orlop-tags") as pool:
                found = list(pool.map(tags_of, names))
        return [{"image_name": image, "versions": tags} for image, tags in zip(names, found) if tags is not None]

    def has_image(self, question: Mapping[str, Any]) -> bool:
        """Returns true if the registry has an image with a tag."""
        url, credentials = _registry(question)
        with self._access.session(self._access.deadline()) as session:
            return Registry(session, url, credentials).has(question["image_name"], question["tag"])


def _registry(question: Mapping[str, Any]) -> tuple[str, Credentials]:
    registry = question["registry"]
    url = registry.get("url") or ""
    credentials = credentials_of(registry)
    if not url:
        raise ExternalFailed(f"the registry {registry['name'][:200]} has no url")
    return url, credentials
