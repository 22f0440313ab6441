// A simulation is an engine that was given a virtual clock and a seeded random source; this is the hand that moves the clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/instant.h"
#include "base/result.h"
#include "deploy/driver/scripted_driver.h"
#include "engine.h"
#include "sim/faults.h"
#include "sim/rules/rule_set.h"
#include "sim/scripted_external_systems.h"
#include "sim/scripted_ports.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"

namespace orlop {

struct SimulationOptions {
  // `clock` and `random_source` are replaced by the simulation's own, ports that are not given by scripted ones. The driver must answer from poll() or inside start().
  EngineOptions engine;
  std::uint64_t seed = 0;
  // What decides for the driver, if that is the scripted one. They must outlive the simulation; what a snapshot says of them is put into them.
  RuleSet* rules = nullptr;
  ScriptedDriver* script = nullptr;
  // The clock starts here, or at the last event of the store or the instant of the snapshot if that is later.
  Instant start;
};

// Threads: every function may be called from any thread; those that move the clock do so one at a time.
class Simulator {
 public:
  // Errors: those of Engine::open.
  static Result<std::unique_ptr<Simulator>> open(SimulationOptions options);

  Engine& engine() { return *engine_; }

  // As Engine::dispatch; it also answers the requests that control the simulation (control.h), applies faults to all others, and counts reads for steps that wait for them.
  Result<Reply> dispatch(const Request& request);
  // As Engine::snapshot, with a last line {"simulation": {"rules", "held", "crashes", "faults"}} if there are any.
  Result<std::string> snapshot();

  // nullptr: the driver is the host's.
  RuleSet* rules() { return options_.rules; }
  Faults& faults() { return faults_; }
  // Lets the step of the resource end that waits for it. Error conflict: none does; as for advance.
  Result<void> release(const Id& resource);

  // The scripted ports; those that the options replace are not called.
  ScriptedExternalSystems& external_systems() { return external_systems_; }
  ScriptedWebhookSender& webhook_sender() { return webhook_sender_; }

  // Moves the clock on by `duration`, ticking at every instant that the engine wants on the way.
  // Errors: those of a tick, after which the clock stands where the tick failed; internal if the engine wants one instant for ever.
  Result<void> advance(Duration duration);

  // Moves the clock from one wanted instant to the next until nothing is under way; the virtual time that took. Schedules, such as the deployment rules of
  // environments, do what is due meanwhile; one that is due later is no work. Errors as for advance.
  Result<Duration> run_until_idle();

 private:
  struct Scripted {
    RuleSet* rules = nullptr;
    ScriptedDriver* script = nullptr;
  };
  Simulator(Instant start, std::uint64_t seed, Scripted options)
      : options_(options), clock_(start), random_source_(seed), faults_(seed), external_systems_([this](Duration delay) { return pass(delay); }), webhook_sender_([this](DeliveryReport report) { engine_->report_delivery(std::move(report)); }) {}
  // The delay of an answer of the scripted external systems. A question that a tick asks is answered at the instant of the tick.
  Result<void> pass(Duration delay) { return engine_->is_ticking_here() ? Result<void>() : advance(delay); }
  // Ticks, and moves the clock to the instant that `wanted` makes of the one that the engine wants, until it makes none.
  using Wanted = std::function<std::optional<Instant>(std::optional<Instant> due)>;
  Result<void> run(const Wanted& wanted);
  Result<void> run_until(Instant end);
  Result<void> restore(std::string_view snapshot);
  Result<Reply> dispatch_faultless(const Request& request);
  Result<void> count_reads(std::string_view path);

  Scripted options_;
  std::mutex moving_;
  VirtualClock clock_;
  SeededRandomSource random_source_;
  Faults faults_;
  ScriptedExternalSystems external_systems_;
  ScriptedWebhookSender webhook_sender_;
  std::unique_ptr<Engine> engine_;  // last: it uses the others until it is gone
};

}  // namespace orlop
