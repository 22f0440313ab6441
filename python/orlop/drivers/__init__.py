"""Drivers: the base class of the code that executes steps, its check, the calls of its methods, and the driver for
containers."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .containers.containers import Containers as Containers


def __getattr__(name: str) -> "Any":
    if name == "Containers":  # it is imported at first use, because it needs an extra
        from importlib import import_module

        return import_module(".containers.containers", __name__).Containers
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
