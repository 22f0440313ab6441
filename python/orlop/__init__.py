"""Orlop: a deployment platform inside your program.

    import orlop

    with orlop.Engine("platform.db", driver=MyDriver()) as engine:
        shop = engine.organizations.create(name="acme", plan="FREE").projects.create(name="shop")

`Engine` is a platform on a store, `Simulation` the same in virtual time, `Driver` the base class of the host's code that executes steps,
`ExternalSystems` that of its code that answers questions about git repositories, registries and clouds.
"""

from __future__ import annotations

from . import loading as _loading  # first: it names a missing library
from .errors import (
    Closed, Conflict, DriverFailed, Error, EventsForgotten, ExternalFailed, ExternalTimeout, Forbidden, ForeignHandle, Internal, Invalid, KeyReused, LeaseLost, LostUpdate,
    MethodNotAllowed, Misuse, NotFound, OutOfMemory, PreconditionFailed, RateLimited, Refused, StepCanceled, StepLost, StorageBusy, StorageCorrupt, StorageError,
    StorageForeign, StorageNewer, StorageSealed, TooLarge, TryLater, Unanswered, Unauthenticated, WaitTimeout,
)  # fmt: skip
from .wire import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._core import __version__
    from .asynchronous import AsyncDeployment, AsyncEngine, AsyncSimulation
    from .checking.violation import Violation
    from .copies import backup, restore
    from .deployment import Deployment
    from .deployments import Deployments
    from .driver import CredentialsRefused, Driver, Step
    from .engine import Engine
    from .external_systems import ExternalSystems
    from .ports import Delivery
    from .reporting.run_report import Report
    from .simulating.durations import empirical, exponential, lognormal, normal, uniform
    from .simulating.expectations import ExpectationFailed, expect
    from .simulating.invariants import InvariantBroken
    from .simulating.prediction.prediction import Prediction
    from .simulation import Simulation
    from .timeline import Timeline

__all__ = [
    "AsyncDeployment", "AsyncEngine", "AsyncSimulation", "Closed", "Conflict", "CredentialsRefused", "Delivery", "Deployment", "Deployments", "Driver", "DriverFailed", "Engine", "Error", "EventsForgotten",
    "ExpectationFailed", "ExternalFailed", "ExternalSystems", "ExternalTimeout", "Forbidden", "ForeignHandle", "Internal", "Invalid", "InvariantBroken", "KeyReused",
    "LeaseLost", "LostUpdate", "MethodNotAllowed", "Misuse", "NotFound", "OutOfMemory", "PreconditionFailed", "Prediction", "RateLimited", "Refused", "Reply", "Report", "Simulation", "Step", "StepCanceled", "StepLost",
    "StorageBusy", "StorageCorrupt", "StorageError", "StorageForeign", "StorageNewer", "StorageSealed", "Timeline", "TooLarge", "TryLater", "Unanswered", "Unauthenticated",
    "Violation", "WaitTimeout", "__version__", "backup", "empirical", "expect", "exponential", "lognormal", "normal", "restore", "uniform",
]  # fmt: skip

# What costs time to import, and many programs never touch.
_LATER = {
    "Engine": "engine", "__version__": "_core", "backup": "copies", "restore": "copies",
    "AsyncDeployment": "asynchronous", "AsyncEngine": "asynchronous", "AsyncSimulation": "asynchronous", "Prediction": "simulating.prediction.prediction", "Report": "reporting.run_report",
    "CredentialsRefused": "driver", "Deployment": "deployment", "Deployments": "deployments", "Driver": "driver", "Delivery": "ports", "ExternalSystems": "external_systems", "Simulation": "simulation", "Step": "driver",
    "Timeline": "timeline", "Violation": "checking.violation", "ExpectationFailed": "simulating.expectations", "InvariantBroken": "simulating.invariants", "empirical": "simulating.durations", "expect": "simulating.expectations", "exponential": "simulating.durations",
    "lognormal": "simulating.durations", "normal": "simulating.durations", "uniform": "simulating.durations",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'orlop' has no attribute {name!r}")
    import sys

    module = f"{__name__}.{_LATER[name]}"
    __import__(module)  # importlib.import_module does the same, and is itself dear to import
    value = getattr(sys.modules[module], name)
    globals()[name] = value
    return value
