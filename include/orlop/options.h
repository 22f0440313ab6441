// The options of an engine. Part of orlop.h, which includes it. Generated from core/base/options/options.def: do not edit.
//
//   orlop_options options = ORLOP_OPTIONS_INIT;            all defaults
//   options.max_parallel_deploys = 64;                     by member
//   error = orlop_options_set(&options, "history_kept", "100");  or by name, from a file of settings or the environment
//
// Later versions append members; `size` says which ones the caller knows. Texts are copied by orlop_open, and so are the structs of ports. What
// the context of a port points to must live until its release() is called, which is when the engine is gone (never, if orlop_open failed).
#ifndef ORLOP_OPTIONS_H
#define ORLOP_OPTIONS_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// What an SQLite store waits for before it answers a change.
typedef int32_t orlop_durability;
enum {
  ORLOP_DURABILITY_AUTOMATIC = 0,  // `normal` in a simulation, else `full`.
  ORLOP_DURABILITY_FULL = 1,  // The disk has the change: it survives a loss of power.
  ORLOP_DURABILITY_NORMAL = 2   // The operating system has the change: a loss of power may lose the last changes, never their order.
};

// What happens to a deployment request while another one runs in the same environment.
typedef int32_t orlop_busy;
enum {
  ORLOP_BUSY_QUEUE = 0,  // The request waits until the running one has ended.
  ORLOP_BUSY_REJECT = 1   // The request is refused with 409.
};

// Whether untrusted requests, such as those over HTTP, must be authenticated.
typedef int32_t orlop_authentication;
enum {
  ORLOP_AUTHENTICATION_OFF = 0,  // Every request may do everything.
  ORLOP_AUTHENTICATION_REQUIRED = 1   // A request needs an API token, or a token of a person that `external_systems` accept.
};

// What happens to regions and versions that the built-in catalogs do not contain.
typedef int32_t orlop_catalogs;
enum {
  ORLOP_CATALOGS_KNOWN = 0,  // They are refused with 400; the message names the nearest known one.
  ORLOP_CATALOGS_OPEN = 1   // They are accepted.
};

// What this engine does on a store that several engines share. The driving engines divide the organizations among each
// other.
typedef int32_t orlop_role;
enum {
  ORLOP_ROLE_BOTH = 0,  // The engine answers requests and drives deployments, as far as no engine of role `drive` does. One without a `driver` of its own drives only while no engine has one.
  ORLOP_ROLE_SERVE = 1,  // The engine answers requests and drives nothing: what it is asked for is done by the other engines.
  ORLOP_ROLE_DRIVE = 2   // The engine drives deployments, before any engine of role `both`.
};

// When the cron jobs that the engine runs itself run on a day on which the clocks of their time zone change.
typedef int32_t orlop_cron_clock_changes;
enum {
  ORLOP_CRON_CLOCK_CHANGES_KUBERNETES = 0,  // As a CronJob of Kubernetes: a job does not run at a time that clocks skip, and runs twice at one that they show twice.
  ORLOP_CRON_CLOCK_CHANGES_ONCE = 1   // A job with a fixed hour and minute runs once on each of its days: as much later as clocks skip, and at one of two equal times. Any other runs as with `kubernetes`.
};

// How an SQLite store writes the pages of a commit into its write-ahead log.
typedef int32_t orlop_log_writes;
enum {
  ORLOP_LOG_WRITES_AUTOMATIC = 0,  // `gathered` if SQLite's default VFS is its own for Unix, else `single`.
  ORLOP_LOG_WRITES_GATHERED = 1,  // Pages that follow each other are written together: while a transaction commits, the methods of SQLite's log file are exchanged.
  ORLOP_LOG_WRITES_SINGLE = 2   // SQLite writes page by page, through the VFS as the host has it.
};

// What runs cron jobs at their times. A change takes effect for a job with its next deployment.
typedef int32_t orlop_schedules;
enum {
  ORLOP_SCHEDULES_AUTOMATIC = 0,  // `engine` with the scripted driver, else `driver`; in Python as the driver's class says.
  ORLOP_SCHEDULES_ENGINE = 1,  // The engine: each run is a step of kind `task` and family `job_run`.
  ORLOP_SCHEDULES_DRIVER = 2   // The driver, with the job that it deploys, as a CronJob of Kubernetes does. The engine starts no runs.
};

struct orlop_log;
struct orlop_driver;
struct orlop_clock;
struct orlop_random_source;
struct orlop_external_systems;
struct orlop_webhook_sender;
struct orlop_store;
struct orlop_aead;

struct orlop_options {
  size_t size;  // sizeof(orlop_options)
  // Where the engine stores everything: `memory:` (lost when the engine is closed), or the path of an SQLite file, with
  // or without `sqlite:` before it. The file is created if it does not exist. Default: memory:. Bounds: 1 to 4096
  // bytes.
  orlop_text storage;
  // Receives messages for the operators of the host: a level (`error`, `warning` or `info`) and one sentence. Without
  // one they are dropped.
  const struct orlop_log *log;
  // Executes the steps of deployments. Without one the scripted driver runs, under which every step succeeds at once.
  const struct orlop_driver *driver;
  // Source of time; in Python it returns Unix seconds. Without one the engine uses the clock of the system. It may
  // jump: deadlines, pauses and limits are measured by its `monotonic`, or by the steady clock of the system where it
  // has none. A simulation has a virtual clock.
  const struct orlop_clock *clock;
  // Source of random numbers of 64 bits, from which ids are made. Without one the engine uses that of the operating
  // system. Excludes `seed`.
  const struct orlop_random_source *random_source;
  // Seed of the random source: the same calls at the same times then make the same ids. A simulation always has one, 0
  // by default; any other engine draws from `random_source` where no seed is given. Bounds: 0 to 18446744073709551615.
  int32_t seeded;  // 1: `seed` is given
  uint64_t seed;
  // What an SQLite store waits for before it answers a change. Default: automatic. Bounds: one of automatic, full,
  // normal.
  orlop_durability durability;
  // Name of the platform in values such as `MANAGED_BY_PLATFORM`. Lower case letters. Default: platform. Bounds: 1 to
  // 32 lower case letters.
  orlop_text brand;
  // What happens to a deployment request while another one runs in the same environment. Default: queue. Bounds: one of
  // queue, reject.
  orlop_busy busy;
  // Builds that run at the same time in one environment. Unit: builds. Default: 4. Bounds: 1 to 100000.
  uint32_t max_parallel_builds;
  // Services that are deployed at the same time in one stage of an environment. Unit: deployments. Default: 16. Bounds:
  // 1 to 100000.
  uint32_t max_parallel_deploys;
  // Time after which a step fails whose driver has not reported that it began. For a driver that reports no beginnings,
  // the time after which every step fails. Unit: ms. Default: 3600000. Bounds: 1 to 31622400000.
  int64_t start_deadline_ms;
  // Time after which a step fails that has begun and has no timeout of its own. Unit: ms. Default: 3600000. Bounds: 1
  // to 31622400000.
  int64_t step_deadline_ms;
  // Time after which a service that is being canceled fails. Unit: ms. Default: 600000. Bounds: 1 to 31622400000.
  int64_t cancel_deadline_ms;
  // Ended deployment requests that are kept for each environment. Unit: requests. Default: 50. Bounds: 20 to
  // 4294967295.
  uint32_t history_kept;
  // Open a simulation: time is virtual and moves only by `orlop_advance` and `orlop_run_until_idle`, random numbers
  // follow from `seed`, and `clock` and `random_source` must not be given. 0 or 1. Default: false.
  int32_t simulation;
  // Time at which the virtual clock of a simulation starts. On a store that holds events it starts at the last event if
  // that is later. Unit: ms since 1970-01-01T00:00:00Z. Default: 1767225600000. Bounds: 1 to 253402300799999.
  int64_t start_ms;
  // Whether untrusted requests, such as those over HTTP, must be authenticated. Default: off. Bounds: one of off,
  // required.
  orlop_authentication authentication;
  // Untrusted requests that one token may make per hour; more are refused with 429. 0: no limit. Where it is not given:
  // 1000 if `authentication` is `required`, else no limit. UINT32_MAX: not given. Unit: requests per hour. Bounds: 0 to
  // 4294967294.
  uint32_t rate_limit;
  // Answers the questions that the engine asks of external systems: git providers, container registries, clouds, log
  // stores, identity providers, policy engines. A question that is not answered is answered from a built-in catalog
  // where there is one; other requests that need it fail with 501.
  const struct orlop_external_systems *external_systems;
  // Sends the messages of webhooks. Without one they stay in the outbox until an engine with a webhook sender opens the
  // store.
  const struct orlop_webhook_sender *webhook_sender;
  // Kubernetes versions that clusters are created with and upgraded through, in ascending order. Without any: the
  // versions that the library knows. Entries separated by commas. Bounds: at most 1000 entries.
  orlop_text kubernetes_versions;
  // Host names (`hooks.example.internal`), IP addresses and CIDR ranges (`10.1.0.0/16`) that webhooks may be sent to,
  // by `http` too, although they are not on the public internet. Entries separated by commas. Bounds: at most 1000
  // entries.
  orlop_text webhook_allow;
  // Store of the host (storage.h) in place of the one that `storage` names; `storage` must then be left at its default.
  const struct orlop_store *store;
  // Snapshot of another engine. This engine continues from it, in a store that must be empty. Read before orlop_open
  // returns.
  orlop_text snapshot;
  // Key of 32 bytes that secrets are encrypted with before they are stored; the store then opens only with it. Without
  // one secrets are stored in plain text. Bounds: 32 bytes.
  orlop_text secret_key;
  // Keys of 32 bytes that the store may still be encrypted with. When it is opened it is encrypted with `secret_key`
  // instead. The keys one after the other, without a separator. Bounds: at most 100 keys.
  orlop_text previous_secret_keys;
  // Bytes of the SQLite file that readers map into memory. Reads are faster, but a file that is truncated while it is
  // open, or a disk that fails, then ends the process with SIGBUS instead of an error. Unit: bytes. Default: 0. Bounds:
  // 0 to 2147418112.
  uint64_t mmap_size;
  // Deploy services only to a cluster that is `DEPLOYED` or `RESTARTED`: a deployment waits for a cluster that is being
  // deployed, and is refused with 409 otherwise. 0 or 1. Default: true.
  int32_t require_cluster;
  // What happens to regions and versions that the built-in catalogs do not contain. Default: known. Bounds: one of
  // known, open.
  orlop_catalogs catalogs;
  // Time that `external_systems` have for an answer. After it the request fails with 504. Unit: ms. Default: 5000.
  // Bounds: 1 to 31622400000.
  int64_t port_timeout_ms;
  // What this engine does on a store that several engines share. The driving engines divide the organizations among
  // each other. Default: both. Bounds: one of both, serve, drive.
  orlop_role role;
  // Time after which other engines on the same store take over the work of an engine that no longer answers. The same
  // on all engines of a store. An engine that has ended, on the same machine, is replaced at once. Unit: ms. Default:
  // 10000. Bounds: 100 to 3600000.
  int64_t lease_time_ms;
  // IP addresses and CIDR ranges from which the platform reaches clusters, git providers and webhooks, as `GET /ips`
  // lists them for firewalls. Entries separated by commas. Bounds: at most 1000 entries.
  orlop_text platform_ips;
  // Events that are kept in the feed; the oldest beyond them are removed, up to 1000 in each tick. An event that a
  // registered consumer has not acknowledged stays. 0: they are not limited by number. Unit: events. Default: 0.
  // Bounds: 0 to 4294967295.
  uint32_t events_kept;
  // Time for which events are kept in the feed, in the same way. 0: they are not limited by age. Unit: ms. Default: 0.
  // Bounds: 0 to 3162240000000.
  int64_t events_kept_for_ms;
  // Name of this engine, such as that of its host. The events of steps that it drives name it. Empty: they name none.
  // Bounds: at most 64 bytes.
  orlop_text engine_name;
  // Steps that this engine has handed to its driver and that run at the same time, of services, clusters and tasks
  // together. Further ones wait; environments, clusters and tasks take turns. 0: no limit. Unit: steps. Default: 0.
  // Bounds: 0 to 1000000.
  uint32_t max_parallel_steps;
  // Steps that run at the same time for one cluster: its own, and those of the environments on it. 0: no limit. Unit:
  // steps. Default: 0. Bounds: 0 to 1000000.
  uint32_t max_parallel_steps_by_cluster;
  // Steps that run at the same time in one organization. 0: no limit. Unit: steps. Default: 0. Bounds: 0 to 1000000.
  uint32_t max_parallel_steps_by_organization;
  // Terms of billing, as `name=value`. Prices: `instance_hour`, `cluster_hour`, `build_minute`, and `plan.` with the
  // name of a plan for a month of it, such as `plan.TEAM_2025=29`; each with at most 6 decimals. `currency`: its ISO
  // 4217 code, `USD` by default. `limit.` with the name of a plan and `projects`, `environments`, `services`,
  // `clusters` or `members`: how many an organization with the plan can have, such as `limit.FREE.clusters=1`.
  // `credit.` with a credit code: its amount. Empty: nothing is metered, charged or limited. Entries separated by
  // commas. Bounds: at most 1000 entries.
  orlop_text billing;
  // When the cron jobs that the engine runs itself run on a day on which the clocks of their time zone change. Default:
  // kubernetes. Bounds: one of kubernetes, once.
  orlop_cron_clock_changes cron_clock_changes;
  // Folder of time zones compiled by zic (TZif), such as `/usr/share/zoneinfo`, in place of those that the library was
  // made with: a country has changed its clocks, or times before 2020 count. The names are the paths of the files
  // within the folder. A tar archive of the folder, as `tar -C FOLDER --dereference --hard-dereference -c .` writes;
  // read before orlop_open returns. Bounds: at most 67108864 bytes.
  orlop_text time_zones;
  // How an SQLite store writes the pages of a commit into its write-ahead log. Default: automatic. Bounds: one of
  // automatic, gathered, single.
  orlop_log_writes log_writes;
  // Key of 32 bytes that the secrets of `snapshot` were encrypted with when it was taken. It is needed this once: in
  // the store they are encrypted with `secret_key`, or not. A `secret_key` that is the same key need not be given
  // twice. Bounds: 32 bytes.
  orlop_text secrets_key;
  // Authenticated encryption of the host (aead.h), with which secrets are encrypted in place of OpenSSL's. A library
  // that was built without OpenSSL needs it for `secret_key` and `secrets_key`.
  const struct orlop_aead *aead;
  // Releases that are kept of each service: the newest ones. 0: none are made, and nothing can be rolled back. Absent:
  // 20 for a driver of the host; none with the scripted driver, whose steps then cost less. UINT32_MAX: not given.
  // Unit: releases. Bounds: 0 to 1000.
  uint32_t releases_kept;
  // Time between two calls of a driver's `observe`. A service of which the driver says nothing for three of them has
  // the running state UNKNOWN. 0: it is not called. Unit: ms. Default: 30000. Bounds: 0 to 31622400000.
  int64_t observe_interval_ms;
  // What runs cron jobs at their times. A change takes effect for a job with its next deployment. Default: automatic.
  // Bounds: one of automatic, engine, driver.
  orlop_schedules schedules;
};

#define ORLOP_OPTIONS_INIT \
  { \
    sizeof(orlop_options), {"memory:", 7}, NULL, NULL, NULL, NULL, 0, 0, ORLOP_DURABILITY_AUTOMATIC, {"platform", 8}, \
    ORLOP_BUSY_QUEUE, 4, 16, INT64_C(3600000), INT64_C(3600000), INT64_C(600000), 50, 0, INT64_C(1767225600000), \
    ORLOP_AUTHENTICATION_OFF, UINT32_MAX, NULL, NULL, {NULL, 0}, {NULL, 0}, NULL, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, \
    1, ORLOP_CATALOGS_KNOWN, INT64_C(5000), ORLOP_ROLE_BOTH, INT64_C(10000), {NULL, 0}, 0, INT64_C(0), {"", 0}, 0, 0, \
    0, {NULL, 0}, ORLOP_CRON_CLOCK_CHANGES_KUBERNETES, {NULL, 0}, ORLOP_LOG_WRITES_AUTOMATIC, {NULL, 0}, NULL, \
    UINT32_MAX, INT64_C(30000), ORLOP_SCHEDULES_AUTOMATIC }

// Writes the defaults of the library into the first `size` bytes of *options: sizeof(orlop_options). For bindings of other languages, and for
// programs that may run with an older library than the header they were compiled with. Does nothing if `size` has no room for a first member.
ORLOP_API void orlop_options_init(orlop_options *options, size_t size);

// Sets the option of that name, from text: numbers in decimal, "true" and "false", durations like "30s", "1h30m" and "250ms", times like
// "2026-01-01T00:00:00Z", the names of values ("queue"), lists with commas. The name is that of the member without "_ms". Texts are not copied:
// `value` must live until orlop_open has returned. Options that hold bytes are not text, and are set by their member;
// ports by orlop_options_set_port.
// Errors: MISUSE (no such option, and the nearest name; a value that the option cannot have, and what it can be).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_options_set(orlop_options *options, const char *name, const char *value);

// Sets the port of that name, "driver" or "log" for example: `port` points to its struct (orlop_driver, orlop_log …), which must live until orlop_open has returned, or is
// NULL: none. For bindings of other languages. Errors: MISUSE (no such option, and the nearest name; an option that is not a port).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_options_set_port(orlop_options *options, const char *name, const void *port);

#ifdef __cplusplus
}
#endif

#endif
