"""The texts of events: states, instants and durations, read and written."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..errors import StorageCorrupt
from ..options.arguments import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LINE_MAX = 1_000  # letters
ENDED_WELL = ("DEPLOYED", "STOPPED", "DELETED", "RESTARTED", "UNINSTALLED")  # states of deployments that have succeeded


def instant(text: str) -> datetime:
    """Of RFC 3339 with "Z", as the engine writes it."""
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
        if found.tzinfo is None:
            raise ValueError
        return found
    except (ValueError, AttributeError):
        raise StorageCorrupt(
            f"an event happened at no time but {shown(text)}, so the store holds bytes that the engine never wrote"
        ) from None


def words_of(seconds: float) -> str:
    """ "2m13s" of 133, "1.5s" of 1.5, "250ms" of 0.25."""
    if 0 < seconds < 0.9995:
        milliseconds = seconds * 1000
        return f"{milliseconds:.1f}".removesuffix(".0") + "ms" if milliseconds < 10 else f"{milliseconds:.0f}ms"
    if seconds < 9.95:
        return f"{seconds:.1f}".removesuffix(".0") + "s"
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600}h{whole % 3600 // 60:02}m"
    return f"{whole // 60}m{whole % 60:02}s" if whole >= 60 else f"{whole}s"


def cut(text: str, length: int) -> str:
    """The text in one line; in its middle a mark stands for what does not fit."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    half = (length - 1) // 2
    return text if len(text) <= length else f"{text[: length - 1 - half]}…{text[-half:]}"


def in_lines(lines: Iterable[str]) -> str:
    """The lines as one text. Each stays one line of bounded length, whatever letters the names in it hold."""
    return "\n".join(cut(line, _LINE_MAX) for line in lines)


def is_change_of_state(event: Mapping[str, Any]) -> bool:
    """True for the events about a service or cluster in a new state."""
    noun, _, state = str(event["kind"]).partition(".")
    return noun in ("service", "cluster") and state == str(event.get("to", "")).lower()
