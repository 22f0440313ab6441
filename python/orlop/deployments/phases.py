"""The phases by which timelines draw the states."""

from __future__ import annotations

from ..generated import states

IDLE, FAILED = states.PHASES["idle"], states.PHASES["failed"]

# The legend: every phase but idle, which is blank.
PHASES = tuple(phase for name, phase in states.PHASES.items() if name != "idle")


def phase_of(state: str) -> states.Phase:
    """The phase of a state; a state that is not known is idle."""
    return states.PHASES[states.PHASE_OF_STATE.get(state, "idle")]
