"""The virtual clock of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core
from ..base.live_objects import Live
from ..engine.base_engine import datetime_of
from ..errors import Closed, ForeignHandle
from ..options.arguments import milliseconds, number

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


class Clock(Live):
    """The virtual clock. It advances only by `advance`, `Simulation.run_until_idle`, `Simulation.run` and every `wait`.

    A `wait` advances it to the end of the awaited work, or by its `timeout` if that is earlier.
    """

    def __init__(self, core: _core.Engine, move: Callable[[int], None]) -> None:
        self._core = core
        self._move = move

    def now(self) -> datetime:
        """Returns the virtual time, in UTC."""
        return datetime_of(self._core.now())

    def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        """Advances the clock by the sum of the arguments, and ticks at every due instant. The sum is 0, or at least a
        millisecond: the resolution of the clock."""
        given = {"seconds": (seconds, 1), "minutes": (minutes, 60), "hours": (hours, 3600), "days": (days, 86_400)}
        self._move(milliseconds("the time", sum(number(name, count) * unit for name, (count, unit) in given.items())))

    def __repr__(self) -> str:
        try:
            return f"<Clock {_core.format_time(self._core.now())}>"
        except (Closed, ForeignHandle):
            return "<Clock of a closed simulation>"
