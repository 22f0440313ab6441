"""What a driver has made for an environment, for programs that look at it from outside."""

from __future__ import annotations

from typing import NamedTuple


class Workload(NamedTuple):
    """One thing that the driver has made for an environment: a process, a container, a pod, a volume, a network."""

    id: str
    """Identifier, which no other workload has. One that is made anew has another one."""
    service: str = ""
    """Id of the service that it belongs to; "" for one of the whole environment."""
    is_running: bool = True
    """True for an instance of the service that runs. Volumes, networks and stopped instances do not."""
    touched: str = ""
    """Text that changes when the workload is changed or restarted, such as the time of its start."""
