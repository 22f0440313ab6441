"""What can go wrong. Every exception of this package is an `Error`.

A request that the engine refuses is a reply, and `Engine.request` hands it out as it is. The typed objects raise a
`Refused` instead, one class per reason. Everything else means that the engine could not answer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .violation import Violation


class Error(Exception):
    """The root of all: `code` is the error's name, `message` one sentence for people."""

    code = "error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class Refused(Error):
    """The engine answered, and the answer is no. `status` is that of the reply."""

    code = "refused"

    def __init__(
        self, message: str, status: int = 400, violations: tuple[Violation, ...] = (), violations_omitted: int = 0
    ) -> None:
        super().__init__(message)
        self.status = status
        self.violations = violations
        self.violations_omitted = violations_omitted


class Invalid(Refused):
    """A value breaks a rule. `violations` holds the broken rules, 100 at most; `violations_omitted` is the number of the others."""

    code = "invalid"

    def __str__(self) -> str:
        reasons = [f"{field}: {reason}" if field else reason for field, reason in self.violations]
        if self.violations_omitted:
            reasons.append(f"and {self.violations_omitted} more")
        return "; ".join(reasons) if len(reasons) > 1 else self.message


class Unauthenticated(Refused):
    """There are no credentials, or they do not hold."""

    code = "unauthenticated"


class Forbidden(Refused):
    """The caller is known, and may not do this."""

    code = "forbidden"


class NotFound(Refused):
    """There is no such resource, or the caller may not know of it."""

    code = "not_found"


class MethodNotAllowed(Refused):
    """The path is served, but not with this method."""

    code = "method_not_allowed"


class Conflict(Refused):
    """A name is taken, a resource is in use, or a state machine refuses."""

    code = "conflict"


class TooLarge(Refused):
    """The request is larger than the engine accepts."""

    code = "too_large"


class RateLimited(Refused):
    """The caller made too many requests in this window."""

    code = "rate_limited"


class Misuse(Error):
    """A call of this package has an argument of the wrong type or out of its bounds, or comes when its manual excludes it."""

    code = "misuse"


class Closed(Misuse):
    """The engine was closed before this call."""

    code = "closed"


class ForeignHandle(Misuse):
    """The handle is not one of this library, or belongs to another process."""

    code = "foreign_handle"


class StorageError(Error):
    """The store could not read or write."""

    code = "storage_failed"


class StorageBusy(StorageError):
    """Another process holds the store."""

    code = "storage_busy"


class StorageNewer(StorageError):
    """The store was written by a newer version of the library."""

    code = "storage_newer"


class StorageCorrupt(StorageError):
    """The store holds bytes that the library never wrote."""

    code = "storage_corrupt"


class StorageSealed(StorageError):
    """The store's secrets are sealed with a key that was not given."""

    code = "storage_sealed"


class LostUpdate(StorageError):
    """The record was changed by somebody else since it was read."""

    code = "lost_update"


class DriverFailed(Error):
    """The driver, the clock or another callback of the host broke its contract."""

    code = "driver_failed"


class OutOfMemory(Error, MemoryError):
    """Memory ran out."""

    code = "out_of_memory"


class Internal(Error):
    """A defect of the library."""

    code = "internal"


class WaitTimeout(Error, TimeoutError):
    """What was waited for did not come in time."""

    code = "wait_timeout"


class StepCanceled(Error):
    """Raised inside a driver's method to say that its step was given up as asked."""

    code = "step_canceled"


_REFUSALS: dict[int, type[Refused]] = {
    400: Invalid,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    405: MethodNotAllowed,
    409: Conflict,
    413: TooLarge,
    429: RateLimited,
}

_FAILURES: dict[str, type[Error]] = {
    kind.code: kind
    for kind in (
        Misuse, Closed, ForeignHandle, StorageError, StorageBusy, StorageNewer, StorageCorrupt, StorageSealed, LostUpdate,
        DriverFailed, OutOfMemory, Internal,
    )
}  # fmt: skip
_FAILURES["invalid"] = Misuse  # an argument that the core cannot read: only the reply to a request is an `Invalid`

_STATUSES = {kind.code: status for status, kind in _REFUSALS.items()}


def refusal(status: int, message: str, violations: tuple[Violation, ...] = (), violations_omitted: int = 0) -> Refused:
    """The exception for a reply of this status."""
    return _REFUSALS.get(status, Refused)(message, status, violations, violations_omitted)


def failure(code: str, message: str) -> Error:
    """The exception for an error of the engine by its name."""
    if code in _STATUSES and code not in _FAILURES:
        return refusal(_STATUSES[code], message)
    return _FAILURES.get(code, Error)(message, code)


def callback_failure(raised: BaseException) -> BaseException:
    """What a call raises in whose middle a callback of the host raised. Interruptions and our own errors go through as they are."""
    if isinstance(raised, Error) or not isinstance(raised, Exception):
        return raised
    failed = DriverFailed(f"a callback raised {type(raised).__name__}: {raised}")
    failed.__cause__ = raised
    return failed
