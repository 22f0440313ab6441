"""`python -m orlop` is the command `orlop`."""

import sys

from .commands.main import main

sys.exit(main())
