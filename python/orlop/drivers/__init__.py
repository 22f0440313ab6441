"""Drivers: the base class of the code that executes steps, its check, the calls of its methods, the driver for
containers, and the conformance suite."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .conformance import Probe as Probe
    from .conformance import DriverReport as DriverReport
    from .conformance import RuleResult as RuleResult
    from .conformance import check as check
    from .containers.containers import Containers as Containers
    from .workload import Workload as Workload

# Imported at first use: Containers needs an extra, and programs that deploy use no suite.
_LATER = {
    "Containers": ".containers.containers",
    "Probe": ".conformance",
    "DriverReport": ".conformance",
    "RuleResult": ".conformance",
    "Workload": ".workload",
    "check": ".conformance",
}


def __getattr__(name: str) -> "Any":
    module = _LATER.get(name)
    if module is not None:
        from importlib import import_module

        return getattr(import_module(module, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
