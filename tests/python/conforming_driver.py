"""A driver in memory that keeps the contract, and for each rule of the conformance suite one that breaks it."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import orlop
from orlop.drivers import Workload


class Fleet:
    """What runs. It outlives the drivers that make it, as a container engine does."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.workloads: dict[str, dict[str, Any]] = {}
        self.marks: set[str] = set()  # what a bad driver leaves behind
        self.over = threading.Event()  # set after the test
        self.numbers = itertools.count(1)

    def of(self, service: str) -> list[dict[str, Any]]:
        return [one for one in self.workloads.values() if one["service"] == service]

    def make(self, step: orlop.Step, name: str) -> None:
        with self.lock:
            self.workloads[name] = {
                "id": name,
                "environment": step.owner,
                "service": step.subject,
                "digest": step.digest,
                "is_running": True,
                "touched": next(self.numbers),
            }


class Shelf(orlop.Driver):
    """Good: it names workloads by their services, looks before it writes, and obeys."""

    workers = 16

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet

    def deploy(self, step: orlop.Step) -> Any:
        step.progress(f"deploying {step.name}")
        step.check_canceled()
        self._prepare(step)
        arguments = step.configuration["arguments"]
        if "unready" in arguments:
            self._wait(step)
        if "broken" in arguments:
            raise orlop.DriverFailed("it was broken on purpose")
        if any(one["is_running"] and one["digest"] == step.digest for one in self.fleet.of(step.subject)):
            return self._unchanged(step)
        self._make(step)
        step.log(f"{step.name} runs")
        return {"addresses": self._addresses(step)}

    def execute(self, step: orlop.Step) -> None:
        step.check_canceled()
        name = self._run_name(step)
        if name not in self.fleet.workloads:
            self.fleet.make(step, name)
            self.fleet.workloads[name]["is_running"] = False
        step.log(f"{step.name} has ended")

    def stop(self, step: orlop.Step) -> None:
        step.check_canceled()
        for one in self.fleet.of(step.subject):
            one["is_running"] = False

    def restart(self, step: orlop.Step) -> None:
        step.check_canceled()
        for one in self.fleet.of(step.subject):
            if one["is_running"]:
                one["touched"] = next(self.fleet.numbers)

    def delete(self, step: orlop.Step) -> None:
        step.check_canceled()
        for one in self.fleet.of(step.subject):
            self.fleet.workloads.pop(one["id"], None)

    def observe(self, subjects: orlop.Subjects) -> dict[str, orlop.Observation]:
        return {service: self._seen(service) for service in subjects.services}

    def workloads(self, environment: str) -> Iterable[Workload]:
        with self.fleet.lock:
            found = [one for one in self.fleet.workloads.values() if one["environment"] == environment]
        return [Workload(one["id"], one["service"], one["is_running"], str(one["touched"])) for one in found]

    def _seen(self, service: str) -> orlop.Observation:
        running = sum(one["is_running"] for one in self.fleet.of(service))
        return orlop.Observation("RUNNING" if running else "STOPPED", ready=running)

    def _run_name(self, step: orlop.Step) -> str:
        return step.id

    def _prepare(self, step: orlop.Step) -> None: ...

    def _wait(self, step: orlop.Step) -> None:
        while True:
            step.wait_canceled(60)
            step.check_canceled()

    def _make(self, step: orlop.Step) -> None:
        self.fleet.make(step, self._name(step))

    def _name(self, step: orlop.Step) -> str:
        return step.subject

    def _unchanged(self, step: orlop.Step) -> Any:
        return orlop.UNCHANGED

    def _addresses(self, step: orlop.Step) -> list[dict[str, Any]]:
        return [{"host": "127.0.0.1", "port": 8080, "scope": "EXTERNAL"}]


class AsyncShelf(Shelf):
    """Good, with async methods."""

    async def deploy(self, step: orlop.Step) -> Any:
        if "unready" in step.configuration["arguments"]:
            step.log("it is not ready yet")
            await step.sleep(3600)
        await asyncio.sleep(0)
        return super().deploy(step)

    async def stop(self, step: orlop.Step) -> None:  # type: ignore[override]
        super().stop(step)

    async def observe(self, subjects: orlop.Subjects) -> dict[str, orlop.Observation]:  # type: ignore[override]
        return super().observe(subjects)


class Forgetful(Shelf):
    def _make(self, step: orlop.Step) -> None:
        step.log("the work is left out")


class Restless(Shelf):
    def _unchanged(self, step: orlop.Step) -> Any:
        self.fleet.make(step, step.subject)


class Listening(Shelf):
    def _addresses(self, step: orlop.Step) -> list[dict[str, Any]]:
        return [{"host": "0.0.0.0", "port": 8080, "scope": "EXTERNAL"}]


class Short(Shelf):
    """Cuts long names, so that two services become one."""

    def _name(self, step: orlop.Step) -> str:
        return step.owner + step.name[:200]


class Narrow(Shelf):
    def _prepare(self, step: orlop.Step) -> None:
        if any(len(str(variable["value"])) > 16384 for variable in step.configuration["variables"]):
            raise orlop.DriverFailed("a variable has at most 16 KiB here")


class Talkative(Shelf):
    """Logs the digest of each variable, from which a short secret can be guessed."""

    def _prepare(self, step: orlop.Step) -> None:
        for variable in step.configuration["variables"]:
            step.log(f"{variable['key']} is {hashlib.sha256(str(variable['value']).encode()).hexdigest()}")


class Crowded(Shelf):
    def _prepare(self, step: orlop.Step) -> None:
        if len(self.fleet.workloads) >= 10:
            raise orlop.DriverFailed("all ports of the range are in use")


class Doubling(Shelf):
    """Remembers for the life of the object that the step has found nothing."""

    def __init__(self, fleet: Fleet) -> None:
        super().__init__(fleet)
        self.absent: set[str] = set()

    def deploy(self, step: orlop.Step) -> Any:
        if not self.fleet.of(step.subject):
            self.absent.add(step.id)
        if step.id in self.absent:
            step.check_canceled()
            self.fleet.make(step, f"{step.subject} {next(self.fleet.numbers)}")
            return None
        return super().deploy(step)


class Sweeping(Shelf):
    """A new object takes what it did not make itself for a leftover of its request."""

    def __init__(self, fleet: Fleet) -> None:
        super().__init__(fleet)
        self.is_new = True

    def _prepare(self, step: orlop.Step) -> None:
        if step.resumed and self.is_new:
            for one in list(self.fleet.workloads.values()):
                if one["service"] != step.subject and one["environment"] == step.owner:
                    del self.fleet.workloads[one["id"]]
        self.is_new = False


class Blind(Shelf):
    """Knows what its steps have made only as long as the object lives."""

    def __init__(self, fleet: Fleet) -> None:
        super().__init__(fleet)
        self.made: set[str] = set()

    def deploy(self, step: orlop.Step) -> Any:
        if step.resumed and step.id not in self.made:
            step.check_canceled()
            self.fleet.make(step, f"{step.subject} {next(self.fleet.numbers)}")
            return None
        self.made.add(step.id)
        return super().deploy(step)


class Hasty(Shelf):
    """Async: notes what it has made only after the next suspension."""

    async def deploy(self, step: orlop.Step) -> None:
        if "broken" in step.configuration["arguments"]:
            raise orlop.DriverFailed("it was broken on purpose")
        if "unready" in step.configuration["arguments"]:
            await asyncio.sleep(3600)
        noted = f"{step.subject} {step.digest}"
        if noted in self.fleet.marks and any(one["is_running"] for one in self.fleet.of(step.subject)):
            return
        name = f"{step.subject} {next(self.fleet.numbers)}"
        self.fleet.make(step, name)
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.fleet.workloads.pop(name, None)
            raise
        self.fleet.marks.add(noted)


class Eager(Shelf):
    def _run_name(self, step: orlop.Step) -> str:
        return f"{step.id} {next(self.fleet.numbers)}"


class Deaf(Shelf):
    def _wait(self, step: orlop.Step) -> None:
        self.fleet.over.wait()


class Vengeful(Shelf):
    """Removes everything of the service after a cancellation, also what a later step has made."""

    def deploy(self, step: orlop.Step) -> Any:
        try:
            return super().deploy(step)
        except orlop.StepCanceled:
            self.delete_all(step.subject)
            raise

    def delete_all(self, service: str) -> None:
        for one in self.fleet.of(service):
            self.fleet.workloads.pop(one["id"], None)


class Jealous(Shelf):
    """Removes everything of a service whose step another engine has taken over."""

    def deploy(self, step: orlop.Step) -> Any:
        try:
            return super().deploy(step)
        except orlop.StepLost:
            for one in self.fleet.of(step.subject):
                self.fleet.workloads.pop(one["id"], None)
            raise


class Buried(Shelf):
    """Takes a step that was canceled once for canceled for ever."""

    def deploy(self, step: orlop.Step) -> Any:
        if step.id in self.fleet.marks:
            raise orlop.DriverFailed("the step was canceled")
        try:
            return super().deploy(step)
        except orlop.StepCanceled:
            self.fleet.marks.add(step.id)
            raise


class Lively(Shelf):
    """Leaves a thread behind that reports until it cannot any more."""

    def _make(self, step: orlop.Step) -> None:
        super()._make(step)
        threading.Thread(target=self._report, args=(step,), daemon=True).start()

    def _report(self, step: orlop.Step) -> None:
        while not self.fleet.over.wait(0.02):
            step.progress("it still runs")


class Unstoppable(Shelf):
    def stop(self, step: orlop.Step) -> None:
        step.check_canceled()


class Multiplying(Shelf):
    def restart(self, step: orlop.Step) -> None:
        self.fleet.make(step, f"{step.subject} {next(self.fleet.numbers)}")


class Hoarding(Shelf):
    """Deletes only what runs."""

    def delete(self, step: orlop.Step) -> None:
        for one in self.fleet.of(step.subject):
            if one["is_running"]:
                del self.fleet.workloads[one["id"]]


class Raising(Shelf):
    """Knows no service that was never deployed."""

    def delete(self, step: orlop.Step) -> None:
        if not self.fleet.of(step.subject):
            raise KeyError(step.subject)
        super().delete(step)


class Littering(Shelf):
    """Makes a network for the environment, and never removes it."""

    def _make(self, step: orlop.Step) -> None:
        super()._make(step)
        network = {"id": f"network {step.owner}", "environment": step.owner, "service": ""}
        self.fleet.workloads[network["id"]] = {**network, "digest": "", "is_running": False, "touched": ""}


class Certain(Shelf):
    """Has to know each service that it is asked for."""

    def _seen(self, service: str) -> orlop.Observation:
        if not self.fleet.of(service):
            raise KeyError(service)
        return super()._seen(service)


class Optimistic(Shelf):
    def _seen(self, service: str) -> orlop.Observation:
        return orlop.Observation("RUNNING", ready=1)


BAD: list[tuple[str, Callable[[Fleet], orlop.Driver]]] = [
    ("deploy", Forgetful),
    ("unchanged", Restless),
    ("outputs", Listening),
    ("long_names", Short),
    ("long_values", Narrow),
    ("secrets", Talkative),
    ("many", Crowded),
    ("idempotency", Doubling),
    ("resume_between_steps", Sweeping),
    ("resume", Blind),
    ("resume", Hasty),
    ("execute", Eager),
    ("cancel", Deaf),
    ("deadline", Vengeful),
    ("close", Buried),
    ("take_over", Jealous),
    ("late_reports", Lively),
    ("stop", Unstoppable),
    ("restart", Multiplying),
    ("delete", Hoarding),
    ("delete", Raising),
    ("orphans", Littering),
    ("observation", Certain),
    ("observation", Optimistic),
]
