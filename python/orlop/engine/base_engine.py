"""The base class of engines: requests, ticks and events, without the typed objects that are built on them."""

from __future__ import annotations

import time

from .. import _core
from ..base.live_objects import Live
from ..base.wire import Reply, encode, loads, pairs, query_text, refused
from ..errors import Closed, Error, Misuse, StorageBusy, WaitTimeout
from ..generated.options import CALLABLES, DURATIONS, FOLDERS, LISTS

# Modules that take longer to import than the engine are imported where they are used; typing is one of them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from types import TracebackType
    from typing import Any

    from typing_extensions import Self

    from ..base.restores import Restores
    from ..deployments.deployment import Deployment
    from ..drivers.driver import Driver
    from ..drivers.driver_pool import DriverPool
    from ..drivers.observation import Observation
    from ..externals.external_calls import ExternalCalls
    from ..generated.external_systems import ExternalSystems
    from ..resources.resource import Resource

_EVENTS_AT_ONCE = 10_000
_SIGNALS_SEEN_AFTER = 0.2  # seconds: longest delay of Ctrl-C during a wait
_LOOKS_AGAIN_AFTER = 0.05  # seconds between two checks of work that another thread may do
_PAUSE_FIRST, _PAUSE_LONGEST = 0.1, 5.0  # seconds until a store that could not be used is tried again


class BaseEngine(Live):
    """An engine without the typed objects, which use it: requests, ticks, events, snapshots and closing."""

    _is_simulation = False
    _restores: Restores | None = None

    def _open(self, options: dict[str, Any], origin: _core.Engine | None = None) -> None:
        """Opens the engine with these options: the parameters of `__init__`, and in a simulation also `simulation` and
        `start`. `origin` is the engine of which this one is a fork."""
        from ..options.arguments import callback, milliseconds, path, texts
        from ..options.storage_libraries import load_for
        from .open_engines import OPEN
        from .stop_signal import Stopping

        options["storage"] = self._storage = path("storage", options["storage"])
        load_for(options["storage"])
        for name in FOLDERS:
            if options[name] is not None:
                from ..options.folders import archive

                options[name] = archive(name, options[name])
        for name in LISTS:
            options[name] = texts(name, () if options[name] is None else options[name])
        for name, (default, least) in DURATIONS.items():
            if name not in options:  # a simulation has fewer options
                continue
            options[name] = default if options[name] is None else milliseconds(name, options[name], least)
        for name in CALLABLES:
            callback(name, options.get(name))
        self.webhook_allow = tuple(options["webhook_allow"])
        self._webhook_sender: Any = None
        self._stopping = Stopping()
        self._pool = None
        self._asks_credentials = options["authentication"] == "required"
        if options.get("driver") is not None:
            if options["schedules"] == "automatic":
                options["schedules"] = getattr(options["driver"], "schedules", "driver")
            options["driver"] = self._pool = self._pool_of(options["driver"])
        if options["external_systems"] is not None:
            options["external_systems"] = self._calls_of(options["external_systems"], options["port_timeout"] / 1000)
        self._external_calls = options["external_systems"]
        if isinstance(options["snapshot"], _core.LazyBytes):
            options["snapshot"] = bytes(options["snapshot"])
        if options["snapshot"] == b"":
            raise Misuse(
                "snapshot must be the bytes of a snapshot, not empty ones: a snapshot is never empty. None opens "
                "an engine without one"
            )
        core_options = _core.Options()
        for name, value in options.items():
            core_options.set(name, value)
        self._core = _core.Engine(core_options) if origin is None else _core.Engine(origin, core_options)
        try:
            if self._pool is not None:
                self._pool.report_to(self._core, options["log"])
            # Webhook senders that report their deliveries have this method.
            attach = getattr(options["webhook_sender"], "attach", None)
            if attach is not None:
                attach(self)
        except BaseException:
            self.close()
            raise
        self._webhook_sender = options["webhook_sender"]
        OPEN.add(self)

    def _calls_of(self, systems: ExternalSystems | Sequence[ExternalSystems], timeout: float) -> ExternalCalls:
        from ..externals.external_calls import ExternalCalls

        return ExternalCalls(systems, timeout)

    def _pool_of(self, driver: Driver) -> DriverPool:
        from ..drivers.driver_pool import DriverPool

        return DriverPool(driver)

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
        """Answers a request in the form of HTTP. A refusal is also a reply; an exception means that the engine could
        not answer.

        `json` is the body; bytes are sent unchanged. `path` and the values of `query` may contain any text.

        The caller is the host and may do everything, unless `headers` has an Authorization: the caller is then its
        owner. Pass `trusted=False` for requests from outside: they need credentials if the engine's `authentication` is
        "required".
        """
        body = b"" if json is None else encode(json)
        text = query_text(query) if query else ""
        return Reply(
            *self._core.dispatch(method, path, text, pairs("headers", headers) if headers else [], body, not trusted)
        )

    def __repr__(self) -> str:
        scheme, is_url, _ = self.__dict__.get("_storage", "a store").partition("://")
        where = f"{scheme}://…" if is_url else scheme  # the rest of a URL may hold a password
        return f"<{type(self).__name__} on {where}, {self._progress()}>"

    def _progress(self) -> str:
        """Returns the part of `repr` that changes."""
        try:
            return f"event {self.last_event}"
        except Error:
            return "closed"
        except AttributeError:
            return "not open"

    def tick(self) -> float | None:
        """Does all work that can be done now. Returns the seconds until the next call is needed; None: not before a
        request or a report."""
        return self._core.tick()

    def run(self) -> None:
        """Ticks whenever there is something to do, until `stop` or `close`. It blocks: call it on a separate thread or
        in the main thread.

        A store that cannot be used at the moment (`StorageBusy`: another process holds its lock, its server restarts)
        is tried again, after 0.1 seconds at first and 5 at most; other errors are raised.
        """
        pause = _PAUSE_FIRST
        with self._stopping:
            while not self._stopping.is_set():
                try:
                    wanted = self._core.tick()
                    pause = _PAUSE_FIRST
                    self._pause(wanted)
                except StorageBusy:  # the engine has logged it
                    self._stopping.wait(pause)
                    pause = min(pause * 2, _PAUSE_LONGEST)
                except Closed:
                    return
        if self._stopping.is_set():  # other threads in `run` may have missed the first wake-up
            try:
                self._core.interrupt()
            except Closed:
                return

    def stop(self) -> None:
        """Ends `run`, from any thread, on all threads. If `run` is not running, its next call ends at once."""
        self._stopping.set()
        self._core.interrupt()

    def drain(self, timeout: str | float | None = None) -> bool:
        """Hands the work of this engine to the other engines on its store, for a restart without a pause. Returns True
        if no running step was left.

        The engine begins nothing new and ticks until its running steps have ended, for at most `timeout` seconds (None:
        no limit); steps that run longer are resumed by the other engines. After this it answers requests and drives
        nothing. Ctrl-C ends the wait; another call continues it.
        """
        from ..options.arguments import timeout_of

        return self._core.drain(timeout_of(timeout))

    def events(
        self,
        since: int = 0,
        *,
        organization: Resource | str | None = None,
        request: Deployment | str | None = None,
        subject: Resource | Deployment | str | None = None,
        kinds: Iterable[str] = (),
        timeout: str | float = 0.0,
    ) -> list[dict[str, Any]]:
        """Returns the events after the one numbered `since`, in order. Pass the `sequence` of the last one as `since`
        of the next call; 0 begins at the first event that is kept.

        `organization`, `request` (a deployment) and `subject` (a resource or request) select events, by object or id;
        the last two use an index of the store. `kinds` selects kinds, such as "service.deployed", or "step.*" for all
        that begin with "step.". If no event matches, waits for one, at most `timeout` seconds of real time. Raises
        `EventsForgotten` if events after `since` were removed.
        """
        from ..options.arguments import event_kind, given_id, texts, timeout_of

        seconds = timeout_of(timeout)
        if seconds is None:
            raise Misuse("timeout must be a number of seconds, not None: a wait for events has an end")
        wanted = [event_kind("kinds", kind) for kind in texts("kinds", kinds)]
        return self._read_events(
            since,
            given_id("request", request),
            given_id("subject", subject),
            given_id("organization", organization),
            wanted,
            seconds,
        )

    def _read_events(
        self,
        since: int,
        request: str | None,
        subject: str | None,
        organization: str | None = None,
        kinds: Sequence[str] = (),
        timeout: float = 0.0,
    ) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        longest = _SIGNALS_SEEN_AFTER if timeout > 0 and _is_main_thread() else timeout
        end, left = time.monotonic() + timeout, timeout
        while True:
            text, next_since = self._core.events(
                since, _EVENTS_AT_ONCE, organization, request, subject, list(kinds), min(left, longest)
            )
            found.extend(loads(text))
            left = 0.0 if found else max(0.0, end - time.monotonic())
            if next_since == since and left == 0:
                return found
            since = next_since

    def register_consumer(self, name: str) -> int:
        """Registers a consumer of events: those that it has not acknowledged are kept. Returns the number of the last
        event that it has acknowledged, `since` of its next call of `events`.

        A registered consumer keeps its number. At most 100 are allowed; a name has 1 to 64 letters, digits, '.', '_'
        and '-'.
        """
        return self._core.register_consumer(name)

    def acknowledge(self, name: str, number: int) -> None:
        """Notes that the consumer no longer needs the events up to `number`. A lower number than before changes
        nothing. Raises `NotFound`."""
        self._core.acknowledge(name, number)

    def unregister_consumer(self, name: str) -> None:
        """Ends a registration. Raises `NotFound`."""
        self._core.unregister_consumer(name)

    @property
    def consumers(self) -> list[dict[str, Any]]:
        """The registered consumers of events: `name`, `acknowledged` and `acknowledged_at` of each."""
        found: list[dict[str, Any]] = loads(self._core.consumers())
        return found

    def forget_events(self, through: int) -> int:
        """Removes the events up to the one numbered `through`, except the last one and those that a consumer has not
        acknowledged. Returns the number of the first event that is left."""
        return self._core.forget_events(through)

    def snapshot(self, secrets_key: bytes | None = None) -> bytes:
        """Returns the contents of the store as JSON Lines, for the option `snapshot` of another engine.

        With `secrets_key`, 32 bytes from a cryptographic random source, secrets are included, encrypted with it: pass
        it to the other engine as `secrets_key`, unless it is its `secret_key`. Without it they are included only if the
        store encrypts them (`secret_key`). The first line has the number of those left out; a step that needs one of
        them fails in the other engine until it is set again.
        """
        return self._core.snapshot(secrets_key)

    def import_from(
        self,
        snapshot: bytes,
        *,
        organization: str | None = None,
        project: str | None = None,
        environment: str | None = None,
        parent: str | None = None,
        name: str | None = None,
        secrets_key: bytes | None = None,
    ) -> dict[str, Any]:
        """Creates an organization, project or environment of a snapshot in this store, which other engines may use, in
        one commit.

        Pass one of `organization`, `project` and `environment`: its id in the snapshot, or its path of names, such as
        "acme/shop/production". `parent`: organization or project of this store that receives it, by id or names; None:
        the one with the same id, else with the same names. `name`: new name for it. `secrets_key`: key of the snapshot,
        or `secret_key` of the engine that made it; None: the keys of this engine are tried.

        The new resources were never deployed here. They keep ids that are free; a taken id is replaced, with every
        reference to it. Resources outside of the part that it refers to must exist here, with the same id in the
        organization or under the same name. Returns `id`, `family`, `records` (number of those created), `new_ids` (ids
        here by ids in the snapshot), `left_out` (backups and the like, by family) and `missing_secrets`. Raises
        `Conflict`, naming all that is missing here and all names that are taken; `NotFound`.
        """
        from ..options.arguments import text

        roots = {"organization": organization, "project": project, "environment": environment}
        given = [(family, text(family, root)) for family, root in roots.items() if root is not None]
        if len(given) != 1:
            raise Misuse(
                "one of organization, project and environment must be given" + (", not several" if given else "")
            )
        family, root = given[0]
        summary: dict[str, Any] = loads(self._core.import_from(snapshot, family, root, parent, name, secrets_key))
        return summary

    def check(self, repair: bool = False) -> list[dict[str, Any]]:
        """Reads everything that the store holds, and returns its faults.

        Each fault has `type` and `id` of the faulty object, `fault` (the rest of a sentence that begins with these),
        `advice` (what to do) and `is_repairable`. With `repair`, repairable faults are repaired. Raises
        `StorageCorrupt` if a record or page cannot be read, or a count or index is wrong; the message names it.
        """
        from ..options.arguments import flag

        found: list[dict[str, Any]] = loads(self._core.check(flag("repair", repair)))
        return found

    @property
    def last_event(self) -> int:
        """Number of the last event; 0 if there is none."""
        return self._core.last_event()

    def now(self) -> datetime:
        """Returns the time of the engine's clock, in UTC."""
        return datetime_of(self._core.now())

    def report_delivery(self, delivery_id: str, status: int, text: str = "") -> None:
        """Reports the result of an attempt to deliver a message: the receiver's HTTP status (0 if there was no answer)
        and the beginning of its answer or the reason."""
        self._core.report_delivery(delivery_id, status, text)

    def report_running(self, service_id: str, observation: Observation | str) -> None:
        """Reports what is seen of a service's workload: an `Observation`, or a running state alone (STARTING, RUNNING,
        WARNING, ERROR, STOPPING, STOPPED, COMPLETED or UNKNOWN). A driver with `observe` need not call it, and may for
        what it hears in between."""
        from ..drivers.observation import report_running

        report_running(self._core, service_id, observation)

    def serve(
        self, host: str = "127.0.0.1", port: int = 0, *, origins: Iterable[str] = (), allow_hosts: Iterable[str] = ()
    ) -> AbstractContextManager[str]:
        """Serves the REST API over HTTP during a `with` block, whose value is the URL. Port 0 chooses a free port.

        Needs the extra `orlop[serve]`. It only answers requests: call `run` on another thread to advance deployments.
        `origins` lists the origins of browser pages that may call it. At a loopback address the Host header must be
        127.0.0.1, [::1], localhost or one of `allow_hosts` ("*": any); at another address it is checked only if
        `allow_hosts` is given.
        """
        from ..serving.server import serving

        return serving(self, host, port, origins, allow_hosts)

    def close(self, timeout: str | float | None = 10.0) -> None:
        """Closes the engine. Running deployments continue with the next engine on this store. A second call does
        nothing.

        Running methods of the driver are canceled (`Step.is_canceled`). After `timeout` seconds (None: no limit) those
        that still run are left behind: their reports are lost, and their steps are started again, like the others, with
        `resumed` set.
        """
        from ..options.arguments import timeout_of

        seconds = timeout_of(timeout)
        try:
            self._core.close()
        except Closed:
            return
        from .open_engines import OPEN

        OPEN.discard(self)
        self._stopping.set()
        if self._pool is not None:
            self._pool.close(seconds)
        if self._external_calls is not None:
            self._external_calls.close()
        detach = getattr(self._webhook_sender, "detach", None)
        if detach is not None:
            detach()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: str, path: str, json: Any = None, query: Mapping[str, str] | None = None) -> Any:
        body = self._ask(method, path, json, query)
        return loads(body) if body else None

    def _ask(
        self,
        method: str,
        path: str,
        json: Any = None,
        query: Mapping[str, str] | None = None,
        names: Sequence[str] = (),
    ) -> bytes:
        """Returns the body of the reply to a request of the host, or raises the `Refused` for its status. `names`: one
        resource is created for each."""
        body = b"" if json is None else encode(json)
        status, answer = self._core.ask(method, path, query_text(query) if query else "", body, names)
        if status >= 400:
            raise refused(status, answer)
        return answer

    def _pause(self, seconds: float | None) -> None:
        """Waits for `seconds`, or until there is something to do; on the main thread in slices, so that signals are
        handled."""
        if not _is_main_thread():
            self._core.wait(seconds)
            return
        end = None if seconds is None else time.monotonic() + seconds
        while not self._stopping.is_set():
            left = _SIGNALS_SEEN_AFTER if end is None else min(_SIGNALS_SEEN_AFTER, end - time.monotonic())
            if left <= 0 or self._core.wait(left):
                return

    def _await_end(self, request: str, is_done: Callable[[], bool], timeout: float | None, what: str) -> None:
        """Ticks until the deployment request with this id has ended."""
        self._drive(is_done, timeout, what)

    def _drive(self, is_done: Callable[[], bool], timeout: float | None, what: str) -> None:
        """Ticks until `is_done`, in real time. Checks again after a while, because another thread's tick may complete
        the work."""
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


def _is_main_thread() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()


def datetime_of(milliseconds: int) -> datetime:
    """Returns an instant of the core as datetime; outside the years that Python has, the nearest one."""
    from datetime import datetime, timezone

    try:
        return datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return (datetime.max if milliseconds > 0 else datetime.min).replace(tzinfo=timezone.utc)
