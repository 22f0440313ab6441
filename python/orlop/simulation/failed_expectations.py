"""The failures of expectations and invariants."""


class ExpectationFailed(AssertionError):
    """An expectation of a simulation was not met. The message says what happened instead: the last events, the virtual
    time and the seed."""


class InvariantBroken(ExpectationFailed):
    """An invariant of a simulation does not hold. The message names it, the virtual time, the last event and the
    seed."""
