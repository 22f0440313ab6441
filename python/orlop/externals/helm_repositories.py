"""Answers about Helm repositories: an index over HTTPS, and OCI registries."""

from __future__ import annotations

import gzip
import io
import ssl
import tarfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urljoin

import semver

from ..errors import ExternalFailed, Unanswered
from ..generated.external_systems import ExternalSystems
from .access import CACHE_AGE, TIMEOUT, Access, AgeCache, size
from .file_parsers import parse
from .guarded_http import Answer, Session, basic, origin
from .oci_registries import Credentials, Registry, credentials_of, is_name
from .targets import Resolver, resolve

_CHART = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
_VALUES_SIZE = 4 << 20

Index = Mapping[str, list[dict[str, Any]]]


class HelmRepositories(ExternalSystems):
    """Answers about Helm repositories: charts, their versions and their values. Needs the extra `orlop[externals]`.
    Repositories whose credentials need the protocol of a cloud, of the kind `OCI_ECR`, are not answered.

    `allow` lists hosts and address ranges that are allowed in addition to the public internet; http is for these only.
    `timeout` is the time of one question in seconds, `cache_age` that during which an index is not read again. An
    index has at most `index_size` bytes, a chart at most `chart_size`, and unpacked ten times as many. Of a registry at
    most `charts` charts are listed. `resolver` and `ssl_context` replace the system's. Raises `Misuse` for an argument
    out of bounds.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        timeout: float = TIMEOUT,
        cache_age: float = CACHE_AGE,
        index_size: int = 1 << 25,
        chart_size: int = 1 << 24,
        charts: int = 500,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._access = Access(allow, timeout, resolver, ssl_context)
        self._index_size, self._chart_size = size("index_size", index_size), size("chart_size", chart_size)
        self._charts = size("charts", charts)
        self._cache = AgeCache(cache_age)

    def ages(self) -> list[float]:
        """Returns the ages in seconds of the indexes that the cache has."""
        return self._cache.ages()

    def list_charts(self, question: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns one chart with its versions, or all charts; of an OCI registry only if it lists its images."""
        repository, name = question["repository"], question.get("chart_name") or ""
        deadline = self._access.deadline()
        with self._session(repository, deadline) as session:
            if _is_oci(repository):
                registry = Registry(session, repository["url"], credentials_of(repository))
                found = {
                    chart: _versions_of_tags(registry.tags(chart, 20_000))
                    for chart in ([name] if name else registry.names(self._charts))
                }
            else:
                index = self._index(session, repository, deadline)
                found = {chart: [each["version"] for each in listed] for chart, listed in index.items()}
        return [
            {"chart_name": chart, "versions": newest_first(versions)}
            for chart, versions in found.items()
            if versions and name in ("", chart)
        ]

    def read_chart_values(self, question: Mapping[str, Any]) -> str:
        """Returns the values of a chart, of the newest release if no version is named; not of git repositories."""
        repository = question.get("repository")
        if repository is None:
            raise Unanswered("the question read_chart_values is answered for Helm repositories only")
        name, version = question.get("chart_name") or "", question.get("chart_version") or ""
        deadline = self._access.deadline()
        with self._session(repository, deadline) as session:
            archive = (
                self._from_registry(session, repository, name, version)
                if _is_oci(repository)
                else self._from_index(session, repository, name, version, deadline)
            )
        return values_of(archive, self._chart_size * 10, name)

    def _session(self, repository: Mapping[str, Any], deadline: float) -> Session:
        if not repository.get("url"):
            raise ExternalFailed(f"the Helm repository {repository['name'][:200]} has no url")
        return self._access.session(deadline, repository.get("skip_tls_verification") or False)

    def _index(self, session: Session, repository: Mapping[str, Any], deadline: float) -> Index:
        url, credentials = _below(repository["url"], "index.yaml"), credentials_of(repository)

        def read() -> Index:
            answer = _checked(session.ask(url, headers=_authorization(credentials), size=self._index_size), url)
            text = answer.body.decode("utf-8", "replace")
            found: Index = parse("charts", {"index.yaml": text}, "the index of the Helm repository", deadline)
            return found

        return self._cache.get((url, credentials, repository.get("skip_tls_verification")), read, deadline)

    def _from_index(
        self, session: Session, repository: Mapping[str, Any], name: str, version: str, deadline: float
    ) -> bytes:
        listed = self._index(session, repository, deadline).get(name, [])
        wanted = version or next(iter(newest_first([each["version"] for each in listed], stable=True)), "")
        found = next((each for each in listed if each["version"] == wanted and each["urls"]), None)
        if found is None:
            raise ExternalFailed(f"the Helm repository has no chart {name[:200]} {version[:100]}".rstrip())
        start = _below(repository["url"], "")
        url = urljoin(start, found["urls"][0])
        # As with Helm, the credentials of the repository are for its own host only.
        headers = _authorization(credentials_of(repository)) if origin(url) == origin(start) else {}
        return _checked(session.ask(url, headers=headers, size=self._chart_size), url).body

    def _from_registry(self, session: Session, repository: Mapping[str, Any], name: str, version: str) -> bytes:
        registry = Registry(session, repository["url"], credentials_of(repository))
        tags = [] if version else _versions_of_tags(registry.tags(name, 20_000))
        wanted = version or next(iter(newest_first(tags, stable=True)), "")
        if not wanted or not is_name(registry.full_name(name)):
            raise ExternalFailed(f"the Helm repository has no chart {name[:200]}")
        manifest = registry.manifest(name, wanted.replace("+", "_"))
        layers = manifest.get("layers") if isinstance(manifest, dict) else None
        for layer in layers if isinstance(layers, list) else []:
            if isinstance(layer, dict) and layer.get("mediaType") == _CHART:
                return registry.blob(name, str(layer.get("digest")), self._chart_size)
        raise ExternalFailed(f"the image {name[:200]}:{wanted[:100]} is no Helm chart")


def newest_first(versions: list[str], stable: bool = False) -> list[str]:
    """Returns versions by semantic versioning, the newest first; texts that are none stay at the end in their order.
    With `stable`, releases stand before prereleases, which count only where there is nothing else."""

    def key(text: str) -> tuple[bool, semver.Version] | None:
        try:
            found = semver.Version.parse(text.removeprefix("v"), optional_minor_and_patch=True)
        except ValueError:
            return None
        return not stable or found.prerelease is None, found

    known = [(found, text) for text in dict.fromkeys(versions) if (found := key(text)) is not None]
    rest = [text for text in dict.fromkeys(versions) if key(text) is None]
    return [text for _, text in sorted(known, key=lambda each: each[0], reverse=True)] + rest


def values_of(archive: bytes, size_max: int, name: str) -> str:
    """Returns the values.yaml of a packed chart, "" if it has none. Raises ExternalFailed for an archive that is none,
    or that unpacks to more than `size_max` bytes."""
    is_chart = False
    try:
        limited = io.BufferedReader(_Limited(archive, size_max))
        with tarfile.open(fileobj=limited, mode="r|") as packed:
            for member in packed:
                _, _, path = member.name.removeprefix("./").partition("/")
                is_chart = is_chart or path == "Chart.yaml"
                if path != "values.yaml" or not member.isfile():
                    continue
                if member.size > _VALUES_SIZE:
                    raise ExternalFailed(f"the values of the chart {name[:200]} have more than {_VALUES_SIZE} bytes")
                content = packed.extractfile(member)
                return "" if content is None else content.read().decode("utf-8", "replace")
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError) as error:
        raise ExternalFailed(f"the archive of the chart {name[:200]} cannot be unpacked: {error}") from None
    if not is_chart:
        raise ExternalFailed(f"the archive of {name[:200]} is no Helm chart: it has no Chart.yaml")
    return ""


class _Limited(io.RawIOBase):
    """The unpacked bytes of a gzip archive, up to a limit."""

    def __init__(self, archive: bytes, size_max: int) -> None:
        self._inner = gzip.GzipFile(fileobj=io.BytesIO(archive))
        self._left = size_max

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        piece = self._inner.read(len(view))
        self._left -= len(piece)
        if self._left < 0:
            raise ValueError("it unpacks to too many bytes")
        view[: len(piece)] = piece
        return len(piece)


def _is_oci(repository: Mapping[str, Any]) -> bool:
    return str(repository["url"]).startswith("oci://") or str(repository["kind"]).startswith("OCI_")


def _versions_of_tags(tags: list[str] | None) -> list[str]:
    """Returns the versions that tags stand for: a tag has _ for the + of a version, which tags cannot have."""
    return [tag.replace("_", "+") for tag in tags or []]


def _below(url: str, name: str) -> str:
    return f"{url.partition('?')[0].partition('#')[0].rstrip('/')}/{name}"


def _authorization(credentials: Credentials) -> dict[str, str]:
    return {"authorization": basic(*credentials)} if any(credentials) else {}


def _checked(answer: Answer, url: str) -> Answer:
    if answer.status != 200:
        raise ExternalFailed(f"{url.partition('?')[0][:200]} answers with the status {answer.status}")
    return answer
