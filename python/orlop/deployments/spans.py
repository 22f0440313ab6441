"""The rows of a timeline, and the states in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class Span(NamedTuple):
    """A state with its begin and end."""

    state: str
    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return (self.end - self.begin).total_seconds()


class Row(NamedTuple):
    """The states of one service or cluster in order. `group` is the name of its stage."""

    group: str
    name: str
    spans: tuple[Span, ...]
    reason: str = ""
    """Reason of the failure of its last action; "" if there is none."""
    engines: tuple[str, ...] = ()
    """Names of the engines (`engine_name`) that drove its steps, in order. After a takeover both engines are listed."""


class Rows(Protocol):
    """The data of a timeline that its HTML page uses."""

    title: str
    rows: tuple[Row, ...]
    begin: datetime
    end: datetime

    @property
    def seconds(self) -> float: ...
