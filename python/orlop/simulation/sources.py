"""The images, charts and commits that the scripted external systems of a simulation offer to services."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..options.arguments import mappings
from .rules import Scripted, control


class Sources(Scripted):
    """The images of registries, the charts of Helm repositories and the commits of git repositories, as data.

    A registry or repository with listed entries has only these: a step that needs another one fails, and its reason
    names the missing one. A registry or repository without entries has everything.
    """

    _what = "sources"

    def add(
        self,
        *,
        image: str | None = None,
        registry: str | None = None,
        tags: Iterable[str | Mapping[str, str]] | None = None,
        chart: str | None = None,
        repository: str | None = None,
        versions: Iterable[str] | None = None,
        git: str | None = None,
        branch: str | None = None,
        commits: Iterable[str | Mapping[str, str]] | None = None,
    ) -> None:
        """Adds tags of an image, versions of a chart, or commits of a branch; the newest comes last. Existing entries
        are replaced.

        - `image` with its `tags`, each a text or `{"tag": "1.4", "digest": "sha256:…"}`; `registry` is a pattern for
          the name or URL of the registry.
        - `chart` with its `versions`; `repository` is a pattern for the name or URL of the Helm repository.
        - `git`, the URL of a repository, with the `commits` of a `branch` (default: main), each an id or a mapping with
          `id`, `message`, `author`, `tag` and `created_at`. A deployment without a commit uses the last one.

        In patterns `*` matches any text, `?` one byte; the default matches all. Raises `Misuse`.
        """
        control(self._core, "POST", "sources", _given(locals()), "")

    def remove(
        self,
        removed: Iterable[str],
        *,
        image: str | None = None,
        registry: str | None = None,
        chart: str | None = None,
        repository: str | None = None,
        git: str | None = None,
        branch: str | None = None,
    ) -> None:
        """Removes the tags, versions or commits that match one of the patterns `removed`: of an `image`, a `chart`, or
        a `branch` of the repository `git`.

        The image, chart or branch stays listed: without tags, versions or commits it cannot be deployed. Raises
        `Misuse`.
        """
        control(self._core, "POST", "sources", _given(locals()), "")

    def load(self, sources: Iterable[Mapping[str, Any]]) -> None:
        """Adds and removes entries, all or nothing: mappings with the arguments of `add` as members, and `removed`."""
        control(self._core, "POST", "sources", {"sources": mappings("sources", sources)}, "")


def _given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments that are not None, with lists in place of other iterables; the core checks them."""
    return {
        name: value if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable) else list(value)
        for name, value in arguments.items()
        if name != "self" and value is not None
    }
