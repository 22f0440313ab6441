"""The scripted receivers of webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.live_objects import Live

if TYPE_CHECKING:
    from .. import _core


class Receivers(Live):
    """The scripted receivers of webhooks. If several rules match a URL, the last added one applies; without one the
    answer is 200."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(self, *, url: str = "", status: int = 200, text: str = "", times: int = 0) -> None:
        """Adds a rule: receivers at this URL (`*` is a wildcard) answer `status` and `text`; status 0: they cannot be
        reached. It applies to `times` messages (0: no limit)."""
        self._core.add_receiver(url, status, text, times)

    def clear(self) -> None:
        """Removes all rules."""
        self._core.clear_receivers()
