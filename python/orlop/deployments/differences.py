"""How the configurations of services differ: what is deployed from what is wanted, or one release from another."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ABSENT = object()


class ConfigurationChange(NamedTuple):
    """A member of a configuration that differs. A secret is shown as `***`."""

    path: str
    """JSON Pointer to the member. An item of a list is named by its key, name or id: `/variables/PORT/value`."""
    before: Any
    """Value before; None if the member was added."""
    after: Any
    """Value after; None if the member was removed."""
    kind: str
    """`added`, `removed` or `changed`."""
    is_secret: bool
    """True if the value is or holds a secret."""

    def __str__(self) -> str:
        if self.kind == "added":
            return f"+ {self.path}: {_text(self.after)}"
        if self.kind == "removed":
            return f"- {self.path}: {_text(self.before)}"
        return f"~ {self.path}: {_text(self.before)} -> {_text(self.after)}"


class ServiceDifferences:
    """The differences of one service. True if there is one, or if the wanted configuration cannot be deployed."""

    __slots__ = ("_data", "changes")

    changes: list[ConfigurationChange]
    """The changes, in the order of the members."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = dict(data)
        self.changes = [_change(change) for change in data["changes"]]

    @property
    def service_id(self) -> str:
        """Id of the service."""
        return str(self._data["service_id"])

    @property
    def name(self) -> str:
        """Name of the service."""
        return str(self._data["name"])

    @property
    def before(self) -> int | None:
        """Number of the release before; None if the service has no release."""
        return None if self._data["from"] is None else int(self._data["from"])

    @property
    def after(self) -> int | None:
        """Number of the release after; None for the wanted configuration."""
        return None if self._data["to"] is None else int(self._data["to"])

    @property
    def reason(self) -> str:
        """Reason why the wanted configuration cannot be deployed; "" if it can be."""
        return str(self._data.get("reason", ""))

    def to_dict(self) -> dict[str, Any]:
        """Returns the differences as the interface gives them."""
        return dict(self._data)

    def __bool__(self) -> bool:
        return bool(self.changes) or bool(self.reason)

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[ConfigurationChange]:
        return iter(self.changes)

    def __str__(self) -> str:
        lines = [f"{self.name}: {_release(self.before, 'nothing')} -> {_release(self.after, 'wanted')}"]
        if self.reason:
            lines.append(f"  ! {self.reason}")
        lines += [f"  {change}" for change in self.changes]
        if not self:
            lines.append("  no difference")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self.changes)} changes>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(change.kind)}</td><td><code>{escape(change.path)}</code></td>"
            f"<td>{'' if change.kind == 'added' else escape(_text(change.before))}</td>"
            f"<td>{'' if change.kind == 'removed' else escape(_text(change.after))}</td></tr>"
            for change in self.changes
        )
        head = f"{self.name}: {_release(self.before, 'nothing')} → {_release(self.after, 'wanted')}"
        reason = f"<p>{escape(self.reason)}</p>" if self.reason else ""
        table = f"<table><tr><th></th><th>path</th><th>before</th><th>after</th></tr>{rows}</table>" if rows else ""
        return f"<h4>{escape(head)}</h4>{reason}{table}" + ("" if self else "<p>no difference</p>")


class Differences:
    """The services of an environment that differ from what is wanted. True if there is one."""

    __slots__ = ("services",)

    services: list[ServiceDifferences]
    """The services that differ, and those without a release."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.services = [ServiceDifferences(service) for service in data["services"]]

    def to_dict(self) -> dict[str, Any]:
        """Returns the differences as the interface gives them."""
        return {"services": [service.to_dict() for service in self.services]}

    def __bool__(self) -> bool:
        return bool(self.services)

    def __len__(self) -> int:
        return len(self.services)

    def __iter__(self) -> Iterator[ServiceDifferences]:
        return iter(self.services)

    def __str__(self) -> str:
        return "\n".join(map(str, self.services)) or "no service differs"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.services)} services>"

    def _repr_html_(self) -> str:
        return "".join(service._repr_html_() for service in self.services) or "<p>no service differs</p>"


def _change(data: Mapping[str, Any]) -> ConfigurationChange:
    before, after = data.get("before", _ABSENT), data.get("after", _ABSENT)
    kind = "added" if before is _ABSENT else "removed" if after is _ABSENT else "changed"
    return ConfigurationChange(
        data["path"],
        None if before is _ABSENT else before,
        None if after is _ABSENT else after,
        kind,
        data["is_secret"],
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _release(number: int | None, otherwise: str) -> str:
    return otherwise if number is None else f"release {number}"
