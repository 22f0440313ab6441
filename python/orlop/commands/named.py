"""Objects that arguments name."""

from __future__ import annotations

import sys
from typing import Any

from ..errors import Error


def named(flag: str, name: str | None) -> Any:
    """Returns the object named "module:attribute"; None for None."""
    from importlib import import_module

    if name is None:
        return None
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Error(f"{flag} must be MODULE:NAME: {error}", "misuse") from error
