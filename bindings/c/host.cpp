#include "host.h"

#include <utility>

#include "guard.h"
#include "tables.h"

namespace orlop::c {

void Host::stand_on(const Opening& opening, EngineOptions& options) {
  if (opening.log) options.log = &host_log_.emplace(*opening.log, this);
  options.clock = &system_clock_;
  options.entropy = &system_entropy_;
  options.driver = &scripted_driver_;
  if (opening.clock) options.clock = &host_clock_.emplace(*opening.clock, this);
  if (opening.entropy) options.entropy = &host_entropy_.emplace(*opening.entropy, this);
  if (opening.is_seeded) options.entropy = &seeded_entropy_.emplace(opening.seed);
  if (opening.driver) options.driver = &host_driver_.emplace(*opening.driver, this, reference_handle_);
  if (opening.verifier) options.settings.verifier = &host_verifier_.emplace(*opening.verifier, this);
  if (opening.judge) options.settings.judge = &host_judge_.emplace(*opening.judge, this);
  if (opening.git_host) options.settings.git_host = &host_git_host_.emplace(*opening.git_host, this);
  if (opening.courier) options.settings.courier = &host_courier_.emplace(*opening.courier, this, reference_handle_);
  if (opening.store) options.store = host_store_ = std::make_shared<HostStore>(*opening.store, this);
}

Result<void> Host::start(const Opening& opening, EngineOptions options) {
  if (opening.is_simulation) {
    ORLOP_TRY(simulator, Simulator::open({std::move(options), opening.seed, opening.start}));
    simulator_ = std::move(simulator);
  } else {
    ORLOP_TRY(engine, Engine::open(std::move(options)));
    engine_ = std::move(engine);
  }
  engine().on_ready([this] { bell_.ring(); });
  engine().on_stored([this] { bell_.ring_for_events(); });
  return {};
}

Result<std::shared_ptr<Host>> Host::open(Opening opening) {
  std::shared_ptr<Host> host(new Host);
  host->hand_out_reference();
  host->stand_on(opening, opening.engine);
  ORLOP_CHECK(host->start(opening, std::move(opening.engine)));
  return host;
}

Host::~Host() {
  if (reference_handle_ == nullptr) return;
  reference_->shut();
  (void)engine_references().take(reference_handle_);
}

void Host::hand_out_reference() {
  reference_ = std::make_shared<EngineReference>(*this);
  reference_handle_ = engine_references().add(reference_);
}

bool Host::add_handle() {
  std::uint32_t count = handles_.load();
  while (count != 0 && !handles_.compare_exchange_weak(count, count + 1)) continue;
  return count != 0;
}

void Host::drop_handle() {
  if (--handles_ != 0) return bell_.interrupt();
  reference_->shut();
  bell_.close();
  reference_->await_return();
}

void Host::own_callbacks() {
  if (host_log_) host_log_->own();
  if (host_clock_) host_clock_->own();
  if (host_entropy_) host_entropy_->own();
  if (host_driver_) host_driver_->own();
  if (host_verifier_) host_verifier_->own();
  if (host_judge_) host_judge_->own();
  if (host_git_host_) host_git_host_->own();
  if (host_courier_) host_courier_->own();
  if (host_store_) host_store_->own();
}

void Host::log(LogLevel level, std::string_view message) {
  if (host_log_) host_log_->write(level, message);
}

Result<Simulator*> Host::simulator() {
  if (!simulator_) return misuse("this engine is no simulation: it was opened without options.simulation");
  return simulator_.get();
}

Result<ScriptedDriver*> Host::script() {
  if (host_driver_) return misuse("rules are for the scripted driver, and this engine has one of its host's");
  return &scripted_driver_;
}

Result<ScriptedGitHost*> Host::scripted_git_host() {
  ORLOP_TRY(simulator, this->simulator());
  if (host_git_host_) return misuse("hooks are for the scripted git host, and this engine has one of its host's");
  return &simulator->git_host();
}

Result<ScriptedCourier*> Host::scripted_courier() {
  ORLOP_TRY(simulator, this->simulator());
  if (host_courier_) return misuse("receivers are for the scripted courier, and this engine has one of its host's");
  return &simulator->courier();
}

namespace {

Error was_closed() { return make_error(ErrorCode::closed, "the engine was closed before this call"); }

Result<std::shared_ptr<Host>> find_host(const orlop_engine* handle) {
  if (!EngineReferenceTable::has_tag(handle)) return engines().find(handle);
  ORLOP_TRY(reference, engine_references().find(handle));
  auto host = reference->borrow();
  if (!host) return was_closed();
  return host;
}

}  // namespace

Result<std::shared_ptr<Host>> host_of(const orlop_engine* handle, CalledFrom lawful) {
  ORLOP_TRY(host, find_host(handle));
  switch (Inside::of(host.get())) {
    case Callback::none:
      break;
    case Callback::driver:
      if (lawful == CalledFrom::driver) break;
      return misuse("a driver's callback may only report, interrupt and ask for the time; let another thread do the rest");
    case Callback::store:
      return misuse("a store must not call the engine that it belongs to");
    case Callback::source:
      return misuse("a clock or a source of chance must not call the engine that asks it");
    case Callback::log:
      return misuse("a log must not call the engine that writes to it");
    case Callback::port:
      if (lawful == CalledFrom::driver) break;
      return misuse("a port may only ask the engine for the time and tell of deliveries; let another thread do the rest");
  }
  return host;
}

}  // namespace orlop::c
