"""How the command ends. It imports nothing that takes time: the entry point needs it before the rest is there."""

import sys

INTERRUPTED = 128 + 2
"""Exit status of a command that SIGINT ended."""


def say(message: str) -> None:
    """Says why the command ends. The exit status is what it is also where that cannot be written."""
    try:
        if sys.stderr is not None:  # which it is where it is closed
            print(
                f"orlop: {''.join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in message)}",
                file=sys.stderr,
            )  # a name may hold any letter
    except OSError:
        pass
