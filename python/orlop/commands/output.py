"""What commands print, in any encoding of the output."""

from __future__ import annotations

import io
import json
import sys
from typing import Any


def show_any_letter() -> None:
    """Lets a letter that the output cannot hold be printed as an escape: it must not end the command."""
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and (out.errors == "strict" or not _is_utf8()):
        out.reconfigure(errors="backslashreplace")


def json_text(value: Any) -> str:
    """The value as JSON, readable where the output holds every letter. The escapes of `show_any_letter` would be none
    of JSON."""
    return json.dumps(value, ensure_ascii=not _is_utf8())


def _is_utf8() -> bool:
    return str(getattr(sys.stdout, "encoding", "")).lower().replace("-", "") == "utf8"
