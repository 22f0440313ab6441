"""The output of commands, in any encoding."""

from __future__ import annotations

import io
import json
import sys
from typing import Any


def show_any_letter() -> None:
    """Makes the output print characters that its encoding lacks as escapes, instead of failing."""
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and (out.errors == "strict" or not _is_utf8()):
        out.reconfigure(errors="backslashreplace")


def json_text(value: Any) -> str:
    """Returns the value as JSON, readable where the output holds every character. JSON does not allow the escapes of
    `show_any_letter`."""
    return json.dumps(value, ensure_ascii=not _is_utf8())


def _is_utf8() -> bool:
    return str(getattr(sys.stdout, "encoding", "")).lower().replace("-", "") == "utf8"
