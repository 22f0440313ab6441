"""Orlop: a deployment platform inside your program.

    import orlop

    with orlop.Engine("platform.db", driver=MyDriver()) as engine:
        shop = engine.organizations.create(name="acme", plan="FREE").projects.create(name="shop")

`Engine` is a platform on a store, `Simulation` the same in virtual time. `Driver` is the base class of the host's code
that executes steps, `ExternalSystems` that of its code that answers questions about git repositories, registries and
clouds.
"""

from __future__ import annotations

from .base import extension as _extension  # noqa: F401 - first: it names a missing library
from .base.wire import Reply
from .errors import (
    Closed,
    Conflict,
    DriverFailed,
    Error,
    EventsForgotten,
    ExternalFailed,
    ExternalTimeout,
    Forbidden,
    ForeignHandle,
    Internal,
    Invalid,
    KeyReused,
    LeaseLost,
    LostUpdate,
    MethodNotAllowed,
    Misuse,
    NotFound,
    OutOfMemory,
    PreconditionFailed,
    RateLimited,
    Refused,
    StepCanceled,
    StepLost,
    StorageBusy,
    StorageCorrupt,
    StorageError,
    StorageForeign,
    StorageNewer,
    StorageSealed,
    TooLarge,
    TryLater,
    Unanswered,
    Unauthenticated,
    WaitTimeout,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._core import __version__
    from .deployments.collection import Deployments
    from .deployments.deployment import Deployment
    from .deployments.differences import ConfigurationChange, Differences, ServiceDifferences
    from .deployments.timeline import Timeline
    from .drivers.commands import CommandResult
    from .drivers.driver import UNCHANGED, CredentialsRefused, Driver, Step, Unchanged
    from .drivers.observation import Observation, Subjects
    from .engine.asynchronous import AsyncDeployment, AsyncEngine, AsyncSimulation
    from .engine.copies import backup, restore
    from .engine.engine import Engine
    from .errors.violation import Violation
    from .generated.external_systems import ExternalSystems
    from .generated.ports import Delivery
    from .reporting.run_report import Report
    from .simulation.durations import empirical, exponential, lognormal, normal, uniform
    from .simulation.expectations import expect
    from .simulation.failed_expectations import ExpectationFailed, InvariantBroken
    from .simulation.prediction.prediction import Prediction
    from .simulation.simulation import Simulation

__all__ = [
    "AsyncDeployment",
    "AsyncEngine",
    "AsyncSimulation",
    "Closed",
    "CommandResult",
    "ConfigurationChange",
    "Conflict",
    "CredentialsRefused",
    "Delivery",
    "Deployment",
    "Deployments",
    "Differences",
    "Driver",
    "DriverFailed",
    "Engine",
    "Error",
    "EventsForgotten",
    "ExpectationFailed",
    "ExternalFailed",
    "ExternalSystems",
    "ExternalTimeout",
    "Forbidden",
    "ForeignHandle",
    "Internal",
    "Invalid",
    "InvariantBroken",
    "KeyReused",
    "LeaseLost",
    "LostUpdate",
    "MethodNotAllowed",
    "Misuse",
    "NotFound",
    "Observation",
    "OutOfMemory",
    "PreconditionFailed",
    "Prediction",
    "RateLimited",
    "Refused",
    "Reply",
    "Report",
    "ServiceDifferences",
    "Simulation",
    "Step",
    "StepCanceled",
    "StepLost",
    "StorageBusy",
    "StorageCorrupt",
    "StorageError",
    "StorageForeign",
    "StorageNewer",
    "StorageSealed",
    "Subjects",
    "Timeline",
    "TooLarge",
    "TryLater",
    "UNCHANGED",
    "Unanswered",
    "Unauthenticated",
    "Unchanged",
    "Violation",
    "WaitTimeout",
    "__version__",
    "backup",
    "empirical",
    "expect",
    "exponential",
    "lognormal",
    "normal",
    "restore",
    "uniform",
]

# Imported at first use: they take time to import, and many programs never use them.
_LATER = {
    "AsyncDeployment": "engine.asynchronous",
    "AsyncEngine": "engine.asynchronous",
    "AsyncSimulation": "engine.asynchronous",
    "CommandResult": "drivers.commands",
    "ConfigurationChange": "deployments.differences",
    "CredentialsRefused": "drivers.driver",
    "Delivery": "generated.ports",
    "Deployment": "deployments.deployment",
    "Deployments": "deployments.collection",
    "Differences": "deployments.differences",
    "Driver": "drivers.driver",
    "Engine": "engine.engine",
    "ExpectationFailed": "simulation.failed_expectations",
    "ExternalSystems": "generated.external_systems",
    "InvariantBroken": "simulation.failed_expectations",
    "Prediction": "simulation.prediction.prediction",
    "Report": "reporting.run_report",
    "ServiceDifferences": "deployments.differences",
    "Simulation": "simulation.simulation",
    "Step": "drivers.driver",
    "Observation": "drivers.observation",
    "Subjects": "drivers.observation",
    "Timeline": "deployments.timeline",
    "UNCHANGED": "drivers.driver",
    "Unchanged": "drivers.driver",
    "Violation": "errors.violation",
    "__version__": "_core",
    "backup": "engine.copies",
    "empirical": "simulation.durations",
    "expect": "simulation.expectations",
    "exponential": "simulation.durations",
    "lognormal": "simulation.durations",
    "normal": "simulation.durations",
    "restore": "engine.copies",
    "uniform": "simulation.durations",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'orlop' has no attribute {name!r}")
    import sys

    module = f"{__name__}.{_LATER[name]}"
    __import__(module)  # importlib.import_module does the same, but is itself slow to import
    value = getattr(sys.modules[module], name)
    globals()[name] = value
    return value
