"""The states of services and clusters, and how charts draw them. Generated from the table of states: do not edit."""

from typing import NamedTuple


class Phase(NamedTuple):
    """How states of one sort are drawn: a character, a colour, and what they mean."""

    glyph: str
    colour: str
    meaning: str


PHASES: dict[str, Phase] = {
    "queued": Phase("·", "#d5d9e0", "queued"),
    "waiting": Phase("-", "#aeb6c2", "waiting"),
    "building": Phase("▒", "#8b6fd6", "building"),
    "working": Phase("▓", "#2f7de1", "deploying, restarting, executing"),
    "running": Phase("█", "#2e9e5b", "deployed"),
    "stopping": Phase("<", "#c98a1b", "stopping, deleting"),
    "stopped": Phase("_", "#efe3c8", "stopped"),
    "failed": Phase("!", "#d6453d", "failed"),
    "canceled": Phase("x", "#6b7280", "canceled"),
    "idle": Phase(" ", "#ffffff", "ready"),
}

PHASE_OF_STATE: dict[str, str] = {
    "BUILDING": "building",
    "BUILD_ERROR": "failed",
    "CANCELED": "canceled",
    "CANCELING": "canceled",
    "DELETED": "idle",
    "DELETE_ERROR": "failed",
    "DELETE_QUEUED": "queued",
    "DELETING": "stopping",
    "DEPLOYED": "running",
    "DEPLOYING": "working",
    "DEPLOYMENT_ERROR": "failed",
    "DEPLOYMENT_QUEUED": "queued",
    "DRY_RUN": "working",
    "EXECUTING": "working",
    "INVALID_CREDENTIALS": "failed",
    "QUEUED": "queued",
    "READY": "idle",
    "RECAP": "working",
    "RESTARTED": "running",
    "RESTARTING": "working",
    "RESTART_ERROR": "failed",
    "RESTART_QUEUED": "queued",
    "STOPPED": "stopped",
    "STOPPING": "stopping",
    "STOP_ERROR": "failed",
    "STOP_QUEUED": "queued",
    "UNAVAILABLE": "failed",
    "WAITING_DELETING": "waiting",
    "WAITING_RESTARTING": "waiting",
    "WAITING_RUNNING": "waiting",
    "WAITING_STOPPING": "waiting",
}

TRANSIENT: frozenset[str] = frozenset({
    "BUILDING",
    "CANCELING",
    "DELETE_QUEUED",
    "DELETING",
    "DEPLOYING",
    "DEPLOYMENT_QUEUED",
    "DRY_RUN",
    "EXECUTING",
    "QUEUED",
    "RECAP",
    "RESTARTING",
    "RESTART_QUEUED",
    "STOPPING",
    "STOP_QUEUED",
    "UNAVAILABLE",
    "WAITING_DELETING",
    "WAITING_RESTARTING",
    "WAITING_RUNNING",
    "WAITING_STOPPING",
})
"""The states that a service or cluster leaves without a request."""

ERROR: frozenset[str] = frozenset({
    "BUILD_ERROR",
    "DELETE_ERROR",
    "DEPLOYMENT_ERROR",
    "INVALID_CREDENTIALS",
    "RESTART_ERROR",
    "STOP_ERROR",
})
"""The states that a failed action leads to."""
