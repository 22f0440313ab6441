// An opened engine with its clock, random source, driver and ports, and the wakeup of waiting threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "deploy/driver/scripted_driver.h"
#include "engine.h"
#include "engine_reference.h"
#include "options/options.h"
#include "orlop/orlop.h"
#include "ports/callbacks.h"
#include "ports/external_systems.h"
#include "ports/ports.h"
#include "ports/system_sources.h"
#include "sim/rules/rule_set.h"
#include "sim/seeded_random_source.h"
#include "sim/simulator.h"
#include "storage/host_store.h"
#include "wakeup.h"

namespace orlop::c {

class Instance : public std::enable_shared_from_this<Instance> {
 public:
  // Opens an engine; with an `origin`, a fork of that simulation. Errors: those of Engine::open and Simulator::fork.
  static Result<std::shared_ptr<Instance>> open(ParsedOptions parsed, Simulator* origin = nullptr);
  ~Instance();

  // Takes ownership of the host's callbacks, which are then released with this. If opening fails before, the host keeps
  // them.
  void own_callbacks();

  // Counts one more handle. Returns false if the last one was closed: the engine then gets no further handle.
  bool add_handle();
  // Counts one handle less. The last one ends all waits, shuts the reference of driver and webhook sender, and returns
  // when no call through that reference is running.
  void drop_handle();

  bool has_handles() const { return handles_ != 0; }

  // Record the threads that have an open batch, at most one each. Safe on every thread.
  void note_batch(std::thread::id thread);
  void forget_batch(std::thread::id thread);
  bool has_batch(std::thread::id thread);

  Engine& engine() { return simulator_ ? simulator_->engine() : *engine_; }
  Wakeup& wakeup() { return wakeup_; }
  // As orlop_drain with `leaves_steps`, else as orlop_begin_drain. Errors: those of a tick.
  Result<bool> drain(std::optional<Duration> timeout, bool leaves_steps);
  // As orlop_wait_ended. Errors: those of a tick; not_found.
  Result<bool> wait_ended(const Id& request, std::optional<Duration> timeout);
  // Writes to the host's log, if it has one.
  void log(LogLevel level, std::string_view message);
  // As the functions of Simulator, or of Engine.
  Result<std::optional<Instant>> tick() { return simulator_ ? simulator_->tick() : engine_->tick(); }
  Result<Reply> dispatch(const Request& request);
  Result<std::string> snapshot(std::string_view secrets_key = {});
  // Error misuse: simulator() if this is not a simulation; rules() if the driver is the host's.
  Result<Simulator*> simulator();
  Result<RuleSet*> rules();
  // Error misuse: this is not a simulation, or the port is the host's.
  Result<ScriptedExternalSystems*> scripted_external_systems();
  Result<ScriptedWebhookSender*> scripted_webhook_sender();
  // Error misuse: the host has none.
  Result<HostExternalSystems*> external_systems();

 private:
  Instance() = default;
  // Ticks and sleeps until `is_over`, and returns true. Returns false when `timeout` has passed, or, if the wait is
  // also for events, when it was interrupted.
  Result<bool> tick_until(const std::function<Result<bool>()>& is_over, bool with_events,
                          std::optional<Duration> timeout);
  void hand_out_reference();
  void bind_options(const ParsedOptions& parsed, EngineOptions& options);
  Result<void> start(const ParsedOptions& parsed, EngineOptions options, Simulator* origin);

  std::atomic<std::uint32_t> handles_ = 1;
  std::atomic<std::uint32_t> batch_count_ = 0;
  std::mutex batch_mutex_;  // guards batch_threads_
  std::vector<std::thread::id> batch_threads_;
  std::shared_ptr<EngineReference> reference_;
  orlop_engine* reference_handle_ = nullptr;
  Wakeup wakeup_;
  SystemClock system_clock_;
  SystemRandomSource system_random_source_;
  ScriptedDriver scripted_driver_;
  RuleSet rules_;
  std::optional<SeededRandomSource> seeded_random_source_;
  // std::shared_ptr<HostLog> host_log_; and so on.
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(group, name, Type, ...) std::shared_ptr<Host##Type> host_##name##_;
#include "base/options/options.def"
  // One of the two is set. Last members, because they use the others until they are destroyed.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Simulator> simulator_;
};

// Callers from which a function may be called.
enum class CalledFrom : std::uint8_t {
  outside,  // only outside of callbacks of this engine, on a thread without an open batch of it
  driver,   // also inside callbacks of its driver and ports
};

// Checks the maximum of events of one call. Errors: misuse.
Result<void> check_event_limit(std::uint32_t limit);

// Returns the instance of a handle. Errors: misuse, closed, foreign_handle.
Result<std::shared_ptr<Instance>> host_of(const orlop_engine* handle, CalledFrom lawful = CalledFrom::outside);

}  // namespace orlop::c
