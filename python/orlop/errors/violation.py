"""Violations of a refused request."""

from __future__ import annotations

from typing import NamedTuple


class Violation(NamedTuple):
    """One broken rule: the path of the field, "" for the whole body, and the reason."""

    field: str
    reason: str
