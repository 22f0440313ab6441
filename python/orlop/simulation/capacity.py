"""The capacity of the clusters of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..options.arguments import id_of, whole
from ..resources.resource import Resource
from .rules import Controlled, control, given_of, lasting, shown_rules

if TYPE_CHECKING:
    from collections.abc import Iterator


class Capacity(Controlled):
    """Capacity of clusters. A cluster without a capacity has room for everything.

    `simulation.capacity(cluster, nodes=3, cpu=4, memory="16GiB")` sets it. A service whose instances have no room waits
    in WAITING_RUNNING, and its step reports the reason as progress; it begins when there is room, and fails at its
    deadline. `clear` removes the capacity of all clusters. The changes are events `cluster.capacity_changed`.
    """

    _what = "capacity"

    def __call__(
        self,
        cluster: Resource | str,
        *,
        nodes: int | None = None,
        nodes_max: int | None = None,
        cpu: float | str | None = None,
        memory: int | str | None = None,
        pods: int | None = None,
        price: float | None = None,
        scale_up_after: float | str | None = None,
        scale_down_after: float | str | None = None,
        reschedule_after: float | str | None = None,
        start_after: float | str | None = None,
    ) -> None:
        """Sets the capacity of a cluster, or changes some of its settings. The first call needs `nodes`, `cpu` and
        `memory`.

        The cluster has `nodes` nodes, and up to `nodes_max` (default: `nodes`) while instances wait for room: a further
        node is ready after `scale_up_after` (default: 2 minutes), and is removed when it has been empty for
        `scale_down_after` (default: 10 minutes). Each has `cpu` cores (4, or "3500m"), `memory` in MB or as a text
        ("16GiB"), room for `pods` instances (default: 110), and costs `price` an hour. Instances of a lost node start
        on others `reschedule_after` the loss (default: a minute), and run `start_after` that (default: 10 seconds).
        Raises `Misuse`.
        """
        body = {**given_of(Capacity.__call__, locals()), "cluster": id_of("cluster", cluster)}
        control(self._core, "POST", "capacity", body)

    def lose(self, cluster: Resource | str, nodes: int = 1, *, lasts: str | float | None = None) -> None:
        """Loses nodes of the cluster, the oldest first. They return after `lasts`; without it they are gone, and
        replaced up to the least number of nodes.

        The running state becomes ERROR for services that have lost all instances, WARNING for those that have lost
        some; running steps lose contact (UNAVAILABLE). Both recover when other nodes have room; a service is STARTING
        before it is RUNNING. Raises `Conflict` if the cluster has no capacity.
        """
        body = {"cluster": id_of("cluster", cluster), "lose": whole("nodes", nodes, 1, 10_000)}
        control(self._core, "POST", "capacity", lasting(body, lasts))

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Returns the settings and the usage of each cluster with a capacity, by its id."""
        found = control(self._core, "GET", "capacity")["clusters"]
        return {entry["cluster"]: {"settings": entry["settings"], "usage": entry["usage"]} for entry in found}

    def __getitem__(self, cluster: Resource | str) -> dict[str, Any]:
        """Returns the usage of a cluster: nodes that are ready, `coming` and `lost`; `cpu`, `memory` and `pods` with
        the used part of each; number of services that are `waiting`."""
        id = id_of("cluster", cluster)
        usage: dict[str, Any] = self.to_dict()[id]["usage"]
        return usage

    def __contains__(self, cluster: object) -> bool:
        """Reports whether the cluster, or the one with this id, has a capacity."""
        return (cluster.id if isinstance(cluster, Resource) else cluster) in self.to_dict()

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    def __repr__(self) -> str:
        return shown_rules("Capacity", lambda: [f"{id}: {kept['usage']}" for id, kept in self.to_dict().items()])
