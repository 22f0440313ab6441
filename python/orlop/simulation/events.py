"""The events of a simulation, and a filter for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.live_objects import Live
from ..errors import Misuse
from ..options.arguments import event_id, event_kind, id_of, text
from .rules import control

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .. import _core
    from ..deployments.deployment import Deployment
    from ..resources.resource import Resource


def require_events(core: _core.Engine, what: str) -> None:
    """Raises `Misuse` if the simulation keeps no events."""
    if control(core, "GET", "record")["record"] == "none":
        raise Misuse(f"{what} needs events, and this simulation keeps none: record must be all or states, not none")


class Events(Live):
    """The events of a simulation. Called, it is `Engine.events`."""

    def __init__(self, read: Callable[..., list[dict[str, Any]]]) -> None:
        self._read = read

    def __call__(
        self,
        since: int = 0,
        *,
        organization: Resource | str | None = None,
        request: Deployment | str | None = None,
        subject: Resource | Deployment | str | None = None,
        kinds: Iterable[str] = (),
        timeout: str | float = 0.0,
    ) -> list[dict[str, Any]]:
        """As `Engine.events`; `timeout` is real time."""
        return self._read(
            since, organization=organization, request=request, subject=subject, kinds=kinds, timeout=timeout
        )

    def where(
        self, *, kind: str = "", subject: Resource | str = "", request: Deployment | str = "", since: int = 0
    ) -> list[dict[str, Any]]:
        """Returns the events with all of these members, in order: their `kind` (`*` and `?` are wildcards), the
        resource that they are about, the deployment request; objects or their ids."""
        from fnmatch import fnmatchcase

        about, wanted = event_id("subject", id_of("subject", subject)), event_id("request", id_of("request", request))
        pattern = text("kind", kind) and event_kind("kind", kind)
        # A query uses at most one index of the store.
        found = self(since, request=wanted or None, subject=None if wanted else about or None)
        return [
            event
            for event in found
            if (not about or event["subject"] == about) and (not pattern or fnmatchcase(event["kind"], pattern))
        ]
