"""Stores in other packages: `postgresql://…` is the store of the package orlop-postgresql."""

from __future__ import annotations

from .. import _core

_PACKAGES = {"postgresql": "orlop_postgresql", "postgres": "orlop_postgresql"}


def is_url(storage: str) -> bool:
    """Reports whether the storage is a URL of a package's store, not a file."""
    return storage.split(":", 1)[0] in _PACKAGES and ":" in storage


def shown_storage(storage: str) -> str:
    """Returns the storage for output, without the password of a URL."""
    import re

    if not is_url(storage):
        return storage
    scheme, separator, rest = storage.partition("://")
    account, at, place = rest.rpartition("@")
    if ":" in account:
        account = account.partition(":")[0] + ":***"
    return re.sub(r"(?<=[?&]password=)[^&]*", "***", scheme + separator + account + at + place)


def load_for(storage: str) -> None:
    """Loads the library of the package that the URL needs. Without the package, the system's loader may find the
    library by its name."""
    if not is_url(storage):
        return
    import importlib

    try:
        package = importlib.import_module(_PACKAGES[storage.split(":", 1)[0]])
    except ModuleNotFoundError:
        return
    _core.load_storage(package.library)
