"""Plans: what applying a platform file creates, changes and deletes. Secrets are shown as `***`."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any, NamedTuple

MASK = "***"
_SHOWN_MAX = 100  # characters of a value
_SIGNS = {"create": "+", "change": "~", "delete": "-"}


class FieldChange(NamedTuple):
    """A field that changes. `before` and `after` are values of JSON; None: it is not set."""

    path: str
    before: Any
    after: Any


class Change(NamedTuple):
    """What is done to one resource."""

    action: str
    """`create`, `change` or `delete`."""
    family: str
    name: str
    fields: tuple[FieldChange, ...]
    note: str

    def lines(self) -> list[str]:
        """Returns the change as text."""
        head = f"{_SIGNS[self.action]} {self.family.replace('_', ' ')} {shown(self.name)}"
        found = [head + (f" ({self.note})" if self.note else "")]
        for field in self.fields:
            before, after = shown(field.before), shown(field.after)
            said = after if self.action == "create" else f"{before} -> {after}"
            if field.before == MASK and field.after == MASK:
                said = f"{MASK} (another secret)"
            found.append(f"    {field.path}: {said}")
        return found


class Plan(NamedTuple):
    """The changes of a file to a store."""

    environment: str
    """Names of organization, project and environment."""
    changes: tuple[Change, ...]
    kept: tuple[str, ...]
    """Services of the environment that the file does not manage."""

    def text(self) -> str:
        """Returns the plan as lines of text, with a summary at the end."""
        lines = [f"plan for {self.environment}"]
        for change in self.changes:
            lines += change.lines()
        lines += [f"  {each} is not in the file and was not made by one: it is left as it is" for each in self.kept]
        return "\n".join([*lines, self.summary()])

    def summary(self) -> str:
        """Returns the numbers of changes in one line."""
        if not self.changes:
            return "nothing to change"
        counts = {action: sum(each.action == action for each in self.changes) for action in _SIGNS}
        said = ", ".join(f"{count} to {action}" for action, count in counts.items() if count)
        if counts["delete"]:
            said += "; only what a platform file made in this environment is deleted"
        return said

    def to_dict(self) -> dict[str, Any]:
        """Returns the plan as values of JSON."""
        return {
            "environment": self.environment,
            "changes": [
                {**change._asdict(), "fields": [field._asdict() for field in change.fields]} for change in self.changes
            ],
            "kept": list(self.kept),
        }


def shown(value: Any) -> str:
    """Returns a value in one line, cut if it is long."""
    if value is None:
        return "none"
    text = value if isinstance(value, str) and value and value.isprintable() else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "…"


def _is_of_mappings(items: list[Any]) -> bool:
    return all(isinstance(item, dict) for item in items)


def differences(before: Any, after: Any, path: str = "") -> list[FieldChange]:
    """Returns the members of two values that differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        found = []
        for name in [*before, *(name for name in after if name not in before)]:
            at = f"{path}.{name}" if path else name
            found += differences(before.get(name), after.get(name), at)
        return found
    if isinstance(before, list) and isinstance(after, list) and _is_of_mappings(before) and _is_of_mappings(after):
        pairs = enumerate(zip_longest(before, after))
        return [each for index, pair in pairs for each in differences(*pair, f"{path}[{index}]")]
    return [] if type(before) is type(after) and before == after else [FieldChange(path, before, after)]
