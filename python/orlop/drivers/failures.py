"""Exceptions of driver methods: the reason of the failed step, and the traceback for the host's operators."""

from __future__ import annotations

import inspect
import logging
import os
import traceback
from typing import TYPE_CHECKING

from ..errors import DriverFailed, Error, text_of
from .clean_text import clean

if TYPE_CHECKING:
    from collections.abc import Callable
    from traceback import FrameSummary

    from .driver import Driver, Step

_FRAMES_MAX = 3
_OWN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")

_log = logging.getLogger("orlop.driver")


class Ended(Exception):
    """Carries SystemExit or KeyboardInterrupt of a method as its cause. These would end the event loop, and all other
    steps with it."""


def words_of(error: BaseException) -> str:
    """Returns the text of the exception, or the name of its type if it has none."""
    return clean(text_of(error)) or type(error).__name__


def reason_of(error: BaseException, driver: Driver) -> str:
    """Returns the type and the text of the exception, and the last calls in the driver's file; only the text of an
    `orlop.Error`."""
    error = _raised(error)
    if isinstance(error, Error):
        return words_of(error)
    said, name = clean(text_of(error)), type(error).__name__
    frames = ", ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in _frames(error, driver)
    )
    return (f"{name}: {said}" if said else name) + (f" ({frames})" if frames else "")


def log_failure(error: BaseException, step: Step, log: Callable[[str, str], object] | None) -> None:
    """Writes the traceback, without the texts of exceptions, to the host's log and to the logger `orlop.driver`. Skips
    `DriverFailed`, which the driver raises on purpose."""
    error = _raised(error)
    if isinstance(error, DriverFailed):
        return
    _write(f"the driver failed in {step.kind} of {step.family} {step.name}, step {step.id}", error, log)


def log_observation_failure(error: BaseException, log: Callable[[str, str], object] | None) -> None:
    """Writes the exception of a driver's `observe`, or of the report of what it has returned, in the same manner."""
    error = _raised(error)
    said = f": {words_of(error)}" if isinstance(error, Error) else ""
    _write(f"the driver failed in observe{said}", error, log)


def _write(what: str, error: BaseException, log: Callable[[str, str], object] | None) -> None:
    message = clean(f"{what}:\n{''.join(_tracebacks(error)).rstrip()}")
    _log.error("%s", message)
    if log is not None:
        try:
            log("error", message)
        except Exception:
            _log.exception("the log of the host failed")


def _tracebacks(error: BaseException) -> list[str]:
    """Returns the calls and types of the exception and of those that led to it, the first one first. Omits their texts,
    which may hold secrets: the reason of the step has them, masked."""
    lines: list[str] = []
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        lines = [
            "Traceback (most recent call last):\n",
            *traceback.format_tb(at.__traceback__),
            f"{type(at).__name__}\n",
            *(["\n", *lines] if lines else []),
        ]
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return lines


def _raised(error: BaseException) -> BaseException:
    return error.__cause__ if isinstance(error, Ended) and error.__cause__ is not None else error


def _frames(error: BaseException, driver: Driver) -> list[FrameSummary]:
    """Returns the last calls in the file of the driver's class; if there are none, in any file of the host."""
    try:
        file = os.path.abspath(inspect.getfile(type(driver)))
    except (TypeError, OSError):  # the class was made in a shell or a notebook
        file = ""
    frames = traceback.extract_tb(error.__traceback__)
    own = [at for at, frame in enumerate(frames) if os.path.abspath(frame.filename).startswith(_OWN)]
    behind_ours = frames[own[-1] + 1 :] if own else frames
    return ([frame for frame in frames if os.path.abspath(frame.filename) == file] or behind_ours)[-_FRAMES_MAX:]
