"""A process of another program, with a deadline and a limit of its output, at the end of which its whole process group
is killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..base.process_group import Ending, ProcessGroup
from ..errors import ExternalFailed

_ERRORS_KEPT = 16_384  # bytes of the standard error, the last ones
_LIMITED = 'ulimit -f "$0" && exec "$@"'  # a limit of files without code between fork and exec
_BLOCK = 512  # bytes, the unit of ulimit -f


class Ended(NamedTuple):
    status: int
    output: bytes
    errors: str


def run(
    command: Sequence[str],
    *,
    deadline: float,
    name: str,
    output_size: int,
    environment: Mapping[str, str],
    given: bytes = b"",
    file_size: int | None = None,
    folder: str | None = None,
) -> Ended:
    """Runs a command to its end. `name` names the work in messages, `file_size` limits each file that it writes,
    `folder` is its current directory. Raises
    TimeoutError at the deadline, a time of `time.monotonic()`, and ExternalFailed for too much output."""
    if file_size is not None:
        command = ["/bin/sh", "-c", _LIMITED, str(max(1, file_size // _BLOCK)), *command]
    output, errors = bytearray(), bytearray()

    def keep(piece: bytes) -> None:
        output.extend(piece)
        if len(output) > output_size:
            raise ExternalFailed(f"{name} gives more than {output_size} bytes")

    def keep_last(piece: bytes) -> None:
        errors.extend(piece)
        del errors[:-_ERRORS_KEPT]

    process = ProcessGroup(command, environment=environment, given=given, folder=folder)
    try:
        ending = process.follow(keep, keep_last, deadline=deadline)
    finally:
        process.close()
    if ending is Ending.TOO_LONG:
        raise TimeoutError(f"{name} takes too long and was ended")
    return Ended(process.status, bytes(output), errors.decode("utf-8", "replace"))
