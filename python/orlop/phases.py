"""How a timeline draws the states: each belongs to a phase."""

from __future__ import annotations

from typing import NamedTuple


class Phase(NamedTuple):
    """How states of one sort are drawn: a character, a colour, and what they mean."""

    glyph: str
    colour: str
    meaning: str


QUEUED = Phase("·", "#d5d9e0", "queued")
WAITING = Phase("-", "#aeb6c2", "waiting")
BUILDING = Phase("▒", "#8b6fd6", "building")
WORKING = Phase("▓", "#2f7de1", "deploying, restarting, executing")
RUNNING = Phase("█", "#2e9e5b", "deployed")
STOPPING = Phase("<", "#c98a1b", "stopping, deleting")
STOPPED = Phase("_", "#efe3c8", "stopped")
FAILED = Phase("!", "#d6453d", "failed")
CANCELED = Phase("x", "#6b7280", "canceled")
IDLE = Phase(" ", "#ffffff", "ready")

PHASES = (QUEUED, WAITING, BUILDING, WORKING, RUNNING, STOPPING, STOPPED, FAILED, CANCELED)

_OF_STATE = {
    "READY": IDLE, "DELETED": IDLE,
    "BUILDING": BUILDING,
    "DEPLOYING": WORKING, "EXECUTING": WORKING, "RECAP": WORKING, "RESTARTING": WORKING, "DRY_RUN": WORKING,
    "DEPLOYED": RUNNING, "RESTARTED": RUNNING,
    "STOPPING": STOPPING, "DELETING": STOPPING,
    "STOPPED": STOPPED,
    "CANCELING": CANCELED, "CANCELED": CANCELED,
    "UNAVAILABLE": FAILED, "INVALID_CREDENTIALS": FAILED,
}  # fmt: skip


def phase_of(state: str) -> Phase:
    """The sort of a state."""
    if state.startswith("WAITING"):
        return WAITING
    if state.endswith("QUEUED"):
        return QUEUED
    if state.endswith("_ERROR"):
        return FAILED
    return _OF_STATE.get(state, IDLE)
