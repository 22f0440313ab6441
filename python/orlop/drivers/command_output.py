"""The output of a command as lines for a log: as a terminal would show them, bounded, and without secrets."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from .secret_mask import SecretMask

LINE_MAX = 16_000  # characters, which are at most the 64 KiB of a report
TEXT_MAX = 1 << 20  # characters of the text that is kept

_CONTROLS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours and the cursor
    r"|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[ -/]*[0-~]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)


def without_controls(text: str) -> str:
    """Returns the text without control sequences and control characters, except for tabs and ends of lines."""
    return _CONTROLS.sub("", text)


class CommandOutput:
    """Decodes one stream of a command and passes each line to `receive` when it ends. Keeps the first `size` characters
    of the stream.

    A carriage return within a line begins the line anew, as on a terminal: of a progress bar the last state is left.
    """

    def __init__(self, mask: SecretMask, receive: Callable[[str], object], size: int = 0) -> None:
        self._receive = receive
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = _Bounded(LINE_MAX, mask)
        self._text = _Bounded(size, mask)
        self._has_returned = False
        self._is_begun = False

    def write(self, piece: bytes) -> None:
        self._take(self._decoder.decode(piece))

    def end(self) -> None:
        """Ends the last line, if it has no end."""
        self._take(self._decoder.decode(b"", True))
        if self._is_begun:
            self._finish()

    def text(self) -> str:
        return self._text.text()

    def _take(self, text: str) -> None:
        self._text.append(text)
        *lines, rest = text.split("\n")
        for line in lines:
            self._append(line)
            self._finish()
        self._append(rest)

    def _append(self, text: str) -> None:
        for at, part in enumerate(text.split("\r")):
            self._has_returned = self._has_returned or at > 0
            if part:
                if self._has_returned:
                    self._line.clear()
                self._line.append(part)
                self._has_returned, self._is_begun = False, True

    def _finish(self) -> None:
        line = self._line.text()
        self._line.clear()
        self._has_returned = self._is_begun = False
        self._receive(line)


class _Bounded:
    """The first characters of a text. A secret that crosses the bound is kept whole until it is masked."""

    def __init__(self, size: int, mask: SecretMask) -> None:
        self._size = size
        self._mask = mask
        self.clear()

    def clear(self) -> None:
        self._parts: list[str] = []
        self._kept = self._dropped = 0

    def append(self, text: str) -> None:
        kept = text[: self._size + self._mask.longest - self._kept]
        if kept:
            self._parts.append(kept)
        self._kept += len(kept)
        self._dropped += len(text) - len(kept)

    def text(self) -> str:
        text = without_controls("".join(self._parts))
        # The beginning of a secret may be at the end of what is kept.
        shown = len(text) if self._dropped == 0 else max(0, len(text) - self._mask.longest)
        shown = min(shown, self._size)
        more = len(text) - shown + self._dropped
        masked = self._mask.masked(text, shown)
        return masked if more == 0 else f"{masked}… [{more} more characters]"
