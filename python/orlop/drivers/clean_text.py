"""Texts of a driver as the engine can store them."""

from __future__ import annotations

from ..options.arguments import shown


def clean(text: str) -> str:
    """Returns the text without lone surrogates, which UTF-8 cannot encode. Other values are converted with str() if
    that is possible."""
    try:
        return str(text).encode(errors="replace").decode()
    except Exception:
        return shown(text)
