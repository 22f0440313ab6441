"""A process of another program, with a deadline and a limit of its output, at the end of which its whole process group
is killed."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..errors import ExternalFailed

_ERRORS_KEPT = 16_384  # bytes of the standard error, the last ones
_PIECE = 65_536
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
    with tempfile.TemporaryFile() as standard_input:
        standard_input.write(given)
        standard_input.seek(0)
        process = subprocess.Popen(
            command,
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
        )
        try:
            output, errors = _read(process, deadline, name, output_size)
        finally:
            _end(process)
    return Ended(process.returncode, output, errors.decode("utf-8", "replace"))


def _read(process: subprocess.Popen[bytes], deadline: float, name: str, output_size: int) -> tuple[bytes, bytes]:
    assert process.stdout is not None and process.stderr is not None
    output, errors = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, output)
        selector.register(process.stderr, selectors.EVENT_READ, errors)
        while selector.get_map():
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
            if not ready and time.monotonic() >= deadline:
                raise TimeoutError(f"{name} takes too long and was ended")
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                key.data.extend(piece)
                if not piece:
                    selector.unregister(key.fileobj)
            del errors[:-_ERRORS_KEPT]
            if len(output) > output_size:
                raise ExternalFailed(f"{name} gives more than {output_size} bytes")
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{name} takes too long and was ended") from None
    return bytes(output), bytes(errors)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills what is left of the process group: helpers of an ended program as well."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
