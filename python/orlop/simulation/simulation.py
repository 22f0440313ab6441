"""An engine in virtual time: the same platform, with a virtual clock and random values that follow from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.engine import Engine
from .base_simulation import BaseSimulation
from .virtual_driver import refuse_inside

if TYPE_CHECKING:
    from ..generated.ports import WebhookSender
    from ..reporting.run_report import Report


class Simulation(BaseSimulation, Engine):
    """An engine in virtual time whose runs can be repeated: ids and durations follow from `seed`.

    The options are those of `Engine` but for clock and random_source: time is virtual, and random numbers follow from
    the seed. Without a `driver` of the host it is scripted, by `rules`. A driver of the host runs in virtual time: its
    methods run one at a time, and `await step.sleep(30)`, `step.sleep(30)` and `asyncio.sleep(30)` take virtual time.
    `externals` and `receivers` script the ports without an `external_systems` or `webhook_sender` option. On an
    existing store the clock starts at its last event if that is later than `start`; with the `snapshot` of another
    simulation, at the time of the snapshot, with its rules, transitions and pack. The same seed then continues as that
    simulation would.
    """

    def report(self, other: Engine | None = None, *, title: str = "") -> Report:
        """Returns the report of the run so far: a page for notebooks and browsers. `other` is an engine whose run is
        compared."""
        from ..reporting.run_report import Report

        return Report.of(self, other, title=title or f"Simulation with the seed {self.seed}")

    def fork(self, *, webhook_sender: WebhookSender | None = None) -> Simulation:
        """Returns a second simulation in memory that continues from here independently, as this one would: with the
        same seed, options, rules, clock and running steps.

        The unchanged contents are shared with this simulation, if that is in memory. Rules that are added to the fork
        apply to steps that begin after that. It does not use the `webhook_sender` of this simulation: its messages go
        to its own scripted `receivers`, or to the `webhook_sender` of this call.
        """
        refuse_inside(self._core)
        other = Simulation.__new__(Simulation)
        other.__dict__["_origin"] = self._core  # until it is opened
        options = {**self._options, "storage": "memory:", "start": self._start, "snapshot": None, "record": None}
        other.__init__(**{**options, "webhook_sender": webhook_sender})  # type: ignore[misc]
        return other
