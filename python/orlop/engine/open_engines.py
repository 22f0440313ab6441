"""The engines that are open: an interpreter that ends must not find its other threads inside one of them."""

from __future__ import annotations

import atexit
import time
import weakref

from ..errors import ForeignHandle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.engine_protocol import EngineProtocol

_GRACE = 10.0  # seconds

OPEN: weakref.WeakSet[EngineProtocol] = weakref.WeakSet()
# Host and port of every server that runs for an engine of this process.
SERVED: set[tuple[str, int]] = set()


@atexit.register
def close_all() -> None:
    """Closes them, but for those of the process that this one was forked from. All together have ten seconds for their
    drivers."""
    end = time.monotonic() + _GRACE
    for engine in list(OPEN):
        try:
            engine.close(max(0.0, end - time.monotonic()))
        except ForeignHandle:
            continue
