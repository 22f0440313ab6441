"""The open engines. They are closed before the interpreter ends, so that no other thread is inside one of them then."""

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
# Host and port of each running server of an engine of this process.
SERVED: set[tuple[str, int]] = set()


@atexit.register
def close_all() -> None:
    """Closes the open engines, except those of the process from which this one was forked. All together have ten
    seconds for their drivers."""
    end = time.monotonic() + _GRACE
    for engine in list(OPEN):
        try:
            engine.close(max(0.0, end - time.monotonic()))
        except ForeignHandle:
            continue
