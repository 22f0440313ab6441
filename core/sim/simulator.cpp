#include "sim/simulator.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "ops/snapshot/snapshot.h"
#include "store/open.h"

namespace orlop {
namespace {

// More ticks at one instant than any platform has work for.
constexpr std::int64_t ticks_per_instant_max = 1'000'000;

// Until when the store has been: its last event, or when the snapshot was taken. Nothing if nothing happened.
Result<std::optional<Instant>> end_of(const EngineOptions& options) {
  if (!options.snapshot.empty()) {
    ORLOP_TRY(taken, taken_at(options.snapshot));
    return std::optional(taken);
  }
  std::shared_ptr<Store> store = options.store;
  if (store == nullptr) {
    ORLOP_TRY(opened, open_store(options.storage, options.durability, options.mmap_size));
    store = std::move(opened);
  }
  ORLOP_TRY(reading, store->begin(Access::read));
  ORLOP_TRY(end, reading->feed_end());
  return end.sequence == 0 ? std::nullopt : std::optional(end.at);
}

}  // namespace

Result<std::unique_ptr<Simulator>> Simulator::open(SimulationOptions options) {
  ORLOP_TRY(end, end_of(options.engine));
  const Instant start = std::max(options.start, end.value_or(options.start));
  std::unique_ptr<Simulator> simulator(new Simulator(start, options.seed));
  options.engine.clock = &simulator->clock_;
  options.engine.random_source = &simulator->random_source_;
  Settings& settings = options.engine.settings;
  simulator->external_systems_.set_timeout(settings.port_timeout);
  if (settings.external_systems == nullptr) settings.external_systems = &simulator->external_systems_;
  if (settings.webhook_sender == nullptr) settings.webhook_sender = &simulator->webhook_sender_;
  ORLOP_TRY(engine, Engine::open(std::move(options.engine)));
  simulator->engine_ = std::move(engine);
  return simulator;
}

Result<void> Simulator::run(const Wanted& wanted) {
  for (std::int64_t ticks = 0; ticks < ticks_per_instant_max; ++ticks) {
    ORLOP_TRY(due, engine_->tick());
    const std::optional<Instant> next = wanted(due);
    if (!next) return {};
    if (*next > clock_.now()) {
      clock_.move_to(*next);
      ticks = 0;
    }
  }
  return make_error(ErrorCode::internal, "the engine wants to be called at " + to_text(clock_.now()) + " for ever");
}

Result<void> Simulator::advance(Duration duration) {
  const std::lock_guard lock(moving_);
  const Instant end = clock_.now() + duration;
  ORLOP_CHECK(run([end](std::optional<Instant> due) { return due && *due <= end ? due : std::nullopt; }));
  clock_.move_to(end);
  return {};
}

// On the way schedules do what they are due for.
Result<Duration> Simulator::run_until_idle() {
  const std::lock_guard lock(moving_);
  const Instant begin = clock_.now();
  ORLOP_CHECK(run([this](std::optional<Instant> due) { return engine_->work_due() ? due : std::nullopt; }));
  return clock_.now() - begin;
}

}  // namespace orlop
