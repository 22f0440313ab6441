"""What the containers of a service say of its running state."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from ..observation import Observation
from .rollout import name_of
from .texts import exit_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_STEADY_AFTER = 60.0  # seconds: a container that was restarted counts as well again then
_STARTING = ("created", "restarting")
_INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)")


def observed(containers: Sequence[Mapping[str, Any]], now: datetime) -> Observation:
    """Returns the observation of a service. `containers`: its containers as the engine inspects them, without those
    that are kept for their log."""
    if not containers:
        return Observation("ERROR", wanted=0, ready=0, reason="it has no container: another program has removed it")
    reasons, since = [], ""
    ready = running = starting = restarts = 0
    codes: list[tuple[str, int]] = []
    for container in sorted(containers, key=name_of):
        state, count = container["State"], int(container.get("RestartCount") or 0)
        restarts += count
        status = str(state.get("Status"))
        begun, ended = _instant(state.get("StartedAt")), _instant(state.get("FinishedAt"))
        running += status == "running"
        if ended and not state.get("Running"):  # Docker forgets the code when it starts the container again
            codes.append((ended, int(state.get("ExitCode") or 0)))
        reason = _reason(state, status, count, _age(begun, now))
        if reason:
            reasons.append(f"{_name(container)}: {reason}")
        elif status == "running":
            ready += 1
            since = max(since, begun)
        starting += status in _STARTING
        if status not in ("running", "created"):
            since = max(since, ended)
    return Observation(
        _state(len(containers), ready, running, starting),
        wanted=len(containers),
        ready=ready,
        failing=len(reasons),
        restarts=restarts,
        last_exit_code=max(codes)[1] if codes else None,
        reason="; ".join(reasons),
        since=since,
    )


def _state(wanted: int, ready: int, running: int, starting: int) -> str:
    if ready == wanted:
        return "RUNNING"
    if starting and starting + ready == wanted:
        return "STARTING"
    return "WARNING" if running else "ERROR"


def _reason(state: Mapping[str, Any], status: str, restarts: int, age: float) -> str:
    """Returns why a container is not well; "" if it is, or begins."""
    if status == "running":
        return f"it was restarted, {_restarts(restarts)} in all" if restarts and age < _STEADY_AFTER else ""
    if status == "created":
        return ""
    if status in ("exited", "dead", "restarting", "stopped"):
        return f"it has ended with {exit_text(state)}" + (f", {_restarts(restarts)}" if restarts else "")
    return f"it is {status}"


def _restarts(count: int) -> str:
    return f"{count} restart" + ("" if count == 1 else "s")


def _name(container: Mapping[str, Any]) -> str:
    return str(container.get("Name") or name_of(container)).lstrip("/")


def _instant(text: object) -> str:
    """Returns an instant of the engine in UTC with milliseconds; "" for the year 1, which stands for none. The engines
    write up to nine digits of a second, and Podman the offset of its machine."""
    found = _INSTANT.fullmatch(str(text or ""))
    if found is None or found[1].startswith("0001"):
        return ""
    digits = (found[2] or "")[:3].ljust(3, "0")
    instant = datetime.fromisoformat(f"{found[1]}.{digits}{found[3].replace('Z', '+00:00')}")
    return instant.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _age(begun: str, now: datetime) -> float:
    if not begun:
        return 0.0
    return (now - datetime.fromisoformat(begun.replace("Z", "+00:00"))).total_seconds()
