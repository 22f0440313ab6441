"""The phases of states, as timelines draw them."""

from __future__ import annotations

from ..generated import states

IDLE, FAILED = states.PHASES["idle"], states.PHASES["failed"]

# The legend: all phases except idle, which is blank.
PHASES = tuple(phase for name, phase in states.PHASES.items() if name != "idle")


def phase_of(state: str) -> states.Phase:
    """Returns the phase of a state; an unknown state is idle."""
    return states.PHASES[states.PHASE_OF_STATE.get(state, "idle")]
