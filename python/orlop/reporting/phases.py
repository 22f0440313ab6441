"""How timelines draw the states. The table is generated from the engine's table of states."""

from __future__ import annotations

from . import chart

IDLE, FAILED = chart.PHASES["idle"], chart.PHASES["failed"]

# The legend: every phase but idle, which is blank.
PHASES = tuple(phase for name, phase in chart.PHASES.items() if name != "idle")


def phase_of(state: str) -> chart.Phase:
    """The phase of a state; a state that is not known is idle."""
    return chart.PHASES[chart.PHASE_OF_STATE.get(state, "idle")]
