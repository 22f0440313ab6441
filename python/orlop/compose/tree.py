"""Rules that hold at the paths of a tree that a pattern such as `services.*.ports` matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .source import Path

Rule = TypeVar("Rule")


class Patterns(Generic[Rule]):
    """Rules by pattern. `*` matches one part of a path, `[]` an item of a list."""

    def __init__(self, rules: Iterable[tuple[str, Rule]]) -> None:
        self._by_length: dict[int, list[tuple[Path, Rule]]] = {}
        for pattern, rule in rules:
            parts = tuple(pattern.split("."))
            self._by_length.setdefault(len(parts), []).append((parts, rule))

    def find(self, path: Path) -> Rule | None:
        """Returns the rule of the first pattern that matches the path."""
        for parts, rule in self._by_length.get(len(path), ()):
            if all(part in ("*", given) for part, given in zip(parts, path, strict=True)):
                return rule
        return None
