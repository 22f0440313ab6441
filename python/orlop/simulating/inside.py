"""Which simulation a thread runs a method of the driver for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..errors import Misuse

if TYPE_CHECKING:
    from .. import _core

_inside = threading.local()


def enter(core: _core.Engine) -> None:
    """From now on this thread runs methods of the driver of this simulation."""
    _inside.core = core


def refuse_inside(core: _core.Engine) -> None:
    """Raises `Misuse` on a thread that runs a method of the simulation's driver: time stands until the method sleeps or ends, and a call that waits for it would never return."""
    if getattr(_inside, "core", None) is core:
        raise Misuse(
            "a method of the driver may not move, control, save, restore or close its simulation: time stands while the method runs. It sleeps by step.sleep; what else is to be done is for another thread"
        )
