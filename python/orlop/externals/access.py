"""The limits of the external systems in the box: which targets they may reach, for how long, and how old an answer from
a cache may be."""

from __future__ import annotations

import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import ExternalFailed, Misuse
from ..options.arguments import callback, number, shown, whole
from .targets import Guard, Resolver, Target, allowed_targets, resolve

if TYPE_CHECKING:
    from .guarded_http import Session

Found = TypeVar("Found")

TIMEOUT = 30.0  # seconds
CACHE_AGE = 30.0  # seconds
_ENTRIES_MAX = 1000


def positive(what: str, given: object) -> float:
    """Returns a number of more than 0. Raises `Misuse` for anything else."""
    found = number(what, given)
    if found <= 0:
        raise Misuse(f"{what} must be more than 0, not {shown(given)}")
    return found


def size(what: str, given: object) -> int:
    """Returns a size or count of at least 1. Raises `Misuse` for anything else."""
    return whole(what, given, 1, 1 << 50)


class Access:
    """What a system may reach, and for how long. `timeout` is the time of one question in seconds."""

    def __init__(
        self,
        allow: Iterable[str],
        timeout: float,
        resolver: Resolver = resolve,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self.timeout = positive("timeout", timeout)
        self._guard = Guard(allowed_targets("allow", allow), "requests")
        if resolver is None:
            raise Misuse("resolver must be callable, not None")
        callback("resolver", resolver)
        if ssl_context is not None and not isinstance(ssl_context, ssl.SSLContext):
            raise Misuse(f"ssl_context must be an ssl.SSLContext or None, not {shown(ssl_context)}")
        self._resolver = resolver
        self._context = ssl_context
        self._lock = threading.Lock()

    def deadline(self) -> float:
        """Returns the deadline of a question that is asked now, a time of `time.monotonic()`."""
        return time.monotonic() + self.timeout

    def check_text(self, url: str) -> None:
        """Raises Refused for a URL that is none, or that holds a user, a password or letters that URLs do not have."""
        self._guard.host_of(url)

    def target(self, url: str) -> Target:
        """Resolves the host of the URL. Raises Refused unless all of its addresses are allowed."""
        host, port = self._guard.host_of(url)
        try:
            addresses = self._resolver(host, port)
        except (OSError, UnicodeError) as error:
            raise ExternalFailed(f"the host {host[:255]} cannot be resolved: {error}") from None
        return self._guard.check(url, host, addresses)

    def session(self, deadline: float, skip_tls_verification: bool = False) -> Session:
        """Returns HTTP connections for one question. Needs httpx."""
        from .guarded_http import Session, default_context, unverified_context

        with self._lock:
            if self._context is None:
                self._context = default_context()
        return Session(self, unverified_context() if skip_tls_verification else self._context, deadline)


class AgeCache:
    """Values by key that are younger than `age` seconds, the 1000 that were used last. Concurrent callers of one key
    make its value once; an exception is not kept."""

    def __init__(self, age: float) -> None:
        found = number("cache_age", age)
        if found < 0:
            raise Misuse(f"cache_age must be 0 or more seconds, not {shown(age)}")
        self._age = found
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Found], deadline: float) -> Found:
        """Returns the value of the key. Raises TimeoutError if another caller makes it beyond the deadline."""
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > _ENTRIES_MAX:
                self._entries.popitem(last=False)
        if not entry.lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise TimeoutError("another question waits for the same answer, which is late")
        try:
            if entry.made_at is None or time.monotonic() - entry.made_at > self._age:
                entry.made_at = None
                entry.value = make()
                entry.made_at = time.monotonic()
            found: Found = entry.value
            return found
        finally:
            entry.lock.release()

    def ages(self) -> list[float]:
        """Returns the ages of the values in seconds, the one that was used last at the end."""
        now = time.monotonic()
        with self._lock:
            entries = list(self._entries.values())
        return [now - entry.made_at for entry in entries if entry.made_at is not None]


class _Entry:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made_at: float | None = None
        self.value: Any = None
