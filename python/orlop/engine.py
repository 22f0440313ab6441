"""The engine: a deployment platform inside this process."""

from __future__ import annotations

import os
import time

from . import _core
from .errors import Closed, Misuse, WaitTimeout
from .live import Live
from .wire import Reply, encode, loads

# Modules that cost more to import than the engine are imported where they are used; typing is one of them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime
    from types import TracebackType
    from typing import Any, Literal

    from typing_extensions import Self

    from .deployments import Deployments
    from .driver import Driver
    from .models import OrganizationCollection
    from .ports import WebhookSender, GitProvider, PolicyEvaluator, TokenAuthenticator

_EVENTS_AT_ONCE = 10_000
_PORTS = ("token_authenticator", "policy_evaluator", "git_provider", "webhook_sender")
_SIGNALS_SEEN_AFTER = 0.2  # seconds: how long a wait keeps Ctrl-C waiting
_LOOKS_AGAIN_AFTER = 0.05  # seconds


class Engine(Live):
    """A platform on a store: "memory:", the path of a SQLite file, or a URL. A context manager; closing twice is allowed.

    It does nothing by itself: requests are answered on the caller's thread, and deployments move on in `tick`, which `run` and
    everything named `wait` call. Any method may be called from any thread.

    `driver` does the work of the steps; without one they succeed at once. `clock` gives Unix seconds, like `time.time`; `random_source`
    gives an int of 64 random bits, for ids. From the same `seed` follow the same ids. With `durability` "normal" a loss of power may
    take the last changes, never their order. What is not given, or None, is the default.

    `busy` says what becomes of a deployment while another one runs in its environment: "queue" lets it wait, "reject" refuses it.
    `max_parallel_builds` (4) is the number of builds at a time in one environment, `max_parallel_deploys` (16) that of deployments at
    a time in one stage. A step without a bound of its own fails after `step_deadline` ("1h"), a service that is being canceled after
    `cancel_deadline` ("10m"): seconds, or texts like "2m30s". `history_kept` (50, at least 20) is the number of ended requests kept
    for each environment. `brand` is the word in names such as MANAGED_BY_PLATFORM.

    With `authentication` "required", requests that are not trusted must prove who sends them: by an API token, or by a token that
    the `token_authenticator` knows; one token has `rate_limit` requests per hour (1000 by default, 0 for no bound). `policy_evaluator` decides on tokens that a policy binds, `git_provider` looks at
    repositories, `webhook_sender` carries messages to webhooks, `kubernetes_versions` replaces the catalogue that clusters are upgraded
    through: see `orlop.ports`. Webhooks lead to the public internet by https; `webhook_allow` names hosts and ranges of addresses that
    they may lead to besides. A token_authenticator, policy evaluator or git provider has `port_timeout` (5 s) for an answer; then the request fails with
    `DriverFailed`, over HTTP with 504, or the git host's answer is that it cannot tell. No other request waits meanwhile.

    `snapshot` is what `Engine.snapshot` gave: this engine goes on from there, in a store that must be empty. With a `secret_key` of 32
    bytes secrets are sealed before they are stored; a store that was sealed with one of the `previous_secret_keys` is turned to it.

    `mmap_size` is how many bytes of the store's file are mapped into memory for reads (0, at most 2,147,418,112). Reads are faster by it, but a file
    that gets shorter while it is open, or a disk that fails, then ends the process with SIGBUS instead of an error.

    `log` is called with a level ("error", "warning" or "info") and one sentence for what operators should know: steps that go on after
    a crash, changes that could not be stored, ports that failed. It is called on the thread that is inside the engine, and must not call
    the engine. What it raises goes to `sys.unraisablehook`.

    Services are deployed only to a cluster that is DEPLOYED or RESTARTED: a deploy waits for one that is on its way there, and is refused
    with 409 otherwise, unless `require_cluster` is False. Regions and versions that the engine's catalogues do not know are refused,
    unless `catalogs` is "open".
    """

    def __init__(
        self,
        storage: str | os.PathLike[str] = "memory:",
        *,
        driver: Driver | None = None,
        clock: Callable[[], float] | None = None,
        random_source: Callable[[], int] | None = None,
        seed: int | None = None,
        brand: str = "platform",
        durability: Literal["full", "normal"] = "full",
        busy: Literal["queue", "reject"] = "queue",
        max_parallel_builds: int | None = None,
        max_parallel_deploys: int | None = None,
        step_deadline: str | float | None = None,
        cancel_deadline: str | float | None = None,
        history_kept: int | None = None,
        authentication: Literal["off", "required"] = "off",
        rate_limit: int | None = None,
        token_authenticator: TokenAuthenticator | None = None,
        policy_evaluator: PolicyEvaluator | None = None,
        git_provider: GitProvider | None = None,
        webhook_sender: WebhookSender | None = None,
        kubernetes_versions: Iterable[str] = (),
        webhook_allow: Iterable[str] = (),
        snapshot: bytes = b"",
        secret_key: bytes = b"",
        previous_secret_keys: Iterable[bytes] = (),
        port_timeout: str | float = 5.0,
        mmap_size: int = 0,
        log: Callable[[str, str], object] | None = None,
        require_cluster: bool = True,
        catalogs: Literal["known", "open"] = "known",
    ) -> None:
        settings = dict(locals())
        del settings["self"]
        self._open(settings)

    def _open(self, settings: dict[str, Any]) -> None:
        """Opens it with these settings: the parameters of `__init__`, and in a simulation `simulation` and `start`."""
        import threading

        from .arguments import callback, milliseconds, path, texts
        from .open_engines import OPEN

        port_timeout = milliseconds("port_timeout", settings.pop("port_timeout"), 1) / 1000
        settings["storage"] = path("storage", settings["storage"])
        for name in ("kubernetes_versions", "webhook_allow", "previous_secret_keys"):
            settings[name] = texts(name, settings[name])
        for name in ("step_deadline", "cancel_deadline"):
            if settings[name] is not None:
                settings[name] = milliseconds(name, settings[name], 1)
        for name in ("clock", "random_source", "log", *_PORTS):
            callback(name, settings.get(name))
        self.webhook_allow = tuple(settings["webhook_allow"])
        self._webhook_sender = settings["webhook_sender"]
        self._stopping = threading.Event()
        self._pool = None
        self._asks_credentials = settings["authentication"] == "required"
        if settings.get("driver") is not None:
            from .driver import DriverPool

            settings["driver"] = self._pool = DriverPool(settings["driver"])
        if any(settings[name] is not None for name in _PORTS):
            from .ports import for_core

            settings.update(for_core(settings, port_timeout))
        self._core = _core.Engine(settings)
        if self._pool is not None:
            self._pool.report_to(self._core)
        attach = getattr(self._webhook_sender, "attach", None)  # of a webhook sender that tells by itself how it went
        if attach is not None:
            attach(self)
        OPEN.add(self)

    def request(
        self,
        method: str,
        path: str,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        trusted: bool = True,
    ) -> Reply:
        """Answers a request in the form of HTTP. A refusal is a reply too; an exception means that the engine could not answer.

        `json` is the body; bytes are sent unchanged. `path` and the values of `query` may contain any text.

        The caller is the host and may do everything, unless `headers` has an Authorization: the request is then answered as for its owner. Pass
        `trusted=False` for requests from outside: they need credentials if the engine's `authentication` is "required".
        """
        body = b"" if json is None else encode(json)
        text = _query_text(query) if query else ""
        return Reply(*self._core.dispatch(method, path, text, _pairs("headers", headers) if headers else [], body, not trusted))

    def tick(self) -> float | None:
        """Does everything that can be done now. Returns the seconds until the next call is needed; None: not before a request or a report."""
        return self._core.tick()

    def run(self) -> None:
        """Ticks whenever there is something to do, until `stop` or `close`. It blocks: call it on a thread of its own or in the main thread."""
        try:
            while not self._stopping.is_set():
                self._pause(self._core.tick())
        except Closed:
            pass
        finally:
            self._stopping.clear()

    def stop(self) -> None:
        """Ends `run`, from any thread. If `run` is not running, its next call ends at once."""
        self._stopping.set()
        self._core.interrupt()

    def events(self, since: int = 0, *, request: str | None = None, subject: str | None = None) -> list[dict[str, Any]]:
        """The events after the one numbered `since`, in order. The `sequence` of the last one is the `since` of the next call.

        With the id of a `request`, only the events of that deployment; with the id of a `subject`, only those of that resource, both by an index of the
        store. Raises `Misuse` if both are given.
        """
        found: list[dict[str, Any]] = []
        while True:
            part: list[dict[str, Any]] = loads(self._core.events(since, _EVENTS_AT_ONCE, request, subject))
            found.extend(part)
            if len(part) < _EVENTS_AT_ONCE:
                return found
            since = part[-1]["sequence"]

    def snapshot(self) -> bytes:
        """The contents of the store as JSON Lines, for the option `snapshot` of another engine.

        Secrets are included only if they are encrypted (`secret_key`). The first line has the number of those left out.
        """
        return self._core.snapshot()

    @property
    def last_event(self) -> int:
        """Number of the last event; 0 if there is none."""
        return self._core.last_event()

    def now(self) -> datetime:
        """The time of the engine's clock, in UTC."""
        return datetime_of(self._core.now())

    def report_delivery(self, delivery_id: str, status: int, text: str = "") -> None:
        """Reports the result of an attempt to deliver a message: the receiver's HTTP status (0 if there was no answer) and the beginning of its answer or the reason."""
        self._core.report_delivery(delivery_id, status, text)

    def report_running(self, service_id: str, state: str) -> None:
        """Reports the running state of a service: STARTING, RUNNING, WARNING, ERROR, STOPPING, STOPPED, COMPLETED or UNKNOWN."""
        self._core.report_running(service_id, state)

    def serve(
        self, host: str = "127.0.0.1", port: int = 0, *, origins: Iterable[str] = (), allow_hosts: Iterable[str] = ()
    ) -> AbstractContextManager[str]:
        """Serves the REST API over HTTP during a `with` block, whose value is the URL. Port 0 chooses a free port.

        Needs the extra `orlop[serve]`. It only answers requests: call `run` on another thread to advance deployments. `origins` lists the origins of browser
        pages that may call it. At a loopback address the Host header must be 127.0.0.1, [::1], localhost or one of `allow_hosts` ("*": any); at another
        address it is checked only if `allow_hosts` is given.
        """
        from .server import serving

        return serving(self, host, port, origins, allow_hosts)

    def close(self, timeout: float | None = 10.0) -> None:
        """Closes the engine. Running deployments continue with the next engine on this store. A second call does nothing.

        Running methods of the driver are canceled (`Step.is_canceled`). After `timeout` seconds (None: no limit) those that still run are left
        behind: their reports are lost, and their steps are started again, like the others, with `resumed` set.
        """
        from .arguments import timeout_of

        timeout_of(timeout)
        try:
            self._core.close()
        except Closed:
            return
        from .open_engines import OPEN

        OPEN.discard(self)
        self._stopping.set()
        if self._pool is not None:
            self._pool.close(timeout)
        detach = getattr(self._webhook_sender, "detach", None)
        if detach is not None:
            detach()

    @property
    def organizations(self) -> OrganizationCollection:
        """The organizations as typed objects; everything else is below them."""
        from .models import OrganizationCollection

        return OrganizationCollection(self, "")

    @property
    def deployments(self) -> Deployments:
        """Deployment requests by id, also those that were started before the engine was opened."""
        from .deployments import Deployments

        return Deployments(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: str, path: str, json: Any = None, query: Mapping[str, str] | None = None) -> Any:
        return self.request(method, path, json, None, query).check()

    def _pause(self, seconds: float | None) -> None:
        """Waits so long, or until there is something to do; on the main thread in slices, so that signals are seen."""
        import threading

        if threading.current_thread() is not threading.main_thread():
            self._core.wait(seconds)
            return
        end = None if seconds is None else time.monotonic() + seconds
        while not self._stopping.is_set():
            left = _SIGNALS_SEEN_AFTER if end is None else min(_SIGNALS_SEEN_AFTER, end - time.monotonic())
            if left <= 0 or self._core.wait(left):
                return

    def _drive(self, is_done: Callable[[], bool], timeout: float | None, what: str) -> None:
        """Ticks until it is done, in real time. Another thread's tick may be what does it: so it looks again after a while."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            wanted = self._core.tick()
            if is_done():
                return
            pauses = [_LOOKS_AGAIN_AFTER]
            if wanted is not None:
                pauses.append(wanted)
            if end is not None:
                pauses.append(end - time.monotonic())
                if pauses[-1] <= 0:
                    raise WaitTimeout(f"{what} did not come to an end within {timeout:g} s")
            self._core.wait(min(pauses))


def datetime_of(milliseconds: int) -> datetime:
    """Of an instant of the core; of one outside the years that Python has, the nearest."""
    from datetime import datetime, timezone

    try:
        return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return (datetime.max if milliseconds > 0 else datetime.min).replace(tzinfo=timezone.utc)


def _query_text(query: Mapping[str, Any]) -> str:
    from urllib.parse import urlencode

    pairs = [(name, str(value).lower() if isinstance(value, bool) else value) for name, value in _pairs("query", query)]
    try:
        return urlencode(pairs)
    except ValueError:  # a lone surrogate, or an int of more digits than Python writes
        raise Misuse("query must hold text that UTF-8 can hold, or numbers of less than 4,300 digits") from None


def _pairs(what: str, given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    from collections.abc import Mapping

    if not isinstance(given, Mapping):
        from .arguments import shown

        raise Misuse(f"{what} must be a mapping of names to values, not {shown(given)}")
    return list(given.items())
