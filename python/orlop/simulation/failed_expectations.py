"""The failures of expectations and invariants."""


class ExpectationFailed(AssertionError):
    """What was expected of a simulation did not come true. The message says what happened instead: the last events, the
    virtual time and the seed."""


class InvariantBroken(ExpectationFailed):
    """An invariant of a simulation does not hold. The message names it, the virtual time, the last event and the
    seed."""
