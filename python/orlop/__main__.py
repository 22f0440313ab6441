"""The entry point of the command `orlop`, which is also `python -m orlop`."""

import sys

from .commands.ending import INTERRUPTED, say


def main() -> int:
    """Runs the command. Ctrl-C during its import ends it with the same message and status as later."""
    try:
        from .commands.main import main as run

        return run()
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
