# Generated from core/base/options/options.def: do not edit.
"""The keyword arguments of `orlop.Engine` and `orlop.Simulation`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Literal

    from ..drivers.driver import Driver
    from .ports import ExternalSystems, Log, WebhookSender

DURATIONS = {"start_deadline": (3600000, 1), "step_deadline": (3600000, 1), "cancel_deadline": (600000, 1), "port_timeout": (5000, 1), "lease_time": (10000, 100), "events_kept_for": (0, 0), "observe_interval": (30000, 0)}  # milliseconds
LISTS = ("kubernetes_versions", "webhook_allow", "previous_secret_keys", "platform_ips", "billing",)
FOLDERS = ("time_zones",)
CALLABLES = ("log", "clock", "random_source", "webhook_sender",)


class OpenedByOptions:
    """What opens itself with its keyword arguments."""

    def _open(self, options: dict[str, Any]) -> None:
        """Opens it with these options, by name."""


class EngineOptions(OpenedByOptions):
    """The options of `orlop.Engine`."""

    def __init__(
        self,
        storage: str | os.PathLike[str] = "memory:",
        *,
        log: Log | None = None,
        driver: Driver | None = None,
        clock: Callable[[], float] | None = None,
        random_source: Callable[[], int] | None = None,
        seed: int | None = None,
        durability: Literal["automatic", "full", "normal"] = "automatic",
        brand: str = "platform",
        busy: Literal["queue", "reject"] = "queue",
        max_parallel_builds: int = 4,
        max_parallel_deploys: int = 16,
        start_deadline: str | float = "1h",
        step_deadline: str | float = "1h",
        cancel_deadline: str | float = "10m",
        history_kept: int = 50,
        authentication: Literal["off", "required"] = "off",
        rate_limit: int | None = None,
        external_systems: ExternalSystems | Sequence[ExternalSystems] | None = None,
        webhook_sender: WebhookSender | None = None,
        kubernetes_versions: Iterable[str] = (),
        webhook_allow: Iterable[str] = (),
        snapshot: bytes | None = None,
        secret_key: bytes | None = None,
        previous_secret_keys: Iterable[bytes] = (),
        mmap_size: int = 0,
        require_cluster: bool = True,
        catalogs: Literal["known", "open"] = "known",
        port_timeout: str | float = "5s",
        role: Literal["both", "serve", "drive"] = "both",
        lease_time: str | float = "10s",
        platform_ips: Iterable[str] = (),
        events_kept: int = 0,
        events_kept_for: str | float = "0s",
        engine_name: str = "",
        max_parallel_steps: int = 0,
        max_parallel_steps_by_cluster: int = 0,
        max_parallel_steps_by_organization: int = 0,
        billing: Iterable[str] = (),
        cron_clock_changes: Literal["kubernetes", "once"] = "kubernetes",
        time_zones: str | os.PathLike[str] | None = None,
        log_writes: Literal["automatic", "gathered", "single"] = "automatic",
        secrets_key: bytes | None = None,
        releases_kept: int | None = None,
        observe_interval: str | float = "30s",
        schedules: Literal["automatic", "engine", "driver"] = "automatic",
    ) -> None:
        """Opens it with these options.

        `storage`: Where the engine stores everything: `memory:` (lost when the engine is closed), or the path of an
        SQLite file, with or without `sqlite:` before it. The file is created if it does not exist. Default: memory:.
        Bounds: 1 to 4096 bytes.
        `log`: Receives messages for the operators of the host: a level (`error`, `warning` or `info`) and one sentence.
        Without one they are dropped.
        `driver`: Executes the steps of deployments. Without one the scripted driver runs, under which every step
        succeeds at once.
        `clock`: Source of time; in Python it returns Unix seconds. Without one the engine uses the clock of the system.
        It may jump: deadlines, pauses and limits are measured by its `monotonic`, or by the steady clock of the system
        where it has none. A simulation has a virtual clock.
        `random_source`: Source of random numbers of 64 bits, from which ids are made. Without one the engine uses that
        of the operating system. Excludes `seed`.
        `seed`: Seed of the random source: the same calls at the same times then make the same ids. A simulation always
        has one, 0 by default; any other engine draws from `random_source` where no seed is given. Bounds: 0 to
        18446744073709551615.
        `durability`: What an SQLite store waits for before it answers a change. `automatic`: `normal` in a simulation,
        else `full`. `full`: The disk has the change: it survives a loss of power. `normal`: The operating system has
        the change: a loss of power may lose the last changes, never their order. Default: automatic. Bounds: one of
        automatic, full, normal.
        `brand`: Name of the platform in values such as `MANAGED_BY_PLATFORM`. Lower case letters. Default: platform.
        Bounds: 1 to 32 lower case letters.
        `busy`: What happens to a deployment request while another one runs in the same environment. `queue`: The
        request waits until the running one has ended. `reject`: The request is refused with 409. Default: queue.
        Bounds: one of queue, reject.
        `max_parallel_builds`: Builds that run at the same time in one environment. Unit: builds. Default: 4. Bounds: 1
        to 100000.
        `max_parallel_deploys`: Services that are deployed at the same time in one stage of an environment. Unit:
        deployments. Default: 16. Bounds: 1 to 100000.
        `start_deadline`: Time after which a step fails whose driver has not reported that it began. For a driver that
        reports no beginnings, the time after which every step fails. Unit: seconds, or a text such as `30s` or `1h30m`.
        Default: 1h. Bounds: 1ms to 366d.
        `step_deadline`: Time after which a step fails that has begun and has no timeout of its own. Unit: seconds, or a
        text such as `30s` or `1h30m`. Default: 1h. Bounds: 1ms to 366d.
        `cancel_deadline`: Time after which a service that is being canceled fails. Unit: seconds, or a text such as
        `30s` or `1h30m`. Default: 10m. Bounds: 1ms to 366d.
        `history_kept`: Ended deployment requests that are kept for each environment. Unit: requests. Default: 50.
        Bounds: 20 to 4294967295.
        `authentication`: Whether untrusted requests, such as those over HTTP, must be authenticated. `off`: Every
        request may do everything. `required`: A request needs an API token, or a token of a person that
        `external_systems` accept. Default: off. Bounds: one of off, required.
        `rate_limit`: Untrusted requests that one token may make per hour; more are refused with 429. 0: no limit. Where
        it is not given: 1000 if `authentication` is `required`, else no limit. Unit: requests per hour. Bounds: 0 to
        4294967294.
        `external_systems`: Answers the questions that the engine asks of external systems: git providers, container
        registries, clouds, log stores, identity providers, policy engines. A question that is not answered is answered
        from a built-in catalog where there is one; other requests that need it fail with 501.
        `webhook_sender`: Sends the messages of webhooks. Without one they stay in the outbox until an engine with a
        webhook sender opens the store.
        `kubernetes_versions`: Kubernetes versions that clusters are created with and upgraded through, in ascending
        order. Without any: the versions that the library knows. Bounds: at most 1000 entries.
        `webhook_allow`: Host names (`hooks.example.internal`), IP addresses and CIDR ranges (`10.1.0.0/16`) that
        webhooks may be sent to, by `http` too, although they are not on the public internet. Bounds: at most 1000
        entries.
        `snapshot`: Snapshot of another engine. This engine continues from it, in a store that must be empty.
        `secret_key`: Key of 32 bytes that secrets are encrypted with before they are stored; the store then opens only
        with it. Without one secrets are stored in plain text. Bounds: 32 bytes.
        `previous_secret_keys`: Keys of 32 bytes that the store may still be encrypted with. When it is opened it is
        encrypted with `secret_key` instead. Bounds: at most 100 keys.
        `mmap_size`: Bytes of the SQLite file that readers map into memory. Reads are faster, but a file that is
        truncated while it is open, or a disk that fails, then ends the process with SIGBUS instead of an error. Unit:
        bytes. Default: 0. Bounds: 0 to 2147418112.
        `require_cluster`: Deploy services only to a cluster that is `DEPLOYED` or `RESTARTED`: a deployment waits for a
        cluster that is being deployed, and is refused with 409 otherwise. Default: true.
        `catalogs`: What happens to regions and versions that the built-in catalogs do not contain. `known`: They are
        refused with 400; the message names the nearest known one. `open`: They are accepted. Default: known. Bounds:
        one of known, open.
        `port_timeout`: Time that `external_systems` have for an answer. After it the request fails with 504. Unit:
        seconds, or a text such as `30s` or `1h30m`. Default: 5s. Bounds: 1ms to 366d.
        `role`: What this engine does on a store that several engines share. The driving engines divide the
        organizations among each other. `both`: The engine answers requests and drives deployments, as far as no engine
        of role `drive` does. One without a `driver` of its own drives only while no engine has one. `serve`: The engine
        answers requests and drives nothing: what it is asked for is done by the other engines. `drive`: The engine
        drives deployments, before any engine of role `both`. Default: both. Bounds: one of both, serve, drive.
        `lease_time`: Time after which other engines on the same store take over the work of an engine that no longer
        answers. The same on all engines of a store. An engine that has ended, on the same machine, is replaced at once.
        Unit: seconds, or a text such as `30s` or `1h30m`. Default: 10s. Bounds: 100ms to 1h.
        `platform_ips`: IP addresses and CIDR ranges from which the platform reaches clusters, git providers and
        webhooks, as `GET /ips` lists them for firewalls. Bounds: at most 1000 entries.
        `events_kept`: Events that are kept in the feed; the oldest beyond them are removed, up to 1000 in each tick. An
        event that a registered consumer has not acknowledged stays. 0: they are not limited by number. Unit: events.
        Default: 0. Bounds: 0 to 4294967295.
        `events_kept_for`: Time for which events are kept in the feed, in the same way. 0: they are not limited by age.
        Unit: seconds, or a text such as `30s` or `1h30m`. Default: 0s. Bounds: 0s to 36600d.
        `engine_name`: Name of this engine, such as that of its host. The events of steps that it drives name it. Empty:
        they name none. Bounds: at most 64 bytes.
        `max_parallel_steps`: Steps that this engine has handed to its driver and that run at the same time, of
        services, clusters and tasks together. Further ones wait; environments, clusters and tasks take turns. 0: no
        limit. Unit: steps. Default: 0. Bounds: 0 to 1000000.
        `max_parallel_steps_by_cluster`: Steps that run at the same time for one cluster: its own, and those of the
        environments on it. 0: no limit. Unit: steps. Default: 0. Bounds: 0 to 1000000.
        `max_parallel_steps_by_organization`: Steps that run at the same time in one organization. 0: no limit. Unit:
        steps. Default: 0. Bounds: 0 to 1000000.
        `billing`: Terms of billing, as `name=value`. Prices: `instance_hour`, `cluster_hour`, `build_minute`, and
        `plan.` with the name of a plan for a month of it, such as `plan.TEAM_2025=29`; each with at most 6 decimals.
        `currency`: its ISO 4217 code, `USD` by default. `limit.` with the name of a plan and `projects`,
        `environments`, `services`, `clusters` or `members`: how many an organization with the plan can have, such as
        `limit.FREE.clusters=1`. `credit.` with a credit code: its amount. Empty: nothing is metered, charged or
        limited. Bounds: at most 1000 entries.
        `cron_clock_changes`: When the cron jobs that the engine runs itself run on a day on which the clocks of their
        time zone change. `kubernetes`: As a CronJob of Kubernetes: a job does not run at a time that clocks skip, and
        runs twice at one that they show twice. `once`: A job with a fixed hour and minute runs once on each of its
        days: as much later as clocks skip, and at one of two equal times. Any other runs as with `kubernetes`. Default:
        kubernetes. Bounds: one of kubernetes, once.
        `time_zones`: Folder of time zones compiled by zic (TZif), such as `/usr/share/zoneinfo`, in place of those that
        the library was made with: a country has changed its clocks, or times before 2020 count. The names are the paths
        of the files within the folder. Bounds: at most 67108864 bytes.
        `log_writes`: How an SQLite store writes the pages of a commit into its write-ahead log. `automatic`: `gathered`
        if SQLite's default VFS is its own for Unix, else `single`. `gathered`: Pages that follow each other are written
        together: while a transaction commits, the methods of SQLite's log file are exchanged. `single`: SQLite writes
        page by page, through the VFS as the host has it. Default: automatic. Bounds: one of automatic, gathered,
        single.
        `secrets_key`: Key of 32 bytes that the secrets of `snapshot` were encrypted with when it was taken. It is
        needed this once: in the store they are encrypted with `secret_key`, or not. A `secret_key` that is the same key
        need not be given twice. Bounds: 32 bytes.
        `releases_kept`: Releases that are kept of each service: the newest ones. 0: none are made, and nothing can be
        rolled back. Absent: 20 for a driver of the host; none with the scripted driver, whose steps then cost less.
        Unit: releases. Bounds: 0 to 1000.
        `observe_interval`: Time between two calls of a driver's `observe`. A service of which the driver says nothing
        for three of them has the running state UNKNOWN. 0: it is not called. Unit: seconds, or a text such as `30s` or
        `1h30m`. Default: 30s. Bounds: 0s to 366d.
        `schedules`: What runs cron jobs at their times. A change takes effect for a job with its next deployment.
        `automatic`: `engine` with the scripted driver, else `driver`; in Python as the driver's class says. `engine`:
        The engine: each run is a step of kind `task` and family `job_run`. `driver`: The driver, with the job that it
        deploys, as a CronJob of Kubernetes does. The engine starts no runs. Default: automatic. Bounds: one of
        automatic, engine, driver.
        """
        options = dict(locals())
        del options["self"]
        self._open(options)


EngineOptions.__init__.__qualname__ = "Engine.__init__"


class SimulationOptions(OpenedByOptions):
    """The options of `orlop.Simulation`."""

    def __init__(
        self,
        storage: str | os.PathLike[str] = "memory:",
        *,
        log: Log | None = None,
        driver: Driver | None = None,
        seed: int = 0,
        durability: Literal["automatic", "full", "normal"] = "automatic",
        brand: str = "platform",
        busy: Literal["queue", "reject"] = "queue",
        max_parallel_builds: int = 4,
        max_parallel_deploys: int = 16,
        start_deadline: str | float = "1h",
        step_deadline: str | float = "1h",
        cancel_deadline: str | float = "10m",
        history_kept: int = 50,
        start: str = "2026-01-01T00:00:00Z",
        authentication: Literal["off", "required"] = "off",
        rate_limit: int | None = None,
        external_systems: ExternalSystems | Sequence[ExternalSystems] | None = None,
        webhook_sender: WebhookSender | None = None,
        kubernetes_versions: Iterable[str] = (),
        webhook_allow: Iterable[str] = (),
        snapshot: bytes | None = None,
        secret_key: bytes | None = None,
        previous_secret_keys: Iterable[bytes] = (),
        mmap_size: int = 0,
        require_cluster: bool = True,
        catalogs: Literal["known", "open"] = "known",
        port_timeout: str | float = "5s",
        platform_ips: Iterable[str] = (),
        events_kept: int = 0,
        events_kept_for: str | float = "0s",
        engine_name: str = "",
        max_parallel_steps: int = 0,
        max_parallel_steps_by_cluster: int = 0,
        max_parallel_steps_by_organization: int = 0,
        billing: Iterable[str] = (),
        cron_clock_changes: Literal["kubernetes", "once"] = "kubernetes",
        time_zones: str | os.PathLike[str] | None = None,
        log_writes: Literal["automatic", "gathered", "single"] = "automatic",
        secrets_key: bytes | None = None,
        releases_kept: int | None = None,
        observe_interval: str | float = "30s",
        schedules: Literal["automatic", "engine", "driver"] = "automatic",
        record: Literal["all", "states", "none"] = "all",
    ) -> None:
        """Opens it with these options.

        `storage`: Where the engine stores everything: `memory:` (lost when the engine is closed), or the path of an
        SQLite file, with or without `sqlite:` before it. The file is created if it does not exist. Default: memory:.
        Bounds: 1 to 4096 bytes.
        `log`: Receives messages for the operators of the host: a level (`error`, `warning` or `info`) and one sentence.
        Without one they are dropped.
        `driver`: Executes the steps of deployments. Without one the scripted driver runs, under which every step
        succeeds at once.
        `seed`: Seed of the random source: the same calls at the same times then make the same ids. A simulation always
        has one, 0 by default; any other engine draws from `random_source` where no seed is given. Bounds: 0 to
        18446744073709551615.
        `durability`: What an SQLite store waits for before it answers a change. `automatic`: `normal` in a simulation,
        else `full`. `full`: The disk has the change: it survives a loss of power. `normal`: The operating system has
        the change: a loss of power may lose the last changes, never their order. Default: automatic. Bounds: one of
        automatic, full, normal.
        `brand`: Name of the platform in values such as `MANAGED_BY_PLATFORM`. Lower case letters. Default: platform.
        Bounds: 1 to 32 lower case letters.
        `busy`: What happens to a deployment request while another one runs in the same environment. `queue`: The
        request waits until the running one has ended. `reject`: The request is refused with 409. Default: queue.
        Bounds: one of queue, reject.
        `max_parallel_builds`: Builds that run at the same time in one environment. Unit: builds. Default: 4. Bounds: 1
        to 100000.
        `max_parallel_deploys`: Services that are deployed at the same time in one stage of an environment. Unit:
        deployments. Default: 16. Bounds: 1 to 100000.
        `start_deadline`: Time after which a step fails whose driver has not reported that it began. For a driver that
        reports no beginnings, the time after which every step fails. Unit: seconds, or a text such as `30s` or `1h30m`.
        Default: 1h. Bounds: 1ms to 366d.
        `step_deadline`: Time after which a step fails that has begun and has no timeout of its own. Unit: seconds, or a
        text such as `30s` or `1h30m`. Default: 1h. Bounds: 1ms to 366d.
        `cancel_deadline`: Time after which a service that is being canceled fails. Unit: seconds, or a text such as
        `30s` or `1h30m`. Default: 10m. Bounds: 1ms to 366d.
        `history_kept`: Ended deployment requests that are kept for each environment. Unit: requests. Default: 50.
        Bounds: 20 to 4294967295.
        `start`: Time at which the virtual clock of a simulation starts. On a store that holds events it starts at the
        last event if that is later. Default: 2026-01-01T00:00:00Z. Bounds: 1970-01-01T00:00:00.001Z to
        9999-12-31T23:59:59.999Z.
        `authentication`: Whether untrusted requests, such as those over HTTP, must be authenticated. `off`: Every
        request may do everything. `required`: A request needs an API token, or a token of a person that
        `external_systems` accept. Default: off. Bounds: one of off, required.
        `rate_limit`: Untrusted requests that one token may make per hour; more are refused with 429. 0: no limit. Where
        it is not given: 1000 if `authentication` is `required`, else no limit. Unit: requests per hour. Bounds: 0 to
        4294967294.
        `external_systems`: Answers the questions that the engine asks of external systems: git providers, container
        registries, clouds, log stores, identity providers, policy engines. A question that is not answered is answered
        from a built-in catalog where there is one; other requests that need it fail with 501.
        `webhook_sender`: Sends the messages of webhooks. Without one they stay in the outbox until an engine with a
        webhook sender opens the store.
        `kubernetes_versions`: Kubernetes versions that clusters are created with and upgraded through, in ascending
        order. Without any: the versions that the library knows. Bounds: at most 1000 entries.
        `webhook_allow`: Host names (`hooks.example.internal`), IP addresses and CIDR ranges (`10.1.0.0/16`) that
        webhooks may be sent to, by `http` too, although they are not on the public internet. Bounds: at most 1000
        entries.
        `snapshot`: Snapshot of another engine. This engine continues from it, in a store that must be empty.
        `secret_key`: Key of 32 bytes that secrets are encrypted with before they are stored; the store then opens only
        with it. Without one secrets are stored in plain text. Bounds: 32 bytes.
        `previous_secret_keys`: Keys of 32 bytes that the store may still be encrypted with. When it is opened it is
        encrypted with `secret_key` instead. Bounds: at most 100 keys.
        `mmap_size`: Bytes of the SQLite file that readers map into memory. Reads are faster, but a file that is
        truncated while it is open, or a disk that fails, then ends the process with SIGBUS instead of an error. Unit:
        bytes. Default: 0. Bounds: 0 to 2147418112.
        `require_cluster`: Deploy services only to a cluster that is `DEPLOYED` or `RESTARTED`: a deployment waits for a
        cluster that is being deployed, and is refused with 409 otherwise. Default: true.
        `catalogs`: What happens to regions and versions that the built-in catalogs do not contain. `known`: They are
        refused with 400; the message names the nearest known one. `open`: They are accepted. Default: known. Bounds:
        one of known, open.
        `port_timeout`: Time that `external_systems` have for an answer. After it the request fails with 504. Unit:
        seconds, or a text such as `30s` or `1h30m`. Default: 5s. Bounds: 1ms to 366d.
        `platform_ips`: IP addresses and CIDR ranges from which the platform reaches clusters, git providers and
        webhooks, as `GET /ips` lists them for firewalls. Bounds: at most 1000 entries.
        `events_kept`: Events that are kept in the feed; the oldest beyond them are removed, up to 1000 in each tick. An
        event that a registered consumer has not acknowledged stays. 0: they are not limited by number. Unit: events.
        Default: 0. Bounds: 0 to 4294967295.
        `events_kept_for`: Time for which events are kept in the feed, in the same way. 0: they are not limited by age.
        Unit: seconds, or a text such as `30s` or `1h30m`. Default: 0s. Bounds: 0s to 36600d.
        `engine_name`: Name of this engine, such as that of its host. The events of steps that it drives name it. Empty:
        they name none. Bounds: at most 64 bytes.
        `max_parallel_steps`: Steps that this engine has handed to its driver and that run at the same time, of
        services, clusters and tasks together. Further ones wait; environments, clusters and tasks take turns. 0: no
        limit. Unit: steps. Default: 0. Bounds: 0 to 1000000.
        `max_parallel_steps_by_cluster`: Steps that run at the same time for one cluster: its own, and those of the
        environments on it. 0: no limit. Unit: steps. Default: 0. Bounds: 0 to 1000000.
        `max_parallel_steps_by_organization`: Steps that run at the same time in one organization. 0: no limit. Unit:
        steps. Default: 0. Bounds: 0 to 1000000.
        `billing`: Terms of billing, as `name=value`. Prices: `instance_hour`, `cluster_hour`, `build_minute`, and
        `plan.` with the name of a plan for a month of it, such as `plan.TEAM_2025=29`; each with at most 6 decimals.
        `currency`: its ISO 4217 code, `USD` by default. `limit.` with the name of a plan and `projects`,
        `environments`, `services`, `clusters` or `members`: how many an organization with the plan can have, such as
        `limit.FREE.clusters=1`. `credit.` with a credit code: its amount. Empty: nothing is metered, charged or
        limited. Bounds: at most 1000 entries.
        `cron_clock_changes`: When the cron jobs that the engine runs itself run on a day on which the clocks of their
        time zone change. `kubernetes`: As a CronJob of Kubernetes: a job does not run at a time that clocks skip, and
        runs twice at one that they show twice. `once`: A job with a fixed hour and minute runs once on each of its
        days: as much later as clocks skip, and at one of two equal times. Any other runs as with `kubernetes`. Default:
        kubernetes. Bounds: one of kubernetes, once.
        `time_zones`: Folder of time zones compiled by zic (TZif), such as `/usr/share/zoneinfo`, in place of those that
        the library was made with: a country has changed its clocks, or times before 2020 count. The names are the paths
        of the files within the folder. Bounds: at most 67108864 bytes.
        `log_writes`: How an SQLite store writes the pages of a commit into its write-ahead log. `automatic`: `gathered`
        if SQLite's default VFS is its own for Unix, else `single`. `gathered`: Pages that follow each other are written
        together: while a transaction commits, the methods of SQLite's log file are exchanged. `single`: SQLite writes
        page by page, through the VFS as the host has it. Default: automatic. Bounds: one of automatic, gathered,
        single.
        `secrets_key`: Key of 32 bytes that the secrets of `snapshot` were encrypted with when it was taken. It is
        needed this once: in the store they are encrypted with `secret_key`, or not. A `secret_key` that is the same key
        need not be given twice. Bounds: 32 bytes.
        `releases_kept`: Releases that are kept of each service: the newest ones. 0: none are made, and nothing can be
        rolled back. Absent: 20 for a driver of the host; none with the scripted driver, whose steps then cost less.
        Unit: releases. Bounds: 0 to 1000.
        `observe_interval`: Time between two calls of a driver's `observe`. A service of which the driver says nothing
        for three of them has the running state UNKNOWN. 0: it is not called. Unit: seconds, or a text such as `30s` or
        `1h30m`. Default: 30s. Bounds: 0s to 366d.
        `schedules`: What runs cron jobs at their times. A change takes effect for a job with its next deployment.
        `automatic`: `engine` with the scripted driver, else `driver`; in Python as the driver's class says. `engine`:
        The engine: each run is a step of kind `task` and family `job_run`. `driver`: The driver, with the job that it
        deploys, as a CronJob of Kubernetes does. The engine starts no runs. Default: automatic. Bounds: one of
        automatic, engine, driver.
        `record`: What the feed keeps. A simulation does the same whatever that is. `all`: Every event. `states`: What
        was created, edited and deleted, changes of states, and deployments. `none`: Nothing. In a file or on PostgreSQL
        a commit that gives ids keeps its last event, whatever is recorded. Default: all. Bounds: one of all, states,
        none.
        """
        options = dict(locals())
        del options["self"]
        self._open(options)


SimulationOptions.__init__.__qualname__ = "Simulation.__init__"
