"""Exit status and last message of the command. Imports nothing slow, because the entry point needs it before the other
modules are loaded."""

import sys

INTERRUPTED = 128 + 2
"""Exit status of a command that SIGINT ended."""


def say(message: str) -> None:
    """Prints why the command ends. If that cannot be written, the exit status stays the same."""
    try:
        if sys.stderr is not None:  # None if it is closed
            # A name may hold control characters.
            print(
                f"orlop: {''.join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in message)}",
                file=sys.stderr,
            )
    except OSError:
        pass
