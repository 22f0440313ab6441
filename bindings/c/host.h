// One opened engine together with all that it stands on: clock, chance, driver, and the bell that wakes its threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "bell.h"
#include "callbacks.h"
#include "deploy/scripted_driver.h"
#include "engine.h"
#include "engine_reference.h"
#include "options.h"
#include "orlop/orlop.h"
#include "ports.h"
#include "sim/seeded_entropy.h"
#include "sim/simulator.h"
#include "storage.h"
#include "system_sources.h"

namespace orlop::c {

class Host : public std::enable_shared_from_this<Host> {
 public:
  // Errors: those of Engine::open.
  static Result<std::shared_ptr<Host>> open(Opening opening);
  ~Host();

  // From here on the host's callbacks are released with this; before, a failure to open leaves them to the host.
  void own_callbacks();

  // A handle more, one less. False: the last one was closed, and there will be no other.
  bool add_handle();
  // Closing the last one ends all waits, shuts the reference that driver and courier hold, and returns when no call is inside by it.
  void drop_handle();

  Engine& engine() { return simulator_ ? simulator_->engine() : *engine_; }
  Bell& bell() { return bell_; }
  // Tells the host's log, if it gave one.
  void log(LogLevel level, std::string_view message);
  // Error misuse: this is no simulation; the driver is the host's.
  Result<Simulator*> simulator();
  Result<ScriptedDriver*> script();
  // Error misuse: this is no simulation; the port is the host's.
  Result<ScriptedGitHost*> scripted_git_host();
  Result<ScriptedCourier*> scripted_courier();

 private:
  Host() = default;
  void hand_out_reference();
  void stand_on(const Opening& opening, EngineOptions& options);
  Result<void> start(const Opening& opening, EngineOptions options);

  std::atomic<std::uint32_t> handles_ = 1;
  std::shared_ptr<EngineReference> reference_;
  orlop_engine* reference_handle_ = nullptr;
  Bell bell_;
  SystemClock system_clock_;
  SystemEntropy system_entropy_;
  ScriptedDriver scripted_driver_;
  std::optional<SeededEntropy> seeded_entropy_;
  std::optional<HostLog> host_log_;  // before what may still write to it
  std::optional<HostClock> host_clock_;
  std::optional<HostEntropy> host_entropy_;
  std::optional<HostDriver> host_driver_;
  std::optional<HostVerifier> host_verifier_;
  std::optional<HostJudge> host_judge_;
  std::optional<HostGitHost> host_git_host_;
  std::optional<HostCourier> host_courier_;
  std::shared_ptr<HostStore> host_store_;
  // Last: they use the others until they are gone. One of the two.
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Simulator> simulator_;
};

// From where a call is lawful.
enum class CalledFrom : std::uint8_t {
  outside,  // only outside this engine's callbacks
  driver,   // also inside those of its driver
};

// How many events one call reads. Errors: misuse.
Result<void> check_event_limit(std::uint32_t limit);

// The host behind a handle. Errors: misuse, closed, foreign_handle.
Result<std::shared_ptr<Host>> host_of(const orlop_engine* handle, CalledFrom lawful = CalledFrom::outside);

}  // namespace orlop::c
