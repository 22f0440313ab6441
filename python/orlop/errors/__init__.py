"""The exceptions of the package. Every one is an `Error`.

A refusal of the platform is a reply: `Engine.request` returns it, and the typed objects raise a `Refused`, one class
for each reason. Every other exception means that the engine could not answer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .violation import Violation


class Error(Exception):
    """Base class of all exceptions. `code` is the name of the error, `message` one sentence."""

    code = "error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class Refused(Error):
    """The platform refused a request. `status` is the HTTP status of the reply."""

    code = "refused"

    def __init__(
        self, message: str, status: int = 400, violations: tuple[Violation, ...] = (), violations_omitted: int = 0
    ) -> None:
        super().__init__(message)
        self.status = status
        self.violations = violations
        self.violations_omitted = violations_omitted


class Invalid(Refused):
    """400: a value breaks a rule. `violations` lists the broken rules, at most 100; `violations_omitted` is the number
    of further ones."""

    code = "invalid"

    def __str__(self) -> str:
        reasons = [f"{field}: {reason}" if field else reason for field, reason in self.violations]
        if self.violations_omitted:
            reasons.append(f"and {self.violations_omitted} more")
        return "; ".join(reasons) if len(reasons) > 1 else self.message


class Unauthenticated(Refused):
    """401: the credentials are missing, malformed, expired or revoked."""

    code = "unauthenticated"


class Forbidden(Refused):
    """403: the caller's role does not allow the operation."""

    code = "forbidden"


class NotFound(Refused):
    """404: there is no such resource, or it belongs to an organization of which the caller is not a member."""

    code = "not_found"


class MethodNotAllowed(Refused):
    """405: the path exists with another method."""

    code = "method_not_allowed"


class Conflict(Refused):
    """409: the name is taken, the resource is in use, or its state does not allow the action."""

    code = "conflict"


class PreconditionFailed(Refused):
    """412: the resource has another ETag than the header `If-Match` names; it was changed meanwhile."""

    code = "precondition_failed"


class KeyReused(Refused):
    """422: another request of the caller has used the `Idempotency-Key`."""

    code = "key_reused"


class EventsForgotten(Refused):
    """410: events after the given number were removed from the feed. The message names the first event that is kept."""

    code = "events_forgotten"


class TooLarge(Refused):
    """413: the request is larger than the engine accepts."""

    code = "too_large"


class RateLimited(Refused):
    """429: the caller exceeded its rate limit."""

    code = "rate_limited"


class Unanswered(Refused):
    """501: no external system answers the question that the operation asks, and there is no catalog for it."""

    code = "unanswered"


class ExternalFailed(Refused):
    """502: an external system failed, or its answer does not match the question."""

    code = "external_failed"


class ExternalTimeout(Refused):
    """504: an external system did not answer in time."""

    code = "external_timeout"


class Misuse(Error):
    """An argument has the wrong type or is out of bounds, or the call is not allowed at this time. The message names
    the argument."""

    code = "misuse"


class Closed(Misuse):
    """The engine is closed."""

    code = "closed"


class ForeignHandle(Misuse):
    """The handle belongs to another process, for example to the parent of a forked process."""

    code = "foreign_handle"


class StorageError(Error):
    """The store could not be opened, read or written. The message names its path."""

    code = "storage_failed"


class StorageBusy(StorageError):
    """Another process holds a lock on the store."""

    code = "storage_busy"


class StorageNewer(StorageError):
    """The store has the layout of a newer version of the library. It is not changed."""

    code = "storage_newer"


class StorageCorrupt(StorageError):
    """The store holds data that the library did not write."""

    code = "storage_corrupt"


class StorageForeign(StorageError):
    """The file or database is not a store: another program has written it. It is left as it is."""

    code = "storage_foreign"


class StorageSealed(StorageError):
    """The secrets of the store are encrypted with a key that was not given."""

    code = "storage_sealed"


class LostUpdate(StorageError):
    """The record was changed since it was read."""

    code = "lost_update"


class LeaseLost(StorageError):
    """Another engine has taken over the work that the change belongs to."""

    code = "lease_lost"


class StepLost(Error):
    """Raised in a driver's method after another engine has taken over its step. Do not catch it, and undo nothing: that
    engine's driver executes the step."""

    code = "step_lost"


class DriverFailed(Error):
    """The driver, the clock, a port or another callback of the host failed or broke its contract. A driver's method may
    raise it: its text is the reason of the step."""

    code = "driver_failed"


class TryLater(Error):
    """The driver cannot take a step at the moment. `Driver.accepts` may raise it, with the reason, instead of returning
    False."""

    code = "try_later"


class OutOfMemory(Error, MemoryError):
    """Memory ran out."""

    code = "out_of_memory"

    def __new__(cls, *arguments: object) -> OutOfMemory:
        # `MemoryError.__new__` refuses a class with two bases where others call it, as tblib does when Dask is
        # imported.
        return Exception.__new__(cls, *arguments)


class Internal(Error):
    """A defect of the library."""

    code = "internal"


class WaitTimeout(Error, TimeoutError):
    """A `wait` reached its timeout. The deployment or other work continues."""

    code = "wait_timeout"


class StepCanceled(Error):
    """Raised in a driver's method after its step was canceled. The step is reported as canceled."""

    code = "step_canceled"


_REFUSALS: dict[int, type[Refused]] = {
    400: Invalid,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    405: MethodNotAllowed,
    409: Conflict,
    410: EventsForgotten,
    412: PreconditionFailed,
    413: TooLarge,
    422: KeyReused,
    429: RateLimited,
    501: Unanswered,
    502: ExternalFailed,
    504: ExternalTimeout,
}

_FAILURES: dict[str, type[Error]] = {
    kind.code: kind
    for kind in (
        Misuse,
        Closed,
        ForeignHandle,
        StorageError,
        StorageBusy,
        StorageNewer,
        StorageCorrupt,
        StorageForeign,
        StorageSealed,
        LostUpdate,
        StepLost,
        DriverFailed,
        OutOfMemory,
        Internal,
    )
}
_FAILURES["invalid"] = Misuse  # an argument that the core cannot read: only the reply to a request is an `Invalid`

_STATUSES = {kind.code: status for status, kind in _REFUSALS.items()}


def refusal(status: int, message: str, violations: tuple[Violation, ...] = (), violations_omitted: int = 0) -> Refused:
    return _REFUSALS.get(status, Refused)(message, status, violations, violations_omitted)


def failure(code: str, message: str) -> Error:
    if code in _STATUSES and code not in _FAILURES:
        return refusal(_STATUSES[code], message)
    return _FAILURES.get(code, Error)(message, code)


def text_of(error: BaseException) -> str:
    """Returns the text of the exception; "" if its `__str__` fails."""
    try:
        return str(error)
    except BaseException:
        return ""


def callback_failure(raised: BaseException) -> BaseException:
    """Returns the exception that a call raises after a callback of the host raised `raised`. Interruptions and the
    package's own errors stay as they are."""
    if isinstance(raised, Error) or not isinstance(raised, Exception):
        return raised
    failed = DriverFailed(f"a callback raised {type(raised).__name__}: {text_of(raised)}")
    failed.__cause__ = raised
    return failed
