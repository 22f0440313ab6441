#include "instance.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "guard.h"
#include "snapshot/snapshot.h"
#include "store/sqlite/copies/new_file.h"
#include "tables.h"

namespace orlop::c {

void Instance::bind_options(const ParsedOptions& parsed, EngineOptions& options) {
  options.clock = &system_clock_;
  options.random_source = &system_random_source_;
  scripted_driver_.set_decider(rules_);
  scripted_driver_.set_makes_releases(options.settings.releases_kept.value_or(0) != 0);
  options.driver = &scripted_driver_;
  options.is_driver_scripted = !parsed.driver;
  if (parsed.seed) options.random_source = &seeded_random_source_.emplace(*parsed.seed);
    // Sets each port of the host in the options of the engine.
#define ORLOP_BIND_opening(name) options.name = host_##name##_.get()
#define ORLOP_BIND_rules(name) options.settings.name = host_##name##_.get()
#define ORLOP_BIND_store(name) options.name = host_##name##_
#define ORLOP_BIND_keys(name) options.keys.name = host_##name##_.get()
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(group, name, Type, ...)                                                \
  if (parsed.name) {                                                                      \
    host_##name##_ = std::make_shared<Host##Type>(*parsed.name, this, reference_handle_); \
    ORLOP_BIND_##group(name);                                                             \
  }
#include "base/options/options.def"
  if (host_external_systems_) host_external_systems_->set_timeout(options.settings.port_timeout);
}

Result<void> Instance::start(const ParsedOptions& parsed, EngineOptions options, Simulator* origin) {
  if (parsed.simulation) {
    SimulationOptions given{std::move(options), *parsed.seed, host_driver_ ? nullptr : &rules_,
                            host_driver_ ? nullptr : &scripted_driver_, parsed.start};
    ORLOP_TRY(simulator, origin != nullptr ? origin->fork(std::move(given)) : Simulator::open(std::move(given)));
    simulator_ = std::move(simulator);
    if (host_external_systems_)
      host_external_systems_->set_pass([moving = simulator_.get()](Duration time) { return moving->pass(time); });
  } else {
    ORLOP_TRY(engine, Engine::open(std::move(options)));
    engine_ = std::move(engine);
  }
  engine().on_ready([this] { wakeup_.ring(); });
  engine().on_stored([this] { wakeup_.ring_for_events(); });
  return {};
}

Result<std::shared_ptr<Instance>> Instance::open(ParsedOptions parsed, Simulator* origin) {
  const NewSqliteFile new_file(parsed.store ? std::string_view() : parsed.engine.storage);
  std::shared_ptr<Instance> host(new Instance);
  host->hand_out_reference();
  host->bind_options(parsed, parsed.engine);
  const auto restored_events =
      parsed.engine.snapshot.empty() ? Result<std::uint64_t>(0) : events_in(parsed.engine.snapshot);
  const auto started = host->start(parsed, std::move(parsed.engine), origin);
  if (started) return host;
  new_file.remove(restored_events ? *restored_events : 0);
  return started.error();
}

Instance::~Instance() {
  if (reference_handle_ == nullptr) return;
  reference_->shut();
  (void)engine_references().take(reference_handle_);
}

void Instance::hand_out_reference() {
  reference_ = std::make_shared<EngineReference>(*this);
  reference_handle_ = engine_references().add(reference_);
}

bool Instance::add_handle() {
  std::uint32_t count = handles_.load();
  while (count != 0 && !handles_.compare_exchange_weak(count, count + 1)) continue;
  return count != 0;
}

void Instance::drop_handle() {
  if (--handles_ != 0) return wakeup_.interrupt();
  engine().close();
  reference_->shut();
  if (host_external_systems_) host_external_systems_->close();
  wakeup_.close();
  reference_->await_return();
}

void Instance::note_batch(std::thread::id thread) {
  const std::lock_guard lock(batch_mutex_);
  batch_threads_.push_back(thread);
  batch_count_ = static_cast<std::uint32_t>(batch_threads_.size());
}

void Instance::forget_batch(std::thread::id thread) {
  const std::lock_guard lock(batch_mutex_);
  std::erase(batch_threads_, thread);
  batch_count_ = static_cast<std::uint32_t>(batch_threads_.size());
}

bool Instance::has_batch(std::thread::id thread) {
  if (batch_count_ == 0) return false;
  const std::lock_guard lock(batch_mutex_);
  return std::ranges::find(batch_threads_, thread) != batch_threads_.end();
}

Result<bool> Instance::tick_until(const std::function<Result<bool>()>& is_over, bool with_events,
                                  std::optional<Duration> timeout) {
  const std::int64_t begin = steady_time().milliseconds;
  while (true) {
    ORLOP_TRY(wanted, tick());
    // Read the last event before is_over(): an event that is stored later then ends the wait.
    ORLOP_TRY(last, with_events ? engine().last_event() : Result<std::uint64_t>(0));
    ORLOP_TRY(has_come, is_over());
    if (has_come) return true;
    std::optional<Duration> pause =
        wanted ? std::optional(Duration{std::max<std::int64_t>((*wanted - engine().now()).milliseconds, 0)})
               : std::nullopt;
    if (timeout) {
      const std::int64_t left = timeout->milliseconds - (steady_time().milliseconds - begin);
      if (left <= 0) return false;
      pause = Duration{std::min(left, pause ? pause->milliseconds : left)};
    }
    const Wakeup::Found found = wakeup_.wait(engine(), {true, with_events ? std::optional(last) : std::nullopt}, pause);
    if (with_events && found.is_interrupted) return false;
  }
}

Result<bool> Instance::wait_ended(const Id& request, std::optional<Duration> timeout) {
  return tick_until([&] { return engine().has_ended(request); }, true, timeout);
}

Result<bool> Instance::drain(std::optional<Duration> timeout, bool leaves_steps) {
  engine().leave(false);
  ORLOP_TRY(has_left, tick_until([&]() -> Result<bool> { return engine().has_left(); }, false, timeout));
  if (has_left) return true;
  if (!leaves_steps) return false;
  engine().leave(true);
  ORLOP_TRY(wanted, tick());
  (void)wanted;
  return false;
}

void Instance::own_callbacks() {
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(group, name, ...) \
  if (host_##name##_) host_##name##_->own();
#include "base/options/options.def"
}

void Instance::log(LogLevel level, std::string_view message) {
  if (host_log_) host_log_->write(level, message);
}

Result<Simulator*> Instance::simulator() {
  if (!simulator_) return misuse("this engine is not a simulation: it was opened without options.simulation");
  return simulator_.get();
}

Result<RuleSet*> Instance::rules() {
  if (host_driver_) return misuse("rules are for the scripted driver, and this engine has one of its host's");
  return &rules_;
}

Result<Reply> Instance::dispatch(const Request& request) {
  return simulator_ ? simulator_->dispatch(request) : engine_->dispatch(request);
}

Result<std::string> Instance::snapshot(std::string_view secrets_key) {
  return simulator_ ? simulator_->snapshot(PlainSecrets::left_out, secrets_key)
                    : engine_->snapshot(PlainSecrets::left_out, secrets_key);
}

Result<ScriptedExternalSystems*> Instance::scripted_external_systems() {
  ORLOP_TRY(simulator, this->simulator());
  if (host_external_systems_)
    return misuse("rules of external systems are for the scripted ones, and this engine has those of its host");
  return &simulator->external_systems();
}

Result<HostExternalSystems*> Instance::external_systems() {
  if (!host_external_systems_)
    return misuse("this engine was opened without options.external_systems, and asks nothing");
  return host_external_systems_.get();
}

Result<ScriptedWebhookSender*> Instance::scripted_webhook_sender() {
  ORLOP_TRY(simulator, this->simulator());
  if (host_webhook_sender_)
    return misuse("receivers are for the scripted webhook sender, and this engine has one of its host's");
  return &simulator->webhook_sender();
}

namespace {

Error was_closed() { return make_error(ErrorCode::closed, "the engine was closed before this call"); }

Result<std::shared_ptr<Instance>> find_host(const orlop_engine* handle) {
  if (!EngineReferenceTable::has_tag(handle)) return engines().find(handle);
  ORLOP_TRY(reference, engine_references().find(handle));
  auto host = reference->borrow();
  if (!host) return was_closed();
  return host;
}

}  // namespace

Result<std::shared_ptr<Instance>> host_of(const orlop_engine* handle, CalledFrom lawful) {
  ORLOP_TRY(host, find_host(handle));
  if (lawful != CalledFrom::driver && host->has_batch(std::this_thread::get_id())) {
    return misuse("this thread has an open batch of the engine: send the request to the batch, or end the batch first");
  }
  switch (Inside::of(host.get())) {
    case Callback::none: break;
    case Callback::driver:
      if (lawful == CalledFrom::driver) break;
      return misuse(
          "a driver's callback may only report, interrupt and ask for the time; let another thread do the rest");
    case Callback::store: return misuse("a store must not call the engine that it belongs to");
    case Callback::source: return misuse("a clock, a random source or an AEAD must not call the engine that asks it");
    case Callback::listener: return misuse("a port that is only informed, such as a log, must not call the engine");
    case Callback::port:
      if (lawful == CalledFrom::driver) break;
      return misuse(
          "a port may only answer questions, report deliveries and ask for the time; let another thread do the rest");
  }
  return host;
}

}  // namespace orlop::c
