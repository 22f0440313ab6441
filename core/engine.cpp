#include "engine.h"

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "base/text/utf8.h"
#include "catalogs/time_zone.h"
#include "deploy/driver/report_bounds.h"
#include "deploy/request/deployment_request.h"
#include "describe/openapi/openapi.h"
#include "endpoints/billing/parts/limits_of_plan.h"
#include "endpoints/billing/parts/metering.h"
#include "endpoints/operation_registry.h"
#include "feed/consumers.h"
#include "observations/observation_records.h"
#include "rest/feed/event_json.h"
#include "rest/feed/event_query.h"
#include "rest/feed/event_routes.h"
#include "rest/request_batch.h"
#include "snapshot/encrypted_secrets.h"
#include "snapshot/snapshot.h"
#include "webhooks/outbox.h"

namespace orlop {
namespace {

Result<void> finish(Unit& unit) {
  ORLOP_CHECK(fill_outbox(unit));
  return meter_usage(unit);
}

EngineOptions with_scripted_driver(EngineOptions options) {
  options.is_driver_scripted = options.is_driver_scripted || options.driver == nullptr;
  options.settings.is_driver_scripted = options.is_driver_scripted;
  Schedules& schedules = options.settings.schedules;
  if (schedules == Schedules::automatic) schedules = options.is_driver_scripted ? Schedules::engine : Schedules::driver;
  constexpr std::uint32_t usual_releases = 20;
  if (!options.settings.releases_kept) options.settings.releases_kept = options.is_driver_scripted ? 0 : usual_releases;
  return options;
}

constexpr Hooks all_hooks = {after_create, touch, touch, finish, when_due, when_answered, require_room};

}  // namespace

Engine::Engine(EngineOptions options, std::shared_ptr<Store> resting, std::shared_ptr<Store> store, bool is_alone)
    : options_(with_scripted_driver(std::move(options))),
      resting_(std::move(resting)),
      store_(std::move(store)),
      agreed_time_(*options_.clock),
      committer_(*store_, *options_.clock, *options_.random_source, options_.settings, all_hooks),
      jobs_(committer_, [this](std::span<const WakeUp> owners) { wake(owners); }),
      dispatcher_(
          *store_, committer_, *options_.clock, *options_.random_source, options_.settings,
          [this](std::span<const WakeUp> owners) { wake(owners); }, [this](const Id& job) { jobs_.finish(job); },
          [this] { return description(); }),
      orchestrator_(options_.driver == nullptr ? scripted_ : *options_.driver, options_.settings,
                    options_.settings.schedules == Schedules::engine),
      retention_(options_.settings),
      report_sealing_(options_.keys),
      ownership_(*resting_, *options_.clock, *options_.random_source,
                 {options_.role, !options_.is_driver_scripted, is_alone, options_.lease_time}, [this] { ring(); }) {
  scripted_.set_makes_releases(options_.settings.releases_kept != 0);
  committer_.use_agreed_time(agreed_time_);
  if (!is_alone) dispatcher_.share_rate_limit();
  if (!is_alone) {
    committer_.on_leaving([this](Coordination& coordination, std::uint8_t partition) {
      return ownership_.holds(coordination, partition);
    });
  }
  committer_.on_stored([this](std::uint64_t last) { note_stored(last); });
  committer_.on_begun([this](std::span<const Job> jobs) { begin(jobs); });
  if (options_.settings.webhook_sender == nullptr) return;
  notifier_.emplace(*options_.settings.webhook_sender);
  committer_.on_posted([this](std::span<const WakeUp> deliveries) { post(deliveries); });
}

Engine::~Engine() { ownership_.part(); }

Result<void> Engine::prepare() {
  ORLOP_CHECK(jobs_.prepare(*store_));
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_CHECK(agreed_time_.at(*transaction));  // must precede this engine's first event (AgreedTime::has_begun)
  if (transaction->coordination() != nullptr && !ownership_.is_alone())
    return jobs_.recover(*transaction, PartitionSet());
  transaction.reset();
  return tend();
}

void Engine::remember(std::vector<WakeUp>& among, std::span<const WakeUp> work) noexcept {
  try {
    const std::lock_guard lock(inbox_mutex_);
    among.insert(among.end(), work.begin(), work.end());
    has_inbox_ = true;
  } catch (const std::bad_alloc&) {
    must_recover_ = true;  // then a tick finds them in the store
  }
  ring();
}

void Engine::note_stored(std::uint64_t last) {
  std::uint64_t before = last_stored_event_;
  while (before < last && !last_stored_event_.compare_exchange_weak(before, last)) continue;
  if (on_stored_) on_stored_();
}

void Engine::log_resumed() {
  const std::size_t resumed = orchestrator_.steps_under_way();
  if (resumed != 0)
    log(LogLevel::info, std::to_string(resumed) +
                            " steps were under way when the store was last used; the driver is asked for them again");
}

void Engine::log_mended() {
  const std::size_t mended = orchestrator_.take_mended();
  if (mended != 0)
    log(LogLevel::warning,
        std::to_string(mended) + " resources that an earlier fault had left under way were repaired");
}

void Engine::begin(std::span<const Job> jobs) noexcept {
  jobs_.take(jobs);
  if (on_ready_) on_ready_();
}

// The description never changes, so it is made once, at the first request for it.
const std::string& Engine::description() {
  std::call_once(described_, [this] { description_ = openapi(options_.settings.brand); });
  return description_;
}

namespace {

Error lost_step(const Id& step) {
  return make_error(ErrorCode::step_lost,
                    "another engine has taken over the step " + to_text(step) + " and executes it: stop working on it");
}

Error unknown_step(const Id& step) {
  return make_error(ErrorCode::not_found, "this engine does not know the step " + to_text(step) +
                                              ": it does not run here, and is not one of the last that ended here");
}

}  // namespace

Result<void> Engine::report(Report report) {
  const bool is_running_state = report.kind == ReportKind::running_state;
  // Only the machine of a service says which partition it is in, so the next tick looks it up. An engine without
  // partitions may never tick: its report is stored.
  const bool is_ours = is_running_state ? ownership_.is_alone() || !ownership_.read().empty()
                                        : orchestrator_.known_steps().knows(report.step);
  if (!is_ours && ownership_.is_alone()) return unknown_step(report.step);
  if (is_running_state) {
    ORLOP_TRY(observation, checked_observation(report.text));
    report.text = std::move(observation);
  }
  keep_as_received(report);
  // If this engine was suspended, another one may have taken over the step and asked its driver for it before this
  // report came. It will not ask again, so the report is stored for it.
  if (!is_ours || ownership_.may_have_lost()) {
    auto left = leave_report(report);
    if (!is_ours || left || left.error().code != ErrorCode::not_found) return left;
  }
  {
    const std::lock_guard lock(inbox_mutex_);
    reports_.push_back(std::move(report));
    has_inbox_ = true;
  }
  ring();
  return {};
}

// Stores the report for the engine that holds the step's partition. Errors: not_found (this engine holds it, and knows
// no such step), step_lost (this engine has run the step, and another one holds the partition now), those of the store.
Result<void> Engine::leave_report(const Report& report) {
  std::uint8_t partition = partition_of_step(report.step);
  ORLOP_TRY(transaction, resting_->begin(Access::write));
  Coordination* const coordination = transaction->coordination();
  if (coordination == nullptr) return unknown_step(report.step);
  if (report.kind == ReportKind::running_state) {
    ORLOP_TRY(machine, transaction->machine(report.step));
    if (!machine) return {};
    partition = machine->partition;
  } else if (ownership_.read().contains(partition)) {
    ORLOP_TRY(is_ours, ownership_.holds(*coordination, partition));
    if (is_ours) return unknown_step(report.step);
  }
  if (orchestrator_.known_steps().has_run(report.step)) {
    ORLOP_TRY(of_others, ownership_.of_others(*coordination));
    if (of_others.contains(partition)) return lost_step(report.step);
  }
  Changes changes;
  std::string text = report.left_out == 0 ? report.text : bounded_text(report.text, received_size_max, report.left_out);
  changes.coordination.reports.push_back({0, partition, report.step, now(), static_cast<std::uint8_t>(report.kind),
                                          static_cast<std::uint8_t>(report.running), std::move(text)});
  ORLOP_CHECK(report_sealing_.seal(changes.coordination.reports.back()));
  return transaction->apply_and_commit(std::move(changes));
}

Result<void> Engine::leave_orphans() {
  while (!orphans_.empty()) {
    const auto left = leave_report(orphans_.back());
    if (!left && left.error().code != ErrorCode::not_found && left.error().code != ErrorCode::step_lost) return left;
    orphans_.pop_back();
  }
  return {};
}

void Engine::report_delivery(DeliveryReport report) {
  if (!is_utf8(report.text)) report.text = to_utf8(report.text);
  {
    const std::lock_guard lock(inbox_mutex_);
    deliveries_.push_back(std::move(report));
    has_inbox_ = true;
  }
  if (on_ready_) on_ready_();
}

bool Engine::is_ready() { return must_recover_ || has_inbox_ || jobs_.has_work() || ownership_.is_told(); }

bool Engine::look(bool for_events) {
  const bool is_told = ownership_.look();
  if (for_events) {
    if (const auto last = last_event(); last && *last > last_stored_event_) note_stored(*last);
  }
  return is_told || is_ready();
}

void Engine::leave(bool is_forced) {
  {
    const std::lock_guard tick_lock(tick_mutex_);
    orchestrator_.withhold();
    ownership_.leave(is_forced);
  }
  ring();
}

bool Engine::has_left() {
  const std::lock_guard tick_lock(tick_mutex_);
  return ownership_.is_alone() ? orchestrator_.busy().empty() : ownership_.held().empty();
}

void Engine::close() noexcept {
  try {
    const std::unique_lock tick_lock(tick_mutex_, std::try_to_lock);
    if (!tick_lock || ownership_.is_alone() || ownership_.held().empty()) return;
    ownership_.leave(true);
    (void)ownership_.tend(PartitionSet());
  } catch (const std::bad_alloc&) {
    return;  // the other engines take over when the leases expire
  }
}

Result<void> Engine::perform(const std::function<Result<void>(Unit& unit)>& work) {
  ORLOP_TRY(woken, committer_.run(work));
  wake(woken);
  return {};
}

Result<void> Engine::perform_for_host(const std::function<Result<void>(Unit& unit)>& work) {
  ORLOP_TRY(woken, committer_.run_for_host(work));
  wake(woken);
  return {};
}

Result<std::string> Engine::events(const EventRange& range) {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  Writer out;
  out.begin_list();
  ORLOP_CHECK(transaction->events(range, [&out](const Event& event) {
    write_event(out, event);
    return true;
  }));
  out.end_list();
  return std::move(out).take();
}

Result<EventPage> Engine::read_events(const EventQuery& query) {
  ORLOP_CHECK(check_kinds(query.kinds));
  ORLOP_TRY(transaction, store_->begin(Access::read));
  return read_page(*transaction, query);
}

namespace {

// Runs `act` in a separate commit and returns its result.
template <typename Made, typename Act>
Result<Made> made_in_commit(Committer& committer, const Act& act) {
  Made made;
  const auto done = committer.run([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(result, act(unit));
    made = std::move(result);
    return {};
  });
  if (!done) return done.error();
  return made;
}

}  // namespace

Result<EventConsumer> Engine::register_consumer(std::string_view name) {
  return made_in_commit<EventConsumer>(committer_, [&](Unit& unit) { return orlop::register_consumer(unit, name); });
}

Result<EventConsumer> Engine::acknowledge_events(std::string_view name, std::uint64_t number) {
  return made_in_commit<EventConsumer>(committer_,
                                       [&](Unit& unit) { return orlop::acknowledge_events(unit, name, number); });
}

Result<void> Engine::unregister_consumer(std::string_view name) {
  const auto done = committer_.run([&](Unit& unit) { return orlop::unregister_consumer(unit, name); });
  return done ? Result<void>() : Result<void>(done.error());
}

Result<std::vector<EventConsumer>> Engine::consumers() {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  Unit unit(*transaction, *options_.random_source, {}, now(), options_.settings);
  return all_consumers(unit);
}

Result<std::uint64_t> Engine::last_event() {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(end, transaction->feed_end());
  return end.sequence;
}

Result<std::string> Engine::snapshot(PlainSecrets plain, std::string_view secrets_key) {
  if (!secrets_key.empty()) ORLOP_CHECK(require_aead(options_.keys.aead));
  ORLOP_TRY(transaction, (secrets_key.empty() ? resting_ : store_)->begin(Access::read));
  ORLOP_TRY(end, transaction->feed_end());
  std::optional<SnapshotCipher> cipher;
  if (!secrets_key.empty()) cipher.emplace(secrets_key, options_.keys.aead);
  return take_snapshot(*transaction, end.sequence == 0 ? now() : std::max(now(), end.at), plain,
                       cipher ? &*cipher : nullptr);
}

void Engine::log_missing(std::uint64_t secrets) {
  if (secrets == 0) return;
  log(LogLevel::warning, std::to_string(secrets) + (secrets == 1 ? " secret is" : " secrets are") +
                             " missing: the snapshot was taken without a key. A step that needs one fails until it is "
                             "set again; check lists them");
}

namespace {

// Returns the store that the options name; opens it unless the host has given one.
Result<std::shared_ptr<Store>> store_of(EngineOptions& options) {
  if (options.store != nullptr) return std::move(options.store);
  ORLOP_TRY(opened, open_store(options.storage, options.durability, options.mmap_size, options.log_writes));
  return std::shared_ptr<Store>(std::move(opened));
}

// Restores a snapshot whose secrets are encrypted with `key`. Seals the store first if the options have a key, so that
// no secret is ever stored unencrypted.
Result<std::uint64_t> restore_encrypted(const std::shared_ptr<Store>& resting, const EngineOptions& options,
                                        std::string_view key) {
  ORLOP_CHECK(require_aead(options.keys.aead));
  ORLOP_TRY(was_sealed, has_seal(*resting));
  if (!was_sealed) ORLOP_CHECK(require_empty(*resting));
  ORLOP_TRY(store, seal_store(resting, options.keys, *options.random_source));
  const SnapshotCipher cipher(key, options.keys.aead);
  auto missing = restore_snapshot(*store, options.snapshot, PlainSecrets::left_out, &cipher);
  if (!missing && !was_sealed && store != resting) ORLOP_CHECK(take_seal_off(*resting));
  return missing;
}

// Restores the snapshot of the options, if there is one. Returns the number of secrets that it omitted.
Result<std::uint64_t> restore_from(const std::shared_ptr<Store>& resting, const EngineOptions& options) {
  if (options.snapshot.empty()) {
    if (options.secrets_key.empty()) return std::uint64_t{0};
    return make_error(ErrorCode::misuse, "secrets_key is the key of a snapshot, and there is none");
  }
  std::vector<std::string> keys = {options.secrets_key, options.keys.current};
  keys.insert(keys.end(), options.keys.previous.begin(), options.keys.previous.end());
  ORLOP_TRY(key, key_of_snapshot(options.snapshot, keys));
  if (key != nullptr) return restore_encrypted(resting, options, *key);
  const auto opens = [&options](Transaction& restored) { return require_key(restored, options.keys); };
  if (options.secrets_key.empty())
    return restore_snapshot(*resting, options.snapshot, options.plain_secrets, {}, opens);
  return make_error(ErrorCode::misuse, "secrets_key must be left out: the snapshot was taken without such a key");
}

Result<void> take_zones(EngineOptions& options) {
  if (options.time_zones.empty()) return {};
  auto zones = TimeZones::read(std::exchange(options.time_zones, {}));
  if (!zones) return make_error(ErrorCode::misuse, "time_zones " + zones.error().message);
  options.settings.zones = std::move(*zones);
  return {};
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(EngineOptions options) {
  if (options.clock == nullptr || options.random_source == nullptr) {
    return make_error(ErrorCode::misuse, "an engine needs a clock and a random source");
  }
  const bool is_alone = options.store == nullptr && options.storage == "memory:";
  ORLOP_CHECK(take_zones(options));  // before a snapshot is restored
  ORLOP_TRY(resting, store_of(options));
  const auto restored = restore_from(resting, options);
  if (!restored && restored.error().code == ErrorCode::storage_failed)
    return make_error(ErrorCode::storage_failed, "the snapshot cannot be restored: " + restored.error().message);
  ORLOP_TRY(missing, restored);
  options.snapshot = {};
  options.secrets_key.clear();
  ORLOP_TRY(engine, open_on(std::move(resting), is_alone, std::move(options)));
  engine->log_missing(missing);
  return std::move(engine);
}

Result<std::unique_ptr<Engine>> Engine::open_on(std::shared_ptr<Store> resting, bool is_alone, EngineOptions options) {
  ORLOP_CHECK(take_zones(options));
  ORLOP_TRY(store, seal_store(resting, options.keys, *options.random_source));
  const std::vector<std::string> remarks = resting->remarks();
  std::unique_ptr<Engine> engine(new Engine(std::move(options), std::move(resting), std::move(store), is_alone));
  ORLOP_CHECK(engine->prepare());
  for (const std::string& remark : remarks) engine->log(LogLevel::info, remark);
  return engine;
}

Result<Reply> Engine::dispatch(const Request& request) { return dispatcher_.dispatch(request); }
Result<std::optional<Reply>> Engine::authenticate(const Request& request) { return dispatcher_.authenticate(request); }
Result<std::unique_ptr<RequestBatch>> Engine::begin_batch() { return dispatcher_.begin_batch(); }

std::optional<Instant> Engine::work_due() const {
  const std::lock_guard lock(tick_mutex_);
  return work_due_;
}

bool Engine::is_ticking_here() const { return ticking_ == this; }
bool Engine::is_shared() const { return !ownership_.is_alone(); }
void Engine::on_ready(std::function<void()> listener) { on_ready_ = std::move(listener); }
void Engine::on_stored(std::function<void()> listener) { on_stored_ = std::move(listener); }
Result<std::uint64_t> Engine::forget_events(std::uint64_t through) { return orlop::forget_events(committer_, through); }
void Engine::record_events(std::uint32_t kinds, bool keeps_counts) { committer_.record_events(kinds, keeps_counts); }
std::uint32_t Engine::ids_given() const { return committer_.ids_given(); }
void Engine::skip_ids(std::uint32_t count) { committer_.set_ids_given(std::max(count, committer_.ids_given())); }
std::uint64_t Engine::last_stored_event() const { return last_stored_event_; }
Instant Engine::now() { return options_.clock->now(); }

void Engine::log(LogLevel level, const std::string& message) {
  if (options_.log != nullptr) options_.log->write(level, message);
}

}  // namespace orlop
