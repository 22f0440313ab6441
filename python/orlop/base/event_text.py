"""The texts of events: states, instants and durations, parsed and formatted."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..errors import StorageCorrupt
from ..options.arguments import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LINE_MAX = 1_000  # characters
ENDED_WELL = ("DEPLOYED", "STOPPED", "DELETED", "RESTARTED", "UNINSTALLED")  # states of deployments that have succeeded


def instant(text: str) -> datetime:
    """Parses an instant in RFC 3339 with "Z", as the engine writes it. Raises `StorageCorrupt` if it is malformed."""
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
    """Formats a duration: "2m13s" for 133, "1.5s" for 1.5, "250ms" for 0.25."""
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
    """Returns the text as one line of at most `length` characters; "…" replaces the middle of a longer one."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    half = (length - 1) // 2
    return text if len(text) <= length else f"{text[: length - 1 - half]}…{text[-half:]}"


def in_lines(lines: Iterable[str]) -> str:
    """Joins the lines. Each stays one line of bounded length, even if names hold line breaks."""
    return "\n".join(cut(line, _LINE_MAX) for line in lines)


def is_change_of_state(event: Mapping[str, Any]) -> bool:
    """Reports whether the event is a new state of a service or cluster."""
    noun, _, state = str(event["kind"]).partition(".")
    return noun in ("service", "cluster") and state == str(event.get("to", "")).lower()
