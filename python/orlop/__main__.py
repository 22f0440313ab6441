"""`python -m orlop` is the command `orlop`."""

import sys

from .cli import main

sys.exit(main())
