"""The engines that are open: an interpreter that ends must not find its other threads inside one of them."""

from __future__ import annotations

import atexit
import weakref

from .errors import ForeignHandle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .engine import Engine

OPEN: weakref.WeakSet[Engine] = weakref.WeakSet()


@atexit.register
def close_all() -> None:
    """Closes them, but for those of the process that this one was forked from."""
    for engine in list(OPEN):
        try:
            engine.close()
        except ForeignHandle:
            continue
