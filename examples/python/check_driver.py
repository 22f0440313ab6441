"""A driver is held to the contract: the suite shows which case it has overlooked."""

from __future__ import annotations

from typing import Any

import orlop
from orlop.drivers import Workload, check

running: dict[str, Workload] = {}  # stands for a system that outlives the driver


class Programs(orlop.Driver):
    """Names each program by its service, so that a step that is started again finds it."""

    def deploy(self, step: orlop.Step) -> Any:
        step.log(f"starting {step.name}")
        step.check_canceled()
        if step.is_unchanged and step.subject in running:
            return orlop.UNCHANGED
        running[step.subject] = Workload(f"program {step.subject}", step.subject, touched=step.digest)
        return {"addresses": [{"host": "127.0.0.1", "port": 8080, "scope": "EXTERNAL"}]}

    def stop(self, step: orlop.Step) -> None:
        running.pop(step.subject, None)

    def delete(self, step: orlop.Step) -> None:
        if step.subject not in running:
            raise orlop.DriverFailed(f"no program of {step.name} runs")
        del running[step.subject]

    def workloads(self, environment: str) -> list[Workload]:
        return list(running.values())


report = check(Programs, only=["deploy", "unchanged", "idempotency", "resume", "cancel", "stop", "delete"], points=3)
print(report)
