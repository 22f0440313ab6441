// The options of an engine in C++. Included by orlop.hpp. Generated from core/base/options/options.def: do not edit.
#ifndef ORLOP_OPTIONS_HPP
#define ORLOP_OPTIONS_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orlop/host.hpp"

namespace orlop {
inline namespace api {

// Views must live until the engine is open. Ports are kept until the engine is gone; what they may throw stands in host.hpp.
struct Options {
  // Where the engine stores everything: `memory:` (lost when the engine is closed), or the path of an SQLite file, with
  // or without `sqlite:` before it. The file is created if it does not exist. Default: memory:. Bounds: 1 to 4096
  // bytes.
  std::string_view storage = "memory:";
  // Receives messages for the operators of the host: a level (`error`, `warning` or `info`) and one sentence. Without
  // one they are dropped.
  Log log = nullptr;
  // Executes the steps of deployments. Without one the scripted driver runs, under which every step succeeds at once.
  std::shared_ptr<Driver> driver = nullptr;
  // Source of time; in Python it returns Unix seconds. Without one the engine uses the clock of the system. It may
  // jump: deadlines, pauses and limits are measured by its `monotonic`, or by the steady clock of the system where it
  // has none. A simulation has a virtual clock.
  Clock clock = nullptr;
  // Source of random numbers of 64 bits, from which ids are made. Without one the engine uses that of the operating
  // system. Excludes `seed`.
  RandomSource random_source = nullptr;
  // Seed of the random source: the same calls at the same times then make the same ids. A simulation always has one, 0
  // by default; any other engine draws from `random_source` where no seed is given. Bounds: 0 to 18446744073709551615.
  std::optional<std::uint64_t> seed = std::nullopt;
  // What an SQLite store waits for before it answers a change. Default: automatic. Bounds: one of automatic, full,
  // normal.
  orlop_durability durability = ORLOP_DURABILITY_AUTOMATIC;
  // Name of the platform in values such as `MANAGED_BY_PLATFORM`. Lower case letters. Default: platform. Bounds: 1 to
  // 32 lower case letters.
  std::string_view brand = "platform";
  // What happens to a deployment request while another one runs in the same environment. Default: queue. Bounds: one of
  // queue, reject.
  orlop_busy busy = ORLOP_BUSY_QUEUE;
  // Builds that run at the same time in one environment. Unit: builds. Default: 4. Bounds: 1 to 100000.
  std::uint32_t max_parallel_builds = 4;
  // Services that are deployed at the same time in one stage of an environment. Unit: deployments. Default: 16. Bounds:
  // 1 to 100000.
  std::uint32_t max_parallel_deploys = 16;
  // Time after which a step fails whose driver has not reported that it began. For a driver that reports no beginnings,
  // the time after which every step fails. Unit: seconds, or a text such as `30s` or `1h30m`. Default: 1h. Bounds: 1ms
  // to 366d.
  Duration start_deadline{3600000};
  // Time after which a step fails that has begun and has no timeout of its own. Unit: seconds, or a text such as `30s`
  // or `1h30m`. Default: 1h. Bounds: 1ms to 366d.
  Duration step_deadline{3600000};
  // Time after which a service that is being canceled fails. Unit: seconds, or a text such as `30s` or `1h30m`.
  // Default: 10m. Bounds: 1ms to 366d.
  Duration cancel_deadline{600000};
  // Ended deployment requests that are kept for each environment. Unit: requests. Default: 50. Bounds: 20 to
  // 4294967295.
  std::uint32_t history_kept = 50;
  // Open a simulation: time is virtual and moves only by `orlop_advance` and `orlop_run_until_idle`, random numbers
  // follow from `seed`, and `clock` and `random_source` must not be given. Default: false.
  bool simulation = false;
  // Time at which the virtual clock of a simulation starts. On a store that holds events it starts at the last event if
  // that is later. Default: 2026-01-01T00:00:00Z. Bounds: 1970-01-01T00:00:00.001Z to 9999-12-31T23:59:59.999Z.
  Instant start{Duration(1767225600000)};
  // Whether untrusted requests, such as those over HTTP, must be authenticated. Default: off. Bounds: one of off,
  // required.
  orlop_authentication authentication = ORLOP_AUTHENTICATION_OFF;
  // Untrusted requests that one token may make per hour; more are refused with 429. 0: no limit. Where it is not given:
  // 1000 if `authentication` is `required`, else no limit. Unit: requests per hour. Bounds: 0 to 4294967294.
  std::optional<std::uint32_t> rate_limit = std::nullopt;
  // Answers the questions that the engine asks of external systems: git providers, container registries, clouds, log
  // stores, identity providers, policy engines. A question that is not answered is answered from a built-in catalog
  // where there is one; other requests that need it fail with 501.
  ExternalSystems external_systems = nullptr;
  // Sends the messages of webhooks. Without one they stay in the outbox until an engine with a webhook sender opens the
  // store.
  WebhookSender webhook_sender = nullptr;
  // Kubernetes versions that clusters are created with and upgraded through, in ascending order. Without any: the
  // versions that the library knows. Bounds: at most 1000 entries.
  std::vector<std::string_view> kubernetes_versions = {};
  // Host names (`hooks.example.internal`), IP addresses and CIDR ranges (`10.1.0.0/16`) that webhooks may be sent to,
  // by `http` too, although they are not on the public internet. Bounds: at most 1000 entries.
  std::vector<std::string_view> webhook_allow = {};
  // Store of the host (storage.h) in place of the one that `storage` names; `storage` must then be left at its default.
  const orlop_store* store = nullptr;
  // Snapshot of another engine. This engine continues from it, in a store that must be empty.
  std::string_view snapshot = {};
  // Key of 32 bytes that secrets are encrypted with before they are stored; the store then opens only with it. Without
  // one secrets are stored in plain text. Bounds: 32 bytes.
  std::string_view secret_key = {};
  // Keys of 32 bytes that the store may still be encrypted with. When it is opened it is encrypted with `secret_key`
  // instead. Bounds: at most 100 keys.
  std::vector<std::string_view> previous_secret_keys = {};
  // Bytes of the SQLite file that readers map into memory. Reads are faster, but a file that is truncated while it is
  // open, or a disk that fails, then ends the process with SIGBUS instead of an error. Unit: bytes. Default: 0. Bounds:
  // 0 to 2147418112.
  std::uint64_t mmap_size = 0;
  // Deploy services only to a cluster that is `DEPLOYED` or `RESTARTED`: a deployment waits for a cluster that is being
  // deployed, and is refused with 409 otherwise. Default: true.
  bool require_cluster = true;
  // What happens to regions and versions that the built-in catalogs do not contain. Default: known. Bounds: one of
  // known, open.
  orlop_catalogs catalogs = ORLOP_CATALOGS_KNOWN;
  // Time that `external_systems` have for an answer. After it the request fails with 504. Unit: seconds, or a text such
  // as `30s` or `1h30m`. Default: 5s. Bounds: 1ms to 366d.
  Duration port_timeout{5000};
  // What this engine does on a store that several engines share. The driving engines divide the organizations among
  // each other. Default: both. Bounds: one of both, serve, drive.
  orlop_role role = ORLOP_ROLE_BOTH;
  // Time after which other engines on the same store take over the work of an engine that no longer answers. The same
  // on all engines of a store. An engine that has ended, on the same machine, is replaced at once. Unit: seconds, or a
  // text such as `30s` or `1h30m`. Default: 10s. Bounds: 100ms to 1h.
  Duration lease_time{10000};
  // IP addresses and CIDR ranges from which the platform reaches clusters, git providers and webhooks, as `GET /ips`
  // lists them for firewalls. Bounds: at most 1000 entries.
  std::vector<std::string_view> platform_ips = {};
  // Events that are kept in the feed; the oldest beyond them are removed, up to 1000 in each tick. An event that a
  // registered consumer has not acknowledged stays. 0: they are not limited by number. Unit: events. Default: 0.
  // Bounds: 0 to 4294967295.
  std::uint32_t events_kept = 0;
  // Time for which events are kept in the feed, in the same way. 0: they are not limited by age. Unit: seconds, or a
  // text such as `30s` or `1h30m`. Default: 0s. Bounds: 0s to 36600d.
  Duration events_kept_for{0};
  // Name of this engine, such as that of its host. The events of steps that it drives name it. Empty: they name none.
  // Bounds: at most 64 bytes.
  std::string_view engine_name = "";
  // Steps that this engine has handed to its driver and that run at the same time, of services, clusters and tasks
  // together. Further ones wait; environments, clusters and tasks take turns. 0: no limit. Unit: steps. Default: 0.
  // Bounds: 0 to 1000000.
  std::uint32_t max_parallel_steps = 0;
  // Steps that run at the same time for one cluster: its own, and those of the environments on it. 0: no limit. Unit:
  // steps. Default: 0. Bounds: 0 to 1000000.
  std::uint32_t max_parallel_steps_by_cluster = 0;
  // Steps that run at the same time in one organization. 0: no limit. Unit: steps. Default: 0. Bounds: 0 to 1000000.
  std::uint32_t max_parallel_steps_by_organization = 0;
  // Terms of billing, as `name=value`. Prices: `instance_hour`, `cluster_hour`, `build_minute`, and `plan.` with the
  // name of a plan for a month of it, such as `plan.TEAM_2025=29`; each with at most 6 decimals. `currency`: its ISO
  // 4217 code, `USD` by default. `limit.` with the name of a plan and `projects`, `environments`, `services`,
  // `clusters` or `members`: how many an organization with the plan can have, such as `limit.FREE.clusters=1`.
  // `credit.` with a credit code: its amount. Empty: nothing is metered, charged or limited. Bounds: at most 1000
  // entries.
  std::vector<std::string_view> billing = {};
  // When the cron jobs that the engine runs itself run on a day on which the clocks of their time zone change. Default:
  // kubernetes. Bounds: one of kubernetes, once.
  orlop_cron_clock_changes cron_clock_changes = ORLOP_CRON_CLOCK_CHANGES_KUBERNETES;
  // Folder of time zones compiled by zic (TZif), such as `/usr/share/zoneinfo`, in place of those that the library was
  // made with: a country has changed its clocks, or times before 2020 count. The names are the paths of the files
  // within the folder. Bounds: at most 67108864 bytes.
  std::string_view time_zones = {};
  // How an SQLite store writes the pages of a commit into its write-ahead log. Default: automatic. Bounds: one of
  // automatic, gathered, single.
  orlop_log_writes log_writes = ORLOP_LOG_WRITES_AUTOMATIC;
  // Key of 32 bytes that the secrets of `snapshot` were encrypted with when it was taken. It is needed this once: in
  // the store they are encrypted with `secret_key`, or not. A `secret_key` that is the same key need not be given
  // twice. Bounds: 32 bytes.
  std::string_view secrets_key = {};
  // Authenticated encryption of the host (aead.h), with which secrets are encrypted in place of OpenSSL's. A library
  // that was built without OpenSSL needs it for `secret_key` and `secrets_key`.
  const orlop_aead* aead = nullptr;
  // Releases that are kept of each service: the newest ones. 0: none are made, and nothing can be rolled back. Absent:
  // 20 for a driver of the host; none with the scripted driver, whose steps then cost less. Unit: releases. Bounds: 0
  // to 1000.
  std::optional<std::uint32_t> releases_kept = std::nullopt;
  // Time between two calls of a driver's `observe`. A service of which the driver says nothing for three of them has
  // the running state UNKNOWN. 0: it is not called. Unit: seconds, or a text such as `30s` or `1h30m`. Default: 30s.
  // Bounds: 0s to 366d.
  Duration observe_interval{30000};
  // What runs cron jobs at their times. A change takes effect for a job with its next deployment. Default: automatic.
  // Bounds: one of automatic, engine, driver.
  orlop_schedules schedules = ORLOP_SCHEDULES_AUTOMATIC;
};

// The name, bounds and values of an option.
struct OptionFacts {
  std::string_view name;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  bool is_bytes = false;  // its texts need not be UTF-8
  std::vector<std::string_view> values = {};  // of a choice, by their numbers
};

// Calls visit(facts, member) for each option until it returns true; whether it did.
template <typename Visit>
bool visit_options(Options& options, const Visit& visit) {
  return visit(OptionFacts{"storage", 1u, 4096u}, options.storage) ||
         visit(OptionFacts{"log", 0u, 0u}, options.log) ||
         visit(OptionFacts{"driver", 0u, 0u}, options.driver) ||
         visit(OptionFacts{"clock", 0u, 0u}, options.clock) ||
         visit(OptionFacts{"random_source", 0u, 0u}, options.random_source) ||
         visit(OptionFacts{"seed", 0u, UINT64_MAX}, options.seed) ||
         visit(OptionFacts{"durability", 0u, 2u, false, {"automatic", "full", "normal"}}, options.durability) ||
         visit(OptionFacts{"brand", 1u, 32u}, options.brand) ||
         visit(OptionFacts{"busy", 0u, 1u, false, {"queue", "reject"}}, options.busy) ||
         visit(OptionFacts{"max_parallel_builds", 1u, 100000u}, options.max_parallel_builds) ||
         visit(OptionFacts{"max_parallel_deploys", 1u, 100000u}, options.max_parallel_deploys) ||
         visit(OptionFacts{"start_deadline", 1u, 31622400000u}, options.start_deadline) ||
         visit(OptionFacts{"step_deadline", 1u, 31622400000u}, options.step_deadline) ||
         visit(OptionFacts{"cancel_deadline", 1u, 31622400000u}, options.cancel_deadline) ||
         visit(OptionFacts{"history_kept", 20u, 4294967295u}, options.history_kept) ||
         visit(OptionFacts{"simulation", 0u, 1u}, options.simulation) ||
         visit(OptionFacts{"start", 1u, 253402300799999u}, options.start) ||
         visit(OptionFacts{"authentication", 0u, 1u, false, {"off", "required"}}, options.authentication) ||
         visit(OptionFacts{"rate_limit", 0u, 4294967294u}, options.rate_limit) ||
         visit(OptionFacts{"external_systems", 0u, 0u}, options.external_systems) ||
         visit(OptionFacts{"webhook_sender", 0u, 0u}, options.webhook_sender) ||
         visit(OptionFacts{"kubernetes_versions", 0u, 1000u}, options.kubernetes_versions) ||
         visit(OptionFacts{"webhook_allow", 0u, 1000u}, options.webhook_allow) ||
         visit(OptionFacts{"store", 0u, 0u}, options.store) ||
         visit(OptionFacts{"snapshot", 0u, 9223372036854775807u, true}, options.snapshot) ||
         visit(OptionFacts{"secret_key", 32u, 32u, true}, options.secret_key) ||
         visit(OptionFacts{"previous_secret_keys", 0u, 100u, true}, options.previous_secret_keys) ||
         visit(OptionFacts{"mmap_size", 0u, 2147418112u}, options.mmap_size) ||
         visit(OptionFacts{"require_cluster", 0u, 1u}, options.require_cluster) ||
         visit(OptionFacts{"catalogs", 0u, 1u, false, {"known", "open"}}, options.catalogs) ||
         visit(OptionFacts{"port_timeout", 1u, 31622400000u}, options.port_timeout) ||
         visit(OptionFacts{"role", 0u, 2u, false, {"both", "serve", "drive"}}, options.role) ||
         visit(OptionFacts{"lease_time", 100u, 3600000u}, options.lease_time) ||
         visit(OptionFacts{"platform_ips", 0u, 1000u}, options.platform_ips) ||
         visit(OptionFacts{"events_kept", 0u, 4294967295u}, options.events_kept) ||
         visit(OptionFacts{"events_kept_for", 0u, 3162240000000u}, options.events_kept_for) ||
         visit(OptionFacts{"engine_name", 0u, 64u}, options.engine_name) ||
         visit(OptionFacts{"max_parallel_steps", 0u, 1000000u}, options.max_parallel_steps) ||
         visit(OptionFacts{"max_parallel_steps_by_cluster", 0u, 1000000u}, options.max_parallel_steps_by_cluster) ||
         visit(OptionFacts{"max_parallel_steps_by_organization", 0u, 1000000u}, options.max_parallel_steps_by_organization) ||
         visit(OptionFacts{"billing", 0u, 1000u}, options.billing) ||
         visit(OptionFacts{"cron_clock_changes", 0u, 1u, false, {"kubernetes", "once"}}, options.cron_clock_changes) ||
         visit(OptionFacts{"time_zones", 0u, 67108864u, true}, options.time_zones) ||
         visit(OptionFacts{"log_writes", 0u, 2u, false, {"automatic", "gathered", "single"}}, options.log_writes) ||
         visit(OptionFacts{"secrets_key", 32u, 32u, true}, options.secrets_key) ||
         visit(OptionFacts{"aead", 0u, 0u}, options.aead) ||
         visit(OptionFacts{"releases_kept", 0u, 1000u}, options.releases_kept) ||
         visit(OptionFacts{"observe_interval", 0u, 31622400000u}, options.observe_interval) ||
         visit(OptionFacts{"schedules", 0u, 2u, false, {"automatic", "engine", "driver"}}, options.schedules);
}

namespace detail {

// Options as the library wants them, with what they point to.
class Given : private GivenLists {
 public:
  explicit Given(const Options& options);
  const orlop_options* options() const noexcept { return &options_; }
  using GivenLists::take_refusal;
  // The library has taken the ports over, and will release them.
  void let_go() noexcept {
    log_.let_go();
    driver_.let_go();
    clock_.let_go();
    random_source_.let_go();
    external_systems_.let_go();
    webhook_sender_.let_go();
  }

 private:
  Held<orlop_log, Log> log_;
  Held<orlop_driver, std::shared_ptr<Driver>> driver_;
  Held<orlop_clock, Clock> clock_;
  Held<orlop_random_source, RandomSource> random_source_;
  Held<orlop_external_systems, ExternalSystems> external_systems_;
  Held<orlop_webhook_sender, WebhookSender> webhook_sender_;
  std::string kubernetes_versions_;
  std::string webhook_allow_;
  std::string previous_secret_keys_;
  std::string platform_ips_;
  std::string billing_;
  orlop_options options_ = ORLOP_OPTIONS_INIT;
};

inline Given::Given(const Options& options) {
  options_.storage = text_of(options.storage);
  options_.log = log_.hold(options.log);
  options_.driver = driver_.hold(options.driver);
  options_.clock = clock_.hold(options.clock);
  options_.random_source = random_source_.hold(options.random_source);
  options_.seeded = options.seed ? 1 : 0;
  options_.seed = options.seed.value_or(0);
  options_.durability = options.durability;
  options_.brand = text_of(options.brand);
  options_.busy = options.busy;
  options_.max_parallel_builds = options.max_parallel_builds;
  options_.max_parallel_deploys = options.max_parallel_deploys;
  options_.start_deadline_ms = options.start_deadline.count();
  options_.step_deadline_ms = options.step_deadline.count();
  options_.cancel_deadline_ms = options.cancel_deadline.count();
  options_.history_kept = options.history_kept;
  options_.simulation = options.simulation ? 1 : 0;
  options_.start_ms = options.start.time_since_epoch().count();
  options_.authentication = options.authentication;
  options_.rate_limit = options.rate_limit.value_or(UINT32_MAX);
  options_.external_systems = external_systems_.hold(options.external_systems);
  options_.webhook_sender = webhook_sender_.hold(options.webhook_sender);
  options_.kubernetes_versions = text_of(kubernetes_versions_ = join_entries("kubernetes_versions", options.kubernetes_versions));
  options_.webhook_allow = text_of(webhook_allow_ = join_entries("webhook_allow", options.webhook_allow));
  options_.store = options.store;
  options_.snapshot = text_of(options.snapshot);
  options_.secret_key = text_of(options.secret_key);
  options_.previous_secret_keys = text_of(previous_secret_keys_ = concatenate_keys("previous_secret_keys", options.previous_secret_keys));
  options_.mmap_size = options.mmap_size;
  options_.require_cluster = options.require_cluster ? 1 : 0;
  options_.catalogs = options.catalogs;
  options_.port_timeout_ms = options.port_timeout.count();
  options_.role = options.role;
  options_.lease_time_ms = options.lease_time.count();
  options_.platform_ips = text_of(platform_ips_ = join_entries("platform_ips", options.platform_ips));
  options_.events_kept = options.events_kept;
  options_.events_kept_for_ms = options.events_kept_for.count();
  options_.engine_name = text_of(options.engine_name);
  options_.max_parallel_steps = options.max_parallel_steps;
  options_.max_parallel_steps_by_cluster = options.max_parallel_steps_by_cluster;
  options_.max_parallel_steps_by_organization = options.max_parallel_steps_by_organization;
  options_.billing = text_of(billing_ = join_entries("billing", options.billing));
  options_.cron_clock_changes = options.cron_clock_changes;
  options_.time_zones = text_of(options.time_zones);
  options_.log_writes = options.log_writes;
  options_.secrets_key = text_of(options.secrets_key);
  options_.aead = options.aead;
  options_.releases_kept = options.releases_kept.value_or(UINT32_MAX);
  options_.observe_interval_ms = options.observe_interval.count();
  options_.schedules = options.schedules;
}

}  // namespace detail

}  // namespace api
}  // namespace orlop

#endif
