// One opened engine together with what it uses: clock, random source, driver, ports, and the wakeup of its threads.
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
  // With an `origin` a simulation that goes on from its state. Errors: those of Engine::open, and of Simulator::fork.
  static Result<std::shared_ptr<Instance>> open(ParsedOptions parsed, Simulator* origin = nullptr);
  ~Instance();

  // From here on the host's callbacks are released with this; before, a failure to open leaves them to the host.
  void own_callbacks();

  // A handle more, one less. False: the last one was closed, and there will be no other.
  bool add_handle();
  // Closing the last one ends all waits, shuts the reference that driver and webhook sender hold, and returns when no
  // call is inside by it.
  void drop_handle();

  bool has_handles() const { return handles_ != 0; }

  // The threads that have an open batch, each at most one. Safe on every thread.
  void note_batch(std::thread::id thread);
  void forget_batch(std::thread::id thread);
  bool has_batch(std::thread::id thread);

  Engine& engine() { return simulator_ ? simulator_->engine() : *engine_; }
  Wakeup& wakeup() { return wakeup_; }
  // As orlop_drain; as orlop_begin_drain if it does not leave running steps to others. Errors: those of a tick.
  Result<bool> drain(std::optional<Duration> timeout, bool leaves_steps);
  // As orlop_wait_ended. Errors: those of a tick; not_found.
  Result<bool> wait_ended(const Id& request, std::optional<Duration> timeout);
  // Writes to the host's log, if it gave one.
  void log(LogLevel level, std::string_view message);
  // As Simulator::tick, dispatch and snapshot, or Engine's.
  Result<std::optional<Instant>> tick() { return simulator_ ? simulator_->tick() : engine_->tick(); }
  Result<Reply> dispatch(const Request& request);
  Result<std::string> snapshot(std::string_view secrets_key = {});
  // Error misuse: this is no simulation; the driver is the host's.
  Result<Simulator*> simulator();
  Result<RuleSet*> rules();
  // Error misuse: this is no simulation; the port is the host's.
  Result<ScriptedExternalSystems*> scripted_external_systems();
  Result<ScriptedWebhookSender*> scripted_webhook_sender();
  // Error misuse: the host gave none.
  Result<HostExternalSystems*> external_systems();

 private:
  Instance() = default;
  // Ticks and sleeps until `is_over`: true. False: the time has passed, or an interruption if the wait is also for
  // events.
  Result<bool> tick_until(const std::function<Result<bool>()>& is_over, bool with_events,
                          std::optional<Duration> timeout);
  void hand_out_reference();
  void bind_options(const ParsedOptions& parsed, EngineOptions& options);
  Result<void> start(const ParsedOptions& parsed, EngineOptions options, Simulator* origin);

  std::atomic<std::uint32_t> handles_ = 1;
  std::atomic<std::uint32_t> batch_count_ = 0;
  std::mutex batch_mutex_;  // guards the one below
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
  // Last: they use the others until they are gone. One of the two.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Simulator> simulator_;
};

// From where a call is lawful.
enum class CalledFrom : std::uint8_t {
  outside,  // only outside this engine's callbacks, on a thread without an open batch of it
  driver,   // also inside those of its driver
};

// How many events one call reads. Errors: misuse.
Result<void> check_event_limit(std::uint32_t limit);

// The host behind a handle. Errors: misuse, closed, foreign_handle.
Result<std::shared_ptr<Instance>> host_of(const orlop_engine* handle, CalledFrom lawful = CalledFrom::outside);

}  // namespace orlop::c
